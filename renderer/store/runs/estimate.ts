// How much a run is, and how long it would take here, as the engine measured it, in words that promise no more than is known.
import type { Region, RunEstimate } from '../../../app/contract'
import { api } from '../../api'
import { formatDuration } from '../../arithmetic/format'
import { words } from '../../words'
import { runDevice } from './deviceActions'
import { currentSpec, recipeOf, valuesOf } from '../slices/recipeSlice'
import { analysisScale, megapixels } from '../slices/slideSlice'
import { getState } from '../store'

export function analysedMegapixels(region: Region): number {
  const { slide, recipe } = getState()
  const spec = currentSpec(recipe)
  return slide.info && spec ? megapixels(region, analysisScale(slide.info, spec, valuesOf(recipe))) : 0
}

/** As people round: no seconds in hours, no odd seconds in minutes. */
export function roundDuration(ms: number): number {
  const steps = [1000, 5000, 60_000, 300_000] as const
  const step = ms < 20_000 ? steps[0] : ms < 600_000 ? steps[1] : ms < 7_200_000 ? steps[2] : steps[3]
  return Math.max(1000, Math.round(ms / step) * step)
}

export function estimateWords({ ms, basis }: Pick<RunEstimate, 'ms' | 'basis'>): string {
  if (ms === null) return words.longRun.notBeforeFirst
  return words.longRun.about(formatDuration(roundDuration(ms)).replace('.0 ', ' '), words.longRun.basis[basis])
}

export function memoryWords({ needBytes, budgetBytes }: RunEstimate['memory']): string {
  const gigabytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1)
  return words.longRun.memoryNeed(gigabytes(needBytes), gigabytes(budgetBytes), needBytes > budgetBytes)
}

/** null: the engine cannot say, and a run would say why. */
export async function askEstimate(region: Region | 'whole', signal: AbortSignal): Promise<RunEstimate | null> {
  const { slide, recipe: state } = getState()
  const recipe = recipeOf(state)
  if (!slide.info || !recipe) return null
  const result = await api().call('run:estimate', { slideId: slide.info.slideId, region, recipe, device: runDevice() }, signal)
  return result.ok ? result.value : null
}
