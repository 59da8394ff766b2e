// The labels of an image as runs of analysed pixels, row by row as they are read: what one label has is put together at the end.
import type { SampleArray } from '../../../../native/index'
import { EngineError } from '../../../base/errors'

/** Of one image. */
const mostLabels = 10_000_000
/** Of all labels together, 16 bytes each: a GiB. */
const mostRuns = 2 ** 26
const chunkRuns = 2 ** 18
const mostNumber = 2 ** 53

export interface LabelGrid {
  /** Of each column of the image, and behind the last, the analysed px that it begins with; cut to the analysed image. */
  readonly lefts: Int32Array
  /** Whether it lies beyond that, column by column. */
  readonly outside: Uint8Array
}

/** Of one label: y, x0, x1 by threes, in raster order. */
export interface LabelPixels {
  readonly runs: Int32Array
  /** Some of it lies beyond the analysed image. */
  readonly clipped: boolean
}

export class LabelRuns {
  readonly #called: string
  readonly #grid: LabelGrid
  readonly #numbers = new Map<number, number>()
  /** Label, y, x0, x1 by fours. */
  readonly #chunks: Int32Array[] = []
  #count = 0
  #counts = new Uint32Array(1024)
  #clipped = new Uint8Array(1024)
  #last = NaN
  #lastAt = -1
  /** Px that hold no label's number: negative, a fraction, too large, none at all. */
  odd = 0

  constructor(called: string, grid: LabelGrid) {
    this.#called = called
    this.#grid = grid
  }

  get labels(): number {
    return this.#numbers.size
  }

  /** A row of the image, from `from` on in `values`: analysed rows `top` to `bottom`; `outside`: it lies beyond the analysed image. Throws INVALID_PARAMETER. */
  row(values: SampleArray, from: number, width: number, top: number, bottom: number, outside: boolean): void {
    const { lefts, outside: beyond } = this.#grid
    const end = from + width
    const first = this.#count
    for (let i = from; i < end;) {
      const value = values[i]!
      if (value === 0) {
        i++
        continue
      }
      const begin = i++
      while (i < end && values[i] === value) i++
      if (!(value > 0 && value < mostNumber && value === Math.floor(value))) {
        this.odd += i - begin
        continue
      }
      const label = value === this.#last ? this.#lastAt : this.#numberOf(value)
      if (outside || beyond[begin - from] !== 0 || beyond[i - from - 1] !== 0) this.#clipped[label] = 1
      const [x0, x1] = [lefts[begin - from]!, lefts[i - from]!]
      if (x1 > x0 && bottom > top) this.#push(label, top, x0, x1)
    }
    const rowEnd = this.#count
    for (let y = top + 1; y < bottom; y++)
      for (let run = first; run < rowEnd; run++) {
        const chunk = this.#chunks[Math.floor(run / chunkRuns)]!
        const at = 4 * (run % chunkRuns)
        this.#push(chunk[at]!, y, chunk[at + 2]!, chunk[at + 3]!)
      }
  }

  /** Each once, in the order in which they first came: labels without pixels too. What is given is held no more. O(runs). */
  *taken(): Generator<LabelPixels, void, void> {
    const labels = this.#numbers.size
    this.#numbers.clear()
    const next = new Uint32Array(labels)
    for (let label = 1; label < labels; label++) next[label] = next[label - 1]! + this.#counts[label - 1]!
    const order = new Uint32Array(this.#count)
    for (let run = 0; run < this.#count; run++) {
      const label = this.#chunks[Math.floor(run / chunkRuns)]![4 * (run % chunkRuns)]!
      order[next[label]!++] = run
    }
    for (let label = 0, from = 0; label < labels; from = next[label]!, label++)
      yield this.#pixelsOf(label, order.subarray(from, next[label]))
  }

  #pixelsOf(label: number, order: Uint32Array): LabelPixels {
    const runs = new Int32Array(3 * order.length)
    let to = 0
    for (const run of order) {
      const chunk = this.#chunks[Math.floor(run / chunkRuns)]!
      const at = 4 * (run % chunkRuns)
      // What of a row lay between them is of no analysed px.
      if (to > 0 && runs[to - 3] === chunk[at + 1] && runs[to - 1] === chunk[at + 2]) runs[to - 1] = chunk[at + 3]!
      else {
        runs[to++] = chunk[at + 1]!
        runs[to++] = chunk[at + 2]!
        runs[to++] = chunk[at + 3]!
      }
    }
    return { runs: to === runs.length ? runs : runs.slice(0, to), clipped: this.#clipped[label] === 1 }
  }

  #numberOf(value: number): number {
    let label = this.#numbers.get(value)
    if (label === undefined) {
      label = this.#numbers.size
      if (label >= mostLabels)
        throw new EngineError(
          'INVALID_PARAMETER',
          `${this.#called} has more than ${mostLabels.toLocaleString('en')} labels: it is hardly a label image. Import a part of it.`,
        )
      this.#numbers.set(value, label)
      if (label === this.#counts.length) {
        const [counts, clipped] = [this.#counts, this.#clipped]
        this.#counts = new Uint32Array(2 * label)
        this.#counts.set(counts)
        this.#clipped = new Uint8Array(2 * label)
        this.#clipped.set(clipped)
      }
    }
    this.#last = value
    this.#lastAt = label
    return label
  }

  #push(label: number, y: number, x0: number, x1: number): void {
    if (this.#count >= mostRuns)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${this.#called} is too ragged: its labels change more than ${mostRuns.toLocaleString('en')} times along its rows. Import a part of it.`,
      )
    const at = 4 * (this.#count % chunkRuns)
    if (at === 0) this.#chunks.push(new Int32Array(4 * chunkRuns))
    const chunk = this.#chunks[this.#chunks.length - 1]!
    chunk[at] = label
    chunk[at + 1] = y
    chunk[at + 2] = x0
    chunk[at + 3] = x1
    this.#counts[label]! += 1
    this.#count += 1
  }
}
