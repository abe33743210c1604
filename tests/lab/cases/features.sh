# What the kernel does for its CPU's caches and TLBs, read from its live text, is what it said when it booted.
# Boots: 6.1 newest a72 n1 a53 newest-a72 newest-n1
. "$CASES/check"

kcost doctor >doctor.txt || fail "kcost doctor ended with $?: $(cat doctor.txt)"
for mechanism in kprobe opsite hwbreak user; do
	grep -q "^ *ok *$mechanism .*1000 of 1000 calls counted; a span of nothing costs" doctor.txt || fail "no $mechanism: $(cat doctor.txt)"
done
grep ' costs 0 ns' doctor.txt && fail 'a span of nothing costs something'
record -t context-switch -d 0.2
dmesg >log
midr=$(cat /sys/devices/system/cpu/cpu0/regs/identification/midr_el1)

# feature NAME WANTED: in doctor and in the recording's machine facts alike.
feature() {
	same "cpu.$1 of doctor" "$(sed -n "s/^ *cpu\.$1 *//p" doctor.txt)" "$2"
	same "cpu.$1 of a recording" "$(get "/machine/cpu.$1")" "$2"
	echo "cpu.$1 is $2"
}
# told LINE: yes where the kernel's log has it.
told() { if grep -q "$1" log; then echo yes; else echo no; fi; }

feature idc "$(told 'Data cache clean to the PoU not required')"
feature dic "$(told 'Instruction cache invalidation not required')"
feature icache "$(sed -n 's/.*Detected \([VP]IPT\) I-cache on CPU0.*/\1/p' log)"
feature tlbi_repeat "$(told 'Broken broadcast TLBI completion')"
feature kpti "$(told 'detected: Kernel page table isolation')"

# The models of qemu, by what their manuals say of CTR_EL0.
case $midr in
*410fd083) feature idc no && feature dic no && feature icache PIPT ;;
*410fd034) feature idc no && feature dic no && feature icache VIPT ;;
*fd0c1) feature idc yes && feature dic no && feature icache PIPT && feature tlbi_repeat yes ;;
*) feature idc yes && feature dic no && feature icache PIPT && feature tlbi_repeat no ;;
esac

# With a VIPT I-cache a uprobe's slot is flushed without caches_clean_inval_pou.
[ "$(sed -n 's/^ *cpu\.icache *//p' doctor.txt)" = VIPT ] || exit 0
record -t caches_clean_inval_pou -t icache-flush -- slot-flush 1000 push
between 'flushes of 1,000 hits' "$(get /targets/name=icache-flush/calls)" 1000 1400
between 'of them through caches_clean_inval_pou' "$(get /targets/name=caches_clean_inval_pou/calls)" 0 30
