#!/bin/bash
# Several GPUs in one command, on a machine that has them, with cmake, nvcc and g++, without a network:
#   test/gpus.sh [build folder]
# measures what binds them (memory, PCIe, each alone and all at once); runs every operation on regions on 1, 2, 4 … GPUs, with and
# without the CPU, and holds the results against each other by SHA-256; times reconstruction and distance by turns; takes a GPU away in
# mid-run; and, where Node and a slide are there, does all of it with the program. Environment:
#   STEPS   "floors same speed lost slide" or some of it        SIDE   of the images whose results are compared (default: 32768)
#   ARCHITECTURES  what to build for (default: 90)         JOBS   compilers at once (default: all cores)
#   BENCH   a region_bench that is built already           LOGS   where outputs go (default: the build folder)
#   SLIDE   a slide for the program, which is `node app/cli/morphoscope.cjs` with what NODE names; RECIPES (default: all four); REGION of
#           it (default: all); DEVICES, sets of them; LOSE_AFTER_MS: one run more, of which gpu1 is taken away so long after it began
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/gpus}
mkdir -p "$build"
logs=${LOGS:-$build}
steps=${STEPS:-floors same speed lost slide}
tissue=test/fixtures/oracle/tile_cmu.npy
threads=$(nproc)
export PATH=$PATH:/usr/local/cuda/bin
status=0
say() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

count=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU') || true
if [[ ${count:-0} -lt 1 ]]; then echo "no GPU here: nvidia-smi lists none"; exit 1; fi
nvidia-smi --query-gpu=name,memory.total,pcie.link.gen.max,pcie.link.width.max --format=csv,noheader
nvidia-smi topo -m 2>/dev/null | head -$((count + 2)) || true
# gpu0; gpu0,gpu1; gpu0,gpu1,gpu2,gpu3; … and each with the CPU.
sets=() names=()
for ((n = 1; n <= count; n *= 2)); do
  set=$(seq -s, -f 'gpu%.0f' 0 $((n - 1)))
  sets+=(--devices "$set" --devices "$set,cpu") names+=("$set" "$set,cpu")
done
every=$(seq -s, -f 'gpu%.0f' 0 $((count - 1)))

bench=${BENCH:-$build/region_bench}
if [[ ! -x $bench ]]; then
  say "build for ${ARCHITECTURES:-90}"
  cmake -S native -B "$build" -DCMAKE_BUILD_TYPE=Release -DMORPHO_ADDON=OFF -DMORPHO_CUDA=ON \
    -DCMAKE_CUDA_ARCHITECTURES="${ARCHITECTURES:-90}" >"$logs/configure.log" 2>&1 || { tail -20 "$logs/configure.log"; exit 1; }
  cmake --build "$build" --target region_bench -j "${JOBS:-$(nproc)}" >"$logs/build.log" 2>&1 || { grep -E -A3 'error|Error' "$logs/build.log" | head -40; exit 1; }
fi
# bench NAME options …: keeps the lines, shows their essence.
bench() {
  local name=$1
  shift
  "$bench" --tissue "$tissue" --threads "$threads" "$@" >"$logs/$name.jsonl" 2>"$logs/$name.err" || { status=1; echo "FAILED: $name"; }
  cat "$logs/$name.err"
  python3 - "$logs/$name.jsonl" <<'PY'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    if "floor" in r:
        print(r["floor"], r.get("devices", f"{r.get('threads')} threads"), r["gb_per_s"], "GB/s", r.get("each", ""))
    else:
        print(f'{r["op"]:17} {r["side"]:6} {r["devices"]:14} {r["order"]:6} {r["ms"] / 1000:7.3f} s  {r["hash"][:16]} ', ", ".join(f"{k} {v}" for k, v in r["visits"].items()), *r["notes"])
PY
}

if [[ $steps == *floors* ]]; then
  say "floors"
  bench floors --op label --side 256 --floors --devices "$every"
fi

if [[ $steps == *same* ]]; then
  say "one result, whatever computes"
  side=${SIDE:-32768}
  while read -r name options; do
    # shellcheck disable=SC2086
    bench "same-$name" $options --side "$side" --hash "${sets[@]}" --devices cpu
  done <<'OPS'
dilation --op reconstruct
erosion --op reconstruct --set by=erosion
fill-holes --op fill-holes
h-maxima --op h-maxima --set h=20
distance --op distance
label --op label
area-filter --op area-filter --set min-area=30
area-open --op area-open --set area=200
elongation --op attribute-filter --set attribute=elongation --set at-least=1.5
watershed --op watershed
markers --op watershed --markers
OPS
fi

