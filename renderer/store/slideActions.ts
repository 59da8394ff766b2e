// Opens and closes slides, and brings one back after the engine was lost.
import { api } from '../api'
import { beginWatch, dropWatch } from './latency'
import { tell, tellError } from './notify'
import { emptyRuns } from './runSlice'
import { getState, patch, update } from './store'
import { noExport, noSelection } from './uiSlice'

let openCount = 0

export async function openSlide(path: string, mpp?: number): Promise<void> {
  const mine = ++openCount
  const before = getState().slide.info
  beginWatch('slide-first-tile')
  patch('slide', { opening: path })
  patch('ui', { dialog: null, openError: null })
  const result = await api().call('slide:open', mpp === undefined ? { path } : { path, mpp })
  if (mine !== openCount) return
  patch('slide', { opening: null })
  if (!result.ok) {
    dropWatch('slide-first-tile')
    if (!before) patch('ui', { openError: result.error })
    if (result.error.code !== 'ENGINE_LOST') tellError(result.error, fileName(path))
    return
  }
  const info = result.value
  const same = before?.path === info.path
  update('runs', () => emptyRuns)
  update('selection', () => noSelection)
  update('exporting', () => noExport)
  patch('slide', { info, mppGiven: mpp ?? null })
  patch('ui', { tool: 'pan', drawn: null, pointer: null, previewNote: null, armed: false, ...(same ? {} : { layer: 'slide' }) })
  if (before && before.slideId !== info.slideId) void api().call('slide:close', { slideId: before.slideId })
  for (const warning of info.warnings) tell(warning, info.name)
  await listRecents()
}

export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path

export async function listRecents(): Promise<void> {
  const result = await api().call('recent:list', undefined)
  if (result.ok) patch('slide', { recents: result.value })
}

export async function clearRecents(): Promise<void> {
  const result = await api().call('recent:clear', undefined)
  if (result.ok) patch('slide', { recents: [] })
  else tellError(result.error, 'Recent slides')
}

/** The system's dialog where the shell has one, else our own list of the server's folders. */
export async function askForSlide(): Promise<void> {
  if (!getState().ui.app?.dialogs) return patch('ui', { dialog: 'open' })
  const result = await api().call('dialog:slide', undefined)
  if (!result.ok) return tellError(result.error, 'Open')
  if (result.value !== null) await openSlide(result.value)
}

/** After the engine was lost: the same file in the new one, the view and the recipe left as they are. */
export async function reopenSlide(): Promise<boolean> {
  const { info, mppGiven } = getState().slide
  if (!info) return false
  const mine = ++openCount
  const result = await api().call('slide:open', mppGiven === null ? { path: info.path } : { path: info.path, mpp: mppGiven })
  if (mine !== openCount) return false
  if (!result.ok) {
    tellError(result.error, fileName(info.path))
    return false
  }
  patch('slide', { info: result.value })
  return true
}
