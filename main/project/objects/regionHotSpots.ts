// Finds the hot spot of each of many regions: of the objects alone that the region holds.
import { isArea } from '../../../app/contract'
import type { HotSpotField, RegionShape, Shape, SummaryRow } from '../../../app/contract'
import { noClass } from '../../../native/index'
import { breather, inSteps } from '../../base/breather'
import { Holders, scaled } from '../../base/planar/holders'
import type { Run } from '../../run/run'
import { classCounts } from '../regions/measure'
import { squaresOn } from './hotSpot'
import { HotSquares } from './hotSquares'
import type { Square } from './hotSquares'

/** The circle, with what lies both in it and in the region. */
export type RegionHotSpot = NonNullable<SummaryRow['hotSpot']>

/** `objects`: how many of the run it holds; null: none, or another run counts there. */
interface CountedRegion {
  readonly shape: RegionShape
  readonly objects: number | null
}

/**
 * As findHotSpot, for each of `regions` by its own objects: a circle may reach beyond it, and what lies there does not count. null: it has none.
 * Cost: two looks at each object and at the areas near it, then at the 69 squares around each that holds some. Throws CancelledError.
 */
export async function regionHotSpots(
  run: Run,
  regions: readonly CountedRegion[],
  field: HotSpotField,
  signal?: AbortSignal,
): Promise<(RegionHotSpot | null)[]> {
  // No circle has more objects than its region.
  const areas = regions.map(({ shape, objects }) => (isArea(shape) && (objects ?? 0) >= field.leastObjects ? shape : null))
  const on = run.over && areas.some((area) => area) ? squaresOn(run, field) : null
  if (!on) return areas.map(() => null)
  const { scale } = run.draft.grid
  const breathe = breather(signal)
  const within = await holding(areas)
  const squares = areas.map(() => new HotSquares())
  await visiting(within, (x, y, batch, row, id) => {
    const sign = on.signOf(batch, row, id)
    if (sign !== null) within.at(x * scale, y * scale, (i) => squares[i]!.add(on.column(x), on.row(y), sign))
  })
  const best: (Square | null)[] = []
  for (const each of squares) best.push(await inSteps(each.best(field.leastObjects), breathe))
  const circles = best.map((square) => square && on.circle(square))
  const counts = areas.map(() => ({ objects: 0, byClass: [] as number[] }))
  const around = await holding(circles)
  const held: number[] = []
  await visiting(around, (x, y, batch, row, id) => {
    held.length = 0
    around.at(x * scale, y * scale, (i) => held.push(i))
    if (held.length === 0) return
    within.at(x * scale, y * scale, (i) => {
      if (!held.includes(i)) return
      const [count, at] = [counts[i]!, on.classOf(batch, row, id)]
      count.objects += 1
      if (at !== noClass) count.byClass[at] = (count.byClass[at] ?? 0) + 1
    })
  })
  return circles.map((circle, i) => {
    if (!circle) return null
    const { objects, byClass } = counts[i]!
    const classes = (classCounts(run, byClass).classes ?? []).map((each) => ({
      id: each.id,
      label: each.label,
      objects: each.objects,
    }))
    return { ...field, x: circle.x + circle.width / 2, y: circle.y + circle.height / 2, objects, classes }
  })

  async function holding(shapes: readonly (Shape | null)[]): Promise<Holders<number>> {
    const holders = new Holders<number>()
    for (const [i, shape] of shapes.entries()) if (shape) holders.add(shape, i)
    await inSteps(holders.built(), breathe)
    return holders
  }

  async function visiting(holders: Holders<number>, visit: Parameters<Run['objects']['centroids']>[0]): Promise<void> {
    await inSteps(run.objects.centroids(visit), breathe, (box) => {
      holders.narrow(scaled(box, scale))
      if (holders !== within) within.narrow(scaled(box, scale))
    })
  }
}
