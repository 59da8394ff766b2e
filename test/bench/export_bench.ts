// Exports of many objects without computing them: a real window's objects set side by side through the run's own store, then each file by time and memory.
//   npx esbuild test/bench/export_bench.ts --bundle --platform=node --format=esm --packages=external --outfile=/tmp/export_bench.mjs
//   MORPHOSCOPE_ADDON=build/native/morphoscope.node node --expose-gc /tmp/export_bench.mjs SLIDE OBJECTS OUT [FILES|all] [MIB]    MIB: of objects in memory, the others in a file
// PLAIN=1: objects.csv and objects.geojson also as they were made until 2026-11, in plain TypeScript on one thread, made and not written.
import { Timeline } from '../../main/run/result/timeline'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isLaser, writableExportFiles } from '../../app/contract'
import type { ExportFile, RunStatus, SlideInfo } from '../../app/contract'
import { exportRun } from '../../main/export/exportRun'
import { resolveParams } from '../../main/recipe/resolve'
import { openSpecs } from '../../main/recipe/specs'
import { defaultRecipe } from '../../main/recipe/validate'
import { ObjectStore } from '../../main/run/objects/objectStore'
import { gridOf } from '../../main/run/plan/plan'
import { TileObjects } from '../../main/run/objects/tileObjects'
import type { RunResult } from '../../main/run/objects/result'
import { joinRuns, plainCsv, plainGeoJson } from '../main/export/plainWriters'
import { openSlide, overview, planOf, runWindow, status, traceOutlines } from '../../native/index'
import type { PackedTiles } from '../../native/index'

const [slidePath, wantedText, out, names, mostText] = process.argv.slice(2)
const wanted = Number(wantedText)
if (!slidePath || !Number.isInteger(wanted) || wanted < 1 || !out) throw new Error('expected SLIDE OBJECTS OUT [FILES]')
const files = ((names === 'all' ? undefined : names)?.split(',') ??
  writableExportFiles(false).filter((name) => name !== 'run.json' && !isLaser(name))) as ExportFile[]
/** Side of a window's core, whole tiles of the grid; what surrounds it is cut off. */
const core = 1024
const halo = 160
const scale = 1

const spec = await openSpecs(resolve('assets')).get('he-nuclei')
const slide = await openSlide(slidePath)
const own = resolveParams(spec, defaultRecipe(spec), 0.25)
const side = core + 2 * halo
const { rgba } = await slide.readScaled(scale, 0, 0, side, side)
const params = { ...own, ...(await overview(spec.pipeline, own, rgba, side, side)) }
const tileSizePx = 256
const perSide = core / tileSizePx
/** Of the core, which begins at the slide's corner. */
const tiles = Array.from({ length: perSide * perSide }, (_, i) => ({ x: i % perSide, y: Math.floor(i / perSide) }))
const { objects: window } = await runWindow({
  slide,
  scale,
  x: 0,
  y: 0,
  width: side,
  height: side,
  core: { x: 0, y: 0, width: core, height: core },
  plan: planOf(spec.pipeline, params),
  grid: { tileSizePx, widthPx: side, heightPx: side, tiles },
})
const each = window.count
/** The window's objects elsewhere: all but two of its columns are counted from their first pixels. */
function moved(x: number, y: number): PackedTiles {
  const shifted = (at: number, by: number) => (window.columns[at] as Int32Array<ArrayBuffer>).map((px) => px + by)
  const [, , ...others] = window.columns
  const crossings = window.crossings.map((at, i) => (i % 3 === 0 ? at : at + (i % 3 === 1 ? x : y) / tileSizePx))
  return { ...window, columns: [shifted(0, x), shifted(1, y), ...others], crossings }
}
const across = Math.ceil(Math.sqrt(wanted / each))
const sidePx = across * core + side
const grid = gridOf(sidePx, sidePx, scale, tileSizePx)

