// Objects in the columns that the engine packs and its writers read where they lie: about 150 bytes an object and two a run of its outline.
import { CHANNEL_FIGURES, PACKED_COLUMNS } from '../../../native/index'
import type { ChannelField, MeasurementField, ObjectField, PackedBatch, PackedNumbers } from '../../../native/index'
import { stainStatisticKeys, byKey } from '../../../app/contract'
import type { StainStatistic } from '../../../app/contract'
import type { Away, AwayBatches } from './awayBatches'
import { decodeCellRuns, decodeRuns } from './outlineCode'
import type { RunObject } from './runObject'

/** What values may be copied into; of whole numbers those that are. */
type Numbers = Float64Array | Int32Array | Uint32Array

/** Rows of a batch: an object's stable id is batch × this + row. */
export const batchRows = 8192

const places: Partial<Record<MeasurementField, number>> = Object.fromEntries(PACKED_COLUMNS.map(({ field }, i) => [field, i]))
const placesOfChannels = new Map<string, number>()
/** Where a field's column stands; an object's first pixel is in its first row. */
function placeOf(field: ObjectField): number {
  return places[(field === 'minY' ? 'firstY' : field) as MeasurementField] ?? channelPlace(field)
}
function channelPlace(field: string): number {
  const known = placesOfChannels.get(field)
  if (known !== undefined) return known
  const [, channel, figure] = /^channel(\d+)(\D+)$/.exec(field) ?? []
  const at = CHANNEL_FIGURES.findIndex((name) => name === figure)
  if (at < 0) throw new RangeError(`expected a column of objects but received ${field}`)
  const place = PACKED_COLUMNS.length + (Number(channel) - 1) * CHANNEL_FIGURES.length + at
  placesOfChannels.set(field, place)
  return place
}
/** The column of a channel, from 0 on. */
export const channelField = (channel: number, figure: (typeof CHANNEL_FIGURES)[number]): ChannelField =>
  `channel${channel + 1}${figure}`

const firstX = places.firstX!
const firstY = places.firstY!
const bases = PACKED_COLUMNS.map(({ base }) => (base === null ? -1 : places[base]!))
const arrays = { int16: Int16Array, uint16: Uint16Array, int32: Int32Array, float64: Float64Array } as const

/** Analysed px of the whole slide. Rows are only ever added at the end. */
export class PackedObjects {
  /** Which batch of its store it is; -1: of none. */
  place = -1
  #count = 0
  #capacity: number
  /** A column a row of PACKED_COLUMNS, then those of channels: as narrow as it says, or doubles; null while it follows from others, or no object has it. */
  #columns: (PackedNumbers | null)[]
  /** Of each object's outline in `#outlines`. */
  #ends: Uint32Array<ArrayBuffer>
  #outlines: Uint8Array<ArrayBuffer>
  /** Where the columns are read back from; null: they have never been put away. */
  #away: { readonly batches: AwayBatches; readonly at: Away } | null = null
  #isHere = true

  /** None, with room for `capacity`; or those of a batch, which stays as it is. */
  constructor(capacity: number, batch?: PackedBatch) {
    this.#capacity = Math.max(capacity, 1)
    if (batch) {
      this.#count = batch.count
      this.#columns = [...batch.columns]
      this.#ends = batch.ends
      this.#outlines = batch.outlines
      return
    }
    this.#columns = PACKED_COLUMNS.map(({ storage, optional }) =>
      storage === null || optional ? null : new arrays[storage](this.#capacity),
    )
    this.#ends = new Uint32Array(this.#capacity)
    this.#outlines = new Uint8Array(this.#capacity * 32)
  }

  /** Takes it over: its arrays must not be changed from now on. */
  static of(batch: PackedBatch): PackedObjects {
    return new PackedObjects(batch.count, batch)
  }

  get count(): number {
    return this.#count
  }

