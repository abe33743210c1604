# Attaching and detaching again and again under load, by each mechanism, hangs nothing and leaves nothing behind.
# Boots: four long-6.1 long-6.12 long-newest
. "$CASES/check"

cycles=4
! grep -q kcost_long /proc/cmdline || cycles=200

# hottest_sites: as a target, the sites in the function that flushes most: arming those of all takes long.
hottest_sites() {
	record -t flush_tlb_page -t tlbi-local -- page-reuse 1000 >&2
	for target in flush_tlb_page tlbi-local; do
		get "/targets/name=$target/sites/*/entries" >entries
		get "/targets/name=$target/sites/*/function" | sed "s/+0x.*//; s/^/$target,in=/" | paste entries -
	done | sort -n | sed -n '$s/.*\t//p'
}

for work in 'page-reuse 2000' 'slot-flush 2000 alternate' 'round-trips 2000' 'call-count nested 3000'; do
	(while :; do $work >/dev/null 2>&1; done) &
	loads="$loads $!"
done
dmesg | wc -l >lines_before

# cycle MECHANISM TARGET: attached so often, it counted something of the load.
cycle() {
	attach-cycles $cycles "$2" >cycles 2>&1 || fail "$cycles cycles by $1 ended with $?: $(cat cycles)"
	between "hits in $(sed -n 's/^seconds=//p' cycles) s of $cycles cycles by $1" "$(sed -n 's/^hits=//p' cycles)" 1 9999999999
}
[ "$(best_mechanism)" = kprobe ] || cycle fentry context-switch
cycle kprobe context-switch,by=kprobe
cycle opsite "$(hottest_sites)"
cycle hwbreak caches_clean_inval_pou
cycle user "$(command -v call-count):outer_function"
# shellcheck disable=SC2086 # numbers
kill $loads

dmesg | tail -n +$(($(cat lines_before) + 1)) >said
grep -iE 'WARNING|BUG:|Oops|lockup|stall|hung' said >bad && fail "the kernel said: $(head -n 3 bad)"
same 'kprobes left' "$(wc -l </sys/kernel/debug/kprobes/list)" 0
bpftool prog show >programs
grep 'name kc_' programs >left && fail "programs left: $(cat left)"
exit 0
