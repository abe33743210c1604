# What is wrong with the words is found before the machine's load and rights are looked at.

NAME help lists the workloads and every option
RUN kcost bench --help
EXPECT uprobe-push
EXPECT uretprobe-nop
EXPECT uprobe-mixed
EXPECT wp-fault
EXPECT switch-pingpong-threads
EXPECT messaging
EXPECT --ticks
EXPECT --duration
EXPECT --footprint
EXPECT --yes

NAME names only
RUN kcost bench --names
EXPECT uprobe-ret
REFUSE hits of

NAME no workload is a usage error that shows the way
RUN kcost bench
EXIT 2
EXPECT kcost bench --help

NAME workload that is misspelt
RUN kcost bench wp-fualt
EXIT 2
EXPECT there is no workload wp-fualt
EXPECT did you mean wp-fault?

NAME number of ticks that is none
RUN kcost bench uprobe-nop --ticks many
EXIT 2
EXPECT many

NAME no ticks at all
RUN kcost bench uprobe-nop --ticks 0
EXIT 2

NAME ticks and a duration
RUN kcost bench uprobe-nop --ticks 3 --duration 3
EXIT 2
EXPECT --duration

NAME list of CPUs that cannot be read
RUN kcost bench uprobe-nop --cpu 3-1
EXIT 2
EXPECT not a list of CPUs

NAME CPU that is not there
RUN kcost bench messaging --cpu 60000 --yes
EXIT 2
EXPECT CPU 60000
EXPECT --cpu with some of

NAME footprint that is no size
RUN kcost bench wp-fault --footprint large
EXIT 2
EXPECT not a size, such as 512M or 2G: large

NAME footprint of a workload that has none
RUN kcost bench messaging --footprint 1G
EXIT 2
EXPECT messaging has no footprint

NAME footprint of more than half of the memory
RUN kcost bench wp-fault --footprint 4000T --yes
EXIT 3
EXPECT more than half of
EXPECT --footprint

NAME pipes of a workload that has no choice
RUN kcost bench wp-fault --pipes
EXIT 2
EXPECT no choice of pipes

NAME threads that are none
RUN kcost bench messaging --threads 0
EXIT 2
EXPECT --threads

NAME format that is not known
RUN kcost bench wp-fault --format xml
EXIT 2
EXPECT xml
