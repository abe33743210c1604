# More CPUs possible than there are: per-CPU tables are sized by the possible ones, shares by the online ones.
# Boots: sparse
. "$CASES/check"

possible=$(cat /sys/devices/system/cpu/possible)
[ "$possible" != "$(cat /sys/devices/system/cpu/online)" ] || skip "all possible CPUs are online: $possible"
record -t context-switch -t __arm64_sys_getppid -- sh -c 'round-trips 1000 fifo; call-kernel 300'
# The shell asks for its parent once itself.
between 'calls of getppid' "$(get /targets/name=__arm64_sys_getppid/calls)" 300 303
between 'context switches of 1,000 round trips' "$(get /targets/name=context-switch/calls)" 2000 2120
