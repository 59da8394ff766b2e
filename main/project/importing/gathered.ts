// Objects of a file as they come in, by the part of the slide that they lie in: their pixels in few bytes, until they are measured.

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
}

class Growing {
  readonly x: number
  readonly y: number
  count = 0
  runs = new Int16Array(96)
  ends = new Uint32Array(4)
  classes = new Uint8Array(4)
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
}

const longer = <T extends Int16Array | Uint32Array | Uint8Array>(from: T, to: T): T => {
  to.set(from)
  return to
}

/** Triples of all together, of 6 bytes each. */
const mostRuns = 2 ** 28

export class Gathered {
  count = 0
  #runs = 0
  readonly #parts = new Map<number, Growing>()
  #lastKey = -1
  #last: Growing | undefined

  /** No more is to come in. */
  get isFull(): boolean {
    return this.#runs >= mostRuns
  }

  /** `runs`: y, x0, x1 by threes, in raster order. O(runs). */
  add(runs: Int32Array, classAt: number): void {
    const [y, x] = [Math.floor(runs[0]! / partPx), Math.floor(runs[1]! / partPx)]
    const key = y * 2 ** 26 + x
    // The next object is near as a rule.
    let part = key === this.#lastKey ? this.#last : this.#parts.get(key)
    if (!part) this.#parts.set(key, (part = new Growing(x * partPx, y * partPx)))
    ;[this.#lastKey, this.#last] = [key, part]
    const n = part.count
    const from = n === 0 ? 0 : 3 * part.ends[n - 1]!
    if (from + runs.length > part.runs.length)
      part.runs = longer(part.runs, new Int16Array(Math.max(2 * part.runs.length, from + runs.length)))
    if (n === part.ends.length) {
      part.ends = longer(part.ends, new Uint32Array(2 * n))
      part.classes = longer(part.classes, new Uint8Array(2 * n))
    }
    for (let r = 0; r < runs.length; r += 3) {
      part.runs[from + r] = runs[r]! - part.y
      part.runs[from + r + 1] = runs[r + 1]! - part.x
      part.runs[from + r + 2] = runs[r + 2]! - part.x
    }
    part.ends[n] = (from + runs.length) / 3
    part.classes[n] = classAt
    part.count += 1
    this.count += 1
    this.#runs += runs.length / 3
  }

  /** Each once, in raster order: what is given is held no more. */
  *taken(): Generator<Part, void, void> {
    const keys = [...this.#parts.keys()].sort((a, b) => a - b)
    for (const key of keys) {
      const part = this.#parts.get(key)!
      this.#parts.delete(key)
      yield part
    }
  }
}
