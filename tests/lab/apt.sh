# The lab's own apt: arm64 package lists of all Debian suites, from the machine's own mirror and checked with its own
# keyring, in a state under the cache. The machine's apt is only read. Sourced after cache.sh.

apt_dir=$cache/apt
apt_stamp=$apt_dir/updated
readonly kSuites='bookworm bookworm-security bookworm-updates bookworm-backports trixie trixie-security trixie-updates
	trixie-backports forky sid experimental'

# lab_apt SET TOOL ARGS...: an apt tool (apt-get, apt-cache) that sees only the lists of SET ("all", or a suite with
# its security and update suites).
lab_apt() {
	local set=$1 tool=$2
	shift 2
	APT_CONFIG=$apt_dir/apt.conf "$tool" -q -o Dir::Etc::SourceList="$set.list" -o Dir::Cache::pkgcache="$set.bin" "$@"
}

# The machine's Acquire settings (proxies and the like) are kept; its hooks, preferences and sources are not.
apt_write_config() {
	local etc=/etc/apt
	mkdir -p "$apt_dir"/{etc/sources.d,etc/preferences.d,etc/parts,state/lists/partial,cache/archives/partial,log}
	: >"$apt_dir/status"
	{
		apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets'
		cat <<-END
			Dir::State "$apt_dir/state/";
			Dir::State::status "$apt_dir/status";
			Dir::Cache "$apt_dir/cache/";
			Dir::Cache::srcpkgcache "";
			Dir::Log "$apt_dir/log/";
			Dir::Etc "$apt_dir/etc/";
			Dir::Etc::main "none";
			Dir::Etc::parts "parts";
			Dir::Etc::sourceparts "sources.d";
			Dir::Etc::preferencesparts "preferences.d";
			Dir::Etc::trusted "$etc/trusted.gpg";
			Dir::Etc::trustedparts "$etc/trusted.gpg.d";
			Dir::Etc::netrc "$etc/auth.conf";
			Dir::Etc::netrcparts "$etc/auth.conf.d";
			APT::Architecture "arm64";
			APT::Architectures { "arm64"; };
			APT::Install-Recommends "false";
			APT::Sandbox::User "root";
			Acquire::Languages "none";
		END
	} >"$apt_dir/apt.conf.new"
	mv "$apt_dir/apt.conf.new" "$apt_dir/apt.conf"
}

# Debian archives that the machine uses, one URI a line: from its lists, or where it has none yet, from the names of
# suites in its sources (apt_find_suite looks at what is behind them).
apt_machine_archives() {
	# shellcheck disable=SC2016 # these are apt's words, not the shell's
	{
		apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p'
		apt-get update --print-uris |
			sed -En "s#^'(.*)/dists/(oldstable|stable|testing|unstable|sid|bullseye|bookworm|trixie|forky)[-a-z]*/.*#\1/#p"
	} | awk '!seen[$0]++'
}

# apt_signed_by URI: the Signed-By of the entry that names URI, a path or fingerprint; an embedded key becomes a file.
apt_signed_by() {
	local uri=${1%/} parts=/etc/apt/sources.list.d value
	value=$(cat "$parts"/*.sources 2>/dev/null | sed '/^#/d' | awk -v uri="$uri" '
		BEGIN { RS = "" ; FS = "\n" }
		index($0, uri) {
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^[^ \t]/) inside = tolower($i) ~ /^signed-by:/
				if (inside) { sub(/^[^ :]*:[ \t]*/, "", $i); sub(/^ \.$/, "", $i); sub(/^ /, "", $i); print $i }
			}
			exit
		}')
	if [[ -z $value ]]; then
		value=$(cat /etc/apt/sources.list "$parts"/*.list 2>/dev/null | grep -F "$uri" |
			sed -n 's/^deb .*signed-by=\([^] ]*\).*/\1/p' | head -n 1)
	fi
	if [[ $value == *'BEGIN PGP'* ]]; then
		printf '%s\n' "$value" >"$apt_dir/etc/embedded-key.asc"
		value=$apt_dir/etc/embedded-key.asc
	fi
	printf '%s' "$value"
}

