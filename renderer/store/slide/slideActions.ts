// Opens and closes slides, and brings one back after the engine was lost.
import { channelColumnOf, choiceOf, tilePaths, type Region, type SlideInfo } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { words } from '../../words'
import { beginWatch, dropWatch } from '../base/latency'
import { keepLooksNow } from './keptLooks'
import { isNoSlide } from './notSlides'
import { hideNotices, tell, tellError } from '../base/notify'
import { forgetRuns, refreshRuns, unfinishedHere } from '../runs/runList'
import { offerRecipe } from '../recipe/recognition'
import { clearSelection } from '../selection/selectionActions'
import { getState, patch, update } from '../store'
import { noExport } from '../slices/uiSlice'
import { said } from '../../words/named'

/** The opening under way: a newer one takes it back. */
const opening = latest()

async function open(
  path: string,
  mpp: number | null,
  channel: string | null = null,
): Promise<Awaited<ReturnType<typeof call>> | null> {
  keepLooksNow()
  const signal = opening.begin()
  const result = await call(path, mpp, channel, signal)
  if (!signal.aborted) return result
  // It was opened before it could be taken back.
  if (result.ok) close(result.value)
  return null
}
const call = (path: string, mpp: number | null, channel: string | null, signal: AbortSignal) =>
  api().call('slide:open', { path, ...(mpp !== null && { mpp }), ...(channel !== null && { channel }) }, signal)
const close = ({ slideId }: SlideInfo): void => void api().call('slide:close', { slideId })

/**
 * `firstField`: what the view shows of it at first, level-0 px; all of it where none is given. `channel`: of several the one that is analysed from
 * now on, from 0; absent: as the document has it.
 */
export async function openSlide(
  path: string,
  mpp?: number,
  firstField: Region | null = null,
  channel?: number,
): Promise<boolean> {
  if (isNoSlide(path)) {
    patch('ui', { dialog: null })
    return false
  }
  const before = getState().slide.info
  beginWatch('slide-first-tile')
  patch('slide', { opening: path })
  patch('ui', { dialog: null, openError: null })
  const result = await open(path, mpp ?? null, channel === undefined ? null : choiceOf(channel))
  if (!result) return false
  patch('slide', { opening: null })
  if (!result.ok) {
    dropWatch('slide-first-tile')
    if (!before) patch('ui', { openError: result.error })
    if (result.error.code !== 'ENGINE_LOST') tellError(result.error, fileName(path), { slidePath: path })
    return false
  }
  const info = result.value
  const goOn = unfinishedHere()
  show(info, mpp ?? null, firstField)
  if (before && before.slideId !== info.slideId && goOn.length > 0) {
    const names = goOn.map(({ name }) => name).join(', ')
    tell(words.leftSlide.stillRunning(names, goOn.length > 1, before.name), before.name, 9000)
  }
  // Opens are counted: this window has one of each slide that it shows. What runs on the slide goes on without it.
  if (before) close(before)
  for (const warning of info.warnings) tell(said(warning), info.name, 4500, { slidePath: info.path })
  if (before?.slideId !== info.slideId) void offerRecipe(info)
  await Promise.all([refreshRuns(), listRecents()])
  return true
}

/** Puts a slide on screen. What was about another one, or about another calibration or channel of this one, goes. */
function show(info: SlideInfo, mppGiven: number | null, firstField: Region | null = null): void {
  const { slide, ui, exporting, overlay } = getState()
  const same = slide.info?.slideId === info.slideId
  patch('slide', { info, mppGiven, firstField })
  patch('start', { shown: false })
  if (!same) {
    forgetRuns()
    clearSelection()
    // A running export goes on: its slide stays open for it.
    if (!exporting.running) update('exporting', () => noExport)
    patch('ui', { tool: 'pan', drawn: null, pointer: null, previewNote: null, armed: false, exportRunId: null })
    // A channel's figures are in its file's own units.
    if (channelColumnOf(overlay.column ?? '')) patch('overlay', { range: null })
  }
  if (slide.info?.path !== info.path) patch('ui', { layer: 'slide' })
  if (ui.banner) {
    // Where nothing is left to be run again, it has been read by whoever opened a slide.
    const { banner } = ui
    const stays = banner.slidePath === info.path && (!banner.closed || banner.again.length > 0)
    patch('ui', { banner: stays ? { ...banner, closed: false } : null })
  }
  hideNotices(({ slidePath }) => slidePath !== undefined && !(same && slidePath === info.path))
}

export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path

export async function listRecents(): Promise<void> {
  const result = await api().call('recent:list', undefined)
  if (result.ok) patch('slide', { recents: result.value })
}

export async function clearRecents(): Promise<void> {
  const result = await api().call('recent:clear', undefined)
  if (result.ok) patch('slide', { recents: [] })
  else tellError(result.error, words.names.recentSlides)
}

/** A folder of the server's, for a shell without file dialogs; the first one where none is named. */
export const listFiles = (path?: string) => api().call('files:list', path === undefined ? {} : { path })

export const associatedUrl = ({ slideId }: SlideInfo, name: string): string => api().tileUrl(tilePaths.associated(slideId, name))

/** The system's dialog where the shell has one, else our own list of the server's folders. */
export async function askForSlide(): Promise<void> {
  if (!getState().ui.app?.dialogs) return patch('ui', { dialog: 'open' })
  const result = await api().call('dialog:slide', undefined)
  if (!result.ok) return tellError(result.error, words.buttons.open)
  if (result.value !== null) await openSlide(result.value)
}

/**
 * After the engine or the connection was lost: the same file, the view and the recipe left as they are. An engine that has lived on answers
 * with the slide that is on screen, and has its runs.
 */
export async function reopenSlide(): Promise<boolean> {
  const { info, mppGiven } = getState().slide
  if (!info) return false
  const result = await open(info.path, mppGiven)
  if (!result) return false
  if (!result.ok) {
    if (result.error.code !== 'ENGINE_LOST') tellError(result.error, fileName(info.path), { slidePath: info.path })
    return false
  }
  if (result.value.slideId === info.slideId) close(result.value)
  else show(result.value, mppGiven)
  await refreshRuns(true)
  return true
}

/** The engine's process is gone and with it the slide, which is not to be opened again by itself. */
export function leaveSlide(): void {
  opening.stop()
  patch('slide', { info: null, opening: null, mppGiven: null })
  forgetRuns()
  clearSelection()
}
