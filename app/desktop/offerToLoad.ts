// Loading the page again where a person asks for it: by the menu, by keys that no page can keep to itself, and where Chromium says that it hangs.
import { dialog } from 'electron'
import type { BrowserWindow, Input } from 'electron'
import type { KeptPage } from './keepPage'
import { words } from './words'

const asksToLoad = ({ type, key, control, meta, alt, shift }: Input): boolean =>
  type === 'keyDown' && !alt && !shift && (key === 'F5' ? !control && !meta : key.toLowerCase() === 'r' && (control || meta))

export function offerToLoad(window: BrowserWindow, page: KeptPage): { readonly loadPage: () => void } {
  const { webContents } = window
  const loadPage = (): void => void page.loadAgain()
  // Before the page has them, so that one that hangs cannot keep them.
  webContents.on('before-input-event', (event, input) => {
    if (!asksToLoad(input)) return
    event.preventDefault()
    if (!input.isAutoRepeat) loadPage()
  })
  let offered: AbortController | null = null
  const answers = (): void => {
    offered?.abort()
    offered = null
  }
  webContents.on('unresponsive', () => {
    if (offered) return
    offered = new AbortController()
    const { signal } = offered
    const question = {
      type: 'question' as const,
      message: words().hangs.title,
      detail: words().hangs.text,
      buttons: [words().hangs.wait, words().menu.loadPage],
      defaultId: 0,
      cancelId: 0,
      signal,
    }
    void dialog.showMessageBox(window, question).then(({ response }) => {
      if (response === 1 && !signal.aborted) loadPage()
      if (!signal.aborted) offered = null
    })
  })
  webContents.on('responsive', answers)
  webContents.on('did-navigate', answers)
  window.once('closed', () => offered?.abort())
  return { loadPage }
}
