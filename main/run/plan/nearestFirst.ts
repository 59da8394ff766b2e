// The cells of a rectangle of unit squares, nearest to a point first, found as they are asked for: a plan of any size costs its front alone.

export interface Cell {
  x: number
  y: number
}
/** All inclusive. */
export interface CellRange {
  x0: number
  y0: number
  x1: number
  y1: number
}

interface Candidate extends Cell {
  distance: number
}

/**
 * By the distance of a cell's centre from `focus` (in cells; cell (0, 0) is [0, 1) × [0, 1)), ties in raster order. A focus outside is taken
 * at the nearest point inside, which keeps the front short.
 */
export function* nearestFirst(range: CellRange, focus: Cell): Generator<Cell> {
  const fx = Math.min(Math.max(focus.x, range.x0), range.x1 + 1)
  const fy = Math.min(Math.max(focus.y, range.y0), range.y1 + 1)
  const cx = Math.min(Math.floor(fx), range.x1)
  const cy = Math.min(Math.floor(fy), range.y1)
  const last = Math.max(cx - range.x0, range.x1 - cx, cy - range.y0, range.y1 - cy)
  let front: Candidate[] = []
  for (let ring = 0; ring <= last; ring++) {
    for (const { x, y } of ringOf(range, cx, cy, ring)) {
      front.push({ x, y, distance: (x + 0.5 - fx) ** 2 + (y + 0.5 - fy) ** 2 })
    }
    front.sort((a, b) => a.distance - b.distance || a.y - b.y || a.x - b.x)
    // The focus lies in the middle cell or on its rim: whatever is in the next ring is at least so far away.
    const sure = ring === last ? Infinity : (ring + 0.5) ** 2
    let count = 0
    while (count < front.length && front[count]!.distance < sure) count += 1
    for (const { x, y } of front.slice(0, count)) yield { x, y }
    front = front.slice(count)
  }
}

/** The cells whose larger coordinate distance from (cx, cy) is `ring`, as far as the range has them. */
function* ringOf({ x0, y0, x1, y1 }: CellRange, cx: number, cy: number, ring: number): Generator<Cell> {
  if (ring === 0) {
    yield { x: cx, y: cy }
    return
  }
  const left = Math.max(x0, cx - ring)
  const right = Math.min(x1, cx + ring)
  for (const y of [cy - ring, cy + ring]) if (y >= y0 && y <= y1) for (let x = left; x <= right; x++) yield { x, y }
  const top = Math.max(y0, cy - ring + 1)
  const bottom = Math.min(y1, cy + ring - 1)
  for (const x of [cx - ring, cx + ring]) if (x >= x0 && x <= x1) for (let y = top; y <= bottom; y++) yield { x, y }
}
