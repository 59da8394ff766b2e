// What a result tile is made of: numbers, which the page colours as its user likes. The engine packs them, the page unpacks them.
import { channelColumnOf } from '../classes/cuts'
import { measurementOrder } from './measurements'

/** Px around a tile of objects that are given too, so that an outline so wide does not depend on the tile's edge. */
export const objectMarginPx = 4
/** Up to this level (halvings of the run's grid) tiles have objects; beyond there are too many, and density says more. */
export const deepestObjectLevel = 4
/** A tile of density has so many cells a side, and one more around it. */
export const densityCells = 32
/** What every object in a tile carries, to be coloured by: measurements in µm or level-0 px, and mean optical densities of three stains. */
export const objectColumns = [...measurementOrder.screen, 'stain0', 'stain1', 'stain2'] as const
export type ObjectColumn = (typeof objectColumns)[number]
/** What an object can be coloured by: also its mean in a channel of its slide, as the table's column is called. */
export type ColourColumn = ObjectColumn | `channel${number}Mean`
/** Of the channel at this place, from 0. */
export const channelMean = (channel: number): ColourColumn => `channel${channel + 1}Mean`
/** Of an object: what it is coloured by, and last its class's colour (red · 65536 + green · 256 + blue), or -1 where its recipe has no classes. */
export const valuesPerObject = objectColumns.length + 1
/** In place of an object: the file could not give this. */
export const unreadableId = 0x7fffff

export interface ObjectsTile {
  readonly kind: 'objects'
  readonly sidePx: number
  /** Row after row of (sidePx + 2 objectMarginPx)²: 0, the number of an object of this tile (from 1), or unreadableId. */
  readonly ids: Int32Array
  /** The same of the objects' cells; absent: none of them has one. */
  readonly cells?: Int32Array | undefined
  readonly count: number
  /** Of object n from (n - 1) · valuesPerObject on. */
  readonly values: Float32Array
  /** Of object n from (n - 1) · channels on its mean in each channel, in the file's own units; NaN: not measured. */
  readonly channels: number
  readonly means: Float32Array
}
/** Where a tile has a column of object n: at `first` + (n - 1) · `step` of `values`. null: it has none. */
export function placeInTile(
  tile: ObjectsTile,
  column: ColourColumn,
): { readonly values: Float32Array; readonly first: number; readonly step: number } | null {
  const channel = channelColumnOf(column)?.channel
  if (channel !== undefined) return channel < tile.channels ? { values: tile.means, first: channel, step: tile.channels } : null
  const first = (objectColumns as readonly string[]).indexOf(column)
  return first < 0 ? null : { values: tile.values, first, step: valuesPerObject }
}
export interface DensityTile {
  readonly kind: 'density'
  readonly sidePx: number
  /** Row after row of (densityCells + 2)²: objects whose first pixel (raster order) lies in the cell. */
  readonly counts: Float32Array
  /** Of a cell: mm², or, where the slide is uncalibrated, Mpx of level 0. */
  readonly cellArea: number
}
/** An intermediate image. gray, and map, which the slide shows through: 0 … 255; binary: 0 or 255, or between where px were halved; colored: 0 = background, n = some colour. */
export interface PlaneTile {
  readonly kind: 'gray' | 'binary' | 'colored' | 'map'
  readonly sidePx: number
  /** Row after row: known + value, where known is 256 or, where nothing is known, 0. */
  readonly values: Uint16Array
}
export type ResultTile = ObjectsTile | DensityTile | PlaneTile

/** Beside a recipe's own layers: what its stage `tissue` takes for tissue, at every zoom. */
export const tissueLayer = 'tissue'

const magic = 0x4d525431
const kinds = ['objects', 'density', 'gray', 'binary', 'colored', 'map'] as const
/** As many are measured at most. */
export const mostChannels = 64
const headerInts = 6
const lengthBits = 9

/** Ids go as runs of a row, id and length in one number each: a tile of nuclei takes a tenth of its pixels. O(px). */
export function packTile(tile: ResultTile): Uint8Array<ArrayBuffer> {
  if (tile.kind === 'objects') {
    const side = tile.sidePx + 2 * objectMarginPx
    const runs = runsOf(tile.ids, side)
    // What follows the objects' runs are their cells'.
    const cells = tile.cells ? [runsOf(tile.cells, side)] : []
    return joined(tile, tile.count, runs.length, [tile.values, tile.means, runs, ...cells])
  }
  return tile.kind === 'density'
    ? joined(tile, 0, 0, [Float32Array.of(tile.cellArea), tile.counts])
    : joined(tile, 0, 0, [tile.values])
}

