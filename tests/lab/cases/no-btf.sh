# A kernel without BTF: kprobes need none. Either it measures all the same, or it says why not and ends with 3.
# Boots: 6.1 6.12
. "$CASES/check"

[ -e /sys/kernel/btf/vmlinux ] || skip 'this kernel has no BTF anyway'
mkdir empty
mount --bind empty /sys/kernel/btf || skip 'cannot hide /sys/kernel/btf'
kcost record -t __arm64_sys_getppid -o r.kcost -- call-kernel 100 >out 2>&1
status=$?
kcost report r.kcost --format json >r.json
umount /sys/kernel/btf
cat out
if [ $status -eq 0 ]; then
	same 'calls without BTF' "$(get /targets/0/calls)" 100
	same 'the mechanism without BTF' "$(get /targets/0/mechanism)" kprobe
else
	same 'the exit status without BTF' $status 3
	says out BTF
fi
