// Work is not lost: runs are kept and listed, outlive their page, wait for each other, are ended by a question only, and end where they are seen.
// In the browser, where a page comes and goes while the engine works on; one thread, so that a long run is long on any machine.
import { expect, test } from '@playwright/test'
import type { Locator, Page, WebSocketRoute } from '@playwright/test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  drawsRectangle,
  endsWhenAsked,
  keepScreenshot,
  movesSlider,
  objectCount,
  runEnds,
  seesOutlines,
  seesTissue,
  settled,
  viewerOf,
  zoomsToNuclei,
} from '../journey'
import { patience } from '../patience'
import { darkestNucleus, overlay, picture } from '../pixels'
import { sample, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
/** The page's connection, which a test may cut or listen to. */
const wire = { away: false, sockets: new Set<WebSocketRoute>(), hold: null as string | null, held: [] as (() => void)[] }

withShell(
  async (started) => {
    shell = started
    copyFileSync(sample, join(shell.folder, 'other.svs'))
    await shell.page.routeWebSocket(/\/ws$/, (socket) => {
      if (wire.away) return void socket.close({ code: 1001 })
      wire.sockets.add(socket)
      const server = socket.connectToServer()
      const names = new Map<number, string>()
      socket.onMessage((message) => {
        const { id, name } = JSON.parse(String(message)) as { id: number; name: string }
        names.set(id, name)
        server.send(message)
      })
      server.onMessage((message) => {
        const { id } = JSON.parse(String(message)) as { id?: number }
        const send = () => socket.send(message)
        if (id !== undefined && wire.hold !== null && names.get(id)?.startsWith(wire.hold)) wire.held.push(send)
        else send()
      })
    })
    await shell.page.reload()
  },
  { settings: { threads: 1 } },
)
test.afterEach(async ({ browserName: _ }, { title, status }) => {
  if (status === 'failed' || status === 'timedOut') await keepScreenshot(shell, `failed-${title.replace(/\W+/g, '-')}`)
})

const rows = (page: Page): Locator => page.getByTestId('run-row')
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ has: page.getByText(name, { exact: true }) })
const objectsOf = async (row: Locator): Promise<number> =>
  Number(((await row.getByTestId('run-objects').textContent()) ?? '').replace(/[^\d]/g, '') || '0')
const stateOf = (row: Locator): Promise<string | null> => row.getAttribute('data-state')
const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

async function setsPixelSize(page: Page, value: string): Promise<void> {
  await page.getByTestId('param-image-pixelSizeUm').fill(value)
  await page.keyboard.press('Enter')
  await blur(page)
}

/** The whole slide at a hundred times its pixels. */
async function startsWhole(page: Page): Promise<Locator> {
  await page.keyboard.press('f')
  await setsPixelSize(page, '0.05')
  await page.keyboard.press('w')
  await page.getByTestId('run-whole-confirm').click()
  const row = rows(page).first()
  await expect(row).toHaveAttribute('data-state', 'running')
  return row
}

async function opens(name: string): Promise<void> {
  await shell.chooseFile(join(shell.folder, name), () => shell.page.getByTestId('open').click())
  await seesTissue(shell, name)
}

