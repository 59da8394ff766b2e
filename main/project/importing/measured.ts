// Objects that came in, measured by the engine on the slide as those are that a recipe finds, part by part, and put into a store.
import type { CellsRequest, PackedTiles } from '../../../native/index'
import { measureRuns, planOf, tokenOf } from '../../../native/index'
import type { Analysis } from '../../run/analysis/analysis'
import { ObjectStore } from '../../run/objects/objectStore'
import { PackedObjects } from '../../run/objects/packedObjects'
import { TileObjects } from '../../run/objects/tileObjects'
import type { Gathered, Part } from './gathered'
import { boxOf } from './objects'

/** Of measured objects in memory: they are written soon, and read back as a run's are. */
const mostStoreBytes = 2 ** 27
/** Of what is read at once, analysed px. */
const mostFieldPx = 2 ** 24

export interface Measured {
  readonly store: ObjectStore
  /** Of each object, in the order of the store's ids, the number of its class in the file. */
  readonly classes: Uint8Array
}

interface Asked {
  readonly analysis: Analysis
  readonly threads: number
  readonly storeBytes: number
  readonly signal: AbortSignal
  /** What is measured of the cells that came with them; null: none came. */
  readonly cells: CellsRequest | null
  /** So many are measured. */
  readonly onMeasured: (objects: number) => void
}

/** Throws what the reading throws. O(objects, and the slide's pixels around them). */
export async function measuredOf(gathered: Gathered, asked: Asked): Promise<Measured> {
  const { analysis, threads, storeBytes, signal, cells, onMeasured } = asked
  const store = new ObjectStore(analysis.grid, Math.min(storeBytes, mostStoreBytes))
  const classes = new Uint8Array(gathered.count)
  const parts = gathered.taken()
  // In turns: each is measured beside others, and comes in in its order.
  const coming: Promise<PartMeasured | null>[] = []
  const begin = (): void => {
    const measuring = parts.next().then((next) => (next.done ? null : measuredPart(next.value, analysis, cells, signal)))
    // It is waited for in its turn.
    measuring.catch(() => undefined)
    coming.push(measuring)
  }
  for (let i = 0; i < Math.max(1, threads); i++) begin()
  let done = 0
  for (let first = coming.shift(); first; first = coming.shift()) {
    const part = await first.catch((error: unknown) => {
      // Who ended it took away what it reads.
      signal.throwIfAborted()
      throw error
    })
    signal.throwIfAborted()
    if (part === null) break
    begin()
    for (const window of part.windows) store.add(TileObjects.split(window).map((objects) => ({ objects, keep: null })))
    classes.set(part.classes, done)
    done += part.classes.length
    onMeasured(done)
  }
  store.trim()
  return { store, classes }
}

interface PartMeasured {
  readonly windows: readonly PackedTiles[]
  readonly classes: Uint8Array
}

async function measuredPart(
  part: Part,
  analysis: Analysis,
  cells: CellsRequest | null,
  signal: AbortSignal,
): Promise<PartMeasured> {
  const { tileSizePx } = analysis.grid
  const { count, runs, ends } = part
  const start = (i: number): number => startOf(ends, i)
  // A tile's own side by side: by tile, then in raster order.
  const tileOf = (i: number): number =>
    Math.floor(runs[3 * start(i)]! / tileSizePx) * 2 ** 16 + Math.floor(runs[3 * start(i) + 1]! / tileSizePx)
  const tiles = Float64Array.from({ length: count }, (_, i) => tileOf(i))
  const firsts = Float64Array.from({ length: count }, (_, i) => runs[3 * start(i)]! * 2 ** 16 + runs[3 * start(i) + 1]!)
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => tiles[a]! - tiles[b]! || firsts[a]! - firsts[b]!)
  const windows: PackedTiles[] = []
  for (const field of fieldsOf(part, order)) {
    signal.throwIfAborted()
    windows.push(await measuredField(part, field, analysis, cells, signal))
  }
  return { windows, classes: Uint8Array.from(order, (i) => part.classes[i]!) }
}

/** Where an object's runs begin, in triples. */
const startOf = (ends: Uint32Array, i: number): number => (i === 0 ? 0 : ends[i - 1]!)

