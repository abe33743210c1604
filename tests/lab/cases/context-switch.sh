# Two processes on one CPU that exchange N bytes make 2N context switches: none is missed, few are others'.
. "$CASES/check"

record -t context-switch -- round-trips 5000 fifo
between 'context switches of 5,000 round trips' "$(get /targets/name=context-switch/calls)" 10000 10150
same 'what context-switch lost' "$(get /targets/name=context-switch/lost)" 0
