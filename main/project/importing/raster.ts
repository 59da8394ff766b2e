// An outline as pixels of an analysed image, quickly: the pixels whose centres its rings wind around. Pure.
import type { Ring } from '../../../app/contract'
import { firstCentre } from '../objects/drawnPixels'

/** Analysed px. An outline's box, of which one side is no longer than that and all of it no more. */
export const mostSidePx = 8192
export const mostBoxPx = 2 ** 22
/** Rows that all edges of an outline cross together. */
const mostCrossings = 2 ** 22

export interface Extent {
  readonly widthPx: number
  readonly heightPx: number
}

/** Why there are no pixels. */
export type NoPixels = 'beyond' | 'large' | 'tangled' | 'none'

/** Room that outlines share: one after the other. */
let places = new Float64Array(1024)
let ways = new Int8Array(1024)
/** Of each row where its crossings begin, and where the next one goes. */
let starts = new Int32Array(256)
let next = new Int32Array(256)
let spans = new Int32Array(1024)
/** Of each corner the first row whose centre lies behind it. */
let corners = new Int32Array(256)

export interface Drawn {
  readonly runs: Int32Array
  /** Some of it lies beyond the image. */
  readonly clipped: boolean
}

/**
 * Runs (y, x0, x1 by threes, raster order) of the pixels of an image whose centres lie in the parts: in each its first ring without the others.
 * A ring encloses what it winds around; left and upper edges are in, right and lower ones out. Level-0 px, of which a pixel has `scale`.
 * O(edges · rows that each crosses).
 */
export function rasterised(parts: readonly (readonly Ring[])[], scale: number, extent: Extent): Drawn | NoPixels {
  const flat = parts.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())))
  const found = rasterisedRings(flat, scale, extent)
  return typeof found === 'string' ? found : { ...found, runs: found.runs.slice() }
}

/** The same of rings as x, y by twos. What is found is to be copied before the next. */
export function rasterisedRings(
  parts: readonly (readonly Float64Array[])[],
  scale: number,
  { widthPx, heightPx }: Extent,
): Drawn | NoPixels {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (const [ring] of parts)
    for (let i = 0; i < ring!.length; i += 2) {
      const x = ring![i]!
      const y = ring![i + 1]!
      if (x < minX) minX = x
      if (x > maxX) maxX = x
      if (y < minY) minY = y
      if (y > maxY) maxY = y
    }
  const [x0, y0] = [firstCentre(minX, scale), firstCentre(minY, scale)]
  const [x1, y1] = [firstCentre(maxX, scale), firstCentre(maxY, scale)]
  const [left, top] = [Math.max(0, x0), Math.max(0, y0)]
  const [width, height] = [Math.min(widthPx, x1) - left, Math.min(heightPx, y1) - top]
  if (x1 <= 0 || y1 <= 0 || x0 >= widthPx || y0 >= heightPx) return 'beyond'
  if (width <= 0 || height <= 0) return 'none'
  if (width > mostSidePx || height > mostSidePx || width * height > mostBoxPx) return 'large'
  const rows: Rows = { scale, top, height, left, right: left + width }
  const one = parts.length === 1 && parts[0]!.length === 1
  const found = one ? spansOf(parts[0]![0]!, rows) : spansOfParts(parts, rows)
  if (found === null) return 'tangled'
  if (found.length === 0) return 'none'
  return { runs: found, clipped: x0 < 0 || y0 < 0 || x1 > widthPx || y1 > heightPx }
}

interface Rows {
  readonly scale: number
  readonly top: number
  readonly height: number
  readonly left: number
  readonly right: number
}

