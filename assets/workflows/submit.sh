#!/bin/sh
# The same on Slurm without Snakemake: for each slide a job, an array of shards, and a merge; then one table. ./submit.sh [options for every sbatch]
# Submitted again, steps that are done end at once.
set -eu
cd "$(dirname "$0")"
mkdir -p logs
submit() { sbatch --parsable --requeue --output=logs/slurm-%A-%a.log "$@"; }

merges=
tab=$(printf '\t')
tail -n +2 slides.tsv >slides.rows
while IFS="$tab" read -r name _ shards threads memory minutes _; do
  how="--cpus-per-task=$threads --mem=$memory --time=$minutes"
  # Blanks separate options here.
  # shellcheck disable=SC2086
  prepare=$(submit $how --job-name="prepare" "$@" --wrap "./step.sh $name prepare")
  # afterany: step.sh itself passes over what a failure before makes needless.
  # shellcheck disable=SC2086
  array=$(submit $how --job-name="shard" --array="1-$shards" --dependency="afterany:$prepare" "$@" \
    --wrap "./step.sh $name shard \$SLURM_ARRAY_TASK_ID")
  merge=$(submit --mem="$memory" --time="$minutes" --job-name="merge" --dependency="afterany:$array" "$@" \
    --wrap "./step.sh $name merge")
  merges="$merges:$merge"
done <slides.rows
rm -f slides.rows
submit --mem=4000 --time=60 --job-name="cohort" --dependency="afterany$merges" "$@" --wrap "./step.sh - cohort"
