// Objects in order, by batches of columns: what a run leaves behind for those who read all of it.
import type { PackedObjects } from './packedObjects'
import type { RunObject } from './result'

/** Rows of a batch: an object's stable id is batch × this + row. */
export const batchRows = 8192

/** In raster order of first pixels, as a rule: what is shown as an object's number is its index + 1. */
export class ObjectList {
  readonly batches: readonly PackedObjects[]
  /** Stable ids in order. */
  readonly ids: Uint32Array<ArrayBuffer>

  constructor(batches: readonly PackedObjects[], ids: Uint32Array<ArrayBuffer>) {
    this.batches = batches
    this.ids = ids
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
