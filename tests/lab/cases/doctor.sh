# kcost doctor proves itself on the machine it stands on, and says how in JSON too.
. "$CASES/check"

ends 0 kcost doctor --self-test
cat out
says out icache context
ends 0 kcost doctor --json
mv out doctor.json
json-get -c doctor.json '' >/dev/null || fail 'doctor --json prints no JSON'
