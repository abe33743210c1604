# tests/demo --live on the guest's own kernel: doctor, tables, recording, folded stacks and table.
# Boots: 6.12
. "$CASES/check"

KCOST=$(command -v kcost) sh "$CASES/demo" --live >out 2>&1 || fail "demo --live ended with $?: $(cat out)"
says out context-switch
for file in demo.kcost demo.folded demo.txt; do
	[ -s kcost-demo/$file ] || fail "no kcost-demo/$file: $(cat out)"
done
says kcost-demo/demo.txt context-switch flush_tlb_page page-reuse
