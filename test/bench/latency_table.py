"""The table of what users wait for, of what latency.bench.ts measured last.

    npx playwright test -c test/bench/latency.config.ts      # under xvfb-run where there is no display
    python3 test/bench/latency_table.py [--write]

Needs Python's standard library alone. Reads test-results/latency-<shell>.json; --write puts the table into test/bench/results/latency.md.
"""
import argparse
import json
import os
import sys

import results

SHELLS = ["electron", "chromium"]
LINES = [
    ("page load (before the window shows) to first tile of the slide", lambda f: f"{f['loadToFirstTileMs']} ms", "< 2000 from the window"),
    *(
        (f"slider of the {stage}: {what}", lambda f, stage=stage, key=key: spread(next(v[key] for k, v in f["sliders"].items() if k.startswith(stage))), aim)
        for stage, aims in (("first stage", ("<= 150", "<= 600")), ("second stage", ("", "")), ("last stage", ("<= 60", "<= 200")))
        for what, key, aim in (("first new tile", "first", aims[0]), ("the whole field", "field", aims[1]))
    ),
    ("click to outline", lambda f: spread(f["clickMs"]), "< 300"),
    ("wand: pointer to outline", lambda f: spread(f["wandMs"]), "<= 40"),
    ("why: pointer to answer", lambda f: spread(f["whyMs"]), "<= 60"),
    ("threshold's slider: pointer to histogram", lambda f: spread(f["histogramMs"]), ""),
]


def spread(s):
    return f"{s['median']} ms ({s['worst']}; {s['n']})"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--write", action="store_true", help="also write the table to test/bench/results/latency.md")
    a = p.parse_args()
    found = {}
    for shell in SHELLS:
        path = os.path.join(results.ROOT, "test-results", f"latency-{shell}.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[shell] = json.load(file)
    if not found:
        sys.exit("no test-results/latency-*.json: run npx playwright test -c test/bench/latency.config.ts first")
    on = ", ".join(dict.fromkeys(f["machine"] for f in found.values()))
    with results.recorded(a.write, "latency.md", "What users wait for", "Latency by shell", on=on):
        print(f"Field {next(iter(found.values()))['fieldPx']} px; median (worst; how many).\n")
        print(f"| | {' | '.join(found)} | aim |\n|---|{'---|' * len(found)}---|")
        for name, of, aim in LINES:
            print(f"| {name} | {' | '.join(of(f) for f in found.values())} | {aim} |")


if __name__ == "__main__":
    main()
