#!/usr/bin/env python3
"""What choosing among candidates would give H&E nuclei, before any of it is in the engine: quality.md's "What choosing among candidates would give".

    python3 test/bench/quality_families.py build/native/recipe_score TILES_DIR [--families "NAME;NAME"] [--losses]

Each family is a set of candidate outlines of each tile: the engine's objects under several parameters (levels of the threshold, depths of the
markers), unions of their pieces cut between concave points, or outlines found around blobs. Features of every candidate, a scorer of its IoU with
the nearest truth, fitted leave-one-organ-out (boosted trees; 8 features, each by itself, squared and above its mean: "linear"; the latter on DSB2018's open tiles too),
and the best that do not overlap. "Ceiling" is the same choice by the true IoU. --losses says what today's objects lose to what.
Needs (Debian) python3-numpy, -opencv, -scipy, -sklearn; minutes a family on one core (OMP_NUM_THREADS=1 where others
compute too). MoNuSeg is NC: its numbers judge, none of them ships.
"""
import argparse
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np

import results

SPEC = os.path.join(results.ROOT, "assets", "recipes", "he-nuclei.json")
LEVELS, DEPTHS = (0.7, 0.9, 1.05, 1.3, 1.6), (0.05, 0.15, 0.5, 50)
NAMES = ["ellipticity", "roundness", "edge mean", "edge low", "ring", "above envelope", "log area", "ring red", "edge median", "edge red", "above mean",
         "blob", "texture", "texture red", "elongation", "eosin", "darkness"]
EIGHT = slice(0, 8)


def settings(levels, depths, contrast):
    return [[f"threshold.level={a}", f"split.depth={b}", f"objects.minContrast={contrast}"] for a in levels for b in depths]


FAMILIES = {
    "today's objects, accepted by score": settings([1.05], [0.15], 0.4),
    "4 depths": settings([1.05], DEPTHS, 0.4),
    "3 levels": settings((0.7, 1.05, 1.6), [0.15], 0.4),
    "3 levels, today's acceptance": settings((0.7, 1.05, 1.6), [0.15], 0.8),
    "5 levels": settings(LEVELS, [0.15], 0.4),
    "5 levels x 4 depths": settings(LEVELS, DEPTHS, 0.4),
}


def tiles_of(folder, prefix):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        found = [t for t in json.load(file)["tiles"] if t["set"].startswith(prefix)]
    for t in found:
        t["rgb"] = np.ascontiguousarray(cv2.imread(os.path.join(folder, t["image"]))[:, :, :3][:, :, ::-1])
        t["truth"] = cv2.imread(os.path.join(folder, t["mask"]), -1).astype(np.int32)
        if t["median_area_px"] > 1000:  # DSB2018's tissue, of an unknown scale: nuclei as large as at 0.25 um/px
            t["rgb"], t["truth"] = cv2.resize(t["rgb"], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), t["truth"][::2, ::2].copy()
        # Two of the three tiles that the set calls liver look alike; the third is another slide of another tissue.
        t["group"] = t["organ"] + (t["id"][-7:] if "50-5931" in t["id"] else "")
    return found


