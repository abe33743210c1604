# Hits of a uprobe whose instruction is copied to a slot flush the I-cache once each, of 4 bytes, up to 6.12; from 6.13
# on, or with uprobe-xol-flush, only when the slot changes. A ret is simulated and needs no slot on any kernel.
. "$CASES/check"

of_length_4() {
	record -t icache-flush -- slot-flush "$1" "$2"
	same 'what icache-flush lost' "$(get /targets/name=icache-flush/lost)" 0
	sum '/targets/name=icache-flush/sites/*/splits/value=4/calls'
}

flushes=$(of_length_4 20000 push) || fail "$flushes"
if has uprobe-xol-flush 6.13; then
	between 'flushes of 20,000 hits on stp' "$flushes" 0 19
else
	between 'flushes of 20,000 hits on stp' "$flushes" 20000 20020
fi
flushes=$(of_length_4 20000 ret) || fail "$flushes"
between 'flushes of 20,000 hits on ret' "$flushes" 0 19
