// A project's regions by their class: tumour against stroma, on each slide and over all of them. Pure.
import { cutCells, densitiesOf, hScoreOf, positiveShareOf } from '../../../app/contract'
import type { SummaryGroup, SummaryRow } from '../../../app/contract'
import { csvOf, scoreCells } from './summaryRows'

/**
 * Sums over the regions that have objects: areas, objects and classes are added, densities and shares are those of the sums. What regions of a
 * class share counts once. Results of different recipes, or values, are never added: they are groups of their own. Over all slides first, where there are several, then slide by slide.
 */
export function groupsOf(rows: readonly SummaryRow[]): SummaryGroup[] {
  const regions = rows.filter(({ region, objects }) => region !== null && objects !== null)
  const over = (slide: string | null, of: readonly SummaryRow[]): SummaryGroup[] => {
    const byKey = new Map<string, SummaryRow[]>()
    for (const row of of) {
      const key = JSON.stringify([row.class, row.recipe, row.values])
      byKey.set(key, [...(byKey.get(key) ?? []), row])
    }
    return [...byKey.values()].map((own) => groupOf(slide, own)).sort(inOrder)
  }
  const slides = [...new Set(regions.map(({ slide }) => slide))]
  return [
    ...(slides.length > 1 ? over(null, regions) : []),
    ...slides.flatMap((slide) =>
      over(
        slide,
        regions.filter((row) => row.slide === slide),
      ),
    ),
  ]
}

/** By name, those without a class last. */
const inOrder = (a: SummaryGroup, b: SummaryGroup): number =>
  Number(a.class === '') - Number(b.class === '') || a.class.localeCompare(b.class, 'en') || (a.values! < b.values! ? -1 : 1)

function groupOf(slide: string | null, rows: readonly SummaryRow[]): SummaryGroup {
  const { class: className, recipe, values } = rows[0]!
  const counted = rows.map((row): SummaryRow => ({ ...row, ...row.once }))
  const objects = objectsOf(counted)
  const mm2 = sumOf(counted, 'analysedMm2')
  const tissueMm2 = sumOf(counted, 'tissueMm2')
  const classes = sumOfClasses(counted)
  const all = sumOf(rows, 'analysedMm2')
  // Of one recipe with one set of values they are one.
  const { cuts } = rows[0]!
  return {
    ...{ slide, class: className, recipe, values },
    ...{ slides: new Set(rows.map((row) => row.slide)).size, regions: rows.length },
    ...{ analysedMm2: mm2, tissueMm2, objects, ...densitiesOf(objects, { mm2, tissueMm2 }) },
    positiveShare: classes && positiveShareOf(classes),
    hScore: classes && hScoreOf(classes, cuts),
    ...(classes && { classes, ...(cuts && { cuts }) }),
    ...(rows.some(({ once }) => once) && {
      shared: {
        mm2: all === null || mm2 === null ? null : Number((all - mm2).toPrecision(12)),
        objects: objectsOf(rows) - objects,
      },
    }),
    ...(rows.some(({ state }) => state === 'partial') && { partial: true as const }),
  }
}

const objectsOf = (rows: readonly SummaryRow[]): number => rows.reduce((sum, row) => sum + (row.objects ?? 0), 0)

/** One that is not known makes the sum unknown. */
const sumOf = (rows: readonly SummaryRow[], key: 'analysedMm2' | 'tissueMm2'): number | null =>
  rows.reduce<number | null>((sum, { [key]: mm2 }) => (sum === null || mm2 === null ? null : sum + mm2), 0)

function sumOfClasses(rows: readonly SummaryRow[]): NonNullable<SummaryRow['classes']> | null {
  const sums = new Map<string, { id: string; label: string; objects: number }>()
  for (const { classes } of rows) {
    if (!classes) return null
    for (const { id, label, objects } of classes) sums.set(id, { id, label, objects: (sums.get(id)?.objects ?? 0) + objects })
  }
  return [...sums.values()]
}

const header =
  'slide,class,recipe,values,slides,regions,analysed_mm2,tissue_mm2,objects,objects_per_mm2_area,objects_per_mm2_tissue,positive_share,h_score,state,class_measurement,class_cutoffs,shared_mm2,shared_objects,positive_share_low,positive_share_high,allred'.split(
    ',',
  )

/** Over all slides the first column says so. */
export const csvOfGroups = (groups: readonly SummaryGroup[]): string =>
  csvOf([
    header,
    ...groups.map(({ slide, slides, regions, objects, ...group }) =>
      [
        ...[
          slide ?? 'all slides',
          group.class,
          group.recipe,
          group.values,
          slides,
          regions,
          group.analysedMm2,
          group.tissueMm2,
          objects,
        ],
        ...[group.perMm2, group.perMm2Tissue, group.positiveShare, group.hScore, group.partial ? 'partial' : 'done'],
        ...(group.cuts ? cutCells(group.cuts) : ['', '']),
        ...[group.shared?.mm2 ?? '', group.shared?.objects ?? ''],
        ...scoreCells(group),
      ].map((each) => String(each ?? '')),
    ),
  ])
