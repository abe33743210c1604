# CPUs that go and come back while breakpoints, kprobes and fentry are on them: nothing hangs, hits on a CPU that came
# back are counted again, and the time in which they were not is told.
# Boots: four
. "$CASES/check"

cat >rounds <<'END'
cpu() { echo "$2" >/sys/devices/system/cpu/cpu"$1"/online || echo "CPU $1 does not go to $2"; }
for round in 1 2; do
	cpu 2 0
	cpu 3 0
	sleep 1
	cpu 2 1
	cpu 3 1
done
sleep 3
END
for work in 'page-reuse 500' 'round-trips 500' 'slot-flush 500 push'; do
	(while :; do $work >/dev/null 2>&1; sleep 0.2; done) &
	loads="$loads $!"
done
record -t caches_clean_inval_pou -t flush_tlb_page -t context-switch -- sh rounds
# shellcheck disable=SC2086 # numbers
kill $loads
grep 'does not go' record.out && fail 'a CPU did not move'
kcost report r.kcost >table || fail "kcost report ended with $?"
says table 'on CPUs that came online'
for name in caches_clean_inval_pou flush_tlb_page context-switch; do
	between "hits of $name" "$(get /targets/name=$name/calls)" 100 99999999
done

# A CPU that is away when the recording begins: breakpoints follow it within a beat of a second.
echo 0 >/sys/devices/system/cpu/cpu3/online
record -t caches_clean_inval_pou -- sh -c 'echo 1 >/sys/devices/system/cpu/cpu3/online; sleep 4; taskset -c 3 slot-flush 2000 push'
between 'flushes on a CPU that came online' "$(get /targets/name=caches_clean_inval_pou/calls)" 2000 2600
