#!/usr/bin/env python3
"""The table of gpu_bench's lines in test/bench/results/gpu.md: every operation and variant on images that are on the GPU.

    python3 test/bench/gpu_table.py --bench build/gpu/gpu_bench [--size 16384] [--op reconstruct,label] [--repeat 5] [--write]

Needs Python's standard library alone. A row is an operation, variant and input: ms by the GPU's clock with 8 neighbours and with 4 (one
figure where there is no choice), the floor (its inputs and outputs once each, at the speed of a copy of the same run), how often the time
is the floor, ms with the copies of what users have in ordinary memory, and whether the result is the CPU's (up to 4096 px a side).
--write puts it there, in place of the table of that size. Exit codes are gpu_bench's: 1 where a result is wrong, 69 where there is no GPU.
"""
import argparse
import json
import os
import subprocess
import sys

import results


def figure(ms):
    return "–" if ms is None else f"{ms:.3f}" if ms < 1 else f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:.0f}"


def print_table(out, size):
    gb = next(iter(out["copy_gb_per_s"].values()))
    print(f"{out['name']}; its copy moves {gb:.0f} GB/s, read and written; median of up to {out['repeat']} runs.\n")
    print("| op | variant | input | ms, 8-conn. | 4-conn. | floor | × | with copies | result |\n|---|---|---|---|---|---|---|---|---|")
    lines = {}
    for row in (r for r in out["results"] if r["size"] == size):
        lines.setdefault((row["op"], row["variant"], row["input"]), {})[row["connectivity"]] = row
    for (op, variant, name), by in lines.items():
        first = by.get(8) or by.get(0) or by[4]
        floor = first["bytes_per_pixel"] * size * size / gb / 1e6
        said = ", ".join(dict.fromkeys(r["result"] for r in by.values()))
        print(f"| {op} | {variant or '–'} | {name} | {figure(first['ms'])} | {figure(by[4]['ms'] if 4 in by else None)} | {figure(floor)} | "
              f"{first['ms'] / floor if floor else 0:.1f} | {figure(first['with_copies_ms'])} | {said} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=os.path.join(results.ROOT, "build", "gpu", "gpu_bench"))
    p.add_argument("--tile", default=os.path.join(results.ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
    p.add_argument("--size", type=int, default=16384)
    p.add_argument("--op", default="", help="operations, separated by commas; all where left out")
    p.add_argument("--input", default="", help="one input; all where left out")
    p.add_argument("--repeat", type=int, default=5)
    p.add_argument("--write", action="store_true", help="also write the table to test/bench/results/gpu.md")
    a = p.parse_args()
    if a.write and (a.op or a.input):
        p.error("--write is for the whole table: leave --op and --input out")
    command = [a.bench, "--tile", a.tile, "--sizes", str(a.size), "--repeat", str(a.repeat), "--format", "json"]
    command += (["--op", a.op] if a.op else []) + (["--input", a.input] if a.input else [])
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    except OSError as e:
        print(f"{a.bench}: {e}", file=sys.stderr)
        return 69
    if done.returncode not in (0, 1):
        return done.returncode
    out = json.loads(done.stdout)
    if "results" not in out or not out["results"]:
        p.error("gpu_bench timed nothing")
    with results.recorded(a.write, "gpu.md", "The GPU's operations", f"Every line of gpu_bench, {a.size}²"):
        print_table(out, a.size)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
