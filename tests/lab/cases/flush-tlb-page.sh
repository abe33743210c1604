# N write-protected pages rewritten after fork and exit make N broadcast flushes of a page in ptep_set_access_flags,
# within 1%, and since 6.19, or with wp-fault-local-tlbi, N local ones. Each is a span that ends, and its stack is a page
# fault's without a hole.
. "$CASES/check"

record -t flush_tlb_page -t tlbi-local -- page-reuse 10000
for target in flush_tlb_page tlbi-local; do
	same "spans of $target" "$(get /targets/name=$target/spans)" "$(get /targets/name=$target/entries)"
	for mechanism in $(get "/targets/name=$target/sites/*/mechanism"); do
		same "the mechanism of $target" $mechanism opsite
	done
	same "what $target lost" "$(get /targets/name=$target/lost)" 0
done
same 'the sites of flush_tlb_page that are armed' "$(get /targets/name=flush_tlb_page/sites_armed)" \
	"$(get /targets/name=flush_tlb_page/sites_found)"
for site in $(get '/targets/name=flush_tlb_page/sites/counted_only=true/function'); do
	case $site in set_tlb_ubc_flush_pending*) ;; *) fail "$site is only counted" ;; esac
done

broadcast=$(of_sites flush_tlb_page ptep_set_access_flags spans)
own=$(of_sites tlbi-local ptep_set_access_flags spans)
if has wp-fault-local-tlbi 6.19; then
	between 'broadcasts of 10,000 reused pages' "$broadcast" 0 99
	between 'local flushes of 10,000 reused pages' "$own" 9900 10100
else
	between 'broadcasts of 10,000 reused pages' "$broadcast" 9900 10100
	between 'local flushes of 10,000 reused pages' "$own" 0 99
fi

kcost report r.kcost --format folded >folded || fail "no folded stacks: $?"
grep 'ptep_set_access_flags[^; ]* [0-9]*$' folded >stacks || fail "no such stack in: $(cat folded)"
cat stacks
# The compiler keeps one of the two or both.
grep 'handle_mm_fault;.*\(do_wp_page\|wp_page_reuse[^;]*\);' stacks | grep -v unknown >whole
# Callers of one hit in 64.
between 'flushes with a whole stack' "$(awk '{ sum += $NF } END { print sum + 0 }' whole)" 9800 10200
same 'flushes with another stack' "$(grep -Fxvc -f whole stacks)" 0
