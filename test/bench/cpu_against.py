"""Times this tree's morpho_bench against another commit's, by turns in one run: every operation and variant on tissue, one thread.
    git archive COMMIT native cuda test/gpu test/bench test/native | tar -x -C build/base     (mkdir -p build/base first; build its morpho_bench)
    python3 test/bench/cpu_against.py build/native/morpho_bench build/base-build/morpho_bench [--size 4096] [--least 0.97] [--rounds 2] [--again 4]
        [--control build/base-copy] [--minutes 9]
Prints before, now and before/now of each line's best times. Lines below --least are measured again, up to --again times or until --minutes
have passed, as a machine that does other things as well makes single lines slow; exit code 1 where one stays below. --control is a copy of
the base under another name, which takes its turn with the two and is measured again like this tree's: what its column says is the noise."""
import argparse
import json
import os
import subprocess
import sys
import time

from cpu_table import GROUPS, ROOT

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("now")
p.add_argument("before")
p.add_argument("--tile", default=os.path.join(ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
p.add_argument("--size", type=int, default=4096)
p.add_argument("--threads", type=int, default=1)
p.add_argument("--rounds", type=int, default=2)
p.add_argument("--again", type=int, default=4)
p.add_argument("--least", type=float, default=0.97)
p.add_argument("--budget-ms", type=int, default=1000, help="for the runs of one line")
p.add_argument("--only", type=lambda t: t.split(","), default=[])
p.add_argument("--control", help="a copy of the base")
p.add_argument("--minutes", type=float, default=1e9)
a = p.parse_args()
PROGRAMS = [a.before, a.now, *([a.control] if a.control else [])]
best = {program: {} for program in PROGRAMS}
# Every large buffer in pages of its own: glibc otherwise puts some into its heap, as it comes, and where two images lie to each other there
# (lines that push each other out of the cache) is worth up to 10 % of what passes over memory once.
PLACED = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072"}


def measured(program, ops, variants=()):
    more = ["--variant", ",".join(variants)] if variants else []
    command = [program, "--tile", a.tile, "--json", "--repeat", "7", "--budget-ms", str(a.budget_ms), "--size", str(a.size), "--input", "tissue",
               "--threads", str(a.threads), "--op", ",".join(ops), *more]
    done = subprocess.run(command, env=PLACED, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{program} ended with {done.returncode}")
    for r in json.loads(done.stdout)["results"]:
        key = (r["op"], r["variant"], r["connectivity"])
        if r["result"].startswith("WRONG"):
            sys.exit(f"{program}: {key} {r['result']}")
        best[program][key] = min(best[program].get(key, 1e9), r["ms"])


turn = 0


def turns(n, ops, variants=()):
    """Each time another program first: whoever follows an idle moment, or a neighbour's work, is another one."""
    global turn
    for _ in range(n):
        turn += 1
        order = PROGRAMS[turn % len(PROGRAMS):] + PROGRAMS[:turn % len(PROGRAMS)]
        for program in order if turn % 2 else reversed(order):
            measured(program, ops, variants)


def ratio(key, program=a.now):
    return best[a.before][key] / best[program][key]


def is_slow(key):
    """Of this tree or of the control: both are given as many tries."""
    return key in best[a.before] and any(key in best[p] and ratio(key, p) < a.least for p in PROGRAMS[1:])


begun = time.monotonic()
for group in GROUPS:
    group = [op for op in group if not a.only or op in a.only]
    if not group:
        continue
    turns(a.rounds, group)
    # Now, too: who is stopped before the end has seen which lines are slow so far.
    slow = [f"{op} {variant or '-'} {c or '-'} {ratio((op, variant, c)):.3f}" for op, variant, c in best[a.now] if op in group and (op, variant, c) in best[a.before] and ratio((op, variant, c)) < a.least]
    print(f"{' '.join(group)}: {time.monotonic() - begun:.0f} s{'; below so far: ' if slow else ''}{', '.join(slow)}", file=sys.stderr, flush=True)
for _ in range(a.again):
    slow = [key for key in best[a.now] if is_slow(key)]
    if time.monotonic() - begun > 60 * a.minutes:
        break
    for op, variant in dict.fromkeys((key[0], key[1]) for key in slow):
        if time.monotonic() - begun < 60 * a.minutes:
            turns(1, [op], [variant] if variant else [])
    print(f"again: {len(slow)} lines, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
print(f'{"op":20} {"variant":18} {"c":>2} {"before ms":>10} {"now ms":>10} {"before/now":>11}{"control" if a.control else "":>9}')
below = by_noise = 0
for key in best[a.before]:
    if key not in best[a.now]:
        print(f"{key} is no more")
        continue
    below += ratio(key) < a.least
    control = ratio(key, a.control) if a.control else None
    by_noise += control is not None and control < a.least
    print(f"{key[0]:20} {key[1] or '-':18} {key[2] or '-':>2} {best[a.before][key]:10.3f} {best[a.now][key]:10.3f} {ratio(key):11.3f}"
          + ("" if control is None else f"{control:9.3f}"))
noise = f", and {by_noise} of its copy" if a.control else ""
print(f"{below} of {len(best[a.now])} lines below {a.least} of the base's speed{noise}; "
      f"{time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}")
sys.exit(1 if below else 0)