test('every run is kept: the field after the whole slide, a second rectangle after the first; previews lie under them', async () => {
  const { page } = shell
  await seesTissue(shell)
  await blur(page)
  await page.keyboard.press('w')
  await seesOutlines(shell)
  const whole = await objectCount(shell)
  await zoomsToNuclei(shell)
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(2)
  await runEnds(shell)
  const field = await objectsOf(rowOf(page, 'Visible field'))
  expect(field).toBeGreaterThan(3)
  expect(field).toBeLessThan(whole)
  expect(await objectsOf(rowOf(page, 'Whole slide'))).toBe(whole)
  await expect.poll(() => objectCount(shell)).toBe(field)
  // The figures of the other are a click away, and back.
  await rowOf(page, 'Whole slide').getByTestId('run-choose').click()
  await expect.poll(() => objectCount(shell)).toBe(whole)
  await rowOf(page, 'Visible field').getByTestId('run-choose').click()

  await drawsRectangle(shell, [0.2, 0.2], [0.4, 0.4])
  await expect(rows(page)).toHaveCount(3)
  await runEnds(shell)
  await drawsRectangle(shell, [0.6, 0.6], [0.8, 0.8])
  await expect(rows(page)).toHaveCount(4)
  await runEnds(shell)
  expect(await rows(page).getByTestId('run-state').allTextContents()).toHaveLength(4)
  await expect(rowOf(page, 'Rectangle, run 2')).toBeVisible()
  const rectangle = await objectsOf(rowOf(page, 'Rectangle, run 2'))
  await settled(page)
  await keepScreenshot(shell, '14-four-results')

  // A changed value is previewed on top and says so; the run's own number stays in sight, and comes back with its values.
  const before = await overlay(page)
  await movesSlider(shell, 'threshold-level', 'ArrowRight', 6)
  await expect(page.getByTestId('object-count-of')).toContainText('Preview')
  await expect(page.getByTestId('kept-count')).toHaveText(`${rectangle} objects`)
  await expect.poll(async () => (await overlay(page)).hash).not.toBe(before.hash)
  await keepScreenshot(shell, '14-preview-over-results')
  await page.getByTestId('reset-all').click()
  await expect.poll(() => objectCount(shell)).toBe(rectangle)
  await expect.poll(async () => (await overlay(page)).hash).toBe(before.hash)
  await expect(rows(page)).toHaveCount(4)

  // Hidden from the slide, not from the list.
  for (const row of await rows(page).all()) await row.getByTestId('run-show').click()
  await expect.poll(async () => (await overlay(page)).covered).toBe(0)
  for (const row of await rows(page).all()) await row.getByTestId('run-show').click()
  await expect.poll(async () => (await overlay(page)).hash).toBe(before.hash)
  // Deleted by key.
  await rowOf(page, 'Rectangle').getByTestId('run-choose').focus()
  await page.keyboard.press('Delete')
  await expect(rows(page)).toHaveCount(3)
  await expect(rowOf(page, 'Rectangle')).toHaveCount(0)
  await blur(page)
})

test('a page that is loaded again finds its run and its results; another tab sees it, lets one wait for it, and ends it', async () => {
  const { page } = shell
  await seesTissue(shell)
  const kept = await rows(page).count()
  await startsWhole(page)
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(0)
  const before = await objectCount(shell)
  await page.reload()
  await seesTissue(shell)
  await expect(rows(page)).toHaveCount(kept + 1)
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(before)
  // What was found before is drawn too.
  await expect.poll(async () => (await overlay(page)).coloured).toBeGreaterThan(0)

  const tab = await page.context().newPage()
  await tab.goto(page.url())
  const running = rows(tab).first()
  await expect(running).toHaveAttribute('data-state', 'running')
  // As large a run has to wait, and says for what.
  await tab.getByLabel('More ways to choose a region').click()
  await tab.getByText('Type its coordinates…').click()
  await tab.getByTestId('region-width').fill('1900')
  await tab.getByTestId('region-go').click()
  await tab.getByTestId('run-whole-confirm').click()
  await expect(rows(tab).first().getByTestId('run-state')).toHaveText(/^queued: waits for Whole slide/)
  await expect(rows(page)).toHaveCount(kept + 2)
  await expect(rows(page).first()).toHaveAttribute('data-state', 'queued')
  await keepScreenshot(shell, '15-queued')
  await tab.screenshot({ path: 'test-results/screenshots/chromium-15-queued-second-tab.png', animations: 'disabled' })
  await rows(tab).first().getByTestId('run-delete').click()
  await expect(rows(page)).toHaveCount(kept + 1)
  await endsWhenAsked(
    tab,
    rows(tab).first().getByTestId('run-cancel'),
    async () => (await stateOf(rows(tab).first())) === 'cancelled',
  )
  await expect(rows(tab).first().getByTestId('run-state')).toContainText('cancelled at')
  await expect(rows(page).first().getByTestId('run-state')).toContainText('cancelled at')
  expect(await objectsOf(rows(page).first())).toBeGreaterThan(0)
  await tab.close()
  await settled(page)
  await keepScreenshot(shell, '15-cancelled')
})

test('one Escape ends no long run: it asks', async () => {
  const { page } = shell
  await seesTissue(shell)
  const row = await startsWhole(page)
  // From here on a slip would cost something.
  await expect
    .poll(async () => page.evaluate(() => (window.__morphoscope!.run as { elapsedMs: number }).elapsedMs))
    .toBeGreaterThan(5200)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('question')).toContainText('End “Whole slide')
  await keepScreenshot(shell, '16-esc-asks')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('question')).toBeHidden()
  await expect(row).toHaveAttribute('data-state', 'running')
  // A deletion asks too.
  await row.getByTestId('run-delete').click()
  await expect(page.getByTestId('question')).toContainText('Delete “Whole slide')
  await page.getByTestId('question-no').click()
  await expect(page.getByTestId('question')).toBeHidden()
  await expect(row).toHaveAttribute('data-state', 'running')
})

