# Addresses hidden even from root: kcost measures all the same, or names the setting and ends with 3.
# Boots: 6.12
. "$CASES/check"

before=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
kcost record -t __arm64_sys_getppid -o r.kcost -- call-kernel 100 >out 2>&1
status=$?
kcost report r.kcost --format json >r.json
echo "$before" >/proc/sys/kernel/kptr_restrict
cat out
if [ $status -eq 0 ]; then
	same 'calls with kptr_restrict=2' "$(get /targets/0/calls)" 100
else
	same 'the exit status with kptr_restrict=2' $status 3
	says out kptr_restrict
fi
