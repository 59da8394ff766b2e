// Small runs made by hand for the export tests: objects drawn as text, a tracer of outlines that shares no code with the engine's.
import { Timeline } from '../../../main/run/result/timeline'
import { noCertainty } from '../../../app/contract'
import type { RunStatus, SlideInfo } from '../../../app/contract'
import type { ExportTools } from '../../../main/export/exportRun'
import type { RunObject, RunResult } from '../../../main/run/objects/result'
import { listOf } from '../packing'

const stains = { mean: [0.5, 0.25, 0], std: [0.1, 0.05, 0], min: [0.25, 0, 0], max: [1, 0.5, 0] }

/** '#' is the object; its top left corner lies at (x0, y0) of the analysed grid. */
export function drawn(rows: readonly string[], x0 = 0, y0 = 0): RunObject {
  const runs: number[] = []
  const pixels: [number, number][] = []
  rows.forEach((row, y) => {
    for (const match of row.matchAll(/#+/g)) {
      runs.push(y0 + y, x0 + match.index, x0 + match.index + match[0].length)
      for (let i = 0; i < match[0].length; i++) pixels.push([x0 + match.index + i, y0 + y])
    }
  })
  const xs = pixels.map(([x]) => x)
  const ys = pixels.map(([, y]) => y)
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  return {
    area: pixels.length,
    perimeter: 4,
    centroidX: mean(xs) + 0.5,
    centroidY: mean(ys) + 0.5,
    minX: Math.min(...xs),
    minY: Math.min(...ys),
    maxX: Math.max(...xs),
    maxY: Math.max(...ys),
    firstX: runs[1]!,
    firstY: runs[0]!,
    majorAxis: 2,
    minorAxis: 1,
    eccentricity: 0.5,
    orientation: -45,
    circularity: 0.75,
    solidity: 1,
    contrast: NaN,
    score: NaN,
    stainedArea: NaN,
    stain: (statistic, channel) => stains[statistic][channel]!,
    runs: Int32Array.from(runs),
  }
}

export interface MadeRun {
  objects?: RunObject[]
  scale?: number
  region?: { x: number; y: number; width: number; height: number }
  analysedMpp?: number | null
  name?: string
  slide?: Partial<SlideInfo>
  status?: Partial<RunStatus>
  classes?: RunResult['classes']
  marks?: RunResult['marks']
}

export function madeRun({
  objects = [],
  scale = 2,
  region = { x: 0, y: 0, width: 64, height: 48 },
  analysedMpp = 0.5,
  name = 'slide.svs',
  slide,
  status,
  classes = null,
  marks = null,
}: MadeRun = {}): RunResult {
  return {
    timeline: { ...new Timeline().get(), startedAt: '2026-01-01T00:00:00.000Z', endedMs: 0 },
    verification: null,
    memory: { budgetBytes: 2 ** 32, needBytes: 2 ** 29, windowsAtOnce: 2, peakRssBytes: 2 ** 29 },
    status: {
      runId: 'r1',
      slideId: 's1',
      purpose: 'run',
      state: 'done',
      region,
      grid: { tileSizePx: 512, scale, maxLevel: 0 },
      analysedMpp,
      nominalMpp: 0.5,
      tilesDone: 1,
      tilesTotal: 1,
      objects: objects.length,
      elapsedMs: 12,
      etaMs: 0,
      megapixelsPerSecond: 3,
      unreadableTiles: 0,
      timings: [{ stage: 'read', device: 'cpu', variant: 'openslide', ms: 3, megapixels: 0.1 }],
      warnings: [],
      name: 'Whole slide',
      startedAt: '2026-11-22T00:00:00.000Z',
      cutObjects: 0,
      certainty: noCertainty,
      keptMegapixels: 0,
      resumedTiles: 0,
      settling: false,
      error: null,
      ...status,
    },
    slide: {
      slideId: 's1',
      name,
      path: `/home/patients/Jane Doe 1970/${name}`,
      vendor: 'aperio',
      reader: 'openslide',
      readerVersion: '4',
      widthPx: 1000,
      heightPx: 800,
      levels: [],
      mppX: analysedMpp === null ? null : analysedMpp / scale,
      mppY: analysedMpp === null ? null : analysedMpp / scale,
      mppSource: 'vendor',
      objectivePower: 40,
      bounds: { x: 0, y: 0, width: 1000, height: 800 },
      background: 'ffffff',
      channels: [],
      associatedImages: ['label'],
      properties: { 'aperio.Patient': 'Jane Doe' },
      warnings: [],
      viewer: { tileSizePx: 256, maxLevel: 2 },
      ...slide,
    },
    spec: {
      format: 'morphoscope-recipe-spec',
      version: 1,
      id: 'he',
      name: 'H&E',
      description: '',
      pipeline: 'he',
      stages: [],
      layers: [],
      stainSet: 'h-e',
    },
    recipe: { format: 'morphoscope-recipe', version: 1, spec: 'he', name: 'mine', params: { threshold: { level: 12 } } },
    resolved: { 'threshold.level': 12, 'overview.otsu': 34 },
    stainNames: ['hematoxylin', 'Eosin', 'dab'],
    channels: [],
    cellReach: 0,
    classes,
    marks,
    scale,
    unreadable: [],
    uncertain: [],
    objects: listOf(objects),
  }
}

/** Signed area; here y points down, so an outer ring that runs anticlockwise on the screen is negative. */
export function shoelace(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length]!
    return sum + (x! * v! - u! * y!) / 2
  }, 0)
}

export const madeTools: ExportTools = {
  print: async (page) => Buffer.from(`%PDF-1.4 made of ${page}`),
  sha256OfSlide: async () => ({ sha256: 'ab'.repeat(32) }),
  seed: 'cd'.repeat(32),
  slideState: async () => 'same',
  isSource: async () => false,
  threads: 2,
  readRgba: async (_scale, { width, height }) => ({ rgba: new Uint8Array(width * height * 4).fill(200), unreadable: 0 }),
  versions: { app: '0.1.0', native: '0.1.0', openslide: '4.0.0', node: process.version },
}
