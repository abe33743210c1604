# What kcost cannot or must not measure is refused with a clear message, before anything is attached.
# Boots: 6.1 6.12
. "$CASES/check"

refused() {
	"$@" >out 2>&1
	status=$?
	[ $status -ne 0 ] || fail "$* ended with 0: $(cat out)"
	[ $status -le 3 ] || fail "$* ended with $status: $(cat out)"
	cat out
}

refused kcost record -t no_such_function_at_all -o r.kcost -d 1
says out no_such_function_at_all
refused kcost record -t check_and_switch_contxt -o r.kcost -d 1
says out check_and_switch_context
# In the kernel's kprobe blacklist.
refused kcost record -t do_mem_abort -o r.kcost -d 1
says out do_mem_abort
# No blacklist of the kernel's has it where fentry is concerned: kcost's own deny list must.
refused kcost record -t el0_svc -o r.kcost -d 1
says out el0_svc
[ ! -e r.kcost ] || fail 'a file was written though nothing was measured'

# Named twice: a warning, one row.
record -t __arm64_sys_getppid -t __arm64_sys_getppid -- call-kernel 10
same 'the targets of one that was given twice' "$(count /targets)" 1
same 'its calls' "$(get /targets/0/calls)" 10
says record.out twice
