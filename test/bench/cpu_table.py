#!/usr/bin/env python3
"""The tables of test/bench/results/cpu.md: every operation and variant at every size, with one thread and two, and the worst cases.

    cmake --build build/native --target morpho_bench
    python3 test/bench/cpu_table.py                      # measures what is missing, prints the tables
    python3 test/bench/cpu_table.py --minutes 8          # begins nothing new after 8 minutes; run it again to go on
    python3 test/bench/cpu_table.py --sizes 1024 --only label,erode
    python3 test/bench/cpu_table.py --print              # prints what is there
    python3 test/bench/cpu_table.py --write              # writes it to test/bench/results/cpu.md as well (--write=FILE: to another)

Needs Python's standard library alone. What was measured is kept in --out (build/cpu_table.json) after every run of the benchmark, each
with its commit, date and load, so that it can be stopped at any time; --again measures anew. Times are wall times, the median of up to
five runs after one to warm up, as many as fit in --budget-ms a line; where not two fit, the first run is the only one. In brackets:
pixels over the CPU time of the one thread, where it differs by more than 3 % (something else ran). Variants that are sequential by
definition are timed with two threads at 4096² alone. On the worst cases each line of the papers' variants is a run of its own, stopped
after --line-seconds and then told as "over N s": some take a sweep for each turn of a spiral, and would take hours.
"""
import argparse
import datetime
import functools
import json
import os
import subprocess
import sys
import time

import results
from results import HERE, ROOT, commit, machine, output

# One run of the benchmark each, so that little is lost when it is stopped; in the order of the table.
GROUPS = [["reconstruct"], ["reconstruct_eroded"], ["h_maxima", "h_minima", "extended_maxima", "regional_maxima"], ["fill_holes", "clear_border"], ["distance"],
          ["max_tree"], ["max_tree_nodes", "attribute_filter"], ["max_tree_sums"], ["area_open"], ["watershed"], ["watershed_markers"], ["label", "area_filter", "measure"],
          ["erode", "dilate", "open"], ["gaussian", "median", "box_mean"], ["threshold", "combine", "scale", "root", "otsu", "stain", "weights", "color_rule", "resample"]]
SEQUENTIAL = {"downhill", "priority_queue", "union_find", "flooding", "drop_of_water"}
VARIANTS = {"reconstruct", "reconstruct_eroded", "distance", "max_tree", "watershed", "watershed_markers"}  # of the worst cases: the first alone
FIRST = ["automatic", "exact"]  # what the other variants are held against
WORST_INPUTS = ["noise", "checkerboard", "flat", "serpentine", "spiral"]
THREADS_AT = 4096


def is_stale(bench):
    """True where a source of the operations is newer than the program."""
    built = os.path.getmtime(bench)
    folders = [os.path.join(ROOT, "native", "cpu"), os.path.join(ROOT, "native", "contract"), HERE]
    files = (os.path.join(at, name) for folder in folders for at, _, names in os.walk(folder) for name in names)
    return any(os.path.getmtime(file) > built for file in files if file.endswith((".cpp", ".hpp")))


def main_size(a):
    """The size whose two-thread figures stand in the main table."""
    return THREADS_AT if THREADS_AT in a.sizes else a.sizes[-1]


def save(path, kept):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(kept, file, indent=1)
    os.replace(path + ".new", path)


def key_of(row):
    return "|".join(str(row[k]) for k in ("op", "variant", "connectivity", "input", "size", "threads"))


@functools.lru_cache
def all_lines(bench):
    """What the benchmark would time, without timing it."""
    return json.loads(output(bench, "--list", "--json"))


def lines_of(a, op, name):
    return [line for line in all_lines(a.bench) if (line["op"], line["input"]) == (op, name)]


