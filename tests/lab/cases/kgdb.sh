# A kernel debugger that is armed uses the breakpoints behind the kernel's back: kcost sets none. (These kernels have
# none: its parameter is put in place of /sys/module.)
# Boots: 6.12
. "$CASES/check"

mount -t tmpfs none /sys/module || skip 'cannot mount over /sys/module'
mkdir -p /sys/module/kgdboc/parameters
echo ttyAMA0 >/sys/module/kgdboc/parameters/kgdboc
kcost record -t caches_clean_inval_pou -o r.kcost -d 1 >out 2>&1
status=$?
umount /sys/module
cat out
same 'the exit status with an armed debugger' $status 3
says out 'kgdboc=ttyAMA0' 'echo > /sys/module/kgdboc/parameters/kgdboc'
ends 0 kcost record -t caches_clean_inval_pou -o r.kcost -d 1
