"""A picture of who worked when: region_bench's --timeline files and a run's run.json as SVG, a row for each hand or lane, coloured by step or stage.
    python3 test/bench/timeline.py FILE.csv… RUN.json… > picture.svg         several files stand below each other, on one scale
A visit of a tile has three shades of its step's colour (pixels are read; the device computes, its copies included; they are written). A run's window has a
colour for each stage, in their order, each as long as the window's threads spent in it. Gaps are idle time."""
import csv
import html
import json
import os
import sys
from collections import namedtuple

HUES = {"reconstruct": 210, "propagate": 30, "distance": 150, "columns": 50, "label": 280, "max-tree": 330, "read": 50, "channel": 20, "threshold": 80, "split": 210,
        "objects": 280, "measure": 310, "pack": 0, "upload": 100, "stains": 20}
SHADES = (75, 35, 55)
ROW, LEFT, WIDTH = 7, 150, 900
Piece = namedtuple("Piece", "row step light begin end")


def visits_of(path):
    with open(path) as f:
        for r in csv.DictReader(f):
            times = [float(r[k]) for k in ("from_ms", "read_ms", "computed_ms", "to_ms")]
            for part, light in enumerate(SHADES):
                yield Piece(int(r["hand"]), r["step"], light, times[part], times[part + 1])


def windows_of(path):
    with open(path) as f:
        t = json.load(f)["timeline"]
    for i, lane in enumerate(t["lane"]):
        at = t["from"][i]
        # Stages of a window that several threads computed may add up to more than it took.
        spent = sum(ms[i] or 0 for ms in t["stageMs"])
        share = min(1, (t["to"][i] - at) / spent) if spent > 0 else 0
        for stage, ms in zip(t["stages"], t["stageMs"]):
            end = at + (ms[i] or 0) * share
            yield Piece(lane, stage["stage"], 45, at, end)
            at = end


def hue(step):
    return HUES.get(step, sum(map(ord, step)) * 37 % 360)


def main(paths):
    files = [(os.path.basename(p), list((windows_of if p.endswith(".json") else visits_of)(p))) for p in paths]
    scale, y, body = WIDTH / max(p.end for _, pieces in files for p in pieces), 20, []
    for name, pieces in files:
        rows = sorted({p.row for p in pieces})
        body.append(f'<text x="0" y="{y + 10}">{html.escape(name.rsplit(".", 1)[0])}</text>')
        body.append(f'<text x="0" y="{y + 24}" fill="#666">{max(p.end for p in pieces):.0f} ms, {len(rows)} at once</text>')
        paths_of = {}
        for p in pieces:
            if p.end > p.begin:
                paths_of.setdefault((p.step, p.light), []).append(
                    f"M{LEFT + p.begin * scale:.1f} {y + rows.index(p.row) * ROW + ROW // 2}h{max(0.2, (p.end - p.begin) * scale):.1f}")
        for (step, light), path in paths_of.items():
            body.append(f'<path d="{"".join(path)}" stroke="hsl({hue(step)},70%,{light}%)" stroke-width="{ROW - 1}"/>')
        y += max(len(rows) * ROW, 30) + 16
    for k in range(11):
        body.append(f'<text x="{LEFT + WIDTH * k / 10:.0f}" y="{y + 6}" text-anchor="middle">{WIDTH / scale * k / 10:.0f}</text>')
    steps = list(dict.fromkeys(p.step for _, pieces in files for p in pieces))
    for k, step in enumerate(steps):
        x = LEFT + 150 * (k % 6)
        line = y + 24 + 16 * (k // 6)
        body.append(f'<path d="M{x} {line}h14" stroke="hsl({hue(step)},70%,40%)" stroke-width="10"/><text x="{x + 18}" y="{line + 4}">{html.escape(step)}</text>')
    y += 40 + 16 * ((len(steps) - 1) // 6)
    note = "ms from the call; of a tile: pale reading, dark the device and its copies, middle writing"
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {y}" font-family="sans-serif" font-size="11">'
          f'<rect width="100%" height="100%" fill="white"/><text x="{LEFT}" y="12" fill="#666">{note}</text>' + "\n".join(body) + "</svg>")


if len(sys.argv) < 2:
    sys.exit(__doc__)
main(sys.argv[1:])
