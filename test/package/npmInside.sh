#!/bin/sh
# Runs inside the bare system of npm.sh, as a user: installs the tarballs, uses them, removes them. Stops at the first thing that is not right.
set -eu
wrong() { echo "WRONG: $1"; exit 1; }
cd
export PATH="$HOME/.local/bin:$PATH"
for tool in gcc g++ cc c++ cmake make python3; do
  if command -v $tool > /dev/null; then wrong "the bare system has $tool"; fi
done
[ "$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ')" = lo ] || wrong 'there is a network'
began=$(date +%s)
npm install -g --prefix "$HOME/.local" --offline --no-audit --no-fund /given/program.tgz /given/engine.tgz
echo "installed after $(($(date +%s) - began)) s, without a network"
echo "morphoscope --version: $(morphoscope --version)"
grep -q '^.TH MORPHOSCOPE' "$HOME/.local/share/man/man1/morphoscope.1" || wrong 'there is no manual page where man looks'
bash -c '. "$(npm root -g --prefix "$HOME/.local")/morphoscope/share/bash-completion/completions/morphoscope" && complete -p morphoscope' || wrong 'bash completes nothing'
for slide in CMU-1-Small-Region.svs slide.dcm; do
  began=$(date +%s%N)
  morphoscope run /given/$slide --out out-$slide > said 2>&1 || { cat said; wrong "$slide was not segmented"; }
  sha256sum < out-$slide/objects.csv | cmp -s - /given/$slide.sha256 || wrong "$slide: other objects than the checkout's"
  echo "run: $slide: the checkout's objects.csv, in $((($(date +%s%N) - began) / 1000000)) ms"
done
npm uninstall -g --prefix "$HOME/.local" --no-audit --no-fund morphoscope @morphoscope/engine-linux-x64
# npm leaves the folder @morphoscope, empty.
left=$(find .local -ipath '*morphoscope*' ! -type d)
[ -z "$left" ] || wrong "left behind: $left"
echo "removed: of the program no file is left; the user's: $(find .config .cache -maxdepth 1 -iname '*morphoscope*' 2> /dev/null | tr '\n' ' ')"
