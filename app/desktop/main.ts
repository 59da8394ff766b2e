// Starts the desktop app: one instance, one window, the engine in a process of its own, and a slide from the command line.
import { app, ipcMain, Menu, protocol, shell } from 'electron'
import type { BrowserWindow } from 'electron'
import { join, resolve } from 'node:path'
import type { AppEvent } from '../contract'
import { EngineClient } from '../host/parent/engineClient'
import { answersWithin, drawerOfSwitch, slideOfCommandLine, slideOfHandover } from './argv'
import { chooseDirectory, chooseRecipe, chooseSlide, chooseSlides } from './dialogs'
import { hostEngine } from './engineHost'
import { Grants } from './grants'
import { callChannel, cancelChannel, createCallHandler, droppedChannel, eventChannel } from './ipc'
import { choiceIn, followLanguage } from './language'
import { createMenu } from './menu'
import { createPrint } from './print'
import { createHandler, registerScheme } from './protocol'
import { tooOften } from './tooOften'
import { createWindow, lockSession } from './window'
import { WrittenFiles } from './writtenFiles'

const root = app.getAppPath()
const dist = join(root, 'dist')
const assets = join(root, 'assets')
/** What others than Electron open by its path lies beside a package's archive: the engine, the sample slide. */
const unpacked = (path: string) => path.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
const sampleSlide = unpacked(join(assets, 'samples', 'CMU-1-Small-Region.svs'))

let window: BrowserWindow | null = null
let loadPage = (): void => undefined
let grants: Grants | null = null
/** A slide asked for before there was a window (macOS opens files by an event). */
let initialSlide = slideOfCommandLine(process.argv, process.cwd(), Boolean(process.defaultApp))

function send(event: AppEvent): void {
  if (window && !window.isDestroyed()) window.webContents.send(eventChannel, event)
}

function showSlide(path: string): void {
  grants?.reading(path)
  if (!window) initialSlide = path
  else send({ type: 'slide:requested', path })
}

function raise(): void {
  if (!window) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

function start(): void {
  const showMenu = () =>
    Menu.setApplicationMenu(createMenu({ command: (command) => send({ type: 'command', command }), loadPage: () => loadPage() }))
  const language = followLanguage(choiceIn(app.getPath('userData')), app.getLocale(), showMenu)
  grants = new Grants(join(app.getPath('userData'), 'granted-folders.json'))
  const engine = new EngineClient({
    spawn: () => hostEngine(unpacked(join(dist, 'engine.mjs'))),
    settings: {
      shell: 'desktop',
      version: app.getVersion(),
      assetsDir: unpacked(assets),
      settingsDir: app.getPath('userData'),
      initialSlide,
      sampleSlide,
      dialogs: true,
    },
    print: createPrint(),
    log: ({ level, message, detail }) => console[level](detail ? `${message}\n${detail}` : message),
  })
  engine.onEvent(send)

  protocol.handle(
    'morphoscope',
    createHandler({
      rendererFolder: join(dist, 'renderer'),
      tile: async (request) => {
        const { pathname, search } = new URL(request.url)
        const { status, headers, body } = await engine.tile(pathname + search, request.signal)
        return new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers })
      },
    }),
  )
  const withWindow = <T>(ask: (window: BrowserWindow) => Promise<T>): Promise<T | null> =>
    window ? ask(window) : Promise.resolve(null)
  const handle = createCallHandler({
    grants,
    // Looked up at each call, as Electron has them then.
    written: new WrittenFiles({
      showItemInFolder: (path) => shell.showItemInFolder(path),
      openPath: (path) => shell.openPath(path),
    }),
    engine: async (name, arg, signal) => {
      const result = await engine.call(name, arg, signal)
      language.heard(name, result)
      return result
    },
    dialogs: {
      slide: () => withWindow(chooseSlide),
      slides: async () => (await withWindow(chooseSlides)) ?? [],
      directory: (arg) => withWindow((own) => chooseDirectory(own, arg)),
      recipe: (arg) => withWindow((own) => chooseRecipe(own, arg)),
    },
  })
  ipcMain.handle(callChannel, (event, name: unknown, arg: unknown, id: unknown) => handle.call(event, name, arg, id))
  ipcMain.on(droppedChannel, (event, path: unknown) => handle.dropped(event, path))
  ipcMain.on(cancelChannel, (event, id: unknown) => handle.cancel(event, id))

  showMenu()
  lockSession()
  // A page that closes its window each time must not come back for ever.
  const closesOften = tooOften(3, 60_000)
  const openWindow = () => {
    ;({ window, loadPage } = createWindow({
      preload: join(dist, 'preload.cjs'),
      icon: join(assets, 'icons', 'icon.png'),
      drawer: drawerOfSwitch(app.commandLine.getSwitchValue('drawer')),
      answersWithin: answersWithin(app.commandLine.getSwitchValue('page-answers-within')),
      pageGone: handle.pageGone,
      closed: (asked) => {
        window = null
        if (!asked && !closesOften()) openWindow()
      },
    }))
  }
  openWindow()

  app.on('activate', () => window ?? openWindow())
  app.on('window-all-closed', () => app.quit())
  let closed = false
  // After the windows have closed: the page may want to keep its own, and then nothing ends.
  app.on('will-quit', (event) => {
    if (closed) return
    // The engine removes its scratch files; the client ends it where that takes too long.
    event.preventDefault()
    void engine.close().finally(() => {
      closed = true
      app.quit()
    })
  })
}

// A failure outside any call must not take the window, and the user's unsaved look at a slide, with it.
process.on('uncaughtException', (error) => console.error('Unexpected:', error))
process.on('unhandledRejection', (error) => console.error('Unexpected:', error))

registerScheme(protocol)
// Settings and recent slides stay apart from what Chromium keeps.
app.setPath('sessionData', join(app.getPath('userData'), 'chromium'))
if (!app.requestSingleInstanceLock({ slide: initialSlide })) {
  app.quit()
} else {
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const slide = slideOfHandover(data)
    if (slide) showSlide(slide)
    raise()
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    showSlide(resolve(path))
  })
  // Not awaited: a module that waits for readiness at its top level would keep Electron from becoming ready.
  app.whenReady().then(start, (error: unknown) => {
    console.error('Morphoscope could not start:', error)
    app.exit(1)
  })
}
