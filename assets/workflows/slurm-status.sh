#!/bin/sh
# What Snakemake 7 asks of a job: running, success or failed. A job that Slurm begins again on another node is running.
state=$(scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p')
[ -n "$state" ] || state=$(sacct -n -X -P -j "$1" -o State 2>/dev/null | head -n 1)
case $state in
COMPLETED*) echo success ;;
PENDING* | CONFIGURING* | RUNNING* | COMPLETING* | SUSPENDED* | REQUEUED* | PREEMPTED* | '') echo running ;;
*) echo failed ;;
esac
