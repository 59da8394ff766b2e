#!/usr/bin/env python3
"""What operations hold in memory: the workspace against what the whole process grows by, and the command line on top of both.

    python3 test/bench/memory.py --bench build/native/morpho_bench [--size 4096] [--threads 1,2] [--inputs tissue,noise,flat]
    python3 test/bench/memory.py --op [--size 4096]      # `npx morphoscope op`, every operation, by the peak of its process

Without --op: each line of the benchmark starts with an empty workspace and a peak set back to what the process holds (Linux,
/proc/self/clear_refs); what it holds more at its peak may be the workspace and nothing that grows with the image. Lines where it is
more than --slack MiB above the workspace are listed, and the exit code is 1. `measure` also holds its result.
With --op: the peak of the process in bytes a pixel, less that of the same command on 16 x 16 pixels, beside the bytes a pixel of the
input and output images. With --write the table also goes to test/bench/results/memory.md.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import results
from results import ROOT

# Freed memory goes back at once, or a later line would find it there and seem to need none.
ENVIRONMENT = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
BYTES = {"uint8": 1, "uint16": 2, "int32": 4}


def inside(a):
    over, pixels = [], a.size * a.size
    print("| op | variant | c | threads | input | workspace, B/px | process, B/px |\n|---|---|---|---|---|---|---|")
    worst = {}
    for name in a.inputs:
        command = [a.bench, "--tile", a.tile, "--json", "--size", str(a.size), "--input", name, "--threads", a.threads, "--repeat", "1", "--budget-ms", "1"]
        if a.only:
            command += ["--op", a.only]
        out = json.loads(subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout)
        for r in out["results"]:
            if r["process_bytes_per_pixel"] < 0:
                sys.exit("this system does not say what a process holds: Linux and /proc/self/clear_refs are needed")
            k = (r["op"], r["variant"])
            if k not in worst or r["workspace_bytes_per_pixel"] > worst[k]["workspace_bytes_per_pixel"]:
                worst[k] = r
            if (r["process_bytes_per_pixel"] - r["workspace_bytes_per_pixel"]) * pixels > a.slack * 2**20:
                over.append(r)
    for row in worst.values():
        print_row(row)
    print(f"\n{len(worst)} operations and variants, each where its workspace is largest; {len(over)} lines hold over {a.slack:g} MiB beside it")
    for row in over:
        print_row(row)
    return 1 if any(r["op"] != "measure" for r in over) else 0


def print_row(r):
    print(f"| {r['op']} | {r['variant'] or '–'} | {r['connectivity'] or '–'} | {r['threads']} | {r['input']} | "
          f"{r['workspace_bytes_per_pixel']:.2f} | {r['process_bytes_per_pixel']:.2f} |")


def write_npy(path, size, channels, kind):
    """Noise of 256 x 256, repeated: what is measured is memory, not speed."""
    state, block = 1, bytearray()
    for _ in range(256 * 256 * channels):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        block.append(state >> 24)
    shape = f"({size}, {size}, {channels})" if channels > 1 else f"({size}, {size})"
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head = head.ljust((10 + len(head) + 1 + 63) // 64 * 64 - 11) + "\n"
    total = size * size * channels * int(kind[2])
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
        if kind == "<i4":
            block = b"".join(v.to_bytes(4, "little") for v in block)
        for at in range(0, total, len(block)):
            file.write(bytes(block[: total - at]))


def peak_of(command):
    """Bytes at the peak of a process and its exit code."""
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        print(f"failed: {' '.join(command)}\n{said}", file=sys.stderr)
    return usage.ru_maxrss * 1024, status


def outside(a):
    program = ["node", os.path.join(ROOT, "app", "cli", "morphoscope.cjs"), "op"]
    script = "const { ops } = await import(process.argv[1]); console.log(JSON.stringify(ops()))"
    bundle = os.path.join(ROOT, "build", "memory-ops.mjs")
    build = ("const { buildSync } = require('esbuild'); buildSync({ entryPoints: ['native/index.ts'], bundle: true, platform: 'node', format: 'esm', "
             "outfile: process.argv[1], logLevel: 'error' })")
    subprocess.run(["node", "-e", build, bundle], cwd=ROOT, check=True)
    listed = json.loads(subprocess.run(["node", "--input-type=module", "-e", script, bundle], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    print("| op | inputs, B/px | outputs, B/px | process, B/px |\n|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for size in (16, a.size):
            for name, channels, kind in (("uint8", 1, "|u1"), ("int32", 1, "<i4"), ("colour", 4, "|u1")):
                write_npy(os.path.join(folder, f"{name}-{size}.npy"), size, channels, kind)
        for op in listed:
            if a.only and op["name"] not in a.only.split(","):
                continue
            peaks, output_bytes, input_bytes = [], 0, 0
            for size in (16, a.size):
                command, input_bytes = program + [op["name"]], 0
                for slot in op["inputs"]:
                    if not slot["optional"]:
                        name = "colour" if slot["channels"] == 4 else slot["types"][0]
                        command += [f"--{slot['name']}", os.path.join(folder, f"{name}-{size}.npy")]
                        input_bytes += 4 if name == "colour" else BYTES[name]
                for param in op["params"]:
                    if param["required"]:
                        command += [f"--{param['name']}", param["choices"][0] if param["kind"] == "choice" else "10"]
                for i, slot in enumerate(op["outputs"]):
                    command += ["--out" if i == 0 else f"--out-{slot['name']}", os.path.join(folder, f"out-{i}.npy")]
                peak, status = peak_of(command)
                failed += status != 0
                peaks.append(peak)
            for i in range(len(op["outputs"])):
                path = os.path.join(folder, f"out-{i}.npy")
                output_bytes += os.path.getsize(path) if os.path.exists(path) else 0
                if os.path.exists(path):
                    os.remove(path)
            pixels = a.size * a.size
            print(f"| {op['name']} | {input_bytes} | {output_bytes / pixels:.0f} | {(peaks[1] - peaks[0]) / pixels:.1f} |", flush=True)
    return 1 if failed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=os.path.join(ROOT, "build", "native", "morpho_bench"))
    p.add_argument("--tile", default=os.path.join(ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
    p.add_argument("--size", type=int, default=4096)
    p.add_argument("--threads", default="1,2")
    p.add_argument("--inputs", type=lambda t: t.split(","), default=["tissue", "noise", "flat"])
    p.add_argument("--only", default="", help="operations, separated by commas")
    p.add_argument("--slack", type=float, default=2, help="MiB: threads' stacks, pages")
    p.add_argument("--op", action="store_true", help="the command line's processes instead")
    p.add_argument("--write", action="store_true", help="also write the table to test/bench/results/memory.md")
    a = p.parse_args()
    if a.write and a.only:
        p.error("--write is for the whole table: leave --only out")
    with results.recorded(a.write, "memory.md", "What operations hold in memory", f"{'The command line' if a.op else 'The operations'}, {a.size}²"):
        return outside(a) if a.op else inside(a)


if __name__ == "__main__":
    sys.exit(main())
