// Click to segment: the object under a point, computed as a run would, from the tile under the point and at most one more.
import { performance } from 'node:perf_hooks'
import type { ObjectDetails } from '../../app/contract'
import type { Analysis, Draft } from './analysis'
import { meanwhile } from './meanwhile'
import type { Overviews } from './overviews'
import { objectDetails, placeOf } from './objectDetails'
import type { RunObject } from './result'
import type { TileResults } from './tileResults'

/** `x`, `y` in level-0 px. A point off the slide has no object. */
export async function segmentAt(
  draft: Draft,
  point: { x: number; y: number },
  threads: number,
  tools: { overviews: Overviews; tiles: TileResults },
  signal?: AbortSignal,
): Promise<{ object: ObjectDetails | null; elapsedMs: number }> {
  const started = performance.now()
  const { grid } = draft
  const x = Math.floor(point.x / grid.scale)
  const y = Math.floor(point.y / grid.scale)
  let object: ObjectDetails | null = null
  if (x >= 0 && y >= 0 && x < grid.widthPx && y < grid.heightPx) {
    const analysis = meanwhile(await tools.overviews.complete(draft, threads, signal), threads)
    const found = await objectUnder(analysis, x, y, threads, tools.tiles, signal)
    // A click has no run whose objects could be counted: its object is number 1.
    if (found) object = await objectDetails(found, 1, placeOf(draft))
  }
  return { object, elapsedMs: performance.now() - started }
}

/** `x`, `y` in analysed px, on the slide. */
export async function objectUnder(
  analysis: Analysis,
  x: number,
  y: number,
  threads: number,
  tiles: TileResults,
  signal?: AbortSignal,
): Promise<RunObject | null> {
  const t = analysis.grid.tileSizePx
  const here = await tiles.look(analysis, { x: Math.floor(x / t), y: Math.floor(y / t) }, threads, signal)
  const own = here.owned.rowAt(x, y)
  if (own >= 0) return here.owned.object(own)
  const guests = here.guests
  const guest = guests?.rowAt(x, y) ?? -1
  if (!guests || guest < 0) return null
  // The tile that owns the object saw all of it; this one may have seen a part.
  const home = { x: Math.floor(guests.value(guest, 'firstX') / t), y: Math.floor(guests.value(guest, 'firstY') / t) }
  const owner = await tiles.look(analysis, home, threads, signal)
  const row = owner.owned.rowAt(x, y)
  return row >= 0 ? owner.owned.object(row) : guests.object(guest)
}
