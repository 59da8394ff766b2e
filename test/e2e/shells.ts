// The two shells that the journeys run in, behind one interface: the real Electron, and a real Chromium at `morphoscope serve`.
import { _electron, chromium, expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Language, Settings } from '../../app/contract'
import { findElectron, noDisplayReason, sandboxArgs } from '../../app/setup/electron.mjs'
import { findChromium } from '../../app/setup/needs.mjs'
import { processesBelow, serverUrl } from './processes'

export const root = join(import.meta.dirname, '..', '..')
export const sample = join(root, 'assets', 'samples', 'CMU-1-Small-Region.svs')
export type ShellName = 'electron' | 'chromium'

export interface Shell {
  readonly name: ShellName
  readonly page: Page
  /** Gone with the shell; the browser shell may read and write below it. */
  readonly folder: string
  /** The address that was printed, used by now (browser). */
  readonly url?: string
  /** Puts what the page saves itself at a path, by the system's dialog or as the browser does. */
  savesTo: (path: string, press: () => Promise<void>) => Promise<void>
  /** What the page saves itself when this is done: its name, and its bytes. */
  saves: (press: () => Promise<void>) => Promise<{ name: string; bytes: Buffer<ArrayBuffer> }>
  /** A page that was exported, as its reader opens it from the disk. */
  reads: (path: string) => Promise<Page>
  /** Ends the engine's process: from outside, unless a signal says that it crashed. */
  killEngine: (signal?: NodeJS.Signals) => void
  /** Answers the next system dialog (desktop), or types the path into the page's own (browser). */
  chooseFile: (path: string, open: () => Promise<void>) => Promise<void>
  /** Several slides, all below `folder`: the same. */
  chooseFiles: (paths: string[], open: () => Promise<void>) => Promise<void>
  chooseDirectory: (path: string) => Promise<void>
  /** Answers the system's dialog for saving while `ask` runs (desktop). */
  choosePathToSave?: <T>(path: string, ask: () => Promise<T>) => Promise<T>
  /** What the system is asked to open and to show while this is done (desktop). */
  opens?: (press: () => Promise<void>, count: number) => Promise<{ opened: string[]; shown: string[] }>
  /** Asks the program to end; gives what it asks back, which is answered with its first button; null: it has ended (desktop). */
  quitAsks?: () => Promise<string | null>
  /** Chooses the item of the native menu that is this command's, and tells what it says and its keys (desktop). */
  readonly chooseInMenu?: (command: string, only?: 'look') => Promise<{ label: string; accelerator: string | null }>
  /** What a script in the window's page comes to, asked by the program: also after its process has ended. null: it does not answer (desktop). */
  inWindow?: (script: string) => Promise<unknown>
  /** As a keyboard gives it: the program has it before the page, which no key of Playwright's comes to (desktop). */
  keyInWindow?: (key: string) => Promise<void>
  /** The window that comes after this one is closed (desktop). */
  nextWindow?: (close: () => Promise<unknown>) => Promise<Page>
  /** Of the page, in CSS px. */
  resize: (width: number, height: number) => Promise<void>
  close: () => Promise<void>
  /** All of its processes at once, as a machine's or a system's end takes them; the folder stays. */
  dies: () => Promise<void>
  /** Starts the program once more with the same settings, and resolves when that second start has ended (desktop). */
  startAgain?: (slide: string) => Promise<void>
}

export const softwareGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
/** Without WebGL the page is drawn without a GPU's emulation. */
export const drawing = (drawer: 'canvas' | 'webgl') => (drawer === 'webgl' ? softwareGl : ['--disable-gpu'])
const isRoot = process.getuid?.() === 0

/** Why a shell cannot be started here, for the skip's reason, or null. */
export async function whyNot(name: ShellName): Promise<string | null> {
  if (name === 'chromium') return findChromium() ? null : 'Chromium is not installed (Debian: chromium)'
  if (process.env['MORPHOSCOPE_NO_ELECTRON']) return process.env['MORPHOSCOPE_NO_ELECTRON']
  const electron = await findElectron()
  return electron.reason ?? noDisplayReason() ?? sandboxArgs(electron.path).reason ?? null
}

export function kill(pids: number[], signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pids.length === 0) throw new Error('the engine has no process to end')
  for (const pid of pids) process.kill(pid, signal)
}

/** `before`: the folder of a shell that died, with the settings and documents that it left. */
export function scratch(settings: Partial<Settings> = {}, before?: string): { folder: string; env: Record<string, string> } {
  const folder = before ?? mkdtempSync(join(tmpdir(), 'morphoscope-e2e-'))
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
  // Settings and recent files of whoever runs the tests stay out of them, and theirs out of his.
  env['MORPHOSCOPE_NODE'] = process.execPath
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) {
    env[`XDG_${name}_HOME`] = join(folder, name.toLowerCase())
    mkdirSync(env[`XDG_${name}_HOME`]!, { recursive: true })
  }
  if (before) return { folder, env }
  for (const name of ['morphoscope', 'Morphoscope']) {
    mkdirSync(join(env['XDG_CONFIG_HOME']!, name))
    const file = { format: 'morphoscope-settings', version: 1, settings }
    writeFileSync(join(env['XDG_CONFIG_HOME']!, name, 'settings.json'), JSON.stringify(file))
  }
  return { folder, env }
}

