#!/usr/bin/env python3
"""Scores the bundled recipes on annotated tiles, at 0.25 um/px and at 0.5 um/px (labels enlarged by 2 before scoring).

usage: quality.py RECIPE_SCORE TILES_DIR SCORE_PY [recipe id]... [stage.key=value]...
  RECIPE_SCORE  build/native/recipe_score (cmake --build build/native --target recipe_score)
  TILES_DIR     holds manifest.json; SCORE_PY is shared/tools/score.py
needs python3-numpy and python3-opencv.
"""
import json, os, re, subprocess, sys, tempfile
import cv2
import numpy as np

def main():
    tool, tiles, score = sys.argv[1:4]
    changes = [a for a in sys.argv[4:] if '=' in a]
    recipes = [a for a in sys.argv[4:] if '=' not in a] or ['he-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection']
    here = os.path.dirname(os.path.abspath(__file__))
    rows = [t for t in json.load(open(os.path.join(tiles, 'manifest.json')))['tiles'] if t['set'].startswith('MoNuSeg')]
    for recipe in recipes:
        for um in (0.25, 0.5):
            with tempfile.TemporaryDirectory() as d:
                pairs = []
                for t in rows:
                    image = cv2.imread(os.path.join(tiles, t['image']))[:, :, ::-1]
                    if um == 0.5: image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
                    np.save(os.path.join(d, 'in_' + t['id'] + '.npy'), np.ascontiguousarray(image))
                    pairs += [os.path.join(d, 'in_' + t['id'] + '.npy'), os.path.join(d, t['id'] + '.npy')]
                spec = os.path.join(here, '..', '..', 'assets', 'recipes', recipe + '.json')
                speed = subprocess.run([tool, spec, str(um)] + changes + pairs, check=True, capture_output=True, text=True).stdout.strip()
                if um == 0.5:
                    for p in pairs[1::2]: np.save(p, np.load(p).repeat(2, 0).repeat(2, 1))
                table = subprocess.run([sys.executable, score, tiles, d, '--only', 'MoNuSeg'], check=True, capture_output=True, text=True).stdout
                print(f'## {recipe} at {um} um/px\n{speed}\n{table}')
                organs = {}
                for t in rows:
                    m = re.search(re.escape(t['id']) + r' +dice ([\d.]+) aji ([\d.]+)', table)
                    organs.setdefault(t['organ'].split(' (')[0], []).append((float(m[1]), float(m[2])))
                for organ, v in sorted(organs.items()): print('%s (%d): dice %.3f aji %.3f' % (organ, len(v), *np.mean(v, 0)))

main()
