// Objects in order, by batches of columns: what a run leaves behind for those who read all of it.
import { batchRows } from './packedObjects'
import type { PackedObjects } from './packedObjects'
import type { RunObject } from './runObject'

/** In raster order of first pixels, as a rule; behind those what people made, in the order in which they did. */
export class ObjectList {
  readonly batches: readonly PackedObjects[]
  /** Stable ids in order. */
  readonly ids: Uint32Array<ArrayBuffer>

  /** What each is called, on the screen and in files; null: its index + 1. */
  readonly numbers: Uint32Array<ArrayBuffer> | null

  /** The program found those before this index; the others were made by hand. */
  readonly found: number

  constructor(
    batches: readonly PackedObjects[],
    ids: Uint32Array<ArrayBuffer>,
    numbers: Uint32Array<ArrayBuffer> | null = null,
    found = ids.length,
  ) {
    this.batches = batches
    this.ids = ids
    this.numbers = numbers
    this.found = found
  }

  /** Without those that a 1 stands for, by id; the others keep their numbers. */
  without(deleted: Uint8Array): ObjectList {
    const ids = new Uint32Array(this.ids.length)
    const numbers = new Uint32Array(this.ids.length)
    let n = 0
    let found = 0
    for (const [rank, id] of this.ids.entries()) {
      if (deleted[id] === 1) continue
      if (rank < this.found) found++
      ids[n] = id
      numbers[n++] = this.numbers?.[rank] ?? rank + 1
    }
    return new ObjectList(this.batches, ids.slice(0, n), numbers.slice(0, n), found)
  }

  /** Those at these places, in rising order; each keeps its number. */
  only(places: Uint32Array): ObjectList {
    const ids = places.map((place) => this.ids[place]!)
    const numbers = places.map((place) => this.numbers?.[place] ?? place + 1)
    const made = places.findIndex((place) => place >= this.found)
    return new ObjectList(this.batches, ids, numbers, made < 0 ? places.length : made)
  }

  get length(): number {
    return this.ids.length
  }

  at(index: number): RunObject {
    const id = this.ids[index]!
    return this.batches[Math.floor(id / batchRows)]!.object(id % batchRows)
  }

  slice(start: number, end: number): RunObject[] {
    return Array.from(this.ids.subarray(start, end), (_, i) => this.at(start + i))
  }
}
