// Keeps the app's own page in the window: where a script leads elsewhere or empties it, or a page fails, hangs or ends, that page is loaded again.
import type { WebContents } from 'electron'
import { isPageUrl } from './origin'
import { watchPage, type Patience } from './pageWatch'
import { tooOften } from './tooOften'

/** A page that ends again at once is tried without haste from the fourth time in a minute on. */
const atOnce = 3
const minuteMs = 60_000
const pauseMs = 5000
/** net::ERR_ABORTED: what was there before is there still. */
const aborted = -3

/** Of one that a person wants to be loaded again: after that it hangs. */
const answerMs = 2000

/** Of React's root, in renderer/index.html: renderer/main.tsx says whether it was ever there. */
const rootState = `document.querySelector('#root > *') ? 'shown' : globalThis.pageHasShown ? 'emptied' : 'coming'`

export interface KeptPage {
  /** As a person asked, whatever the page does. */
  readonly loadAgain: () => Promise<void>
  /** It is being left for itself: no work is lost with that, as the engine has it. */
  readonly isLeaving: boolean
}

/** `url`: the page, with what it was asked for. Chromium asks no one before it goes to about:blank, so this comes after it. */
export function keepPage(webContents: WebContents, url: string, patience?: Patience): KeptPage {
  const isOften = tooOften(atOnce, minuteMs)
  let soon: NodeJS.Timeout | undefined
  /** It is to be loaded, or is being loaded, and need not be looked at. */
  let isComing = false
  let isLeaving = false
  const loadNow = (): void => {
    clearTimeout(soon)
    if (webContents.isDestroyed()) return
    isComing = isLeaving = true
    // A failure comes back as an event.
    const over = (): boolean => (isComing = isLeaving = false)
    void webContents.loadURL(url).then(over, over)
  }
  const load = (why: string): void => {
    console.error(`The window's page ${why}. It is loaded again.`)
    clearTimeout(soon)
    isComing = true
    soon = setTimeout(loadNow, isOften() ? pauseMs : 0)
  }
  // In the page's own world, and asynchronous throughout: a frame that is gone throws.
  const look = async (): Promise<unknown> => await webContents.mainFrame.executeJavaScript(rootState)
  // What hangs takes no other page: its process goes, which is told below.
  const lost = (why: string, hangs: boolean): void => (hangs ? webContents.forcefullyCrashRenderer() : load(why))
  const loadAgain = async (): Promise<void> => {
    const silence = new Promise<string>((resolve) => setTimeout(() => resolve('hangs'), answerMs))
    const answer = await Promise.race([look().catch(() => null), silence])
    if (answer === 'hangs') lost('does not answer', true)
    else loadNow()
  }
  const watch = watchPage({ look, isDebugged: () => webContents.isDevToolsOpened(), lost }, patience)
  const looks = setInterval(() => isComing || watch.tick(), 1000)
  webContents.on('did-navigate', (_event, at, status) => {
    isComing = isLeaving = false
    watch.loaded()
    if (!isPageUrl(at) || status >= 400) return load('was left for another')
    // What lies behind it is the way back to an empty window.
    webContents.navigationHistory.clear()
  })
  webContents.on('did-fail-load', (_event, code, words, _at, isMainFrame) => {
    if (isMainFrame && code !== aborted) load(`failed: ${words || code}`)
  })
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') load(`ended: ${reason}`)
  })
  webContents.once('destroyed', () => {
    clearTimeout(soon)
    clearInterval(looks)
  })
  return {
    loadAgain,
    get isLeaving() {
      return isLeaving
    },
  }
}