def jobs_of(a):
    """(arguments of the benchmark, keys of the lines that it gives, the one line that may be stopped), for every part of the tables."""
    groups = [[op for op in group if not a.only or op in a.only] for group in GROUPS]
    groups = [group for group in groups if group]
    variants_of = {op: list(dict.fromkeys(l["variant"] for l in lines_of(a, op, "tissue"))) for group in groups for op in group}

    def job(ops, size, name, threads, variants=None):
        args = ["--op", ",".join(ops), "--size", str(size), "--input", name, "--threads", ",".join(map(str, threads))]
        rows = [l for op in ops for l in lines_of(a, op, name) if variants is None or l["variant"] in variants]
        if size > 512 and name == "spiral":
            rows = [l for l in rows if l["variant"] not in ("raster_sweeps", "cellular_aut.")]
        keys = [key_of({**l, "size": size, "threads": t}) for l in rows for t in threads]
        return args + (["--variant", ",".join(variants)] if variants else []), keys, None

    jobs = []
    for size in a.sizes:
        for group in groups:
            slow = [v for v in variants_of[group[0]] if v in SEQUENTIAL] if group[0] in VARIANTS else []
            if slow and len(a.threads) > 1 and size != main_size(a):
                jobs.append(job(group, size, "tissue", a.threads, [v for v in variants_of[group[0]] if v not in slow]))
                # The first is what they are held against; it was timed above.
                args, keys, _ = job(group, size, "tissue", a.threads[:1], ["automatic"] + slow)
                jobs.append((args, [k for k in keys if "|automatic|" not in k], None))
            else:
                jobs.append(job(group, size, "tissue", a.threads))
    if a.worst:
        named = [op for group in groups for op in group]
        parts = [([op for op in named if op in VARIANTS - {"distance"}], ["automatic"]), ([op for op in named if op == "distance"], ["exact"]),
                 ([op for op in named if op not in VARIANTS], None)]
        for name in ["tissue"] + WORST_INPUTS:
            made = [job(ops, a.worst, name, [1], variants) for ops, variants in parts if ops]
            jobs += [j for j in made if j[1]]
        told = {k for _, keys, _ in jobs for k in keys}
        for op in (op for op in named if op in VARIANTS):
            for line in (l for name in ["tissue"] + WORST_INPUTS for l in lines_of(a, op, name) if l["variant"] not in FIRST):
                row = {**line, "size": a.worst, "threads": 1}
                args = ["--op", op, "--size", str(a.worst), "--input", line["input"], "--threads", "1", "--variant", f"{FIRST[op == 'distance']},{line['variant']}"]
                if key_of(row) not in told:
                    jobs.append((args + (["--connectivity", str(line["connectivity"])] if line["connectivity"] else []), [key_of(row)], row))
    return jobs


def measure(a, kept):
    begun, head = time.monotonic(), commit()
    jobs = jobs_of(a)
    missing = [j for j in jobs if a.again or any(k not in kept["rows"] for k in j[1])]
    print(f"{len(jobs)} runs of the benchmark, {len(missing)} to do", file=sys.stderr)
    for i, (args, keys, one) in enumerate(missing):
        if a.minutes and time.monotonic() - begun > 60 * a.minutes:
            print(f"stopped after {a.minutes} minutes: {len(missing) - i} runs to do; run it again to go on", file=sys.stderr)
            return
        load, start = os.getloadavg()[0], time.monotonic()
        command = [a.bench, "--tile", a.tile, "--json", "--repeat", str(a.repeat), "--budget-ms", str(a.budget_ms)] + args
        told = {"commit": head, "date": datetime.date.today().isoformat(), "load": round(load, 1)}
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=a.line_seconds if one else None)
        except subprocess.TimeoutExpired:
            kept["rows"][keys[0]] = {**one, **told, "copy_gb_per_s": {}, "over_s": a.line_seconds, "result": "stopped"}
            kept["seconds"] = kept.get("seconds", 0) + time.monotonic() - start
            save(a.out, kept)
            print(f"{i + 1}/{len(missing)} {' '.join(args)}: stopped after {a.line_seconds:g} s, load {load:.1f}", file=sys.stderr)
            continue
        if done.returncode not in (0, 1):
            print(f"failed with code {done.returncode}: {' '.join(command)}", file=sys.stderr)
            kept["failed"].append({"command": args, "code": done.returncode})
            save(a.out, kept)
            continue
        out = json.loads(done.stdout)
        for row in out["results"]:
            if key_of(row) in keys:
                kept["rows"][key_of(row)] = {**row, **told, "copy_gb_per_s": out["copy_gb_per_s"]}
        kept["machine"] = machine()
        kept["compiler"] = output("c++", "--version").split("\n")[0]
        kept["seconds"] = kept.get("seconds", 0) + time.monotonic() - start
        save(a.out, kept)
        print(f"{i + 1}/{len(missing)} {' '.join(args)}: {time.monotonic() - start:.1f} s, load {load:.1f}", file=sys.stderr)


