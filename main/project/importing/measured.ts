// Objects that came in, measured by the engine on the slide as those are that a recipe finds, part by part, and put into a store.
import type { PackedTiles } from '../../../native/index'
import { measureRuns, planOf, tokenOf } from '../../../native/index'
import type { Analysis } from '../../run/analysis/analysis'
import { ObjectStore } from '../../run/objects/objectStore'
import { PackedObjects } from '../../run/objects/packedObjects'
import { TileObjects } from '../../run/objects/tileObjects'
import type { Gathered, Part } from './gathered'

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
  /** So many are measured. */
  readonly onMeasured: (objects: number) => void
}

/** Throws what the reading throws. O(objects, and the slide's pixels around them). */
export async function measuredOf(gathered: Gathered, asked: Asked): Promise<Measured> {
  const { analysis, threads, storeBytes, signal, onMeasured } = asked
  const store = new ObjectStore(analysis.grid, Math.min(storeBytes, mostStoreBytes))
  const classes = new Uint8Array(gathered.count)
  const parts = gathered.taken()
  // In turns: each is measured beside others, and comes in in its order.
  const coming: Promise<PartMeasured | null>[] = []
  const begin = (): void => {
    const measuring = parts.next().then((next) => (next.done ? null : measuredPart(next.value, analysis, signal)))
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

async function measuredPart(part: Part, analysis: Analysis, signal: AbortSignal): Promise<PartMeasured> {
  const { tileSizePx } = analysis.grid
  const { count, runs, ends } = part
  const start = (i: number): number => (i === 0 ? 0 : ends[i - 1]!)
  // A tile's own side by side: by tile, then in raster order.
  const tileOf = (i: number): number =>
    Math.floor(runs[3 * start(i)]! / tileSizePx) * 2 ** 16 + Math.floor(runs[3 * start(i) + 1]! / tileSizePx)
  const tiles = Float64Array.from({ length: count }, (_, i) => tileOf(i))
  const firsts = Float64Array.from({ length: count }, (_, i) => runs[3 * start(i)]! * 2 ** 16 + runs[3 * start(i) + 1]!)
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => tiles[a]! - tiles[b]! || firsts[a]! - firsts[b]!)
  const windows: PackedTiles[] = []
  for (const field of fieldsOf(part, order, start)) {
    signal.throwIfAborted()
    windows.push(await measuredField(part, field, start, analysis, signal))
  }
  return { windows, classes: Uint8Array.from(order, (i) => part.classes[i]!) }
}

interface Field {
  readonly objects: readonly number[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Objects in their order, as many together as can be read at once. */
function* fieldsOf({ runs, ends }: Part, order: readonly number[], start: (i: number) => number): Generator<Field, void, void> {
  let objects: number[] = []
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  const field = (): Field => ({ objects, x: x0, y: y0, width: x1 - x0, height: y1 - y0 })
  for (const i of order) {
    let [left, right] = [Infinity, -Infinity]
    for (let r = 3 * start(i); r < 3 * ends[i]!; r += 3) {
      left = Math.min(left, runs[r + 1]!)
      right = Math.max(right, runs[r + 2]!)
    }
    const [top, bottom] = [runs[3 * start(i)]!, runs[3 * ends[i]! - 3]! + 1]
    const [nx0, ny0] = [Math.min(x0, left), Math.min(y0, top)]
    const [nx1, ny1] = [Math.max(x1, right), Math.max(y1, bottom)]
    if (objects.length > 0 && (nx1 - nx0) * (ny1 - ny0) > mostFieldPx) {
      yield field()
      objects = [i]
      ;[x0, y0, x1, y1] = [left, top, right, bottom]
    } else {
      objects.push(i)
      ;[x0, y0, x1, y1] = [nx0, ny0, nx1, ny1]
    }
  }
  if (objects.length > 0) yield field()
}

async function measuredField(
  { x, y, runs, ends }: Part,
  { objects, ...field }: Field,
  start: (i: number) => number,
  { grid, slide, spec, params }: Analysis,
  signal: AbortSignal,
): Promise<PackedTiles> {
  const offsets = new Int32Array(objects.length + 1)
  objects.forEach((i, at) => (offsets[at + 1] = offsets[at]! + ends[i]! - start(i)))
  const given = new Int32Array(3 * offsets[objects.length]!)
  let to = 0
  for (const i of objects)
    for (let r = 3 * start(i); r < 3 * ends[i]!; r += 3) {
      given[to++] = runs[r]! + y
      given[to++] = runs[r + 1]! + x
      given[to++] = runs[r + 2]! + x
    }
  const measured = await measureRuns(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      ...{ x: field.x + x, y: field.y + y, fieldWidth: field.width, fieldHeight: field.height },
      plan: planOf(spec.pipeline, params),
      runs: given,
      runOffsets: offsets,
    },
    tokenOf(signal),
  )
  return windowOf(measured, grid.tileSizePx)
}

/** As a window of the engine's gives them: tile by tile, with what reaches into others. */
function windowOf(measured: PackedTiles, tileSizePx: number): PackedTiles {
  const objects = PackedObjects.of(measured)
  const starts = [0]
  const crossings: number[] = []
  const at = (row: number, field: 'firstX' | 'firstY' | 'minX' | 'minY' | 'maxX' | 'maxY'): number =>
    Math.floor(objects.value(row, field) / tileSizePx)
  for (let row = 0; row < measured.count; row++) {
    const [x, y] = [at(row, 'firstX'), at(row, 'firstY')]
    if (row > 0 && (x !== at(row - 1, 'firstX') || y !== at(row - 1, 'firstY'))) starts.push(row)
    const [x1, y1] = [at(row, 'maxX'), at(row, 'maxY')]
    for (let ty = at(row, 'minY'); ty <= y1; ty++)
      for (let tx = at(row, 'minX'); tx <= x1; tx++) if (tx !== x || ty !== y) crossings.push(row, tx, ty)
  }
  starts.push(measured.count)
  return { ...measured, starts: Uint32Array.from(starts), cut: new Uint32Array(0), crossings: Int32Array.from(crossings) }
}
