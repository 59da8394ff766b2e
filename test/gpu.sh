#!/bin/bash
# All GPU checks in one command, on a machine with a GPU, cmake, nvcc and g++, without Node and without a network:
#   test/gpu.sh [build folder]
# builds the library, its GPU tests and benchmark; compares every GPU operation with the CPU; lets compute-sanitizer judge a reduced set
# (memcheck, racecheck, initcheck); and times the operations. What is not installed is named. Environment:
#   ARCHITECTURES  what to build for (default: 90)         JOBS   compilers at once (default: all cores)
#   STEPS          "compare sanitize bench" or some of it; "against" times it by turns with the tree in BASE (test/bench/gpu_against.py says how
#                  to make one); "emulate" needs neither GPU nor nvcc: the kernels run on the CPU, thread by thread
#   TILE   an .npy image of [h, w, 3] u8 to make the large images of
#   EVERY  of the reduced set's comparisons, what compute-sanitizer sees (default: every 16th)   SANITIZE_SECONDS  for each tool (default: 300)
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

# Runs gpu_tests in as many processes as there are cores, each with its part of the comparisons, and adds their tables up.
#   side_by_side NAME [command before gpu_tests …] -- [options …]
side_by_side() {
  local name=$1 before=() pids=() failed=0 part
  shift
  while [[ $1 != -- ]]; do before+=("$1"); shift; done
  shift
  rm -f "$logs/$name".part*.log
  for ((part = 0; part < parts; ++part)); do
    "${before[@]}" "$build/gpu_tests" --fixtures test/fixtures --share "$part/$parts" "$@" >"$logs/$name.part$part.log" 2>&1 &
    pids+=($!)
  done
  for part in "${pids[@]}"; do wait "$part" || failed=1; done
  awk '/^FAILED / { print } /^operation / { table = 1; next }
       table && NF >= 3 && $NF ~ /^[0-9]+$/ { n = $0; sub(/ +[0-9]+ +[0-9]+ *$/, "", n); runs[n] += $(NF - 1); bad[n] += $NF; next } { table = 0 }
       END { for (n in runs) { printf "%-28s %8d %8d\n", n, runs[n], bad[n]; all += runs[n]; wrong += bad[n] }
             printf "%-28s %8d %8d\n", "all", all, wrong }' "$logs/$name".part*.log | sort
  return $failed
}
parts=${JOBS:-$(nproc)}

if [[ $steps == *against* ]]; then
  say "build ${BASE:=build/base}"
  cmake -S "$BASE/native" -B "$build-base" -DCMAKE_BUILD_TYPE=Release -DMORPHO_ADDON=OFF -DMORPHO_CUDA=ON \
    -DCMAKE_CUDA_ARCHITECTURES="${ARCHITECTURES:-90}" >"$logs/configure-base.log" 2>&1 &&
    cmake --build "$build-base" --target gpu_bench -j "${JOBS:-$(nproc)}" >"$logs/build-base.log" 2>&1 || { grep -E -A3 'error|Error' "$logs"/*-base.log | head -40; exit 1; }
  say "times against ${BASE}, by turns"
  python3 test/bench/gpu_against.py "$build/gpu_bench" "$build-base/gpu_bench" "$tile" ${ROUNDS:-3} 2>&1 | tee "$logs/against.log"
  [[ ${PIPESTATUS[0]} == 0 ]] || status=1
fi
if [[ $steps == *compare* ]]; then
  say "compare with the CPU: operation, runs, failed"
  side_by_side compare -- --large 0 --seconds 120 || { status=1; tail -n 2 "$logs"/compare.part*.log; }
  say "a full GPU, a lost one, leases, held memory"
  for only in faults leases memory; do
    "$build/gpu_tests" --fixtures test/fixtures --reduced --only $only --seconds 120 >"$logs/$only.log" 2>&1 || status=1
    grep -E "^(FAILED|$only)" "$logs/$only.log"
  done
  say "4096² of tissue, 20 and 5 times each, all outputs alike"
  "$build/gpu_tests" --fixtures test/fixtures --tile "$tile" --only "times: " --seconds 120 >"$logs/times.log" 2>&1 || status=1
  grep -v '^$' "$logs/times.log"
fi
if [[ $steps == *sanitize* ]]; then
  if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
      say "compute-sanitizer $tool on every ${EVERY:-16}th comparison of the reduced set"
      side_by_side "$tool" timeout "${SANITIZE_SECONDS:-300}" compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 20 -- --reduced --every "${EVERY:-16}" |
        tail -n 1
      [[ ${PIPESTATUS[0]} == 0 ]] || { status=1; echo "NOT CLEAN, or not finished in ${SANITIZE_SECONDS:-300} s"; }
      grep -hE '^========= (Error|Warning|Invalid|Uninit|ERROR SUMMARY|RACECHECK SUMMARY)|^=========     at ' "$logs/$tool".part*.log | sort | uniq -c | sort -rn | head -12
    done
  else
    echo "compute-sanitizer is not on the PATH: memory and races are not checked"
  fi
fi
if [[ $steps == *bench* ]]; then
  say "benchmark"
  "$build/gpu_bench" --tile "$tile" --sizes "${SIZES:-4096,8192,16384}" 2>&1 | tee "$logs/bench.log"
  case ${PIPESTATUS[0]} in 0 | 69) ;; *) status=1 ;; esac # 69: no GPU here, as it said
  for recipe in he-nuclei iwpp-nuclei max-tree-nuclei cell-detection; do
    "$build/gpu_bench" --tile "$tile" --sizes 4096 --recipe "$recipe" --assets assets 2>&1 | tee -a "$logs/bench.log"
    case ${PIPESTATUS[0]} in 0 | 69) ;; *) status=1 ;; esac
  done
fi
say "$([[ $status == 0 ]] && echo passed || echo FAILED) at commit ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
exit $status
