#!/bin/bash
# All GPU checks in one command, on a machine with a GPU, cmake, nvcc and g++, without Node and without a network:
#   test/gpu.sh [build folder]
# builds the library, its GPU tests and benchmark; compares every GPU operation with the CPU; lets compute-sanitizer judge a reduced set
# (memcheck, racecheck, initcheck); and times the operations. What is not installed is named. Environment:
#   ARCHITECTURES  what to build for (default: 90)         JOBS   compilers at once (default: all cores)
#   STEPS          "compare sanitize bench" or some of it; "emulate" needs neither GPU nor nvcc: the kernels run on the CPU, thread by thread
#   TILE   an .npy image of [h, w, 3] u8 to make the large images of
#   SIZES          of the benchmark (default: 4096,8192,16384)   LOGS   where the full outputs go (default: the build folder)
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/gpu}
tile=${TILE:-test/fixtures/oracle/tile_cmu.npy}
steps=${STEPS:-compare sanitize bench}
mkdir -p "$build"
logs=${LOGS:-$build}
status=0
export PATH=$PATH:/usr/local/cuda/bin
say() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

if [[ $steps == emulate ]]; then
  say "build for the emulation"
  cmake -S native -B "$build" -DCMAKE_BUILD_TYPE=Release -DMORPHO_ADDON=OFF -DMORPHO_CUDA=OFF >"$logs/configure.log" 2>&1 || { tail -20 "$logs/configure.log"; exit 1; }
  cmake --build "$build" --target gpu_emulated_tests -j "${JOBS:-$(nproc)}" >"$logs/build.log" 2>&1 || { grep -E -A3 'error|Error' "$logs/build.log" | head -40; exit 1; }
  say "compare with the CPU, in emulation"
  exec "$build/gpu_emulated_tests" --fixtures test/fixtures --reduced
fi

say "build for ${ARCHITECTURES:-90}"
cmake -S native -B "$build" -DCMAKE_BUILD_TYPE=Release -DMORPHO_ADDON=OFF -DMORPHO_CUDA=ON \
  -DCMAKE_CUDA_ARCHITECTURES="${ARCHITECTURES:-90}" >"$logs/configure.log" 2>&1 || { tail -20 "$logs/configure.log"; exit 1; }
cmake --build "$build" --target gpu_tests gpu_bench -j "${JOBS:-$(nproc)}" >"$logs/build.log" 2>&1 || { grep -E -A3 'error|Error' "$logs/build.log" | head -40; exit 1; }

if [[ $steps == *compare* ]]; then
  say "compare with the CPU"
  "$build/gpu_tests" --fixtures test/fixtures --tile "$tile" 2>&1 | tee "$logs/compare.log" || status=1
fi
if [[ $steps == *sanitize* ]]; then
  if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
      say "compute-sanitizer $tool"
      timeout "${SANITIZE_SECONDS:-150}" compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 20 \
        "$build/gpu_tests" --fixtures test/fixtures --reduced >"$logs/$tool.log" 2>&1 || status=1
      grep -E '^========= (Error|Warning|Invalid|Uninit|ERROR|RACECHECK)|^=========     at ' "$logs/$tool.log" | sort | uniq -c | sort -rn | head -12
      tail -2 "$logs/$tool.log"
    done
  else
    echo "compute-sanitizer is not on the PATH: memory and races are not checked"
  fi
fi
if [[ $steps == *bench* ]]; then
  say "benchmark"
  "$build/gpu_bench" --tile "$tile" --sizes "${SIZES:-4096,8192,16384}" 2>&1 | tee "$logs/bench.log"
  case ${PIPESTATUS[0]} in 0 | 69) ;; *) status=1 ;; esac # 69: no GPU here, as it said
fi
say "$([[ $status == 0 ]] && echo passed || echo FAILED) at commit ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
exit $status
