#!/usr/bin/env python3
"""How well an object's score, and what it is made of, orders right objects before wrong ones: quality.md's "A score of each object".

    python3 test/bench/quality_score.py build/native/recipe_score TILES_DIR

An object is right where its IoU with some true nucleus is 0.5 and more; AUC is the share of pairs of a right and a wrong one that a figure puts in
order. Combinations are set by hand and fitted on nothing. 16 MoNuSeg tiles and DSB2018's open ones (two halved) through he-nuclei, the two DeepLIIF
tiles that are outlined on the image itself through ihc-nuclei, at their defaults. Needs python3-numpy, python3-opencv. MoNuSeg and DeepLIIF are not
free to ship: their numbers judge.
"""
import argparse
import os
import subprocess
import tempfile

import numpy as np

import results
from quality_families import tiles_of

SETS = [("16 MoNuSeg tiles", "MoNuSeg", "he-nuclei", None), ("DSB2018", "DSB2018", "he-nuclei", None),
        ("DeepLIIF, IHC", "DeepLIIF", "ihc-nuclei", ("_6_2", "799_2"))]


def ramp(values, none, full):
    return np.clip((values - none) / (full - none), 0, 1)


FIGURES = {
    "contrast": lambda f: f["contrast"],
    "solidity": lambda f: f["solidity"],
    "ellipse fit": lambda f: f["ellipse_fit"],
    "circularity": lambda f: f["circularity"],
    "area": lambda f: f["area"],
    "mean of contrast to 2 and solidity 0.8 to 0.95: the score": lambda f: f["score"],
    "their product": lambda f: ramp(f["contrast"], 0, 2) * ramp(f["solidity"], 0.8, 0.95),
    "the lesser of them": lambda f: np.minimum(ramp(f["contrast"], 0, 2), ramp(f["solidity"], 0.8, 0.95)),
    "mean of contrast to 1.5 and solidity 0.8 to 1": lambda f: ramp(f["contrast"], 0, 1.5) + ramp(f["solidity"], 0.8, 1),
    "mean of contrast to 2 and ellipse fit 0.8 to 1": lambda f: ramp(f["contrast"], 0, 2) + ramp(f["ellipse_fit"], 0.8, 1),
}


def auc(values, right):
    """Of equal values half counts."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    good = right.sum()
    return (ranks[right].sum() - good * (good + 1) / 2) / (good * (len(right) - good))


def best_overlap(found, truth):
    """Of each found object its IoU with the nucleus that it shares most with by that measure."""
    columns = int(truth.max()) + 1
    shared = np.bincount((found.astype(np.int64) * columns + truth).ravel(), minlength=(int(found.max()) + 1) * columns).reshape(-1, columns)
    union = shared.sum(1, keepdims=True) + shared.sum(0, keepdims=True) - shared
    return (shared / np.maximum(union, 1))[1:, 1:].max(1)


def measured(recipe_score, recipe, tiles):
    """What the engine says of every object of the tiles, by name, and whether it is right."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(os.path.join(folder, f"in_{t['id']}.npy"), os.path.join(folder, f"{t['id']}.npy")) for t in tiles]
        for t, (image, _) in zip(tiles, pairs):
            np.save(image, t["rgb"])
        spec = os.path.join(results.ROOT, "assets", "recipes", f"{recipe}.json")
        subprocess.run([recipe_score, spec, "0.25", *[p for pair in pairs for p in pair]], check=True, capture_output=True)
        rows = [np.genfromtxt(labels + ".csv", delimiter=",", names=True) for _, labels in pairs]
        right = [best_overlap(np.load(labels), t["truth"]) >= 0.5 for t, (_, labels) in zip(tiles, pairs)]
    return np.concatenate(rows), np.concatenate(right)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("recipe_score")
    p.add_argument("tiles")
    a = p.parse_args()
    sets = []
    for name, prefix, recipe, only in SETS:
        tiles = [t for t in tiles_of(a.tiles, prefix) if only is None or t["id"].endswith(only)]
        rows, right = measured(a.recipe_score, recipe, tiles)
        sets.append((f"{name}: {len(right)} objects, {100 * right.mean():.0f} % right", rows, right))
    print("| AUC of | " + " | ".join(name for name, _, _ in sets) + " |\n|---" + "|---" * len(sets) + "|")
    for name, figure in FIGURES.items():
        print(f"| {name} | " + " | ".join(f"{auc(figure(rows), right):.3f}" for _, rows, right in sets) + " |")
    print("\n| score | " + " | ".join(f"{name.split(':')[0]}: objects, right" for name, _, _ in sets) + " |\n|---" + "|---" * len(sets) + "|")
    for low, high in [(0, 40), (40, 60), (60, 80), (80, 101)]:
        cells = []
        for _, rows, right in sets:
            inside = (rows["score"] >= low) & (rows["score"] < high)
            cells.append(f"{inside.sum()}, {100 * right[inside].mean():.0f} %" if inside.any() else "0")
        print(f"| {low} to {min(high, 101) - 1} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
