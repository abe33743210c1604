# No breakpoint is set between a load-exclusive and its store, where each stop has the loop around them begin again, for
# ever. On a CPU without LSE up_read() has such a loop, and each page fault and mmap runs it.
# Boots: a72
. "$CASES/check"

offset=4 armed=0 refused=0
while [ $offset -le 96 ]; do
	target=$(printf 'up_read+0x%x,by=hwbreak' $offset)
	status=0
	kcost record -t "$target" -o r.kcost -- round-trips 20 >out 2>&1 || status=$?
	if [ $status = 0 ]; then
		armed=$((armed + 1))
	elif [ $status = 3 ] && grep -q 'between a load-exclusive and its store' out; then
		refused=$((refused + 1))
		echo "$target is refused"
	elif [ $status != 3 ]; then
		fail "$target ended with $status: $(cat out)"
	fi
	offset=$((offset + 4))
done
between 'places that are refused' $refused 3 20
between 'places that take a breakpoint' $armed 3 24