/** Of one ring, to be copied before the next one's; null: its edges cross too many rows. */
function spansOf(ring: Float64Array, { scale, top, height, left, right }: Rows): Int32Array | null {
  if (height >= starts.length) [starts, next] = [new Int32Array(2 * height), new Int32Array(2 * height)]
  starts.fill(0, 0, height + 1)
  let total = 0
  const count = ring.length / 2
  if (count > corners.length) corners = new Int32Array(2 * count)
  for (let i = 0; i < count; i++) {
    const row = firstCentre(ring[2 * i + 1]!, scale) - top
    corners[i] = row < 0 ? 0 : row > height ? height : row
  }
  for (let i = 0, a = corners[count - 1]!; i < count; i++) {
    const b = corners[i]!
    const [from, to] = a < b ? [a, b] : [b, a]
    for (let row = from; row < to; row++) starts[row + 1]! += 1
    total += to - from
    if (total > mostCrossings) return null
    a = b
  }
  for (let row = 0; row < height; row++) {
    next[row] = starts[row]!
    starts[row + 1]! += starts[row]!
  }
  if (total > places.length) [places, ways] = [new Float64Array(2 * total), new Int8Array(2 * total)]
  for (let i = 0, a = corners[count - 1]!, ax = ring[2 * count - 2]!, ay = ring[2 * count - 1]!; i < count; i++) {
    const bx = ring[2 * i]!
    const by = ring[2 * i + 1]!
    const b = corners[i]!
    // From the upper end to the lower, whichever way the ring goes: an edge that two outlines share is at one place.
    const isDown = ay < by
    const px = isDown ? ax : bx
    const py = isDown ? ay : by
    const qx = isDown ? bx : ax
    const qy = isDown ? by : ay
    const to = isDown ? b : a
    for (let row = isDown ? a : b; row < to; row++) {
      const at = next[row]!++
      places[at] = px + (((row + top + 0.5) * scale - py) / (qy - py)) * (qx - px)
      ways[at] = isDown ? 1 : -1
    }
    a = b
    ax = bx
    ay = by
  }
  if (3 * total > spans.length) spans = new Int32Array(6 * total)
  let length = 0
  for (let row = 0; row < height; row++) {
    const first = starts[row]!
    const end = starts[row + 1]!
    sort(first, end)
    let winding = 0
    let isFirst = true
    for (let at = first; at + 1 < end; at++) {
      winding += ways[at]!
      if (winding === 0) continue
      const from = Math.max(left, firstCentre(places[at]!, scale))
      const to = Math.min(right, firstCentre(places[at + 1]!, scale))
      if (from >= to) continue
      // Spans that meet are one.
      if (!isFirst && spans[length - 1] === from) spans[length - 1] = to
      else {
        spans[length] = row + top
        spans[length + 1] = from
        spans[length + 2] = to
        length += 3
      }
      isFirst = false
    }
  }
  return spans.subarray(0, length)
}

/** Of a row's crossings, few as a rule. */
function sort(first: number, end: number): void {
  if (end - first > 64) {
    const order = Array.from({ length: end - first }, (_, i) => i + first).sort((a, b) => places[a]! - places[b]!)
    const [x, way] = [order.map((at) => places[at]!), order.map((at) => ways[at]!)]
    places.set(x, first)
    ways.set(way, first)
    return
  }
  for (let i = first + 1; i < end; i++) {
    const x = places[i]!
    const way = ways[i]!
    let at = i - 1
    for (; at >= first && places[at]! > x; at--) {
      places[at + 1] = places[at]!
      ways[at + 1] = ways[at]!
    }
    places[at + 1] = x
    ways[at + 1] = way
  }
}

/** In a box of pixels, as parts may lie over each other. */
function spansOfParts(parts: readonly (readonly Float64Array[])[], rows: Rows): Int32Array | null {
  const width = rows.right - rows.left
  const all = new Uint8Array(width * rows.height)
  const own = new Uint8Array(width * rows.height)
  for (const rings of parts) {
    own.fill(0)
    for (const [i, ring] of rings.entries()) {
      const runs = spansOf(ring, rows)
      if (runs === null) return null
      for (let r = 0; r < runs.length; r += 3) {
        const row = (runs[r]! - rows.top) * width - rows.left
        own.fill(i === 0 ? 1 : 0, row + runs[r + 1]!, row + runs[r + 2]!)
      }
    }
    for (let at = 0; at < own.length; at++) all[at]! |= own[at]!
  }
  const runs: number[] = []
  for (let y = 0; y < rows.height; y++)
    for (let x = 0; x < width; x++) {
      const from = x
      while (x < width && all[y * width + x] === 1) x++
      if (x > from) runs.push(y + rows.top, from + rows.left, x + rows.left)
    }
  return Int32Array.from(runs)
}
