// Tiles with their objects as bytes of a journal, and back: what is read is held against the run before anybody sees it.
import { byKey } from '../../../app/contract'
import { CHANNEL_FIGURES, MOST_COLUMN_GROUPS, PACKED_COLUMNS } from '../../../native/index'
import type { MeasurementField, PackedNumbers, PackedTiles } from '../../../native/index'
import { contains } from '../../base/rect'
import { stepOf } from '../objects/outlineCode'
import { PackedObjects } from '../objects/packedObjects'
import { coreOf } from '../plan/plan'
import type { Grid, TileIndex } from '../plan/plan'
import { TileObjects } from '../objects/tileObjects'

// Eight u32 (tiles, objects, cut rows, numbers of crossings, bytes of outlines, bytes of the note, columns of channels, 0); then, each padded to 8 bytes: x and y of the
// tiles, starts, cut, crossings, a byte a column (its type), the columns, ends, outlines, the note. Little endian, as the machines that run this.
const countsBytes = 32
const types = [null, Int16Array, Uint16Array, Int32Array, Float64Array] as const
const named = { int16: 1, uint16: 2, int32: 3, float64: 4 } as const
/** Of a window: as many as the engine takes. */
const maxTiles = 65536

/** What is wrong with a record, in words. */
export class BadRecord extends Error {}

export interface JournaledTiles {
  readonly tiles: readonly TileIndex[]
  readonly objects: readonly TileObjects[]
  /** JSON of whoever wrote it: not judged here. */
  readonly note: unknown
}

const pad = (bytes: number): number => Math.ceil(bytes / 8) * 8
const typeOf = (column: PackedNumbers | null): number =>
  column === null ? 0 : types.findIndex((type) => type !== null && column instanceof type)
const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** The pieces of one record's body. O(bytes): the columns of whole windows go as they are, those of others are copied once. */
export function encodeTiles(tiles: readonly TileIndex[], objects: readonly TileObjects[], note: unknown): Uint8Array[] {
  const rows = rowsOf(objects)
  const starts = new Uint32Array(tiles.length + 1)
  const cut: number[] = []
  const crossings: number[] = []
  objects.forEach((own, i) => {
    const start = starts[i]!
    starts[i + 1] = start + own.count
    for (const row of own.cutRows) cut.push(start + row)
    own.forEachCrossing(0, own.count, (row, tile) => crossings.push(start + row, tile.x, tile.y))
  })
  const { count, columns, ends } = rows.batch
  const outlineBytes = count === 0 ? 0 : ends[count - 1]!
  const text = Buffer.from(JSON.stringify(note ?? null))
  const counts = Uint32Array.of(
    tiles.length,
    count,
    cut.length,
    crossings.length,
    outlineBytes,
    text.length,
    columns.length - PACKED_COLUMNS.length,
    0,
  )
  const parts: ArrayBufferView[] = [
    counts,
    Int32Array.from(tiles.flatMap(({ x, y }) => [x, y])),
    starts,
    Uint32Array.from(cut),
    Int32Array.from(crossings),
    Uint8Array.from(columns, typeOf),
    ...columns.map((column) => column?.subarray(0, count) ?? new Uint8Array(0)),
    ends.subarray(0, count),
    rows.batch.outlines.subarray(0, outlineBytes),
    text,
  ]
  return parts.flatMap((part) => {
    const bytes = bytesOf(part)
    const short = pad(bytes.byteLength) - bytes.byteLength
    return short === 0 ? [bytes] : [bytes, new Uint8Array(short)]
  })
}

/** The rows of all, one after the other: those of the window itself where it is that. */
function rowsOf(objects: readonly TileObjects[]): PackedObjects {
  const total = objects.reduce((sum, { count }) => sum + count, 0)
  const some = objects.filter(({ count }) => count > 0)
  const first = some[0]?.packed
  if (first?.count === total && some.every(({ packed }) => packed === first) && isInOrder(some)) return first
  const copied = new PackedObjects(total)
  for (const { packed, start, count } of some) copied.addRows(packed, start, start + count)
  return copied
}

