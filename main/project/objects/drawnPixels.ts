// A shape as pixels of an analysed image, and an outline with what is painted onto it or rubbed out. Exact, no pixel taken from another object. Pure.
import type { Ring, Shape } from '../../../app/contract'
import { partsOf } from '../../base/shapes'
import type { Extent } from './growth'
import { joined } from './growth'
import { Box, leastPartPx } from './pixels'
import type { Runs } from './pixels'

/** Of what is drawn by hand. */
const mostDrawnPx = 2 ** 22

/**
 * The pixels of an image of this extent whose centres lie in the shape (level-0 px, of which a pixel has `scale`): left and upper edges in, right
 * and lower ones out, by the rings of each part in turn. O(box + edges · rows that each crosses).
 */
export function pixelsIn(shape: Shape, scale: number, { widthPx, heightPx }: Extent): Runs | 'large' {
  const parts = partsOf(shape)
  const [x0, y0, x1, y1] = boxOfRings(parts.flat(), scale)
  const [left, top] = [Math.max(0, x0), Math.max(0, y0)]
  const [width, height] = [Math.min(widthPx, x1) - left, Math.min(heightPx, y1) - top]
  if (width <= 0 || height <= 0) return new Int32Array()
  if (width * height > mostDrawnPx) return 'large'
  const box = new Box(left, top, width, height)
  for (const rings of parts) fill(box, rings, scale)
  return box.runsOf((value) => value === 1)
}

/** The pixel whose centre is the first at or behind a place. */
export const firstCentre = (place: number, scale: number): number => Math.ceil(place / scale - 0.5)

function boxOfRings(rings: readonly Ring[], scale: number): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of rings)
    for (const [x, y] of ring) {
      x0 = Math.min(x0, x)
      y0 = Math.min(y0, y)
      x1 = Math.max(x1, x)
      y1 = Math.max(y1, y)
    }
  return [firstCentre(x0, scale), firstCentre(y0, scale), firstCentre(x1, scale), firstCentre(y1, scale)]
}

function fill(box: Box, rings: readonly Ring[], scale: number): void {
  const [, top, , bottom] = boxOfRings(rings, scale)
  const first = Math.max(top, box.y)
  const rows: number[][] = Array.from({ length: Math.max(0, Math.min(bottom, box.y + box.height) - first) }, () => [])
  for (const ring of rings)
    ring.forEach(([bx, by], i) => {
      const [ax, ay] = ring[(i + ring.length - 1) % ring.length]!
      // From the upper end to the lower, whichever way the ring goes: an edge that two parts share is at one place.
      const [px, py, qx, qy] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay]
      const last = Math.min(firstCentre(qy, scale) - first, rows.length)
      for (let row = Math.max(0, firstCentre(py, scale) - first); row < last; row++)
        rows[row]!.push(px + (((row + first + 0.5) * scale - py) / (qy - py)) * (qx - px))
    })
  rows.forEach((crossings, row) => {
    crossings.sort((a, b) => a - b)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = firstCentre(crossings[i]!, scale)
      const to = firstCentre(crossings[i + 1]!, scale)
      if (from < to) box.paint(Int32Array.of(row + first, from, to), 1)
    }
  })
}

const most = (sizes: readonly number[]): number => sizes.reduce((a, b) => Math.max(a, b), -Infinity)

export function pixelCount(runs: Runs): number {
  let pixels = 0
  for (let r = 0; r < runs.length; r += 3) pixels += runs[r + 2]! - runs[r + 1]!
  return pixels
}

/** Of the pixels what is nobody else's, in one piece: the largest (of equals the first). Empty where nothing is. */
export function freePart(own: Runs, others: readonly Runs[]): Runs | 'large' {
  const box = Box.around([own], 1)
  if (!box) return 'large'
  box.paint(own, 1)
  const pieces = box.pieces()
  for (const runs of others) box.take(runs)
  const sizes = box.numberLeft((value) => value === 1, 2, pieces)
  const largest = sizes.indexOf(most(sizes)) + 2
  return box.runsOf((value) => value === largest && sizes.length > 0)
}

/** How many of the pixels others have, and how many of them have some. */
export function sharedPixels(own: Runs, others: readonly Runs[]): { px: number; objects: number } {
  const box = Box.around([own], 0)
  const shared = { px: 0, objects: 0 }
  if (!box) return shared
  box.paint(own, 1)
  for (const runs of others) {
    const before = shared.px
    for (let r = 0; r < runs.length; r += 3)
      for (let x = Math.max(runs[r + 1]!, box.x); x < Math.min(runs[r + 2]!, box.x + box.width); x++) {
        const place = box.at(x, runs[r]!)
        if (place < 0 || box.data[place] !== 1) continue
        box.data[place] = 0
        shared.px += 1
      }
    if (shared.px > before) shared.objects += 1
  }
  return shared
}

/** With what of the stroke is nobody else's and connected with it side by side. null: no pixel more. O(box). */
export function painted(own: Runs, stroke: Runs, others: readonly Runs[]): Runs | null | 'large' {
  const box = Box.around([own, stroke], 1)
  if (!box) return 'large'
  box.paint(stroke, 1)
  for (const runs of others) box.paint(runs, 0)
  box.paint(own, 1)
  return joined(box, own)
}

/**
 * Without the stroke, each connected part for itself, in raster order of first pixels: the largest (of equals the first), and those of a few px or
 * more. [] where nothing is left; null: the stroke is not on it. O(box).
 */
export function rubbed(own: Runs, stroke: Runs): Runs[] | null | 'large' {
  const box = Box.around([own], 1)
  if (!box) return 'large'
  box.paint(own, 1)
  const pieces = box.pieces()
  box.take(stroke)
  const sizes = box.numberLeft((value) => value === 1, 2, pieces)
  if (sizes.reduce((sum, size) => sum + size, 0) === pixelCount(own)) return null
  const largest = sizes.indexOf(most(sizes))
  const kept = sizes.flatMap((size, i) => (i === largest || size >= leastPartPx ? [i + 2] : []))
  return kept.map((part) => box.runsOf((value) => value === part))
}
