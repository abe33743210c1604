# Each hit of a uretprobe allocates, up to 6.13; later kernels, and uretprobe-return-instance, keep what they allocated.
. "$CASES/check"

record -t uretprobe-alloc -- slot-flush 2000 push return
if has uretprobe-return-instance 6.14; then
	between 'allocations of 2,000 uretprobe hits' "$(get /targets/name=uretprobe-alloc/calls)" 0 19
else
	between 'allocations of 2,000 uretprobe hits' "$(get /targets/name=uretprobe-alloc/calls)" 2000 2020
fi
