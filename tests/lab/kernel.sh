# Debian's arm64 kernels: which package answers to a name such as 6.12-16k, and what of it a guest needs.
# A kernel is a folder: Image, config, version, lib/modules/VERSION. Sourced after apt.sh.

kernels_dir=$cache/kernels
patches_dir=$top_dir/patches

# kernel_ours: the kernels that build-kernel builds, one a line.
kernel_ours() {
	local file
	echo baseline
	for file in "$patches_dir"/*/linux-6.12.patch; do
		basename "$(dirname "$file")"
	done
	echo all
}

kernel_is_ours() { [[ $'\n'$(kernel_ours)$'\n' == *$'\n'"$1"$'\n'* ]]; }

# kernel_candidates FLAVOUR: "VERSION RELEASE-FLAVOUR" of every image package, metapackages left out: these have no
# three-part release, and only a release candidate's own package looks like that, too.
kernel_candidates() {
	local flavour=$1
	local -a names
	mapfile -t names < <(lab_apt all apt-cache pkgnames linux-image- |
		grep -E "^linux-image-[0-9][^-]*(-[0-9]+)?-$flavour\$")
	((${#names[@]})) || return 0
	lab_apt all apt-cache madison "${names[@]}" | awk '{ print $3, substr($1, 13) }' | sort -u |
		awk '$2 ~ /^[0-9]+\.[0-9]+\.[0-9]+/ || $1 ~ /~rc/'
}

# kernel_newest: the line with the highest version of those on stdin; a release candidate only if there is nothing else.
kernel_newest() {
	local version release best='' best_release=''
	while read -r version release; do
		if [[ -z $best ]] || kernel_better "$version" "$best"; then
			best=$version
			best_release=$release
		fi
	done
	[[ -z $best ]] || printf '%s\n' "$best_release"
}

kernel_better() {
	[[ $1 != *~rc* || $2 == *~rc* ]] || return 1
	[[ $1 == *~rc* || $2 != *~rc* ]] || return 0
	dpkg --compare-versions "$1" gt "$2"
}

# kernel_resolve SPEC: release and flavour of the newest package, e.g. 6.12.118+deb13-cloud-arm64; nothing if none.
kernel_resolve() {
	local spec=$1 flavour
	case $spec in
	*-16k) flavour=arm64-16k ;;
	*-rt) flavour=rt-arm64 ;;
	*-full) flavour=arm64 ;;
	*) flavour=cloud-arm64 ;;
	esac
	spec=${spec%-16k} spec=${spec%-rt} spec=${spec%-full} spec=${spec%-cloud}
	kernel_candidates "$flavour" | awk -v spec="$spec" -v flavour="$flavour" '
		spec == "newest" || $2 == spec "-" flavour || (index($1, spec) == 1 && substr($1, length(spec) + 1, 1) ~ /[.~+-]/)' |
		kernel_newest
}

# kernel_make RELEASE: $kernels_dir/RELEASE from the packages of that release. Since 6.19 the image package is empty and
# depends on binary (signed), base and modules (not signed); the suites drop the latter two earlier.
kernel_make() {
	local release=$1 name root=$work/root kernel=$work/kernel from
	local -a names=()
	[[ ! -e $kernels_dir/$release ]] || return 0
	say "fetching kernel $release"
	from=$root/usr/lib/modules/$release
	mkdir -p "$work/debs" "$from" "$root/boot" "$kernel/lib/modules" "$kernels_dir"
	ln -s usr/lib "$root/lib"
	mapfile -t names < <(lab_apt all apt-cache pkgnames linux- |
		grep -Fx "$(printf 'linux-%s\n' {image,base,binary,modules}-"$release")")
	apt_fetch all "$work/debs" "${names[@]}"
	for name in "$work"/debs/*.deb; do
		unpack "$name" "$root"
	done
	# Before 7.2 these two lay in /boot.
	for name in vmlinuz config; do
		[[ ! -e $root/boot/$name-$release ]] || mv "$root/boot/$name-$release" "$from/$name"
	done
	mv "$from/vmlinuz" "$kernel/Image"
	if [[ -e $from/config ]]; then
		mv "$from/config" "$kernel/config"
		rm -rf "$from/dtb"
		mv "$from" "$kernel/lib/modules/"
		depmod -b "$kernel" "$release"
	else
		say "kernel $release: the suites carry its image only: no modules, no /boot/config"
	fi
	echo "$release" >"$kernel/version"
	mv "$kernel" "$kernels_dir/$release"
}

# kernel_find SPEC: sets kernel_path to a kernel's folder. SPEC may be a folder of that form, a bare Image, or one of ours.
kernel_find() {
	local spec=$1 known=$cache/kernels/known-$1 release
	kernel_path='' kernel_version=''
	if kernel_is_ours "$spec"; then
		kernel_path=$("$lab_dir/build-kernel" "$spec")
	elif [[ $spec == */* || -e $spec ]]; then
		kernel_path=$spec
		[[ -e $spec ]] || die $kUsage "cannot find the kernel image $spec"
	else
		[[ $spec =~ ^(newest|[0-9]+\.[0-9]+[0-9.+a-z]*)(-16k|-rt|-full|-cloud)?$ ]] ||
			die $kUsage "cannot read the kernel name $spec: say 6.12, 6.12-16k, newest, baseline or an image file"
		apt_ready
		if ! newer "$known" "$apt_stamp"; then
			release=$(kernel_resolve "$spec")
			if [[ -z $release ]]; then
				apt_ready 60
				release=$(kernel_resolve "$spec")
			fi
			[[ -n $release ]] || die $kSkipped "kernel $spec: not carried by the suites any more: skipped"
			mkdir -p "$kernels_dir"
			echo "$release" >"$known.$$"
			mv "$known.$$" "$known"
		fi
		release=$(cat "$known")
		[[ -e $kernels_dir/$release ]] || locked "kernel-$release" kernel_make "$release"
		kernel_path=$kernels_dir/$release
	fi
	if [[ -d $kernel_path ]]; then
		kernel_image=$kernel_path/Image
		kernel_version=$(cat "$kernel_path/version")
	else
		kernel_image=$kernel_path
	fi
}
