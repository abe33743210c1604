# Not root: exit status 3, and the way out is said.
# Boots: 6.12
. "$CASES/check"

chmod 777 .
ends 3 su nobody -c 'kcost record -t context-switch -o r.kcost -d 1'
says out sudo
