"""Whole recipes on one window of tissue, by stage, on the CPU or a GPU.

    python3 test/bench/recipe_table.py --bench build/native/morpho_bench [--size 4096] [--threads 1,2] [--write]      on the CPU: results/cpu.md
    python3 test/bench/recipe_table.py --bench build/gpu/gpu_bench --gpu [--size 4096] [--write]                      on a GPU: results/gpu.md

Needs Python's standard library alone. Stages are medians of --repeat runs in ms (on a GPU by its own clock, with the copies as stages of their
own); "all" is the whole call by the host's clock; "waits" is how often the host waited for the GPU. Exit codes are the benchmark's: 1 where a
result is not the CPU's.
"""
import argparse
import json
import os
import subprocess
import sys

import results
from gpu_table import figure

RECIPES = "he-nuclei,iwpp-nuclei,max-tree-nuclei,cell-detection"


def rows(a, recipe):
    size = ["--sizes", str(a.size), "--format", "json"] if a.gpu else ["--size", str(a.size), "--json", "--threads", a.threads]
    done = subprocess.run([a.bench, "--recipe", recipe, "--assets", os.path.join(results.ROOT, "assets"), "--tile", a.tile, "--repeat", str(a.repeat), *size],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    return json.loads(done.stdout)["results"]


def print_table(a):
    """Prints the table; returns whether every result was the CPU's."""
    print(f"{a.size}² of RGB tissue, median of {a.repeat} runs, ms.\n")
    print("| recipe | threads | stages | all | waits | objects | result |\n|---|---|---|---|---|---|---|")
    right = True
    for recipe in a.recipes.split(","):
        for row in rows(a, recipe):
            stages = ", ".join(f"{s['stage']} {figure(s['ms'])}" for s in row["stages"])
            right &= not row["result"].startswith("WRONG")
            print(f"| {recipe} | {row['threads']} | {stages} | {figure(row['whole_ms'])} | {row['waits']} | {row['objects']} | {row['result']} |", flush=True)
    return right


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=os.path.join(results.ROOT, "build", "native", "morpho_bench"))
    p.add_argument("--tile", default=os.path.join(results.ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
    p.add_argument("--gpu", action="store_true", help="--bench is gpu_bench")
    p.add_argument("--recipes", default=RECIPES)
    p.add_argument("--size", type=int, default=4096)
    p.add_argument("--threads", default="1,2", help="of the CPU")
    p.add_argument("--repeat", type=int, default=5)
    p.add_argument("--write", action="store_true", help="also write the table to test/bench/results")
    a = p.parse_args()
    file, title = ("gpu.md", "The GPU's operations") if a.gpu else ("cpu.md", "The CPU's operations")
    with results.recorded(a.write, file, title, f"Recipes by stage, {a.size}²"):
        right = print_table(a)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
