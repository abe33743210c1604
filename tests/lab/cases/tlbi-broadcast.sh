# All broadcasts of all functions: the flushes of a page are among them, and those of functions where no probe can be
# (the ends of munmap and exit) make the sum a lower bound, which is said.
# Boots: 6.12
. "$CASES/check"

record -t tlbi-broadcast -t flush_tlb_page -- page-reuse 10000
kcost report r.kcost --width 100 >table || fail "kcost report ended with $?"
sites=/targets/name=tlbi-broadcast
armed=$(get $sites/sites_armed)
found=$(get $sites/sites_found)
between 'sites that were found' "$found" 60 120
between 'sites that are armed' "$armed" 40 $((found - 10))
same 'sites that are not' "$(count "$sites/skipped")" $((found - armed))
same 'what tlbi-broadcast lost' "$(get $sites/lost)" 0

for function in ptep_set_access_flags ptep_clear_flush; do
	spans=$(of_sites tlbi-broadcast $function spans)
	between "broadcasts of 10,000 pages in $function" "$spans" 9900 10100
	same "flush_tlb_page in $function" "$(of_sites flush_tlb_page $function spans)" "$spans"
done
all=$(get $sites/calls)
between 'all broadcasts' "$all" $(($(get /targets/name=flush_tlb_page/calls))) 25000

same 'whether that is a lower bound' "$(get $sites/lower_bound)" true
grep '^tlbi-broadcast ' table >row
cat row
says row ">=$all " "opsite, $armed of $found sites"
get "$sites/skipped/*/function" | sed 's/+0x.*//' | sort -u >left_out
cat left_out
for function in $(cat left_out); do
	says table "$function"
done
says left_out '^tlb_flush$' '^__flush_tlb_range'
says table 'not measured, figures are a lower bound'
