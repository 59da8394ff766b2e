// Click to segment: the object under a point, computed as a run would, from the tile under the point and at most one more.
import { performance } from 'node:perf_hooks'
import type { ObjectDetails } from '../../../app/contract'
import type { Analysis, Draft } from '../analysis/analysis'
import { lookedAt } from '../analysis/previewReach'
import type { Overviews } from '../analysis/overviews'
import { objectDetails, placeOf } from './objectDetails'
import type { RunObject } from '../objects/result'
import type { TileResults } from '../tiles/tileResults'

interface Tools {
  readonly overviews: Overviews
  readonly tiles: TileResults
}
/** A point in analysed px, and what a run would find there; a point off the slide has no object. */
export interface Found {
  readonly analysis: Analysis
  readonly object: RunObject | null
  readonly px: number
  readonly py: number
}

/** `x`, `y` in level-0 px. */
export async function foundAt(
  draft: Draft,
  { x, y }: { x: number; y: number },
  threads: number,
  { overviews, tiles }: Tools,
  signal?: AbortSignal,
): Promise<Found> {
  const { scale, widthPx, heightPx } = draft.grid
  const [px, py] = [Math.floor(x / scale), Math.floor(y / scale)]
  const analysis = await lookedAt(overviews, draft, threads, signal)
  const off = px < 0 || py < 0 || px >= widthPx || py >= heightPx
  return { analysis, object: off ? null : await objectUnder(analysis, px, py, threads, tiles, signal), px, py }
}

export async function segmentAt(
  draft: Draft,
  point: { x: number; y: number },
  threads: number,
  tools: Tools,
  signal?: AbortSignal,
): Promise<{ object: ObjectDetails | null; elapsedMs: number }> {
  const started = performance.now()
  const { object } = await foundAt(draft, point, threads, tools, signal)
  // A click has no run whose objects could be counted: its object is number 1.
  return { object: object && (await objectDetails(object, 1, placeOf(draft))), elapsedMs: performance.now() - started }
}

/** `x`, `y` in analysed px, on the slide. */
async function objectUnder(
  analysis: Analysis,
  x: number,
  y: number,
  threads: number,
  tiles: TileResults,
  signal?: AbortSignal,
): Promise<RunObject | null> {
  const t = analysis.grid.tileSizePx
  const how = { wanted: 'overlapping', threads } as const
  const here = await tiles.look(analysis, { x: Math.floor(x / t), y: Math.floor(y / t) }, how, signal)
  const own = here.owned.rowAt(x, y)
  if (own >= 0) return here.owned.object(own)
  const overlapping = here.overlapping
  const other = overlapping?.rowAt(x, y) ?? -1
  if (!overlapping || other < 0) return null
  // The tile that owns the object saw all of it; this one may have seen a part.
  const home = { x: Math.floor(overlapping.value(other, 'firstX') / t), y: Math.floor(overlapping.value(other, 'firstY') / t) }
  const owner = await tiles.look(analysis, home, how, signal)
  const row = owner.owned.rowAt(x, y)
  return row >= 0 ? owner.owned.object(row) : overlapping.object(other)
}
