# N write-protected pages rewritten after fork and exit are reused N times, within 1%.
. "$CASES/check"

record -t page-reuse -- page-reuse 10000
between 'page-reuse of 10,000 reused pages' "$(get /targets/name=page-reuse/calls)" 9900 10100
same 'what page-reuse lost' "$(get /targets/name=page-reuse/lost)" 0
