"""The experiments of Teodoro 2012 §5 on this machine: tile sizes, tissue, CPU variants, GPU with CPU, each beside the paper's figure.
    python3 test/bench/papers.py build/native/region_bench FILE.jsonl [--gpu gpu0] [--threads 16] [--only cores,tile]    runs them, keeps every line
    python3 test/bench/papers.py --write                       writes results/papers.md from every results/papers-*.jsonl
The images are those of region_bench (real tissue, mirrored). A line of the file is what region_bench printed, with the experiment's name."""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "test", "bench", "results", "papers.md")
K = 1024
# What the paper gives, read off its text and tables (3 Tesla M2090 and 12 Xeon cores; speedups over one core).
PAPER = {
    "tile": "Fig. 11: both GPU variants improve up to 16K x 16K tiles, and no more beyond",
    "tile distance": "Table 2, speedups: 4K 31.4, 8K 36.8, 16K 37.5, 32K 37.1",
    "tissue": "Fig. 13: the more tissue, the larger the speedup; FH up to 3.1 times SR",
    "tissue distance": "Fig. 14: the more tissue, the larger the speedup",
    "cores": "Fig. 10: tiled 7.5 times with 12 threads; not tiled: slower than one thread for most counts",
    "together": "Fig. 15: 96K x 96K in 21 s on 3 GPUs and 12 cores (16, 30, 43 times one core with 1, 2, 3 GPUs; 50 with the CPU's parallel variant; its sequential variant slows it down)",
    "together distance": "Fig. 16: 64K x 64K in 4.1 s on 3 GPUs and 12 cores (85.6 times one core)",
    "workers": "§5.2.1 keeps one thread a GPU; here several read, upload and write beside the one that computes",
}


def experiments(gpu, threads):
    """(name, options) of every call."""
    for tile in (2 * K, 4 * K, 8 * K, 16 * K):
        yield "tile", f"--op reconstruct --side {64 * K} --tile {tile} --devices {gpu} --repeat 2"
        yield "tile distance", f"--op distance --side {64 * K} --tile {tile} --devices {gpu} --repeat 2"
    for variant in ("fast-hybrid", "raster-sweeps"):
        yield "tile", f"--op reconstruct --side {32 * K} --tile {8 * K} --devices {gpu} --set variant={variant}"
    for share in (25, 50, 75, 100):
        yield "tissue", f"--op reconstruct --side {64 * K} --tile {4 * K} --share {share} --devices {gpu} --repeat 2"
        yield "tissue distance", f"--op distance --side {64 * K} --tile {4 * K} --share {share} --devices {gpu} --repeat 2"
    count = 1
    while count <= threads:
        yield "cores", f"--op reconstruct --side {16 * K} --tile {2 * K} --devices cpu --threads {count} --cpu cores"
        yield "cores", f"--op reconstruct --side {16 * K} --tile {16 * K} --devices cpu --threads {count} --cpu group"
        yield "cores", f"--op reconstruct --side {16 * K} --tile {16 * K} --devices cpu --threads {count} --cpu group --set variant=parallel-fast-hybrid"
        count *= 2
    for devices, cpu in ((gpu, "cores"), (f"{gpu},cpu", "cores"), (f"{gpu},cpu", "group"), ("cpu", "cores")):
        yield "together", f"--op reconstruct --side {96 * K} --tile {4 * K} --devices {devices} --cpu {cpu} --repeat 2"
        yield "together distance", f"--op distance --side {64 * K} --tile {4 * K} --devices {devices} --cpu {cpu} --repeat 2"
    for workers in (1, 2, 4, 8, 12):
        yield "workers", f"--op reconstruct --side {64 * K} --tile {4 * K} --devices {gpu} --workers {workers} --repeat 2"


def run(program, path, gpu, threads, commit, only):
    tissue = os.path.join(ROOT, "test", "fixtures", "oracle", "tile_cmu.npy")
    with open(path, "w") as out:
        cards = "no GPU"
        if shutil.which("nvidia-smi"):
            cards = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], stdout=subprocess.PIPE, text=True).stdout.strip().replace("\n", ", ")
        out.write(json.dumps({"machine": f"{cards}, {os.cpu_count()} cores, commit {commit}"}) + "\n")
        for name, options in experiments(gpu, threads):
            if only and name not in only:
                continue
            words = options.split()
            if "--threads" not in words:
                words += ["--threads", str(threads)]
            done = subprocess.run([program, "--tissue", tissue, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                out.write(json.dumps({"experiment": name, "options": options, "error": done.stderr.strip()}) + "\n")
                continue
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            best = min(lines, key=lambda r: r["ms"])
            out.write(json.dumps({"experiment": name, "options": options, "first_ms": lines[0]["ms"], **best}) + "\n")
            out.flush()


def write():
    out = ["# The papers' experiments", "", "Written by `python3 test/bench/papers.py --write` from `papers-*.jsonl` beside it, which `papers.py build/native/region_bench FILE.jsonl` makes.",
           "Operations on regions, host to host; the first call of a line, which opens the GPU and takes page-locked memory, and the best of its",
           "calls; Mpx/s of the best. Figures of the paper (Teodoro 2012) are those of its text and tables.", ""]
    files = {}
    for path in sorted(glob.glob(os.path.join(os.path.dirname(OUT), "papers-*.jsonl"))):
        with open(path) as f:
            head, *lines = [json.loads(line) for line in f]
        files[head["machine"]] = lines
    names = dict.fromkeys(r["experiment"] for lines in files.values() for r in lines)
    for name in names:
        out += [f"## {name}", "", f"Paper: {PAPER[name]}.", ""]
        for machine, lines in files.items():
            rows = [r for r in lines if r["experiment"] == name]
            if not rows:
                continue
            out += [f"{machine}:", "", "| call | first s | best s | Mpx/s | visits |", "|---|---:|---:|---:|---|"]
            for r in rows:
                if "error" in r:
                    out.append(f"| `{r['options']}` | {r['error']} | | | |")
                    continue
                visits = ", ".join(f"{k} {v}" for k, v in r["visits"].items())
                out.append(f"| `{r['options']}` | {r['first_ms'] / 1000:.2f} | {r['ms'] / 1000:.2f} | {r['mpx_per_s']:.0f} | {visits} |")
            out.append("")
    out += ["Not measured yet: " + "; ".join(sorted(set(PAPER) - set(names))) + " (the experiments are in the tool)." if set(PAPER) - set(names) else ""]
    with open(OUT, "w") as f:
        f.write("\n".join(out).rstrip() + "\n")


p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("program", nargs="?")
p.add_argument("file", nargs="?")
p.add_argument("--gpu", default="gpu0")
p.add_argument("--threads", type=int, default=os.cpu_count())
p.add_argument("--only", type=lambda t: t.split(","), default=[])
p.add_argument("--commit", default="unknown", help="what was built")
p.add_argument("--write", action="store_true")
a = p.parse_args()
if a.write:
    write()
elif a.file:
    run(a.program, a.file, a.gpu, a.threads, a.commit, a.only)
else:
    sys.exit(p.format_usage())
