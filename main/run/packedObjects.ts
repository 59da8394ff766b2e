// Objects as narrow columns, which the engine's writers read where they lie: about 140 bytes an object and two a run of its outline.
import { PACKED_COLUMNS } from '../../native/index'
import type { MeasurementField, ObjectColumns, PackedBatch, PackedNumbers } from '../../native/index'
import { stainStatisticKeys, byKey } from '../../app/contract'
import type { StainStatistic } from '../../app/contract'
import { decodeRuns, encodeRuns, mostBytesPerRun } from './outlineCode'
import type { RunObject } from './result'

type Value = (field: MeasurementField) => number

const places: Partial<Record<MeasurementField, number>> = Object.fromEntries(PACKED_COLUMNS.map(({ field }, i) => [field, i]))
const firstX = places.firstX!
const firstY = places.firstY!
const horizontal: ReadonlySet<MeasurementField> = new Set(['firstX', 'minX', 'maxX', 'centroidX'])
const vertical: ReadonlySet<MeasurementField> = new Set(['firstY', 'minY', 'maxY', 'centroidY'])
const bases = PACKED_COLUMNS.map(({ base }) => (base === null ? -1 : places[base]!))
const narrow = {
  int16: { make: Int16Array, low: -32768, high: 32767 },
  uint16: { make: Uint16Array, low: 0, high: 65535 },
  int32: { make: Int32Array, low: -(2 ** 31), high: 2 ** 31 - 1 },
} as const

/** Analysed px of the whole slide. Rows are only ever added at the end. */
export class PackedObjects {
  #count = 0
  #capacity: number
  /** A column a row of PACKED_COLUMNS: as narrow as it says while all values fit exactly, else doubles; null while it follows from others. */
  readonly #columns: (PackedNumbers | null)[]
  /** Of each object's outline in `#outlines`. */
  #ends: Uint32Array<ArrayBuffer>
  #outlines: Uint8Array<ArrayBuffer>

