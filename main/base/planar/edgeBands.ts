// Segments by the bands of y that they cross, so that a horizontal line asks few of them. Pure.
import type { Segments } from './nearPairs'

/** Bands at most: some of the segments' own height each. */
const mostBands = 4096
/** Entries at most, for each segment: of long ones that cross many bands there are fewer bands. */
const entriesEach = 8

/**
 * Of n segments a question costs about those that cross one line. Memory is linear in n whatever they are: a segment stands in every band that
 * it crosses, and there are fewer bands where that would be too many.
 */
export class EdgeBands {
  readonly #minY: number
  readonly #perPx: number
  readonly #count: number
  readonly #starts: Uint32Array
  readonly #entries: Uint32Array

  constructor(segments: Segments) {
    const n = segments.length / 4
    let [minY, maxY, heights] = [Infinity, -Infinity, 0]
    for (let s = 0; s < segments.length; s += 4) {
      const [y0, y1] = [segments[s + 1]!, segments[s + 3]!]
      minY = Math.min(minY, y0, y1)
      maxY = Math.max(maxY, y0, y1)
      heights += Math.abs(y1 - y0)
    }
    const height = maxY - minY
    const wanted = Math.min(mostBands, Math.max(1, n >> 1))
    const allowed = heights > 0 ? Math.floor(((entriesEach - 2) * n * height) / heights) : 1
    this.#count = Math.max(1, Math.min(wanted, allowed))
    this.#minY = minY
    this.#perPx = height > 0 ? this.#count / height : 0
    const starts = new Uint32Array(this.#count + 1)
    for (let s = 0; s < segments.length; s += 4) {
      const last = this.#bandOf(Math.max(segments[s + 1]!, segments[s + 3]!))
      for (let band = this.#bandOf(Math.min(segments[s + 1]!, segments[s + 3]!)); band <= last; band++) starts[band + 1]! += 1
    }
    for (let band = 0; band < this.#count; band++) starts[band + 1]! += starts[band]!
    const next = starts.slice()
    this.#entries = new Uint32Array(starts[this.#count]!)
    for (let s = 0; s < segments.length; s += 4) {
      const last = this.#bandOf(Math.max(segments[s + 1]!, segments[s + 3]!))
      for (let band = this.#bandOf(Math.min(segments[s + 1]!, segments[s + 3]!)); band <= last; band++)
        this.#entries[next[band]!++] = s / 4
    }
    this.#starts = starts
  }

  #bandOf(y: number): number {
    return Math.min(this.#count - 1, Math.max(0, Math.floor((y - this.#minY) * this.#perPx)))
  }

  /** Numbers of the segments that may cross the horizontal line, in their order. */
  at(y: number): Uint32Array {
    const band = this.#bandOf(y)
    return this.#entries.subarray(this.#starts[band], this.#starts[band + 1])
  }

  /** Of entries, for tests of the bound. */
  get size(): number {
    return this.#entries.length
  }
}
