# Functions for the scripts beside it: bare systems made with debootstrap, kept between runs, and commands inside them. Sourced, not run.
roots=${MORPHOSCOPE_ROOTS:-/var/tmp/morphoscope-roots}
mirror=${MORPHOSCOPE_MIRROR:-http://deb.debian.org/debian}

skip() { echo "skipped: $1"; exit 0; }
needsRoot() { [ "$(id -u)" = 0 ] || skip 'a chroot is made and entered as root'; }
needsTools() { # needsTools "Debian's names" TOOL...
  local names=$1 missing= tool; shift
  for tool in "$@"; do command -v "$tool" > /dev/null || missing="$missing $tool"; done
  [ -z "$missing" ] || skip "not here:$missing (Debian: $names)"
}

# bareRoot SUITE: makes $roots/SUITE where it is not there. Not 0: it could not be made, and why was said. Ubuntu's come from the mirror that
# debootstrap's own script names, and have OpenSlide in another part. Debian has no keys of Ubuntu's for debootstrap; apt inside has them.
bareRoot() {
  local script=/usr/share/debootstrap/scripts/$1 from=$mirror parts=main log
  if [ "$1" = jammy ] && [ -e "$script" ]; then
    from=${MORPHOSCOPE_UBUNTU_MIRROR:-$(awk '$1 == "default_mirror" && ++n == 2 { print $2 }' "$script")} parts=main,universe
  fi
  [ -x "$roots/$1/usr/bin/dpkg" ] && return
  echo "$1: making a bare system"
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  rm -rf "${roots:?}/$1"
  mkdir -p "$roots"
  log=$(mktemp)
  if ! debootstrap --variant=minbase --components="$parts" "$1" "$roots/$1" "$from" "$script" > "$log" 2>&1; then
    tail -5 "$log"; rm "$log"; echo "$1: debootstrap failed"; return 1
  fi
  rm "$log"
}

# toolRoot NAME ARCHITECTURE PACKAGE...: makes $roots/NAME of Debian 12 with these packages. It is made anew where their list changed.
toolRoot() {
  local root=$roots/$1 name=$1 foreign=$2; shift 2
  [ "$(cat "$root/packages" 2> /dev/null)" = "$*" ] && return
  bareRoot bookworm || return 1
  echo "$name: installing $# packages and what they need into a bare system of their own"
  rm -rf "${root:?}" "$root.new"
  cp -a "$roots/bookworm" "$root.new"
  cp /etc/resolv.conf "$root.new/etc/resolv.conf"
  [ "$foreign" = amd64 ] || chroot "$root.new" dpkg --add-architecture "$foreign"
  if ! { chroot "$root.new" apt-get update -qq && chroot "$root.new" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@"; } > "$root.new/apt.log" 2>&1; then
    tail -5 "$root.new/apt.log"; echo "$name: apt-get failed"; return 1
  fi
  echo "$*" > "$root.new/packages"
  mv "$root.new" "$root"
}

# inside NAME COMMAND: a shell's command in $roots/NAME, with this checkout at /checkout. Mounts and processes end with it. Where qemu is
# there, programs of arm64 are as good as this machine's: a user namespace has a binfmt_misc of its own (Linux 6.7 and later).
inside() {
  unshare --user --map-root-user --mount --pid --fork --mount-proc --propagation private bash -euo pipefail -c '
    root=$1
    qemu=$root/usr/bin/qemu-aarch64-static
    if [ -e "$qemu" ]; then
      mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
      zeros="\\x00\\x00\\x00\\x00" ones="\\xff\\xff\\xff\\xff"
      echo ":aarch64:M::\\x7fELF\\x02\\x01\\x01\\x00$zeros$zeros\\x02\\x00\\xb7\\x00:$ones\\xff\\xff\\xff\\x00$ones$ones\\xfe\\xff\\xff\\xff:$qemu:PF" \
        > /proc/sys/fs/binfmt_misc/register
    fi
    mkdir -p "$root/checkout"
    mount --rbind "$2" "$root/checkout"
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
      bash -euo pipefail -c "cd /checkout; $3"' bash "$roots/$1" "$PWD" "$2"
}
