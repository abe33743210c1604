# What is wrong with the words is found before the machine's load and rights are looked at. Commands
# run bare need no rights.

NAME help tells every option
RUN kcost measure --help
EXPECT --repetitions
EXPECT --precision
EXPECT --time
EXPECT --metric-regex
EXPECT --metric-json
EXPECT --plan
EXPECT --install-unit
EXPECT --aa
EXPECT --yes

NAME nothing to repeat
RUN kcost measure
EXIT 2
EXPECT nothing to repeat
EXPECT kcost measure SLUG

NAME a target alone repeats nothing
RUN kcost measure -t vfs_write
EXIT 2
EXPECT nothing to repeat

NAME patch that is misspelt
RUN kcost measure uprobe-xol-flsh
EXIT 2
EXPECT there is no patch 'uprobe-xol-flsh'
EXPECT uprobe-xol-flush

NAME COMMAND without the mark before it
RUN kcost measure uprobe-xol-flush make
EXIT 2
EXPECT write -- before a COMMAND

NAME workload that is misspelt
RUN kcost measure -w wp-fualt
EXIT 2
EXPECT did you mean wp-fault?

NAME control that is misspelt
RUN kcost measure -w wp-fault --control mesaging
EXIT 2
EXPECT did you mean messaging?

NAME workload and COMMAND
RUN kcost measure -w wp-fault -- true
EXIT 2
EXPECT one of them

NAME option of a COMMAND without one
RUN kcost measure -w wp-fault --metric-regex x
EXIT 2
EXPECT no COMMAND

NAME target that is none
RUN kcost measure -w wp-fault -t a,when=x
EXIT 2

NAME footprint of a workload that has none
RUN kcost measure -w messaging --footprint 1G
EXIT 2
EXPECT messaging has no footprint

NAME regular expression that is none
RUN kcost measure --metric-regex 'a(b' -o m.kcost -- true
EXIT 2
EXPECT 'a(b' is no regular expression

NAME JSON pointer that is none
RUN kcost measure --metric-json a/b -o m.kcost -- true
EXIT 2
EXPECT 'a/b' is no JSON pointer

NAME precision that is none
RUN kcost measure --precision high -- true
EXIT 2
EXPECT not a precision, such as 1%: high

NAME time that is none
RUN kcost measure --time nan -- true
EXIT 2
EXPECT not a number of seconds above 0: nan

NAME no repetitions
RUN kcost measure -n 0 -- true
EXIT 2

NAME file in a folder that is not there
RUN kcost measure --yes -o none/m.kcost -- true
EXIT 1
EXPECT there is no folder none

NAME file that is something else is not replaced
RUN echo text > m.kcost; kcost measure --yes -o m.kcost -- true; status=$?; cat m.kcost; exit $status
EXIT 2
EXPECT -o another FILE
EXPECT text

NAME a command's elapsed time
RUN kcost measure --yes -n 2 --seed 5 -o m.kcost -- true && grep -c '"mode":"bare"' m.kcost
EXPECT true, elapsed:
EXPECT seed 5
EXPECT all repetitions done

NAME a command's printed figure
RUN kcost measure --yes -n 2 --metric-regex 'rate ([0-9]+)' --unit M/s -o m.kcost -- echo rate 17
EXPECT 17 ± 0 M/s

NAME a command's JSON
RUN kcost measure --yes -n 1 --metric-json /a/0 -o m.kcost -- echo '{"a": [4.5]}'
EXPECT 4.5, of one repetition

NAME a command that prints no metric
RUN kcost measure --yes -n 1 --metric-regex 'rate ([0-9]+)' -o m.kcost -- echo nothing
EXIT 1
EXPECT repetition 1 (command, bare) failed
EXPECT it printed no metric
EXPECT 0 finished repetitions are in m.kcost

NAME a command that fails in its third repetition
RUN kcost measure --yes -n 9 -o m.kcost -- sh -c 'echo x >> n; [ $(wc -l < n) -lt 3 ] || { echo no server; exit 7; }'; status=$?; grep -c '"mode":"bare","block"' m.kcost; exit $status
EXIT 1
EXPECT repetition 3 (command, bare) failed: sh ended with status 7; 2 finished repetitions
EXPECT what it printed last: no server

NAME a command that hangs in its second repetition
RUN kcost measure --yes -n 9 --timeout 1 -o m.kcost -- sh -c 'echo x >> n; [ $(wc -l < n) -lt 2 ] || sleep 1000'
EXIT 1
EXPECT repetition 2 (command, bare) failed: sh did not end within 1 s; 1 finished repetitions
EXPECT --timeout SECONDS

NAME a command that is not there
RUN kcost measure --yes -n 1 -o m.kcost -- kcost-no-such-program
EXIT 1
EXPECT cannot run kcost-no-such-program

NAME a second session is added to the file
RUN kcost measure --yes -n 2 -o m.kcost -- true && kcost measure --yes -n 2 -o m.kcost -- true && grep -c '"boot_id"' m.kcost
EXPECT 1 boot in 2 sessions

NAME another command is not added
RUN kcost measure --yes -n 1 -o m.kcost -- true && kcost measure --yes -n 1 -o m.kcost -- false
EXIT 2
EXPECT cannot add to m.kcost: it is of other workloads

NAME a file without a finished repetition is begun anew
RUN kcost measure --yes -n 1 -o m.kcost -- false; kcost measure --yes -n 1 -o m.kcost -- true
EXPECT holds no finished repetition
EXPECT 1 boot in 1 session

NAME precision ends it from ten repetitions on
RUN kcost measure --yes -n 500 --precision 50% --metric-regex '[0-9]+' -o m.kcost -- echo 5
EXPECT precise enough
EXPECT sd of 10 repetitions

