# Functions for the scripts beside it: packages under another system, compared with what this checkout finds. Sourced, after roots.sh.

# installFor SYSTEM [NODE]: npm's tarballs with that system's addon, its sharp and libsql, its Node (default: the packages'), and the oracle's
# test, in build/SYSTEM/installed.
installFor() {
  local system=$1 installed=build/$1/installed version files
  version=${2:-$(node -e "import('./app/package/nodeInside.mjs').then(({ nodeVersion }) => console.log(nodeVersion))")}
  files=$(node -e "import('./app/package/npm.mjs').then(async ({ makeNpmPackages }) =>
    console.log((await makeNpmPackages(process.cwd() + '/build/$system/tarballs', ['$system'])).join(' ')))")
  rm -rf "$installed"
  mkdir -p "$installed/test/app" "$installed/test/fixtures"
  echo '{ "private": true }' > "$installed/package.json"
  # Forced, as npm takes these options for what is optional, and says no to the rest.
  # shellcheck disable=SC2086
  npm install --prefix "$installed" --os="${system%-*}" --cpu="${system#*-}" --libc=glibc --force --ignore-scripts --no-audit --no-fund \
    --loglevel=error $files "node-${system/win32/win}@$version" > "build/$system/npm.log" 2>&1 || { tail -5 "build/$system/npm.log"; exit 1; }
  cp -r test/fixtures/oracle "$installed/test/fixtures/"
  npx esbuild test/app/oracleOp.test.ts --bundle --platform=node --format=esm --alias:vitest=./test/package/emulatedVitest.ts \
    --external:sharp --external:libsql --outfile="$installed/test/app/oracle.mjs" --log-level=error \
    --banner:js="import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
}

# objectsHere SYSTEM: what this machine finds on the bundled slide.
sample=assets/samples/CMU-1-Small-Region.svs
objectsHere() {
  rm -rf "build/$1/here" "build/$1/there"
  node app/cli/morphoscope.cjs run $sample --out "build/$1/here" > "build/$1/here.log" 2>&1 || { tail -5 "build/$1/here.log"; exit 1; }
}

# compareObjects SYSTEM SECONDS: build/SYSTEM/there against build/SYSTEM/here.
compareObjects() {
  local here there
  here=$(sha256sum < "build/$1/here/objects.csv")
  there=$(sha256sum < "build/$1/there/objects.csv")
  echo "bundled slide: $(tail -n +2 "build/$1/there/objects.csv" | wc -l) objects after $2 s, objects.csv ${there:0:16}, here ${here:0:16}"
  [ "$here" = "$there" ] || { echo "FAILED: other objects"; exit 1; }
}

# checkoutsSlides WORK: in WORK/slides the sample as SVS and a corner of it as DICOM, and what the checkout finds on them: a package must find
# the same. The sample keeps its name, as that is in each line of objects.csv.
checkoutsSlides() {
  local work=$1 slide
  mkdir "$work/slides"
  npx esbuild test/package/writeDicom.ts --bundle --platform=node --format=cjs --external:sharp --log-level=error > "$work/writeDicom.cjs"
  NODE_PATH=$PWD/node_modules node "$work/writeDicom.cjs" $sample "$work/slides/slide.dcm"
  cp $sample "$work/slides/"
  for slide in "$(basename $sample)" slide.dcm; do
    node app/cli/morphoscope.cjs run "$work/slides/$slide" --out "$work/out-$slide" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    sha256sum < "$work/out-$slide/objects.csv" > "$work/slides/$slide.sha256"
    echo "checkout: $slide: $(tail -n +2 "$work/out-$slide/objects.csv" | wc -l) objects, objects.csv $(cut -c1-16 "$work/slides/$slide.sha256")"
  done
  rm -rf "$work"/out-* "$work/said" "$work/writeDicom.cjs"
}
