// The list of runs: kept in step with the engine's, chosen, hidden, exported, cancelled and deleted, asking before work is lost.
import { isOver, type RunEntry, type RunStatus } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { hideNotices, tell, tellError } from '../base/notify'
import { ask } from '../base/questions'
import { recipeKey } from '../slices/recipeSlice'
import { resultTiles } from './resultTiles'
import { previewSoon, stopPreviews } from './previewActions'
import { ended } from './runEnds'
import { choose, dropRun, emptyRuns, fullRuns, runningRun, setHidden, syncList } from '../slices/runSlice'
import { getState, patch, update } from '../store'

/** A run that has gone on for longer is not ended by a slip: one Escape. */
export const escapeAsksAfterMs = 5000
/** Nor by a button that says what it does, nor is a result of so much work deleted, without a question. */
export const workAsksAfterMs = 60_000

/** Of all slides, as the engine told them last. */
let listed: readonly RunEntry[] = []
export const listedRuns = (): readonly RunEntry[] => listed

/** Runs whose end was heard of while a list was on its way, which may have been made before; null: none is. */
let endedMeanwhile: Map<string, RunStatus> | null = null

/** A run's end, and that it is kept, its own status tells, and no list is asked for. */
export function listedAs(status: RunStatus): void {
  if (isOver(status)) endedMeanwhile?.set(status.runId, status)
  listed = listed.map((entry) => (entry.status.runId === status.runId ? { ...entry, status } : entry))
}

let listing: Promise<void> | null = null
let wanted: 'nothing' | 'new' | 'all' = 'nothing'

/**
 * Asks the engine which runs there are. `all`: tiles of every run may have been announced while nobody listened; otherwise those of runs
 * that this page did not know. Of many calls at once one asks, and once more where something has changed meanwhile.
 */
export function refreshRuns(all = false): Promise<void> {
  wanted = all || wanted === 'all' ? 'all' : 'new'
  listing ??= refresh().finally(() => (listing = null))
  return listing
}

async function refresh(): Promise<void> {
  while (wanted !== 'nothing') {
    const all = wanted === 'all'
    wanted = 'nothing'
    await refreshOnce(all)
  }
}

async function refreshOnce(all: boolean): Promise<void> {
  const slideId = getState().slide.info?.slideId ?? null
  const before = getState().runs
  const over = (endedMeanwhile = new Map<string, RunStatus>())
  const result = await api().call('run:list', undefined)
  endedMeanwhile = null
  if (result.ok) listed = result.value.map((entry) => ({ ...entry, status: over.get(entry.status.runId) ?? entry.status }))
  if (!result.ok || (getState().slide.info?.slideId ?? null) !== slideId) return
  const asked = new Set(before.stack)
  update('runs', (runs) => syncList(runs, listed, slideId, asked, ({ recipe }) => recipeKey(recipe)))
  const { runs } = getState()
  const gone = before.stack.filter((id) => !runs.stack.includes(id))
  if (gone.length > 0) {
    hideNotices(({ runId }) => runId !== undefined && gone.includes(runId))
    // What was previewed there is not on screen any more.
    previewSoon('settled', false)
  }
  for (const id of runs.stack) {
    const was = before.byId[id]
    const is = runs.byId[id]
    if (was && is && !isOver(was) && isOver(is)) ended(is)
  }
  await learnTiles(runs.stack.filter((id) => all || !asked.has(id)))
}

/** What was announced of runs before this page listened. */
async function learnTiles(ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids.map(async (runId) => {
      const result = await api().call('run:tiles', { runId })
      if (result.ok && getState().runs.byId[runId]) resultTiles.announce(runId, result.value)
    }),
  )
}

/** A result tile is answered with "not there": the engine may have let its run go. */
export function tileIsGone(runId: string): void {
  if (getState().runs.byId[runId]) void refreshRuns()
}

export const chooseRun = (runId: string): void => update('runs', (runs) => choose(runs, runId))
export const showRun = (runId: string, shown: boolean): void => update('runs', (runs) => setHidden(runs, runId, !shown))
export const exportRun = (runId: string): void => patch('ui', { dialog: 'export', exportRunId: runId })

/** Ends a run, whoever started it; what is done of it stays. Asks first where it has been going for longer than `askAfterMs`. */
export function cancelRun(
  run: RunStatus | null = runningRun(getState().runs),
  askAfterMs = workAsksAfterMs,
  ofSlide?: string,
): void {
  if (!run) return
  if (run.purpose === 'preview' || run.state === 'queued' || run.elapsedMs < askAfterMs) return void cancel(run.runId)
  ask({
    title: ofSlide === undefined ? words.endRun.title(run.name) : words.endRun.titleOf(run.name, ofSlide),
    text: words.endRun.text(run.elapsedMs, run.objects),
    yes: words.endRun.yes,
    no: words.endRun.no,
    act: () => void cancel(run.runId),
  })
}

