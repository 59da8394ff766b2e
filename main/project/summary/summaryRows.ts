// A row of a project's summary: of all of a slide, or of a region, with the result that its figures come from. And the rows as a file. Pure.
import { createHash } from 'node:crypto'
import { allredOf, cutCells, densitiesOf, hScoreOf, positiveShareOf, shareIntervalOf, withCuts } from '../../../app/contract'
import type { CorePlace, HotSpot, ProjectSlide, RegionMeasure, RunStatus, SummaryRow } from '../../../app/contract'
import { csvText } from '../../base/csvText'
import type { Run } from '../../run/run'
import { lacksOf } from '../regions/regionResults'

/** The result that a row's figures come from, as the row names it. */
export function named(run: Run | null): Pick<SummaryRow, 'recipe' | 'values' | 'result'> {
  if (!run) return { recipe: null, values: null, result: null }
  const { recipe, spec } = run.draft
  const { name, rule } = run.status()
  // Cut-offs that the document says count as the recipe's own, where that can have them.
  const same = withCuts(recipe, spec, rule ?? null)
  const told = JSON.stringify([recipe.spec, sorted((same ?? recipe).params), same ? null : (rule ?? null)])
  return { recipe: spec.name, values: createHash('sha256').update(told).digest('hex').slice(0, 8), result: name }
}

/** The same whatever the order of its keys. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)])
}

/** Without their colours. */
const countsOf = (classes: NonNullable<SummaryRow['classes']>): NonNullable<SummaryRow['classes']> =>
  classes.map(({ id, label, objects }) => ({ id, label, objects }))

function shares({
  classes,
  cuts,
}: Pick<SummaryRow, 'classes' | 'cuts'>): Pick<SummaryRow, 'positiveShare' | 'hScore' | 'classes' | 'cuts'> {
  if (!classes) return { positiveShare: null, hScore: null }
  return {
    positiveShare: positiveShareOf(classes),
    hScore: hScoreOf(classes, cuts),
    classes: countsOf(classes),
    ...(cuts && { cuts }),
  }
}

export function hotSpotOf(spot: HotSpot | null): Pick<SummaryRow, 'hotSpot'> {
  if (spot === null || spot.shape.kind !== 'ellipse') return {}
  const { diameterUm, leastObjects, shape, measure } = spot
  const middle = { x: shape.x + shape.width / 2, y: shape.y + shape.height / 2 }
  const classes = countsOf(measure.classes ?? [])
  return { hotSpot: { diameterUm, leastObjects, ...middle, objects: measure.objects ?? 0, classes } }
}

const mm2Of = ({ mppX, mppY }: ProjectSlide, px: number): number | null => (mppX && mppY ? (px * mppX * mppY) / 1e6 : null)

/** `run`: whose objects were counted; null: no result of the slide's recipe is of all of it. */
export function slideRow(slide: ProjectSlide, run: Run | null, why: string | null): SummaryRow {
  const { name, widthPx, heightPx } = slide
  const areaPx = widthPx * heightPx
  const status: RunStatus | null = run?.status() ?? null
  const analysedMm2 = status ? mm2Of(slide, status.analysedPx ?? areaPx) : null
  const tissueMm2 = status?.tissue?.mm2 ?? null
  const lacks = status && lacksOf(status)
  const failed = slide.state === 'failed'
  return {
    ...{ slide: name, region: null, class: '' },
    state: failed || !status ? slide.state : lacks === null ? 'done' : 'partial',
    ...named(run),
    ...(failed && !run && { recipe: slide.recipeName }),
    ...{ areaPx, areaMm2: mm2Of(slide, areaPx), analysedMm2 },
    tissueMm2,
    objects: status?.objects ?? null,
    ...densitiesOf(status?.objects ?? null, { mm2: analysedMm2, tissueMm2 }),
    ...shares(status ?? {}),
    why: failed ? slide.why : (lacks ?? why),
  }
}

