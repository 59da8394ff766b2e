// The rings of an object's pixels as parts: outer rings with their holes. Pure.
import type { Ring } from '../../../app/contract'
import { EdgeBands } from './edgeBands'

/**
 * Of rings of pixel corners as the engine traces them: outer rings go one way around, holes the other, and each piece that shares sides has an outer
 * ring of its own. A hole lies in the smallest outer ring around it. Cost: of each hole the lines beside it.
 */
export function partsOfOutline(rings: readonly Ring[]): Ring[][] {
  const areas = rings.map(doubledArea)
  const largest = areas.reduce((best, area) => (Math.abs(area) > Math.abs(best) ? area : best), 0)
  const isOuter = areas.map((area) => area > 0 === largest > 0)
  const parts = new Map<number, Ring[]>()
  rings.forEach((ring, at) => isOuter[at] && parts.set(at, [ring]))
  if (parts.size === rings.length) return [...parts.values()]
  const edges: number[] = []
  const ringOf: number[] = []
  rings.forEach((ring, at) => {
    if (!isOuter[at]) return
    ring.forEach(([x, y], i) => {
      const [px, py] = ring[(i + ring.length - 1) % ring.length]!
      if (y === py) return
      edges.push(...(py < y ? [px, py, x, y] : [x, y, px, py]))
      ringOf.push(at)
    })
  })
  const segments = Float64Array.from(edges)
  const bands = new EdgeBands(segments)
  rings.forEach((ring, at) => {
    if (isOuter[at]) return
    // The middle of an upright side: no other ring has a point there.
    const from = ring.findIndex(([x, y], i) => x === ring[(i + 1) % ring.length]![0] && y !== ring[(i + 1) % ring.length]![1])
    const [[x, y0], [, y1]] = [ring[from]!, ring[(from + 1) % ring.length]!]
    const y = (y0 + y1) / 2
    const around = new Map<number, boolean>()
    for (const edge of bands.at(y)) {
      const start = edge * 4
      if (y < segments[start + 1]! || y >= segments[start + 3]! || segments[start]! > x) continue
      around.set(ringOf[edge]!, !around.get(ringOf[edge]!))
    }
    const holders = [...around].flatMap(([outer, isOdd]) => (isOdd ? [outer] : []))
    const holder = holders.reduce((best, outer) => (Math.abs(areas[outer]!) < Math.abs(areas[best]!) ? outer : best), holders[0]!)
    parts.get(holder)?.push(ring)
  })
  return [...parts.values()]
}

/** Twice the signed area of a ring: which sign says which way round it goes. */
export function doubledArea(ring: Ring): number {
  const [ox, oy] = ring[0]!
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    sum += (ring[j]![0] - ox) * (ring[i]![1] - oy) - (ring[i]![0] - ox) * (ring[j]![1] - oy)
  return sum
}
