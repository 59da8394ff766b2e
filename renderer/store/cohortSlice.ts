// The project's slides as the page shows them: what the engine said last, which are chosen, and how a recipe over them goes.
import { noun, unfitWords } from '../../app/contract'
import type { CohortSlide, CohortState, ProjectSlide, RecipeSpec } from '../../app/contract'
import { formatCount, formatDuration, formatPercent } from '../arithmetic/format'

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

/** Those that a recipe would be run over: the chosen ones or all, and of them those whose file is there. */
export const meantSlides = ({ slides, chosen }: CohortSlice): ProjectSlide[] =>
  slides.filter(({ key, missing }) => !missing && (chosen.length === 0 || chosen.includes(key)))

export type SlideLook = 'idle' | 'busy' | 'done' | 'partial' | 'failed'

/** A slide's state in a row's words, and its objects. What goes on comes before what the project says. */
export function slideWords(
  slide: ProjectSlide,
  live: CohortSlide | undefined,
): { look: SlideLook; words: string; objects: number | null } {
  if (live?.state === 'queued') return { look: 'busy', words: 'queued', objects: slide.objects }
  if (live?.state === 'running') return { look: 'busy', words: `running, ${formatPercent(live.fraction)}`, objects: live.objects }
  if (slide.missing)
    return { look: 'failed', words: 'its file is not where it was, nor beside the project', objects: slide.objects }
  if (slide.state === 'failed') return { look: 'failed', words: `failed: ${slide.why ?? ''}`, objects: slide.objects }
  if (slide.state === 'not run') return { look: 'idle', words: 'not run', objects: null }
  if (slide.state === 'in regions') return { look: 'idle', words: segmentedWords(slide), objects: null }
  const density = densityWords(slide)
  const regions = slide.segmentedRegions > 0 ? ` · ${segmentedWords(slide)}` : ''
  const words = `${slide.recipeName ?? 'done'}${density}${regions}`
  if (slide.state === 'partial')
    return { look: 'partial', words: `partial: ${slide.why ?? ''} · ${words}`, objects: slide.objects }
  return { look: 'done', words, objects: slide.objects }
}

/** That of tissue where it is known. */
function densityWords({ perMm2, perMm2Tissue }: ProjectSlide): string {
  if (perMm2Tissue !== null) return ` · ${formatCount(perMm2Tissue)}/mm² of tissue`
  return perMm2 === null ? '' : ` · ${formatCount(perMm2)}/mm² of area`
}

const segmentedWords = ({ segmentedRegions: n }: ProjectSlide): string => `${n} ${noun(n, 'region')} segmented`

/** Why a slide is marked: its stains are not those of the recipe that it was run with, or of the chosen one where it was not run. null: it is not. */
export function unfitOf(slide: ProjectSlide, specs: readonly RecipeSpec[], chosen: RecipeSpec | null): string | null {
  const spec = specs.find(({ id }) => id === slide.recipeSpec) ?? chosen
  return spec && unfitWords(slide.stain, spec)
}

/** Before a recipe goes over slides: which of them do not look like its stains. null: all do, or nobody knows. */
export function unfitNote(slides: readonly ProjectSlide[], chosen: RecipeSpec | null): string | null {
  const unfit = chosen ? slides.filter(({ stain }) => unfitWords(stain, chosen) !== null) : []
  if (!chosen || unfit.length === 0) return null
  const names = unfit.slice(0, 3).map(({ name }) => name)
  const more = unfit.length > names.length ? ` and ${unfit.length - names.length} more` : ''
  return `${names.join(', ')}${more} ${noun(unfit.length, 'does', 'do')} not look like ${chosen.name}’s stains.`
}

/** "2 of 5 slides · 3 min left"; over: what became of them. */
export function cohortWords({ going, slides, etaMs }: CohortState): string {
  const count = (...states: CohortSlide['state'][]): number => slides.filter(({ state }) => states.includes(state)).length
  if (going) {
    const left = count('queued', 'running')
    const time = etaMs === null ? '' : ` · ${formatDuration(etaMs)} left`
    return `${slides.length - left} of ${slides.length} ${noun(slides.length, 'slide')}${time}`
  }
  const partial = slides.filter(({ lacks }) => lacks !== undefined).length
  const parts = [
    [count('done'), 'done'],
    [count('there'), 'done before'],
    [count('failed'), 'failed'],
    [count('cancelled'), 'left'],
    [partial, 'of them partial'],
  ] as const
  const reclassed = slides.filter((slide) => slide.reclassed).length
  return [
    ...parts.flatMap(([n, words]) => (n > 0 ? [`${n} ${words}`] : [])),
    ...(reclassed > 0 ? [`${reclassed} of them now by these cut-offs`] : []),
    ...correctionWords(slides),
  ].join(', ')
}

/** What became of corrections on the results before: "12 corrections carried over, 3 do not fit". */
function correctionWords(slides: readonly CohortSlide[]): string[] {
  const found = slides.flatMap(({ corrections }) => corrections ?? [])
  const sum = (of: (one: (typeof found)[number]) => number): number => found.reduce((total, one) => total + of(one), 0)
  const [carried, unfit] = [sum((one) => one.carried ?? 0), sum((one) => one.unfit)]
  const left = sum((one) => (one.carried === null ? one.objects : 0))
  return [
    ...(carried > 0 ? [`${formatCount(carried)} ${noun(carried, 'correction')} carried over`] : []),
    ...(unfit > 0 ? [`${formatCount(unfit)} ${noun(unfit, 'does', 'do')} not fit`] : []),
    ...(left > 0 ? [`${formatCount(left)} ${noun(left, 'correction stays', 'corrections stay')} on the results before`] : []),
  ]
}