def segmented(a, tiles, changes):
    """The engine's labels of each tile, i32."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, t in enumerate(tiles):
            files += [f"{folder}/{k}.npy", f"{folder}/{k}_labels.npy"]
            np.save(files[-2], t["rgb"])
        subprocess.run([a.recipe_score, SPEC, "0.25", *changes, *files], check=True, capture_output=True)
        return [np.load(f) for f in files[1::2]]


def pieces(labels):
    """Pixel lists (raster order) of the labels of 60 to 6000 px."""
    flat = labels.ravel()
    order = np.argsort(flat, kind="stable")
    cuts = np.nonzero(np.diff(flat[order]))[0] + 1
    return [p for p in np.split(order, cuts) if flat[p[0]] > 0 and 60 <= len(p) <= 6000]


def channels(rgb):
    """Planes that features are means of, and the slide's level of hematoxylin and of inverted red."""
    od = -np.log10((rgb.astype(np.float32) + 1) / 256)
    h = np.clip(od @ np.float32([122866, -4312, -39379]) / 65536 * 150, 0, 255).astype(np.float32)
    red = 255 - rgb[:, :, 0].astype(np.float32)

    def smooth(f, s):
        return cv2.GaussianBlur(f, (0, 0), s)

    def level(f):
        return max(1.0, cv2.threshold(np.clip(smooth(f, 1), 0, 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)[0])

    def deviation(f):
        return np.sqrt(np.maximum(0, smooth(f * f, 2) - smooth(f, 2) ** 2))

    h_level, r_level = level(h), level(red)
    low = cv2.blur(cv2.erode(smooth(h, 3), np.ones((33, 33))), (33, 33))
    mean = cv2.blur(cv2.blur(smooth(h, 1), (29, 29)), (29, 29))
    eosin = np.clip(od @ np.float32([-0.61, 1.10, -0.57]) * 150, 0, 255)
    planes = np.stack([smooth(h, 1) / h_level, smooth(red, 1) / r_level, low / h_level, mean / h_level,
                       -8 * cv2.Laplacian(smooth(h, 2), cv2.CV_32F) / h_level, deviation(h) / h_level, deviation(red) / r_level,
                       smooth(eosin, 1) / h_level, smooth(rgb.mean(2, dtype=np.float32), 1) / 255])
    return planes


def features(pixels, planes):
    """One candidate's row of NAMES: shape from moments, contrast along its outline, means inside and in a ring of 4 px around it."""
    _, height, width = planes.shape
    y, x = np.divmod(pixels, width)
    y0, x0 = max(0, y.min() - 6), max(0, x.min() - 6)
    y1, x1 = min(height, y.max() + 7), min(width, x.max() + 7)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    mask[y - y0, x - x0] = 1
    near = planes[:, y0:y1, x0:x1]
    inside = mask > 0
    ring = (cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))) > 0) & ~inside
    rim = inside & (cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=0) == 0)
    # Outwards: down the smoothed mask.
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 2)
    gy, gx = np.gradient(soft)
    ry, rx = np.nonzero(rim)
    length = np.hypot(gy[ry, rx], gx[ry, rx]) + 1e-6
    uy, ux = -gy[ry, rx] / length, -gx[ry, rx] / length

    def along(plane, step):
        yy = np.clip(np.rint(ry + step * uy).astype(int), 0, mask.shape[0] - 1)
        xx = np.clip(np.rint(rx + step * ux).astype(int), 0, mask.shape[1] - 1)
        return plane[yy, xx]

    edge, edge_red = along(near[0], -2) - along(near[0], 3), along(near[1], -2) - along(near[1], 3)
    area = len(pixels)
    cov = np.cov(np.stack([x, y]).astype(float), bias=True) + np.eye(2) / 12
    minor, major = np.linalg.eigvalsh(cov)
    means = near[:, inside].mean(1)
    around = near[:, ring].mean(1) if ring.any() else means
    return [area / (4 * np.pi * np.sqrt(np.linalg.det(cov))), rim.sum() ** 2 / area / 12.57, edge.mean(), np.quantile(edge, 0.2),
            means[0] - around[0], means[0] - means[2], np.log(area), means[1] - around[1], np.median(edge), edge_red.mean(), means[0] - means[3],
            means[4], means[5], means[6], np.sqrt(major / max(minor, 1e-3)), means[7], means[8]]


def best_iou(pixels, truth, areas):
    labels, counts = np.unique(truth.ravel()[pixels], return_counts=True)
    of = counts / (len(pixels) + areas[labels] - counts)
    return float(np.max(of[labels > 0], initial=0))


