#!/usr/bin/python3
"""Ratios of Morphoscope's CPU operations to OpenCV, scikit-image and SciPy, on the same input, in turns, in one run.

    cmake -S native -B build/native && cmake --build build/native --target morpho_bench
    /usr/bin/python3 test/bench/compare_peers.py --bench build/native/morpho_bench [--size 4096] [--rounds 3] [--threads 1] [--only edt] [--write]

Times are CPU times with one thread (a busy machine stretches them least) and wall times with more; each is the median of the rounds.
The slow peers (scikit-image's reconstruction and max-tree) run on --slow-size pixels a side: Mpx/s are compared.
Peers that Debian has no package for are derived, not measured: the issue's table gives their Mpx/s beside those of OpenCV and SciPy on
the machine that it was made on; its figures are scaled by what OpenCV's operation of the same row (or else the median over the rows
that OpenCV has) reaches here.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import cv2
import numpy as np
from scipy import ndimage
from skimage import morphology, segmentation

import results

HERE = os.path.dirname(os.path.abspath(__file__))
# Mpx/s at 4096², one thread, as the issue states them; OpenCV's and SciPy's serve to scale the others.
PUBLISHED_OPENCV = {"edt": 48.5, "label8": 835.0, "label4": 430.0, "watershed_markers": 12.0, "erode_disk10": 518.0, "otsu": 4100.0}
PUBLISHED = {
    "reconstruct8": {"IWPP authors": 107, "MorphoLibJ": 38, "ITK": 22},
    "eroded8": {"IWPP authors": 63, "ITK": 14},
    "eroded4": {"IWPP authors": 42},
    "edt": {"seung-lab": 81, "DIPlib": 46, "ITK": 32},
    "max_tree8": {"Pylene": 27, "Higra": 3},
    "area_filter8": {"Pylene": 439},
    "watershed_markers": {"ITK": 8.5},
    "watershed8": {"IWPP authors": 18.5, "Pylene": 5},
    "h_maxima8": {"ITK": 21},
}
# The floor that the issue asks for: (peer, at least this ratio).
FLOORS = {("reconstruct8", "IWPP authors"): 2, ("eroded8", "IWPP authors"): 2, ("eroded4", "IWPP authors"): 2, ("edt", "seung-lab"): 2,
          ("edt", "OpenCV"): 2, ("max_tree8", "Pylene"): 2, ("watershed_markers", "OpenCV"): 4, ("watershed8", "IWPP authors"): 3,
          ("label8", "OpenCV"): 1, ("label4", "OpenCV"): 1, ("erode_disk10", "OpenCV"): 1, ("erode_square10", "OpenCV"): 1,
          ("gaussian2", "OpenCV"): 1, ("median1", "OpenCV"): 1, ("median2", "OpenCV"): 1, ("median10", "OpenCV"): 1, ("otsu", "OpenCV"): 1,
          **{(name, "OpenCV"): 1 for name in ("otsu_u16", "dilate_disk10", "open_square10", "open_disk10", "erode_line_h10", "erode_line_v10",
                                              "erode_cross10", "box_mean10", "box_mean10_u16", "threshold", "subtract", "absdiff", "resample_half", "gaussian1", "gaussian8")},
          ("area_filter8", "Pylene"): 1}


def ours_table(size):
    """name -> (morpho_bench's op, variant, connectivity)"""
    return {
        "reconstruct8": ("reconstruct", "automatic", 8), "reconstruct4": ("reconstruct", "automatic", 4),
        "eroded8": ("reconstruct_eroded", "automatic", 8), "eroded4": ("reconstruct_eroded", "automatic", 4),
        "h_maxima8": ("h_maxima", "h=40", 8), "edt": ("distance", "exact", 0),
        "label8": ("label", "", 8), "label4": ("label", "", 4),
        "watershed_markers": ("watershed_markers", "automatic", 8), "watershed8": ("watershed", "automatic", 8),
        "max_tree8": ("max_tree", "automatic", 8), "max_tree4": ("max_tree", "automatic", 4), "area_filter8": ("attribute_filter", "area", 8),
        "erode_disk10": ("erode", "disk r=10", 0), "erode_square10": ("erode", "square r=10", 0), "gaussian2": ("gaussian", "s=2", 0),
        "median1": ("median", "r=1", 0), "median2": ("median", "r=2", 0), "median10": ("median", "r=10", 0), "otsu": ("otsu", "", 0),
        "otsu_u16": ("otsu", "u16", 0), "dilate_disk10": ("dilate", "disk r=10", 0), "open_square10": ("open", "square r=10", 0),
        "open_disk10": ("open", "disk r=10", 0), "erode_line_h10": ("erode", "line_h r=10", 0), "erode_line_v10": ("erode", "line_v r=10", 0),
        "erode_cross10": ("erode", "cross r=10", 0), "box_mean10": ("box_mean", "r=10", 0), "box_mean10_u16": ("box_mean", "u16 r=10", 0), "threshold": ("threshold", "", 0),
        "subtract": ("combine", "subtract", 0), "absdiff": ("combine", "difference", 0), "resample_half": ("resample", "half", 0),
        "gaussian1": ("gaussian", "s=1", 0), "gaussian8": ("gaussian", "s=8", 0),
    }


def peers_of(f, objects, slow):
    """name -> [(peer, pixels, run)], with everything that is not the operation itself done beforehand."""
    inverted = 255 - f
    square = np.ones((3, 3), np.uint8)
    marker = np.where(f > 40, f - 40, 0).astype(np.uint8)
    seeds = ndimage.label(morphology.h_maxima(slow, 20), square)[0].astype(np.int32)
    tiles = (-(-f.shape[0] // seeds.shape[0]), -(-f.shape[1] // seeds.shape[1]))
    seeds = np.ascontiguousarray(np.tile(seeds, tiles)[: f.shape[0], : f.shape[1]])  # as dense as the real ones
    colors = cv2.merge([inverted] * 3)
    slow_marker, slow_inverted, n = np.where(slow > 40, slow - 40, 0).astype(np.uint8), 255 - slow, f.size
    slow_eroded = cv2.erode(slow, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (21, 21)))
    slow_seeds = seeds[: slow.shape[0], : slow.shape[1]]
    disk = morphology.disk(10).astype(np.uint8)
    skimage_reconstruct = lambda m, fp: ("scikit-image", slow.size, lambda: morphology.reconstruction(m, slow, footprint=fp))
    deep = f.astype(np.uint16) * 16 + (np.arange(n, dtype=np.uint32) % 16).astype(np.uint16).reshape(f.shape)  # as morpho_bench makes it
    rgba, into = cv2.merge([inverted, inverted - inverted // 8, inverted, np.full_like(f, 255)]), np.empty_like(f)
    cross = ndimage.generate_binary_structure(2, 1).astype(np.uint8)
    blurred = np.ones(f.shape, np.uint16)
    return {
        "reconstruct8": [skimage_reconstruct(slow_marker, square)], "reconstruct4": [skimage_reconstruct(slow_marker, cross)],
        "eroded8": [skimage_reconstruct(slow_eroded, square)], "eroded4": [skimage_reconstruct(slow_eroded, cross)],
        "h_maxima8": [("scikit-image", slow.size, lambda: morphology.h_maxima(slow, 40))],
        "edt": [("OpenCV", n, lambda: cv2.distanceTransform(objects, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)),
                ("SciPy", slow.size, lambda: ndimage.distance_transform_edt(objects[: slow.shape[0], : slow.shape[1]]))],
        "label8": [("OpenCV", n, lambda: cv2.connectedComponents(objects, connectivity=8)),
                   ("SciPy", n, lambda: ndimage.label(objects, square))],
        "label4": [("OpenCV", n, lambda: cv2.connectedComponents(objects, connectivity=4)), ("SciPy", n, lambda: ndimage.label(objects))],
        "watershed_markers": [("OpenCV", n, lambda: cv2.watershed(colors, seeds.copy())),
                              ("scikit-image", slow.size, lambda: segmentation.watershed(slow_inverted, slow_seeds, connectivity=2))],
        "max_tree8": [("scikit-image", slow.size, lambda: morphology.max_tree(slow, connectivity=2))],
        "max_tree4": [("scikit-image", slow.size, lambda: morphology.max_tree(slow, connectivity=1))],
        "erode_disk10": [("OpenCV", n, lambda: cv2.erode(f, disk, dst=into))],
        "erode_square10": [("OpenCV", n, lambda: cv2.erode(f, np.ones((21, 21), np.uint8), dst=into))],
        "gaussian2": [("OpenCV", n, lambda: cv2.GaussianBlur(f, (13, 13), 2.0, dst=into))],
        "median1": [("OpenCV", n, lambda: cv2.medianBlur(f, 3, dst=into))], "median2": [("OpenCV", n, lambda: cv2.medianBlur(f, 5, dst=into))],
        "median10": [("OpenCV", n, lambda: cv2.medianBlur(f, 21, dst=into))],
        "otsu": [("OpenCV", n, lambda: cv2.threshold(f, 0, 255, cv2.THRESH_OTSU))],
        "otsu_u16": [("OpenCV", n, lambda: cv2.threshold(deep, 0, 65535, cv2.THRESH_OTSU))],
        "dilate_disk10": [("OpenCV", n, lambda: cv2.dilate(f, disk, dst=into))],
        "open_square10": [("OpenCV", n, lambda: cv2.morphologyEx(f, cv2.MORPH_OPEN, np.ones((21, 21), np.uint8), dst=into))],
        "open_disk10": [("OpenCV", n, lambda: cv2.morphologyEx(f, cv2.MORPH_OPEN, disk, dst=into))],
        "erode_line_h10": [("OpenCV", n, lambda: cv2.erode(f, np.ones((1, 21), np.uint8), dst=into))],
        "erode_line_v10": [("OpenCV", n, lambda: cv2.erode(f, np.ones((21, 1), np.uint8), dst=into))],
        "erode_cross10": [("OpenCV", n, lambda: cv2.erode(f, cv2.getStructuringElement(cv2.MORPH_CROSS, (21, 21)), dst=into))],
        "box_mean10": [("OpenCV", n, lambda: cv2.blur(f, (21, 21), dst=into))],
        "box_mean10_u16": [("OpenCV", n, lambda: cv2.blur(deep, (21, 21), dst=blurred))],
        "threshold": [("OpenCV", n, lambda: cv2.threshold(f, 100, 1, cv2.THRESH_BINARY, dst=into))],
        "subtract": [("OpenCV", n, lambda: cv2.subtract(f, f, dst=into))],
        "absdiff": [("OpenCV", n, lambda: cv2.absdiff(f, f, dst=into))],
        "resample_half": [("OpenCV", n, lambda: cv2.resize(rgba, (f.shape[1] // 2, f.shape[0] // 2), interpolation=cv2.INTER_AREA))],
        "gaussian1": [("OpenCV", n, lambda: cv2.GaussianBlur(f, (7, 7), 1.0, dst=into))],
        "gaussian8": [("OpenCV", n, lambda: cv2.GaussianBlur(f, (49, 49), 8.0, dst=into))],
        "area_filter8": [], "watershed8": [],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the built morpho_bench")
    parser.add_argument("--tile", default=os.path.join(HERE, "../fixtures/oracle/tile_cmu.npy"))
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--slow-size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of ours and of OpenCV")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--write", action="store_true", help="also write the table to test/bench/results/peers.md, in place of the one of this size and so many threads")
    a = parser.parse_args()
    if a.write and a.only:
        parser.error("--write is for the whole table: leave --only out")
    cv2.setNumThreads(a.threads)
    clock = time.process_time if a.threads == 1 else time.perf_counter
    field = "cpu_ms" if a.threads == 1 else "ms"
    base = [a.bench, "--tile", a.tile, "--size", str(a.size), "--input", "tissue", "--format", "json", "--repeat", "2", "--threads", str(a.threads)]

    with tempfile.TemporaryDirectory() as folder:
        raw = os.path.join(folder, "input.raw")
        subprocess.run(base + ["--only", "threshold", "--dump", raw], check=True, stdout=subprocess.DEVNULL)
        f, objects = (np.fromfile(path, np.uint8).reshape(a.size, a.size) for path in (raw, raw + ".objects"))
    slow = np.ascontiguousarray(f[: a.slow_size, : a.slow_size])
    peers = peers_of(f, objects, slow)
    ours, theirs = {}, {}
    for name, (op, variant, connectivity) in ours_table(a.size).items():
        if a.only not in name:
            continue
        for _ in range(a.rounds):  # in turns: ours, then each peer
            command = base + ["--only", op] + (["--variant", variant] if variant else [])
            out = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            row = next(r for r in out["results"] if (r["op"], r["variant"], r["connectivity"]) == (op, variant, connectivity))
            ours.setdefault(name, []).append(a.size * a.size / 1e3 / row[field])
            for peer, pixels, run in peers[name]:
                for _ in range(2):  # the first run also pays for memory; the slow ones notice that little
                    start = clock()
                    run()
                    spent = clock() - start
                    if spent > 1:
                        break
                theirs.setdefault((name, peer), []).append(pixels / 1e6 / spent)
        print(".", end="", flush=True)
    print()
    ours = {k: float(np.median(v)) for k, v in ours.items()}
    theirs = {k: float(np.median(v)) for k, v in theirs.items()}

    scale = {n: theirs[n, "OpenCV"] / p for n, p in PUBLISHED_OPENCV.items() if (n, "OpenCV") in theirs}
    overall = float(np.median(list(scale.values()))) if scale else 1.0
    lines = [(n, p, v, "measured") for (n, p), v in theirs.items()]
    for name, table in PUBLISHED.items():
        if name in ours:
            lines += [(name, peer, mpx * scale.get(name, overall), "derived") for peer, mpx in table.items()]
    with results.recorded(a.write, "peers.md", "The CPU's operations against other libraries", f"{a.size}² of tissue, {a.threads} thread(s)", fenced=True):
        print(f"{a.size}x{a.size} tissue, {a.threads} thread(s), median of {a.rounds}; load {os.getloadavg()[0]:.1f}; OpenCV {cv2.__version__}")
        print(f"{'operation':<18} {'ours Mpx/s':>11} {'peer':<14} {'Mpx/s':>9} {'ratio':>8} {'floor':>6}  how")
        short = 0
        for name, peer, mpx, how in sorted(lines, key=lambda l: list(ours).index(l[0])):
            floor, ratio = FLOORS.get((name, peer)), ours[name] / mpx
            missed = floor is not None and ratio < floor
            short += missed
            print(f"{name:<18} {ours[name]:>11.1f} {peer:<14} {mpx:>9.1f} {ratio:>8.2f} {floor or '':>6}  {how}{'  BELOW' if missed else ''}")
        print(f"this machine over the issue's, by OpenCV: {overall:.2f} ({', '.join(f'{n} {s:.2f}' for n, s in scale.items())}); {short} below their floor")
    if a.json:
        with open(a.json, "w") as out:
            json.dump({"ours": ours, "peers": [{"op": n, "peer": p, "mpx_per_s": v, "how": h} for n, p, v, h in lines]}, out, indent=1)


if __name__ == "__main__":
    main()