export interface LaunchOptions {
  /** null: none is named, as where a person starts the program from its icon. */
  slide?: string | null
  /** Of a shell that died: its settings and documents. */
  folder?: string
  /** canvas is fast without a GPU; webgl is what users have. */
  drawer?: 'canvas' | 'webgl'
  /** Settings that are there at the start. */
  settings?: Partial<Settings>
  /** More of the desktop's command line. */
  switches?: string[]
  /** The system's: a window that was told nothing else follows it. Journeys look at the dark one unless they say so. */
  colorScheme?: 'dark' | 'light'
  /** The system's: English, unless it is said. */
  language?: Language
}

const localeEnvironment: Readonly<Record<Language, Record<string, string>>> = {
  en: { LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en' },
  de: { LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' },
}

async function launchElectron({
  slide = sample,
  drawer = 'canvas',
  settings,
  colorScheme = 'dark',
  language = 'en',
  folder: before,
  switches = [],
}: LaunchOptions): Promise<Shell> {
  const electron = await findElectron()
  if (!electron.path) throw new Error(electron.reason)
  const { folder, env } = scratch(settings, before)
  const sandbox = sandboxArgs(electron.path).args ?? []
  const app = await _electron.launch({
    executablePath: electron.path,
    args: [...sandbox, ...drawing(drawer), `--drawer=${drawer}`, ...switches, root, ...(slide === null ? [] : [slide])],
    env: { ...env, ...localeEnvironment[language] },
    colorScheme,
  })
  app.process().stderr?.on('data', (text) => process.env['MORPHOSCOPE_E2E_LOG'] && process.stderr.write(String(text)))
  const page = await app.firstWindow()
  const pid = app.process().pid!
  const answer = (paths: string[]) =>
    app.evaluate(({ dialog }, filePaths) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths })
    }, paths)
  /** Without a dialog; gives the name that the page has for it once all of it is there. */
  const savesNext = async (path: string, press: () => Promise<void>): Promise<string> => {
    const saved = await app.evaluateHandle(({ session }, to) => {
      const file = { name: '', state: '' }
      session.defaultSession.once('will-download', (_event, item) => {
        file.name = item.getFilename()
        item.setSavePath(to)
        item.once('done', (_done, state) => void (file.state = state))
      })
      return file
    }, path)
    await press()
    await expect.poll(async () => (await saved.jsonValue()).state).toBe('completed')
    return (await saved.jsonValue()).name
  }
  return {
    name: 'electron',
    page,
    folder,
    savesTo: async (path, press) => void (await savesNext(path, press)),
    async saves(press) {
      const path = join(folder, `saved-${Date.now()}`)
      const name = await savesNext(path, press)
      return { name, bytes: readFileSync(path) }
    },
    async reads(path) {
      // The desktop's window opens nothing but the app.
      const browser = await chromium.launch({ executablePath: findChromium()!, chromiumSandbox: !isRoot })
      const read = await browser.newPage()
      read.once('close', () => void browser.close())
      await read.goto(pathToFileURL(path).href)
      return read
    },
    killEngine: (signal) => kill(processesBelow(pid, 'engine.mjs'), signal),
    async chooseFile(path, open) {
      await answer([path])
      await open()
    },
    async chooseFiles(paths, open) {
      await answer(paths)
      await open()
    },
    async opens(press, count) {
      const asked = await app.evaluateHandle(({ shell }) => {
        const all = { opened: [] as string[], shown: [] as string[] }
        shell.openPath = async (path) => (all.opened.push(path), '')
        shell.showItemInFolder = (path) => void all.shown.push(path)
        return all
      })
      await press()
      await expect.poll(async () => Object.values(await asked.jsonValue()).flat()).toHaveLength(count)
      return asked.jsonValue()
    },
    async choosePathToSave(path, ask) {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
      }, path)
      return ask()
    },
    async chooseDirectory(path) {
      await answer([path])
      await page.getByRole('button', { name: 'Choose…' }).click()
      await expect(page.getByTestId('export-directory')).toHaveValue(path)
    },
    keyInWindow: (key) =>
      app.evaluate(({ BrowserWindow }, keyCode) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!
        for (const type of ['keyDown', 'keyUp'] as const) webContents.sendInputEvent({ type, keyCode })
      }, key),
    inWindow: (script) =>
      app.evaluate(
        ({ BrowserWindow }, code) =>
          Promise.race([
            BrowserWindow.getAllWindows()[0]!.webContents.mainFrame.executeJavaScript(code),
            new Promise((resolve) => setTimeout(() => resolve(null), 1000)),
          ]).catch(() => null),
        script,
      ),
    async nextWindow(close) {
      const [next] = await Promise.all([app.waitForEvent('window'), close()])
      return next
    },
    chooseInMenu: (command, only) =>
      app.evaluate(
        ({ Menu }, [id, look]) => {
          const item = Menu.getApplicationMenu()?.getMenuItemById(id)
          if (!item) throw new Error(`the menu has no item ${id}`)
          // Electron types it as any function.
          if (look === undefined) (item.click as () => void)()
          return { label: item.label, accelerator: item.accelerator ? String(item.accelerator) : null }
        },
        [command, only] as const,
      ),
    resize: (width, height) =>
      app.evaluate(
        ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]!.setContentSize(size[0]!, size[1]!),
        [width, height],
      ),
    startAgain: (other) =>
      new Promise((resolve, reject) => {
        const again = spawn(electron.path, [...sandbox, root, other], { env, stdio: 'ignore' })
        again.on('error', reject)
        again.on('exit', () => resolve())
      }),
    quitAsks: async () => {
      const ended = new Promise<null>((resolve) => app.process().once('exit', () => resolve(null)))
      const asked = app.evaluate(
        ({ app: own, dialog }) =>
          new Promise<string>((resolve) => {
            dialog.showMessageBoxSync = (...args: unknown[]) => {
              const { message } = args.at(-1) as { message: string }
              resolve(message)
              return 0
            }
            own.quit()
          }),
      )
      return Promise.race([ended, asked.catch(() => ended)])
    },
    async close() {
      // A run that a failed test left must not keep the window.
      await app.evaluate(({ dialog }) => void (dialog.showMessageBoxSync = () => 1)).catch(() => undefined)
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
    async dies() {
      const ended = new Promise((resolve) => app.process().once('exit', resolve))
      kill([pid, ...processesBelow(pid, '')])
      await ended
    },
  }
}

