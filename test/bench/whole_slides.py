#!/usr/bin/env python3
"""Whole slides through the command line, reading and all: megapixels a second by recipe and device, and whether the devices agree.

    node test/bench/make_slide.mjs TILE.png /tmp/slide.tif 16000
    python3 test/bench/whole_slides.py /tmp/slide.tif --mpp 0.25 --devices cpu,gpu0 [--write]

Needs Python's standard library alone. A run writes objects.csv only; files of a recipe's devices are compared byte by byte. Mpx are the
analysed image's (a recipe may analyse at half the slide's resolution), each counted once, without its halo; s is the run's own time,
from its start to its last tile, and Mpx/s begins when the slide's overview has been taken. "read" and "compute" are sums over all threads: of reading windows, and of the recipe's stages on its device.
"""
import argparse
import filecmp
import json
import pathlib
import shlex
import statistics
import subprocess
import tempfile

import results

RECIPES = "he-nuclei,iwpp-nuclei,max-tree-nuclei,cell-detection"


def run(a, recipe, device, folder):
    command = [*shlex.split(a.command), "run", a.slide, "--recipe", recipe, "--device", device, "--files", "objects.csv", "--out", str(folder), "--json"]
    if a.mpp:
        command += ["--mpp", str(a.mpp)]
    if a.threads:
        command += ["--threads", str(a.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("slide")
    p.add_argument("--recipes", default=RECIPES)
    p.add_argument("--devices", default="cpu")
    p.add_argument("--mpp", type=float)
    p.add_argument("--threads", type=int)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--command", default="npx morphoscope", help="how the command line is started")
    p.add_argument("--write", action="store_true", help="also write the table to test/bench/results/whole-slides.md, in place of the one of this slide")
    a = p.parse_args()
    with results.recorded(a.write, "whole-slides.md", "Whole slides, through the program", pathlib.Path(a.slide).name):
        print_table(a)


def print_table(a):
    print("| recipe | device | objects | s | Mpx/s | read s | compute s | files |")
    print("|---|---|---|---|---|---|---|---|")
    for recipe in a.recipes.split(","):
        first = None
        for device in a.devices.split(","):
            folder = pathlib.Path(tempfile.mkdtemp(prefix="whole-slides-"))
            told = [run(a, recipe, device, folder) for _ in range(a.rounds)]
            seconds = statistics.median(t["elapsedMs"] for t in told) / 1e3
            speed = statistics.median(t["megapixelsPerSecond"] for t in told)
            middle = min(told, key=lambda t: abs(t["elapsedMs"] / 1e3 - seconds))
            read = sum(t["ms"] for t in middle["timings"] if t["stage"] == "read") / 1e3
            compute = sum(t["ms"] for t in middle["timings"] if t["stage"] != "read") / 1e3
            csv = folder / "objects.csv"
            files = "" if first is None else "equal" if filecmp.cmp(first, csv, shallow=False) else "DIFFERENT"
            first = first or csv
            print(f"| {recipe} | {device} | {middle['objects']} | {seconds:.2f} | {speed:.1f} | {read:.1f} | {compute:.1f} | {files} |", flush=True)


if __name__ == "__main__":
    main()
