#!/usr/bin/env python3
"""Ratios of Morphoscope's GPU operations to CuPy and NVIDIA's NPP, on the same images, in one run, on images that are on the GPU.

    cmake --build build/gpu --target gpu_bench
    python3 test/bench/compare_gpu_peers.py --bench build/gpu/gpu_bench --tile test/fixtures/oracle/tile_cmu.npy --size 8192 [--only label] [--write]

gpu_bench first times ours and writes its images; then each peer runs on them in a process of its own, so that one that fails or dies does
not take the others along. Times are medians by CUDA events, after a run that is not counted. A peer that is not installed, has another
signature in its header than we call, or fails, is named with the reason. Memory that a peer wants from its caller is taken beforehand.
Needs Python 3.9, numpy and, for every peer, CuPy (NPP is called on CuPy's memory). Exit codes: 0 where anything was compared; 2 usage; 69 not.
"""
import argparse
import ctypes as c
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import results

# name -> gpu_bench's op, variant, connectivity
OURS = {"edt": ("distance", "exact", 0), "label8": ("label", "", 8), "label4": ("label", "", 4), "watershed8": ("watershed", "automatic", 8),
        "watershed4": ("watershed", "automatic", 4), "erode_disk10": ("erode", "disk r=10", 0), "erode_square10": ("erode", "square r=10", 0),
        "gaussian2": ("gaussian", "s=2", 0), "median1": ("median", "r=1", 0), "median2": ("median", "r=2", 0), "median10": ("median", "r=10", 0)}
# process -> [(name, peer)]: what it is to measure
GROUPS = {"cupy": [("edt", "CuPy, float32"), ("label8", "CuPy"), ("label4", "CuPy"), ("gaussian2", "CuPy"), ("erode_square10", "CuPy"),
                   ("erode_disk10", "CuPy"), ("median1", "CuPy"), ("median2", "CuPy"), ("median10", "CuPy")],
          "npp_distance": [("edt", "NPP PBA+, 16u cut off"), ("edt", "NPP PBA+, 32f")],
          "npp_label": [("label8", "NPP UF, with gaps"), ("label4", "NPP UF, with gaps"), ("label8", "NPP UF, dense"), ("label4", "NPP UF, dense")],
          "npp_watershed": [("watershed8", "NPP"), ("watershed4", "NPP")],
          "npp_local": [("erode_square10", "NPP, inside"), ("erode_disk10", "NPP, inside"), ("median1", "NPP, inside"), ("median2", "NPP, inside")]}
SECONDS = 240  # of a process


class Size(c.Structure):
    _fields_ = [("width", c.c_int), ("height", c.c_int)]


class Point(c.Structure):
    _fields_ = [("x", c.c_int), ("y", c.c_int)]


class StreamContext(c.Structure):
    _fields_ = [("stream", c.c_void_p), ("device", c.c_int), ("multiprocessors", c.c_int), ("threads_per_multiprocessor", c.c_int), ("threads_per_block", c.c_int),
                ("shared_per_block", c.c_size_t), ("major", c.c_int), ("minor", c.c_int), ("flags", c.c_uint), ("reserved", c.c_int)]