async function launchChromium({
  slide = sample,
  drawer = 'canvas',
  settings,
  colorScheme = 'dark',
  language = 'en',
  folder: before,
}: LaunchOptions): Promise<Shell> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('there is no Chromium')
  const { folder, env } = scratch(settings, before)
  const named = slide === null ? [] : [slide]
  const roots = ['--root', folder, '--root', dirname(slide ?? sample)]
  const args = [join(root, 'dist', 'cli.mjs'), 'serve', '--port', '0', ...roots, ...named]
  const server = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await serverUrl(server)
  const quiet = [
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const browser = await chromium.launch({ executablePath, args: [...drawing(drawer), ...quiet], chromiumSandbox: !isRoot })
  // Of one context, so that a test can open more tabs of the same user.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme,
    locale: language === 'de' ? 'de-AT' : 'en-US',
  })
  const page = await context.newPage()
  // The first address carries the token and leaves a key in the page's storage; the second is the page as it is bookmarked.
  await page.goto(url)
  await page.waitForURL((now) => !now.search.includes('token'))
  await page.goto(`${new URL(url).origin}/?drawer=${drawer}`)
  return {
    name: 'chromium',
    page,
    folder,
    url,
    async savesTo(path, press) {
      const download = page.waitForEvent('download')
      await press()
      await (await download).saveAs(path)
    },
    async saves(press) {
      const [file] = await Promise.all([page.waitForEvent('download'), press()])
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
    },
    async reads(path) {
      const read = await context.newPage()
      await read.goto(pathToFileURL(path).href)
      return read
    },
    killEngine: (signal) => kill(processesBelow(server.pid!, 'engine.mjs'), signal),
    async chooseFile(path, open) {
      await open()
      await page.getByTestId('open-path').fill(path)
      await page.getByTestId('open-path').press('Enter')
    },
    async chooseFiles(paths, open) {
      await open()
      const files = page.getByTestId('files')
      await files.getByRole('button', { name: basename(folder) }).click()
      for (const path of paths) await files.getByRole('button', { name: basename(path) }).click()
      await page.getByTestId('add-chosen').click()
    },
    async chooseDirectory(path) {
      await page.getByTestId('export-directory').fill(path)
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    async close() {
      await browser.close()
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
    async dies() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      kill([server.pid!, ...processesBelow(server.pid!, '')])
      await ended
      await browser.close()
    },
  }
}

export function launch(name: ShellName, options: LaunchOptions = {}): Promise<Shell> {
  return name === 'electron' ? launchElectron(options) : launchChromium(options)
}

/**
 * One shell of the project's for all tests of a file, given to `take` before the first and closed after the last; without one they are
 * skipped. They go on from where the one before left the window: what fails is tried again from the first of them on, and after a second
 * failure the rest need not wait for what cannot come.
 */
export function withShell(
  take: (shell: Shell) => void | Promise<void>,
  options: LaunchOptions = {},
): { killedAndStartedAgain: () => Promise<void> } {
  test.describe.configure({ mode: 'serial' })
  let shell: Shell | undefined
  test.beforeAll(async ({ browserName: _ }, { project }) => {
    const name = project.name as ShellName
    const reason = await whyNot(name)
    test.skip(reason !== null, reason ?? '')
    shell = await launch(name, options)
    await take(shell)
  })
  test.afterAll(async () => shell?.close())
  return {
    /** SIGKILL to all of the program, and a start from its icon: no slide is named. `take` gets what is there then. */
    async killedAndStartedAgain() {
      const { name, folder } = shell!
      await shell!.dies()
      shell = await launch(name, { ...options, slide: null, folder })
      await take(shell)
    },
  }
}
