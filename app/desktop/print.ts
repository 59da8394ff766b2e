// Prints a page that the engine made as PDF: a hidden window without script, in a session of its own that reaches no network and no file.
import { app, BrowserWindow, session } from 'electron'
import { pageUrl } from './origin'

// The countries of Letter.
const letter = /^(US|CA|MX|PH|CL|CO|VE)$/
/** Reports take a second; a window that hangs must not keep an export. */
const printWithinMs = 60_000
/** As the page itself asks, in case that one does not. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** The engine reads hostile slides: what it gives is shown as if a stranger had written it. */
function lockedSession(pageOf: () => string): Electron.Session {
  // Without "persist:" it is in memory alone.
  const own = session.fromPartition('print', { cache: false })
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: url !== pageUrl && !url.startsWith('data:') }))
  void own.setProxy({ mode: 'fixed_servers', proxyRules: '127.0.0.1:9', proxyBypassRules: '<-loopback>' })
  own.protocol.handle('morphoscope', () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
    return new Response(pageOf(), { headers })
  })
  return own
}

/** One page at a time (app/host/parent/printing.ts). Rejects where nothing comes of it. */
export function createPrint(): (page: string) => Promise<Uint8Array> {
  let page = ''
  let locked: Electron.Session | null = null
  return async (wanted) => {
    locked ??= lockedSession(() => page)
    page = wanted
    const window = new BrowserWindow({
      show: false,
      webPreferences: { session: locked, sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
    })
    const { webContents } = window
    webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
    webContents.on('will-frame-navigate', (event) => event.preventDefault())
    let late: NodeJS.Timeout | undefined
    try {
      return await Promise.race([
        window.loadURL(pageUrl).then(() =>
          webContents.printToPDF({
            pageSize: letter.test(app.getLocaleCountryCode()) ? 'Letter' : 'A4',
            printBackground: true,
            // Margins and page numbers are the page's own style.
            preferCSSPageSize: false,
            generateTaggedPDF: true,
            generateDocumentOutline: true,
          }),
        ),
        new Promise<never>((_, reject) => {
          late = setTimeout(() => reject(new Error('printing took longer than a minute')), printWithinMs)
        }),
      ])
    } finally {
      clearTimeout(late)
      page = ''
      window.destroy()
    }
  }
}