  /** Of what is in memory for as long as it has not been put away. */
  get bytes(): number {
    if (this.#away) return bytesPerBatch
    const columns = this.#columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)
    return columns + this.#ends.byteLength + this.#outlines.byteLength + bytesPerBatch
  }

  /** As the engine's writers take it: to be read only, and only while no row is added. */
  get batch(): PackedBatch {
    this.#beHere()
    return { count: this.#count, columns: this.#columns, ends: this.#ends, outlines: this.#outlines }
  }

  /** Whether any of its objects may have what is optional. */
  has(field: ObjectField): boolean {
    return !!(this.#isHere ? this.#columns : this.#away!.at.columns)[placeOf(field)]
  }

  value(row: number, field: ObjectField): number {
    return this.#at(row, placeOf(field))
  }

  /** Of all channels, one after the other. */
  channelFigures(row: number): number[] {
    this.#beHere()
    return Array.from({ length: this.#columns.length - PACKED_COLUMNS.length }, (_, i) =>
      this.#at(row, PACKED_COLUMNS.length + i),
    )
  }

  /** `value` of every row, into `to` from `at` on: a tenth of the time of asking for each. */
  copyValues(field: ObjectField, to: Numbers, at = 0): void {
    this.#beHere()
    const place = placeOf(field)
    const column = this.#columns[place]
    if (!column) for (let row = 0; row < this.#count; row++) to[at + row] = this.#absent(row, place)
    else if (column instanceof Float64Array) for (let row = 0; row < this.#count; row++) to[at + row] = column[row]!
    else {
      const { base, unit } = PACKED_COLUMNS[place]!
      if (base === null) for (let row = 0; row < this.#count; row++) to[at + row] = column[row]! * unit
      else {
        this.copyValues(base, to, at)
        for (let row = 0; row < this.#count; row++) to[at + row] = column[row]! * unit + to[at + row]!
      }
    }
  }

  /** (y, x0, x1) triples, x1 exclusive, raster order. */
  runsOf(row: number): Int32Array<ArrayBuffer> {
    this.#beHere()
    const start = row === 0 ? 0 : this.#ends[row - 1]!
    return decodeRuns(this.#outlines, start, this.#ends[row]!, this.#at(row, firstX), this.#at(row, firstY))
  }

  /** Of its cell; null where it has none. */
  cellRunsOf(row: number): Int32Array<ArrayBuffer> | null {
    this.#beHere()
    const start = row === 0 ? 0 : this.#ends[row - 1]!
    return decodeCellRuns(this.#outlines, start, this.#ends[row]!, this.#at(row, firstX), this.#at(row, firstY))
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

  /** The rows [start, end) of another. */
  addRows(from: PackedObjects, start: number, end: number): void {
    const rows = end - start
    if (rows <= 0) return
    from.#beHere()
    this.#makeRoom(rows)
    const to = this.#count
    while (this.#columns.length < from.#columns.length) this.#columns.push(null)
    for (let at = 0; at < this.#columns.length; at++) {
      const other = from.#columns[at] ?? null
      if (this.#columns[at] === null && other === null) continue
      const own = this.#columns[at] ?? (to === 0 && other ? this.#begin(at, other) : null)
      if (own && other && own.BYTES_PER_ELEMENT === other.BYTES_PER_ELEMENT) own.set(other.subarray(start, end), to)
      else {
        const wide = own instanceof Float64Array ? own : this.#widen(at, to)
        for (let row = 0; row < rows; row++) wide[to + row] = from.#at(start + row, at)
      }
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

  /** Leaves the columns to `batches`, which reads them back when they are asked for; no row may be added from then on. Throws where it cannot. */
  putAway(batches: AwayBatches): void {
    this.#away = { batches, at: batches.put(this.batch) }
    this.#letGo()
  }

  #letGo(): void {
    this.#isHere = false
    this.#columns = []
    this.#ends = new Uint32Array(0)
    this.#outlines = new Uint8Array(0)
  }

  #beHere(): void {
    if (this.#isHere) return
    const { batches, at } = this.#away!
    const { columns, ends, outlines } = batches.get({ away: at, letGo: () => this.#letGo() })
    this.#columns = [...columns]
    this.#ends = ends
    this.#outlines = outlines
    this.#isHere = true
  }

  #at(row: number, at: number): number {
    this.#beHere()
    const column = this.#columns[at]
    if (!column) return this.#absent(row, at)
    if (column instanceof Float64Array) return column[row]!
    const base = bases[at]!
    return column[row]! * PACKED_COLUMNS[at]!.unit + (base < 0 ? 0 : this.#at(row, base))
  }

  /** Of a column that is not there: what no object has, or circularity, which follows from others by the engine's own steps (native/contract/object_shape.hpp). */
  #absent(row: number, at: number): number {
    if (at >= PACKED_COLUMNS.length || PACKED_COLUMNS[at]!.optional) return Number.NaN
    const perimeter = this.value(row, 'perimeter')
    const round = (4 * Math.PI * this.value(row, 'area')) / (perimeter * perimeter)
    return round < 1 ? round : 1
  }

  /** Of the first rows a column as narrow as where they come from. */
  #begin(at: number, like: PackedNumbers): PackedNumbers {
    return (this.#columns[at] = new (like.constructor as new (length: number) => PackedNumbers)(this.#capacity))
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

/** JavaScript's own objects around a batch's arrays (measured). */
const bytesPerBatch = PACKED_COLUMNS.length * 200 + 400

function resized<T extends PackedNumbers | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(from: T, length: number): T {
  const to = new (from.constructor as new (length: number) => T)(length)
  to.set(length < from.length ? from.subarray(0, length) : from)
  return to
}

export type StainField = Extract<MeasurementField, `stain${1 | 2 | 3}${string}`>
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
  (field) => !/^stain\d/.test(field),
) as readonly Scalar[]
type Scalar = Exclude<MeasurementField, StainField>

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
  get channelFigures(): number[] {
    return this.packed.channelFigures(this.row)
  }
  get runs(): Int32Array {
    return this.packed.runsOf(this.row)
  }
  get cellRuns(): Int32Array | null {
    return this.packed.cellRunsOf(this.row)
  }
  get id(): number | undefined {
    return this.packed.place < 0 ? undefined : this.packed.place * batchRows + this.row
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
