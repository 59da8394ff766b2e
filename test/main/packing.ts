// Objects packed in plain TypeScript, as the program did before its engine did: the tests' other opinion, and their way to objects of their own.
import { stainStatisticKeys } from '../../app/contract'
import { ObjectList } from '../../main/run/objects/objectList'
import { batchRows } from '../../main/run/objects/packedObjects'
import { PackedObjects } from '../../main/run/objects/packedObjects'
import type { RunObject } from '../../main/run/objects/result'
import { TileObjects } from '../../main/run/objects/tileObjects'
import { MEASUREMENT_FIELDS, PACKED_COLUMNS } from '../../native/index'
import type { MeasurementField, PackedBatch, PackedColumn, PackedNumbers } from '../../native/index'

/** In px of the analysed image. `runs`: (y, x0, x1) triples in raster order. */
export interface Plain {
  readonly value: (field: MeasurementField) => number
  readonly runs: Int32Array
}
export const mostBytesPerRun = 15

/** Writes `runs` to `bytes` from `at` on, and gives the end: see native/export/packed_objects.hpp. */
export function encodeRuns(runs: Int32Array, bytes: Uint8Array, at: number): number {
  const put = (value: number): void => {
    for (; value >= 128; value = Math.floor(value / 128)) bytes[at++] = (value % 128) + 128
    bytes[at++] = value
  }
  for (let r = 0; r < runs.length; r += 3) {
    if (r > 0) {
      const step = runs[r + 1]! - runs[r - 2]!
      const down = runs[r]! - runs[r - 3]!
      // Without bit operations: twice the zigzag of a wide object's step may not fit 32 bits.
      put(2 * (step < 0 ? -2 * step - 1 : 2 * step) + (down === 1 ? 0 : 1))
      if (down !== 1) put(down)
    }
    put(runs[r + 2]! - runs[r + 1]!)
  }
  return at
}

const narrow = {
  int16: { make: Int16Array, low: -32768, high: 32767 },
  uint16: { make: Uint16Array, low: 0, high: 65535 },
  int32: { make: Int32Array, low: -(2 ** 31), high: 2 ** 31 - 1 },
} as const

/** As narrow as the column says where every value is that exactly. */
function columnOf(rows: readonly Plain[], { field, storage, unit, base, optional }: PackedColumn): PackedNumbers | null {
  const values = rows.map(({ value }) => value(field))
  const wide = (): PackedNumbers => Float64Array.from(values)
  if (optional && values.every(Number.isNaN)) return null
  if (storage === 'float64') return wide()
  if (storage === null) {
    const follows = rows.every(({ value }, i) => {
      const perimeter = value('perimeter')
      return Object.is(values[i], Math.min(1, (4 * Math.PI * value('area')) / (perimeter * perimeter)))
    })
    return follows ? null : wide()
  }
  const { make, low, high } = narrow[storage]
  const origins = rows.map(({ value }) => (base === null ? 0 : value(base)))
  const steps = values.map((value, i) => (value - origins[i]!) / unit)
  const fits = steps.every((n, i) => Number.isInteger(n) && n >= low && n <= high && values[i] === n * unit + origins[i]!)
  return fits ? make.from(steps) : wide()
}

export function pack(rows: readonly Plain[]): PackedBatch {
  const bytes = new Uint8Array(rows.reduce((sum, { runs }) => sum + (runs.length / 3) * mostBytesPerRun, 0))
  let end = 0
  const ends = Uint32Array.from(rows, ({ runs }) => (end = encodeRuns(runs, bytes, end)))
  const columns = PACKED_COLUMNS.map((column) => columnOf(rows, column))
  return { count: rows.length, columns, ends, outlines: bytes.slice(0, end) }
}

export function plainOf(object: RunObject): Plain {
  const value = (field: MeasurementField): number => {
    const stain = /^stain([123])(.*)$/.exec(field)
    if (!stain) return object[field as Exclude<MeasurementField, `stain${string}`>]
    const statistic = stainStatisticKeys.find((key) => key === stain[2]!.toLowerCase())!
    return object.stain(statistic, Number(stain[1]) - 1)
  }
  return { value, runs: object.runs }
}

/** Objects that come from anywhere, in their order. */
export function listOf(objects: readonly RunObject[]): ObjectList {
  const batches: PackedObjects[] = []
  for (let start = 0; start < objects.length; start += batchRows)
    batches.push(PackedObjects.of(pack(objects.slice(start, start + batchRows).map(plainOf))))
  return new ObjectList(
    batches,
    Uint32Array.from(objects, (_, i) => i),
  )
}

const alongX: ReadonlySet<MeasurementField> = new Set(['firstX', 'minX', 'maxX', 'centroidX'])
const alongY: ReadonlySet<MeasurementField> = new Set(['firstY', 'minY', 'maxY', 'centroidY'])

export function moved(rows: readonly Plain[], x: number, y: number): Plain[] {
  return rows.map((row) => {
    const values = new Map(
      MEASUREMENT_FIELDS.map((field) => [field, row.value(field) + (alongX.has(field) ? x : alongY.has(field) ? y : 0)]),
    )
    return { value: (field) => values.get(field)!, runs: row.runs.map((at, i) => at + (i % 3 === 0 ? y : x)) }
  })
}

/** Tile by tile of those that the objects' first pixels lie in, in raster order of tiles; one tile where its side is not told. */
export function tilesOf(rows: readonly Plain[], tileSizePx = 2 ** 30): TileObjects[] {
  const at = (px: number): number => Math.floor(px / tileSizePx)
  const own = ({ value }: Plain): number => at(value('firstY')) * 2 ** 26 + at(value('firstX'))
  const sorted = rows.toSorted((a, b) => own(a) - own(b))
  const starts = [0]
  const crossings: number[] = []
  sorted.forEach((row, n) => {
    if (n > 0 && own(row) !== own(sorted[n - 1]!)) starts.push(n)
    for (let y = at(row.value('minY')); y <= at(row.value('maxY')); y++)
      for (let x = at(row.value('minX')); x <= at(row.value('maxX')); x++)
        if (y * 2 ** 26 + x !== own(row)) crossings.push(n, x, y)
  })
  return TileObjects.split({
    ...pack(sorted),
    starts: Uint32Array.from([...starts, sorted.length]),
    cut: new Uint32Array(0),
    crossings: Int32Array.from(crossings),
  })
}