# What we call, by the types of its parameters. "count*" is a pointer to any whole number: 8 bytes of zeros are given.
PBA = "Npp8u* int Npp8u Npp8u Npp16s* int Npp16s* int Npp16s* int {} int NppiSize Npp8u* NppStreamContext"
PROTOTYPES = {
    "nppiDistanceTransformPBAGetBufferSize": "NppiSize count*",
    "nppiDistanceTransformPBA_8u16u_C1R_Ctx": PBA.format("Npp16u*"),
    "nppiDistanceTransformPBA_8u32f_C1R_Ctx": PBA.format("Npp32f*"),
    "nppiLabelMarkersUFGetBufferSize_32u_C1R": "NppiSize count*",
    "nppiLabelMarkersUF_8u32u_C1R_Ctx": "Npp8u* int Npp32u* int NppiSize NppiNorm Npp8u* NppStreamContext",
    "nppiCompressMarkerLabelsGetBufferSize_32u_C1R": "int count*",
    "nppiCompressMarkerLabelsUF_32u_C1IR_Ctx": "Npp32u* int NppiSize int count* Npp8u* NppStreamContext",
    "nppiSegmentWatershedGetBufferSize_8u_C1R": "NppiSize count*",
    "nppiSegmentWatershed_8u_C1IR_Ctx": "Npp8u* int Npp32u* int NppiNorm NppiWatershedSegmentBoundaryType NppiSize Npp8u* NppStreamContext",
    "nppiErode_8u_C1R_Ctx": "Npp8u* int Npp8u* int NppiSize Npp8u* NppiSize NppiPoint NppStreamContext",
    "nppiFilterMedianGetBufferSize_8u_C1R_Ctx": "NppiSize NppiSize count* NppStreamContext",
    "nppiFilterMedian_8u_C1R_Ctx": "Npp8u* int Npp8u* int NppiSize NppiSize NppiPoint Npp8u* NppStreamContext",
}
BY_TYPE = {"int": c.c_int, "Npp8u": c.c_ubyte, "NppiSize": Size, "NppiPoint": Point, "NppiNorm": c.c_int, "NppiWatershedSegmentBoundaryType": c.c_int,
           "NppStreamContext": StreamContext}
NORM = {8: 0, 4: 1}  # nppiNormInf, nppiNormL1


class Skip(Exception):
    pass


def cuda_folders(*ends):
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), *sorted(glob.glob("/usr/local/cuda*"))]
    roots += [p for s in sys.path for p in glob.glob(os.path.join(s, "nvidia", "*"))]  # pip's wheels
    return [os.path.join(r, e) for r in roots if r for e in ends] + (["/usr/lib/x86_64-linux-gnu"] if "lib64" in ends else ["/usr/include"])


def declared(name, folders):
    """The types of the function's parameters in the first header that declares it, or None where no header does."""
    for folder in folders:
        for header in sorted(glob.glob(os.path.join(folder, "nppi*.h"))):
            with open(header, errors="replace") as f:
                text = re.sub(r"/\*.*?\*/|//[^\n]*", "", f.read(), flags=re.S)
            if found := re.search(r"\b" + name + r"\s*\(([^;{]*)\)\s*;", text):
                types = []
                for one in found[1].split(","):
                    words = re.findall(r"\w+|\*", one)
                    words = [w for w in words if w not in ("const", "struct", "enum")]
                    stars = words.count("*")
                    words = [w for w in words if w != "*"]
                    types.append({"Npp32s": "int"}.get(words[0], words[0]) + "*" * stars)
                return types
    return None


def agrees(expected, types):
    same = lambda e, t: t == e or (e == "count*" and t in ("int*", "size_t*", "Npp32u*", "Npp64u*"))
    return len(types) == len(expected) and all(map(same, expected, types))


class Npp:
    """NPP's functions, each looked up, held against its header and called with a context of the current device."""

    def __init__(self, cupy):
        folders, self.libraries = cuda_folders("lib64", "targets/x86_64-linux/lib", "lib"), []
        for stem in ("libnppc", "libnppif", "libnppim"):
            files = [f for folder in folders for f in sorted(glob.glob(os.path.join(folder, stem + ".so*")))]
            if not files:
                raise Skip(f"no {stem}.so in {', '.join(folders)}")
            try:
                self.libraries.append(c.CDLL(files[0], mode=c.RTLD_GLOBAL))
            except OSError as e:
                raise Skip(f"{files[0]}: {e}")
        d, p = cupy.cuda.Device(), cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        self.context = StreamContext(None, d.id, p["multiProcessorCount"], p["maxThreadsPerMultiProcessor"], p["maxThreadsPerBlock"], p["sharedMemPerBlock"],
                                     p["major"], p["minor"], 0, 0)
        self.checked = True

    def call(self, name, *values):
        expected = PROTOTYPES[name].split()
        function = next((getattr(lib, name) for lib in self.libraries if hasattr(lib, name)), None)
        if function is None:
            raise Skip(f"NPP has no {name}")
        if not getattr(function, "argtypes", None):
            types = declared(name, cuda_folders("include", "targets/x86_64-linux/include"))
            if types is not None and not agrees(expected, types):
                raise Skip(f"{name} takes ({', '.join(types)}) here, not ({', '.join(expected)})")
            self.checked = self.checked and types is not None
            function.argtypes = [c.c_void_p if e.endswith("*") else BY_TYPE[e] for e in expected]
            function.restype = c.c_int
        if expected[-1] == "NppStreamContext":
            values += (self.context,)
        status = function(*values)
        if status != 0:  # below: errors; above: warnings, which also mean that not all was done
            raise Skip(f"{name} gave NppStatus {status}")

    def count(self, name, *values):
        n = c.c_uint64(0)
        self.call(name, *values, c.byref(n))
        return n.value


