#!/usr/bin/env bash
# Installs a .deb in bare Debian and Ubuntu systems without Node, compilers and checkout, and looks at all that it must do there.
#   test/package/bare.sh [DEB] [SUITE...]     default: the newest in release/, on bookworm; others: trixie, forky, jammy
# Files of each suite (screenshots, what was printed) are left in build/package/bare/SUITE. Needs root, a mirror and some minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."

. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap xvfb xdotool imagemagick' debootstrap unshare Xvfb xdotool import compare identify node

deb=
case ${1:-} in *.deb) deb=$1; shift ;; esac
[ -n "$deb" ] || deb=$(ls -t release/*.deb 2> /dev/null | head -1) || true
[ -n "$deb" ] || skip 'there is no .deb in release: run "npm run package" first'
deb=$(readlink -f "$deb")
[ $# -gt 0 ] || set -- bookworm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkoutsSlides "$work"

failed=0
for suite in "$@"; do
  bareRoot "$suite" || { failed=1; continue; }
  root=$work/root-$suite
  cp -a "$roots/$suite" "$root"
  mkdir -p "$root/given"
  cp "$deb" "$root/given/morphoscope.deb"
  cp "$work"/slides/* test/package/inRoot.sh "$root/given/"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  looks=$PWD/build/package/bare/$suite
  rm -rf "$looks"
  mkdir -p "$looks"
  # Mounts and processes of the root end with this.
  unshare --mount --pid --fork --mount-proc --propagation private bash test/package/enter.sh "$root" "$looks" 2>&1 | tee "$looks/said.txt" | sed -u "s/^/$suite: /"
  [ "${PIPESTATUS[0]}" = 0 ] || { echo "$suite: FAILED; more in $looks"; failed=1; }
  rm -rf "$root"
done
exit $failed
