// The objects of one tile: rows of columns that the tiles of a window share.
import type { ObjectField, PackedTiles } from '../../../native/index'
import { PackedObjects } from './packedObjects'
import type { TileIndex } from '../plan/plan'
import type { RunObject } from './runObject'

/** What is known of a window's objects beside their columns, by row of those; as native/packed.ts says. */
interface Known {
  readonly cut: Uint32Array
  readonly crossings: Int32Array
}
const noCut = new Uint32Array(0)
const nothing: Known = { cut: noCut, crossings: new Int32Array(0) }

/** Objects in analysed px of the whole slide. */
export class TileObjects {
  readonly count: number
  /** Rows [start, start + count) of it are the tile's. */
  readonly packed: PackedObjects
  readonly start: number
  private readonly cut: Uint32Array
  /** The window's, of which those from `from` to before `to` are of these rows: a tile has few, and a view of its own would be larger. */
  private readonly crossings: Int32Array
  private readonly from: number
  private readonly to: number

  private constructor(packed: PackedObjects, start: number, end: number, { cut, crossings }: Known, from: number, to: number) {
    this.packed = packed
    this.start = start
    this.count = end - start
    this.cut = cut.length === 0 ? noCut : cut.filter((row) => row >= start && row < end)
    this.crossings = crossings
    this.from = from
    this.to = to
  }

  static readonly empty = new TileObjects(new PackedObjects(0), 0, 0, nothing, 0, 0)

  /** A window's objects, tile by tile. */
  static split(window: PackedTiles): TileObjects[] {
    if (window.count === 0) return Array.from({ length: window.starts.length - 1 }, () => TileObjects.empty)
    const packed = PackedObjects.of(window)
    const { starts, cut, crossings } = window
    let from = 0
    return Array.from({ length: starts.length - 1 }, (_, i) => {
      const end = starts[i + 1]!
      let to = from
      while (to < crossings.length && crossings[to]! < end) to += 3
      const first = from
      from = to
      return new TileObjects(packed, starts[i]!, end, { cut, crossings }, first, to)
    })
  }

  /** Its share of what the tiles of its window hold. */
  get bytes(): number {
    const share = this.count === 0 ? 0 : Math.ceil((this.packed.bytes * this.count) / this.packed.count)
    return share + this.cut.byteLength + (this.to - this.from) * 4 + 400
  }

  value(row: number, field: ObjectField): number {
    return this.packed.value(this.start + row, field)
  }

  /** Rows that reach the rim of the window that they were found in, so that they may go on beyond. */
  get cutRows(): number[] {
    return Array.from(this.cut, (row) => row - this.start)
  }

  /** Of the rows [first, last), each tile that an object's box meets beside the one that its first pixel lies in; rows ascend. */
  forEachCrossing(first: number, last: number, each: (row: number, tile: TileIndex) => void): void {
    const { crossings, start } = this
    for (let i = this.from; i < this.to; i += 3) {
      const row = crossings[i]! - start
      if (row >= first && row < last) each(row, { x: crossings[i + 1]!, y: crossings[i + 2]! })
    }
  }

  /** (y, x0, x1) triples, x1 exclusive, raster order. */
  runsOf(row: number): Int32Array {
    return this.packed.runsOf(this.start + row)
  }

  /** The row of the object that holds a pixel, or -1. */
  rowAt(x: number, y: number): number {
    for (let row = 0; row < this.count; row++) if (this.packed.holds(this.start + row, x, y)) return row
    return -1
  }

  object(row: number): RunObject {
    return this.packed.object(this.start + row)
  }
}
