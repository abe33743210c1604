# Which patches this kernel has, from its live text; what stands in the way of an answer is said and is no answer.
# Boots: 6.1 6.12 6.18 6.19 newest 16k a72 n1 newest-a72 newest-n1 built
. "$CASES/check"

tracing=/sys/kernel/tracing
function=arch_uprobe_copy_ixol

patches() {
	ends 0 kcost patches --format json
	mv out r.json
}
evidence() { get "/patches/slug=$1/evidence"; }
# what_of SLUG WANTED [FORM]
what_of() {
	same "$1" "$(evidence "$1")" "$2"
	[ -z "${3-}" ] || same "the form of $1" "$(get "/patches/slug=$1/form")" "$3"
}

patches
same 'the number of patches' "$(count /patches)" 4
if has uprobe-xol-flush 6.13; then xol=present; else xol=absent; fi
if has wp-fault-local-tlbi 6.19; then what_of wp-fault-local-tlbi present; else what_of wp-fault-local-tlbi absent; fi
if since 6.14; then
	what_of uretprobe-return-instance superseded 'reuse pool'
elif has uretprobe-return-instance 6.14; then
	what_of uretprobe-return-instance present array
else
	what_of uretprobe-return-instance absent 'kmalloc per hit'
fi
if has switch-context-this-cpu 5.9; then switch=present; else switch=absent; fi
what_of switch-context-this-cpu $switch
what_of uprobe-xol-flush $xol

# Types and text of the same kernel agree, and the types were read.
get '/patches/slug=uretprobe-return-instance/facts/name=pool/value' >pool
if since 6.14; then same 'a pool by types' "$(cat pool)" yes; fi

ends 0 kcost patches
cat out
ends 0 kcost patches uprobe-xol-flush
cat out
says out "^uprobe-xol-flush: $xol" "$function+0x.*bl .*<sync_icache_aliases>" bdf94836c22a 'icache-flush'

# Broken broadcasts make a local flush worth more.
kcost doctor >doctor
if grep -q 'cpu.tlbi_repeat *yes' doctor; then
	same 'reasons why wp-fault is worth more' "$(count /patches/slug=wp-fault-local-tlbi/worth_more_here)" 1
else
	same 'reasons why wp-fault is worth more' "$(count /patches/slug=wp-fault-local-tlbi/worth_more_here)" 0
fi

# A kprobe hides what is under it.
echo "p:kc_case/probe $function" >>$tracing/kprobe_events || fail "tracefs takes no kprobe on $function"
echo 1 >$tracing/events/kc_case/probe/enable
patches
echo 0 >$tracing/events/kc_case/probe/enable
echo >$tracing/kprobe_events
what_of uprobe-xol-flush 'cannot tell'
get '/patches/slug=uprobe-xol-flush/why' | grep -q "a kprobe hides the instruction at $function" ||
	fail "another reason: $(get '/patches/slug=uprobe-xol-flush/why')"
what_of switch-context-this-cpu $switch

# A tracer's call at the entry hides nothing.
if grep -qw function $tracing/available_tracers; then
	echo "$function" >$tracing/set_ftrace_filter
	echo function >$tracing/current_tracer
	patches
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
	what_of uprobe-xol-flush $xol
	echo 'read around the function tracer'
fi
patches
what_of uprobe-xol-flush $xol

# Who may not look is told so.
chmod 777 .
ends 3 su nobody -c 'kcost patches'
before=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
kcost patches --format json >r.json 2>out
status=$?
echo "$before" >/proc/sys/kernel/kptr_restrict
if [ $status -eq 0 ]; then
	what_of uprobe-xol-flush $xol
else
	same 'the exit status with kptr_restrict=2' $status 3
	says out kptr_restrict
fi
ends 2 kcost patches no-such-patch
says out uprobe-xol-flush
