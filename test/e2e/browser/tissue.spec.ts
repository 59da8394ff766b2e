// Whose tissue a browser shows and keeps: after a restart on the same port, after an engine's death, and on its disk.
import { chromium, expect, test } from '@playwright/test'
import type { BrowserContext, Page, Response } from '@playwright/test'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { findChromium } from '../../../app/setup/needs.mjs'
import { answered } from '../patience'
import { picture } from '../pixels'
import { seesOutlines, seesTissue, settled, viewerOf, zoomsToNuclei } from '../journey'
import { processesBelow, serverUrl } from '../processes'
import { drawing, kill, root, sample, scratch, whyNot } from '../shells'
import type { Shell, ShellName } from '../shells'

test.beforeAll(async ({ browserName: _ }, { project }) => {
  const reason = await whyNot(project.name as ShellName)
  test.skip(reason !== null, reason ?? '')
})

interface Server {
  readonly process: ChildProcess
  readonly url: string
}
async function serves(slide: string, port: number, folder: string, env: Record<string, string>): Promise<Server> {
  const args = ['serve', '--port', String(port), '--root', folder, '--root', dirname(slide), slide]
  const server = spawn(process.execPath, [join(root, 'dist', 'cli.mjs'), ...args], { cwd: root, env })
  return { process: server, url: await serverUrl(server) }
}
async function ends({ process: server }: Server): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
}

interface Seen {
  /** Path to how often it was asked for. */
  readonly asked: Map<string, number>
  /** SHA-256 of each tile's bytes. */
  readonly bytes: Map<string, Buffer>
  settled(): Promise<void>
}
/** Every tile of tissue that reaches the page, from wherever it comes. The page's own fetch is asked: Chromium shows no one else what becomes a blob. */
async function watches(page: Page): Promise<Seen> {
  const asked = new Map<string, number>()
  const bytes = new Map<string, Buffer>()
  page.on('response', (response: Response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/tile/')) asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
  })
  await page.exposeFunction('tellTile', (base64: string) => {
    const body = Buffer.from(base64, 'base64')
    bytes.set(createHash('sha256').update(body).digest('hex'), body)
  })
  await page.addInitScript(() => {
    const told: Promise<unknown>[] = []
    const get = window.fetch.bind(window)
    const tell = async (answer: globalThis.Response) => {
      const body = new Uint8Array(await answer.arrayBuffer())
      await (window as unknown as { tellTile: (text: string) => Promise<void> }).tellTile(
        btoa(Array.from(body, (byte) => String.fromCharCode(byte)).join('')),
      )
    }
    window.fetch = async (...args) => {
      const answer = await get(...args)
      // A request that was given up meanwhile reached nobody.
      if (answer.ok && new URL(answer.url).pathname.startsWith('/tile/')) told.push(tell(answer.clone()).catch(() => undefined))
      return answer
    }
    Object.assign(window, { tilesTold: () => Promise.all(told).then(() => undefined) })
  })
  return {
    asked,
    bytes,
    settled: () => page.evaluate(() => (window as unknown as { tilesTold: () => Promise<void> }).tilesTold()),
  }
}

