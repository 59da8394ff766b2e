// Which regions of interest hold each object of a run, by the rule that measures follow: for files that name them.
import { isArea, numberingRegions, regionTitle } from '../../../app/contract'
import type { RegionClass, RegionOfInterest, Shape } from '../../../app/contract'
import { goingOver } from '../../base/breather'
import { boxOf } from '../../base/shapes'
import type { Box } from '../../base/shapes'
import type { Run } from '../../run/run'
import { Holders, scaled } from '../../base/planar/holders'

/**
 * `at`: by id, of each object which of `names`, the titles of the areas that hold it, and of `holders`, their places among `areas`. The first
 * has none. Boxes are level-0 px.
 */
export interface RegionGroups {
  readonly names: readonly (readonly string[])[]
  readonly holders: readonly (readonly number[])[]
  readonly areas: readonly { readonly title: string; readonly box: Box; readonly shape: Shape }[]
  readonly at: Uint32Array
}

/**
 * In steps of a region, or of some objects; null: there is no area among them. Cost: one look at each object, and at the regions near it.
 */
export function* regionGroups(
  run: Run,
  regions: readonly RegionOfInterest[],
  classes: readonly RegionClass[],
): Generator<void, RegionGroups | null, void> {
  const areas: RegionGroups['areas'][number][] = []
  const held = new Holders<number>()
  yield* numberingRegions(regions)
  for (const region of regions) {
    const { shape } = region
    if (isArea(shape)) {
      held.add(shape, areas.length)
      areas.push({ title: regionTitle(region, regions, classes), shape, box: boxOf(shape) })
    }
    yield
  }
  if (areas.length === 0) return null
  yield* held.built()
  const { scale } = run.draft.grid
  const at = new Uint32Array(run.objects.endOfIds)
  const holders: number[][] = [[]]
  const groups = new Map<string, number>([['', 0]])
  const visiting = run.objects.centroids((x, y, _batch, _row, id) => {
    let key = ''
    held.at(x * scale, y * scale, (place) => {
      key += `${place} `
    })
    if (key === '') return
    let group = groups.get(key)
    if (group === undefined) {
      groups.set(key, (group = holders.push(key.trim().split(' ').map(Number)) - 1))
    }
    at[id] = group
  })
  for (const box of visiting) {
    held.narrow(scaled(box, scale))
    yield
  }
  const names: string[][] = []
  yield* goingOver(holders, (each) => names.push(each.map((i) => areas[i]!.title)))
  return { names, holders, areas, at }
}
