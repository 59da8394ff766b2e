"""A picture of who worked when: region_bench's --timeline files as SVG, a row for each hand, coloured by what it did.
    python3 test/bench/timeline.py FILE.csv… > picture.svg         several files stand below each other, on one scale
A visit's three parts (pixels are read; the device computes, its copies included; they are written) are three shades of the
step's colour; gaps are idle time."""
import csv
import html
import os
import sys

HUES = {"reconstruct": 210, "propagate": 30, "distance": 150, "columns": 50, "label": 280, "max-tree": 330}
ROW, LEFT, WIDTH = 7, 150, 900


def rows_of(path):
    with open(path) as f:
        visits = [(r["device"], r["step"], int(r["hand"]), *(float(r[k]) for k in ("from_ms", "read_ms", "computed_ms", "to_ms"))) for r in csv.DictReader(f)]
    return visits, sorted({v[2] for v in visits})


def main(paths):
    files = [(path, *rows_of(path)) for path in paths]
    end = max(v[-1] for _, visits, _ in files for v in visits)
    scale, y, body = WIDTH / end, 20, []
    steps = sorted({v[1] for _, visits, _ in files for v in visits})
    for path, visits, hands in files:
        name = os.path.basename(path).removesuffix(".csv")
        body.append(f'<text x="0" y="{y + 10}">{html.escape(name)}</text>')
        body.append(f'<text x="0" y="{y + 24}" fill="#666">{max(v[-1] for v in visits):.0f} ms, {len(hands)} hands</text>')
        for step in steps:
            for part, light in enumerate((75, 35, 55)):
                path_of = "".join(
                    f"M{LEFT + v[3 + part] * scale:.1f} {y + hands.index(v[2]) * ROW + ROW // 2}h{max(0.2, (v[4 + part] - v[3 + part]) * scale):.1f}"
                    for v in visits if v[1] == step and v[4 + part] > v[3 + part])
                if path_of:
                    body.append(f'<path d="{path_of}" stroke="hsl({HUES.get(step, 0)},70%,{light}%)" stroke-width="{ROW - 1}"/>')
        y += max(len(hands) * ROW, 30) + 16
    for k in range(11):
        x = LEFT + WIDTH * k / 10
        body.append(f'<text x="{x:.0f}" y="{y + 6}" text-anchor="middle">{end * k / 10:.0f}</text>')
    for k, step in enumerate(steps):
        body.append(f'<path d="M{LEFT + 150 * k} {y + 24}h14" stroke="hsl({HUES.get(step, 0)},70%,35%)" stroke-width="10"/><text x="{LEFT + 150 * k + 18}" y="{y + 28}">{step}</text>')
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {y + 40}" font-family="sans-serif" font-size="11">'
          f'<rect width="100%" height="100%" fill="white"/><text x="{LEFT}" y="12" fill="#666">ms from the call; pale: reading, dark: the device and its copies, middle: writing</text>' + "\n".join(body) + "</svg>")


if len(sys.argv) < 2:
    sys.exit(__doc__)
main(sys.argv[1:])
