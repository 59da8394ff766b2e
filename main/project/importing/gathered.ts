// Objects of a file as they come in, by the part of the slide that they lie in: their pixels in few bytes, of which memory holds a part, until they are measured.

import { WorkingFile } from './workingFile'

/** Analysed px a side. A whole number of tiles. */
export const partPx = 2048

/** Objects whose first pixels lie in one part of the image. */
export interface Part {
  /** Its corner. */
  readonly x: number
  readonly y: number
  readonly count: number
  /** Triples y, x0, x1 from the corner on, as outlines reach no further than 8192 px. */
  readonly runs: Int16Array
  /** Of each object where its runs end, in triples. */
  readonly ends: Uint32Array
  /** Of each a number that its class has in the file; 0: none. */
  readonly classes: Uint8Array
  /** Of their cells in the same way as `runs` and `ends`; none of an object without one. Both empty where none has a cell. */
  readonly cells: Int16Array
  readonly cellEnds: Uint32Array
}

/** Objects of a part that lie on the disk. */
interface Segment {
  readonly at: number
  readonly count: number
  /** Triples. */
  readonly runs: number
  /** Triples of cells; null: none has a cell. */
  readonly cells: number | null
}

const noRuns = new Int16Array(0)
const noEnds = new Uint32Array(0)
const noClasses = new Uint8Array(0)
const noCell = new Int32Array(0)

class Growing {
  readonly x: number
  readonly y: number
  readonly away: Segment[] = []
  count = 0
  runs = noRuns
  ends = noEnds
  classes = noClasses
  cells = noRuns
  cellEnds = noEnds
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }

  get bytes(): number {
    return [this.runs, this.ends, this.classes, this.cells, this.cellEnds].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }
}

const longer = <T extends Int16Array | Uint32Array | Uint8Array>(from: T, to: T): T => {
  to.set(from)
  return to
}
/** Room for `least` of them. */
const withRoom = (runs: Int16Array<ArrayBuffer>, least: number): Int16Array<ArrayBuffer> =>
  least <= runs.length ? runs : longer(runs, new Int16Array(Math.max(96, 2 * runs.length, least)))

/** From the part's corner on. */
function put(runs: Int32Array, { x, y }: Pick<Part, 'x' | 'y'>, to: Int16Array, from: number): void {
  for (let r = 0; r < runs.length; r += 3) {
    to[from + r] = runs[r]! - y
    to[from + r + 1] = runs[r + 1]! - x
    to[from + r + 2] = runs[r + 2]! - x
  }
}
const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array | Uint32Array | Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Triples of all together, of 6 bytes each. */
const mostRuns = 2 ** 28
/** In memory; what is more lies in a working file. */
const usualHeld = 2 ** 27
/** Written at once. */
const writeBytes = 2 ** 22

export class Gathered {
  count = 0
  #runs = 0
  /** Held in memory. */
  #bytes = 0
  readonly #most: number
  readonly #file: WorkingFile
  readonly #parts = new Map<number, Growing>()
  #lastKey = -1
  #last: Growing | undefined

  /** `called`: what people know the file by. */
  constructor(called = 'the objects', most = usualHeld) {
    this.#file = new WorkingFile(called)
    this.#most = most
  }

  /** No more is to come in. */
  get isFull(): boolean {
    return this.#runs >= mostRuns
  }

  /** `runs`: y, x0, x1 by threes, in raster order; `cell`: those of its cell, null: it has none. O(runs). */
  add(runs: Int32Array, classAt: number, cell: Int32Array | null = null): void {
    const [y, x] = [Math.floor(runs[0]! / partPx), Math.floor(runs[1]! / partPx)]
    const key = y * 2 ** 26 + x
    // The next object is near as a rule.
    let part = key === this.#lastKey ? this.#last : this.#parts.get(key)
    if (!part) this.#parts.set(key, (part = new Growing(x * partPx, y * partPx)))
    ;[this.#lastKey, this.#last] = [key, part]
    const n = part.count
    const from = n === 0 ? 0 : 3 * part.ends[n - 1]!
    const before = part.bytes
    part.runs = withRoom(part.runs, from + runs.length)
    if (n === part.ends.length) {
      part.ends = longer(part.ends, new Uint32Array(Math.max(4, 2 * n)))
      part.classes = longer(part.classes, new Uint8Array(Math.max(4, 2 * n)))
    }
    put(runs, part, part.runs, from)
    part.ends[n] = (from + runs.length) / 3
    part.classes[n] = classAt
    if (cell !== null || part.cellEnds.length > 0) this.#addCell(part, cell ?? noCell)
    this.#bytes += part.bytes - before
    part.count += 1
    this.count += 1
    this.#runs += runs.length / 3
  }

  /** Of the object that is about to be counted. */
  #addCell(part: Growing, cell: Int32Array): void {
    const n = part.count
    // Those before the first that has one have none.
    if (part.cellEnds.length <= n) part.cellEnds = longer(part.cellEnds, new Uint32Array(part.ends.length))
    const from = n === 0 ? 0 : 3 * part.cellEnds[n - 1]!
    part.cells = withRoom(part.cells, from + cell.length)
    put(cell, part, part.cells, from)
    part.cellEnds[n] = (from + cell.length) / 3
    this.#runs += cell.length / 3
  }

