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
}

/** Objects of a part that lie on the disk. */
interface Segment {
  readonly at: number
  readonly count: number
  /** Triples. */
  readonly runs: number
}

const noRuns = new Int16Array(0)
const noEnds = new Uint32Array(0)
const noClasses = new Uint8Array(0)

class Growing {
  readonly x: number
  readonly y: number
  readonly away: Segment[] = []
  count = 0
  runs = noRuns
  ends = noEnds
  classes = noClasses
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }

  get bytes(): number {
    return this.runs.byteLength + this.ends.byteLength + this.classes.byteLength
  }
}

const longer = <T extends Int16Array | Uint32Array | Uint8Array>(from: T, to: T): T => {
  to.set(from)
  return to
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
    const before = part.bytes
    if (from + runs.length > part.runs.length)
      part.runs = longer(part.runs, new Int16Array(Math.max(96, 2 * part.runs.length, from + runs.length)))
    if (n === part.ends.length) {
      part.ends = longer(part.ends, new Uint32Array(Math.max(4, 2 * n)))
      part.classes = longer(part.classes, new Uint8Array(Math.max(4, 2 * n)))
    }
    this.#bytes += part.bytes - before
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
      const own = [part.ends.subarray(0, count), part.runs.subarray(0, 3 * runs), part.classes.subarray(0, count)].map(bytesOf)
      part.away.push({ at, count, runs })
      for (const each of own) [at, bytes] = [at + each.length, bytes + each.length]
      ahead.push(...own)
      part.count = 0
      ;[part.runs, part.ends, part.classes] = [noRuns, noEnds, noClasses]
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
    const count = away.reduce((sum, each) => sum + each.count, part.count)
    const total = away.reduce((sum, each) => sum + each.runs, part.count === 0 ? 0 : part.ends[part.count - 1]!)
    const [runs, ends, classes] = [new Int16Array(3 * total), new Uint32Array(count), new Uint8Array(count)]
    let [n, r] = [0, 0]
    const put = (own: number, length: number, from: Pick<Part, 'runs' | 'ends' | 'classes'>): void => {
      for (let i = 0; i < own; i++) ends[n + i] = from.ends[i]! + r
      runs.set(from.runs.subarray(0, 3 * length), 3 * r)
      classes.set(from.classes.subarray(0, own), n)
      ;[n, r] = [n + own, r + length]
    }
    for (const { at, count: own, runs: length } of away) {
      const { buffer } = await this.#file.read(at, 4 * own + 6 * length + own)
      put(own, length, {
        ends: new Uint32Array(buffer, 0, own),
        runs: new Int16Array(buffer, 4 * own, 3 * length),
        classes: new Uint8Array(buffer, 4 * own + 6 * length, own),
      })
    }
    if (part.count > 0) put(part.count, part.ends[part.count - 1]!, part)
    return { x, y, count, runs, ends, classes }
  }
}
