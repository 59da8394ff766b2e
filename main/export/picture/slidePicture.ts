// A part of the slide as a picture, with the objects' outlines painted on it as the window paints them: in a colour, with a dark rim.
import type { Region } from '../../../app/contract'
import { dropAlpha, paintOutlines as drawOutlines, paintRims, tokenOf } from '../../../native/index'
import { classIn } from '../../run/objects/marks'
import type { ExportJob, ExportTools } from '../exporter'
import { tableOf } from '../tables/objectText'

/** Rows read at once: bounds the wait for a cancelled export. */
const stripRows = 512
/** Strips that are read at once, each on a thread: bounds the memory. */
const mostStrips = 4
/** Objects painted at once: bounds how long tiles for the viewer must wait while their colours are told. */
const batchSize = 2 ** 14
/** A yellow-green that neither hematoxylin, eosin nor DAB comes near. */
const outlineRgb = [190, 255, 0] as const
/** Farther away the rims of neighbours would run together: px of the picture for one that was analysed. */
const rimmedFrom = 0.5

export interface Canvas {
  readonly rgb: Uint8Array<ArrayBuffer>
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
      const { rgba, unreadable } = await tools.readRgba(scale, { x: x0, y: y0 + y, width, height: rows }, signal)
      lost += unreadable
      dropAlpha(rgba, rgb, y * width * 3)
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

/** All of the run's objects with their cells, as far as they lie in the picture, in the colours of their classes. Takes a byte for each px of the picture. */
export async function paintOutlines(
  { result, tools, signal }: Pick<ExportJob, 'result' | 'signal'> & { readonly tools: Pick<ExportTools, 'threads'> },
  picture: SlidePicture,
  told: (fraction: number) => void,
): Promise<void> {
  const { rgb, width, height, x0, y0 } = picture
  const { objects, classes, marks, scale, cellReach } = result
  const toPicture = scale / picture.scale
  const canvas = { rgb, width, height, x0, y0, toPicture, cellReach, drawn: new Uint8Array(width * height) }
  const token = tokenOf(signal)
  for (let begin = 0; begin < objects.length; begin += batchSize) {
    signal.throwIfAborted()
    const end = Math.min(begin + batchSize, objects.length)
    const colors = new Uint8Array(3 * (end - begin))
    for (let i = begin; i < end; i++) {
      // Without classes no object need be looked at.
      const own = classes || marks?.classAt ? classIn(classes, marks, objects.at(i)) : null
      colors.set(own?.color ?? outlineRgb, 3 * (i - begin))
    }
    await drawOutlines(tableOf(objects, { begin, end }).table, colors, canvas, tools.threads, token)
    told(end / objects.length)
  }
  if (toPicture >= rimmedFrom) await paintRims(canvas, tools.threads, token)
}
