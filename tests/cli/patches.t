NAME help of patches
RUN kcost patches --help
EXPECT --patches
EXPECT --format
EXPECT SLUG
EXPECT --image
EXPECT --symbols

NAME a patch that is not there, with those that are
RUN kcost patches no-such-patch
EXIT 2
EXPECT uprobe-xol-flush, uretprobe-return-instance

NAME a folder that is not there
RUN kcost patches --patches /no-such-folder
EXIT 2
EXPECT --patches DIR

NAME an unknown format
RUN kcost patches --format xml
EXIT 2
EXPECT xml

NAME a System.map without its image
RUN kcost patches --symbols System.map
EXIT 2
EXPECT --image

NAME an image that is not there
RUN kcost patches --image no-such-file
EXIT 1
EXPECT cannot read no-such-file: No such file

NAME what is no kernel of arm64 is said by name
RUN echo "#!/bin/sh" >script && kcost patches --image script
EXIT 3
EXPECT cannot read script: it is of a kind that is not known, not an arm64 kernel

NAME an ELF file of another machine
RUN printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\076\000' >other && head -c 64 /dev/zero >>other && kcost patches --image other
EXIT 3
EXPECT an ELF file of x86-64

NAME a packing that is not unpacked, with what unpacks it
RUN printf '\375\067zXZ\000' >packed && kcost patches --image packed
EXIT 1
EXPECT unpack it first: xz -dc FILE > IMAGE

NAME a packed kernel that is cut off
RUN head -c 100000 /dev/urandom | gzip | head -c 50000 >cut && kcost patches --image cut
EXIT 1
EXPECT cut off
EXPECT try: copy or fetch it again

NAME an image without symbols, with what helps
RUN { head -c 56 /dev/zero; printf 'ARMd'; head -c 100000 /dev/zero; } >Image && kcost patches --image Image
EXIT 1
EXPECT cannot find the kernel's symbols
EXPECT --symbols FILE