const held = (): number => {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + Math.max(external, arrayBuffers)
}
const before = held()
const store = new ObjectStore(grid, mostText === undefined ? Infinity : Number(mostText) * 2 ** 20)
const filling = performance.now()
for (let y = 0; y < across && store.count < wanted; y++) {
  for (let x = 0; x < across && store.count < wanted; x++) {
    // As a run's windows come in, which looks at the budget after each.
    store.add(TileObjects.split(moved(x * core, y * core)).map((objects) => ({ objects, keep: null })))
    if (store.bytes > 2 ** 40) throw new Error('more than a run may hold')
  }
}
const filledMs = performance.now() - filling
const listing = performance.now()
const objects = store.all()
const listedMs = performance.now() - listing
const bytes = held() - before
console.log(
  `${store.count} objects: ${(bytes / store.count).toFixed(0)} bytes each held, ${(store.bytes / store.count).toFixed(0)} as the store says; ` +
    `filled in ${(filledMs / 1000).toFixed(2)} s, listed in ${(listedMs / 1000).toFixed(2)} s`,
)

const region = { x: 0, y: 0, width: sidePx, height: sidePx }
const result = {
  timeline: new Timeline().get(),
  verification: null,
  memory: { budgetBytes: 2 ** 32, needBytes: 2 ** 29, windowsAtOnce: 1, peakRssBytes: 2 ** 29 },
  status: {
    runId: 'r1',
    name: 'Whole slide',
    state: 'done',
    region,
    analysedMpp: 0.25,
    nominalMpp: 0.25,
    warnings: [],
    timings: [],
    error: null,
  } as unknown as RunStatus,
  slide: { name: 'bench.svs', path: '/bench.svs', mppX: 0.25, mppY: 0.25 } as unknown as SlideInfo,
  spec,
  recipe: defaultRecipe(spec),
  resolved: params,
  stainNames: ['hematoxylin', 'eosin', 'residual'],
  channels: [],
  cellReach: 0,
  classes: null,
  marks: null,
  scale,
  unreadable: [],
  uncertain: [],
  objects,
} as RunResult
const versions = { app: '0', native: status().version, openslide: '', node: process.version }
await mkdir(out, { recursive: true })
for (const file of files) {
  globalThis.gc?.()
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
  const rss = process.memoryUsage.rss()
  const done = await exportRun(
    result,
    { directory: resolve(out), files: [file], overwrite: true },
    {
      sha256OfSlide: async () => ({ sha256: 'ab'.repeat(32) }),
      seed: 'cd'.repeat(32),
      slideState: async () => 'same',
      isSource: async () => false,
      threads: Number(process.env['THREADS'] ?? status().threads),
      readRgba: async (_scale, { width, height }) => ({ rgba: new Uint8Array(width * height * 4).fill(200), unreadable: 0 }),
      versions,
    },
    () => undefined,
    new AbortController().signal,
  )
  clearInterval(watch)
  const ms = performance.now() - started
  const cpu = process.cpuUsage(cpuBefore)
  const size = done.files[0]!.bytes
  console.log(
    `${file}: ${(ms / 1000).toFixed(2)} s, cpu ${((cpu.user + cpu.system) / 1e6).toFixed(2)} s, ${(size / 1e6).toFixed(0)} MB, ` +
      `${(size / 1e3 / ms).toFixed(0)} MB/s, peak +${((peak - rss) / 1e6).toFixed(0)} MB over ${(rss / 1e6).toFixed(0)}, ${done.files[0]!.sha256.slice(0, 16)}`,
  )
}
if (process.env['PLAIN']) {
  const told = { result, shown: 'bench.svs', seed: 'cd'.repeat(32) }
  const plain: Partial<Record<ExportFile, () => Promise<string>>> = {
    'objects.csv': async () => plainCsv(told),
    'objects.geojson': async () => {
      const { runs, runOffsets } = joinRuns(objects.slice(0, objects.length))
      const outlines = await traceOutlines(runs, runOffsets, 0)
      return plainGeoJson(told, outlines, outlines)
    },
  }
  for (const file of files) {
    const made = plain[file]
    if (!made) continue
    const cpuBefore = process.cpuUsage()
    const started = performance.now()
    const { length } = await made()
    const cpu = process.cpuUsage(cpuBefore)
    const seconds = [(performance.now() - started) / 1000, (cpu.user + cpu.system) / 1e6].map((s) => s.toFixed(2))
    console.log(`${file}, plain: ${seconds[0]} s, cpu ${seconds[1]} s, ${(length / 1e6).toFixed(0)} MB`)
  }
}
await rm(out, { recursive: true })
slide.close()
