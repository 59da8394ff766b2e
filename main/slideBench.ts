// How fast the parts of a run are on a slide, each by itself, and the floors below them: all measured here and now, nothing assumed.
import { open } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import type { Recipe } from '../app/contract'
import { openSlide, planOf, runWindow, traceOutlines, createCancelToken } from '../native/index'
import type { Slide } from '../native/index'
import type { PixelRect } from './base/rect'
import { decoderFloor, filesOf, timed } from './slideFloors'
import type { BenchPart } from './slideFloors'
import { draftAnalysis } from './run/analysis/analysis'
import { Overviews } from './run/analysis/overviews'
import { PackedObjects } from './run/objects/packedObjects'
import { coreOf, windowOf } from './run/plan/plan'
import { openSpecs } from './recipe/specs'
import { slideFileIn } from './slide/slideFile'
import { Slides } from './slide/slides'

export type { BenchPart } from './slideFloors'

export interface BenchRequest {
  readonly path: string
  readonly recipe: Recipe
  readonly assetsDir: string
  readonly mpp?: number | undefined
  readonly threads: number
  readonly signal: AbortSignal
}

/** Of level 0: decoded, they fit into the cache that runs share, so that a second reading finds every tile. */
const mostPixels = 36_000_000
const squarePx = 1024
const copiedBytes = 64 * 2 ** 20
const diskBytes = 256 * 2 ** 20

/** Reading's parts and the outlines, with their floors. What cannot be measured on this slide is not there. Some seconds. */
export async function measureParts(asked: BenchRequest): Promise<BenchPart[]> {
  const request = { ...asked, path: await slideFileIn(asked.path) }
  const parts = [copying(), await fromDisk(request)]
  const slide = await openSlide(request.path)
  try {
    parts.push(...(await reading(slide, request)))
  } finally {
    slide.close()
  }
  parts.push(await outlines(request))
  return parts
}

/** Four bytes a pixel. */
function copying(): BenchPart {
  const from = Buffer.alloc(copiedBytes, 1)
  const to = Buffer.alloc(copiedBytes, 2)
  const times = 8
  const begun = performance.now()
  for (let n = 0; n < times; n++) from.copy(to)
  const ms = performance.now() - begun
  return { name: 'memcpy', kind: 'floor', megapixels: (times * copiedBytes) / 4e6, ms, threads: 1, note: '4 bytes a px' }
}

/** The files' bytes from their start on, as pixels: as many bytes as they have for each of all levels. */
async function fromDisk({ path, signal }: BenchRequest): Promise<BenchPart> {
  const files = await filesOf(path)
  const buffer = Buffer.alloc(4 * 2 ** 20)
  let [size, bytes, ms] = [0, 0, 0]
  for (const each of files) {
    const file = await open(each)
    try {
      size += (await file.stat()).size
      ms += await timed(async () => {
        while (bytes < diskBytes) {
          signal.throwIfAborted()
          const { bytesRead } = await file.read(buffer, 0, buffer.length)
          if (bytesRead === 0) break
          bytes += bytesRead
        }
      })
    } finally {
      await file.close()
    }
  }
  const slide = await openSlide(path)
  const pixels = slide.info().levels.reduce((sum, { width, height }) => sum + width * height, 0)
  slide.close()
  const share = bytes / size
  const note = `${(bytes / 1000 / ms).toFixed(0)} MB/s, of what the system may have cached`
  return { name: 'file', kind: 'floor', megapixels: (pixels * share) / 1e6, ms, threads: 1, note }
}

