#!/usr/bin/env python3
"""Scores the bundled recipes on annotated tiles, at 0.25 um/px and at 0.5 um/px (labels enlarged by 2 before scoring).

    python3 test/bench/quality.py build/native/recipe_score TILES_DIR SCORE_PY [recipe id]... [stage.key=value]... [--write]

recipe_score: cmake --build build/native --target recipe_score. TILES_DIR holds manifest.json; SCORE_PY scores label images against it (pixel Dice,
AJI, PQ, F1; its lines are "<tile> dice D aji A pq P f1 F"). Needs python3-numpy and python3-opencv. Speed is one thread's, reading left out.
--write puts the tables into test/bench/results/quality.md; all recipes at their defaults alone may be written.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import results

RECIPES = ["he-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"]
UM = [0.25, 0.5]
MEASURES = ["dice", "aji", "pq", "f1"]


def tiles_of(folder):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        return [t for t in json.load(file)["tiles"] if t["set"].startswith("MoNuSeg")]


def scored(a, recipe, um, rows, changes):
    """What recipe_score says of itself, and each tile's (dice, aji, pq, f1)."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for t in rows:
            image = cv2.imread(os.path.join(a.tiles, t["image"]))[:, :, ::-1]
            if um == 0.5:
                image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            pairs.append((os.path.join(folder, f"in_{t['id']}.npy"), os.path.join(folder, f"{t['id']}.npy")))
            np.save(pairs[-1][0], np.ascontiguousarray(image))
        spec = os.path.join(results.ROOT, "assets", "recipes", f"{recipe}.json")
        images = [path for pair in pairs for path in pair]
        told = subprocess.run([a.recipe_score, spec, str(um), *changes, *images], check=True, capture_output=True, text=True).stdout.strip()
        if um == 0.5:
            for _, labels in pairs:
                np.save(labels, np.load(labels).repeat(2, 0).repeat(2, 1))
        table = subprocess.run([sys.executable, a.score, a.tiles, folder, "--only", "MoNuSeg"], check=True, capture_output=True, text=True).stdout
    found = {}
    for t in rows:
        line = re.search(re.escape(t["id"]) + r"\s+(.*)", table)
        found[t["id"]] = tuple(float(re.search(rf"\b{m} ([\d.]+)", line[1], re.I)[1]) for m in MEASURES)
    return told, found


def said(values, measures=4):
    return " / ".join(f"{v:.3f}" for v in list(values)[:measures])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("recipe_score")
    p.add_argument("tiles")
    p.add_argument("score")
    p.add_argument("what", nargs="*", help="recipes, and values that are changed; all recipes where none is named")
    p.add_argument("--write", action="store_true", help="also write the tables to test/bench/results/quality.md")
    a = p.parse_args()
    changes = [w for w in a.what if "=" in w]
    recipes = [w for w in a.what if "=" not in w] or RECIPES
    if a.write and a.what:
        p.error("--write is for all recipes at their defaults: leave recipes and values out")
    rows = tiles_of(a.tiles)
    got = {(recipe, um): scored(a, recipe, um, rows, changes) for recipe in recipes for um in UM}
    with results.recorded(a.write, "quality.md", "How good the bundled recipes are", "By recipe"):
        print(f"Means of {len(rows)} tiles.\n")
        print("| recipe | 0.25 µm/px: Dice / AJI / PQ / F1 | 0.5 µm/px: Dice / AJI / PQ / F1 | halo and speed, 0.25 | 0.5 |\n|---|---|---|---|---|")
        for recipe in recipes:
            means = [said(np.mean(list(got[recipe, um][1].values()), 0)) for um in UM]
            told = [got[recipe, um][0].split(": ", 1)[-1].replace(" on one thread", "") for um in UM]
            print(f"| {recipe} | {means[0]} | {means[1]} | {told[0]} | {told[1]} |")
    for recipe in recipes:
        with results.recorded(a.write, "quality.md", "How good the bundled recipes are", f"{recipe} by tile and organ"):
            print("| tile | Dice / AJI at 0.25 µm/px | Dice / AJI at 0.5 |\n|---|---|---|")
            for t in rows:
                print(f"| {t['id'].rsplit('_', 1)[-1]} | {said(got[recipe, 0.25][1][t['id']], 2)} | {said(got[recipe, 0.5][1][t['id']], 2)} |")
            organ_of = {t["id"]: t["organ"].split(" (")[0] for t in rows}
            for organ in sorted(set(organ_of.values())):
                of = [[v for tile, v in got[recipe, um][1].items() if organ_of[tile] == organ] for um in UM]
                print(f"| {organ} (mean of {len(of[0])}) | {said(np.mean(of[0], 0), 2)} | {said(np.mean(of[1], 0), 2)} |")


if __name__ == "__main__":
    main()
