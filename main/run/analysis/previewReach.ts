// What previews and clicks do where the whole slide's background would keep them waiting: they take what lies near, and say so.
import { haloPx } from '../../../native/index'
import type { Analysis, Draft } from './analysis'
import type { Overviews } from './overviews'

/** Whoever looks waits so long for what a run would wait for. */
export const patienceMs = 5000

/**
 * The analysis as it is where nobody has to wait for its ground, else with the reach that its recipe has for such times
 * (`previewValue` of a parameter): then its result is not a run's, its key says so, and so do its warnings.
 */
export function forPreview(analysis: Analysis, threads: number): Analysis {
  const { ground, spec, recipe, resolution } = analysis
  if (!ground || ground.estimateMs(threads) <= patienceMs) return analysis
  for (const stage of spec.stages) {
    for (const param of stage.params) {
      if (param.kind !== 'number' || param.previewValue === undefined || recipe.params[stage.id]?.[param.key] !== 0) continue
      const params = { ...analysis.params, [`${stage.id}.${param.key}`]: param.previewValue / resolution.nominalMpp }
      return {
        ...analysis,
        params,
        haloPx: Math.max(0, Math.ceil(haloPx(spec.pipeline, params))),
        ground: null,
        key: `${analysis.key}/preview`,
        warnings: [
          ...analysis.warnings,
          `The background reaches ${param.previewValue} µm in this preview; a run takes the whole slide’s, which this slide’s size makes a matter of ${Math.ceil(ground.estimateMs(threads) / 1000)} s.`,
        ],
      }
    }
  }
  return analysis
}

/** The analysis of a draft for who looks at it: previews do the same, so that a click, a reason and a histogram agree with them. */
export async function lookedAt(overviews: Overviews, draft: Draft, threads: number, signal?: AbortSignal): Promise<Analysis> {
  return forPreview(await overviews.complete(draft, threads, signal), threads)
}
