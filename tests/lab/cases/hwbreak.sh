# Hardware breakpoints on caches_clean_inval_pou count what a probe one call above it counts, within 10, also when
# interrupts have the CPU trap on the same instruction again.
# Boots: 6.1 6.12 6.18 newest
. "$CASES/check"

# Since 6.13 a slot is flushed only where it changes.
form=push
! since 6.13 || form=alternate
cpu=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
cat >work <<'END'
[ "$1" = 0 ] || { ticker "$1" "$2" & ticker=$!; }
taskset -c "$2" slot-flush "$3" "$4"
[ "$1" = 0 ] || { kill $ticker; wait $ticker; }
END

# calls_from CALLER: of the callers that caches_clean_inval_pou is told apart by.
calls_from() {
	get '/targets/name=caches_clean_inval_pou/sites/0/splits/*/caller' >callers
	get '/targets/name=caches_clean_inval_pou/sites/0/splits/*/calls' >calls
	paste callers calls | awk -v caller="$1+" 'index($1, caller) == 1 { sum += $2 } END { print sum + 0 }'
}

# measure HZ HITS
measure() {
	record -t caches_clean_inval_pou -t icache-flush -- sh work "$1" "$cpu" "$2" "$form"
	flushes=$(get /targets/name=icache-flush/calls)
	between "flushes of $2 hits at a timer's $1 Hz" "$flushes" "$2" $(($2 + 400))
	between 'those that breakpoints saw' "$(calls_from sync_icache_aliases)" $((flushes - 10)) $((flushes + 10))
	site=/targets/name=caches_clean_inval_pou/sites/0
	same 'the mechanism' "$(get $site/mechanism)" hwbreak
	same 'its spans' "$(get $site/spans)" "$(get $site/entries)"
	same 'what it lost' "$(get /targets/name=caches_clean_inval_pou/lost)" 0
	echo "trapped again: $(get "$site/lost/reason=trapped again after an interrupt/count") times;" \
		"the timer's real rate: $(sed -n 's/^hz=//p' record.out)"
}

measure 0 10000
measure 1000 10000
# Emulated, a timer of 10 kHz comes to no more than 2.5 kHz.
measure 10000 10000
