"""Operations on images larger than memory, right by what must hold: `morphoscope op NAME --tile` on 65536 x 65536 px of tissue.
    /usr/bin/python3 test/bench/large_regions.py TILE.png FOLDER [--side 65536] [--tiles 4096,3000] [--memory 4G] [--threads 2] [--ops reconstruct,distance,label,area-open]
Needs numpy, OpenCV (to read the PNG, and to count components by an independent program) and 40 GB in FOLDER; the program must be built (dist).
The image is a square of the tile, mirrored until it is full. What is checked, in strips:
  reconstruct  the result is that of one period, mirrored: a mirror line is a neighbour of itself, so that the region's sides change nothing
  distance     the same; and brute force on 2000 pixels
  label        0 where the image is; equal on neighbours; numbered in raster order of first pixels; as many as OpenCV counts strip by strip
  area-open    periods with a frame of 0 know nothing of each other: the result is that of one period
and for every operation the same bytes for all tiles. Prints seconds and peak memory of each call."""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import threading
import time

import cv2
import numpy as np
from numpy.lib.format import open_memmap

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("tile")
p.add_argument("folder")
p.add_argument("--side", type=int, default=65536)
p.add_argument("--period", type=int, default=512)
p.add_argument("--tiles", type=lambda t: [int(v) for v in t.split(",")], default=[4096, 3000])
p.add_argument("--memory", default="4G")
p.add_argument("--threads", type=int, default=2)
p.add_argument("--ops", type=lambda t: t.split(","), default=["reconstruct", "distance", "label", "area-open"])
a = p.parse_args()
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRIP = 2048
os.makedirs(a.folder, exist_ok=True)
if a.side % (2 * a.period) or a.side % STRIP:
    sys.exit("expected a side that is a multiple of 2048 and of two periods")


def path(name):
    return os.path.join(a.folder, name + ".npy")


def grey():
    g = 255 - cv2.imread(a.tile, cv2.IMREAD_GRAYSCALE)[: a.period, : a.period]
    if g.shape != (a.period, a.period):
        sys.exit(f"expected a tile of at least {a.period} px a side")
    return g


