// The page's document follows the engine's: each change is applied as it was told, and where one is missing all of it is asked for.
import {
  mostAskedRegions,
  type AppEvent,
  type CallArg,
  type DocumentChange,
  type DocumentState,
  type PlacedRegion,
  type RegionMeasure,
  type Result,
} from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { latest } from '../base/latest'
import { tellError } from '../base/notify'
import { changed, largeOn, toMeasure } from '../slices/documentChange'
import { Measures } from '../slices/measures'
import { noProject, regionsOf, withDocument } from '../slices/projectSlice'
import { chosenRun, fullRuns } from '../slices/runSlice'
import { getState, patch, update } from '../store'

let asked = 0
/** The last question that has no answer yet: for which slide, and which revision its answer has at least. */
let question: { readonly slideId: string | null; readonly revision: number; readonly answer: Promise<void> } | null = null
/** Told, and not applied yet, by revision; null: without what changed. */
const told = new Map<number, DocumentChange | null>()
let applying: Promise<void> | null = null

/**
 * Asks the engine how the document stands, for the slide that is open. `revision`: what was heard of, by an event or as an answer, whichever comes
 * first: it is asked for once. Resolves when the page has it.
 */
export function refreshProject(revision?: number): Promise<void> {
  const slideId = getState().slide.info?.slideId ?? null
  if (revision !== undefined) {
    const { doc } = getState().project
    if (question?.slideId === slideId && question.revision >= revision) return question.answer
    if (!question && doc && doc.revision >= revision) return Promise.resolve()
  }
  // What was told until now the answer has in it.
  told.clear()
  const answer = askProject(slideId, ++asked)
  question = { slideId, revision: revision ?? -1, answer }
  return answer
}

async function askProject(slideId: string | null, turn: number): Promise<void> {
  try {
    const result = await wholeState(slideId, () => turn === asked)
    // A later question has a later answer.
    if (turn !== asked) return await question?.answer
    if ((getState().slide.info?.slideId ?? null) !== slideId) return
    // An engine that died, or one after it that has not opened the slide yet: what opens it asks again.
    if (result.ok) update('project', (project) => withDocument(project, result.value))
    else if (result.error.code !== 'ENGINE_LOST' && result.error.code !== 'NOT_FOUND')
      tellError(result.error, words.names.regions)
    if (result.ok) void measure()
  } finally {
    // Once the page has what it says.
    if (turn === asked) question = null
  }
  if (turn === asked) void catchUp()
}

/** Very many regions come in parts. */
async function wholeState(slideId: string | null, isWanted: () => boolean): Promise<Result<DocumentState>> {
  const result = await api().call('project:state', { slideId, parts: true })
  if (!result.ok || result.value.more === undefined) return result
  const { more, ...first } = result.value
  const regions = [...first.regions]
  const places = [...first.places]
  for (let isLast = false; !isLast && isWanted();) {
    const next = await api().call('project:more', { more, from: regions.length })
    // The engine holds a few answers, and this page was slow.
    if (!next.ok) return next.error.code === 'NOT_FOUND' && isWanted() ? wholeState(slideId, isWanted) : next
    for (const { record, place } of next.value.regions) {
      regions.push(record)
      places.push(place)
    }
    isLast = next.value.isLast
  }
  return { ok: true, value: { ...first, regions, places } }
}

/** Heard from the engine: applied where it is the next one. Resolves when the page has it. */
export function documentChanged({ revision, change }: Extract<AppEvent, { type: 'document:changed' }>): Promise<void> {
  const { doc } = getState().project
  if (question || !doc || revision > doc.revision) told.set(revision, change ?? null)
  return catchUp()
}

/** The page has this revision, or asks for it: of an answer that came before its event, or whose event was lost. */
export async function reached(revision: number): Promise<void> {
  await applying
  await refreshProject(revision)
}

/** Something was done whose answer names no revision: its event came before the answer, or else all is asked for. */
export async function reachedSince(before: number | undefined): Promise<void> {
  await applying
  const { doc } = getState().project
  if (!doc || doc.revision === before) await refreshProject()
}
export const revisionNow = (): number | undefined => getState().project.doc?.revision

