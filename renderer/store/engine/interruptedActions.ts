// Runs that died with their engine: which there are, going on with one, and throwing one away.
import { analysedChannel } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { isFinished, percentDone, type JournalEntry } from '../slices/interruptedSlice'
import { tell, tellError } from '../base/notify'
import { ask } from '../base/questions'
import { refreshRuns } from '../runs/runList'
import { choose } from '../slices/runSlice'
import { openSlide } from '../slide/slideActions'
import { getState, patch, update } from '../store'

export async function refreshInterrupted(): Promise<void> {
  const result = await api().call('journal:list', undefined)
  if (result.ok) patch('interrupted', { entries: result.value.filter(({ tilesDone }) => tilesDone > 0) })
}

/**
 * After the engine's death: the slide's results that were finished come back by themselves, the oldest first, so that they lie as they lay.
 * Another window may have been quicker: whoever asks for the runs then has them.
 */
export async function bringBackFinished(): Promise<void> {
  const { info } = getState().slide
  await refreshInterrupted()
  const { entries } = getState().interrupted
  const finished = entries.filter((entry) => entry.slidePath === info?.path && isFinished(entry)).toReversed()
  if (!info || finished.length === 0) return
  for (const { journalId } of finished) await api().call('journal:resume', { journalId, slideId: info.slideId })
  await Promise.all([refreshRuns(true), refreshInterrupted()])
}

/** On its slide, which is opened where it is not. */
export async function resumeRun(entry: JournalEntry): Promise<void> {
  const { slidePath, mpp, channel, journalId } = entry
  if (getState().interrupted.resuming !== null || slidePath === null) return
  patch('interrupted', { resuming: journalId })
  try {
    const { info, mppGiven } = getState().slide
    const isHere = info?.path === slidePath && (mppGiven ?? undefined) === mpp
    const isOpen = isHere && (channel === undefined || channel === analysedChannel(info))
    if (!isOpen && !(await openSlide(slidePath, mpp, null, channel))) return
    const slide = getState().slide.info
    if (slide?.path !== slidePath) return
    const result = await api().call('journal:resume', { journalId, slideId: slide.slideId })
    if (!result.ok) return tellError(result.error, words.buttons.goOn)
    patch('ui', { banner: null, armed: true })
    await refreshRuns()
    update('runs', (runs) => (runs.byId[result.value.runId] ? choose(runs, result.value.runId) : runs))
    if (!isFinished(entry)) tell(words.interrupted.goesOn(entry.name, percentDone(entry)), slide.name, 6000)
  } finally {
    patch('interrupted', { resuming: null })
    await refreshInterrupted()
  }
}

/** With a run that was cancelled: where only this session has it the new one takes its place. */
export async function goOnWith(runId: string): Promise<void> {
  const result = await api().call('run:resume', { runId })
  if (!result.ok) return tellError(result.error, words.buttons.goOn)
  await refreshRuns()
  update('runs', (runs) => (runs.byId[result.value.runId] ? choose(runs, result.value.runId) : runs))
}

export function discardRun(entry: JournalEntry): void {
  ask({
    title: words.interrupted.askTitle(entry.name),
    text: words.interrupted.askText(percentDone(entry)),
    yes: words.interrupted.throwItAway,
    no: words.buttons.keepIt,
    act: () => void discard(entry.journalId),
  })
}

async function discard(journalId: string): Promise<void> {
  const result = await api().call('journal:delete', { journalId })
  if (!result.ok) tellError(result.error, words.about.throwAway)
  await refreshInterrupted()
}
