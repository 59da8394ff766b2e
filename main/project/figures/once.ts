// Regions of one class that overlap: what each has that none before it has, so that sums over the class count every place and object once.
import { isArea } from '../../../app/contract'
import type { DocumentSlide, RegionOfInterest, SummaryRow } from '../../../app/contract'
import { TooTangled } from '../../base/planar/noded'
import { withoutEarlier } from '../../base/planar/once'
import type { Run } from '../../run/run'
import { measureRegions } from '../regions/measure'

/** A region of a slide with its row, and the run that its figures come from. */
export interface Counted {
  readonly region: RegionOfInterest
  readonly row: SummaryRow
  readonly run: Run | null
}

/** The rows, with `once` where a region shares something with one before it in its group. `told` hears of what could not be worked out. */
export function withOnce(regions: readonly Counted[], slide: DocumentSlide, told: (note: string) => void): SummaryRow[] {
  const groups = new Map<string, Counted[]>()
  for (const each of regions) {
    const { region, row, run } = each
    if (!run || row.objects === null || !isArea(region.shape)) continue
    const key = JSON.stringify([row.class, row.recipe, row.values])
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  const once = new Map<SummaryRow, NonNullable<SummaryRow['once']>>()
  for (const group of groups.values())
    try {
      const shapes = group.map(({ region }) => (isArea(region.shape) ? region.shape : never()))
      withoutEarlier(shapes).forEach((rest, i) => {
        const { region, row, run } = group[i]!
        if (rest === shapes[i]) return
        const [own] = rest ? measureRegions([{ ...region, shape: rest }], slide, { lead: run, whole: null, of: () => run }) : []
        once.set(row, {
          analysedMm2: row.analysedMm2 === null ? null : (own?.analysedMm2 ?? 0),
          tissueMm2: row.tissueMm2 === null ? null : (own?.tissueMm2 ?? 0),
          objects: own?.objects ?? 0,
          ...(row.classes && {
            classes: row.classes.map((each) => ({
              ...each,
              objects: own?.classes?.find(({ id }) => id === each.id)?.objects ?? 0,
            })),
          }),
        })
      })
    } catch (cause) {
      if (!(cause instanceof TooTangled)) throw cause
      const { class: name, slide: shown } = group[0]!.row
      told(
        `Regions of ${name === '' ? 'no class' : name} on ${shown} may overlap, in lines too tangled to work out: sums over the class count what they share several times.`,
      )
    }
  return regions.map(({ row }) => {
    const own = once.get(row)
    return own ? { ...row, once: own } : row
  })
}

function never(): never {
  throw new Error('only areas are in a group')
}
