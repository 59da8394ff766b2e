// The engine's process ended or has to: what is kept of the window, what the banner offers, and starting another one.
import { isOver, type AppError, type AppEvent } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tellMissingDevice } from '../runs/deviceActions'
import { hideNotices, tellError } from '../base/notify'
import { bringBackFinished } from './interruptedActions'
import { ask } from '../base/questions'
import { forgetRuns } from '../runs/runList'
import { lostRequests, type RequestedRun } from '../slices/requestSlice'
import { runAgain } from '../runs/runActions'
import { onAgainWanted } from '../runs/runErrors'
import { fullRuns } from '../slices/runSlice'
import { leaveSlide, openSlide, reopenSlide } from '../slide/slideActions'
import { getState, patch } from '../store'

let reopening: Promise<unknown> = Promise.resolve()

/** The old engine's slides and runs are gone; what the user set is not. */
export function engineLost({ message, restarted, reopen, canRestart }: Extract<AppEvent, { type: 'engine:lost' }>): void {
  const { slide, ui, asked, runs } = getState()
  const slidePath = slide.info?.path ?? slide.opening ?? ui.banner?.slidePath ?? null
  const again = lostRequests(asked, runs, slide.info?.path)
  const closed = slidePath !== null && !reopen
  forgetRuns()
  hideNotices(({ runId }) => runId !== undefined)
  patch('exporting', { running: false, runId: null })
  const banner = {
    message,
    again: again.length > 0 ? again : (ui.banner?.again ?? []),
    slidePath,
    mpp: slide.info ? slide.mppGiven : (ui.banner?.mpp ?? null),
    closed,
    restarted,
    canRestart,
  }
  patch('ui', {
    banner,
    engineGone: restarted ? null : banner,
    armed: false,
    previewNote: null,
  })
  if (closed) leaveSlide()
  else if (restarted) reopening = reopenSlide().then(bringBackFinished)
  if (restarted) void askDevices()
}

/** No engine answered when the window began, or came back: none has started, or the last one was given up before anybody here heard of it. */
export function engineMissing({ code, message }: AppError): void {
  const banner = {
    message: code === 'ENGINE_LOST' ? message : words.engine.notStarted(message),
    again: [],
    slidePath: null,
    mpp: null,
    closed: false,
    restarted: false,
    canRestart: true,
  }
  patch('ui', { banner, engineGone: banner })
}

/** Another engine, or another server, may have other devices; or none is there any more, and one can be started. */
export async function askDevices(): Promise<void> {
  const app = await api().call('app:info', undefined)
  if (!app.ok)
    return app.error.code === 'ENGINE_LOST' && getState().ui.connection === 'online' ? engineMissing(app.error) : undefined
  patch('ui', { app: app.value })
  tellMissingDevice()
}

/** The slide of the banner, which may have ended the engine: the user wants it all the same. */
export function openAgain(): void {
  const { banner } = getState().ui
  if (banner?.slidePath) void openSlide(banner.slidePath, banner.mpp ?? undefined)
}

/** Starts an engine where there is none, or another in place of one whose GPU is lost; then what was asked for, once more. */
export async function restartEngine(then: readonly RequestedRun[] = []): Promise<void> {
  const result = await api().call('engine:restart', undefined)
  if (!result.ok) return tellError(result.error, words.about.startEngine)
  await reopening
  for (const asked of then) runAgain(asked)
}

/** Replacing an engine that lives costs the results that it holds. */
function replaceEngine(asked: RequestedRun): void {
  const held = fullRuns(getState().runs).filter((run) => run.objects > 0 || !isOver(run))
  if (held.length === 0) return void restartEngine([asked])
  const objects = held.reduce((sum, run) => sum + run.objects, 0)
  ask({
    title: words.engine.restartTitle,
    text: words.engine.restartText(held.length, objects),
    yes: words.engine.restart,
    no: words.buttons.notNow,
    act: () => void restartEngine([asked]),
  })
}
onAgainWanted('restart', replaceEngine)
