// overlay.png: the slide with the objects' outlines painted on it, at most 4096 px on its long side.
import type { ExportJob } from './exporter'
import type { OutputFile } from './outputSet'
import { sharp } from '../base/sharp'
import { classIn } from '../run/marks'
import type { RunObject } from '../run/result'

const longSidePx = 4096
/** Rows read at once: bounds the wait for a cancelled export. */
const stripRows = 512
/** Strips that are read at once, each on a thread: bounds the memory. */
const mostStrips = 4
/** Level 2 takes three quarters longer for 9 % less, level 6 twice as long for 11 %: tissue is noise. */
const compressionLevel = 1
/** Objects painted at once: bounds how long tiles for the viewer must wait. */
const batchSize = 1000
/** A yellow-green that neither hematoxylin, eosin nor DAB comes near. */
const outlineRgb = [190, 255, 0] as const
type Rgb = readonly [number, number, number]

interface Canvas {
  readonly rgb: Uint8Array
  readonly width: number
  readonly height: number
}

export async function writeOverlayPng(job: ExportJob, out: OutputFile): Promise<void> {
  const { result, tools } = job
  const { region } = result.status
  const scale = Math.max(1, Math.max(region.width, region.height) / longSidePx)
  const x0 = Math.floor(region.x / scale)
  const y0 = Math.floor(region.y / scale)
  const width = Math.max(1, Math.min(longSidePx, Math.ceil((region.x + region.width) / scale) - x0))
  const height = Math.max(1, Math.min(longSidePx, Math.ceil((region.y + region.height) / scale) - y0))
  let lost = 0
  let read = 0
  const canvas: Canvas = { rgb: new Uint8Array(width * height * 3), width, height }
  let next = 0
  const reads = async (): Promise<void> => {
    while (next < height) {
      const y = next
      next += stripRows
      job.signal.throwIfAborted()
      const rows = Math.min(stripRows, height - y)
      const { rgba, unreadable } = await tools.readRgba(scale, x0, y0 + y, width, rows)
      lost += unreadable
      for (let i = 0, at = y * width * 3; i < width * rows; i++) {
        canvas.rgb[at++] = rgba[4 * i]!
        canvas.rgb[at++] = rgba[4 * i + 1]!
        canvas.rgb[at++] = rgba[4 * i + 2]!
      }
      read += rows
      job.progress((0.6 * read) / height)
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
  if (lost > 0) job.warnings.push('Parts of the slide could not be read for overlay.png and are hatched there.')
  const toCanvas = result.scale / scale
  for (let start = 0; start < result.objects.length; start += batchSize) {
    job.signal.throwIfAborted()
    const batch = result.objects.slice(start, start + batchSize)
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
          canvas,
          color,
          xy[2 * p]! * toCanvas - x0,
          xy[2 * p + 1]! * toCanvas - y0,
          xy[2 * q]! * toCanvas - x0,
          xy[2 * q + 1]! * toCanvas - y0,
        )
      }
    }
    job.progress(0.6 + (0.2 * Math.min(start + batchSize, result.objects.length)) / result.objects.length)
  }
  job.signal.throwIfAborted()
  const png = sharp()(canvas.rgb, { raw: { width, height, channels: 3 } }).png({ compressionLevel })
  for await (const chunk of png) {
    job.signal.throwIfAborted()
    await out.append(chunk as Buffer)
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

/** One pixel wide, clipped to the canvas. */
function line({ rgb, width, height }: Canvas, color: Rgb, fromX: number, fromY: number, toX: number, toY: number): void {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))))
  for (let i = 0; i <= steps; i++) {
    const x = Math.floor(fromX + ((toX - fromX) * i) / steps)
    const y = Math.floor(fromY + ((toY - fromY) * i) / steps)
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    rgb.set(color, (y * width + x) * 3)
  }
}