if [[ $steps == *speed* ]]; then
  # Either order of tiles: it matters where GPUs and cores work side by side; elsewhere the two show the noise.
  say "speed, by turns"
  bench speed-reconstruct --op reconstruct --side 98304 --repeat 3 "${sets[@]}" --order both --timeline "$logs/reconstruct"
  bench speed-distance --op distance --side 65536 --repeat 3 "${sets[@]}" --order both --timeline "$logs/distance"
  for op in reconstruct distance; do python3 test/bench/timeline.py "$logs/$op"-gpu*.csv >"$logs/$op.svg"; done
fi

# A GPU that fails takes CUDA with it in its whole process (cudaErrorLaunchFailure's own description): the other GPUs' tiles go to
# the CPU, and only another process computes on them again.
if [[ ($steps == *lost* || $steps == *slide*) && $count -gt 1 ]]; then
  cc -shared -fPIC -o "$build/lose_gpu.so" test/gpu/lose_gpu.c -ldl -lpthread
fi
if [[ $steps == *lost* && $count -gt 1 ]]; then
  say "gpu1 is taken away in mid-run"
  whole=$(python3 -c "import json; print(json.loads(open('$logs/same-dilation.jsonl').readline())['hash'])" 2>/dev/null)
  for after in 0 60 120 250; do
    LOSE_GPU=1 LOSE_AFTER_MS=$after LD_PRELOAD="$build/lose_gpu.so" bench "lost-$after" --op reconstruct --side "${SIDE:-32768}" --hash --devices "$every"
    found=$(python3 -c "import json; print(json.loads(open('$logs/lost-$after.jsonl').readline())['hash'])")
    if [[ $found != "${whole:-$found}" ]]; then status=1; echo "FAILED: another result after gpu1 was lost"; fi
    grep -q 'fails from here on' "$logs/lost-$after.err" || { status=1; echo "FAILED: gpu1 did not fail"; }
  done
fi

# slide RECIPE DEVICES NAME options …: one run of the program, its time and its objects.csv's SHA-256, which it adds to sums.
slide() {
  local recipe=$1 devices=$2 name=$3 out begin ended sum
  shift 3
  out=$logs/slide-$name
  rm -rf "$out"
  begin=$(date +%s%N)
  "${NODE:-node}" app/cli/morphoscope.cjs run "$SLIDE" --recipe "$recipe" --devices "$devices" --files objects.csv,run.json --out "$out" "$@" >"$out.log" 2>&1
  ended=$?
  sum=$(sha256sum <"$out/objects.csv" | cut -c1-16)
  sums+="$sum"$'\n'
  printf '%-16s %-14s %7.2f s  %s  %s objects\n' "$recipe" "$devices" "$(($(date +%s%N) - begin))e-9" "$sum" "$(($(wc -l <"$out/objects.csv") - 1))"
  if [[ $ended != 0 ]]; then status=1; echo "FAILED: ended with $ended"; tail -5 "$out.log"; fi
  cp "$out/run.json" "$out.run.json" 2>/dev/null
  rm -rf "$out"
}
if [[ $steps == *slide* && -n ${SLIDE:-} ]]; then
  for recipe in ${RECIPES:-he-nuclei iwpp-nuclei max-tree-nuclei cell-detection}; do
    say "$recipe on $(basename "$SLIDE") ${REGION:-}"
    sums=
    for devices in ${DEVICES:-${names[*]} cpu}; do slide "$recipe" "$devices" "$recipe-$devices" ${REGION:+--region "$REGION"}; done
    if [[ $count -gt 1 && -n ${LOSE_AFTER_MS:-} ]]; then
      LOSE_GPU=1 LD_PRELOAD="$build/lose_gpu.so" slide "$recipe" "$every" "$recipe-lost" ${REGION:+--region "$REGION"}
      grep -h 'lose_gpu\|takes no more' "$logs/slide-$recipe-lost.log"
    fi
    python3 test/bench/timeline.py "$logs/slide-$recipe"-*.run.json >"$logs/$recipe.svg"
    if [[ $(sort -u <<<"${sums%$'\n'}" | wc -l) != 1 ]]; then status=1; echo "FAILED: $recipe differs between devices"; fi
  done
fi
say "done"
exit $status