/** Pauses what runs, and goes on with what was paused; no preview: it is gone before it could be. */
export function pauseRun(run: RunStatus | null = runningRun(getState().runs)): void {
  if (run?.purpose === 'run' && !isOver(run)) void pause(run)
}

async function pause({ runId, state }: RunStatus): Promise<void> {
  const goesOn = state === 'paused'
  const result = await api().call(goesOn ? 'run:continue' : 'run:pause', { runId })
  if (!result.ok) return result.error.code === 'NOT_FOUND' ? void refreshRuns() : tellError(result.error, words.about.pause)
  void refreshRuns()
}

async function cancel(runId: string): Promise<void> {
  stopPreviews()
  const result = await api().call('run:cancel', { runId })
  if (!result.ok) return result.error.code === 'NOT_FOUND' ? void refreshRuns() : tellError(result.error, words.buttons.cancel)
  const { runs } = getState()
  if (runs.byId[runId]) update('runs', (state) => ({ ...state, byId: { ...state.byId, [runId]: result.value } }))
  else void refreshRuns()
}

/** More than a minute's work, a run that goes on, or one that the project holds: with it goes what was done to its objects. */
const isDear = (run: RunStatus): boolean =>
  run.keptId !== undefined ||
  (isOver(run) ? run.objects > 0 && run.elapsedMs > workAsksAfterMs : run.elapsedMs > escapeAsksAfterMs) ||
  isExporting(run)
function isExporting(run: RunStatus): boolean {
  const { exporting } = getState()
  return exporting.running && exporting.runId === run.runId
}

export function deleteRun(runId: string): void {
  const run = getState().runs.byId[runId]
  if (!run) return
  if (!isDear(run)) return void deleteAll([runId])
  const { elapsedMs, objects } = run
  const work = isOver(run) ? words.deleteRun.holds(objects, elapsedMs) : words.deleteRun.wouldLose(elapsedMs, objects)
  ask({
    title: words.deleteRun.title(run.name),
    text: [
      work,
      ...(run.keptId ? [words.deleteRun.isSaved] : []),
      ...(isExporting(run) ? [words.deleteRun.isExported] : []),
      words.deleteRun.filesStay,
    ].join(' '),
    yes: isOver(run) ? words.buttons.delete : words.deleteRun.endAndDelete,
    no: words.buttons.keepIt,
    act: () => void deleteAll([runId]),
  })
}

/** Deletes every result of the slide, ending what is unfinished: nothing goes on unseen. */
export function clearResults(): void {
  const kept = fullRuns(getState().runs)
  const ids = getState().runs.stack
  const dear = kept.some(isDear) || kept.reduce((ms, run) => ms + run.elapsedMs, 0) > workAsksAfterMs
  patch('ui', { armed: false })
  if (!dear) return void deleteAll(ids)
  const unfinished = kept.filter((run) => !isOver(run)).length
  const objects = kept.reduce((sum, run) => sum + run.objects, 0)
  ask({
    title: words.deleteRun.allTitle(kept.length),
    text: [
      words.deleteRun.found(objects),
      ...(kept.some(({ keptId }) => keptId) ? [words.deleteRun.correctionsToo] : []),
      ...(unfinished > 0 ? [words.deleteRun.unfinished(unfinished)] : []),
      words.deleteRun.filesStay,
    ].join(' '),
    yes: words.buttons.deleteAll,
    no: words.buttons.keepThem,
    act: () => void deleteAll(ids),
  })
}

async function deleteAll(ids: readonly string[]): Promise<void> {
  stopPreviews()
  await Promise.all(
    ids.map(async (runId) => {
      const result = await api().call('run:delete', { runId })
      // Where the engine has let go of it already, that is what was asked for.
      if (!result.ok && result.error.code !== 'NOT_FOUND') return tellError(result.error, words.buttons.delete)
      update('runs', (runs) => dropRun(runs, runId))
      hideNotices((subject) => subject.runId === runId)
    }),
  )
}

/** Of a run of another slide: what this window has started there is worth a word. */
export function endedElsewhere(status: RunStatus): void {
  const { runs, asked } = getState()
  const entry = runs.elsewhere.find((other) => other.status.runId === status.runId)
  if (!entry || status.purpose !== 'run' || !asked.startedHere.includes(status.runId)) return
  const how = status.state === 'done' || status.state === 'cancelled' ? status.state : 'failed'
  const text = words.elsewhere.ended(status.name, entry.slideName, how, status.objects, status.error?.message)
  tell(text, entry.slideName, 9000)
}

/** The runs that go on when their slide is left. */
export const unfinishedHere = (): RunStatus[] => fullRuns(getState().runs).filter((run) => !isOver(run))

export function forgetRuns(): void {
  listed = []
  update('runs', () => emptyRuns)
  resultTiles.clear()
}
