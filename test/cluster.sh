#!/bin/bash
# A cohort on Slurm and Snakemake on this machine, with what goes wrong on clusters: nodes that go off, a requeue, a full disk, a slide
# that does not open. Every other result has to be `project run`'s to the byte. As root, on Debian:
#   apt-get install slurm-wlm snakemake; npm run build; test/cluster.sh [FOLDER]
# Ends with 77 where it cannot be run here, and says why. Minutes on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
skip() { echo "skipped: $1"; exit 77; }
for program in slurmctld slurmd munged snakemake; do command -v "$program" >/dev/null || skip "$program is not installed"; done
[ "$(id -u)" = 0 ] || skip 'Slurm’s nodes are started as root'
[ -e "$here/dist/cli.mjs" ] || skip 'the app is not built: npm run build'

work=${1:-$(mktemp -d)}
mkdir -p "$work/slurm/state" "$work/slides"
export SLURM_CONF=$work/slurm/slurm.conf
morphoscope() { node "$here/app/cli/morphoscope.cjs" "$@"; }
say() { echo "[$(date +%T)] $*"; }
nodes=(n1 n2 n3 n4)

stop() {
  scancel -u root 2>/dev/null || true
  pkill -f "slurmd -f $SLURM_CONF" 2>/dev/null || true
  pkill -f "slurmctld -f $SLURM_CONF" 2>/dev/null || true
  umount "$work/cohort/runs/slide-05" 2>/dev/null || true
}
trap stop EXIT

cat >"$SLURM_CONF" <<CONF
ClusterName=morphoscope
SlurmctldHost=$(hostname)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool-%n
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd-%n.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd-%n.log
SlurmctldPort=16817
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdTimeout=10
KillWait=2
JobRequeue=1
NodeName=n[1-4] NodeHostname=$(hostname) Port=[16821-16824] CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
pgrep munged >/dev/null || { mkdir -p /run/munge && chown munge: /run/munge && service munge start >/dev/null; }
start_node() { slurmd -f "$SLURM_CONF" -N "$1"; }
slurmctld -f "$SLURM_CONF" || skip 'slurmctld does not start here'
for node in "${nodes[@]}"; do start_node "$node" || skip 'slurmd does not start here'; done
for _ in $(seq 30); do [ "$(sinfo -h -t idle -o %D)" = 4 ] && break; sleep 1; done
[ "$(sinfo -h -t idle -o %D)" = 4 ] || skip 'the nodes do not come up'

say 'makes 11 slides of 50 Mpx, and one that is none'
(cd "$here" && node --input-type=module -e '
  import sharp from "sharp"
  const sample = sharp("assets/samples/CMU-1-Small-Region.svs", { page: 0 })
  for (let n = 1; n <= 11; n++) {
    const input = await sample.clone().linear(1, -n).png().toBuffer()
    const name = `${process.argv[1]}/slide-${String(n).padStart(2, "0")}.tif`
    await sharp({ create: { width: 8192, height: 6144, channels: 3, background: "white" }, limitInputPixels: false })
      .composite([{ input, tile: true }]).tiff({ tile: true, tileWidth: 256, tileHeight: 256, compression: "jpeg", quality: 90, pyramid: true }).toFile(name)
  }' "$work/slides")
echo 'no slide' >"$work/slides/slide-12.tif"

say 'runs them on one machine'
morphoscope project add "$work/one.morphoscope" "$work"/slides/slide-{01..11}.tif --mpp 0.5 >"$work/one.log"
morphoscope project run "$work/one.morphoscope" --recipe iwpp-nuclei >>"$work/one.log" 2>&1
morphoscope project objects "$work/one.morphoscope" --out "$work/one" --files objects.csv,objects.geojson >>"$work/one.log"

say 'writes the workflow'
morphoscope workflow "$work/slides" --out "$work/cohort" --recipe iwpp-nuclei --mpp 0.5 --threads 1 --shard-megapixels 13 \
  --files objects.csv,objects.geojson,run.json || [ $? = 3 ]
sed -i 's/^TRIES=.*/TRIES=2/; s/^RETRY_AFTER_S=.*/RETRY_AFTER_S=1/' "$work/cohort/settings.sh"
sed -i 's/^latency-wait:.*/latency-wait: 10/' "$work/cohort/profiles/slurm/config.yaml"
# One slide's folder is on a disk that fills.
mkdir -p "$work/cohort/runs/slide-05"
mount -t tmpfs -o size=300k none "$work/cohort/runs/slide-05" || skip 'no file system can be mounted here'
# Else Snakemake takes the folder away as an empty one.
touch "$work/cohort/runs/slide-05/.keep"

say 'runs it on Slurm'
cd "$work/cohort"
snakemake --profile profiles/slurm >"$work/snakemake.log" 2>&1 &
snakemake=$!

# A node that goes off takes its jobs with it, and says nothing.
node_off() {
  local job pid
  pkill -9 -f "slurmd -f $SLURM_CONF -N $1" || true
  for job in $(squeue -h -w "$1" -t running -o '%A'); do pkill -9 -f "slurmstepd: \\[$job\\." || true; done
  for pid in $(cd /proc && ls -d [0-9]*); do
    grep -zqx "SLURMD_NODENAME=$1" "/proc/$pid/environ" 2>/dev/null && kill -9 "$pid" 2>/dev/null || true
  done
  say "node $1 went off"
}
on_node() { squeue -h -w "$1" -t running -o '%A' | head -n 1; }
killed=0
for node in n1 n2 n3; do
  for _ in $(seq 60); do [ -n "$(on_node "$node")" ] && break; sleep 0.5; done
  [ -n "$(on_node "$node")" ] || continue
  sleep 1
  node_off "$node"
  killed=$((killed + 1))
  sleep 15
  start_node "$node"
done
for _ in $(seq 60); do job=$(squeue -h -t running -o '%A' | head -n 1); [ -n "$job" ] && break; sleep 0.5; done
[ -z "${job:-}" ] || { scontrol requeue "$job" && say "job $job is requeued"; }
wait "$snakemake"
grep -q '^slide-05.*could not be written' failed.tsv || { echo 'failed: the slide whose disk was full is not named'; exit 1; }
say "Snakemake ended; $killed nodes went off, $(grep -c 'Trying to restart' "$work/snakemake.log" || true) jobs were begun again by it"
morphoscope status runs || true

say 'frees the disk, and goes on'
mount -o remount,size=100m "$work/cohort/runs/slide-05"
./step.sh slide-05 again
snakemake --profile profiles/slurm >>"$work/snakemake.log" 2>&1

equal=0
for n in $(seq -w 11); do
  for file in objects.csv objects.geojson; do
    cmp "$work"/one/slide-"$n"-*/"$file" "runs/slide-$n/$file" || { echo "failed: $file of slide-$n differs"; exit 1; }
  done
  equal=$((equal + 1))
done
cat failed.tsv
grep -q '^slide-12' failed.tsv || { echo 'failed: the slide that does not open is not named'; exit 1; }
[ "$(wc -l <failed.tsv)" = 2 ] || { echo 'failed: others are named, too'; exit 1; }
[ "$(grep -c ',done,' cohort.csv)" = 11 ] || { echo 'failed: the cohort has not 11 slides'; exit 1; }
morphoscope status runs || true
say "passed: $equal slides are project run's to the byte; $killed nodes went off"
