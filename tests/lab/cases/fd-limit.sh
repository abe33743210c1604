# Eight CPUs, breakpoints on each among five hot paths, and 256 file descriptors: kcost raises the limit or does with less.
# Boots: wide
. "$CASES/check"

ulimit -n 256 || skip 'cannot lower the limit'
between 'CPUs' "$(grep -c ^processor /proc/cpuinfo)" 2 64
record -t icache-flush -t caches_clean_inval_pou -t page-reuse -t context-switch -t uretprobe-alloc -- page-reuse 500
between 'page-reuse of 500 reused pages' "$(get /targets/name=page-reuse/calls)" 495 515
same 'the mechanism of caches_clean_inval_pou' "$(get /targets/name=caches_clean_inval_pou/mechanism)" hwbreak