def mirrored_rows(period):
    """Strip by strip: (first row, rows)."""
    pair = np.concatenate([period, period[::-1]])
    pair = np.concatenate([pair, pair[:, ::-1]], axis=1)
    row_of = np.tile(pair, (1, a.side // pair.shape[1]))
    for y in range(0, a.side, STRIP):
        yield y, np.concatenate([row_of] * (STRIP // len(row_of))) if STRIP >= len(row_of) else row_of[y % len(row_of) : y % len(row_of) + STRIP]


def write(name, period):
    if os.path.exists(path(name)):
        return
    out = open_memmap(path(name), "w+", period.dtype, (a.side, a.side))
    for y, rows in mirrored_rows(period):
        out[y : y + STRIP] = rows
    del out


def call(op, tile, out, **files_and_params):
    words = ["node", os.path.join(ROOT, "dist", "cli.mjs"), "op", op, "--out", out, "--overwrite", "--json", "--threads", str(a.threads)]
    if tile:
        words += ["--tile", str(tile), "--memory", a.memory]
    for k, v in files_and_params.items():
        words += ["--" + k, str(v)]
    begun = time.time()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    peak = [0.0]

    def watch():  # rusage counts what this process had when it forked
        while child.returncode is None:
            try:
                with open(f"/proc/{child.pid}/status") as f:
                    peak[0] = max([peak[0], *(int(line.split()[1]) / 2**20 for line in f if line.startswith("VmHWM"))])
            except OSError:
                return
            time.sleep(0.05)

    threading.Thread(target=watch, daemon=True).start()
    text = child.communicate()[0]
    if child.returncode:
        sys.exit(f"{' '.join(words)} ended with {child.returncode}")
    return json.loads(text), time.time() - begun, peak[0]


def digest(name):
    sha = hashlib.sha256()
    with open(name, "rb") as f:
        while block := f.read(1 << 24):
            sha.update(block)
    return sha.hexdigest()


def one_period(op, **files_and_params):
    """The untiled operation on one period."""
    arrays = {k: v for k, v in files_and_params.items() if isinstance(v, np.ndarray)}
    given = dict(files_and_params)
    for k, v in arrays.items():
        np.save(path("period-" + k), v)
        given[k] = path("period-" + k)
    call(op, None, path("period-out"), **given)
    return np.load(path("period-out"))


def expect_mirrored(name, period):
    got = np.load(name, mmap_mode="r")
    for y, rows in mirrored_rows(period):
        if not np.array_equal(got[y : y + STRIP], rows):
            sys.exit(f"{name}: rows {y} to {y + STRIP} are not the period's")
    return "every pixel is the period's"


def check_distance(name, binary_name):
    got, image = np.load(name, mmap_mode="r"), np.load(binary_name, mmap_mode="r")
    rng = np.random.default_rng(7)
    for _ in range(2000):
        y, x = (int(v) for v in rng.integers(0, a.side, 2))
        d = int(got[y, x])
        r = int(np.ceil(np.sqrt(d))) + 1
        y0, x0 = max(0, y - r), max(0, x - r)
        zy, zx = np.nonzero(image[y0 : y + r + 1, x0 : x + r + 1] == 0)
        if ((zy + y0 - y) ** 2 + (zx + x0 - x) ** 2).min() != d:
            sys.exit(f"{name}: distance at {x},{y}")


def check_labels(name, binary_name, count):
    got, image = np.load(name, mmap_mode="r"), np.load(binary_name, mmap_mode="r")
    seen, before, parts, parent, cv_before = 0, None, 0, {}, None

    def root(v):
        while parent.get(v, v) != v:
            v = parent[v]
        return v

    for y in range(0, a.side, STRIP):
        labels, rows = np.asarray(got[y : y + STRIP]), np.asarray(image[y : y + STRIP])
        if ((labels != 0) != (rows != 0)).any():
            sys.exit(f"{name}: background near row {y}")
        whole = labels if before is None else np.concatenate([before[None], labels])
        for u, v in ((whole[:, 1:], whole[:, :-1]), (whole[1:], whole[:-1]), (whole[1:, 1:], whole[:-1, :-1]), (whole[1:, :-1], whole[:-1, 1:])):
            if ((u != v) & (u != 0) & (v != 0)).any():
                sys.exit(f"{name}: neighbours differ near row {y}")
        top = np.maximum.accumulate(np.concatenate([[seen], labels.ravel()]))
        if (np.diff(top) > 1).any():
            sys.exit(f"{name}: not in raster order near row {y}")
        seen, before = int(top[-1]), labels[-1].copy()
        del top, whole, labels
        n, cv_labels = cv2.connectedComponents(rows, connectivity=8, ltype=cv2.CV_32S)
        first, last = cv_labels[0].astype(np.int64), cv_labels[-1].astype(np.int64)
        first, last = np.where(first > 0, first + parts, 0), np.where(last > 0, last + parts, 0)
        if cv_before is not None:
            for s in (-1, 0, 1):
                u = cv_before[max(0, s) : a.side + min(0, s)]
                v = first[max(0, -s) : a.side + min(0, -s)]
                both = (u > 0) & (v > 0)
                for i, j in np.unique(np.stack([u[both], v[both]], 1), axis=0):
                    i, j = root(int(i)), root(int(j))
                    if i != j:
                        parent[max(i, j)] = min(i, j)
        parts, cv_before = parts + n - 1, last
    if not seen == count == parts - len(parent):
        sys.exit(f"{name}: {seen} labels, {count} told, OpenCV has {parts - len(parent)}")
    return f"{count} components, as OpenCV counts"


def main():
    g = grey()
    binary = (g > g.mean()).astype(np.uint8)
    framed = g.copy()
    framed[[0, -1]] = 0
    framed[:, [0, -1]] = 0
    marker = np.where(np.arange(g.size).reshape(g.shape) % 997 == 0, g, 0).astype(np.uint8)
    for op in a.ops:
        if op == "reconstruct":
            write("mask", g), write("marker", marker)
            given = {"marker": path("marker"), "mask": path("mask")}
            expected = one_period(op, marker=marker, mask=g)
        elif op == "area-open":
            write("framed", framed)
            given = {"image": path("framed"), "area": 300}
            expected = one_period(op, image=framed, area=300)
        else:
            write("binary", binary)
            given = {"image": path("binary")}
            expected = one_period(op, image=binary) if op == "distance" else None
        sums = set()
        for tile in a.tiles:
            if os.path.exists(path("out")):
                os.remove(path("out"))
            report, seconds, gib = call(op, tile, path("out"), **given)
            sums.add(digest(path("out")))
            said = ""
            if len(sums) == 1 and tile == a.tiles[0]:
                if op == "label":
                    said = check_labels(path("out"), path("binary"), int(report["scalars"]["count"]))
                else:
                    said = expect_mirrored(path("out"), expected)
                if op == "distance":
                    check_distance(path("out"), path("binary"))
            print(f"{op} {a.side} x {a.side}, tile {tile}: {seconds:.1f} s, {report['ms'] / 1000:.1f} s of it computing, peak {gib:.2f} GiB, "
                  f"{json.dumps(report['visits'])} {said}", flush=True)
        if len(sums) != 1:
            sys.exit(f"{op}: tiles give different results")
        for name in given.values():
            if str(name).endswith(".npy") and (op != "distance" or "label" not in a.ops):
                os.remove(name)
        print(f"{op}: one SHA-256 {sums.pop()}", flush=True)


main()
