# Every built-in hot path attaches, by the best mechanism of this kernel, says why, and reports calls.
# Boots: 6.1 6.12 6.18 6.19 newest wide sparse
. "$CASES/check"

record -t icache-flush -t flush_tlb_page -t context-switch -t uretprobe-alloc -- \
	sh -c 'slot-flush 200 push return; page-reuse 64; round-trips 100'
kcost report r.kcost >table
for name in icache-flush flush_tlb_page context-switch uretprobe-alloc; do
	target=/targets/name=$name
	same "the mechanism of $name" "$(get $target/mechanism)" "$(best_mechanism)"
	for site in $(get "$target/sites/*/function"); do
		[ -n "$(get "$target/sites/function=$site/reason")" ] || fail "no reason for the mechanism of $name at $site"
	done
	between "the sites of $name" "$(count "$target/sites/*")" 1 20
	same "what $name had to skip" "$(get "$target/skipped")" '[]'
	same "what $name lost" "$(get $target/lost)" 0
	says table "$name"
	# Since 6.14 the kernel keeps what a uretprobe needs, so that nothing is allocated on a hit.
	[ $name = uretprobe-alloc ] || between "calls of $name" "$(get $target/calls)" 1 1000000
done