def candidates(a, tiles, changes):
    pools = [{} for _ in tiles]
    for one in changes:
        for pool, labels in zip(pools, segmented(a, tiles, one)):
            for p in pieces(labels):
                pool.setdefault((len(p), int(p.sum()), int((p * p).sum())), p)
    for t, pool in zip(tiles, pools):
        planes, areas = channels(t["rgb"]), np.bincount(t["truth"].ravel())
        t["pieces"] = list(pool.values())
        t["x"] = np.array([features(p, planes) for p in t["pieces"]])
        t["iou"] = np.array([best_iou(p, t["truth"], areas) for p in t["pieces"]])


def chosen(t, score, least):
    """From the best score down, what overlaps at most a tenth of itself with what is there; a piece is parted where its parts promise more."""
    out = np.zeros(t["truth"].size, np.int32)
    order = [k for k in np.argsort(-score, kind="stable") if score[k] > least]
    value = np.maximum(score - 0.38, 0)
    stamp = np.full(out.size, -1)

    def parts(k):
        stamp[t["pieces"][k]] = k
        found, taken, area = [], set(), len(t["pieces"][k])
        for c in order:
            p = t["pieces"][c]
            if len(p) >= 0.75 * area or stamp[p[len(p) // 2]] != k or (stamp[p] == k).mean() < 0.85:
                continue
            inside = [q in taken for q in p.tolist()] if taken else [False]
            if np.mean(inside) <= 0.1:
                found.append(c)
                taken.update(p.tolist())
        better = len(found) > 1 and sum(value[c] for c in found) > 1.3 * value[k] and len(taken) > area / 2
        return found if better else None

    count = 0
    for k in order:
        if (out[t["pieces"][k]] > 0).mean() > 0.1:
            continue
        waiting = [k]
        while waiting:
            one = waiting.pop()
            split = parts(one)
            if split:
                waiting += split
                continue
            count += 1
            p = t["pieces"][one]
            out[p[out[p] == 0]] = count
    return out.reshape(t["truth"].shape)


def scores(truth, found):
    """Dice, AJI, PQ, F1, as main/evaluate/compare.ts has them."""
    width = int(found.max()) + 1
    both = (truth > 0) & (found > 0)
    keys, n = np.unique(truth[both].astype(np.int64) * width + found[both], return_counts=True)
    a, b = keys // width, keys % width
    area_a, area_b = np.bincount(truth.ravel()), np.bincount(found.ravel())
    union = area_a[a] + area_b[b] - n
    iou = n / union
    best = {}
    for k in np.lexsort((b, iou)):
        best[a[k]] = k
    rows = list(best.values())
    alone_a, alone_b = np.setdiff1d(np.nonzero(area_a)[0], [0, *best]), np.setdiff1d(np.nonzero(area_b)[0], [0, *b[rows]])
    hits, count = iou[iou > 0.5], (area_a[1:] > 0).sum() + (area_b[1:] > 0).sum()
    return np.array([2 * n.sum() / ((truth > 0).sum() + (found > 0).sum()),
                     n[rows].sum() / (union[rows].sum() + area_a[alone_a].sum() + area_b[alone_b].sum()), 2 * hits.sum() / count, 2 * len(hits) / count])


class Trees:
    def fit(self, x, y):
        from sklearn.ensemble import HistGradientBoostingRegressor

        self.model = HistGradientBoostingRegressor(max_iter=150, learning_rate=0.08, max_leaf_nodes=16, min_samples_leaf=60).fit(x, y)
        return self

    def predict(self, x):
        return self.model.predict(x)


class Linear:
    def terms(self, x):
        z = np.clip((x[:, EIGHT] - self.mean) / self.sd, -2.5, 2.5)
        return np.c_[z, z * z, np.maximum(z, 0), np.ones(len(z))]

    def fit(self, x, y):
        self.mean, self.sd = x[:, EIGHT].mean(0), x[:, EIGHT].std(0) + 1e-6
        t = self.terms(x)
        self.w = np.linalg.solve(t.T @ t + 10 * np.eye(t.shape[1]), t.T @ y)
        return self

    def predict(self, x):
        return self.terms(x) @ self.w


def line(name, rows):
    print(f"| {name} | " + " / ".join(f"{v:.3f}" for v in np.mean(rows, 0)) + " |", flush=True)


def family(a, name, tiles, open_tiles):
    candidates(a, tiles, FAMILIES[name])
    candidates(a, open_tiles, FAMILIES[name])
    print(f"\n{name}: {np.mean([len(t['pieces']) for t in tiles]):.0f} candidates a tile\n\n| scorer | Dice / AJI / PQ / F1 |\n|---|---|")
    line("ceiling", [scores(t["truth"], chosen(t, t["iou"], 0.3)) for t in tiles])
    for word, kind in (("trees", Trees), ("linear", Linear)):
        rows = []
        for group in sorted({t["group"] for t in tiles}):
            train = [t for t in tiles if t["group"] != group]
            model = kind().fit(np.concatenate([t["x"] for t in train]), np.concatenate([t["iou"] for t in train]))
            rows += [scores(t["truth"], chosen(t, model.predict(t["x"]), 0.3)) for t in tiles if t["group"] == group]
        line(f"{word}, leave-one-organ-out", rows)
    model = Linear().fit(np.concatenate([t["x"] for t in open_tiles]), np.concatenate([t["iou"] for t in open_tiles]))
    for least in (0.3, 0.45):
        line(f"linear, of open data, above {least}", [scores(t["truth"], chosen(t, model.predict(t["x"]), least)) for t in tiles])


def losses(a, tiles):
    """AJI of today's objects, and with one kind of error put right by the truth."""
    rows = []
    for t, found in zip(tiles, segmented(a, tiles, [])):
        truth = t["truth"]
        width = int(found.max()) + 1
        keys, n = np.unique((truth.astype(np.int64) * width + found)[(truth > 0) & (found > 0)], return_counts=True)
        x, y = keys // width, keys % width
        area_t, area_f = np.bincount(truth.ravel()), np.bincount(found.ravel())
        on, covered = np.bincount(y, n, len(area_f)), np.bincount(x, n, len(area_t))
        distance, nearest = cv2.distanceTransformWithLabels((truth == 0).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
        of = np.zeros(nearest.max() + 1, np.int32)
        of[nearest[truth > 0]] = truth[truth > 0]
        nearest_truth = of[nearest]
        false = on < 0.2 * area_f
        missed = covered < 0.2 * area_t
        false[0] = missed[0] = False
        over = np.bincount(y[2 * n > area_t[x]], minlength=len(area_f)) > 1
        outlined = found.copy()
        for p, q in zip(x[2 * n > area_t[x] + area_f[y] - n], y[2 * n > area_t[x] + area_f[y] - n]):
            outlined[outlined == q] = 0
            outlined[(truth == p) & (outlined == 0)] = q
        split = np.where((found > 0) & (distance <= 6), nearest_truth, 0)
        variants = [found, np.where(false[found], 0, found), np.where((found == 0) & missed[truth], width + truth, found),
                    np.where(over[found], width + nearest_truth, found), outlined, split]
        rows.append([scores(truth, v)[1] for v in variants])
    names = ["as it is", "false objects gone", "missed nuclei there", "merged ones parted", "hits outlined as the truth", "the mask parted as the truth"]
    print("| today's objects | AJI |\n|---|---|")
    for name, v in zip(names, np.mean(rows, 0)):
        print(f"| {name} | {v:.3f} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("recipe_score")
    p.add_argument("tiles")
    p.add_argument("--families", default="")
    p.add_argument("--losses", action="store_true")
    a = p.parse_args()
    tiles, open_tiles = tiles_of(a.tiles, "MoNuSeg"), tiles_of(a.tiles, "DSB2018")
    if a.losses:
        losses(a, tiles)
    for name in a.families.split(";") if a.families else [] if a.losses else FAMILIES:
        family(a, name, tiles, open_tiles)


if __name__ == "__main__":
    main()
