// How fast this machine runs a recipe: learnt from runs for keeps, so that the next one's time can be told before it starts.
import type { RunEstimate } from '../../app/contract'
import type { Draft } from './analysis'

interface Rate {
  pixels: number
  ms: number
}

/** A few blocks: less says more about the start of a run than about its pace. */
const telling = 4_000_000

export class Throughput {
  private readonly bySlide = new Map<string, Rate>()
  private readonly byRecipe = new Map<string, Rate>()

  /** What a run computed, reading included and without what it took from earlier ones, and how long that took. */
  add(draft: Draft, pixels: number, ms: number): void {
    if (pixels < telling || ms <= 0) return
    const recipe = recipeKey(draft)
    this.byRecipe.set(recipe, { pixels, ms })
    this.bySlide.set(slideKey(draft), { pixels, ms })
  }

  estimate(draft: Draft, pixels: number): RunEstimate {
    const own = this.bySlide.get(slideKey(draft))
    const rate = own ?? this.byRecipe.get(recipeKey(draft))
    return {
      ms: rate ? (pixels / rate.pixels) * rate.ms : null,
      megapixels: pixels / 1e6,
      basis: own ? 'measured' : rate ? 'sampled' : 'none',
    }
  }
}

const recipeKey = ({ spec, device }: Draft): string => `${spec.id}/${device}`
const slideKey = (draft: Draft): string => `${recipeKey(draft)}/${draft.grid.scale}/${draft.slide.info.path}`