test('another slide is opened while it runs: it goes on, is listed, can be ended there, and is found when one comes back', async () => {
  const { page } = shell
  await seesTissue(shell)
  if ((await rows(page).first().getAttribute('data-state')) !== 'running') await startsWhole(page)
  const kept = await rows(page).count()
  await opens('other.svs')
  await expect(rows(page)).toHaveCount(0)
  await expect(page.getByTestId('elsewhere-row')).toContainText('CMU-1-Small-Region.svs')
  await expect(page.getByText(/is still running on CMU-1-Small-Region\.svs/)).toBeVisible()
  await keepScreenshot(shell, '17-elsewhere')
  await page.getByTestId('elsewhere-open').click()
  await seesTissue(shell)
  await expect(rows(page)).toHaveCount(kept)
  await expect(rows(page).first()).toHaveAttribute('data-state', 'running')
  await page.keyboard.press('Escape')
  await page.getByTestId('question-yes').click()
  await expect(rows(page).first().getByTestId('run-state')).toContainText('cancelled at')
})

test('an answer to a click that comes after another slide was opened is not shown on that one', async () => {
  const { page } = shell
  await seesTissue(shell)
  if ((await rows(page).count()) > 0) {
    await endsWhenAsked(page, page.getByTestId('clear-results'), async () => (await rows(page).count()) === 0)
  }
  await setsPixelSize(page, '0')
  await zoomsToNuclei(shell)
  wire.hold = 'object:'
  await viewerOf(page).click({ position: darkestNucleus(await picture(viewerOf(page))) })
  await expect.poll(() => wire.held.length).toBe(1)
  await opens('other.svs')
  wire.hold = null
  for (const send of wire.held.splice(0)) send()
  // A call that is answered after it: by then the answer to the click has been read.
  await page.getByTestId('open').click()
  await expect(page.getByRole('dialog').getByText('other.svs')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'none')
  await page.getByTestId('recent').click()
  await page.getByRole('menuitem', { name: /CMU-1/ }).click()
  await seesTissue(shell)
  await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'none')
})

test('what is announced while the connection is away is there when it is back', async () => {
  const { page } = shell
  await seesTissue(shell)
  await page.keyboard.press('f')
  await settled(page)
  await setsPixelSize(page, '0.3')
  await page.keyboard.press('w')
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(0)
  wire.away = true
  for (const socket of wire.sockets) void socket.close({ code: 1001 })
  await expect(page.getByTestId('error-banner')).toContainText('connection to the server is lost')
  // Another page, whose connection holds, sees the end.
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await expect(rows(tab).first()).toHaveAttribute('data-state', 'done', patience)
  await tab.close()
  wire.away = false
  await expect(page.getByTestId('error-banner')).toBeHidden()
  await expect(rows(page).first()).toHaveAttribute('data-state', 'done', patience)
  await settled(page)
  const back = await overlay(page)
  await page.reload()
  await seesTissue(shell)
  await page.keyboard.press('f')
  await settled(page)
  await expect.poll(async () => (await overlay(page)).hash).toBe(back.hash)
})

test('the engine dies during a run: “Run again” belongs to its slide, and a slide that crashed it is offered, not opened', async () => {
  const { page } = shell
  await seesTissue(shell)
  await startsWhole(page)
  shell.killEngine()
  // From where it was, if it had come anywhere yet.
  await expect(page.getByTestId('run-again').or(page.getByTestId('banner-resume'))).toBeVisible()
  await seesTissue(shell)
  await opens('other.svs')
  await expect(page.getByTestId('error-banner')).toBeHidden()
  await expect(rows(page)).toHaveCount(0)
  // Nothing runs, so that nothing is to be run again.
  shell.killEngine('SIGSEGV')
  await expect(page.getByTestId('open-again')).toContainText('other.svs')
  await expect(page.getByTestId('slide-name')).toHaveCount(0)
  await keepScreenshot(shell, '18-offered')
  await page.getByTestId('open-again').click()
  await seesTissue(shell, 'other.svs')
  await expect(page.getByTestId('error-banner')).toBeHidden()
  // The third end in a row: no other comes by itself, and a tab that begins then can start one.
  shell.killEngine()
  await expect(page.getByTestId('restart-engine')).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await expect(tab.getByTestId('error-banner')).toContainText('3 times in a row')
  await keepScreenshot({ ...shell, page: tab }, '18-given-up')
  await tab.getByTestId('restart-engine').click()
  await expect(tab.getByTestId('error-banner')).toBeHidden()
  await tab.close()
})