/** Of an object and its cell, from the part's corner on. */
function boxAround(part: Part, i: number): { x0: number; y0: number; x1: number; y1: number } {
  const { runs, ends, cells, cellEnds } = part
  const own = boxOf(runs.subarray(3 * startOf(ends, i), 3 * ends[i]!))
  if (cellEnds.length === 0 || startOf(cellEnds, i) === cellEnds[i]) return own
  const cell = boxOf(cells.subarray(3 * startOf(cellEnds, i), 3 * cellEnds[i]!))
  return {
    ...{ x0: Math.min(own.x0, cell.x0), y0: Math.min(own.y0, cell.y0) },
    ...{ x1: Math.max(own.x1, cell.x1), y1: Math.max(own.y1, cell.y1) },
  }
}

interface Field {
  readonly objects: readonly number[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Objects in their order, as many together as can be read at once. */
function* fieldsOf(part: Part, order: readonly number[]): Generator<Field, void, void> {
  let objects: number[] = []
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  const field = (): Field => ({ objects, x: x0, y: y0, width: x1 - x0, height: y1 - y0 })
  for (const i of order) {
    const own = boxAround(part, i)
    const [nx0, ny0] = [Math.min(x0, own.x0), Math.min(y0, own.y0)]
    const [nx1, ny1] = [Math.max(x1, own.x1), Math.max(y1, own.y1)]
    if (objects.length > 0 && (nx1 - nx0) * (ny1 - ny0) > mostFieldPx) {
      yield field()
      objects = [i]
      ;[x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1]
    } else {
      objects.push(i)
      ;[x0, y0, x1, y1] = [nx0, ny0, nx1, ny1]
    }
  }
  if (objects.length > 0) yield field()
}

async function measuredField(
  part: Part,
  { objects, ...field }: Field,
  { grid, slide, spec, params }: Analysis,
  cells: CellsRequest | null,
  signal: AbortSignal,
): Promise<PackedTiles> {
  const { x, y } = part
  const [runs, runOffsets] = given(part, part.runs, part.ends, objects)
  const [cellRuns, cellOffsets] = cells ? given(part, part.cells, part.cellEnds, objects) : []
  const measured = await measureRuns(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      ...{ x: field.x + x, y: field.y + y, fieldWidth: field.width, fieldHeight: field.height },
      plan: planOf(spec.pipeline, params),
      runs,
      runOffsets,
      ...(cells && { cells, cellRuns, cellOffsets }),
    },
    tokenOf(signal),
  )
  return windowOf(measured, part, objects, grid.tileSizePx)
}

/** Runs of these objects in px of the image, and where each one's begin; of none where the part has none. */
function given(
  { x, y }: Part,
  runs: Int16Array,
  ends: Uint32Array,
  objects: readonly number[],
): [runs: Int32Array, offsets: Int32Array] {
  const offsets = new Int32Array(objects.length + 1)
  if (ends.length === 0) return [new Int32Array(0), offsets]
  objects.forEach((i, at) => (offsets[at + 1] = offsets[at]! + ends[i]! - startOf(ends, i)))
  const all = new Int32Array(3 * offsets[objects.length]!)
  let to = 0
  for (const i of objects)
    for (let r = 3 * startOf(ends, i); r < 3 * ends[i]!; r += 3) {
      all[to++] = runs[r]! + y
      all[to++] = runs[r + 1]! + x
      all[to++] = runs[r + 2]! + x
    }
  return [all, offsets]
}

/** As a window of the engine's gives them: tile by tile, with what reaches into others, cells too. */
function windowOf(measured: PackedTiles, part: Part, given: readonly number[], tileSizePx: number): PackedTiles {
  const objects = PackedObjects.of(measured)
  const starts = [0]
  const crossings: number[] = []
  const tile = (px: number): number => Math.floor(px / tileSizePx)
  const at = (row: number, field: 'firstX' | 'firstY'): number => tile(objects.value(row, field))
  for (let row = 0; row < measured.count; row++) {
    const [x, y] = [at(row, 'firstX'), at(row, 'firstY')]
    if (row > 0 && (x !== at(row - 1, 'firstX') || y !== at(row - 1, 'firstY'))) starts.push(row)
    const { x0, y0, x1, y1 } = boxAround(part, given[row]!)
    for (let ty = tile(y0 + part.y); ty <= tile(y1 - 1 + part.y); ty++)
      for (let tx = tile(x0 + part.x); tx <= tile(x1 - 1 + part.x); tx++) if (tx !== x || ty !== y) crossings.push(row, tx, ty)
  }
  starts.push(measured.count)
  return { ...measured, starts: Uint32Array.from(starts), cut: new Uint32Array(0), crossings: Int32Array.from(crossings) }
}
