#!/usr/bin/env bash
# Enters the root of bare.sh in namespaces of its own: the commands inside it, then the window on a display outside it.
#   enter.sh ROOT LOOKS
set -euo pipefail
root=$1 looks=$2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
mkdir -p "$root/tmp/.X11-unix"
# As a root of its own, not a chroot: the kernel gives no user namespaces in a chroot, and Chromium's sandbox asks for them first.
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb unshare --mount --propagation private /bin/sh -c \
    'mount --rbind "$0" "$0" && cd "$0" && pivot_root . . && umount -l . && cd / && exec /bin/sh /given/inRoot.sh "$@"' "$root" "$@"
}

inside install
inside commands

# The display is the outer system's, so that the root stays bare.
display=:$((90 + RANDOM % 900))
# Another user than its own comes to it.
Xvfb $display -ac -screen 0 1400x900x24 -nolisten tcp > /dev/null 2>&1 &
trap "kill $! 2> /dev/null || true; rm -f /tmp/.X11-unix/X${display#:} /tmp/.X${display#:}-lock" EXIT
until [ -S "/tmp/.X11-unix/X${display#:}" ]; do sleep 0.2; done
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
export DISPLAY=$display
picture() { import -window root "$looks/$1.png"; }
differing() { compare -metric AE -fuzz 5% "$looks/$1.png" "$looks/$2.png" null: 2>&1 | grep -oE '^[0-9]+' || true; }
waitFor() { # waitFor WHAT SECONDS COMMAND...
  local what=$1 until=$((SECONDS + $2)); shift 2
  until "$@"; do [ $SECONDS -lt $until ] || { echo "$what did not come about"; picture failed; exit 1; }; sleep 0.5; done
}
recent() { grep -qs "$1" "$root/home/ada/.config/morphoscope/recent.json"; }
engine() { pgrep -f '^/usr/lib/morphoscope/resources/node .*engine.mjs' > /dev/null; }
colourful() { picture a; [ "$(identify -format %k "$looks/a.png")" -gt 5000 ]; } # As tissue is.
still() { # The picture has not changed for three seconds: on a busy machine a run stands still for one.
  picture a; sleep 3; picture b
  [ "$(differing a b)" = 0 ]
}

for slide in CMU-1-Small-Region.svs slide.dcm; do
  began=$(date +%s%N)
  inside window $display "/given/$slide" > "$looks/window-$slide.txt" 2>&1 &
  waitFor "the window's slide $slide" 60 recent "$slide"
  echo "window: opened $slide after $((($(date +%s%N) - began) / 1000000)) ms"
  waitFor 'the engine of the package' 10 engine
  waitFor 'the picture of the slide' 60 colourful
  waitFor 'a still picture' 60 still
  picture "$slide-opened"
  [ "$(awk '/^Uid:/ { print $2 }' /proc/"$(pgrep -o -f '^/usr/lib/morphoscope/resources/node .*engine.mjs')"/status)" != 0 ] || { echo 'the engine runs as root'; exit 1; }
  xdotool key --clearmodifiers space
  changed() { picture after; [ "$(differing "$slide-opened" after)" -gt 20000 ]; }
  waitFor 'the outlines of the segmented field' 60 changed
  waitFor 'a still picture' 60 still
  picture "$slide-segmented"
  echo "window: segmented the field, $(differing "$slide-opened" "$slide-segmented") px of the picture changed"
  page=$(pgrep -o -f '^/usr/lib/morphoscope/morphoscope .*--type=renderer')
  grep -q '^Seccomp:.2$' "/proc/$page/status" || { echo 'the page has no sandbox'; exit 1; }
  # As a machine's end: the window asks no question, and the engine must not outlive it.
  kill -KILL "$(pgrep -o -f '^morphoscope-app ')"
  ended() { ! pgrep -f '^(morphoscope-app |/usr/lib/morphoscope/)' > /dev/null; }
  waitFor 'the end of the program' 30 ended
done
rm -f "$looks"/a.png "$looks"/b.png "$looks"/after.png
umount "$root/tmp/.X11-unix"
inside remove