def figure(value):
    return f"{value:.1f}" if value < 20 else f"{value:.0f}"


def cell(row):
    if row is None:
        return "–"
    by_cpu = row["ms"] / row["cpu_ms"] if row["threads"] == 1 and row["cpu_ms"] > 0 else 1
    return figure(row["mpx_per_s"]) + (f" [{figure(row['mpx_per_s'] * by_cpu)}]" if abs(by_cpu - 1) > 0.03 else "")


def exactness(rows):
    said = {r["result"] for r in rows}
    if any(s.startswith("WRONG") for s in said):
        return "**WRONG**"
    if rows[0]["op"] == "distance" and rows[0]["variant"] == "danielsson":
        return "off" if any(s.startswith("off") for s in said) else "here; not by definition"
    return "yes"


def title(row):
    return f"| {row['op']} | {row['variant'] or '–'} | {row['connectivity'] or '–'} |"


def in_table_order(rows):
    order = {op: i for i, op in enumerate(op for group in GROUPS for op in group)}
    seen = {}
    for row in rows:  # variants as the benchmark has them, the first of all before them
        seen.setdefault((row["op"], row["variant"]), len(seen))
    return sorted({(r["op"], r["variant"], r["connectivity"]) for r in rows},
                  key=lambda k: (order.get(k[0], 99), -k[2], k[1] != "automatic", seen[k[0], k[1]]))


def bandwidth_of(rows):
    gb = {t: sorted(r["copy_gb_per_s"][t] for r in rows if t in r["copy_gb_per_s"]) for t in ("1", "2")}
    return "memcpy: " + ", ".join(f"{v[0]:.0f} to {v[-1]:.0f} GB/s with {t} thread{'s' if t != '1' else ''}" for t, v in gb.items() if v) + ", read and written"


