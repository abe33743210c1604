# Workloads: each unit is a hit, a fault, a switch or a message, by another's count; the first instructions are the
# words that they are named for; and the kernel function that each is about is called once a unit.
# Boots: 6.1 6.12
. "$CASES/check"

# bench NAME OPTION...: leaves r.json.
bench() {
	kcost bench "$@" --ticks 1 --warm-up 0 --yes --format json >r.json 2>bench.err ||
		fail "kcost bench $* ended with $?: $(cat bench.err)"
	same "the ticks of $1" "$(count '/ticks/*')" 1
	units=$(get /proof/units)
	between "the units of $1" "$units" 100 999999999
	same "whether $1 is doubtful" "$(get /proof/doubtful)" false
}

# probed NAME WORD...: its first instructions.
probed() {
	bench "$1"
	same "hits of $1" "$(get /proof/counted)" "$units"
	name=$1
	shift
	for word in "$@"; do
		get '/notes/*' >notes
		says notes "first instruction of .*: $word"
	done
	echo "$name: $units hits"
}
probed uprobe-nop 0xd503201f
probed uprobe-push 0xa9bf7bfd
probed uprobe-ret 0xd65f03c0
probed uprobe-mixed 0xa9bf7bfd 0xd2800000
probed uretprobe-nop 0xd503201f
probed uretprobe-push 0xa9bf7bfd
probed uretprobe-ret 0xd65f03c0
bench wp-fault --footprint 8M
bench messaging
bench switch-pingpong-threads

# measured TARGET NAME OPTION...: calls of it while the workload ran.
measured() {
	target=$1
	shift
	kcost record -t "$target" -o r.kcost -- kcost bench "$@" --ticks 1 --warm-up 0 --yes --format json >out 2>err ||
		fail "kcost record of $* ended with $?: $(cat err)"
	units=$(json-get out /proof/units)
	kcost report r.kcost --format json >r.json
	calls=$(get "/targets/name=$target/calls")
	echo "$target: $calls calls in $units units of $1"
}
measured icache-flush uprobe-push
between 'flushes of slots' "$calls" "$units" $((units + units / 50 + 200))
measured icache-flush uprobe-ret
between 'flushes of slots where a return is simulated' "$calls" 0 $((units / 100 + 200))
measured page-reuse wp-fault --footprint 8M
between 'pages that were reused' "$calls" $((units - units / 50)) $((units + units / 10 + 500))
measured context-switch switch-pingpong
between 'switches to another process' "$calls" $((units - units / 50)) $((units + units / 10 + 500))
measured context-switch switch-pingpong-threads
between 'switches to another process by two threads of one' "$calls" 0 $((units / 10 + 500))

ends 3 kcost bench wp-fault --footprint 900M --yes
says out 'more than half'
