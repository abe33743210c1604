# Starts qemu and follows the guest to its end. Sourced after rootfs.sh.

# qemu_arguments WORK: sets qemu_args from the options of run.
qemu_arguments() {
	local work=$1 machine=virt,gic-version=3 accel=tcg,thread=multi cpu=$opt_cpu
	local words='console=ttyAMA0 panic=-1 rootfstype=ramfs cryptomgr.notests'
	qemu_args=(-nodefaults -display none -monitor none -no-reboot -smp "$opt_smp" -m "$opt_memory"
		-kernel "$kernel_image" -initrd "$work/initrd" -serial "file:$log"
		-device 'virtio-serial-pci,max_ports=8,ioeventfd=off'
		-chardev "file,id=out,path=$work/output" -device virtserialport,chardev=out,nr=1
		-chardev "file,id=tar,path=$work/out.tar" -device virtserialport,chardev=tar,nr=2
		-chardev "file,id=events,path=$work/events" -device virtserialport,chardev=events,nr=3)
	if [[ $opt_console ]]; then
		qemu_args+=(-chardev 'stdio,id=tty,signal=off' -device virtconsole,chardev=tty,nr=4)
	fi
	[[ ! $opt_one_thread ]] || accel=tcg,thread=single
	if [[ $opt_icount ]]; then
		if [[ $opt_seed ]]; then qemu_args+=(-seed "$opt_seed"); else machine+=,dtb-randomness=off; fi
		accel=tcg
		qemu_args+=(-icount shift=0,sleep=off -rtc 'base=2026-01-01,clock=vm')
		words+=' loglevel=4 nokaslr norandmaps mitigations=auto randomize_kstack_offset=off'
	fi
	# Pointer authentication by the book is slow to emulate, and so is SVE; neither changes what kcost sees.
	[[ $cpu != max ]] || cpu=max,pauth-impdef=on,sve=off,sme=off
	qemu_args+=(-machine "$machine" -accel "$accel" -cpu "$cpu" -append "$words${opt_append:+ $opt_append}")
}

# report_death STATUS MESSAGE
report_death() {
	say "$2"
	say "the end of the guest's console, $log:"
	cat "$work/qemu.err" >&2
	tail -n 40 "$log" | tr -d '\r' >&2
	guest_status=$1
}

# guest_crashed: its kernel said so some seconds ago. Of a crash it may hang for ever, or end by itself.
guest_crashed() {
	((SECONDS >= next_look)) || return 1
	next_look=$((SECONDS + 5))
	grep -qsE 'Internal error: |Watchdog detected hard LOCKUP' "$log" || return 1
	((++looks_crashed > 1))
}

# next_event SECONDS: sets event to the guest's next one, to "late", "crashed", or to "gone" when qemu has ended.
next_event() {
	local deadline=$((SECONDS + $1)) part
	event=''
	while :; do
		# On a busy host a timeout may come amid a line: what was read of it is kept.
		if read -r -t 0.3 -u "$events_fd" part; then
			event+=$part
			return
		fi
		event+=$part
		if ! kill -0 "$qemu_pid" 2>/dev/null; then
			# What it wrote last may still be there.
			if read -r -t 0.1 -u "$events_fd" part; then event+=$part; else event=gone; fi
			return
		elif ((SECONDS >= deadline)); then
			event=late
			return
		elif guest_crashed; then
			event=crashed
			return
		fi
	done
}

# follow_guest: sets guest_status.
follow_guest() {
	local phase=boot limit=$opt_boot_timeout
	guest_status='' boot_us=0 next_look=0 looks_crashed=0
	while :; do
		next_event "$limit"
		case $event in
		boot) phase=command limit=$opt_timeout boot_us=$((${EPOCHREALTIME/./} - started_us)) ;;
		exit*) phase=out limit=120 guest_status=${event#exit } ;;
		out) return ;;
		late)
			report_death $kDeadline "the guest did not end its $phase within $limit s"
			return
			;;
		crashed)
			report_death $kGuestDied 'the guest crashed and went on'
			return
			;;
		gone)
			if grep -q 'Kernel panic' "$log"; then
				report_death $kGuestDied 'the guest panicked'
			else
				report_death $kGuestDied "the guest ended during its $phase"
			fi
			return
			;;
		esac
	done
}

# Should this script be killed outright, the kernel ends qemu.
qemu_start() {
	local work=$1 input=/dev/null
	[[ ! $opt_console ]] || input=/dev/stdin
	setpriv --pdeathsig KILL qemu-system-aarch64 "${qemu_args[@]}" <"$input" 2>"$work/qemu.err" {events_fd}<&- &
	qemu_pid=$!
	started_us=${EPOCHREALTIME/./}
}

qemu_end() {
	[[ $qemu_pid ]] || return 0
	kill "$qemu_pid" 2>/dev/null || true
	wait "$qemu_pid" 2>/dev/null || true
	qemu_pid=''
}

# guest_run WORK: boots, follows, ends. Sets guest_status. Output goes through a file: a slow reader neither stops the
# guest (--icount would notice) nor loses what was under way when it ended.
guest_run() {
	local work=$1 pump
	mkfifo "$work/events"
	: >"$work/output"
	exec {events_fd}<>"$work/events"
	qemu_arguments "$work"
	qemu_start "$work"
	tail -c +1 -f -s 0.05 --pid="$qemu_pid" "$work/output" {events_fd}<&- &
	pump=$!
	follow_guest
	qemu_end
	exec {events_fd}<&-
	wait "$pump" || true
	printf 'lab: from qemu to COMMAND %d ms\n' $((boot_us / 1000)) >>"$log"
}
