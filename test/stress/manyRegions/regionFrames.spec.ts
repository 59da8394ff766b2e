// How long frames take while a hand pans over 100,000 regions, and how soon an edit and its taking back are on the screen. By hand:
//   REGIONS=100000 npx playwright test --config test/stress/playwright.config.ts regionFrames
// OBJECTS=1000000: over that many objects as well, on a slide that is made for it. SHELL_NAME=electron: there. WINDOW=900x600: its size.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepScreenshot, objectCount, seesTissue, settled, viewerOf } from '../../e2e/journey'
import { makesMany } from '../../e2e/makesMany'
import { launch, sample, whyNot } from '../../e2e/shells'
import type { Shell, ShellName } from '../../e2e/shells'
import { panned } from '../panned'
import { manyRegions } from './regionsFile'

const count = Number(process.env['REGIONS'] ?? 100_000)
const objects = Number(process.env['OBJECTS'] ?? 0)
const seconds = Number(process.env['SECONDS'] ?? 6)
const name = (process.env['SHELL_NAME'] ?? 'chromium') as ShellName
/** Of the window, CSS px: where a machine draws in software, a smaller one says what is ours. */
const [width, height] = (process.env['WINDOW'] ?? '1280x800').split('x').map(Number) as [number, number]
const soon = { timeout: 120_000 }

/**
 * Milliseconds from a key to the second frame after the regions, or their canvas, are others. The page listens before the key is pressed: input
 * overtakes a script that was sent before it, and nobody would hear that key.
 */
async function untilOther(page: Page, press: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const look = (): string => {
      const [many, layer] = ['many-regions', 'regions'].map((id) => document.querySelector(`[data-testid="${id}"]`))
      return `${many?.getAttribute('data-painted')} ${layer?.innerHTML.length} ${layer?.querySelectorAll('path').length}`
    }
    const before = look()
    const other = new Promise<number>((resolve) => {
      const wait = (from: number): void => {
        if (look() === before && performance.now() - from < 20_000) return void requestAnimationFrame(() => wait(from))
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)))
      }
      addEventListener('keydown', (event) => wait(event.timeStamp), { capture: true, once: true })
    })
    Object.assign(window, { other })
  })
  await press()
  return Math.round(await page.evaluate(() => (window as unknown as { other: Promise<number> }).other))
}

/**
 * Frames while a hand pans; of the page's thread the CPU ms a frame, in all and of scripts, which say the same on a machine where others work;
 * and how many tasks kept the thread for more than 50 ms.
 */
async function pans(shell: Shell): Promise<object> {
  const client = await shell.page.context().newCDPSession(shell.page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const used = async (): Promise<number[]> => {
    const { metrics } = await client.send('Performance.getMetrics')
    return ['TaskDuration', 'ScriptDuration'].map((each) => 1000 * metrics.find(({ name: one }) => one === each)!.value)
  }
  await shell.page.evaluate(() => {
    const long: number[] = []
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)))
    observer.observe({ type: 'longtask' })
    Object.assign(window, { long })
  })
  const before = await used()
  const frames = await panned(shell, seconds)
  const after = await used()
  const [cpuMs, scriptMs] = after.map((value, i) => Math.round((10 * (value - before[i]!)) / frames.frames) / 10)
  const long = await shell.page.evaluate(() => (window as unknown as { long: number[] }).long.length)
  await client.detach()
  return { ...frames, cpuMs, scriptMs, long }
}

const views = [
  ['far', 0],
  ['middle', 3],
  ['near', 4],
] as const

/** The same views, each time. */
async function pansAll(shell: Shell, what: string): Promise<Record<string, object>> {
  const { page } = shell
  const figures: Record<string, object> = {}
  await page.keyboard.press('f')
  for (const [view, zooms] of views) {
    for (let n = 0; n < zooms; n++) await page.keyboard.press('+')
    await settled(page)
    await page.waitForTimeout(1000)
    await keepScreenshot(shell, `many-regions-${what}-${view}`)
    figures[view] = await pans(shell)
  }
  await page.keyboard.press('f')
  await settled(page)
  return figures
}

async function opensMany(shell: Shell): Promise<{ widthPx: number; heightPx: number }> {
  const { page } = shell
  if (objects === 0) return { widthPx: 2220, heightPx: 2967 }
  const path = await makesMany(shell.folder, objects)
  const side = Math.ceil(Math.sqrt(objects / 900)) * 1000
  await page.keyboard.press('Shift+J')
  const press = (): Promise<void> => page.getByTestId('start-project').click()
  if (name === 'electron') await shell.chooseFile(path, press)
  else {
    await press()
    await page.getByTestId('path-input').fill(path)
    await page.keyboard.press('Enter')
  }
  await expect(page).toHaveTitle(/^many\.tif/, soon)
  await expect.poll(() => objectCount(shell), soon).toBe(objects)
  return { widthPx: side, heightPx: side }
}

test(`frames over ${count} regions`, async () => {
  const reason = await whyNot(name)
  test.skip(reason !== null, reason ?? '')
  const shell = await launch(name, { slide: sample })
  const { page } = shell
  try {
    await seesTissue(shell)
    const slide = await opensMany(shell)
    await shell.resize(width, height)
    const viewer = await viewerOf(page).boundingBox()
    const figures: Record<string, unknown> = {}
    if (objects > 0) {
      await page.keyboard.press('o')
      figures['bare'] = await pansAll(shell, 'bare')
      await page.keyboard.press('o')
    }
    figures['without'] = await pansAll(shell, 'without')
    const path = join(shell.folder, 'many.geojson')
    await writeFile(path, manyRegions(count, slide))
    const from = Date.now()
    await page.getByTestId('region-import').setInputFiles(path)
    await expect(page.getByTestId('region-row').first()).toBeVisible(soon)
    const importMs = Date.now() - from
    figures['with'] = await pansAll(shell, 'with')
    console.log(JSON.stringify({ shell: name, count, objects, viewer, importMs, ...figures }, null, 1))
    // The first of the list: selected, deleted, brought back.
    const deleted: number[] = []
    const back: number[] = []
    for (let n = 0; n < 5; n++) {
      await page.getByTestId('region-row').first().locator('.region-main').click()
      await expect(page.getByTestId('region-shape')).toHaveCount(1, soon)
      await page.waitForTimeout(500)
      deleted.push(await untilOther(page, () => page.keyboard.press('Delete')))
      await page.waitForTimeout(1000)
      back.push(await untilOther(page, () => page.keyboard.press('Control+z')))
      await page.waitForTimeout(1000)
    }
    console.log(JSON.stringify({ deleted, back }))
  } finally {
    await shell.close()
  }
})
