// A project's tissue microarrays as one table: a row a core, in the order of the array, with whose it is and what was counted in it. Pure.
import type { SummaryRow } from '../../../app/contract'
import { csvOf, placeCells, scoreCells } from './summaryRows'

type CoreRow = SummaryRow & { readonly core: NonNullable<SummaryRow['core']> }
const isCoreRow = (row: SummaryRow): row is CoreRow => row.core !== undefined

/** Slide by slide, row by row. */
export function coreRows(rows: readonly SummaryRow[]): CoreRow[] {
  const slides = [...new Set(rows.map(({ slide }) => slide))]
  return rows
    .filter(isCoreRow)
    .sort((a, b) => slides.indexOf(a.slide) - slides.indexOf(b.slide) || a.core.row - b.core.row || a.core.column - b.core.column)
}

export const coreTableHeader =
  'slide,core,case_label,row,column,state,area_mm2,tissue_mm2,objects,objects_per_mm2_area,objects_per_mm2_tissue,positive_share,positive_share_low,positive_share_high,h_score,allred,recipe,values'.split(
    ',',
  )

/** '' where there are none. */
export function csvOfCores(rows: readonly SummaryRow[]): string {
  const cores = coreRows(rows)
  if (cores.length === 0) return ''
  return csvOf([
    coreTableHeader,
    ...cores.map((row) => {
      const [at, column, label] = placeCells(row)
      const [low, high, allred] = scoreCells(row)
      return [
        ...[row.slide, row.region, label, at, column, row.state, row.areaMm2, row.tissueMm2, row.objects],
        ...[row.perMm2, row.perMm2Tissue, row.positiveShare, low, high, row.hScore, allred, row.recipe, row.values],
      ].map((each) => String(each ?? ''))
    }),
  ])
}