# apt_find_suite SUITE ARCHIVE...: writes SUITE's source line to found/SUITE, from the first archive that carries it.
apt_find_suite() {
	local suite=$1 uri signed
	shift
	for uri in "$@"; do
		if APT_CONFIG=$apt_dir/apt.conf /usr/lib/apt/apt-helper download-file \
			"${uri%/}/dists/$suite/InRelease" "$apt_dir/found/$suite.release" >/dev/null 2>&1 &&
			grep -qEx 'Origin: Debian( Backports)?' "$apt_dir/found/$suite.release"; then
			signed=$(apt_signed_by "$uri")
			[[ -n $signed ]] || signed=$(apt_signed_by "${uri%%-security*}")
			echo "deb [arch=arm64${signed:+ signed-by=$signed}] $uri $suite main" >"$apt_dir/found/$suite"
			return
		fi
	done
	say "suite $suite: not on this machine's mirror: skipped"
}

# Sets all.list, and one list for each suite that users can choose packages from.
apt_write_sources() {
	local -a archives
	local uri suite base
	mapfile -t archives < <(apt_machine_archives)
	((${#archives[@]})) || die $kLabFailed "cannot find a Debian mirror: the machine's apt configuration names none"
	# A machine set up without the security archive most often has it beside the main one.
	for uri in "${archives[@]}"; do
		[[ $uri == *-security* ]] || archives+=("${uri%/}-security/")
	done
	rm -rf "$apt_dir/found"
	mkdir -p "$apt_dir/found"
	for suite in $kSuites; do
		apt_find_suite "$suite" "${archives[@]}" &
	done
	wait
	for suite in $kSuites; do
		[[ ! -e $apt_dir/found/$suite ]] || cat "$apt_dir/found/$suite"
	done >"$apt_dir/etc/all.list"
	[[ -s $apt_dir/etc/all.list ]] || die $kLabFailed "cannot fetch any Debian suite: see apt-get update"
	for suite in $kSuites; do
		base=${suite%-backports}
		grep -E " ($suite|$base|$base-(security|updates)) main" "$apt_dir/etc/all.list" >"$apt_dir/etc/$suite.list" || true
	done
}

apt_update_now() {
	# Somebody else may have done it while we waited for the lock.
	[[ -z $(find "$apt_stamp" -mmin "-$1" 2>/dev/null) ]] || return 0
	say "fetching the lists of Debian's suites"
	apt_write_config
	apt_write_sources
	# A suite that fails, say an expired one, is told by apt and does without.
	lab_apt all apt-get -qq update || say "cannot update all package lists: going on with those that are here"
	[[ -n $(find "$apt_dir/state/lists" -maxdepth 1 -name '*_Packages*') ]] ||
		die $kLabFailed "cannot fetch the package lists: is the mirror reachable?"
	touch "$apt_stamp"
}

# apt_ready [MINUTES]: lists that are at most MINUTES old (a day, when not said).
apt_ready() {
	local minutes=${1:-1440}
	if [[ -z $(find "$apt_stamp" -mmin "-$minutes" 2>/dev/null) ]]; then
		locked apt apt_update_now "$minutes"
	fi
}

# apt_fetch SET DIR PACKAGE...: the .deb files of exactly these packages (NAME or NAME=VERSION).
apt_fetch() {
	local set=$1 dir=$2
	shift 2
	(cd "$dir" && lab_apt "$set" apt-get -qq download "$@") || die $kLabFailed "cannot download $*"
}

# unpack DEB ROOT: into a merged-/usr ROOT, without what no program reads. No maintainer script is run.
unpack() {
	dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --keep-directory-symlink --no-same-owner --exclude=./usr/share/doc \
		--exclude=./usr/share/man --exclude=./usr/share/locale --exclude=./usr/share/lintian --exclude=./usr/share/info
}
