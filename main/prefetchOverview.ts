// Takes the overview that the first click or preview will need, once the slide's first tiles are on their way.
import type { Parts } from './parts'
import { defaultRecipe } from './recipe/validate'
import { draftAnalysis } from './run/analysis/analysis'
import type { OpenSlide } from './slide/slides'

const delayMs = 400
/** Nobody has asked for it: of a slide that takes longer it is taken when somebody does. */
const mostMs = 20_000

export function prefetchOverview({ settings, specs, overviews }: Parts, slide: OpenSlide): void {
  const take = async (): Promise<void> => {
    const spec = await specs.get((await settings.get()).recipeSpec)
    await overviews.complete(draftAnalysis(slide, spec, defaultRecipe(spec)), 1, AbortSignal.timeout(mostMs))
  }
  // Whatever is wrong here, a slide that was closed meanwhile above all, is told by the call that needs the overview.
  setTimeout(() => void take().catch(() => undefined), delayMs).unref()
}
