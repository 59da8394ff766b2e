// Objects that people make, as the document holds them: measured by the engine, packed as a journal's record, and read back without trust.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { MadeObjects } from '../../../app/contract'
import { measureRuns, planOf, tokenOf } from '../../../native/index'
import { decodeTiles, encodeTiles } from '../../run/journal/journalTiles'
import { PackedObjects } from '../../run/objects/packedObjects'
import { requireOwnChannel } from '../../run/analysis/channel'
import type { Grid } from '../../run/plan/plan'
import type { Run } from '../../run/run'
import { TileObjects } from '../../run/objects/tileObjects'
import type { Runs } from './pixels'

/** Of a record, once it is inflated. */
const mostBytes = 2 ** 28

/** Reads the slide around them, and measures what lies under them as the run measures its own. `of`: the ranks that they are made of. */
export async function madeOf(
  run: Run,
  parts: readonly Runs[],
  of: readonly number[],
  signal?: AbortSignal,
): Promise<MadeObjects> {
  requireOwnChannel(run.order)
  const { grid, slide, spec } = run.draft
  const runOffsets = new Int32Array(parts.length + 1)
  parts.forEach((runs, i) => (runOffsets[i + 1] = runOffsets[i]! + runs.length / 3))
  const runs = new Int32Array(runOffsets[parts.length]! * 3)
  parts.forEach((own, i) => runs.set(own, runOffsets[i]! * 3))
  const box = boxOf(runs)
  const measured = await measureRuns(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      ...{ x: box.x, y: box.y, fieldWidth: box.width, fieldHeight: box.height },
      plan: planOf(spec.pipeline, run.resolved),
      runs,
      runOffsets,
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
  return { objects: measured.count, of: [...of], record: deflateRawSync(record).toString('base64') }
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

function boxOf(runs: Runs): { x: number; y: number; width: number; height: number } {
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
