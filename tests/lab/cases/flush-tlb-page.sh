# N write-protected pages rewritten after fork and exit make N flush_tlb_page, within 1%.
. "$CASES/check"

record -t flush_tlb_page -- page-reuse 10000
between 'flush_tlb_page of 10,000 reused pages' "$(get /targets/name=flush_tlb_page/calls)" 9900 10100
same 'what flush_tlb_page lost' "$(get /targets/name=flush_tlb_page/lost)" 0
