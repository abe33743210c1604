# Every built-in hot path attaches, by the best mechanism of this kernel, says why, and reports calls. (Those whose sites
# are found in live text have cases of their own: flush-tlb-page and tlbi-broadcast.)
# Boots: 6.1 6.12 6.18 6.19 newest wide sparse
. "$CASES/check"

mechanism_of() {
	case $1 in
	caches_clean_inval_pou) echo hwbreak ;;
	*) best_mechanism ;;
	esac
}

names=$(kcost list --names | grep -vx 'flush_tlb_page\|tlbi-.*')
between 'hot paths' "$(echo "$names" | wc -l)" 5 20
targets=
for name in $names; do
	targets="$targets -t $name"
done
# shellcheck disable=SC2086 # one word each
record $targets -- sh -c 'slot-flush 200 push return; page-reuse 64; round-trips 100'
kcost report r.kcost >table
for name in $names; do
	target=/targets/name=$name
	for site in $(get "$target/sites/*/function"); do
		same "the mechanism of $name at $site" "$(get "$target/sites/function=$site/mechanism")" "$(mechanism_of $name)"
		[ -n "$(get "$target/sites/function=$site/reason")" ] || fail "no reason for the mechanism of $name at $site"
	done
	between "the sites of $name" "$(count "$target/sites/*")" 1 20
	same "what $name lost" "$(get $target/lost)" 0
	says table "$name"
	same "what $name had to skip" "$(get "$target/skipped")" '[]'
	# Since 6.14 the kernel keeps what a uretprobe needs, so that nothing is allocated on a hit.
	[ $name = uretprobe-alloc ] || between "calls of $name" "$(get $target/calls)" 1 1000000
done