def tables_of(a, rows):
    """(heading, what its figures are, first line, {(op, variant, connectivity): row's text}) of each table."""
    at = {key_of(r): r for r in rows}
    tissue = [r for r in rows if r["input"] == "tissue" and r["size"] in a.sizes]
    columns = lambda *names: "| op | variant | c | " + " | ".join(names) + " |"
    line = lambda k, *cells: title({"op": k[0], "variant": k[1], "connectivity": k[2]}) + " " + " | ".join(cells) + " |"

    def find(k, size, threads, name="tissue", stopped=False):
        row = at.get("|".join(map(str, [*k, name, size, threads])))
        return row if row is None or stopped or "over_s" not in row else None

    two, sizes = main_size(a), [f"{s}²" for s in a.sizes]
    main = {}
    for k in in_table_order(tissue):
        one, both = find(k, two, 1), find(k, two, 2)
        mine = [r for r in rows if (r["op"], r["variant"], r["connectivity"]) == k]
        cells = [cell(find(k, s, 1)) for s in a.sizes]
        cells += [cell(both), f"{one['ms'] / both['ms']:.2f}" if one and both else "–"]
        cells += [f"{100 * one['bandwidth_share']:.0f} %", f"{one['workspace_bytes_per_pixel']:.2f}"] if one else ["–", "–"]
        main[k] = line(k, exactness(mine), *cells)
    yield (f"One thread, and two at {two}²", "Mpx/s. B/px: bytes of working memory a pixel, beside inputs and outputs.",
           columns("exact", *sizes, f"{two}², 2 threads", "×", "of copy bandwidth", "B/px"), main)

    both = {}
    for k in in_table_order(tissue):
        pairs = [(find(k, s, 1), find(k, s, 2)) for s in a.sizes]
        if k[1] not in SEQUENTIAL and any(b for _, b in pairs):
            both[k] = line(k, *(f"{cell(b)} ({o['ms'] / b['ms']:.2f})" if o and b else "–" for o, b in pairs))
    yield "Two threads", "Mpx/s, and over one thread.", columns(*sizes), both

    worst = [r for r in rows if r["size"] == a.worst and r["threads"] == 1 and r["input"] != "tissue"]
    told = {True: {}, False: {}}  # of what runs by default, of the papers' variants
    for k in in_table_order(worst):
        base, cells = find(k, a.worst, 1), []
        for name in WORST_INPUTS:
            row = find(k, a.worst, 1, name, stopped=True)
            over = row.get("over_s") if row else None
            spent = 1000 * over if over else row["cpu_ms"] if row else 0
            ratio = spent / base["cpu_ms"] if row and base and base["cpu_ms"] > 0 else None
            text = "" if ratio is None else f"{'> ' if over else ''}{ratio:.0f}" if over or ratio >= 100 else f"{ratio:.1f}"
            text = f"**{text}**" if ratio is not None and ratio > 10 else text
            cells.append("not run" if row is None else f"{text} over {over:g} s".strip() if over else text or "–")
        told[k[0] not in VARIANTS or k[1] in FIRST][k] = line(k, *cells)
    ratios = f"CPU time over that of tissue, {a.worst}², one thread; more than 10 is bold."
    yield "Worst cases: `automatic`", ratios, columns(*WORST_INPUTS), told[True]
    yield ("Worst cases: the papers' variants", f'{ratios[:-1]}, by the same variant, so a slow one shows small ratios. "over N s": stopped, with the ratio so far.',
           columns(*WORST_INPUTS), told[False])


def rule_of(head):
    return "|---" * (head.count("|") - 1) + "|"


def print_tables(a, kept):
    rows = [r for r in kept["rows"].values() if not a.only or r["op"] in a.only]
    if not rows:
        return print("nothing was measured yet")
    commits, dates, loads = (sorted({r[k] for r in rows}) for k in ("commit", "date", "load"))
    print(f"Measured {' to '.join(dict.fromkeys([dates[0], dates[-1]]))} on: {kept['machine']}; {kept['compiler']} -O3; commit {', '.join(commits)};")
    print(f"load when a run began {loads[0]} to {loads[-1]}; {kept['seconds'] / 60:.1f} minutes in all. "
          "Wall time, median of up to five runs after one to warm up (slow lines: one run); in brackets by CPU time where that differs by more than 3 %.")
    print(f"{bandwidth_of(rows)}.")
    for heading, what, head, lines in tables_of(a, rows):
        if lines:
            print(f"\n{heading}. {what}\n\n{head}\n{rule_of(head)}")
            print("\n".join(lines.values()))


