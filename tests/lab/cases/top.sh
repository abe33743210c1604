# Plain tables of kcost top while something runs, and the callers of each row.
. "$CASES/check"

(while :; do round-trips 200; done) >/dev/null &
load=$!
kcost top -b -n 3 -d 1 -g -t context-switch -t page-reuse >out 2>&1
status=$?
kill $load
cat out
same 'the exit status of kcost top' $status 0
between 'tables' "$(grep -c '^context-switch  *[0-9]' out)" 3 3
says out "$(best_mechanism)"
# Whom -g names: the scheduler's switch, whatever the compiler inlined it into.
says out 'schedule\|switch'
