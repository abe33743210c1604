NAME help of patches
RUN kcost patches --help
EXPECT --patches
EXPECT --format
EXPECT SLUG

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
