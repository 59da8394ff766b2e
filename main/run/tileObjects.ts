// The objects of one tile as columns: a whole slide has millions, and a JavaScript object each would not fit.
import { byKey, stainStatisticKeys } from '../../app/contract'
import type { StainStatistic } from '../../app/contract'
import { MEASUREMENT_FIELDS } from '../../native/index'
import type { MeasurementField, ObjectColumns } from '../../native/index'
import type { RunObject } from './result'

const fieldCount = MEASUREMENT_FIELDS.length
const index = Object.fromEntries(MEASUREMENT_FIELDS.map((field, i) => [field, i])) as Record<MeasurementField, number>
const horizontal: readonly MeasurementField[] = ['firstX', 'minX', 'maxX', 'centroidX']
const vertical: readonly MeasurementField[] = ['firstY', 'minY', 'maxY', 'centroidY']

const stainFields = byKey(stainStatisticKeys, (key) =>
  ([1, 2, 3] as const).map((stain) => `stain${stain}${upperFirst(key)}` as const),
)
function upperFirst<T extends string>(text: T): Capitalize<T> {
  return (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>
}

/** Objects in analysed px of the whole slide. */
export class TileObjects {
  readonly count: number
  /** Row per object, MEASUREMENT_FIELDS per row. */
  private readonly values: Float64Array
  private readonly runs: Int32Array
  private readonly runOffsets: Int32Array
  private readonly cut: ReadonlySet<number>

  private constructor(values: Float64Array, runs: Int32Array, runOffsets: Int32Array, cut: ReadonlySet<number>) {
    this.count = runOffsets.length - 1
    this.values = values
    this.runs = runs
    this.runOffsets = runOffsets
    this.cut = cut
  }

  static readonly empty = new TileObjects(new Float64Array(0), new Int32Array(0), new Int32Array(1), new Set())

  /** The objects of a window that `keep` picks by its row, moved from the window's corner to the slide's; of them those that are `cut`. */
  static from(
    window: ObjectColumns,
    originX: number,
    originY: number,
    keep: (row: number) => boolean,
    cut: (row: number) => boolean = () => false,
  ): TileObjects {
    const rows: number[] = []
    let triples = 0
    for (let row = 0; row < window.count; row++) {
      if (!keep(row)) continue
      rows.push(row)
      triples += window.runOffsets[row + 1]! - window.runOffsets[row]!
    }
    if (rows.length === 0) return TileObjects.empty
    const values = new Float64Array(rows.length * fieldCount)
    const runs = new Int32Array(triples * 3)
    const runOffsets = new Int32Array(rows.length + 1)
    let at = 0
    rows.forEach((row, to) => {
      MEASUREMENT_FIELDS.forEach((field, i) => {
        values[to * fieldCount + i] = window.columns[field][row]!
      })
      for (const field of horizontal) values[to * fieldCount + index[field]]! += originX
      for (const field of vertical) values[to * fieldCount + index[field]]! += originY
      for (let r = window.runOffsets[row]! * 3; r < window.runOffsets[row + 1]! * 3; r += 3) {
        runs[at] = window.runs[r]! + originY
        runs[at + 1] = window.runs[r + 1]! + originX
        runs[at + 2] = window.runs[r + 2]! + originX
        at += 3
      }
      runOffsets[to + 1] = at / 3
    })
    const cutRows = new Set(rows.flatMap((row, to) => (cut(row) ? [to] : [])))
    return new TileObjects(values, runs, runOffsets, cutRows)
  }

  get bytes(): number {
    return this.values.byteLength + this.runs.byteLength + this.runOffsets.byteLength + this.cut.size * 16 + 200
  }

  value(row: number, field: MeasurementField): number {
    return this.values[row * fieldCount + index[field]]!
  }

  /** Whether it reaches the rim of the window that it was found in, so that it may go on beyond. */
  isCut(row: number): boolean {
    return this.cut.has(row)
  }

  /** (y, x0, x1) triples, x1 exclusive, raster order. A view: not to be changed. */
  runsOf(row: number): Int32Array {
    return this.runs.subarray(this.runOffsets[row]! * 3, this.runOffsets[row + 1]! * 3)
  }

  /** The row of the object that holds a pixel, or -1. */
  rowAt(x: number, y: number): number {
    for (let row = 0; row < this.count; row++) if (this.holds(row, x, y)) return row
    return -1
  }

  holds(row: number, x: number, y: number): boolean {
    if (x < this.value(row, 'minX') || x > this.value(row, 'maxX')) return false
    if (y < this.value(row, 'minY') || y > this.value(row, 'maxY')) return false
    const runs = this.runsOf(row)
    // Runs are in raster order: find the first of the row, then walk it.
    let low = 0
    let high = runs.length / 3
    while (low < high) {
      const middle = (low + high) >> 1
      if (runs[middle * 3]! < y) low = middle + 1
      else high = middle
    }
    for (let r = low * 3; r < runs.length && runs[r] === y; r += 3) if (x >= runs[r + 1]! && x < runs[r + 2]!) return true
    return false
  }

  object(row: number): RunObject {
    // The getters of its numbers are defined below.
    return new TileObject(this, row) as TileObject & Readonly<Record<Scalar, number>>
  }
}

/** What of an object is one number: of the measurements all, of its place the rest. */
const scalars = MEASUREMENT_FIELDS.filter((field) => field !== 'label' && !field.startsWith('stain')) as readonly Scalar[]
type Scalar = Exclude<MeasurementField, 'label' | `stain${string}`>

/** One object, read from its columns when asked: made by the thousand for an export and dropped again. */
class TileObject {
  readonly tile: TileObjects
  readonly row: number
  constructor(tile: TileObjects, row: number) {
    this.tile = tile
    this.row = row
  }
  stain(statistic: StainStatistic, channel: number): number {
    const field = stainFields[statistic][channel]
    return field === undefined ? NaN : this.tile.value(this.row, field)
  }
  get runs(): Int32Array {
    return this.tile.runsOf(this.row)
  }
}
for (const field of scalars) {
  Object.defineProperty(TileObject.prototype, field, {
    get(this: TileObject) {
      return this.tile.value(this.row, field)
    },
  })
}
