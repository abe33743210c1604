# Breakpoints that others hold, and those kept for debuggers, are not taken: it is said who has them, and nothing hangs.
# Boots: 6.1 6.12
. "$CASES/check"

hold-breakpoints >held &
holder=$!
held() { [ "$(grep -c '^cpu[0-9]*=[1-9]' held)" = "$(grep -c ^processor /proc/cpuinfo)" ]; }
within_s 20 held || fail "hold-breakpoints took none: $(cat held)"
cat held
ends 3 kcost record -t caches_clean_inval_pou -o r.kcost -d 1
cat out
says out 'no hardware breakpoint is free' "hold-breakpoint ($holder)"
[ ! -e r.kcost ] || fail 'a file was written though nothing was measured'
# Another target beside it is measured all the same.
record -t caches_clean_inval_pou -t __arm64_sys_getppid -- call-kernel 100
same 'calls of getppid' "$(get /targets/name=__arm64_sys_getppid/calls)" 100
says r.json 'no hardware breakpoint is free'
kill $holder
wait $holder

# Six registers, of which two are kept: two are the first's, with its exit; the next two have more exits than are left,
# and are only counted; the last gets none.
record -t caches_clean_inval_pou -t sync_icache_aliases,by=hwbreak -t arch_uprobe_copy_ixol,by=hwbreak \
	-t __arm64_sys_getppid,by=hwbreak -- slot-flush 1000 alternate
same 'whether caches_clean_inval_pou is only counted' \
	"$(get /targets/name=caches_clean_inval_pou/sites/0/counted_only)" false
for function in sync_icache_aliases arch_uprobe_copy_ixol; do
	site=/targets/name=$function,by=hwbreak/sites/0
	same "whether $function is only counted" "$(get $site/counted_only)" true
	says r.json "it has [0-9]* exits, and [12] breakpoints are free"
	between "the most hits that $function had" "$(get $site/entries)" 1000 1400
done
same 'the sites of one beyond the registers' "$(count '/targets/name=__arm64_sys_getppid,by=hwbreak/sites')" 0
get '/targets/name=__arm64_sys_getppid,by=hwbreak/skipped/0/reason' >reason
cat reason
says reason '4 are in use, 2 kept for debuggers and 0 free'
