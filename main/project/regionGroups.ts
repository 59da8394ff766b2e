// Which regions of interest hold each object of a run, by the rule that measures follow: for files that name them.
import { isArea, regionTitle } from '../../app/contract'
import type { RegionClass, RegionOfInterest, Shape } from '../../app/contract'
import { finished } from '../base/breather'
import { boxOf, holderOf } from '../base/shapes'
import type { Box } from '../base/shapes'
import type { Run } from '../run/run'

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

/** null: there is no area among them. O(objects · regions whose boxes hold them). */
export function regionGroups(
  run: Run,
  regions: readonly RegionOfInterest[],
  classes: readonly RegionClass[],
): RegionGroups | null {
  const areas = regions.flatMap((region) =>
    isArea(region.shape)
      ? [
          {
            ...boxOf(region.shape),
            shape: region.shape,
            holds: holderOf(region.shape),
            title: regionTitle(region, regions, classes),
          },
        ]
      : [],
  )
  if (areas.length === 0) return null
  const { scale } = run.draft.grid
  const at = new Uint32Array(run.objects.endOfIds)
  const holders: number[][] = [[]]
  const groups = new Map<string, number>([['', 0]])
  const visiting = run.objects.centroids((x, y, _batch, _row, id) => {
    const [px, py] = [x * scale, y * scale]
    let key = ''
    for (let i = 0; i < areas.length; i++) {
      const { minX, minY, maxX, maxY, holds } = areas[i]!
      if (px >= minX && px < maxX && py >= minY && py < maxY && holds(px, py)) key += `${i} `
    }
    if (key === '') return
    let group = groups.get(key)
    if (group === undefined) {
      groups.set(key, (group = holders.push(key.trim().split(' ').map(Number)) - 1))
    }
    at[id] = group
  })
  finished(visiting)
  return {
    names: holders.map((each) => each.map((i) => areas[i]!.title)),
    holders,
    areas: areas.map(({ title, shape, minX, minY, maxX, maxY }) => ({ title, shape, box: { minX, minY, maxX, maxY } })),
    at,
  }
}