  /** `capacity`: rows that there is room for at first. */
  constructor(capacity: number) {
    this.#capacity = Math.max(capacity, 1)
    this.#columns = PACKED_COLUMNS.map(({ storage }) => {
      if (storage === null) return null
      return storage === 'float64' ? new Float64Array(this.#capacity) : new narrow[storage].make(this.#capacity)
    })
    this.#ends = new Uint32Array(this.#capacity)
    this.#outlines = new Uint8Array(this.#capacity * 32)
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    const columns = this.#columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)
    return columns + this.#ends.byteLength + this.#outlines.byteLength + bytesPerBatch
  }

  /** As the engine's writers take it: to be read only, and only while no row is added. */
  get batch(): PackedBatch {
    return { count: this.#count, columns: this.#columns, ends: this.#ends, outlines: this.#outlines }
  }

  /** Of what a native call gives; NaN for what is not kept (label). */
  value(row: number, field: MeasurementField): number {
    // An object's first pixel is in its first row.
    const at = places[field === 'minY' ? 'firstY' : field]
    return at === undefined ? NaN : this.#at(row, at)
  }

  /** (y, x0, x1) triples, x1 exclusive, raster order. */
  runsOf(row: number): Int32Array<ArrayBuffer> {
    const start = row === 0 ? 0 : this.#ends[row - 1]!
    return decodeRuns(this.#outlines, start, this.#ends[row]!, this.#at(row, firstX), this.#at(row, firstY))
  }

  holds(row: number, x: number, y: number): boolean {
    if (y < this.value(row, 'minY') || y > this.value(row, 'maxY')) return false
    if (x < this.value(row, 'minX') || x > this.value(row, 'maxX')) return false
    const runs = this.runsOf(row)
    for (let r = 0; r < runs.length && runs[r]! <= y; r += 3)
      if (runs[r] === y && x >= runs[r + 1]! && x < runs[r + 2]!) return true
    return false
  }

  object(row: number): RunObject {
    return objectAt(this, row)
  }

  /** `value` may be asked for each field more than once. `runs`, of which the numbers [first, last) count, may lie anywhere: firstX and firstY place them. */
  add(value: Value, runs: Int32Array, first = 0, last = runs.length): void {
    this.#makeRoom(1)
    const row = this.#count
    // In order: what others are counted from comes first.
    for (let at = 0; at < PACKED_COLUMNS.length; at++) this.#put(row, at, value(PACKED_COLUMNS[at]!.field))
    const start = row === 0 ? 0 : this.#ends[row - 1]!
    this.#makeRoomForOutlines(start + ((last - first) / 3) * mostBytesPerRun)
    this.#ends[row] = encodeRuns(runs, this.#outlines, start, first, last)
    this.#count = row + 1
  }

  /** Rows of a window, moved from its corner (x, y) to the slide's. Column by column: a window has hundreds, a run millions. */
  addWindow(window: ObjectColumns, rows: readonly number[], x: number, y: number): void {
    this.#makeRoom(rows.length)
    const to = this.#count
    for (let at = 0; at < PACKED_COLUMNS.length; at++) {
      const { field, storage, unit } = PACKED_COLUMNS[at]!
      const from = window.columns[field]
      const move = horizontal.has(field) ? x : vertical.has(field) ? y : 0
      const column = this.#columns[at]
      const base = bases[at]! < 0 ? null : this.#columns[bases[at]!]
      let n = 0
      if (column instanceof Float64Array) for (; n < rows.length; n++) column[to + n] = from[rows[n]!]! + move
      else if (column && storage && storage !== 'float64' && (base === null || base instanceof Int32Array)) {
        const { low, high } = narrow[storage]
        const perUnit = 1 / unit
        for (; n < rows.length; n++) {
          const value = from[rows[n]!]! + move
          const origin = base === null ? 0 : base[to + n]!
          const steps = (value - origin) * perUnit
          // Kept as it is to the bit, or not narrow.
          if (!(steps >= low && steps <= high && Math.floor(steps) === steps && steps * unit + origin === value)) break
          column[to + n] = steps
        }
      }
      for (; n < rows.length; n++) this.#put(to + n, at, from[rows[n]!]! + move)
    }
    const { runs, runOffsets } = window
    const triples = rows.reduce((sum, row) => sum + runOffsets[row + 1]! - runOffsets[row]!, 0)
    const first = to === 0 ? 0 : this.#ends[to - 1]!
    if (scratch.length < triples * mostBytesPerRun) scratch = new Uint8Array(triples * mostBytesPerRun)
    let end = 0
    // Where it lies has no part in an outline's bytes.
    rows.forEach((row, n) => {
      end = encodeRuns(runs, scratch, end, runOffsets[row]! * 3, runOffsets[row + 1]! * 3)
      this.#ends[to + n] = first + end
    })
    this.#makeRoomForOutlines(first + end)
    this.#outlines.set(scratch.subarray(0, end), first)
    this.#count = to + rows.length
  }

  /** The rows [start, end) of another. */
  addRows(from: PackedObjects, start: number, end: number): void {
    const rows = end - start
    if (rows <= 0) return
    this.#makeRoom(rows)
    const to = this.#count
    for (let at = 0; at < PACKED_COLUMNS.length; at++) {
      const own = this.#columns[at]!
      const other = from.#columns[at]!
      if (own === null && other === null) continue
      if (own !== null && other !== null && own.BYTES_PER_ELEMENT === other.BYTES_PER_ELEMENT) {
        for (let row = 0; row < rows; row++) own[to + row] = other[start + row]!
      } else for (let row = 0; row < rows; row++) this.#put(to + row, at, from.#at(start + row, at))
    }
    const first = start === 0 ? 0 : from.#ends[start - 1]!
    const last = from.#ends[end - 1]!
    const outlinesTo = to === 0 ? 0 : this.#ends[to - 1]!
    this.#makeRoomForOutlines(outlinesTo + last - first)
    this.#outlines.set(from.#outlines.subarray(first, last), outlinesTo)
    for (let row = 0; row < rows; row++) this.#ends[to + row] = from.#ends[start + row]! - first + outlinesTo
    this.#count = to + rows
  }

  /** Gives back what there is room for beyond its rows. */
  trim(): void {
    this.#resize(Math.max(this.#count, 1))
    const end = this.#count === 0 ? 0 : this.#ends[this.#count - 1]!
    if (end < this.#outlines.length) this.#outlines = this.#outlines.slice(0, end)
  }

  #at(row: number, at: number): number {
    const column = this.#columns[at]!
    if (column === null) return this.#follows(row)
    if (column instanceof Float64Array) return column[row]!
    const base = bases[at]!
    return column[row]! * PACKED_COLUMNS[at]!.unit + (base < 0 ? 0 : this.#at(row, base))
  }

  /** The one column that follows from others: circularity, by the engine's own steps (native/contract/object_shape.hpp). */
  #follows(row: number): number {
    const perimeter = this.value(row, 'perimeter')
    const round = (4 * Math.PI * this.value(row, 'area')) / (perimeter * perimeter)
    return round < 1 ? round : 1
  }

  #put(row: number, at: number, value: number): void {
    const column = this.#columns[at]!
    if (column === null) {
      if (Object.is(this.#follows(row), value)) return
      this.#widen(at, row)[row] = value
    } else if (column instanceof Float64Array) column[row] = value
    else {
      const { storage, unit } = PACKED_COLUMNS[at]!
      const base = bases[at]! < 0 ? 0 : this.#at(row, bases[at]!)
      const { low, high } = narrow[storage as keyof typeof narrow]
      const steps = (value - base) / unit
      // Kept as it is to the bit, or not narrow.
      if (Number.isInteger(steps) && steps >= low && steps <= high && steps * unit + base === value) column[row] = steps
      else this.#widen(at, row)[row] = value
    }
  }

  /** Makes doubles of a column's first `rows`. */
  #widen(at: number, rows: number): Float64Array<ArrayBuffer> {
    const wide = new Float64Array(this.#capacity)
    for (let row = 0; row < rows; row++) wide[row] = this.#at(row, at)
    this.#columns[at] = wide
    return wide
  }

  #makeRoom(rows: number): void {
    if (this.#count + rows > this.#capacity) this.#resize(Math.max(this.#count + rows, this.#capacity * 2))
  }

  #resize(capacity: number): void {
    if (capacity === this.#capacity) return
    this.#capacity = capacity
    this.#columns.forEach((column, at) => (this.#columns[at] = column && resized(column, capacity)))
    this.#ends = resized(this.#ends, capacity)
  }

  #makeRoomForOutlines(bytes: number): void {
    if (bytes > this.#outlines.length) this.#outlines = resized(this.#outlines, Math.max(bytes, this.#outlines.length * 2))
  }
}

/** For outlines whose length is not known yet. */
let scratch = new Uint8Array(0)

/** JavaScript's own objects around a batch's arrays (measured). */
const bytesPerBatch = PACKED_COLUMNS.length * 200 + 400

function resized<T extends PackedNumbers | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(from: T, length: number): T {
  const to = new (from.constructor as new (length: number) => T)(length)
  to.set(length < from.length ? from.subarray(0, length) : from)
  return to
}

type StainField = Extract<MeasurementField, `stain${string}`>
const stainFields: Record<StainStatistic, readonly StainField[]> = byKey(stainStatisticKeys, (key) =>
  ([1, 2, 3] as const).map((stain) => `stain${stain}${upperFirst(key)}` as const),
)
function upperFirst<T extends string>(text: T): Capitalize<T> {
  return (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>
}

/** The column of a channel, 0 … 2. */
export function stainField(statistic: StainStatistic, channel: number): StainField {
  const field = stainFields[statistic][channel]
  if (field === undefined) throw new RangeError(`expected 0 to 2 for a stain channel but received ${channel}`)
  return field
}

/** What of an object is one number: of the measurements all, of its place the rest. */
const scalars = [...PACKED_COLUMNS.map(({ field }) => field), 'minY' as const].filter(
  (field) => !field.startsWith('stain'),
) as readonly Scalar[]
type Scalar = Exclude<MeasurementField, 'label' | `stain${string}`>

/** One object, read from its columns when asked: made by the thousand and dropped again. */
class PackedObject {
  readonly packed: PackedObjects
  readonly row: number
  constructor(packed: PackedObjects, row: number) {
    this.packed = packed
    this.row = row
  }
  stain(statistic: StainStatistic, channel: number): number {
    return this.packed.value(this.row, stainField(statistic, channel))
  }
  get runs(): Int32Array {
    return this.packed.runsOf(this.row)
  }
}
for (const field of scalars) {
  Object.defineProperty(PackedObject.prototype, field, {
    get(this: PackedObject) {
      return this.packed.value(this.row, field)
    },
  })
}
function objectAt(packed: PackedObjects, row: number): RunObject {
  // The getters of its numbers are defined above.
  return new PackedObject(packed, row) as PackedObject & Readonly<Record<Scalar, number>>
}

/** Objects that may come from anywhere as columns. */
export function packedObjects(objects: readonly RunObject[]): PackedObjects {
  const packed = new PackedObjects(objects.length)
  for (const object of objects) {
    const value: Value = (field) => {
      const stain = /^stain([123])(Mean|Std|Min|Max)$/.exec(field)
      if (!stain) return field === 'label' ? NaN : object[field as Scalar]
      return object.stain(stain[2]!.toLowerCase() as StainStatistic, Number(stain[1]) - 1)
    }
    packed.add(value, object.runs)
  }
  return packed
}