def peers_of(group, folder, size):
    """Yields (name, peer, run, before, note): `before` puts back what a run changed, outside of the time; `note` says what came out."""
    try:
        import cupy
        import numpy
        cupy.zeros(1).sum().item()
    except Exception as e:
        raise Skip(f"CuPy: {type(e).__name__}: {e}")
    load = lambda kind: cupy.asarray(numpy.load(os.path.join(folder, f"tissue{size}_{kind}.npy")))
    at = lambda array, offset=0: c.c_void_p(array.data.ptr + offset)
    grey = load("grey")
    y, x = numpy.mgrid[-10:11, -10:11]
    disk, square = cupy.asarray(x * x + y * y <= 100), cupy.asarray(numpy.ones((21, 21), bool))
    kept = {}

    if group == "cupy":
        from cupyx.scipy import ndimage
        objects = load("objects")

        def keep(name, fn):
            def run():
                kept[name] = None  # its memory is free for the next
                kept[name] = fn()
            return run
        yield "edt", "CuPy, float32", keep("edt", lambda: ndimage.distance_transform_edt(objects, float64_distances=False)), None, lambda: f"max {float(kept['edt'].max()):.3f} px"
        for name, structure in (("label8", numpy.ones((3, 3), bool)), ("label4", None)):
            yield name, "CuPy", keep(name, lambda s=structure: ndimage.label(objects, s)), None, lambda n=name: f"{int(kept[n][1])} components"
        yield "gaussian2", "CuPy", keep("g", lambda: ndimage.gaussian_filter(grey, 2.0, truncate=3.0)), None, None
        yield "erode_square10", "CuPy", keep("e", lambda: ndimage.grey_erosion(grey, size=(21, 21))), None, None
        yield "erode_disk10", "CuPy", keep("e", lambda: ndimage.grey_erosion(grey, footprint=disk)), None, None
        for radius in (1, 2, 10):
            yield f"median{radius}", "CuPy", keep("m", lambda r=radius: ndimage.median_filter(grey, size=2 * r + 1)), None, None
        return

    npp, roi, n = Npp(cupy), Size(size, size), size * size
    byte_count = lambda name, *values: cupy.empty(max(1, npp.count(name, *values)), cupy.uint8)
    unchecked = lambda: "" if npp.checked else "; its header was not there to hold our call against"
    if group == "npp_distance":
        objects, work = load("objects"), byte_count("nppiDistanceTransformPBAGetBufferSize", roi)
        for peer, name, dtype in (("NPP PBA+, 16u cut off", "nppiDistanceTransformPBA_8u16u_C1R_Ctx", cupy.uint16),
                                  ("NPP PBA+, 32f", "nppiDistanceTransformPBA_8u32f_C1R_Ctx", cupy.float32)):
            out = cupy.zeros((size, size), dtype)
            run = lambda f=name, o=out: npp.call(f, at(objects), size, 0, 0, None, 0, None, 0, None, 0, at(o), size * o.itemsize, roi, at(work))
            yield "edt", peer, run, None, lambda o=out: f"max {float(o.max()):.3f} px{unchecked()}"
    elif group == "npp_label":
        objects, labels = load("objects"), cupy.zeros((size, size), cupy.uint32)
        work = byte_count("nppiLabelMarkersUFGetBufferSize_32u_C1R", roi)
        mark = lambda k: npp.call("nppiLabelMarkersUF_8u32u_C1R_Ctx", at(objects), size, at(labels), 4 * size, roi, NORM[k], at(work))
        for k in (8, 4):
            yield f"label{k}", "NPP UF, with gaps", lambda k=k: mark(k), None, lambda: f"largest {int(labels.max())}{unchecked()}"
        dense_work = byte_count("nppiCompressMarkerLabelsGetBufferSize_32u_C1R", n)
        most = c.c_uint64(0)

        def dense(k):
            mark(k)
            npp.call("nppiCompressMarkerLabelsUF_32u_C1IR_Ctx", at(labels), 4 * size, roi, n, c.byref(most), at(dense_work))
        for k in (8, 4):
            yield f"label{k}", "NPP UF, dense", lambda k=k: dense(k), None, lambda: f"{most.value} labels, the background's included{unchecked()}"
    elif group == "npp_watershed":
        image, labels = grey.copy(), cupy.zeros((size, size), cupy.uint32)
        work = byte_count("nppiSegmentWatershedGetBufferSize_8u_C1R", roi)
        for k in (8, 4):
            run = lambda k=k: npp.call("nppiSegmentWatershed_8u_C1IR_Ctx", at(image), size, at(labels), 4 * size, NORM[k], 0, roi, at(work))
            yield f"watershed{k}", "NPP", run, lambda: image.__setitem__(slice(None), grey), lambda: f"labels up to {int(labels.max())}{unchecked()}"
    elif group == "npp_local":
        out = cupy.zeros_like(grey)
        for name, mask in (("erode_square10", square), ("erode_disk10", disk)):
            on = mask.astype(cupy.uint8)
            inside, start = Size(size - 20, size - 20), 10 * size + 10
            yield name, "NPP, inside", lambda on=on: npp.call("nppiErode_8u_C1R_Ctx", at(grey, start), size, at(out, start), size, inside, at(on), Size(21, 21), Point(10, 10)), None, lambda: unchecked()[2:]
        for radius in (1, 2):
            inside, start, window = Size(size - 2 * radius, size - 2 * radius), radius * size + radius, Size(2 * radius + 1, 2 * radius + 1)
            work = byte_count("nppiFilterMedianGetBufferSize_8u_C1R_Ctx", inside, window)
            yield f"median{radius}", "NPP, inside", lambda s=start, i=inside, w=window, r=radius, b=work: npp.call(
                "nppiFilterMedian_8u_C1R_Ctx", at(grey, s), size, at(out, s), size, i, w, Point(r, r), at(b)), None, lambda: unchecked()[2:]


