# A function of a program, called 23 times, counts 23; nested calls have their totals and selves.
. "$CASES/check"

record -t /lab/bin/call-count:counted_function -- call-count counted 23
same 'calls of counted_function' "$(get /targets/0/calls)" 23
same 'the mechanism' "$(get /targets/0/mechanism)" user

record -t /lab/bin/call-count:outer_function -t /lab/bin/call-count:inner_function -- call-count nested 40
same 'calls of outer_function' "$(get /targets/0/calls)" 40
same 'calls of inner_function' "$(get /targets/1/calls)" 120
total=$(get /targets/0/total_ns)
inner=$(get /targets/1/total_ns)
between 'self time of outer_function' "$(get /targets/0/self_ns)" \
	$(((total - inner) * 98 / 100)) $(((total - inner) * 102 / 100))
