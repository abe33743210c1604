NAME help of confirm
RUN kcost confirm --help
EXPECT --claims
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
