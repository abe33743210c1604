# Programs on check_and_switch_context run under the run-queue lock: they call nothing that takes stacks, reads user
# memory, allocates, or wakes anybody. The list names what is allowed, so that a new helper must be thought about; a
# hash table may be written where its elements were allocated before.
. "$CASES/check"

command -v bpftool >/dev/null || skip 'no bpftool in this guest'
allowed='bpf_get_current_pid_tgid|bpf_get_current_task|bpf_get_current_task_btf|bpf_get_smp_processor_id'
allowed="$allowed|bpf_ktime_get_ns|bpf_get_current_comm|bpf_probe_read_kernel|bpf_get_func_ip|bpf_jiffies64"
allowed="$allowed|array_map_lookup_elem|percpu_array_map_lookup_elem|__htab_map_lookup_elem|htab_map_lookup_elem"
allowed="$allowed|htab_map_update_elem"
no_prealloc=1 # BPF_F_NO_PREALLOC

kcost record -t context-switch -o r.kcost -d 60 >record.out 2>&1 &
recorder=$!
attached() { bpftool prog show | grep -q 'name kc_f\|name kc_k'; }
within_s 40 attached || fail "no program appeared: $(cat record.out)"
: >calls
for id in $(bpftool prog show | sed -n 's/^\([0-9]*\): .* name kc_.*/\1/p'); do
	for map in $(bpftool prog show id "$id" | sed -n 's/.*map_ids //p' | tr ',' ' '); do
		bpftool map show id "$map" >map
		flags=$(sed -n 's/.* flags \(0x[0-9a-f]*\).*/\1/p' map)
		! grep -q hash map || [ $((flags & no_prealloc)) -eq 0 ] || fail "allocates when it is written: $(cat map)"
	done
	# The floor's programs are there for a moment only.
	if ! bpftool prog dump xlated id "$id" >dump 2>/dev/null; then
		! bpftool prog show id "$id" >/dev/null 2>&1 || fail "cannot dump program $id"
		continue
	fi
	# A call of a helper, not of the program's own functions (call pc+N).
	sed -n 's/.*call \([A-Za-z_][A-Za-z0-9_]*\)#.*/\1/p' dump | grep -v '^pc$' >>calls
done
kill -INT $recorder
wait $recorder
sort -u calls
[ -s calls ] || fail 'no call was found: is the dump still read rightly?'
forbidden=$(sort -u calls | grep -Evx "$allowed" | tr '\n' ' ')
[ -z "$forbidden" ] || fail "called under the run-queue lock: $forbidden"
