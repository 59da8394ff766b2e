// A part of the slide as a picture, with the objects' outlines painted on it as the window paints them: in a colour, with a dark rim.
import { setImmediate as others } from 'node:timers/promises'
import type { Region } from '../../app/contract'
import type { ExportJob } from './exporter'
import { classIn } from '../run/marks'
import type { RunObject } from '../run/result'

/** Rows read at once: bounds the wait for a cancelled export. */
const stripRows = 512
/** Strips that are read at once, each on a thread: bounds the memory. */
const mostStrips = 4
/** Objects painted at once: bounds how long tiles for the viewer must wait. */
const batchSize = 1000
/** A yellow-green that neither hematoxylin, eosin nor DAB comes near. */
const outlineRgb = [190, 255, 0] as const
/** What a rim leaves of the slide, of 256. */
const underRim = 106
/** Farther away the rims of neighbours would run together: px of the picture for one that was analysed. */
const rimmedFrom = 0.5
type Rgb = readonly [number, number, number]

export interface Canvas {
  readonly rgb: Uint8Array
  readonly width: number
  readonly height: number
}
export interface SlidePicture extends Canvas {
  /** Level-0 px per px. */
  readonly scale: number
  /** Of the picture's corner, px of it. */
  readonly x0: number
  readonly y0: number
  /** Parts that could not be read, and are hatched. */
  readonly lost: number
}

/** `region` in level-0 px, at most `longSidePx` on its long side. `told` hears how far it is, 0 to 1. */
export async function readPicture(
  { tools, signal }: Pick<ExportJob, 'tools' | 'signal'>,
  region: Region,
  longSidePx: number,
  told: (fraction: number) => void,
): Promise<SlidePicture> {
  const scale = Math.max(1, Math.max(region.width, region.height) / longSidePx)
  const x0 = Math.floor(region.x / scale)
  const y0 = Math.floor(region.y / scale)
  const width = Math.max(1, Math.min(longSidePx, Math.ceil((region.x + region.width) / scale) - x0))
  const height = Math.max(1, Math.min(longSidePx, Math.ceil((region.y + region.height) / scale) - y0))
  let lost = 0
  let read = 0
  const rgb = new Uint8Array(width * height * 3)
  let next = 0
  const reads = async (): Promise<void> => {
    while (next < height) {
      const y = next
      next += stripRows
      signal.throwIfAborted()
      const rows = Math.min(stripRows, height - y)
      const { rgba, unreadable } = await tools.readRgba(scale, x0, y0 + y, width, rows)
      lost += unreadable
      for (let i = 0, at = y * width * 3; i < width * rows; i++) {
        rgb[at++] = rgba[4 * i]!
        rgb[at++] = rgba[4 * i + 1]!
        rgb[at++] = rgba[4 * i + 2]!
      }
      read += rows
      told(read / height)
    }
  }
  // One that fails ends the others with their strips; nothing of it is left when this returns.
  const readers = Array.from({ length: Math.max(1, Math.min(mostStrips, tools.threads)) }, () =>
    reads().catch((error: unknown) => {
      next = height
      throw error
    }),
  )
  for (const ended of await Promise.allSettled(readers)) if (ended.status === 'rejected') throw ended.reason
  return { rgb, width, height, scale, x0, y0, lost }
}

/** All of the run's objects, as far as they lie in the picture, in the colours of their classes. Takes a byte for each px of the picture. */
export async function paintOutlines(
  { result, tools, signal }: Pick<ExportJob, 'result' | 'tools' | 'signal'>,
  picture: SlidePicture,
  told: (fraction: number) => void,
): Promise<void> {
  const { x0, y0, width, height } = picture
  const toCanvas = result.scale / picture.scale
  const drawn = new Uint8Array(width * height)
  const isSeen = ({ minX, minY, maxX, maxY }: RunObject): boolean =>
    (maxX + 1) * toCanvas >= x0 && minX * toCanvas <= x0 + width && (maxY + 1) * toCanvas >= y0 && minY * toCanvas <= y0 + height
  for (let start = 0; start < result.objects.length; start += batchSize) {
    signal.throwIfAborted()
    const batch = result.objects.slice(start, start + batchSize).filter(isSeen)
    const { runs, runOffsets } = joinRuns(batch)
    const { xy, ringOffsets, objectOffsets } = await tools.traceOutlines(runs, runOffsets, 0)
    for (let ring = 0, index = 0; ring + 1 < ringOffsets.length; ring++) {
      while (ring >= objectOffsets[index + 1]!) index++
      const color = classIn(result.classes, result.marks, batch[index]!)?.color ?? outlineRgb
      const first = ringOffsets[ring]!
      const end = ringOffsets[ring + 1]!
      for (let p = first; p < end; p++) {
        const q = p + 1 < end ? p + 1 : first
        line(
          picture,
          drawn,
          color,
          xy[2 * p]! * toCanvas - x0,
          xy[2 * p + 1]! * toCanvas - y0,
          xy[2 * q]! * toCanvas - x0,
          xy[2 * q + 1]! * toCanvas - y0,
        )
      }
    }
    told(Math.min(start + batchSize, result.objects.length) / result.objects.length)
  }
  if (toCanvas >= rimmedFrom) await paintRims(picture, drawn, signal)
}

/** Darkens what lies beside, above or below an outline. */
async function paintRims({ rgb, width, height }: Canvas, drawn: Uint8Array, signal: AbortSignal): Promise<void> {
  for (let y = 0; y < height; y++) {
    if (y % stripRows === stripRows - 1) {
      await others()
      signal.throwIfAborted()
    }
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (drawn[at] === 1) continue
      const beside = (x > 0 && drawn[at - 1] === 1) || (x + 1 < width && drawn[at + 1] === 1)
      if (!beside && drawn[at - width] !== 1 && drawn[at + width] !== 1) continue
      for (let k = 3 * at; k < 3 * at + 3; k++) rgb[k] = (rgb[k]! * underRim) >> 8
    }
  }
}

/** Runs of several objects as the tracer takes them. */
function joinRuns(objects: readonly RunObject[]): { runs: Int32Array; runOffsets: Int32Array } {
  const each = objects.map(({ runs }) => runs)
  const runOffsets = new Int32Array(objects.length + 1)
  each.forEach((runs, i) => (runOffsets[i + 1] = runOffsets[i]! + runs.length / 3))
  const joined = new Int32Array(runOffsets[objects.length]! * 3)
  each.forEach((runs, i) => joined.set(runs, runOffsets[i]! * 3))
  return { runs: joined, runOffsets }
}

/** One pixel wide, clipped to the canvas, where `drawn` becomes 1. */
function line(
  { rgb, width, height }: Canvas,
  drawn: Uint8Array,
  color: Rgb,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): void {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))))
  for (let i = 0; i <= steps; i++) {
    const x = Math.floor(fromX + ((toX - fromX) * i) / steps)
    const y = Math.floor(fromY + ((toY - fromY) * i) / steps)
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    rgb.set(color, (y * width + x) * 3)
    drawn[y * width + x] = 1
  }
}
