NAME help of confirm
RUN kcost confirm --help
EXPECT --claims
EXPECT --patch
EXPECT --aa
EXPECT commit
EXPECT html
EXPECT --patches
EXPECT --format

NAME published figures that stand
RUN kcost confirm --claims uprobe-xol-flush
EXPECT nothing was measured
EXPECT +121.5%: stands
EXPECT a control that moved by 1.8%

NAME a published figure that its own error hides
RUN kcost confirm --claims switch-context-this-cpu
EXPECT -0.3%: not distinguishable from zero (t = 0.42

NAME published figures without a spread
RUN kcost confirm --claims wp-fault-local-tlbi && kcost confirm --claims uretprobe-return-instance
EXPECT +40.6%: no spread: cannot be judged beyond its size
EXPECT +2.2%: no spread: cannot be judged beyond its size
EXPECT 14.2% of the loss came back

NAME published figures for programs
RUN kcost confirm --claims switch-context-this-cpu --format json
EXPECT "grade": "not distinguishable"

NAME claims of a patch that is not there, with those that are
RUN kcost confirm --claims no-such-patch
EXIT 2
EXPECT uprobe-xol-flush, uretprobe-return-instance

NAME claims in an unknown format
RUN kcost confirm --claims uprobe-xol-flush --format xml
EXIT 2
EXPECT xml

NAME claims have no commit message
RUN kcost confirm --claims uprobe-xol-flush --format commit
EXIT 2
EXPECT cannot be told as commit

NAME claims or measurements, not both
RUN kcost confirm --claims uprobe-xol-flush a.kcost b.kcost
EXIT 2
EXPECT --claims

NAME confirm needs two measurements
RUN kcost confirm before.kcost
EXIT 2
EXPECT kcost confirm BEFORE AFTER

NAME a verdict is the exit status, as anybody
RUN cp "$GOLDEN"/confirm-*.kcost . && kcost confirm confirm-before.kcost confirm-after.kcost
EXPECT uprobe-xol-flush: confirmed
EXPECT flushes of the slot per hit in uprobe-push
EXPECT +125.0%
EXPECT look 1 of 3

NAME the same kernel twice
RUN cp "$GOLDEN"/confirm-before.kcost one.kcost && cp one.kcost other.kcost && kcost confirm one.kcost other.kcost
EXIT 11
EXPECT [the same kernel twice]

NAME each format
RUN cp "$GOLDEN"/confirm-*.kcost . && for f in text commit html json; do kcost confirm -f $f confirm-before.kcost confirm-after.kcost >$f || exit 9; done; head -n 1 text commit html json
EXPECT uprobe-xol-flush: confirmed
EXPECT Measured by kcost
EXPECT <!DOCTYPE html>

NAME a look is counted in both files, and the same again is not another
RUN cp "$GOLDEN"/confirm-*.kcost . && for i in 1 2 3 4; do kcost confirm confirm-before.kcost confirm-after.kcost >out || exit 9; done; grep look out; grep -c '"other_digest"' *.kcost
EXPECT look 1 of 3
EXPECT confirm-after.kcost:1
EXPECT confirm-before.kcost:1

NAME a fourth look is refused
RUN cp "$GOLDEN"/confirm-*.kcost . && sed -i 's/^"looks": \[/&{"at":"","repetitions":1,"other_digest":"1","other":"build-after"},{"at":"","repetitions":2,"other_digest":"1","other":"build-after"},{"at":"","repetitions":3,"other_digest":"1","other":"build-after"}/' confirm-before.kcost && kcost confirm confirm-before.kcost confirm-after.kcost
EXIT 1
EXPECT at look 4
EXPECT measure anew

NAME a patch that is not there
RUN cp "$GOLDEN"/confirm-*.kcost . && kcost confirm confirm-before.kcost confirm-after.kcost --patch no-such
EXIT 2
EXPECT there is no patch 'no-such'

NAME another patch than was measured for
RUN cp "$GOLDEN"/confirm-*.kcost . && kcost confirm confirm-before.kcost confirm-after.kcost --patch wp-fault-local-tlbi
EXIT 13
EXPECT flush_tlb_page was not among the targets

NAME measurements of different patches
RUN cp "$GOLDEN"/confirm-*.kcost . && sed -i 's/"patch": "uprobe-xol-flush"/"patch": "wp-fault-local-tlbi"/' confirm-after.kcost && kcost confirm confirm-before.kcost confirm-after.kcost
EXIT 2
EXPECT uprobe-xol-flush before, wp-fault-local-tlbi after

NAME a measurement that is not there
RUN kcost confirm none.kcost other.kcost
EXIT 1
EXPECT none.kcost

NAME a recording is no measurement
RUN cp "$GOLDEN"/confirm-before.kcost "$GOLDEN"/sample.kcost . && kcost confirm confirm-before.kcost sample.kcost
EXIT 1
EXPECT sample.kcost

NAME half a measurement
RUN head -c 4000 "$GOLDEN"/confirm-before.kcost >half.kcost && kcost confirm half.kcost "$GOLDEN"/confirm-after.kcost
EXIT 1
EXPECT half.kcost

NAME a format of confirm that is not there
RUN kcost confirm a.kcost b.kcost --format xml
EXIT 2
EXPECT commit, html, json, text
