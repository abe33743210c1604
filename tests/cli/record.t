# What is wrong with the words of a target is found before rights are asked for.

NAME setting that is not known
RUN kcost record -t schedule,colour=red -d 1
EXIT 2
EXPECT colour

NAME condition that cannot be read
RUN kcost record -t 'schedule,when=arg0=!7' -d 1
EXIT 2
EXPECT when

NAME empty target
RUN kcost record -t '' -d 1
EXIT 2

NAME mechanism that is none
RUN kcost record -t schedule,by=magic -d 1
EXIT 2
EXPECT 'magic' is no mechanism
EXPECT fentry, kprobe, hwbreak

NAME mechanism of an operation
RUN kcost record -t flush_tlb_page,by=kprobe -d 1
EXIT 2
EXPECT an operation is measured at its sites only

NAME place of what is no operation
RUN kcost record -t schedule,in=do_wp_page -d 1
EXIT 2
EXPECT only an operation is looked for in a function
EXPECT tlbi-broadcast

NAME argument amid a function
RUN kcost record -t 'schedule+0x10,when=arg0==1' -d 1
EXIT 2
EXPECT amid a function there are no arguments and no result

NAME result of an operation
RUN kcost record -t 'flush_tlb_page,split=return' -d 1
EXIT 2
EXPECT amid a function there are no arguments and no result
EXPECT split=caller

NAME fentry amid a function
RUN kcost record -t 0xffff800080010004,by=fentry -d 1
EXIT 2
EXPECT fentry attaches to functions only

NAME offset that is no number
RUN kcost record -t schedule+x -d 1
EXIT 2
EXPECT FUNCTION+0xOFFSET

NAME address that is none
RUN kcost record -t 0xyz -d 1
EXIT 2
EXPECT it is no address

NAME callers of one hit in three
RUN kcost record -t schedule --callers-one-in 3 -d 1
EXIT 2
EXPECT power of two

NAME list names the hot paths without trying them
RUN kcost list --names
EXPECT icache-flush
EXPECT caches_clean_inval_pou
EXPECT flush_tlb_page
EXPECT tlbi-broadcast
EXPECT tlbi-local
EXPECT page-reuse
EXPECT context-switch
EXPECT uretprobe-alloc

NAME list in JSON, whatever can be measured here
RUN kcost list --format json 2>errors | python3 -c 'import json, sys; print(len(json.load(sys.stdin)) > 0)'
EXPECT True

NAME a duration that is no number
RUN kcost record -t vfs_read -d nan
EXIT 2
EXPECT nan

NAME an output without a name
RUN kcost record -t vfs_read -d 1 -o ""
EXIT 1
EXPECT cannot write
