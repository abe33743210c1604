# Calls of five ordinary functions in a closed workload equal what tracefs counts with kprobes of its own, none missed.
. "$CASES/check"

tracing=/sys/kernel/tracing
functions=$(call-kernel 0 | cut -d= -f1)
targets=
for function in $functions; do
	targets="$targets -t $function"
	echo "p:kc_case/$function $function" >>$tracing/kprobe_events || fail "tracefs takes no kprobe on $function"
done
# The program has them count its calls only: kcost, which calls some of them before it counts, is not left out there.
# shellcheck disable=SC2086 # one word each
record $targets -- call-kernel 200 $tracing/events/kc_case/enable
cat $tracing/kprobe_profile >profile
echo >$tracing/kprobe_events

nth=0
for function in $functions; do
	nth=$((nth + 1))
	calls=$(get "/targets/name=$function/calls")
	same "calls of $function" "$calls" $((nth * 200))
	same "tracefs' count of $function" "$(awk -v f="$function" '$1 == f { print $2 }' profile)" "$calls"
	same "tracefs' misses of $function" "$(awk -v f="$function" '$1 == f { print $3 }' profile)" 0
	echo "measured by $(get "/targets/name=$function/mechanism")"
	same "what $function lost" "$(get "/targets/name=$function/lost")" 0
done