/** Of a slide whose file is not there: what the project says of it stands. */
export function awayRow(slide: ProjectSlide, tissueMm2: number | null): SummaryRow {
  const { name, state, recipeName, widthPx, heightPx, objects, perMm2, perMm2Tissue, why } = slide
  const areaPx = widthPx * heightPx
  return {
    ...{ slide: name, region: null, class: '', state, ...named(null), recipe: recipeName },
    ...{ areaPx, areaMm2: mm2Of(slide, areaPx), analysedMm2: null, tissueMm2, objects, perMm2, perMm2Tissue },
    ...{ ...shares({}), why },
  }
}

/** `run`: whose objects were counted. */
export function regionRow(
  { name: slide }: ProjectSlide,
  { title, className, core }: { readonly title: string; readonly className: string; readonly core: CorePlace | undefined },
  measure: RegionMeasure,
  run: Run | null,
): SummaryRow {
  const { areaPx, areaMm2, analysedMm2 = null, tissueMm2 = null, partial, objects, points, lengthPx, lengthUm } = measure
  const done = partial ? 'partial' : 'done'
  const isBeyond = areaPx === 0 && points === undefined && lengthPx === undefined
  return {
    ...{ slide, region: title, class: className, ...(core && { core }) },
    state: core?.missing
      ? 'missing'
      : points !== undefined
        ? 'counted'
        : lengthPx !== undefined
          ? 'measured'
          : objects === null
            ? 'not run'
            : done,
    ...named(run),
    ...{ areaPx, areaMm2, analysedMm2, tissueMm2, objects },
    ...(points === undefined ? {} : { points }),
    ...(lengthPx === undefined ? {} : { lengthPx, lengthUm: lengthUm ?? null }),
    ...densitiesOf(objects, { mm2: analysedMm2, tissueMm2 }),
    ...shares(measure),
    why: partial ? 'a part of it was not computed, or could not be read' : isBeyond ? 'it lies beyond the slide' : null,
  }
}

const csvHeader =
  'slide,region,class,state,recipe,area_px,area_mm2,tissue_mm2,objects,objects_per_mm2_area,objects_per_mm2_tissue,positive_share,h_score,why,points,length_um,length_px,result,values,analysed_mm2,class_measurement,class_cutoffs,stain_warning,positive_share_low,positive_share_high,allred,hot_spot_positive_share,hot_spot_share_low,hot_spot_share_high,hot_spot_objects,hot_spot_um,hot_spot_x_px,hot_spot_y_px,core_row,core_column,case_label'.split(
    ',',
  )
const csvCells = (row: SummaryRow): string[] => {
  const { slide, region, state, recipe, areaPx, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why } = row
  const hasArea = row.points === undefined && row.lengthPx === undefined
  const figures = [hasArea ? areaPx : null, areaMm2, tissueMm2, objects, perMm2, row.perMm2Tissue, positiveShare, hScore, why]
  const basis = row.cuts ? cutCells(row.cuts) : [null, null]
  const more = [row.points, row.lengthUm, row.lengthPx, row.result, row.values, row.analysedMm2, ...basis, row.unfit]
  return [
    slide,
    region,
    row.class,
    state,
    recipe,
    ...figures,
    ...more,
    ...scoreCells(row),
    ...hotSpotCells(row),
    ...placeCells(row),
  ].map((each) => String(each ?? ''))
}

/** The interval of the positive share, and the Allred score: of classes alone, so that whoever sums them has them too. */
export function scoreCells({ classes = [], cuts }: Pick<SummaryRow, 'classes' | 'cuts'>): (number | null)[] {
  const [low, high] = shareIntervalOf(classes) ?? [null, null]
  return [low, high, allredOf(classes, cuts)?.score ?? null]
}

/** Rows and columns from 1, from the slide's upper left. */
export const placeCells = ({ core }: Pick<SummaryRow, 'core'>): (string | number | null)[] =>
  core ? [core.row + 1, core.column + 1, core.label] : [null, null, null]

function hotSpotCells({ hotSpot }: SummaryRow): (number | null)[] {
  if (!hotSpot) return Array.from({ length: 7 }, () => null)
  const { classes, objects, diameterUm, x, y } = hotSpot
  return [positiveShareOf(classes), ...(shareIntervalOf(classes) ?? [null, null]), objects, diameterUm, x, y]
}

export const csvOfRows = (rows: readonly SummaryRow[]): string => csvOf([csvHeader, ...rows.map(csvCells)])

export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${cells.map(csvText).join(',')}\n`).join('')
