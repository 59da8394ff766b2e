// The one window: sandboxed, without Node, that shows our own page and nothing else, whatever a slide or a page asks for.
import { BrowserWindow, dialog, nativeTheme, session } from 'electron'
import { keepPage } from './keepPage'
import { offerToLoad } from './offerToLoad'
import { isOwnUrl, isPageUrl, pageUrl } from './origin'
import { patience } from './pageWatch'
import { words } from './words'

export interface WindowOptions {
  /** dist/preload.cjs. */
  preload: string
  icon: string
  /** Forces OpenSeadragon's drawer: software WebGL is too slow for tests. */
  drawer: string
  /** How long the page may answer nothing, in seconds; absent: pageWatch.ts says it. */
  answersWithin: number | undefined
  /** The page that was shown is gone, and with it whoever waited for an answer. */
  pageGone: () => void
  /** The window is gone; `asked`: by a person or the system, and not by a script of the page. */
  closed: (asked: boolean) => void
}

const isOwnBlob = (url: string): boolean => url.startsWith('blob:') && isOwnUrl(url.slice('blob:'.length))

/** Of what a page may ask the system for, two things are needed here; drag and drop and the keyboard need no permission. */
export function lockSession(): void {
  const own = session.defaultSession
  // Copying an object's measurements writes text, a picture of the view an image; reading the clipboard is another permission.
  const needed = ['clipboard-sanitized-write', 'fullscreen']
  const allowed = (permission: string, url: string) => needed.includes(permission) && isOwnUrl(url)
  own.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(allowed(permission, requestingUrl)),
  )
  own.setPermissionCheckHandler((_contents, permission, requestingOrigin) => allowed(permission, requestingOrigin))
  own.setDevicePermissionHandler(() => false)
  // What the page has made itself the person may put where they like: the system's dialog asks.
  own.on('will-download', (event, item) => {
    if (!isOwnBlob(item.getURL())) event.preventDefault()
  })
  own.webRequest.onBeforeRequest((details, answer) => {
    const local = isOwnUrl(details.url) || /^(blob|data|devtools):/.test(details.url)
    answer({ cancel: !local })
  })
  // WebRTC is none of the requests above, and no policy of the page stops it. What does not ask that handler meets a proxy that is not
  // there: the discard port of this machine, for addresses of this machine too.
  void own.setProxy({ mode: 'fixed_servers', proxyRules: '127.0.0.1:9', proxyBypassRules: '<-loopback>' })
}

export interface OwnWindow {
  readonly window: BrowserWindow
  /** Whatever the page does. */
  readonly loadPage: () => void
}

export function createWindow({ preload, icon, drawer, answersWithin, pageGone, closed }: WindowOptions): OwnWindow {
  const window = new BrowserWindow({
    title: words().program,
    width: 1440,
    height: 900,
    minWidth: 900,
    minHeight: 600,
    icon,
    show: false,
    // Of the page, before it is there and while the window grows: as renderer/styles/colours.css has it.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14171b' : '#eef0f3',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  const { webContents } = window
  // Without a proxy that works, no WebRTC packet leaves at all.
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  window.once('ready-to-show', () => window.show())
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // The page may load itself again, for another language, and nothing else.
  const ownAgain = (url: string): boolean => url === webContents.getURL() && isPageUrl(url)
  webContents.on('will-navigate', (event) => ownAgain(event.url) || event.preventDefault())
  webContents.on('will-redirect', (event) => event.preventDefault())
  webContents.on('will-frame-navigate', (event) => (event.isMainFrame && ownAgain(event.url)) || event.preventDefault())
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) pageGone()
  })
  webContents.once('destroyed', pageGone)
  // A script's window.close() tells nobody before it.
  let asked = false
  window.on('close', () => (asked = true))
  window.on('closed', () => closed(asked))
  const query = drawer ? `?drawer=${encodeURIComponent(drawer)}` : ''
  const kept = keepPage(
    webContents,
    pageUrl + query,
    answersWithin === undefined ? patience : { ...patience, answer: answersWithin },
  )
  const { loadPage } = offerToLoad(window, kept)
  // The page keeps its window while there is work that the program's end would end or lose: renderer/store/engine/leaving.ts.
  webContents.on('will-prevent-unload', (event) => {
    // The same page comes, and finds its runs in the engine.
    if (kept.isLeaving) return event.preventDefault()
    const answer = dialog.showMessageBoxSync(window, {
      type: 'question',
      message: words().closing.title,
      detail: words().closing.text,
      buttons: [words().closing.stay, words().closing.close],
      defaultId: 0,
      cancelId: 0,
    })
    // Preventing the prevention: the window goes.
    if (answer === 1) event.preventDefault()
    else asked = false
  })
  void window.loadURL(pageUrl + query)
  return { window, loadPage }
}
