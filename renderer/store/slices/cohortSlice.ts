// The project's slides as the page shows them: what the engine said last, which are chosen, and how a recipe over them goes.
import { unfitWords } from '../../../app/contract'
import type { CohortSlide, CohortState, ProjectSlide, RecipeSpec } from '../../../app/contract'
import { words } from '../../words'
import { recipeNamed, titled } from '../../words/named'

export interface CohortSlice {
  readonly slides: readonly ProjectSlide[]
  /** Keys; none: all are meant. */
  readonly chosen: readonly string[]
  /** The recipe that goes over them, or went; null: none. */
  readonly cohort: CohortState | null
  /** Files that are being put into the project: how many are over, and which one is read; null: none. */
  readonly adding: { readonly done: number; readonly total: number; readonly name: string } | null
  /** The next run over slides also runs those that were run with these values before. */
  readonly again: boolean
  /** It carries what was corrected on a slide's result before over to the new one. */
  readonly carry: boolean
}
export const noCohort: CohortSlice = { slides: [], chosen: [], cohort: null, adding: null, again: false, carry: false }

/** What is gone is not chosen any more, and what was run over another project's slides is no news. */
export function withSlides(state: CohortSlice, slides: readonly ProjectSlide[]): CohortSlice {
  const keys = new Set(slides.map(({ key }) => key))
  const { cohort } = state
  const isOurs = cohort !== null && (cohort.going || cohort.slides.some(({ key }) => keys.has(key)))
  return { ...state, slides, chosen: state.chosen.filter((key) => keys.has(key)), cohort: isOurs ? cohort : null }
}

/** These in the places of those that they are. */
export function mergedSlides(slides: readonly ProjectSlide[], put: readonly ProjectSlide[]): ProjectSlide[] {
  const byKey = new Map(put.map((slide) => [slide.key, slide]))
  return slides.map((slide) => byKey.get(slide.key) ?? slide)
}

/** Those that a recipe would be run over: the chosen ones or all, and of them those whose file is there. */
export const meantSlides = ({ slides, chosen }: CohortSlice): ProjectSlide[] =>
  slides.filter(({ key, missing }) => !missing && (chosen.length === 0 || chosen.includes(key)))

export type SlideLook = 'idle' | 'busy' | 'done' | 'partial' | 'failed'

/** A slide's state in a row's words, and its objects. What goes on comes before what the project says. */
export function slideWords(
  slide: ProjectSlide,
  live: CohortSlide | undefined,
): { look: SlideLook; words: string; objects: number | null } {
  if (live?.state === 'queued') return { look: 'busy', words: words.runStates.queued, objects: slide.objects }
  if (live?.state === 'running') return { look: 'busy', words: words.cohort.running(live.fraction), objects: live.objects }
  if (slide.missing) return { look: 'failed', words: words.cohort.missing, objects: slide.objects }
  if (slide.state === 'failed') return { look: 'failed', words: words.cohort.failed(slide.why ?? ''), objects: slide.objects }
  if (slide.state === 'not run') return { look: 'idle', words: words.cohort.notRun, objects: null }
  if (slide.state === 'in regions') return { look: 'idle', words: segmentedWords(slide), objects: null }
  const density = densityWords(slide)
  const regions = slide.segmentedRegions > 0 ? ` · ${segmentedWords(slide)}` : ''
  const done = `${(slide.recipeName && recipeNamed(slide.recipeName)) ?? words.runStates.done}${density}${regions}`
  if (slide.state === 'partial')
    return { look: 'partial', words: words.cohort.partial(slide.why ?? '', done), objects: slide.objects }
  return { look: 'done', words: done, objects: slide.objects }
}

/** That of tissue where it is known. */
function densityWords({ perMm2, perMm2Tissue }: ProjectSlide): string {
  if (perMm2Tissue !== null) return words.cohort.ofTissue(perMm2Tissue)
  return perMm2 === null ? '' : words.cohort.ofArea(perMm2)
}

const segmentedWords = ({ segmentedRegions: n }: ProjectSlide): string => words.cohort.segmented(n)

/** Why a slide is marked: its stains are not those of the recipe that it was run with, or of the chosen one where it was not run. null: it is not. */
export function unfitOf(slide: ProjectSlide, specs: readonly RecipeSpec[], chosen: RecipeSpec | null): string | null {
  const spec = specs.find(({ id }) => id === slide.recipeSpec) ?? chosen
  const unfit = spec && unfitWords(slide.stain, spec)
  return unfit && titled(unfit)
}

/** Before a recipe goes over slides: which of them do not look like its stains. null: all do, or nobody knows. */
export function unfitNote(slides: readonly ProjectSlide[], chosen: RecipeSpec | null): string | null {
  const unfit = chosen ? slides.filter(({ stain }) => unfitWords(stain, chosen) !== null) : []
  if (!chosen || unfit.length === 0) return null
  const names = unfit.slice(0, 3).map(({ name }) => name)
  const all = words.counts.namesAndMore(names.join(', '), unfit.length - names.length)
  return words.cohort.unfit(all, unfit.length, chosen.name)
}

/** "2 of 5 slides · 3 min left"; over: what became of them. */
export function cohortWords({ going, slides, etaMs }: CohortState): string {
  const count = (...states: CohortSlide['state'][]): number => slides.filter(({ state }) => states.includes(state)).length
  if (going) {
    const left = count('queued', 'running')
    const done = slides.length - left
    return etaMs === null ? words.cohort.going(done, slides.length) : words.cohort.goingWith(done, slides.length, etaMs)
  }
  const partial = slides.filter(({ lacks }) => lacks !== undefined).length
  const parts = [
    [count('done'), words.cohort.done],
    [count('there'), words.cohort.doneBefore],
    [count('failed'), words.cohort.failedSlides],
    [count('cancelled'), words.cohort.left],
    [partial, words.cohort.partialOfThem],
    [slides.filter((slide) => slide.reclassed).length, words.cohort.reclassed],
  ] as const
  return [...parts.flatMap(([n, said]) => (n > 0 ? [said(n)] : [])), ...correctionWords(slides)].join(', ')
}

/** What became of corrections on the results before: "12 corrections carried over, 3 do not fit". */
function correctionWords(slides: readonly CohortSlide[]): string[] {
  const found = slides.flatMap(({ corrections }) => corrections ?? [])
  const sum = (of: (one: (typeof found)[number]) => number): number => found.reduce((total, one) => total + of(one), 0)
  const [carried, unfit] = [sum((one) => one.carried ?? 0), sum((one) => one.unfit)]
  const left = sum((one) => (one.carried === null ? one.objects : 0))
  return [
    ...(carried > 0 ? [words.carry.carried(carried)] : []),
    ...(unfit > 0 ? [words.carry.doNotFit(unfit)] : []),
    ...(left > 0 ? [words.carry.stay(left)] : []),
  ]
}