def measure(group, folder, size, repeat, only):
    """In the peers' own process: one JSON line a peer."""
    say = lambda name, peer, **what: print(json.dumps({"name": name, "peer": peer, **what}), flush=True)
    wanted = [p for p in GROUPS[group] if only in p[0]]
    told = set()
    reason = "its group did not come to it"
    try:
        for name, peer, run, before, note in peers_of(group, folder, size):
            if (name, peer) not in wanted:
                continue
            told.add((name, peer))
            try:
                import cupy
                ms = []
                for i in range(repeat + 1):
                    if before:
                        before()
                    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
                    start.record()
                    run()
                    stop.record()
                    stop.synchronize()
                    ms.append(cupy.cuda.get_elapsed_time(start, stop))
                    if sum(ms) > 4000 and i > 0:
                        break
                say(name, peer, ms=statistics.median(ms[1:]), runs=len(ms) - 1, note=note() if note else "")
            except Exception as e:
                say(name, peer, skipped=str(e) if isinstance(e, Skip) else f"{type(e).__name__}: {e}")
    except Exception as e:
        reason = str(e) if isinstance(e, Skip) else f"{type(e).__name__}: {e}"
    for name, peer in wanted:
        if (name, peer) not in told:
            say(name, peer, skipped=reason)


def ours_and_images(a, folder):
    """name -> ms; the images lie in the folder then."""
    wanted = [OURS[name] for name in OURS if a.only in name]
    command = [a.bench, "--tile", a.tile, "--sizes", str(a.size), "--input", "tissue", "--dump", folder, "--format", "json", "--repeat", str(a.repeat),
               "--compare-up-to", "0", "--op", ",".join(sorted({op for op, _, _ in wanted})), "--variant", ",".join(sorted({v for _, v, _ in wanted}))]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as e:
        print(f"{a.bench}: {e}")
        sys.exit(69)
    if done.returncode != 0:
        print(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.strip() or done.stdout[-2000:]}")
        sys.exit(69)
    out = json.loads(done.stdout)
    print(f"{out['name']}; ours by {a.bench}, {a.size}x{a.size} tissue, median of {a.repeat}")
    rows = {(r["op"], r["variant"], r["connectivity"]): r["ms"] for r in out["results"]}
    return {name: rows[key] for name, key in OURS.items() if key in rows and a.only in name}


