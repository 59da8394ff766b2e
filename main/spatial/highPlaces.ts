// Where a map is high: cells that share sides, as shapes whose outlines run along the cells. Pure.
import type { Ring, Shape } from '../../app/contract'
import { partsOfOutline } from '../base/planar/outline'
import type { DensityGrid } from './densityMap'

export interface HighPlace {
  readonly shape: Shape
  readonly cells: number
  readonly highest: number
}

/**
 * Places of cells of at least a limit, each of which shares a side with the next; of at least so many cells. The largest first, of two alike the upper
 * left one. Outlines end with the slide, `most` px. O(cells).
 */
export function highPlaces(
  { cellPx, left, top, width, height, values }: DensityGrid & { readonly values: Float32Array },
  limit: number,
  leastCells: number,
  most: { readonly x: number; readonly y: number },
): { places: HighPlace[]; leftOut: number } {
  const of = new Int32Array(width * height)
  const isHigh = (at: number): boolean => values[at]! >= limit
  const found: { first: number; cells: number; highest: number; label: number }[] = []
  const open: number[] = []
  for (let first = 0; first < of.length; first++) {
    if (of[first] !== 0 || !isHigh(first)) continue
    const label = found.length + 1
    const place = { first, cells: 0, highest: -Infinity, label }
    found.push(place)
    of[first] = label
    open.push(first)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      place.cells++
      place.highest = Math.max(place.highest, values[at]!)
      const column = at % width
      const beside = [column > 0 ? at - 1 : -1, column + 1 < width ? at + 1 : -1, at - width, at + width]
      for (const next of beside)
        if (next >= 0 && next < of.length && of[next] === 0 && isHigh(next)) {
          of[next] = label
          open.push(next)
        }
    }
  }
  const kept = found.filter(({ cells }) => cells >= leastCells).sort((a, b) => b.cells - a.cells || a.first - b.first)
  const isKept = new Uint8Array(found.length + 1)
  for (const { label } of kept) isKept[label] = 1
  const rings = ringsOf(of, isKept, width, height)
  const onSlide = ([x, y]: readonly [number, number]): [number, number] => [
    Math.min(most.x, (left + x) * cellPx),
    Math.min(most.y, (top + y) * cellPx),
  ]
  const places = kept.map(({ label, cells, highest }) => {
    const parts = partsOfOutline(rings.get(label)!).map((ringsOfPart) => ringsOfPart.map((ring): Ring => ring.map(onSlide)))
    return { shape: { kind: 'polygon' as const, parts }, cells, highest }
  })
  return { places, leftOut: found.length - kept.length }
}

/**
 * Around each label its rings, of corners of cells: what is inside lies to the right. At a corner where two cells of one label meet across, the ring goes
 * over to the other: no ring meets itself.
 */
function ringsOf(of: Int32Array, isKept: Uint8Array, width: number, height: number): Map<number, Ring[]> {
  const rings = new Map<number, Ring[]>()
  const labelAt = (x: number, y: number): number => (x < 0 || y < 0 || x >= width || y >= height ? 0 : of[y * width + x]!)
  /** Cells whose upper side is in a ring. */
  const done = new Uint8Array(width * height)
  for (let y0 = 0; y0 < height; y0++)
    for (let x0 = 0; x0 < width; x0++) {
      const label = of[y0 * width + x0]!
      if (isKept[label] !== 1 || done[y0 * width + x0] === 1 || labelAt(x0, y0 - 1) === label) continue
      const ring: Ring = []
      // Along the upper side, to the right.
      let [x, y, dx, dy] = [x0, y0, 1, 0]
      do {
        if (dx === 1) done[y * width + x] = 1
        x += dx
        y += dy
        // The cells before the corner, to either side of the way.
        const at = (side: number): number => labelAt(x + (dx - side * dy - 1) / 2, y + (dy + side * dx - 1) / 2)
        const [isLeft, isRight] = [at(-1) === label, at(1) === label]
        if (isLeft) [dx, dy] = [dy, -dx]
        else if (!isRight) [dx, dy] = [-dy, dx]
        if (isLeft || !isRight) ring.push([x, y])
      } while (x !== x0 || y !== y0 || dx !== 1)
      const own = rings.get(label)
      if (own) own.push(ring)
      else rings.set(label, [ring])
    }
  return rings
}
