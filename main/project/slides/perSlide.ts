// How many regions each slide has: counted once for a content's regions, and carried on from those before by what was touched.
import { finished, goingOver } from '../../base/breather'
import type { Content, Placed, Written } from '../content'

type Regions = Content['regions']
type Counts = ReadonlyMap<string, number>
const counted = new WeakMap<Regions, Counts>()

/** By slide; a slide without any has none. O(regions) where nobody has counted them yet. */
export function regionCounts(regions: Regions): Counts {
  let counts = counted.get(regions)
  if (!counts) counted.set(regions, (counts = finished(count(regions.values()))))
  return counts
}

function* count(placed: Iterable<Placed>): Generator<void, Counts, void> {
  const counts = new Map<string, number>()
  yield* goingOver(placed, ({ region: { slide } }) => counts.set(slide, (counts.get(slide) ?? 0) + 1))
  return counts
}

/** A change of more is counted anew. */
const mostCarried = 1000

/** In small steps, for who asks next: those after a large change. Those after a small one are carried on. */
export function* countingRegions(regions: Regions, { put, deleted }: Written): Generator<void, void, void> {
  if (put.length + deleted.length > mostCarried && !counted.has(regions)) counted.set(regions, yield* count(regions.values()))
}

/** Counts those after a change from those before it. `touched`: the ids of all that differ. O(touched). */
export function carryCounts(before: Regions, after: Regions, touched: Iterable<string>): void {
  if (before === after || counted.has(after)) return
  const counts = new Map(regionCounts(before))
  const add = (placed: Placed | undefined, by: number): void => {
    if (!placed) return
    const { slide } = placed.region
    const now = (counts.get(slide) ?? 0) + by
    if (now === 0) counts.delete(slide)
    else counts.set(slide, now)
  }
  for (const id of new Set(touched)) {
    add(before.get(id), -1)
    add(after.get(id), 1)
  }
  counted.set(after, counts)
}