function isInOrder(objects: readonly TileObjects[]): boolean {
  let at = 0
  return objects.every(({ start, count }) => start === (at += count) - count)
}

/** How many tiles and objects a record says it holds, from its first bytes. */
export function glanceAtTiles(start: Buffer): { tiles: number; objects: number } {
  return start.length < 8 ? { tiles: 0, objects: 0 } : { tiles: start.readUInt32LE(0), objects: start.readUInt32LE(4) }
}
export const glanceBytes = 8

/** `columnCount`: how many of PACKED_COLUMNS it was written with; objects have nothing of the others. Throws BadRecord for what cannot be of a run with this grid. O(bytes and runs). */
export function decodeTiles(
  body: Uint8Array<ArrayBuffer>,
  grid: Grid,
  columnCount: number = PACKED_COLUMNS.length,
): JournaledTiles {
  const taken = new Taken(body)
  const [tileCount, count, cuts, crossed, outlineBytes, noteBytes, channelColumns] = taken.of(
    Uint32Array,
    countsBytes / 4,
  ) as unknown as number[]
  must(tileCount! <= maxTiles, `${tileCount} tiles`)
  must(channelColumns! <= MOST_COLUMN_GROUPS * CHANNEL_FIGURES.length, `${channelColumns} columns of channels`)
  const places = taken.of(Int32Array, tileCount! * 2)
  const starts = taken.of(Uint32Array, tileCount! + 1)
  const cut = taken.of(Uint32Array, cuts!)
  const crossings = taken.of(Int32Array, crossed!)
  const codes = taken.of(Uint8Array, columnCount + channelColumns!)
  const own = PACKED_COLUMNS.map(({ storage, field, optional }, i) => {
    const code = i < columnCount ? codes[i]! : 0
    const isLeftOut = code === 0 && (optional === true || storage === null)
    must(isLeftOut || code === 4 || (storage !== null && code === named[storage]), `the type ${code} of the column ${field}`)
    const type: Typed<PackedNumbers> | null | undefined = types[code]
    return type ? taken.of(type, count!) : null
  })
  const ofChannels = Array.from(codes.subarray(columnCount), (code) => {
    must(code === 0 || code === 4, `the type ${code} of a channel’s column`)
    return code === 0 ? null : taken.of(Float64Array, count!)
  })
  const columns = [...own, ...ofChannels]
  const ends = taken.of(Uint32Array, count!)
  const outlines = taken.of(Uint8Array, outlineBytes!)
  const text = taken.of(Uint8Array, noteBytes!)
  must(taken.all, 'bytes behind its end')
  const tiles = Array.from({ length: tileCount! }, (_, i) => ({ x: places[2 * i]!, y: places[2 * i + 1]! }))
  const window: PackedTiles = { count: count!, columns, ends, outlines, starts, cut, crossings }
  check(window, tiles, grid)
  return { tiles, objects: TileObjects.split(window), note: parsed(text) }
}

type Typed<T> = { new (buffer: ArrayBuffer, at: number, length: number): T; readonly BYTES_PER_ELEMENT: number }

/** Arrays of a body, one after the other. */
class Taken {
  private readonly body: Uint8Array<ArrayBuffer>
  private at = 0
  constructor(body: Uint8Array<ArrayBuffer>) {
    this.body = body
  }
  of<T>(type: Typed<T>, length: number): T {
    const bytes = length * type.BYTES_PER_ELEMENT
    must(this.at + pad(bytes) <= this.body.byteLength, 'more than its bytes')
    const array = new type(this.body.buffer, this.body.byteOffset + this.at, length)
    this.at += pad(bytes)
    return array
  }
  get all(): boolean {
    return this.at === this.body.byteLength
  }
}

