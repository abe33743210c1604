# Folded stacks that flame-graph tools read: frames without blanks between semicolons, a blank, a number.
. "$CASES/check"

record -t page-reuse -- page-reuse 5000 4
for weight in calls ns; do
	kcost report r.kcost --format folded --weight $weight >folded || fail "no folded stacks by $weight"
	[ -s folded ] || fail "no stack by $weight"
	! grep -Ev '^[^;]+(;[^;]+)* [0-9]+$' folded >wrong || fail "not a folded stack: $(head -n 1 wrong)"
done
says folded page-reuse

# Of one target of two.
record -t page-reuse -t do_wp_page -- page-reuse 5000 4
for targets in '' '-t page-reuse'; do
	kcost report r.kcost $targets -f folded >folded || fail "no folded stacks of $targets"
	[ -s folded ] || fail "no stack of $targets"
	grep -c 'do_wp_page[^; ]* [0-9]*$' folded >>others
done
same 'stacks of the other target where it is not wanted' "$(tail -n 1 others)" 0
[ "$(head -n 1 others)" -gt 0 ] || fail 'no stack of the other target where both are wanted'