def write_tables(a, kept):
    """Puts what was measured into the tables of the file, and says of which commit it is. Returns what is in the way, if anything."""
    rows = [r for r in kept["rows"].values() if not a.only or r["op"] in a.only]
    if not rows:
        return "nothing was measured yet"
    text = results.read(a.write, "The CPU's operations: speeds and worst cases")
    if results.section_of(text, "Measured") is None:
        text = results.with_section(text, "Measured", "")
    for heading, what, head, lines in tables_of(a, rows):
        if not lines:
            continue
        place = results.section_of(text, heading)
        there = place and [l for l in text[slice(*place)].splitlines() if l.startswith("|")] or [head]
        if there[0] != head:
            return f"{a.write} has other columns under {heading}: {there[0]}"
        merged = {tuple(c.strip() for c in l.split("|")[1:4]): l for l in there[2:]}
        fresh = {tuple(c.strip() for c in l.split("|")[1:4]): l for l in lines.values()}
        ops = {op: i for i, op in enumerate(op for group in GROUPS for op in group)}
        merged.update(fresh)
        ordered = sorted(merged.items(), key=lambda kl: (ops.get(kl[0][0], 99), kl[0][2] != "8"))  # what is new goes after its siblings
        text = results.with_section(text, heading, f"{what}\n\n{head}\n{rule_of(head)}\n" + "\n".join(l for _, l in ordered))
    told = text[slice(*results.section_of(text, "Measured"))].strip().splitlines()
    for date, of in sorted({(r["date"], r["commit"]) for r in rows}):
        mine = [r for r in rows if (r["date"], r["commit"]) == (date, of)]
        loads = sorted(r["load"] for r in mine)
        said = (f"- {date}, commit {of}, `{results.command_line()}`, {kept['machine']}; {kept['compiler']} -O3; load {loads[0]} to {loads[-1]}; "
                f"{bandwidth_of(mine)}: {', '.join(dict.fromkeys(r['op'] for r in mine))}.")
        told = [l for l in told if not l.startswith(f"- {date}, commit {of},")] + [said]
    results.save(a.write, results.with_section(text, "Measured", "\n".join(told)))
    return None


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=os.path.join(ROOT, "build", "native", "morpho_bench"))
    p.add_argument("--tile", default=os.path.join(ROOT, "test", "fixtures", "oracle", "tile_cmu.npy"))
    p.add_argument("--out", default=os.path.join(ROOT, "build", "cpu_table.json"))
    p.add_argument("--sizes", type=numbers, default=[1024, 2048, 4096, 8192])
    p.add_argument("--threads", type=numbers, default=[1, 2])
    p.add_argument("--worst", type=int, default=2048, help="size of the worst cases; 0: none")
    p.add_argument("--only", type=lambda t: t.split(","), default=[], help="operations, as the benchmark names them")
    p.add_argument("--repeat", type=int, default=5)
    p.add_argument("--budget-ms", type=int, default=2000, help="for the runs of one line")
    p.add_argument("--line-seconds", type=float, default=20, help="on the worst cases: the most that one line of a paper's variant may take")
    p.add_argument("--minutes", type=float, default=0, help="begin nothing new after so long; 0: no limit")
    p.add_argument("--again", action="store_true", help="measure anew what is there")
    p.add_argument("--stale", action="store_true", help="measure a benchmark that is older than its sources, too")
    p.add_argument("--print", action="store_true", help="measure nothing")
    p.add_argument("--write", nargs="?", const=os.path.join(results.FOLDER, "cpu.md"), help="write the tables to this file too")
    a = p.parse_args()
    known = [op for group in GROUPS for op in group]
    for op in a.only:
        if op not in known:
            p.error(f"expected one of {', '.join(known)} for --only but received {op}")
    kept = {"rows": {}, "failed": []}
    if os.path.exists(a.out):
        with open(a.out) as file:
            kept = json.load(file)
    if not a.print:
        if not os.path.exists(a.bench):
            p.error(f"expected a built benchmark for --bench but there is no {a.bench}: npx morphoscope bench --list builds it")
        if is_stale(a.bench) and not a.stale:
            p.error(f"{a.bench} is older than its sources: cmake --build build/native --target morpho_bench, or --stale to measure it as it is")
        listed = {line["op"] for line in all_lines(a.bench)}
        if listed - set(known):
            p.error(f"the benchmark times operations that no table has: {', '.join(sorted(listed - set(known)))}")
        kept["failed"] = []
        measure(a, kept)
    print_tables(a, kept)
    if a.write and (trouble := write_tables(a, kept)):
        p.error(trouble)
    return 1 if kept["failed"] or any(r["result"].startswith("WRONG") for r in kept["rows"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
