# After SIGKILL no probe is left once the process is gone, and what is in the file can be read.
. "$CASES/check"

probes() {
	cat /sys/kernel/debug/kprobes/list
	cat /sys/kernel/tracing/enabled_functions 2>/dev/null
}
nothing_left() { ! probes | grep -q 'check_and_switch_context\|sync_icache_aliases'; }

kcost record -t context-switch -t icache-flush -o r.kcost -d 60 >record.out 2>&1 &
recorder=$!
armed() { ! nothing_left; }
within_s 40 armed || fail "no probe appeared: $(cat record.out)"
kill -KILL $recorder
wait $recorder
within_s 10 nothing_left || fail "left behind: $(probes)"
[ ! -e r.kcost ] || kcost report r.kcost >/dev/null || fail 'the file is there and cannot be read'
for file in * .[!.]*; do
	case $file in r.kcost | record.out | case.log | '.[!.]*') ;; *) fail "left behind: $file" ;; esac
done
