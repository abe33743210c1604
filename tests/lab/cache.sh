# Where the lab keeps things, how it speaks, and its locks. Sourced, not run.
# Nothing here knows of packages, kernels or guests.

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top_dir=$(cd "$lab_dir/../.." && pwd)

# Exit statuses that are the lab's own; all others are COMMAND's.
readonly kUsage=2 kSkipped=77 kDeadline=124 kGuestDied=125 kLabFailed=126

if [[ -n ${KCOST_CACHE:-} ]]; then
	cache=$KCOST_CACHE
elif [[ $(id -u) == 0 ]]; then
	cache=/var/cache/kcost
else
	cache=${XDG_CACHE_HOME:-$HOME/.cache}/kcost
fi
# depmod and modprobe are outside of an ordinary user's PATH.
PATH=$PATH:/usr/sbin:/sbin
mkdir -p "$cache/locks" || { echo "lab: cannot create the cache $cache: set KCOST_CACHE" >&2; exit $kLabFailed; }
cache=$(cd "$cache" && pwd)

say() { printf 'lab: %s\n' "$*" >&2; }

# die STATUS MESSAGE...
die() {
	local status=$1
	shift
	say "$@"
	exit "$status"
}

# need PROGRAM PACKAGE: a missing host program is said with the package that has it.
need() {
	command -v "$1" >/dev/null || die $kLabFailed "cannot find $1: apt-get install $2"
}

# locked NAME COMMAND...: one process at a time, in a subshell, with a folder $work that is removed at the end. Readers
# take no lock, so COMMAND must leave its results by rename.
locked() {
	local name=$1
	shift
	(
		flock 9
		work=$(mktemp -d "$cache/new.XXXXXX")
		trap 'rm -rf "$work"' EXIT
		"$@"
	) 9>"$cache/locks/$name"
}

# newer FILE THAN: true if both exist and FILE was written after THAN.
newer() { [[ -e $1 && -e $2 && $1 -nt $2 ]]; }

# cache_prune: what is a month old is fetched again, so that old kernels and packages don't pile up.
cache_prune() {
	local old
	find "$cache/logs" -name '*.log' -mtime +7 -delete
	for old in "$cache/kernels" "$cache/segments"; do
		[[ ! -d $old ]] || find "$old" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
	done
}
