// The summary of a project as cells of text. Pure.
import { positiveShareOf } from '../../../app/contract'
import type { SummaryGroup, SummaryRow } from '../../../app/contract'
import { formatLength } from '../../arithmetic/brushShape'
import { formatArea, formatCount, formatPercent } from '../../arithmetic/format'
import { words } from '../../words'
import { recipeNamed, said, titled } from '../../words/named'
import { runNamed } from '../../words/runNames'

export const summaryHeader = [
  words.names.slide,
  words.names.region,
  words.names.class,
  words.summary.case,
  words.summary.state,
  words.names.area,
  words.names.tissue,
  words.names.objects,
  words.points.title,
  words.summary.length,
  words.names.perMm2OfArea,
  words.names.perMm2OfTissue,
  words.names.positive,
  words.hotSpot.title,
  words.names.hScore,
  words.names.cutOffs,
]
/** Columns from this one on are numbers. */
export const firstFigure = 5
/** Empty where no region is a core. */
const caseColumn = 3

const unknown = '–'
const known = (value: number | null, said: (value: number) => string): string => (value === null ? unknown : said(value))

export function summaryCells(row: SummaryRow): string[] {
  const { slide, region, areaPx, areaMm2, tissueMm2, objects, points, lengthPx, lengthUm, positiveShare, hScore } = row
  return [
    slide,
    region ?? '',
    row.class,
    row.core?.label ?? '',
    row.unfit === undefined ? stateWords(row) : words.summary.stateAndWhy(stateWords(row), titled(row.unfit)),
    points === undefined && lengthPx === undefined ? formatArea(areaMm2, areaPx / 1e6) : unknown,
    known(tissueMm2, (mm2) => formatArea(mm2, 0)),
    known(objects, formatCount),
    known(points ?? null, formatCount),
    lengthPx === undefined ? unknown : formatLength(lengthUm ?? null, lengthPx),
    known(row.perMm2, formatCount),
    known(row.perMm2Tissue, formatCount),
    known(positiveShare, formatPercent),
    known(hotSpotShare(row), (share) => words.summary.hotSpot(share, row.hotSpot!.objects)),
    known(hScore, (score) => score.toFixed(0)),
    row.cuts ? words.shares.cuts(row.cuts) : unknown,
  ]
}

/** Which columns say something of any of the rows: so many of them fit into no window. */
export const columnsOf = (rows: readonly (readonly string[])[]): number[] =>
  [...summaryHeader.keys()].filter((at) => {
    if (at === caseColumn) return rows.some((cells) => cells[at] !== '')
    return at < firstFigure || rows.some((cells) => cells[at] !== unknown)
  })

const hotSpotShare = ({ hotSpot }: SummaryRow): number | null => (hotSpot ? positiveShareOf(hotSpot.classes) : null)

export const groupHeader = [
  words.names.slide,
  words.names.class,
  words.names.recipe,
  words.names.regions,
  words.summary.analysed,
  words.names.objects,
  words.names.perMm2OfArea,
  words.names.perMm2OfTissue,
  words.names.positive,
  words.names.hScore,
]
/** Columns from this one on are numbers. */
export const firstGroupFigure = 3

export function groupCells(group: SummaryGroup): string[] {
  const { slide, slides, class: name, recipe, partial, regions, analysedMm2, objects, positiveShare, hScore } = group
  return [
    slide ?? words.summary.allSlides(slides),
    name === '' ? words.names.noClass : name,
    words.summary.recipe(recipeNamed(recipe ?? ''), partial),
    formatCount(regions),
    known(analysedMm2, (mm2) => formatArea(mm2, 0)),
    formatCount(objects),
    known(group.perMm2, formatCount),
    known(group.perMm2Tissue, formatCount),
    known(positiveShare, formatPercent),
    known(hScore, (score) => score.toFixed(0)),
  ]
}

const stateOf = (state: string): string => words.summary.states[state] ?? state

/** The recipe and the result that the figures come from, or why there are none. */
function stateWords({ state, recipe, result, why }: SummaryRow): string {
  if (state === 'failed') return words.cohort.failed(said(why ?? ''))
  if (recipe === null) return why === null ? stateOf(state) : words.summary.stateAndWhy(stateOf(state), said(why))
  const from = result === null ? recipeNamed(recipe) : words.summary.recipeAndResult(recipeNamed(recipe), runNamed(result))
  return state === 'partial' ? words.summary.partial(said(why ?? ''), from) : from
}

/** As a spreadsheet takes it from the clipboard: the CSV's own columns and plain numbers, with tabs. Text has no tabs or breaks. */
export function summaryTabs(rows: readonly SummaryRow[]): string {
  const plain = (value: string | number | null): string => String(value ?? '').replaceAll(/[\t\r\n]+/g, ' ')
  return [
    summaryHeader,
    ...rows.map((row) => {
      const { slide, region, class: name, state, areaMm2, tissueMm2, objects, points, lengthUm, perMm2, ...more } = row
      return [
        ...[
          slide,
          region,
          name,
          row.core?.label ?? '',
          stateOf(state),
          areaMm2,
          tissueMm2,
          objects,
          points ?? null,
          lengthUm ?? null,
        ],
        ...[
          perMm2,
          more.perMm2Tissue,
          more.positiveShare,
          hotSpotShare(row),
          more.hScore,
          more.cuts ? words.shares.cuts(more.cuts) : null,
        ],
      ].map(plain)
    }),
  ]
    .map((cells) => cells.join('\t'))
    .join('\n')
}

/** What regions of one class share, in words; null: none of the groups' regions overlap. */
export function sharedWords(groups: readonly SummaryGroup[]): string | null {
  // Over all slides it is said on each of them.
  const own = groups.filter(({ slide, shared }) => slide !== null && shared)
  if (own.length === 0) return null
  const places = own.map(({ slide, class: name, shared }) => words.summary.sharedBy(name, slide!, shared!.mm2, shared!.objects))
  return words.summary.shared(places.join(', '))
}