def theirs(a, folder):
    """[(name, peer, figures)] of every peer that is wanted, those that failed with `skipped`."""
    results = []
    for group, peers in GROUPS.items():
        wanted = [p for p in peers if a.only in p[0]]
        if not wanted:
            continue
        command = [sys.executable, os.path.abspath(__file__), "--group", group, "--folder", folder, "--size", str(a.size), "--repeat", str(a.repeat), "--only", a.only]
        log = os.path.join(folder, group + ".err")
        with open(log, "w") as err:
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True)
            try:
                text, end = child.communicate(timeout=SECONDS)[0], None
            except subprocess.TimeoutExpired:
                child.kill()
                text, end = child.communicate()[0], f"its process was stopped after {SECONDS} s"
        said = {}
        for line in text.splitlines():
            try:
                one = json.loads(line)
                said[one["name"], one["peer"]] = one
            except (ValueError, KeyError, TypeError):
                pass  # a library's own chatter
        with open(log, errors="replace") as err:
            last = err.read().strip().splitlines()[-1:]
        end = end or f"its process ended with {child.returncode}{': ' + last[0] if last else ''}"
        results += [(*p, said.get(p, {"skipped": end})) for p in wanted]
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", help="the built gpu_bench")
    parser.add_argument("--tile", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/oracle/tile_cmu.npy"))
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--only", default="", help=f"names that contain this, of {', '.join(OURS)}")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--write", action="store_true", help="also write the table to test/bench/results/gpu.md, in place of the one of this size")
    parser.add_argument("--group", choices=GROUPS, help=argparse.SUPPRESS)  # how it calls itself
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.size < 32 or a.repeat < 1:
        parser.error("--size must be 32 or more, --repeat 1 or more")
    if not any(a.only in name for name in OURS):
        parser.error(f"expected a part of one of {', '.join(OURS)} for --only but received {a.only}")
    if a.group:
        return measure(a.group, a.folder, a.size, a.repeat, a.only)
    if not a.bench:
        parser.error("--bench is needed: the built gpu_bench")
    if a.write and a.only:
        parser.error("--write is for the whole table: leave --only out")
    with results.recorded(a.write, "gpu.md", "The GPU's operations", f"Against NPP and CuPy, {a.size}² of tissue", fenced=True):
        with tempfile.TemporaryDirectory() as folder:
            ours = ours_and_images(a, folder)
            found = theirs(a, folder)
        print(f"{'operation':<15} {'ours ms':>9}  {'peer':<22} {'ms':>10} {'ratio':>7}  ratio: the peer's time by ours")
        compared = 0
        for name, peer, r in sorted(found, key=lambda r: list(OURS).index(r[0])):
            own = ours.get(name)
            if "ms" in r and own:
                compared += 1
                print(f"{name:<15} {own:>9.3f}  {peer:<22} {r['ms']:>10.3f} {r['ms'] / own:>7.2f}  {r['note']}")
            else:
                print(f"{name:<15} {f'{own:.3f}' if own else '-':>9}  {peer:<22} skipped: {r.get('skipped', 'ours was not timed')}")
        if a.json:
            with open(a.json, "w") as out:
                json.dump({"size": a.size, "ours": ours, "peers": [{"name": n, "peer": p, **r} for n, p, r in found]}, out, indent=1)
        if not compared:
            sys.exit(69)


if __name__ == "__main__":
    main()
