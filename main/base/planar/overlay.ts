// Two sets of rings laid over each other: the faces that they make, and the outlines of those that are wanted. What comes out is valid by its making. Pure.
import type { Ring } from '../../../app/contract'
import { facesOf } from './faces'
import type { IsWanted } from './faces'
import { mostGrid, noded, TooTangled } from './noded'
import type { Effort, Lines } from './noded'

/** Grid steps are powers of two of a px: 1/1024 at the finest, so that what a hand draws stays to the point. */
const finest = 2 ** -10

/**
 * The places that are wanted, as parts of an outer ring and its holes that cross and touch nowhere but at single points. Coordinates come to the
 * nearest point of a grid of 2^24 steps at most across: 1/1024 px up to 16,384 px, 1/256 px up to 65,536 px. Throws TooTangled.
 */
export function overlay(first: readonly Ring[], second: readonly Ring[], isWanted: IsWanted, effort: Effort): Ring[][] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const rings of [first, second])
    for (const ring of rings)
      for (const [x, y] of ring) {
        minX = Math.min(minX, x)
        minY = Math.min(minY, y)
        maxX = Math.max(maxX, x)
        maxY = Math.max(maxY, y)
      }
  const extent = Math.max(maxX - minX, maxY - minY)
  if (!(extent > 0)) return []
  let step = finest
  while (extent / step > mostGrid || (Math.abs(minX) + Math.abs(minY) + extent) / step > 2 ** 50) step *= 2
  // Lines so near to each other that splitting goes on and on are apart, or one, on a coarser grid.
  for (let tries = 0; ; tries++, step *= 4)
    try {
      return onGrid(first, second, isWanted, effort, step, Math.round(minX / step), Math.round(minY / step))
    } catch (cause) {
      if (!(cause instanceof TooTangled && cause.isFine) || tries === 2) throw cause
    }
}

function onGrid(
  first: readonly Ring[],
  second: readonly Ring[],
  isWanted: IsWanted,
  effort: Effort,
  step: number,
  left: number,
  top: number,
): Ring[][] {
  const xy: number[] = []
  const of: number[] = []
  const corners = new Set<number>()
  const at = ([x, y]: readonly [number, number]): [number, number] => [Math.round(x / step) - left, Math.round(y / step) - top]
  const all = [
    [first, 0],
    [second, 1],
  ] as const
  for (const [rings, set] of all)
    for (const ring of inOrder(rings)) {
      let before = at(ring.at(-1)!)
      for (const point of ring) {
        const next = at(point)
        corners.add(keyOf(...next))
        if (next[0] !== before[0] || next[1] !== before[1]) {
          xy.push(...before, ...next)
          of.push(set)
        }
        before = next
      }
    }
  const lines: Lines = noded({ xy: Float64Array.from(xy), of: Uint32Array.from(of) }, effort)
  const parts = facesOf(lines, isWanted)
  // Where rings touch both keep the point.
  const once = new Set<number>()
  for (const [x, y] of parts.flat(2)) {
    const key = keyOf(x, y)
    if (once.has(key)) corners.add(key)
    else once.add(key)
  }
  return parts.map((rings) =>
    rings.map((ring) => withoutStraight(ring, corners).map(([x, y]): [number, number] => [(x + left) * step, (y + top) * step])),
  )
}

/** Rings whose boxes lie near each other follow each other: by the bits of their middles' coordinates in turn. */
function inOrder(rings: readonly Ring[]): readonly Ring[] {
  if (rings.length < 16) return rings
  const middles = rings.map((ring) => {
    const [x, y] = ring[ring.length >> 1]!
    return { ring, x: (x + ring[0]![0]) / 2, y: (y + ring[0]![1]) / 2 }
  })
  const [minX, maxX] = rangeOf(middles.map(({ x }) => x))
  const [minY, maxY] = rangeOf(middles.map(({ y }) => y))
  const spread = (value: number): number => {
    let n = Math.floor(value * 65535)
    n = (n | (n << 8)) & 0x00ff00ff
    n = (n | (n << 4)) & 0x0f0f0f0f
    n = (n | (n << 2)) & 0x33333333
    return (n | (n << 1)) & 0x55555555
  }
  return middles
    .map(({ ring, x, y }) => ({
      ring,
      code: spread((x - minX) / (maxX - minX || 1)) + 2 * spread((y - minY) / (maxY - minY || 1)),
    }))
    .sort((a, b) => a.code - b.code)
    .map(({ ring }) => ring)
}

function rangeOf(values: readonly number[]): [number, number] {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return [least, most]
}

const keyOf = (x: number, y: number): number => (x + 2 ** 25) * 2 ** 27 + y + 2 ** 25

/** Without points that a crossing line left on a straight one: `corners` stay. */
function withoutStraight(ring: Ring, corners: ReadonlySet<number>): Ring {
  const kept: Ring = []
  ring.forEach((point, i) => {
    const [ax, ay] = kept.at(-1) ?? ring.at(-1)!
    const [bx, by] = ring[(i + 1) % ring.length]!
    const [x, y] = point
    const isStraight = (bx - ax) * (y - ay) === (by - ay) * (x - ax)
    if (!isStraight || corners.has(keyOf(x, y))) kept.push(point)
  })
  return kept.length >= 3 ? kept : ring
}