/** The squares around the middle of what holds tissue. */
function squaresOf(slide: Slide): PixelRect[] {
  const { bounds } = slide.info()
  const side = Math.floor(Math.sqrt(mostPixels))
  const width = Math.min(bounds.width, side)
  const height = Math.min(bounds.height, side)
  const left = bounds.x + ((bounds.width - width) >> 1)
  const top = bounds.y + ((bounds.height - height) >> 1)
  const squares: PixelRect[] = []
  for (let y = 0; y < height; y += squarePx) {
    for (let x = 0; x < width; x += squarePx) {
      squares.push({ x: left + x, y: top + y, width: Math.min(squarePx, width - x), height: Math.min(squarePx, height - y) })
    }
  }
  return squares
}

/** `work` for each, so many at once. */
async function all<T>(
  items: readonly T[],
  threads: number,
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      signal.throwIfAborted()
      await work(items[next++]!)
    }
  }
  await Promise.all(Array.from({ length: threads }, worker))
}

async function reading(slide: Slide, { path, threads, signal }: BenchRequest): Promise<BenchPart[]> {
  const squares = squaresOf(slide)
  const megapixels = squares.reduce((sum, { width, height }) => sum + width * height, 0) / 1e6
  const read = (scale: number) =>
    timed(() =>
      all(squares, threads, signal, ({ x, y, width, height }) =>
        slide.readScaled(
          scale,
          Math.floor(x / scale),
          Math.floor(y / scale),
          Math.max(1, Math.floor(width / scale)),
          Math.max(1, Math.floor(height / scale)),
        ),
      ),
    )
  const part = (name: string, ms: number, note: string): BenchPart => ({ name, kind: 'part', megapixels, ms, threads, note })
  const found = [
    part('decode', await read(1), 'full resolution, nothing kept before'),
    part('read', await read(1), 'the same again: what was decoded is kept'),
    part('resample', await read(1.5), 'the same to 1.5 px a px'),
  ]
  const floor = await decoderFloor(slide, path, squares, threads, signal)
  return floor ? [floor, ...found] : found
}

/** The outlines of the objects of the window in the middle. */
async function outlines({ path, recipe, assetsDir, mpp, threads }: BenchRequest): Promise<BenchPart> {
  const nothing = (): void => undefined
  const slides = new Slides(nothing, nothing, () => false)
  try {
    const slide = await slides.open(path, mpp)
    const spec = await openSpecs(assetsDir).get(recipe.spec)
    const analysis = await new Overviews().complete(draftAnalysis(slide, spec, recipe, mpp), threads)
    const { grid, params, haloPx } = analysis
    const ground = await analysis.ground?.get({ threads })
    const middle = {
      x: Math.floor(grid.widthPx / 2 / grid.tileSizePx),
      y: Math.floor(grid.heightPx / 2 / grid.tileSizePx),
    }
    const corner = coreOf(grid, middle)
    const core = {
      ...corner,
      width: Math.min(1024, grid.widthPx - corner.x),
      height: Math.min(1024, grid.heightPx - corner.y),
    }
    const window = windowOf(grid, core, haloPx)
    const { objects } = await runWindow({
      slide: slide.native,
      scale: grid.scale,
      ...window,
      plan: planOf(spec.pipeline, params),
      ground,
      wantPlanes: false,
      threads,
      device: 'cpu',
      cancelToken: createCancelToken(),
    })
    const times = 5
    const packed = PackedObjects.of(objects)
    const runOffsets = new Int32Array(objects.count + 1)
    const each = Array.from({ length: objects.count }, (_, row) => {
      const runs = packed.runsOf(row)
      runOffsets[row + 1] = runOffsets[row]! + runs.length / 3
      return runs
    })
    const runs = new Int32Array(runOffsets[objects.count]! * 3)
    each.forEach((own, row) => runs.set(own, runOffsets[row]! * 3))
    const ms = await timed(async () => {
      for (let n = 0; n < times; n++) await traceOutlines(runs, runOffsets)
    })
    const megapixels = (times * window.width * window.height) / 1e6
    return { name: 'outline', kind: 'part', megapixels, ms, threads: 1, note: `${objects.count} objects of a window` }
  } finally {
    slides.closeAll()
  }
}
