"""Times this tree's gpu_bench against another commit's, by turns in one run, and prints the ratio of each line's best times.
    git archive COMMIT native cuda test/gpu test/bench test/native | tar -x -C build/base     (mkdir -p build/base first)
    python3 test/bench/gpu_against.py build/gpu/gpu_bench build/gpu-base/gpu_bench TILE.npy [rounds] [size] [op,op…]
Exit code 1 where a line is slower by more than a tenth."""
import json
import subprocess
import sys

new, base, tile = sys.argv[1:4]
rounds, size = (list(map(int, sys.argv[4:6])) + [3, 4096][len(sys.argv[4:6]):])
only = sys.argv[6].split(",") if len(sys.argv) > 6 else []
LINES = [
    ['--op', 'reconstruct,watershed,max_tree,max_tree_parents,distance', '--variant', 'automatic,exact', '--connectivity', '8'],
    ['--op', 'label,area_open,h_maxima,erode,box_mean,median,gaussian,measure,choose_labels,histogram'],
]


def times(program):
    found = {}
    for line in LINES:
        ops = [op for op in line[1].split(',') if not only or op in only]
        if not ops:
            continue
        line = ['--op', ','.join(ops), *line[2:]]
        done = subprocess.run([program, '--tile', tile, '--sizes', str(size), '--input', 'tissue', '--repeat', '7', '--again', '1', '--compare-up-to', '0',
                               '--format', 'json', *line], capture_output=True, text=True)
        if done.returncode == 69:
            print(done.stderr.strip())
            sys.exit(69)
        try:
            results = json.loads(done.stdout)['results']
        except ValueError:
            sys.exit(f'{program} {" ".join(line)} ended with {done.returncode}: {done.stderr[-500:]}')
        for r in results:
            found[(r['op'], r['variant'], r['connectivity'])] = r['ms']
    return found


runs = {new: [], base: []}
for turn in range(rounds):
    for program in (new, base) if turn % 2 else (base, new):
        runs[program].append(times(program))
slower = 0
print(f'{"op":20} {"variant":18} {"c":>2} {"before ms":>10} {"now ms":>10} {"now/before":>11}')
for key in runs[base][0]:
    if key not in runs[new][0]:
        continue
    before, now = (min(r[key] for r in runs[p]) for p in (base, new))
    slower += now > 1.1 * before and now - before > 0.01
    print(f'{key[0]:20} {key[1]:18} {key[2]:2} {before:10.3f} {now:10.3f} {now / before:11.3f}')
print(f'{slower} lines slower by more than a tenth, of the best of {rounds} runs each by turns')
sys.exit(1 if slower else 0)
