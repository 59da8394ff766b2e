// The rims of shapes painted on a picture of the slide, as the window and the report draw them: a line in a colour, on a dark wider one.
import type { Shape } from '../../../app/contract'
import { partsOf } from '../../base/shapes'
import type { SlidePicture } from './slidePicture'

/** As the report has it. */
const lineRgb = [190, 255, 0] as const
const rimRgb = [0, 0, 0] as const
/** Px of the line that are looked at between two looks at the signal, with a pause for whoever else waits. */
const pxAtOnce = 2 ** 21

/** Half of the line's width, in px of the picture; its dark rim reaches twice as far. */
export const halfWidthOf = ({ width, height }: Pick<SlidePicture, 'width' | 'height'>): number =>
  Math.max(1, Math.max(width, height) / 2000)

/** Whole px of the slide that a line on the rim of the picture's region needs beside it. */
export const marginFor = (width: number, height: number, longSidePx: number): number =>
  Math.ceil(2 * halfWidthOf({ width, height }) * Math.max(1, Math.max(width, height) / longSidePx)) + 2

type Segment = readonly [ax: number, ay: number, bx: number, by: number]

/** Every px whose centre lies within half a width of a rim. O(px of the lines). */
export async function paintShapes(shapes: readonly Shape[], picture: SlidePicture, signal: AbortSignal): Promise<void> {
  const half = halfWidthOf(picture)
  const segments = segmentsOf(shapes, picture, 2 * half)
  let done = 0
  for (const [reach, rgb] of [[2 * half, rimRgb] as const, [half, lineRgb] as const])
    for (const segment of segments) {
      done += paint(segment, picture, reach, rgb)
      if (done < pxAtOnce) continue
      done = 0
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
    }
}

/** In px of the picture, what of them comes within `margin` of it. */
function segmentsOf(shapes: readonly Shape[], { scale, x0, y0, width, height }: SlidePicture, margin: number): Segment[] {
  const segments: Segment[] = []
  for (const ring of shapes.flatMap((shape) => partsOf(shape).flat()))
    ring.forEach(([bx, by], i) => {
      const [ax, ay] = ring[(i + ring.length - 1) % ring.length]!
      const at = [ax / scale - x0, ay / scale - y0, bx / scale - x0, by / scale - y0] as const
      const seen = clipped(at, -margin, -margin, width + margin, height + margin)
      if (seen) segments.push(seen)
    })
  return segments
}

/** Liang and Barsky 1984: what of a segment lies in a box; null: nothing. */
function clipped([ax, ay, bx, by]: Segment, left: number, top: number, right: number, bottom: number): Segment | null {
  let [from, to] = [0, 1]
  const sides = [
    [ax - bx, ax - left],
    [bx - ax, right - ax],
    [ay - by, ay - top],
    [by - ay, bottom - ay],
  ] as const
  for (const [towards, room] of sides) {
    if (towards === 0 && room < 0) return null
    if (towards < 0) from = Math.max(from, room / towards)
    if (towards > 0) to = Math.min(to, room / towards)
  }
  if (from > to) return null
  return [ax + from * (bx - ax), ay + from * (by - ay), ax + to * (bx - ax), ay + to * (by - ay)]
}

/** How many px were looked at. */
function paint(segment: Segment, { rgb, width, height }: SlidePicture, reach: number, color: readonly number[]): number {
  const [, ay, , by] = segment
  const first = Math.max(0, Math.ceil(Math.min(ay, by) - reach - 0.5))
  const last = Math.min(height - 1, Math.floor(Math.max(ay, by) + reach - 0.5))
  let looked = 0
  for (let y = first; y <= last; y++) {
    const [from, to] = spanOf(segment, reach, y + 0.5)
    const [left, right] = [Math.max(0, Math.ceil(from - 0.5)), Math.min(width - 1, Math.floor(to - 0.5))]
    for (let x = left; x <= right; x++) rgb.set(color, (y * width + x) * 3)
    looked += 1 + Math.max(0, right - left)
  }
  return looked
}

/** Where a row lies within reach of a segment: in a disc about an end, or in the band between them. From above to: nowhere. */
function spanOf([ax, ay, bx, by]: Segment, reach: number, y: number): [from: number, to: number] {
  let [from, to] = [Infinity, -Infinity]
  const take = (low: number, high: number): void => {
    from = Math.min(from, low)
    to = Math.max(to, high)
  }
  for (const [x, cy] of [
    [ax, ay],
    [bx, by],
  ] as const) {
    const squared = reach ** 2 - (y - cy) ** 2
    if (squared >= 0) take(x - Math.sqrt(squared), x + Math.sqrt(squared))
  }
  const length = Math.hypot(bx - ax, by - ay)
  if (length === 0) return [from, to]
  const [nx, ny] = [(-(by - ay) / length) * reach, ((bx - ax) / length) * reach]
  const corners = [[ax + nx, ay + ny], [bx + nx, by + ny], [bx - nx, by - ny], [ax - nx, ay - ny]] as const // oxfmt-ignore
  corners.forEach(([px, py], i) => {
    const [qx, qy] = corners[(i + 1) % 4]!
    if (py <= y === qy <= y) return
    const x = px + ((y - py) / (qy - py)) * (qx - px)
    take(x, x)
  })
  return [from, to]
}
