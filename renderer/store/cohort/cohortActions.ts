// What is done with the project's slides: listed, added, opened, a recipe run over them.
import { tilePaths, type CohortState } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { words } from '../../words'
import { cohortWords, meantSlides, mergedSlides, withSlides } from '../slices/cohortSlice'
import { runDevice } from '../runs/deviceActions'
import { tell, tellError } from '../base/notify'
import { recipeOf } from '../slices/recipeSlice'
import { openSlide } from '../slide/slideActions'
import { getState, patch, update } from '../store'
import { recipeNamed } from '../../words/named'

/** Where `pictured` says that there is one. */
export const slidePictureUrl = (key: string): string => api().tileUrl(tilePaths.thumbnail(key))

/** Files of slides come and go by other hands, on a share too: they are looked for this often, and not after each edit. */
const lookEveryMs = 30_000
let lookedAt = -Infinity

const newest = latest()
/** Slides of which the engine says something else than the page, until an answer has them. */
let stale: ReadonlySet<string> | 'all' = new Set()
/** Of one question. */
const mostKeys = 1000

/**
 * Asks the engine for the slides of the document, and for what goes on over them. `edited`: an edit was told of and nothing else has happened, so files
 * are where they were: of these slides something else is said.
 */
export async function refreshSlides(edited?: readonly string[] | 'all'): Promise<void> {
  if (edited?.length === 0) return
  stale = edited === undefined || edited === 'all' || stale === 'all' ? 'all' : new Set([...stale, ...edited])
  const signal = newest.begin()
  const now = performance.now()
  const seen = edited !== undefined && now - lookedAt < lookEveryMs
  if (!seen) lookedAt = now
  const keys = seen && stale !== 'all' && stale.size <= mostKeys ? [...stale] : undefined
  const result = await api().call('project:slides', seen ? { seen: true, ...(keys && { keys }) } : undefined)
  // A later question has a later answer. What is wrong with the document its own state tells.
  if (signal.aborted || !result.ok) return
  stale = new Set()
  update('cohort', (state) => withSlides(state, keys ? mergedSlides(state.slides, result.value) : result.value))
}

/** How often events told of a recipe over slides. */
let heard = 0
/** For a page that was not there when it began. */
export async function refreshCohort(): Promise<void> {
  const before = heard
  const result = await api().call('cohort:state', undefined)
  // An event says what came after the answer, however late that is here.
  if (result.ok && before === heard) patch('cohort', { cohort: result.value })
  await refreshSlides()
}

export function cohortChanged(cohort: CohortState): void {
  heard += 1
  const before = getState().cohort.cohort
  patch('cohort', { cohort })
  if (cohort.going || before?.going !== true) return
  tell(words.cohort.over(recipeNamed(cohort.recipeName), cohortWords(cohort)), words.about.slides, 9000)
  void refreshSlides()
}

export async function addThisSlide(): Promise<void> {
  const { info } = getState().slide
  if (!info) return
  const result = await api().call('project:add', { slideId: info.slideId })
  if (!result.ok) return tellError(result.error, info.name)
  const { knownAs } = result.value
  if (knownAs) tell(words.adding.sameSlide(knownAs.name), info.name)
  await refreshSlides()
}

/** The recipe as it is set, over the chosen slides or all. Those that were run with its values before are left as they are, but for `again`. */
export async function runOverSlides(): Promise<void> {
  const { cohort, recipe: recipeState } = getState()
  const recipe = recipeOf(recipeState)
  if (!recipe || cohort.cohort?.going) return
  const slides = meantSlides(cohort)
  if (slides.length === 0) return tell(words.adding.addFirst, words.about.slides)
  const { again, carry } = cohort
  const request = { slides: slides.map(({ key, path }) => ({ key, path })), recipe, again, carry, device: runDevice() }
  const result = await api().call('cohort:run', request)
  // How it goes, events tell: they may have told of its end before this answer.
  if (!result.ok) tellError(result.error, words.about.slides)
}

export async function cancelOverSlides(): Promise<void> {
  const result = await api().call('cohort:cancel', undefined)
  if (!result.ok) tellError(result.error, words.about.slides)
}

export function openProjectSlide(key: string): void {
  const slide = getState().cohort.slides.find((each) => each.key === key)
  if (!slide) return
  if (slide.missing) return tell(words.projectSlides.isMissing(slide.name), words.about.slides)
  void openSlide(slide.path)
}
