# No write is lost, and none shows in a child, when threads write to what their process forks.
# Boots: built
. "$CASES/check"

ends 0 write-after-fork 256 30
cat out
ends 0 write-after-fork 1024 5 huge
cat out