function check(window: PackedTiles, tiles: readonly TileIndex[], grid: Grid): void {
  const { count, starts, cut, crossings, ends, outlines } = window
  const across = Math.ceil(grid.widthPx / grid.tileSizePx)
  const down = Math.ceil(grid.heightPx / grid.tileSizePx)
  const isTile = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < across && y < down
  for (const { x, y } of tiles) must(isTile(x, y), `the tile ${x}, ${y}`)
  must(starts[0] === 0 && starts[tiles.length] === count && ascends(starts, 0), 'rows of no tile')
  must(ascends(cut, 1) && (cut.length === 0 || cut[cut.length - 1]! < count), 'cut rows that are not there')
  must(crossings.length % 3 === 0, 'half a crossing')
  for (let i = 0; i < crossings.length; i += 3) {
    must(crossings[i]! >= (crossings[i - 3] ?? 0) && crossings[i]! < count, 'crossings of no object')
    must(isTile(crossings[i + 1]!, crossings[i + 2]!), 'crossings into no tile')
  }
  must(ascends(ends, 1) && (ends[count - 1] ?? 0) === outlines.length && (count === 0 || ends[0]! > 0), 'outlines of no object')
  const objects = PackedObjects.of(window)
  const valuesOf = (field: MeasurementField): Float64Array => {
    const values = new Float64Array(count)
    objects.copyValues(field, values)
    return values
  }
  const boxes: Boxes = byKey(boxFields, valuesOf)
  const { firstX, minY } = boxes
  tiles.forEach((tile, i) => {
    const core = coreOf(grid, tile)
    for (let row = starts[i]!; row < starts[i + 1]!; row++) {
      const [x, y] = [firstX[row]!, minY[row]!]
      must(Number.isInteger(x) && Number.isInteger(y), 'an object between pixels')
      if (!contains(core, x, y)) throw new BadRecord(`a record holds an object that is not of its tile ${tile.x}, ${tile.y}`)
      checkOutline(boxes, row, ends[row - 1] ?? 0, ends[row]!, outlines, grid)
    }
  })
}

/** What an outline is held against, column by column; an object's first pixel is in its first row. */
const boxFields = ['firstX', 'minX', 'maxX', 'minY', 'maxY', 'area'] as const
type Boxes = Record<(typeof boxFields)[number], Float64Array>

/** The outline's own walk, which believes nothing: outlineCode.ts reads what has passed here. */
function checkOutline(boxes: Boxes, row: number, at: number, end: number, bytes: Uint8Array, grid: Grid): void {
  const box = { minX: boxes.minX[row]!, maxX: boxes.maxX[row]!, minY: boxes.minY[row]!, maxY: boxes.maxY[row]! }
  must(box.minX >= 0 && box.maxX < grid.widthPx && box.maxY < grid.heightPx, 'an object beyond the slide')
  const take = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      must(at < end && unit < 2 ** 49, 'an outline that does not end')
      const byte = bytes[at++]!
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
  let x = boxes.firstX[row]!
  let y = box.minY
  let last = -1
  let area = 0
  const ofNucleus = { y: -1, area: -1 }
  for (let first = true; at < end; first = false) {
    if (!first) {
      const code = take()
      const rows = code % 2 === 1 ? take() : 1
      if (code === 1 && rows === 0) {
        // Its cell, which lies anywhere on the slide.
        must(ofNucleus.area < 0, 'an object with two cells')
        Object.assign(ofNucleus, { y, area })
        x = boxes.firstX[row]! + stepOf(take())
        y = box.minY + stepOf(take())
        last = -1
        area = 0
        Object.assign(box, { minX: 0, maxX: grid.widthPx - 1, minY: 0, maxY: grid.heightPx - 1 })
        must(at < end && y >= 0, 'a cell beyond the slide')
      } else {
        x += stepOf(Math.floor(code / 2))
        if (rows > 0) last = -1
        y += rows
      }
    }
    const length = take()
    must(length > 0 && x > last && x >= box.minX && x + length - 1 <= box.maxX && y <= box.maxY, 'an outline beyond its box')
    last = x + length - 1
    area += length
  }
  const nucleus = ofNucleus.area < 0 ? { y, area } : ofNucleus
  must(nucleus.y === boxes.maxY[row] && nucleus.area === boxes.area[row], 'an outline of another object')
}

function ascends(values: Uint32Array, by: 0 | 1): boolean {
  for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]! + by) return false
  return true
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new BadRecord(`a record holds ${what}`)
}

function parsed(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')) as unknown
  } catch {
    throw new BadRecord('a record’s note cannot be read')
  }
}
