# Eight CPUs, four hot paths and 256 file descriptors: kcost raises the limit or does with less.
# Boots: wide
. "$CASES/check"

ulimit -n 256 || skip 'cannot lower the limit'
between 'CPUs' "$(grep -c ^processor /proc/cpuinfo)" 2 64
record -t icache-flush -t flush_tlb_page -t context-switch -t uretprobe-alloc -- page-reuse 500
between 'flush_tlb_page of 500 reused pages' "$(get /targets/name=flush_tlb_page/calls)" 495 515
