# The guest's root: cpio segments that the kernel unpacks one over the other. Those that seldom change (busybox,
# modules, added packages) are kept in the cache; only the last one is made at each start. Sourced after kernel.sh.

segments_dir=$cache/segments

# pack ROOT: ROOT as a cpio archive on stdout. Fixed order, owner, times and inodes: the same tree always gives the same
# bytes, which --icount relies on.
pack() {
	(
		cd "$1"
		find . -exec touch -h -d @0 {} +
		find . -print0 | LC_ALL=C sort -z | cpio --null -o -H newc --quiet --reproducible -R 0:0
	)
}

# merged_root ROOT: the skeleton that packages are unpacked into.
merged_root() {
	mkdir -p "$1"/usr/{bin,sbin,lib}
	ln -s usr/bin usr/sbin usr/lib "$1/"
}

# The makers below fill $work/root, which segment packs.

base_segment_make() {
	local root=$work/root
	apt_fetch bookworm "$work" busybox-static
	merged_root "$root"
	unpack "$work"/busybox-static_*.deb "$root"
	ln -s busybox "$root/usr/bin/sh"
	mkdir -p "$root"/{boot,dev,etc,lab/bin,out,proc,root,run,sys,tmp,var/{tmp,log,lib},usr/local/{bin,sbin}}
	ln -s /run "$root/var/run"
	ln -s /proc/self/mounts "$root/etc/mtab"
	cp -r "$lab_dir/etc/." "$root/etc/"
}

# modules_segment_make MODULE...: these modules with all they need, in insmod's order in /lab/modules;
# modprobe works on them too.
modules_segment_make() {
	local root=$work/root from file name
	from=$kernel_path/lib/modules/$kernel_version
	mkdir -p "$root/usr/lib/modules/$kernel_version" "$root/lab" "$root/boot"
	ln -s usr/lib "$root/lib"
	cp "$kernel_path/config" "$root/boot/config-$kernel_version"
	cp "$from"/modules.{builtin,builtin.modinfo,order} "$root/usr/lib/modules/$kernel_version/"
	for name in "$@"; do
		modprobe -d "$kernel_path" -S "$kernel_version" --show-depends "$name" ||
			die $kLabFailed "kernel $kernel_version has no module $name"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/list"
	while read -r file; do
		name=lib/modules/$kernel_version/${file#"$from"/}
		mkdir -p "$root/usr/$(dirname "$name")"
		case $file in
		*.xz) xz -dc "$file" >"$root/usr/${name%.xz}" ;;
		*.zst) zstd -qdc "$file" >"$root/usr/${name%.zst}" ;;
		*) cp "$file" "$root/usr/$name" ;;
		esac
		name=${name%.xz}
		echo "/${name%.zst}"
	done <"$work/list" >"$root/lab/modules"
	depmod -b "$root" "$kernel_version"
}

# add_segment_make SUITE PACKAGE...: packages with all that they depend on, resolved on an empty machine.
add_segment_make() {
	local suite=$1 deb
	shift
	say "fetching $* and what they need"
	lab_apt "$suite" apt-get -qq -y -t "$suite" --download-only --no-install-recommends -o Debug::NoLocking=1 \
		-o Dir::Cache::archives="$work" install "$@" >&2 || die $kLabFailed "cannot add $*: see apt's message above"
	merged_root "$work/root"
	for deb in "$work"/*.deb; do
		unpack "$deb" "$work/root"
	done
}

# segment_locked NAME MAKER ARGS...
segment_locked() {
	local name=$1
	shift
	[[ ! -e $segments_dir/$name ]] || return 0
	"$@"
	pack "$work/root" >"$work/packed"
	mv "$work/packed" "$segments_dir/$name"
}

# segment NAME MAKER ARGS...: makes the segment if it is missing, and notes it for initrd_make.
segments=()
segment() {
	mkdir -p "$segments_dir"
	[[ -e $segments_dir/$1 ]] || locked "segment-$1" segment_locked "$@"
	segments+=("$segments_dir/$1")
}

# initrd_make FILE ROOT: all segments noted, then ROOT.
initrd_make() {
	{
		cat "${segments[@]}"
		pack "$2"
	} >"$1"
}
