// What a region's row says: its size, its figures, and which result they come from. Pure.
import { type RegionMeasure, type RegionOfInterest, type RunStatus } from '../../../app/contract'
import { formatLength } from '../../arithmetic/brushShape'
import { formatArea } from '../../arithmetic/format'
import { words } from '../../words'
import { chosenRun, fullRuns, type RunState } from '../slices/runSlice'
import { shareWords } from './shareWords'

/** "IHC nuclei"; '' before the engine has told. */
const recipeOf = (runs: RunState, { runId }: RunStatus): string => runs.recipeById[runId] ?? ''

/** The result that figures of regions follow: the chosen one, else the newest. */
const leadOf = (runs: RunState): RunStatus | null => chosenRun(runs) ?? fullRuns(runs).at(-1) ?? null

/** Of a core its case stands first, and one that is missing has no figures. */
export const withCore = ({ core }: RegionOfInterest, figures: string): string =>
  core ? [core.label, core.missing ? words.cores.missing : figures].filter(Boolean).join(' · ') : figures

/** A region whose run is not the chosen one names it; one that has none says so where others have. */
export function figuresOfRegion(measure: RegionMeasure | undefined, runs: RunState): string {
  if (!measure) return ''
  const { areaPx, areaMm2, analysedMm2, partial, objects, points, lengthPx, lengthUm, runId } = measure
  if (points !== undefined) return words.counts.points(points)
  if (lengthPx !== undefined) return formatLength(lengthUm ?? null, lengthPx)
  if (areaPx === 0) return words.regionFigures.beyondSlide
  const area = formatArea(areaMm2, areaPx / 1e6)
  const lead = leadOf(runs)
  if (objects === null) {
    const recipe = lead && recipeOf(runs, lead)
    return recipe ? words.regionFigures.notRun(area, recipe, lead.name) : area
  }
  const run = runId === null || runId === lead?.runId ? undefined : runs.byId[runId]
  return words.regionFigures.row({
    area,
    objects,
    share: shareWords(measure.classes ?? [], objects, measure.cuts),
    perMm2: analysedMm2 ? objects / analysedMm2 : null,
    partial: partial === true,
    run: run?.name,
  })
}

/** Which result a region's figures come from, in a sentence; '': they come from none. */
export function sourceOfRegion(measure: RegionMeasure | undefined, runs: RunState): string {
  const run = measure?.runId ? runs.byId[measure.runId] : undefined
  if (!run) return ''
  const recipe = recipeOf(runs, run)
  return words.regionFigures.source(run.name, recipe)
}

/** Which result all of the list follows, in a sentence; '': there is none. */
export function ruleOfRegions(runs: RunState): string {
  const lead = leadOf(runs)
  if (!lead) return ''
  const recipe = recipeOf(runs, lead)
  return words.regionFigures.rule(lead.name, recipe)
}