const ids = (seen: Seen): Set<string> =>
  new Set([...seen.asked.keys()].map((path) => /\/([sr]\d+[^/]*)\//.exec(path)?.[1] ?? path))

/** How many of `needles` some file below `folder` holds. */
function foundBelow(folder: string, needles: readonly Buffer[]): number {
  const found = new Set<Buffer>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    for (const needle of needles) if (!found.has(needle) && bytes.includes(needle)) found.add(needle)
  }
  return found.size
}
/** From the middle of an image: what no header shares with another. */
const core = (body: Buffer): Buffer => body.subarray(body.length >> 1, (body.length >> 1) + 48)

test('no tile of another slide, of another server or of a dead engine is shown, and none is on the disk', async () => {
  const { folder, env } = scratch()
  // The sample's negative, with the sample's own tiles: at every level the same addresses but for the slide's id.
  const other = join(folder, 'negative.tif')
  await sharp(sample)
    .negate()
    .tiff({ tile: true, tileWidth: 240, tileHeight: 240, pyramid: true, compression: 'jpeg' })
    .toFile(other)
  const profile = join(folder, 'profile')
  const browser = (): Promise<BrowserContext> =>
    chromium.launchPersistentContext(profile, {
      executablePath: findChromium()!,
      args: [...drawing('canvas'), '--disable-background-networking', '--no-first-run'],
      chromiumSandbox: process.getuid?.() !== 0,
      viewport: { width: 1440, height: 900 },
    })

  let server = await serves(sample, 0, folder, env)
  const port = Number(new URL(server.url).port)
  let context = await browser()
  const first = await context.newPage()
  const before = await watches(first)
  const shell = { name: 'chromium', page: first, folder } as unknown as Shell
  await first.goto(server.url)
  await first.goto(`${new URL(server.url).origin}/?drawer=canvas`)
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await first.getByTestId('segment-visible').click()
  await seesOutlines(shell)

  // There and back again: the page's own memory answers, no tile is asked for anew. (The overview beside has a memory of its own, and
  // whether a slide is dark is seen from its coarsest tile.)
  await first.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (const key of ['f', '1', 'f', '1']) {
    await first.keyboard.press(key)
    await settled(first)
  }
  await before.settled()
  const levelOf = (path: string): number => Number(/^\/tile\/slide\/[^/]+\/(\d+)\//.exec(path)?.[1] ?? -1)
  const coarsest = Math.max(...[...before.asked.keys()].map(levelOf))
  const readers = (path: string): number => (levelOf(path) < 0 ? 1 : levelOf(path) < coarsest ? 2 : 3)
  const again = [...before.asked].filter(([path, times]) => times > readers(path))
  expect(again, 'tiles that were asked for again').toEqual([])

  // An engine that dies: the next one's tiles have names of their own.
  kill(processesBelow(server.process.pid!, 'engine.mjs'))
  const idsBefore = ids(before)
  await expect.poll(() => [...ids(before)].some((id) => !idsBefore.has(id)), answered).toBe(true)
  await seesTissue(shell)
  await before.settled()
  expect(before.bytes.size, 'tiles of the first slide').toBeGreaterThan(10)
  const page = await first.content()
  await context.close()
  await ends(server)

  const tissue = [...before.bytes.values()].filter((body) => body.length > 400).map(core)
  const scripts = [...page.matchAll(/(?:src|href)="\/?(assets\/[^"]+)"/g)].map((match) =>
    core(readFileSync(join(root, 'dist', 'renderer', match[1]!))),
  )
  expect(foundBelow(profile, scripts), 'the program itself, which may be kept: the search works').toBe(scripts.length)
  expect(foundBelow(profile, tissue), 'tiles of tissue on the disk').toBe(0)

  server = await serves(other, port, folder, env)
  context = await browser()
  const second = await context.newPage()
  const after = await watches(second)
  await second.goto(server.url)
  await second.goto(`${new URL(server.url).origin}/?drawer=canvas`)
  await expect(second.getByTestId('slide-name')).toContainText('negative.tif', answered)
  // White glass is black in the negative, and so is the viewer before anything is drawn.
  await expect.poll(() => after.bytes.size, { message: 'tiles of the second slide', ...answered }).toBeGreaterThan(2)
  await expect
    .poll(async () => {
      const { data } = await picture(viewerOf(second))
      return data.reduce((total, value) => total + value, 0) / data.length
    })
    .toBeLessThan(110)
  await after.settled()
  expect([...after.bytes.keys()].filter((sum) => before.bytes.has(sum))).toEqual([])
  expect([...ids(after)].filter((id) => ids(before).has(id))).toEqual([])
  await context.close()
  await ends(server)
  rmSync(folder, { recursive: true, force: true })
})
