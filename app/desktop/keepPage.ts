// Keeps the app's own page in the window: where a script leads elsewhere, or a page fails or ends, that page is loaded again.
import type { WebContents } from 'electron'
import { isPageUrl } from './origin'
import { tooOften } from './tooOften'

/** A page that ends again at once is tried without haste from the fourth time in a minute on. */
const atOnce = 3
const minuteMs = 60_000
const pauseMs = 5000
/** net::ERR_ABORTED: what was there before is there still. */
const aborted = -3

/** `url`: the page, with what it was asked for. Chromium asks no one before it goes to about:blank, so this comes after it. */
export function keepPage(webContents: WebContents, url: string): void {
  const isOften = tooOften(atOnce, minuteMs)
  let soon: NodeJS.Timeout | undefined
  const loadAgain = (why: string) => {
    console.error(`The window's page ${why}. It is loaded again.`)
    clearTimeout(soon)
    soon = setTimeout(
      () => {
        // A failure comes back as an event.
        if (!webContents.isDestroyed()) void webContents.loadURL(url).catch(() => undefined)
      },
      isOften() ? pauseMs : 0,
    )
  }
  webContents.on('did-navigate', (_event, at, status) => {
    if (!isPageUrl(at) || status >= 400) return loadAgain('was left for another')
    // What lies behind it is the way back to an empty window.
    webContents.navigationHistory.clear()
  })
  webContents.on('did-fail-load', (_event, code, words, _at, isMainFrame) => {
    if (isMainFrame && code !== aborted) loadAgain(`failed: ${words || code}`)
  })
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') loadAgain(`ended: ${reason}`)
  })
  webContents.once('destroyed', () => clearTimeout(soon))
}