  /** Puts into a working file what is more than memory may hold; nothing may be added meanwhile. Throws INVALID_PARAMETER where the disk has no room. */
  async relieve(): Promise<void> {
    if (this.#bytes <= this.#most) return
    let ahead: Uint8Array[] = []
    let [bytes, at] = [0, this.#file.bytes]
    const write = async (): Promise<void> => {
      await this.#file.append(Buffer.concat(ahead))
      ahead = []
      bytes = 0
    }
    for (const part of this.#parts.values()) {
      if (part.count === 0) continue
      const { count } = part
      const runs = part.ends[count - 1]!
      const cells = part.cellEnds.length === 0 ? null : part.cellEnds[count - 1]!
      // What has to begin at whole words comes first.
      const own = [
        part.ends.subarray(0, count),
        ...(cells === null ? [] : [part.cellEnds.subarray(0, count)]),
        part.runs.subarray(0, 3 * runs),
        ...(cells === null ? [] : [part.cells.subarray(0, 3 * cells)]),
        part.classes.subarray(0, count),
      ].map(bytesOf)
      part.away.push({ at, count, runs, cells })
      for (const each of own) [at, bytes] = [at + each.length, bytes + each.length]
      ahead.push(...own)
      part.count = 0
      ;[part.runs, part.ends, part.classes, part.cells, part.cellEnds] = [noRuns, noEnds, noClasses, noRuns, noEnds]
      if (bytes >= writeBytes) await write()
    }
    await write()
    this.#bytes = 0
  }

  /** Each once, in raster order: what is given is held no more. */
  async *taken(): AsyncGenerator<Part, void, void> {
    const keys = [...this.#parts.keys()].sort((a, b) => a - b)
    for (const key of keys) {
      const part = this.#parts.get(key)!
      this.#parts.delete(key)
      yield part.away.length === 0 ? part : await this.#whole(part)
    }
  }

  /** Nothing of it is needed any more. */
  async dispose(): Promise<void> {
    await this.#file.remove()
  }

  async #whole(part: Growing): Promise<Part> {
    const { x, y, away } = part
    const pieces: Part[] = []
    for (const { at, count, runs, cells } of away) {
      const [each, ofCells] = cells === null ? [1, 0] : [2, cells]
      const { buffer } = await this.#file.read(at, 4 * each * count + 6 * (runs + ofCells) + count)
      const from = 4 * each * count
      pieces.push({
        ...{ x, y, count },
        ends: new Uint32Array(buffer, 0, count),
        cellEnds: cells === null ? noEnds : new Uint32Array(buffer, 4 * count, count),
        runs: new Int16Array(buffer, from, 3 * runs),
        cells: new Int16Array(buffer, from + 6 * runs, 3 * ofCells),
        classes: new Uint8Array(buffer, from + 6 * (runs + ofCells), count),
      })
    }
    if (part.count > 0) pieces.push(part)
    const count = pieces.reduce((sum, each) => sum + each.count, 0)
    const classes = new Uint8Array(count)
    let n = 0
    for (const each of pieces) {
      classes.set(each.classes.subarray(0, each.count), n)
      n += each.count
    }
    const { runs, ends } = joined(pieces, count)
    const hasCells = pieces.some(({ cellEnds }) => cellEnds.length > 0)
    const ofCells = hasCells
      ? joined(
          pieces.map((each) => ({ count: each.count, runs: each.cells, ends: each.cellEnds })),
          count,
        )
      : { runs: noRuns, ends: noEnds }
    return { x, y, count, runs, ends, classes, cells: ofCells.runs, cellEnds: ofCells.ends }
  }
}

/** Runs of some objects and then of others; those of a piece without `ends` have none. */
function joined(pieces: readonly Pick<Part, 'count' | 'runs' | 'ends'>[], count: number): Pick<Part, 'runs' | 'ends'> {
  const lengthOf = (each: Pick<Part, 'count' | 'ends'>): number => (each.ends.length === 0 ? 0 : each.ends[each.count - 1]!)
  const runs = new Int16Array(3 * pieces.reduce((sum, each) => sum + lengthOf(each), 0))
  const ends = new Uint32Array(count)
  let [n, r] = [0, 0]
  for (const each of pieces) {
    const length = lengthOf(each)
    for (let i = 0; i < each.count; i++) ends[n + i] = r + (each.ends[i] ?? 0)
    runs.set(each.runs.subarray(0, 3 * length), 3 * r)
    ;[n, r] = [n + each.count, r + length]
  }
  return { runs, ends }
}
