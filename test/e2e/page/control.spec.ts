// A run in the window's hands, in both shells: paused and gone on with, its timeline read, and gone on with after the engine's death.
import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { keepScreenshot, objectCount, seesTissue } from '../journey'
import { patience, soon } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started), { settings: { threads: 2 } })

const rows = (page: Page): Locator => page.getByTestId('run-row')
const progress = (page: Page): Locator => page.getByTestId('progress')
const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
const tilesDone = async (page: Page): Promise<number> =>
  Number(/([\d\s, ]+)\//.exec((await progress(page).textContent()) ?? '')?.[1]?.replace(/\D/g, '') ?? '0')

/** The whole slide at some thirteen times its pixels: seconds of work on any machine. */
async function startsWhole(page: Page): Promise<Locator> {
  await page.getByTestId('param-image-pixelSizeUm').fill('0.14')
  await page.keyboard.press('Enter')
  await blur(page)
  const confirm = page.getByTestId('run-whole-confirm')
  const begun = confirm.or(progress(page).and(page.locator('[data-state="running"][data-purpose="run"]')))
  // Of an engine that has just died the slide may still be seen while the next one opens it: what is asked for meanwhile is not done.
  await expect(async () => {
    if (!(await begun.isVisible())) await page.keyboard.press('w')
    await expect(begun).toBeVisible(soon)
  }).toPass(patience)
  if (await confirm.isVisible()) await confirm.click()
  const row = rows(page).first()
  await expect(row).toHaveAttribute('data-state', 'running')
  return row
}

test('K pauses a run, which then does nothing, and goes on with it', async () => {
  const { page } = shell
  await seesTissue(shell)
  const row = await startsWhole(page)
  await expect.poll(() => tilesDone(page), patience).toBeGreaterThan(0)
  await page.keyboard.press('k')
  await expect(row).toHaveAttribute('data-state', 'paused')
  await expect(progress(page)).toHaveAttribute('data-state', 'paused')
  await expect(progress(page)).toContainText('K goes on')
  await expect(page.getByTestId('pause')).toHaveAttribute('aria-pressed', 'true')
  // What was under way comes to its end; from then on nothing does.
  await expect(progress(page)).toContainText('Whole slide paused', patience)
  const before = await tilesDone(page)
  await shell.resize(1280, 800)
  await keepScreenshot(shell, '40-paused-1280x800')
  await shell.resize(1440, 900)
  expect(await tilesDone(page)).toBe(before)
  // By its button, and in the desktop by its menu.
  if (shell.chooseInMenu) expect((await shell.chooseInMenu('pause')).label).toMatch(/Pause/)
  else await page.getByTestId('pause').click()
  await expect(row).toHaveAttribute('data-state', 'running')
  await expect.poll(() => tilesDone(page), patience).toBeGreaterThan(before)
  // Looked at below while nothing else moves.
  await page.keyboard.press('k')
  await expect(row).toHaveAttribute('data-state', 'paused')
})

test('T shows what the run did when: by hand, by key, and in words', async () => {
  const { page } = shell
  await page.keyboard.press('t')
  const timeline = page.getByTestId('timeline')
  await expect(timeline).toBeVisible()
  await expect(page.getByTestId('timeline-busy')).toContainText(
    /cpu: \d+ windows? at once, busy \d+ % of the time.*paused 2 times/,
  )
  await expect(timeline).toContainText('read')
  // Which algorithms the stages came to, with their figures.
  const work = page.getByTestId('timeline-work')
  await expect(work.locator('tr', { hasText: 'split: watershed' })).toContainText(/cpuarrows \+ queue of plateaus[1-9]/)
  const canvas = page.getByTestId('timeline-canvas')
  await canvas.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('timeline-window')).toContainText(/cpu: \d+ tiles? from \d+, \d+, .* to .*: .* m?s/)
  // Many colours are drawn, and the chosen window's frame.
  const colours = await canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
    const seen = new Map<number, number>()
    for (let i = 0; i < data.length; i += 4) {
      const colour = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!
      seen.set(colour, (seen.get(colour) ?? 0) + 1)
    }
    return [...seen].filter(([, count]) => count > 30).length
  })
  expect(colours).toBeGreaterThan(6)
  const box = (await canvas.boundingBox())!
  // Somewhere on the first lane: between two windows there is nothing to point at.
  let at = 0.06
  await expect
    .poll(async () => {
      await page.mouse.move(box.x + box.width * (at += 0.007), box.y + 9)
      return page.getByTestId('timeline-window').textContent()
    })
    .toMatch(/cpu: /)
  await keepScreenshot(shell, '41-timeline-1440x900')
  await shell.resize(1280, 800)
  await keepScreenshot(shell, '41-timeline-1280x800')
  await shell.resize(1440, 900)
  const saved = await shell.saves(() => page.getByTestId('timeline-save-svg').click())
  expect(saved.name).toMatch(/-timeline\.svg$/)
  expect(saved.bytes.toString()).toMatch(/cpu: [^]*watershed: arrows/)
  await page.keyboard.press('Escape')
  await expect(timeline).toBeHidden()
  // A dialog's Escape ends no run.
  await expect(rows(page).first()).not.toHaveAttribute('data-state', 'cancelled')
})

test('a run whose engine dies is offered again, goes on where it was, and finds what it would have found', async () => {
  const { page } = shell
  const row = rows(page).first()
  await page.keyboard.press('k')
  await expect(row).toHaveAttribute('data-state', 'done', patience)
  const wanted = await objectCount(shell)
  expect(wanted).toBeGreaterThan(1000)
  await row.getByTestId('run-delete').click()
  const yes = page.getByTestId('question-yes')
  await expect
    .poll(async () => ((await yes.isVisible()) && (await yes.click().catch(() => undefined)), rows(page).count()))
    .toBe(0)

  // Another that has the same to find: its results must not be kept from before, so its engine is another.
  shell.killEngine()
  await seesTissue(shell)
  await startsWhole(page)
  await expect.poll(() => tilesDone(page), patience).toBeGreaterThan(100)
  shell.killEngine()
  const cut = page.getByTestId('interrupted-row')
  await page.getByRole('button', { name: /^Interrupted/ }).click(patience)
  await expect(cut).toHaveCount(1, patience)
  await expect(cut).toContainText(/CMU-1-Small-Region\.svs.*Whole slide: interrupted at \d+ %/)
  await keepScreenshot(shell, '42-cut-off-1440x900')
  await shell.resize(1280, 800)
  await keepScreenshot(shell, '42-cut-off-1280x800')
  await shell.resize(1440, 900)
  await page.getByTestId('interrupted-discard').click()
  await expect(page.getByTestId('question-yes')).toHaveText('Throw it away')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(cut).toHaveCount(1)
  await page.getByTestId('interrupted-resume').click()
  await expect(cut).toHaveCount(0)
  await expect(rows(page).first()).toHaveAttribute('data-state', 'done', patience)
  await expect.poll(() => objectCount(shell)).toBe(wanted)
  await page.keyboard.press('t')
  await expect(page.getByRole('dialog')).toContainText(/of which a run that was interrupted had \d+/)
  await page.keyboard.press('Escape')
})
