"""Counts the instructions of this tree's operations against another commit's: what a comparison of times cannot tell on a machine whose noise is
larger than what is asked for. Counts repeat to a few in 10 000, under any load.
    git archive COMMIT native cuda test/gpu test/bench test/native test/fixtures | tar -x -C build/base     (mkdir -p build/base first; build its morpho_bench)
    python3 test/bench/count_against.py build/native/morpho_bench build/base-build/morpho_bench [--size 512] [--least 0.97] [--jobs 2] [--only OP,…] [--recipes he-nuclei,…]
Needs valgrind (Debian's package). A call's count is that of six calls less that of two, divided by four: set-up and first calls fall out.
--recipes counts whole recipes in place of operations, both with this tree's assets; --windows the same by tiles, with cut sides and what
makes them certain: the two programs are cut_windows then (cmake --build FOLDER --target cut_windows; a base without it takes this tree's file). It says
nothing of caches and memory: cpu_against.py times those. Prints before, now and before/now; exit code 1 where a line is below --least."""
import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from results import ROOT

FEW, MANY = 2, 6
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("now")
p.add_argument("before")
p.add_argument("--tile", default=os.path.join(ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
p.add_argument("--size", type=int, default=512)
p.add_argument("--least", type=float, default=0.97)
p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
p.add_argument("--only", type=lambda t: t.split(","), default=[])
p.add_argument("--recipes", type=lambda t: t.split(","), default=[])
p.add_argument("--windows", type=lambda t: t.split(","), default=[], help="RECIPE:TILE, ...")
a = p.parse_args()


def command(program, size, repeat, more=()):
    return [program, "--tile", a.tile, "--json", "--size", str(size), "--input", "tissue", "--threads", "1", "--repeat", str(repeat), *more]


def lines():
    if a.windows:
        return [("windows", recipe, int(tile)) for recipe, tile in (each.split(":") for each in a.windows)]
    if a.recipes:
        return [("recipe", recipe, 0) for recipe in a.recipes]
    return operations()


def operations():
    """Every (operation, variant, connectivity) that both programs time."""
    def of(program):
        done = subprocess.run(command(program, 64, 1), capture_output=True, text=True)
        return [(r["op"], r["variant"], r["connectivity"]) for r in json.loads(done.stdout)["results"]]
    before = set(of(a.before))
    return [key for key in dict.fromkeys(of(a.now)) if key in before and (not a.only or key[0] in a.only)]


def count(program, key, repeat):
    op, variant, connectivity = key
    if op == "windows":
        return counted([program, os.path.join(ROOT, "assets"), variant, str(connectivity), str(a.size), str(repeat)])
    if op == "recipe":
        return counted([program, "--recipe", variant, "--assets", os.path.join(ROOT, "assets"), "--tile", a.tile, "--json",
                        "--size", str(a.size), "--threads", "1", "--repeat", str(repeat)])
    more = ["--op", op, "--budget-ms", "3600000"] + (["--variant", variant] if variant else []) + (["--connectivity", str(connectivity)] if connectivity else [])
    return counted(command(program, a.size, repeat, more))


def counted(arguments):
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *arguments],
                          capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr[-400:]}")
    return int(found[1].replace(",", ""))


def of_a_call(key):
    return key, *((count(program, key, MANY) - count(program, key, FEW)) / (MANY - FEW) for program in (a.before, a.now))


print(f'{"op":20} {"variant":20} {"c":>2} {"before":>14} {"now":>14} {"before/now":>11}')
below = n = 0
with ThreadPoolExecutor(a.jobs) as several:
    for (op, variant, connectivity), before, now in several.map(of_a_call, lines()):
        n += 1
        below += before / now < a.least
        print(f'{op:20} {variant or "-":20} {connectivity or "-":>2} {before:14.0f} {now:14.0f} {before / now:11.4f}', flush=True)
print(f"{below} of {n} lines below {a.least} of the base's")
sys.exit(1 if below else 0)
