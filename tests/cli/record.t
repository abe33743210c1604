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

NAME callers of one hit in three
RUN kcost record -t schedule --callers-one-in 3 -d 1
EXIT 2
EXPECT power of two

NAME list names the hot paths without trying them
RUN kcost list --names
EXPECT icache-flush
EXPECT flush_tlb_page
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
