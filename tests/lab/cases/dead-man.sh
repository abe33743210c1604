# A stopped kcost stops counting 10 s later, goes on when it is continued, and says what it missed. COMMAND stops its
# own parent, so that what is counted is known to the call: 1,000 before, 5,000 in the gap, 700 after it.
# Boots: 6.1 6.12
. "$CASES/check"

cat >phases <<'END'
call-count counted 1000
kill -STOP $PPID
sleep 13
call-count counted 5000
sleep 2
kill -CONT $PPID
sleep 3
call-count counted 700
END
record -t /lab/bin/call-count:counted_function -- sh phases
same 'calls of counted_function' "$(get /targets/0/calls)" 1700
between 'the gaps' "$(count /gaps)" 1 2
started=$(get /gaps/0/start_ns)
between 'length of the gap, ms' $((($(get /gaps/0/end_ns) - started) / 1000000)) 3500 8000
kcost report r.kcost >table
says table "counting stopped for"
