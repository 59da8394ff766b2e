// Objects that people make, as the document holds them: measured by the engine, packed as a journal's record, and read back without trust.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { MadeObjects } from '../../../app/contract'
import { measureRuns, planOf, tokenOf } from '../../../native/index'
import { decodeTiles, encodeTiles } from '../../run/journal/journalTiles'
import { PackedObjects } from '../../run/objects/packedObjects'
import type { CellsOfRun } from '../../run/analysis/cells'
import { requireOwnChannel } from '../../run/analysis/channel'
import type { Grid } from '../../run/plan/plan'
import type { Run } from '../../run/run'
import { TileObjects } from '../../run/objects/tileObjects'
import { runsOf } from '../outline/objects'
import type { Runs } from './pixels'

/** Of a record, once it is inflated. */
const mostBytes = 2 ** 28

/** `ranks`: what is replaced, none where something is added; `parts`: by what. */
export interface Replacement {
  readonly ranks: readonly number[]
  readonly parts: readonly Runs[]
}

/**
 * Reads the slide around each replacement's parts, and measures what lies under them as the run measures its own; with cells around them, where the
 * run has them. All become one step: what is replaced bounds no cell, and what is made bounds the others'.
 */
export async function madeOf(run: Run, replacements: readonly Replacement[], signal?: AbortSignal): Promise<MadeObjects[]> {
  requireOwnChannel(run.order)
  // The cells that came in with a file were nobody's to make.
  const cells = run.order.kept?.head.imported ? null : run.draft.cells
  const neighbours = cells && { cells, within: neighboursOf(run, replacements) }
  const made: MadeObjects[] = []
  for (const each of replacements) if (each.parts.length > 0) made.push(await madeOne(run, each, neighbours, signal))
  return made
}

interface Neighbours {
  readonly cells: CellsOfRun
  readonly within: (rect: Rect, own: readonly Runs[]) => Runs[]
}

async function madeOne(
  run: Run,
  { parts, ranks }: Replacement,
  neighbours: Neighbours | null,
  signal: AbortSignal | undefined,
): Promise<MadeObjects> {
  const { grid, slide, spec } = run.draft
  const [runs, runOffsets] = joined(parts)
  const box = boxOf(runs)
  const cells = neighbours?.cells
  const field = cells ? around(box, 2 * cells.reachPx + cells.ringPx, grid) : box
  const [neighbourRuns, neighbourOffsets] = joined(neighbours?.within(field, parts) ?? [])
  const measured = await measureRuns(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      ...{ x: field.x, y: field.y, fieldWidth: field.width, fieldHeight: field.height },
      plan: planOf(spec.pipeline, run.resolved),
      runs,
      runOffsets,
      ...(cells && { cells, neighbourRuns, neighbourOffsets }),
    },
    tokenOf(signal),
  )
  const objects = PackedObjects.of(measured)
  const rows = Array.from({ length: measured.count }, (_, row) => row)
  const tiles = rows.map((row) => ({
    x: Math.floor(objects.value(row, 'firstX') / grid.tileSizePx),
    y: Math.floor(objects.value(row, 'firstY') / grid.tileSizePx),
  }))
  const window = { ...measured, starts: Uint32Array.from([...rows, rows.length]) }
  const record = Buffer.concat(encodeTiles(tiles, TileObjects.split(window), null))
  return { objects: measured.count, of: [...ranks], record: deflateRawSync(record).toString('base64') }
}

/** As they were read: the same objects are read once. */
const read = new WeakMap<MadeObjects, { grid: Grid; objects: PackedObjects }>()

/** Throws where they cannot be of a run with this grid. */
export function objectsOf(made: MadeObjects, grid: Grid): PackedObjects {
  const known = read.get(made)
  if (known?.grid === grid) return known.objects
  const inflated = inflateRawSync(Buffer.from(made.record, 'base64'), { maxOutputLength: mostBytes })
  // Aligned, as a record's columns are.
  const objects = new PackedObjects(made.objects)
  for (const tile of decodeTiles(new Uint8Array(inflated), grid).objects)
    objects.addRows(tile.packed, tile.start, tile.start + tile.count)
  if (objects.count !== made.objects) throw new Error(`a record of ${made.objects} made objects holds ${objects.count}`)
  objects.trim()
  read.set(made, { grid, objects })
  return objects
}

/** What bounds cells in a rectangle: the run's objects that stay, and what else the step makes. */
function neighboursOf(run: Run, replacements: readonly Replacement[]): Neighbours['within'] {
  const { ids } = run.objects.all()
  const gone = new Set(replacements.flatMap(({ ranks }) => ranks.map((rank) => ids[rank])))
  const made = replacements.flatMap(({ parts }) => parts.map((runs) => ({ runs, box: boxOf(runs) })))
  return (rect, own) => [
    ...runsOf(run.objects.inRect(rect).filter(({ id }) => !gone.has(id))),
    ...made.flatMap(({ runs, box }) => (meet(rect, box) && !own.includes(runs) ? [runs] : [])),
  ]
}

const meet = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Of all objects side by side, and where those of each begin. */
function joined(objects: readonly Runs[]): [runs: Int32Array, offsets: Int32Array] {
  const offsets = new Int32Array(objects.length + 1)
  objects.forEach((runs, i) => (offsets[i + 1] = offsets[i]! + runs.length / 3))
  const all = new Int32Array(offsets[objects.length]! * 3)
  objects.forEach((runs, i) => all.set(runs, offsets[i]! * 3))
  return [all, offsets]
}

interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** With so much more on all sides, and a px, as far as the image goes. */
function around({ x, y, width, height }: Rect, more: number, image: Grid): Rect {
  const margin = Math.ceil(more) + 1
  const [x0, y0] = [Math.max(0, x - margin), Math.max(0, y - margin)]
  const [x1, y1] = [Math.min(image.widthPx, x + width + margin), Math.min(image.heightPx, y + height + margin)]
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
}

function boxOf(runs: Runs): Rect {
  let [x0, x1] = [Infinity, -Infinity]
  let [y0, y1] = [Infinity, -Infinity]
  for (let r = 0; r < runs.length; r += 3) {
    y0 = Math.min(y0, runs[r]!)
    y1 = Math.max(y1, runs[r]! + 1)
    x0 = Math.min(x0, runs[r + 1]!)
    x1 = Math.max(x1, runs[r + 2]!)
  }
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
}
