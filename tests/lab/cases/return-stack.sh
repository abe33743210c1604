# Uretprobes count and return rightly through nesting, its limit, fork, vfork, longjmp, tail calls and threads.
# Boots: built
. "$CASES/check"

ends 0 return-stack
cat out
ends 0 slot-flush 1000 push return
says out '^hits=1000$'
ends 0 slot-flush 1000 alternate
says out '^hits=1000$'