NAME the time ends it
RUN kcost measure --yes -n 1000 --time 1 -o m.kcost -- sleep 0.3
EXPECT the time was used

NAME a boot that is in the file is not measured again
RUN kcost measure --yes -n 1 --boots 3 -o m.kcost -- true && kcost measure --yes -n 1 --boots 3 -o m.kcost -- true
EXPECT has 1 of 3 boots, this one too: nothing to do

NAME one boot does not tell boots from repetitions
RUN kcost measure --aa --yes -n 2 -o m.kcost -- true
EXPECT fewer than three boots

NAME the plan is the seed's
RUN kcost measure uprobe-xol-flush --plan --seed 1 > a; kcost measure uprobe-xol-flush --plan --seed 1 > b; cmp a b && cat a
EXPECT 10 boots in random blocks of one before and one after; seed 1
EXPECT kcost measure uprobe-xol-flush -o before.kcost
EXPECT kcost confirm before.kcost after.kcost
REFUSE --plan

NAME the plan of a command
RUN kcost measure --plan --boots 1 -n 3 -- sh -c 'echo $x'
EXPECT kcost measure -n 3 -o before.kcost -- sh -c 'echo $x'

NAME a unit that goes on after each boot
RUN kcost measure uprobe-xol-flush -n 3 --install-unit --unit-file u.service && cat u.service
EXPECT Type=oneshot
EXPECT WorkingDirectory=/
EXPECT "measure" "uprobe-xol-flush" "-n" "3" "--yes" "--boots" "5" "-o" "/
EXPECT {kernel}.kcost"
REFUSE --install-unit"

NAME a unit is not replaced
RUN touch u.service; kcost measure uprobe-xol-flush --install-unit --unit-file u.service
EXIT 1
EXPECT it is there already

NAME a recording is no measurement, and a measurement no recording
RUN kcost measure --yes -n 1 -o m.kcost -- true && kcost report m.kcost
EXIT 1
EXPECT it is a measurement, not a recording

NAME options of a workload with a COMMAND
RUN kcost measure --cpu 0 -- true
EXIT 2
EXPECT an option of kcost's own workloads, and a COMMAND
EXPECT taskset

NAME a control with a COMMAND
RUN kcost measure --control uprobe-ret -- true
EXIT 2
EXPECT an option of kcost's own workloads, and a COMMAND

NAME a unit of nothing
RUN kcost measure --unit s -- true
EXIT 2
EXPECT --metric-regex or --metric-json

NAME one workload with a footprint is enough
RUN kcost measure -w messaging -w wp-fault --footprint 64M --bare -n 1 --ticks 1 --warm-up 0 --yes -o m.kcost
EXPECT all repetitions done

NAME a footprint that no workload has
RUN kcost measure -w messaging --footprint 1M --bare
EXIT 2
EXPECT messaging has no footprint

NAME brackets of a COMMAND stay as they are
RUN kcost measure -n 1 -o m.kcost --metric-regex 'x=([0-9]+)' --yes -- sh -c '[ "$1" = "[1,2]" ] && echo x=7' sh '[1,2]' && grep -c '\[1,2\]' m.kcost
EXPECT all repetitions done

NAME nothing of a COMMAND is left behind
RUN kcost measure -n 1 -o m.kcost --yes -- sh -c 'sleep 987 & echo $! >pid'; sleep 0.1; kill -0 $(cat pid) 2>/dev/null && [ "$(cut -d' ' -f3 /proc/$(cat pid)/stat)" != Z ] && echo it lives
EXIT 1
REFUSE it lives

NAME a COMMAND that is timed out may clean up
RUN kcost measure -n 1 -o m.kcost --timeout 1 --yes -- sh -c 'trap "echo cleaned >it; exit 1" TERM; sleep 100 & wait' || cat it
EXPECT did not end within 1 s
EXPECT cleaned

NAME a unit that would be wrong at each boot
RUN kcost measure --install-unit --unit-file u --metric-regex '(' -- true; ls u
EXIT 2
EXPECT is no regular expression

NAME the file's name in the unit is that of a run
RUN kcost measure --install-unit --unit-file u --aa -w messaging -omine.kcost && grep -o 'mine.kcost' u | wc -l && rm u && kcost measure --install-unit --unit-file u --aa -w messaging && grep ExecStart u
EXPECT 1
EXPECT messaging-aa-{kernel}.kcost

# Work that patches ship.
NAME the kernel build tells how long make took
RUN mkdir t && printf 'defconfig:\n\t@echo y >$(O)/.config\nvmlinux:\n\t@cat $(O)/.config && sleep 0.2\n' >t/Makefile && kcost measure -n 2 -o m.kcost --metric-regex 'seconds: ([0-9.]+)' --unit s --lower-is-better --yes -- $GOLDEN/../../patches/switch-context-this-cpu/kernel-build t 4 vmlinux
EXPECT all repetitions done
EXPECT 0.2

NAME the kernel build of what is no kernel's source
RUN $GOLDEN/../../patches/switch-context-this-cpu/kernel-build .
EXIT 1
EXPECT kernel-build: no Makefile in .

NAME the kernel build that fails tells why
RUN mkdir t && printf 'defconfig:\n\t@true\n' >t/Makefile && $GOLDEN/../../patches/switch-context-this-cpu/kernel-build t 4 vmlinux
EXIT 1
EXPECT No rule to make target 'vmlinux'
EXPECT kernel-build: make -C t

NAME the Redis run without Redis
RUN PATH=/bin $GOLDEN/../../patches/uretprobe-return-instance/redis with
EXIT 1
EXPECT redis: cannot find redis-server: install it

NAME the Redis run of neither kind
RUN $GOLDEN/../../patches/uretprobe-return-instance/redis
EXIT 2
EXPECT redis with|without
