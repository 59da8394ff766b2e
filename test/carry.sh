#!/bin/bash
# Packs what the program needs on a machine that has neither Node nor OpenSlide nor a network (a lent GPU machine), but cmake, g++ and nvcc:
#   test/carry.sh FOLDER [SLIDE …]      here, after `npm run build:ts`: writes FOLDER/program.tar.xz, some 45 MB, the slides in it, which is
#                                       made once, and FOLDER/dist.tar.xz
#   source test/unpack.sh FOLDER        there, in the repository's root: unpacks it, builds the addon, and defines $MORPHOSCOPE and $SLIDES
# In it: this machine's node, stripped; the packages that dist leaves outside; dist; OpenSlide's and libjpeg-turbo's libraries with all
# that they need but the C library's own. Both machines must be x86-64 with glibc, that one's not older.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
mkdir -p "$folder"
# The command line and the engine alone: nobody looks at a page there.
tar --exclude=renderer --exclude='*.map' -c dist | xz >"$folder/dist.tar.xz"
[[ ! -e $folder/program.tar.xz ]] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lib" "$work/node_modules" "$work/slides"
cp "$(readlink -f "$(command -v node)")" "$work/node"
strip "$work/node"
# A package and what it depends on, as far as it is installed here: of binaries only this machine's are.
node - <<'JS' >"$work/packages"
const { existsSync, readFileSync } = require('node:fs')
const seen = new Set()
const add = (name) => {
  const file = `node_modules/${name}/package.json`
  if (seen.has(name) || !existsSync(file)) return
  seen.add(name)
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other)
}
for (const name of ['sharp', 'libsql', 'node-addon-api', 'node-api-headers']) add(name)
// Of a C library that this machine has not.
console.log([...seen].filter((name) => !name.includes('musl')).join('\n'))
JS
while read -r name; do
  mkdir -p "$work/node_modules/$(dirname "$name")"
  cp -r "node_modules/$name" "$work/node_modules/$name"
done <"$work/packages"
for library in libopenslide.so libturbojpeg.so; do
  path=$(ldconfig -p | awk -v n="$library" '!found && index($1, n) == 1 { print $NF; found = 1 }')
  for file in "$path" $(ldd "$path" | awk '/=> \// { print $3 }'); do
    case $(basename "$file") in libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | ld-linux*) ;; *) cp -L "$file" "$work/lib/" ;; esac
  done
done
find "$work" -name '*.map' -delete
for slide in "$@"; do cp "$slide" "$work/slides/"; done
tar -C "$work" -c node node_modules lib slides | xz -T0 -6 >"$folder/program.tar.xz"
ls -l "$folder"
