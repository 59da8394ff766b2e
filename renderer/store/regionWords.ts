// What a region's row says: its size, its figures, and which result they come from. Pure.
import { noun, type RegionMeasure, type RunStatus } from '../../app/contract'
import { formatLength } from '../arithmetic/brushShape'
import { shareWords } from '../arithmetic/classShares'
import { formatArea, formatCount } from '../arithmetic/format'
import { keptRun, keptRuns, type RunState } from './runSlice'

/** "IHC nuclei"; '' before the engine has told. */
const recipeOf = (runs: RunState, { runId }: RunStatus): string => runs.recipeById[runId] ?? ''

/** The result that figures of regions follow: the chosen one, else the newest. */
const leadOf = (runs: RunState): RunStatus | null => keptRun(runs) ?? keptRuns(runs).at(-1) ?? null

/** A region whose run is not the chosen one names it; one that has none says so where others have. */
export function figuresOfRegion(measure: RegionMeasure | undefined, runs: RunState): string {
  if (!measure) return ''
  const { areaPx, areaMm2, analysedMm2, partial, objects, points, lengthPx, lengthUm, runId } = measure
  if (points !== undefined) return `${formatCount(points)} ${noun(points, 'point')}`
  if (lengthPx !== undefined) return formatLength(lengthUm ?? null, lengthPx)
  if (areaPx === 0) return 'beyond the slide'
  const area = formatArea(areaMm2, areaPx / 1e6)
  const lead = leadOf(runs)
  if (objects === null) {
    const recipe = lead && recipeOf(runs, lead)
    return recipe ? `${area} · not run with ${recipe} as in ${lead.name}` : area
  }
  const share = shareWords(measure.classes ?? [], objects, measure.cuts)
  const density = analysedMm2 ? ` · ${formatCount(objects / analysedMm2)}/mm² of area` : ''
  const lacks = partial ? ' · a part is missing' : ''
  const run = runId === null || runId === lead?.runId ? undefined : runs.byId[runId]
  const from = run ? ` · ${run.name}` : ''
  return `${area} · ${formatCount(objects)} ${noun(objects, 'object')}${share && ` · ${share}`}${density}${lacks}${from}`
}

/** Which result a region's figures come from, in a sentence; '': they come from none. */
export function sourceOfRegion(measure: RegionMeasure | undefined, runs: RunState): string {
  const run = measure?.runId ? runs.byId[measure.runId] : undefined
  if (!run) return ''
  const recipe = recipeOf(runs, run)
  return `Counted in the result ${run.name}${recipe && ` (${recipe})`}.`
}

/** Which result all of the list follows, in a sentence; '': there is none. */
export function ruleOfRegions(runs: RunState): string {
  const lead = leadOf(runs)
  if (!lead) return ''
  const recipe = recipeOf(runs, lead)
  return `Figures follow ${lead.name}${recipe && ` (${recipe})`}, and elsewhere the newest result with the same recipe and values.`
}