/** Of rows of ids. */
function runsOf(ids: Int32Array, side: number): Uint32Array {
  const runs = new Uint32Array(side * side)
  let n = 0
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side;) {
      const id = ids[y * side + x]!
      const from = x
      while (x < side && ids[y * side + x] === id) x++
      runs[n++] = ((id << lengthBits) | (x - from)) >>> 0
    }
  }
  return runs.subarray(0, n)
}

function idsOf(runs: Uint32Array, side: number): Int32Array {
  const ids = new Int32Array(side * side)
  let at = 0
  for (const run of runs) {
    const length = run & ((1 << lengthBits) - 1)
    const id = run >>> lengthBits
    if (id !== 0) ids.fill(id, at, at + length)
    at += length
  }
  return ids
}

function joined(tile: ResultTile, count: number, runs: number, parts: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const columns = valuesPerObject + (tile.kind === 'objects' ? tile.channels : 0)
  const bytes = new Uint8Array(headerInts * 4 + parts.reduce((sum, part) => sum + part.byteLength, 0))
  new Uint32Array(bytes.buffer, 0, headerInts).set([magic, kinds.indexOf(tile.kind), tile.sidePx, count, columns, runs])
  let at = headerInts * 4
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength
  }
  return bytes
}

/** Throws where the bytes are no tile of this version. */
export function unpackTile(bytes: ArrayBuffer): ResultTile {
  const header = new Uint32Array(bytes, 0, Math.min(headerInts, bytes.byteLength >> 2))
  const [found, kindAt, sidePx = 0, count = 0, columns = 0, runs = 0] = header
  const kind = kinds[kindAt ?? kinds.length]
  if (
    found !== magic ||
    !kind ||
    columns < valuesPerObject ||
    columns > valuesPerObject + mostChannels ||
    sidePx > 1 << lengthBits
  )
    throw new Error(`expected a result tile but received ${bytes.byteLength} bytes of something else`)
  const start = headerInts * 4
  if (kind === 'density') {
    const [cellArea = 0] = new Float32Array(bytes, start, 1)
    return { kind, sidePx, cellArea, counts: new Float32Array(bytes, start + 4, (densityCells + 2) ** 2) }
  }
  if (kind !== 'objects') return { kind, sidePx, values: new Uint16Array(bytes, start, sidePx * sidePx) }
  const channels = columns - valuesPerObject
  const values = new Float32Array(bytes, start, count * valuesPerObject)
  const means = new Float32Array(bytes, start + values.byteLength, count * channels)
  const packed = new Uint32Array(bytes, start + values.byteLength + means.byteLength, runs)
  const side = sidePx + 2 * objectMarginPx
  const more = new Uint32Array(bytes, packed.byteOffset + packed.byteLength)
  const cells = more.length > 0 ? idsOf(more, side) : undefined
  return { kind, sidePx, ids: idsOf(packed, side), ...(cells && { cells }), count, values, channels, means }
}

const severalMagic = 0x4d525453
const failedLength = 0xffffffff
const wholeNumbers = (bytes: number): number => Math.ceil(bytes / 4) * 4

/** Tiles' bytes in one: each is whole, empty, or (null) could not be made. Numbers of 4 bytes: magic, how many, each one's length; then the bytes, each tile's from a multiple of 4 on. */
export function packTiles(bodies: readonly (Uint8Array | null)[]): Uint8Array<ArrayBuffer> {
  const head = (2 + bodies.length) * 4
  const bytes = new Uint8Array(head + bodies.reduce((sum, body) => sum + wholeNumbers(body?.byteLength ?? 0), 0))
  const lengths = bodies.map((body) => body?.byteLength ?? failedLength)
  new Uint32Array(bytes.buffer, 0, 2 + bodies.length).set([severalMagic, bodies.length, ...lengths])
  let at = head
  for (const body of bodies) {
    if (!body) continue
    bytes.set(body, at)
    at += wholeNumbers(body.byteLength)
  }
  return bytes
}

/** Throws where the bytes are not so many tiles. */
export function unpackTiles(bytes: ArrayBuffer, count: number): (ArrayBuffer | null)[] {
  const head = (2 + count) * 4
  const [magicFound, found, ...lengths] = new Uint32Array(bytes, 0, bytes.byteLength < head ? 0 : 2 + count)
  if (magicFound !== severalMagic || found !== count)
    throw new Error(`expected ${count} result tiles but received ${bytes.byteLength} bytes of something else`)
  let at = head
  return lengths.map((length) => {
    if (length === failedLength) return null
    const from = at
    at += wholeNumbers(length)
    if (at > bytes.byteLength) throw new Error(`expected ${count} whole result tiles but the bytes end after ${bytes.byteLength}`)
    return bytes.slice(from, from + length)
  })
}