/** One after the other. While a question is open, its answer comes first. */
function catchUp(): Promise<void> {
  applying ??= applyTold()
  return applying
}

async function applyTold(): Promise<void> {
  try {
    // Whoever waits for it has it first.
    await Promise.resolve()
    while (!question) {
      const { doc } = getState().project
      for (const revision of [...told.keys()]) if (doc && revision <= doc.revision) told.delete(revision)
      if (told.size === 0) return
      const next = doc && told.get(doc.revision + 1)
      // One is missing, or too much to tell.
      const large = next ? await askLarge(largeOn(next, doc.slide)) : null
      // Something else came in between.
      if (question || getState().project.doc !== doc) continue
      if (next && large) apply(next, large)
      else await refreshProject(Math.max(...told.keys()))
    }
  } finally {
    // With the last look at what was told: what is told from now on begins anew.
    applying = null
  }
}

function apply(change: DocumentChange, large: readonly PlacedRegion[]): void {
  const { doc } = getState().project
  if (!doc) return
  update('project', (project) => withDocument(project, changed(doc, doc.revision + 1, change, large)))
  const ids = toMeasure(change, doc.slide)
  if (ids === 'all') void measure()
  else if (ids.length > 0) void measure(ids)
}

/** null: the engine did not say. */
async function askLarge(ids: readonly string[]): Promise<readonly PlacedRegion[] | null> {
  if (ids.length === 0) return []
  if (ids.length > mostAskedRegions) return null
  const result = await api().call('project:regions', { ids: [...ids] })
  return result.ok ? result.value : null
}

/** Another slide is open: its regions are other ones. */
export function slideChanged(): void {
  const { doc, hidden } = getState().project
  patch('project', { ...noProject, hidden, doc: doc && { ...doc, slide: null, regions: [], places: [] } })
  void refreshProject()
}

const measuring = latest()
/** Regions whose figures are of something that is not so any more, until an answer has them. */
let stale: ReadonlySet<string> | 'all' = new Set()
const mostMeasured = 1000

/**
 * Areas, and how many objects each region holds: of the chosen result, or of the newest of its recipe that is the region's, as the engine's one rule
 * says. `ids`: of these; absent: of all.
 */
export async function measure(ids?: readonly string[]): Promise<void> {
  stale = ids === undefined || stale === 'all' ? 'all' : new Set([...stale, ...ids])
  const signal = measuring.begin()
  const { project, runs } = getState()
  const key = project.doc?.slide
  if (!key) return
  if (regionsOf(project).length === 0) {
    stale = new Set()
    return patch('project', { measures: Measures.none })
  }
  const some = stale !== 'all' && stale.size <= mostMeasured ? [...stale] : null
  const begun = fullRuns(runs).filter((run) => run.state !== 'queued')
  const runIds = begun.slice(-1000).map((run) => run.runId)
  const chosen = begun.find((run) => run === chosenRun(runs))?.runId
  const request = { runIds, key, ...(chosen !== undefined && { chosen }) }
  const result = await (some ? api().call('project:measure', { ...request, ids: some }, signal) : measuresOfAll(request, signal))
  if (signal.aborted || !result.ok) return
  stale = new Set()
  patch('project', { measures: some ? getState().project.measures.with(result.value) : Measures.of(result.value) })
}

/** In parts where they are very many. */
async function measuresOfAll(
  request: CallArg<'project:measureAll'>,
  signal: AbortSignal,
): Promise<Result<readonly RegionMeasure[]>> {
  const result = await api().call('project:measureAll', request, signal)
  if (!result.ok) return result
  const { measures, more } = result.value
  const all = [...measures]
  for (let isLast = more === undefined; !isLast && more !== undefined;) {
    const next = await api().call('project:more', { more, from: all.length }, signal)
    if (!next.ok) return next.error.code === 'NOT_FOUND' && !signal.aborted ? measuresOfAll(request, signal) : next
    all.push(...next.value.measures)
    isLast = next.value.isLast
  }
  return { ok: true, value: all }
}
