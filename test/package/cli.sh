#!/usr/bin/env bash
# Installs the .deb of the command line alone in a bare Debian 12, segments both slides, and removes it. That for arm64 runs under qemu.
#   test/package/cli.sh [DEB]     default: the newest of this machine in release: "npm run package:cli" makes it
# Needs root and a mirror of Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap' debootstrap unshare node npm
deb=${1:-$(ls -t release/morphoscope-cli_*_"$(dpkg --print-architecture)".deb 2> /dev/null | head -1 || true)}
[ -n "$deb" ] || skip 'there is no .deb of the command line in release: run "npm run package:cli" first'
arch=$(dpkg-deb -f "$deb" Architecture)
base=bookworm
if [ "$arch" = "$(dpkg --print-architecture)" ]; then bareRoot bookworm; else base=tools-cli-$arch; toolRoot "$base" "$arch" qemu-user-static; fi

work=$(mktemp -d)
name=cli-$arch-$$
root=$roots/$name
trap 'rm -rf "$work" "$root"' EXIT
checkoutsSlides "$work"
cp -a "$roots/$base" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo 'Acquire::Check-Valid-Until "false";' > "$root/etc/apt/apt.conf.d/90standing"
mkdir -p "$root/given"
cp "$deb" "$root/given/morphoscope.deb"
cp "$work"/slides/* "$root/given/"
wrong() { echo "WRONG: $1"; exit 1; }
aptOf() { chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" > "$work/apt.log" 2>&1 || { tail -10 "$work/apt.log"; wrong "apt-get $*"; }; }

aptOf update
before=$(chroot "$root" dpkg -l | grep -c ^ii)
aptOf install --no-install-recommends /given/morphoscope.deb
echo "$arch: installed with $(($(chroot "$root" dpkg -l | grep -c ^ii) - before - 1)) other packages, no window's among them: $(chroot "$root" dpkg -l | grep -c libgtk-3 || true)"
chroot "$root" useradd --create-home ada
# A foreign processor's programs run in a namespace of their own, whose only user is its root.
asUser() {
  if [ "$base" = bookworm ]; then
    unshare --mount --pid --fork --propagation private /bin/sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      exec chroot "$0" setpriv --reuid=ada --regid=ada --init-groups --reset-env sh -c "cd && $1"' "$root" "$1"
  else inside "$name" "mkdir -p /given/home; cd /given/home; export HOME=/given/home; $1"; fi
}
echo "morphoscope --version: $(asUser 'morphoscope --version')"
for slide in CMU-1-Small-Region.svs slide.dcm; do
  began=$SECONDS
  found=$(asUser "morphoscope run /given/$slide --out out > said 2>&1 || cat said >&2; sha256sum < out/objects.csv; rm -rf out")
  [ "$found" = "$(cat "$root/given/$slide.sha256")" ] || wrong "$slide: other objects than the checkout's"
  echo "run: $slide: the checkout's objects.csv (${found:0:16}), in $((SECONDS - began)) s"
done
asUser 'morphoscope licences 2> /dev/null' | grep -q libvips || wrong 'the licences do not name libvips'
aptOf purge morphoscope-cli
left=$(find "$root" -xdev -path "$root/given" -prune -o -path "$root/home/ada" -prune -o -iname '*morphoscope*' -print | grep -v "$root/var/cache/apt" || true)
[ -z "$left" ] || wrong "left behind: $left"
echo 'removed: nothing is left but what the user has'
