// Neighbours of points: those that an edge of their Delaunay triangulation joins. Points in one place are one corner of it. Pure.
import Delaunator from 'delaunator'
import type { Points } from './points'

/** Of each point the number of its neighbours, and of each class those of that class. */
export interface Neighbours {
  readonly all: Float64Array
  readonly byClass: readonly Float64Array[]
}

/**
 * `classAt`: by point, a number below `classes`, or above: of no class. `longest`: of the edges that count. Points in one place are neighbours of
 * each other, and each has the neighbours of their corner. Points on one line are neighbours one after the other. Of four corners on one
 * circle the order of the points decides which two are joined. O(n log n).
 */
export function neighboursOf(points: Points, classAt: Uint8Array, classes: number, longest: number): Neighbours {
  const { xs, ys } = points
  const n = xs.length
  const { first, at } = cornersOf(points)
  const corners = first.length
  /** Of each corner its points: those of each class, then all. */
  const members = Array.from({ length: classes + 1 }, () => new Uint32Array(corners))
  for (let i = 0; i < n; i++) {
    members[classes]![at[i]!]! += 1
    if (classAt[i]! < classes) members[classAt[i]!]![at[i]!]! += 1
  }
  const found = members.map(() => new Uint32Array(corners))
  const most = longest * longest
  eachEdge(
    Float64Array.from(first, (i) => xs[i]!),
    Float64Array.from(first, (i) => ys[i]!),
    (a, b) => {
      const dx = xs[first[a]!]! - xs[first[b]!]!
      const dy = ys[first[a]!]! - ys[first[b]!]!
      if (dx * dx + dy * dy > most) return
      for (let k = 0; k <= classes; k++) {
        found[k]![a]! += members[k]![b]!
        found[k]![b]! += members[k]![a]!
      }
    },
  )
  const byPoint = found.map((counts, k) => {
    const own = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      const isCounted = k === classes || classAt[i] === k
      own[i] = counts[at[i]!]! + members[k]![at[i]!]! - (isCounted ? 1 : 0)
    }
    return own
  })
  return { all: byPoint[classes]!, byClass: byPoint.slice(0, classes) }
}

/** The first point of each place, in the order of the points, and of each point which place it is in. O(n). */
function cornersOf({ xs, ys }: Points): { first: Uint32Array; at: Uint32Array } {
  const n = xs.length
  const first = new Uint32Array(n)
  const at = new Uint32Array(n)
  let corners = 0
  let size = 8
  while (size < 2 * n) size *= 2
  /** Places + 1 by the bits of their coordinates; the next free one where that is taken. */
  const table = new Uint32Array(size)
  const pair = new Float64Array(2)
  const words = new Uint32Array(pair.buffer)
  for (let i = 0; i < n; i++) {
    const x = xs[i]!
    const y = ys[i]!
    // 0 and -0 are one place.
    pair[0] = x + 0
    pair[1] = y + 0
    let hash = Math.imul(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15) ^ words[2]! ^ Math.imul(words[3]!, 0xc2b2ae35), 0x27d4eb2f)
    let slot = (hash ^ (hash >>> 15)) & (size - 1)
    while (table[slot] !== 0) {
      const other = first[table[slot]! - 1]!
      if (xs[other] === x && ys[other] === y) break
      slot = (slot + 1) & (size - 1)
    }
    if (table[slot] === 0) {
      first[corners] = i
      table[slot] = ++corners
    }
    at[i] = table[slot]! - 1
  }
  return { first: first.subarray(0, corners), at }
}

/** Each pair of corners that is joined, once. */
function eachEdge(xs: Float64Array, ys: Float64Array, join: (a: number, b: number) => void): void {
  const line = alongLine(xs, ys)
  if (line) {
    for (let i = 1; i < line.length; i++) join(line[i - 1]!, line[i]!)
    return
  }
  const coordinates = new Float64Array(2 * xs.length)
  for (let i = 0; i < xs.length; i++) {
    coordinates[2 * i] = xs[i]!
    coordinates[2 * i + 1] = ys[i]!
  }
  const { triangles, halfedges } = new Delaunator(coordinates)
  for (let edge = 0; edge < triangles.length; edge++) {
    // Of the two sides of an edge the one; at the hull there is no other.
    if (halfedges[edge]! > edge) continue
    join(triangles[edge]!, triangles[edge % 3 === 2 ? edge - 2 : edge + 1]!)
  }
}

/** Corners along the line that all lie on, as far as doubles tell; null: there is no such line. O(corners, as a rule the first three). */
function alongLine(xs: Float64Array, ys: Float64Array): Uint32Array | null {
  const n = xs.length
  const [x0, y0] = [xs[0] ?? 0, ys[0] ?? 0]
  let far = 0
  let farness = 0
  for (let i = 1; i < n && i < 64; i++) {
    const squared = (xs[i]! - x0) ** 2 + (ys[i]! - y0) ** 2
    if (squared > farness) [far, farness] = [i, squared]
  }
  const [dx, dy] = [(xs[far] ?? 0) - x0, (ys[far] ?? 0) - y0]
  for (let i = 1; i < n; i++) {
    const [left, right] = [dx * (ys[i]! - y0), dy * (xs[i]! - x0)]
    if (Math.abs(left - right) > 1e-14 * (Math.abs(left) + Math.abs(right))) return null
  }
  const along = Float64Array.from(xs, (x, i) => (Math.abs(dx) >= Math.abs(dy) ? x : ys[i]!))
  return Uint32Array.from(xs, (_, i) => i).sort((a, b) => along[a]! - along[b]!)
}
