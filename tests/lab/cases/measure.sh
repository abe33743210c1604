# kcost measure of each patch: operations and what they cause, counted in the same repetition; what the kernel's text says
# of the patches is in the file; samples are taken; a second session of this boot is added.
# Boots: 6.12 newest built
. "$CASES/check"

# measure SLUG OPTION...: leaves r.json, one block.
measure() {
	rm -f r.json
	kcost measure "$@" -n 1 --ticks 1 --warm-up 0 --seed 1 --yes -o r.json >out 2>err ||
		fail "kcost measure $* ended with $?: $(cat out err)"
	cat out
	says out 'all repetitions done'
	same 'sessions' "$(count /sessions)" 1
}

# probed WORKLOAD-INDEX: keeps that probed repetition's line, in p.json; its operations in $operations.
probed() {
	grep "^{\"session\":0,\"workload\":$1,\"mode\":\"probed\"" r.json | sed 's/,$//' >p.json
	operations=$(json-get p.json /operations)
	between "operations of workload $1" "$operations" 100 999999999
}

measure uprobe-xol-flush
same 'patches told of' "$(count '/sessions/0/patches')" 4
evidence=$(get /sessions/0/patches/slug=uprobe-xol-flush/evidence)
if has uprobe-xol-flush 6.13; then wanted=present; else wanted=absent; fi
same 'the evidence' "$evidence" $wanted
same 'emulated' "$(get /sessions/0/emulated)" true
probed 0
flushes=$(json-get -s p.json '/targets/name=icache-flush/sites/*/splits/value=4/figures/entries' || echo 0)
if [ $wanted = present ]; then
	between 'flushes of slots' "$flushes" 0 $((operations / 100 + 5))
else
	between 'flushes of slots' "$flushes" "$operations" $((operations + operations / 100 + 5))
fi
says p.json '"caller":"arch_uprobe_copy_ixol' || [ $wanted = present ]
grep '"mode":"sampled"' r.json | head -n 1 | sed 's/,$//' >s.json
between 'samples' "$(json-get s.json /sampled/samples)" 10 99999999
same 'the target of samples' "$(json-get s.json /sampled/in_targets/0/target)" icache-flush

kcost measure uprobe-xol-flush -n 1 --ticks 1 --warm-up 0 --yes -o r.json >out 2>err ||
	fail "the second session ended with $?: $(cat err)"
says out '1 boot in 2 sessions'

measure wp-fault-local-tlbi --footprint 8M
probed 0
says out 'flush_tlb_page in wp-fault'
json-get p.json '/targets/name=flush_tlb_page/sites/*/function' >functions
json-get p.json '/targets/name=flush_tlb_page/sites/*/figures/entries' >entries
flushes=$(paste functions entries | awk '/ptep_set_access_flags/ { sum += $2 } END { print sum + 0 }')
if has wp-fault-local-tlbi 6.19; then
	between 'broadcasts of reused pages' "$flushes" 0 $((operations / 50))
else
	between 'broadcasts of reused pages' "$flushes" $((operations - operations / 50)) $((operations + operations / 10 + 500))
fi

measure uretprobe-return-instance
probed 0
allocations=$(json-get -s p.json '/targets/name=uretprobe-alloc/sites/*/figures/entries')
if has uretprobe-return-instance 6.14; then
	between 'allocations of hits' "$allocations" 0 $((operations / 50 + 50))
else
	between 'allocations of hits' "$allocations" "$operations" $((operations + operations / 50 + 50))
fi

measure switch-context-this-cpu
probed 0
