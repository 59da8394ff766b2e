#!/bin/sh
# One step of one slide, as any scheduler may run it, again and again: step.sh NAME prepare | shard I | merge | again, or step.sh - cohort.
# A step that cannot succeed is written down in runs/NAME/failed, and the others go on. Killed, it is begun again where it was.
set -uf
cd "$(dirname "$0")" || exit 74
. ./settings.sh

name=$1
step=$2
run=runs/$name

# The slide's line of slides.tsv: name, path, shards, threads, memory_mb, minutes, options.
column() { awk -F '\t' -v name="$name" -v column="$1" '$1 == name { print $column; exit }' slides.tsv; }

# Appears whole or not at all: schedulers ask whether it is there.
mark() { : >"$run/$1.ok.part" && mv "$run/$1.ok.part" "$run/$1.ok"; }

# Tries what may succeed later: a full disk, want of memory, a GPU that is taken, a slide that changes.
attempts() {
  attempt=1
  while :; do
    echo "--- $(date -u +%FT%TZ) $(uname -n) attempt $attempt: $*" >>"$log"
    "$@" >>"$log" 2>&1
    code=$?
    case $code in
    # 3: parts of the slide could not be read, and are counted.
    0 | 3) return 0 ;;
    # The command, the slide or the program is wrong: it would be so again.
    2 | 65 | 66 | 69 | 70) return $code ;;
    # Stopped from outside: the scheduler begins it again.
    130 | 143) exit $code ;;
    esac
    [ "$attempt" -ge "$TRIES" ] && return $code
    attempt=$((attempt + 1))
    sleep "$RETRY_AFTER_S"
  done
}

merge_files() {
  morphoscope merge "$run" --slide "$(column 2)" --files "$FILES" --memory "$memory" --overwrite $DEIDENTIFY
}

# What is done once is done; after a failure the rest of the slide is passed over.
once() {
  mark=$1
  shift
  mkdir -p "$run" logs || exit 74
  log=logs/$name-$mark.log
  if [ ! -e "$run/failed" ] && ! attempts "$@"; then
    printf '%s\t%s\t%s\n' "$mark" "$code" "$(tail -n 1 "$log")" >"$run/failed.part" && mv "$run/failed.part" "$run/failed" || exit 74
  fi
  mark "$mark" || exit 74
}

threads=${THREADS:-$(column 4)}
memory=${MEMORY_M:-$(column 5)}M
case $step in
prepare)
  # One option a word: none of them has blanks in it.
  # shellcheck disable=SC2046
  once prepare morphoscope prepare "$(column 2)" --out "$run" --recipe recipe.json $(column 7) --threads "$threads" \
    --memory "$memory" $DEVICE $DEIDENTIFY
  ;;
shard)
  once "shard-$3" morphoscope run "$(column 2)" --out "$run" --shard "$3/$(column 3)" --threads "$threads" --memory "$memory" \
    $DEVICE $DEIDENTIFY
  ;;
merge)
  once merge merge_files
  ;;
again)
  # After what failed is mended: the finished shards stay. Without the table Snakemake asks for what is missing.
  set +f
  rm -f "$run/failed" "$run"/*.ok cohort.csv
  ;;
cohort)
  # SQLite does not lie on a shared file system: the project is made on this machine's own disk, then copied as a whole.
  work=$(mktemp -d) || exit 74
  trap 'rm -rf "$work"' EXIT
  morphoscope project take "$work/cohort.morphoscope" . || [ $? -eq 3 ] || exit $?
  morphoscope project summary "$work/cohort.morphoscope" --csv $DEIDENTIFY >cohort.csv.part || [ $? -eq 3 ] || exit $?
  # Slides that no project can hold, as they do not open, are named here.
  { printf 'slide\tstep\texit_code\twhy\n' && find runs -name failed -exec awk '{ slide = FILENAME; sub("runs/", "", slide); sub("/failed", "", slide); print slide "\t" $0 }' {} + | sort; } >failed.tsv
  rm -rf cohort.morphoscope.part
  cp -R "$work/cohort.morphoscope" cohort.morphoscope.part && rm -rf cohort.morphoscope &&
    mv cohort.morphoscope.part cohort.morphoscope && mv cohort.csv.part cohort.csv
  ;;
*)
  echo "expected prepare, shard I, merge, again or cohort but received $step" >&2
  exit 2
  ;;
esac
