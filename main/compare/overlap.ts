// Two sets of outlines on one grid of pixels, held against each other exactly: areas, what both cover, and how many px each pair shares.
import { breather } from '../base/breather'

/** Objects in raster order of their first pixels. */
export interface Outlines {
  readonly count: number
  /** The row of the first pixel. */
  top(index: number): number
  /** Triples y, x0, x1 (x1 exclusive), raster order. */
  runs(index: number): Int32Array
}

export interface Overlap {
  /** Of each object, px. */
  readonly areas: { readonly a: Float64Array; readonly b: Float64Array }
  /** Px that any object of the set covers, each once; and that one of both sets covers. */
  readonly covered: { readonly a: number; readonly b: number; readonly both: number }
  readonly pairs: readonly Pair[]
}
export interface Pair {
  readonly a: number
  readonly b: number
  /** Px of both. */
  readonly pixels: number
}

/** Rows that are looked at together: their runs lie in memory at once. */
const bandRows = 64
/** Runs of a row: from, to (exclusive), and whose they are; by where they begin. */
interface Row {
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly who: readonly number[]
}

/** Hands out the runs of a set band by band, each object's outline read once. */
class Feed {
  readonly areas: Float64Array
  private next = 0
  private carried: { index: number; runs: Int32Array; at: number }[] = []
  constructor(private readonly set: Outlines) {
    this.areas = new Float64Array(set.count)
  }

  /** The row that it goes on at, where it is not below `row`; Infinity: there is none. */
  begins(row: number): number {
    if (this.carried.length > 0) return row
    return this.next < this.set.count ? Math.max(row, this.set.top(this.next)) : Infinity
  }

  band(first: number): Row[] {
    const end = first + bandRows
    while (this.next < this.set.count && this.set.top(this.next) < end) {
      this.carried.push({ index: this.next, runs: this.set.runs(this.next), at: 0 })
      this.next++
    }
    const spans = Array.from({ length: bandRows }, () => [] as [from: number, to: number, who: number][])
    for (const each of this.carried) {
      const { runs, index } = each
      let { at } = each
      for (; at < runs.length && runs[at]! < end; at += 3) {
        spans[runs[at]! - first]!.push([runs[at + 1]!, runs[at + 2]!, index])
        this.areas[index]! += runs[at + 2]! - runs[at + 1]!
      }
      each.at = at
    }
    this.carried = this.carried.filter(({ runs, at }) => at < runs.length)
    return spans.map((row) => {
      row.sort((p, q) => p[0] - q[0] || p[2] - q[2])
      return { from: row.map(([from]) => from), to: row.map(([, to]) => to), who: row.map(([, , who]) => who) }
    })
  }
}

/** What a row covers as ranges apart from each other: from, to, from, to, … */
function coveredBy({ from, to }: Row): number[] {
  const ranges: number[] = []
  for (let i = 0; i < from.length; i++) {
    const last = ranges.length - 1
    if (last > 0 && from[i]! <= ranges[last]!) ranges[last] = Math.max(ranges[last]!, to[i]!)
    else ranges.push(from[i]!, to[i]!)
  }
  return ranges
}
function lengthOf(ranges: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < ranges.length; i += 2) sum += ranges[i + 1]! - ranges[i]!
  return sum
}
function commonLength(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    sum += Math.max(0, Math.min(a[i + 1]!, b[j + 1]!) - Math.max(a[i]!, b[j]!))
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return sum
}

/** Every two runs of a row that share px. */
function meet(a: Row, b: Row, each: (a: number, b: number, pixels: number) => void): void {
  let first = 0
  for (let i = 0; i < a.from.length; i++) {
    // What ends before this run begins ends before the next one does.
    while (first < b.from.length && b.to[first]! <= a.from[i]!) first++
    for (let j = first; j < b.from.length && b.from[j]! < a.to[i]!; j++) {
      const pixels = Math.min(a.to[i]!, b.to[j]!) - Math.max(a.from[i]!, b.from[j]!)
      if (pixels > 0) each(a.who[i]!, b.who[j]!, pixels)
    }
  }
}

/** Exact, whatever overlaps within a set. O(runs · log(runs of a row)); rests now and then, and ends where `signal` says so. */
export async function overlapOf(a: Outlines, b: Outlines, signal?: AbortSignal): Promise<Overlap> {
  const [feedA, feedB] = [new Feed(a), new Feed(b)]
  const shared = new Map<number, number>()
  const add = (first: number, second: number, pixels: number): void => {
    const key = first * b.count + second
    shared.set(key, (shared.get(key) ?? 0) + pixels)
  }
  const covered = { a: 0, b: 0, both: 0 }
  const breathe = breather(signal)
  for (let row = 0; ; row += bandRows) {
    row = Math.min(feedA.begins(row), feedB.begins(row))
    if (row === Infinity) break
    const [rowsA, rowsB] = [feedA.band(row), feedB.band(row)]
    for (let i = 0; i < bandRows; i++) {
      const [rangesA, rangesB] = [coveredBy(rowsA[i]!), coveredBy(rowsB[i]!)]
      covered.a += lengthOf(rangesA)
      covered.b += lengthOf(rangesB)
      covered.both += commonLength(rangesA, rangesB)
      meet(rowsA[i]!, rowsB[i]!, add)
    }
    await breathe()
  }
  const pairs = [...shared].map(([key, pixels]) => ({ a: Math.floor(key / b.count), b: key % b.count, pixels }))
  return { areas: { a: feedA.areas, b: feedB.areas }, covered, pairs }
}
