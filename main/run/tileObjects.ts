// The objects of one tile: rows of columns that the tiles of a window share.
import type { MeasurementField, ObjectColumns } from '../../native/index'
import { PackedObjects } from './packedObjects'
import type { RunObject } from './result'

/** Objects in analysed px of the whole slide. */
export class TileObjects {
  readonly count: number
  /** Rows [start, start + count) of it are the tile's. */
  readonly packed: PackedObjects
  readonly start: number
  private readonly cut: ReadonlySet<number>

  private constructor(packed: PackedObjects, start: number, count: number, cut: ReadonlySet<number>) {
    this.packed = packed
    this.start = start
    this.count = count
    this.cut = cut
  }

  static readonly empty = new TileObjects(new PackedObjects(0), 0, 0, new Set())

  /** The objects of a window that `keep` picks by its row, moved from the window's corner to the slide's; of them those that are `cut`. */
  static from(
    window: ObjectColumns,
    originX: number,
    originY: number,
    keep: (row: number) => boolean,
    cut: (row: number) => boolean = () => false,
  ): TileObjects {
    return TileObjects.split(window, originX, originY, 1, (row) => (keep(row) ? 0 : -1), cut)[0]!
  }

  /** The same for so many tiles; `tileOf` gives a row's, or -1 where it is of none. */
  static split(
    window: ObjectColumns,
    originX: number,
    originY: number,
    tiles: number,
    tileOf: (row: number) => number,
    cut: (row: number) => boolean = () => false,
  ): TileObjects[] {
    const rowsOf: number[][] = Array.from({ length: tiles }, () => [])
    for (let row = 0; row < window.count; row++) {
      const tile = tileOf(row)
      if (tile >= 0) rowsOf[tile]!.push(row)
    }
    const packed = new PackedObjects(rowsOf.reduce((sum, rows) => sum + rows.length, 0))
    const split = rowsOf.map((rows) => {
      if (rows.length === 0) return TileObjects.empty
      const start = packed.count
      packed.addWindow(window, rows, originX, originY)
      const cutRows = new Set<number>()
      rows.forEach((row, at) => {
        if (cut(row)) cutRows.add(at)
      })
      return new TileObjects(packed, start, rows.length, cutRows)
    })
    packed.trim()
    return split
  }

  /** Its share of what the tiles of its window hold. */
  get bytes(): number {
    const share = this.count === 0 ? 0 : Math.ceil((this.packed.bytes * this.count) / this.packed.count)
    return share + this.cut.size * 16 + 200
  }

  value(row: number, field: MeasurementField): number {
    return this.packed.value(this.start + row, field)
  }

  /** Whether it reaches the rim of the window that it was found in, so that it may go on beyond. */
  isCut(row: number): boolean {
    return this.cut.has(row)
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
