# Folded stacks that flame-graph tools read: frames without blanks between semicolons, a blank, a number.
. "$CASES/check"

record -t page-reuse -- page-reuse 5000 4
for weight in calls ns; do
	kcost report r.kcost --format folded --weight $weight >folded || fail "no folded stacks by $weight"
	[ -s folded ] || fail "no stack by $weight"
	! grep -Ev '^[^;]+(;[^;]+)* [0-9]+$' folded >wrong || fail "not a folded stack: $(head -n 1 wrong)"
done
says folded page-reuse
