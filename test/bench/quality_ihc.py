#!/usr/bin/env python3
"""Scores the IHC recipe on outlined tiles: which nuclei it finds, and the positive share that it gives.

    python3 test/bench/quality_ihc.py build/native/recipe_score TILES_DIR [--pictures DIR] [stage.key=value]...

TILES_DIR holds manifest.json with the DeepLIIF tiles, whose class images say 1 for negative and 2 for positive. Bladder1 and Lung1 are outlined on
another image of the same section: their truth is moved by (+1, +6) and (-8, 0) px, rows first, where it fits the stain best. F1 counts pairs of
IoU 0.5 and more. F1* leaves out found objects of which less than a tenth lies on any outline: many of them are nuclei that nobody outlined.
Needs python3-numpy, python3-opencv. The tiles are not free to ship: their numbers judge.
"""
import argparse
import os
import subprocess
import tempfile

import cv2
import numpy as np

import results
from quality_families import tiles_of

MOVED = {"deepliif_Bladder1": (1, 6), "deepliif_Lung1": (-8, 0)}


def moved(image, by):
    """The image moved by (rows, columns); what comes in from outside is 0."""
    out = np.zeros_like(image)
    height, width = image.shape
    dy, dx = by
    out[max(dy, 0):height + min(dy, 0), max(dx, 0):width + min(dx, 0)] = image[max(-dy, 0):height + min(-dy, 0), max(-dx, 0):width + min(-dx, 0)]
    return out


def overlaps(found, truth):
    columns = int(truth.max()) + 1
    return np.bincount((found.astype(np.int64) * columns + truth).ravel(), minlength=(int(found.max()) + 1) * columns).reshape(-1, columns)


def judged(found, positive, truth, classes):
    """Matches of IoU 0.5 and more (there is at most one a nucleus), beside what is needed of both sides."""
    shared = overlaps(found, truth)
    area, of_truth = shared.sum(1)[1:], shared.sum(0)[1:]
    inner = shared[1:, 1:]
    union = area[:, None] + of_truth[None, :] - inner
    match = inner * 2 >= union
    true_class = np.zeros(len(of_truth), int)
    for k in range(len(of_truth)):
        true_class[k] = np.bincount(classes[truth == k + 1].ravel(), minlength=3)[1:3].argmax() + 1 if of_truth[k] else 0
    on_outline = inner.sum(1) * 10 >= area
    inside = inner * 2 > of_truth[None, :]  # more than half of a nucleus in the object
    both = sum(1 for row in inside if {1, 2} <= set(true_class[row]))
    hit = match.any(0)
    return {"matches": match.sum(), "found": len(area), "starred": on_outline.sum(), "truth": len(of_truth[of_truth > 0]),
            "positives": (true_class == 2).sum(), "positives_hit": hit[true_class == 2].sum(), "negatives": (true_class == 1).sum(),
            "negatives_hit": hit[true_class == 1].sum(), "share": 100 * positive.mean() if len(area) else 0,
            "true_share": 100 * (true_class == 2).sum() / max(1, (true_class > 0).sum()), "both_stains": both,
            "merged": (inside.sum(1) > 1).sum()}


def f1(matches, found, truth):
    return 2 * matches / max(1, found + truth)


def pictured(path, rgb, found, truth, positive):
    """Found nuclei in red (positive) and blue, the truth in green; three times as large."""
    big = cv2.resize(rgb[:, :, ::-1], None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    for labels, colour_of in ((truth, lambda k: (0, 200, 0)), (found, lambda k: (40, 40, 230) if positive[k - 1] else (230, 90, 20))):
        large = labels.repeat(3, 0).repeat(3, 1)
        for k in range(1, int(labels.max()) + 1):
            lines, _ = cv2.findContours((large == k).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            cv2.drawContours(big, lines, -1, colour_of(k), 1)
    cv2.imwrite(path, big)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("recipe_score")
    p.add_argument("tiles")
    p.add_argument("changes", nargs="*")
    p.add_argument("--pictures")
    p.add_argument("--positive-above", type=float, default=0.2, help="mean DAB of a nucleus, OD")
    p.add_argument("--area-above", type=float, help="in its place: the share of a nucleus's area that is brown, %% (classes.brownAbove says which pixels are)")
    a = p.parse_args()
    tiles = tiles_of(a.tiles, "DeepLIIF")
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(f"{folder}/{k}.npy", f"{folder}/{k}_labels.npy") for k in range(len(tiles))]
        for t, (image, _) in zip(tiles, pairs):
            np.save(image, t["rgb"])
        spec = os.path.join(results.ROOT, "assets", "recipes", "ihc-nuclei.json")
        told = subprocess.run([a.recipe_score, spec, "0.25", *a.changes, *[p for pair in pairs for p in pair]], check=True, capture_output=True, text=True)
        print(told.stdout.strip())
        print("| tile | F1 | F1* | positives hit | negatives hit | merged, of both stains | share positive, truth → found |\n|---|---|---|---|---|---|---|")
        sums = []
        for t, (_, file) in zip(tiles, pairs):
            found = np.load(file)
            rows = np.atleast_1d(np.genfromtxt(file + ".csv", delimiter=",", names=True))
            positive = rows["second_stain"] > a.positive_above if a.area_above is None else rows["stained_area"] > a.area_above
            by = MOVED.get(t["id"], (0, 0))
            classes = cv2.imread(os.path.join(a.tiles, t["mask"].replace("_inst", "_class")), -1)
            truth = moved(t["truth"], by)
            r = judged(found, positive, truth, moved(classes, by))
            r["f1"], r["f1s"] = f1(r["matches"], r["found"], r["truth"]), f1(r["matches"], r["starred"], r["truth"])
            sums.append(r)
            print(f"| {t['id'][9:]} | {r['f1']:.3f} | {r['f1s']:.3f} | {r['positives_hit']} of {r['positives']} | {r['negatives_hit']} of {r['negatives']} | "
                  f"{r['merged']}, {r['both_stains']} | {r['true_share']:.1f} → {r['share']:.1f} |")
            if a.pictures:
                os.makedirs(a.pictures, exist_ok=True)
                pictured(os.path.join(a.pictures, t["id"] + ".png"), t["rgb"], found, truth, positive)
        print(f"| mean | {np.mean([r['f1'] for r in sums]):.3f} | {np.mean([r['f1s'] for r in sums]):.3f} | | | | |")


if __name__ == "__main__":
    main()
