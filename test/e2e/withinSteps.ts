// Steps on runs within regions: neighbours whose boxes are the same, what is exported and added up of them, and a cancelled run that is kept.
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { keepScreenshot, seesTissue, settled } from './journey'
import { patience } from './patience'
import { at, blur, clicksPoints, figures, rows } from './regionSteps'
import { root } from './shells'
import type { Shell } from './shells'

type Points = [number, number][]
/** Of a square of 600 px the two halves, whose boxes are the same. */
const [low, high] = [1300, 1900]
const halves: Points[] = [
  [[700, low], [1300, low], [700, high]],
  [[1300, low], [1300, high], [700, high]],
] // oxfmt-ignore
/** 600 · 600 / 2 px of 0.499 µm. */
const halfMm2 = 0.0448

const runs = (page: Page) => page.getByTestId('run-row')
const objectsOf = async (page: Page, at: number): Promise<number> =>
  Number((await runs(page).nth(at).getByTestId('run-objects').textContent())!.replace(/\D/g, ''))

/** Px that the overlay has drawn well inside a shape of the slide. */
async function inkWithin(page: Page, shape: Points): Promise<number> {
  const middle = [0, 1].map((axis) => shape.reduce((sum, point) => sum + point[axis]! / shape.length, 0))
  const inner = shape.map(([x, y]): [number, number] => [x + 0.1 * (middle[0]! - x), y + 0.1 * (middle[1]! - y)])
  const corners = await Promise.all(inner.map((point) => at(page, ...point)))
  return page.getByTestId('overlay-canvas').evaluate((element, ring) => {
    const canvas = element as HTMLCanvasElement
    const box = canvas.getBoundingClientRect()
    const path = new Path2D()
    for (const [x, y] of ring) path.lineTo(((x - box.x) * canvas.width) / box.width, ((y - box.y) * canvas.height) / box.height)
    const context = canvas.getContext('2d')!
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let i = 3; i < data.length; i += 4) {
      if (data[i] === 0) continue
      const place = (i - 3) / 4
      if (context.isPointInPath(path, (place % canvas.width) + 0.5, Math.floor(place / canvas.width) + 0.5)) count++
    }
    return count
  }, corners)
}

/** Two triangles along a diagonal, Tumor and Stroma, are segmented one after the other: each keeps its own objects on the slide, in its row and its files. */
export async function neighboursStay(shell: Shell): Promise<void> {
  const { page } = shell
  await seesTissue(shell)
  await blur(page)
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-query').fill('new proj')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(0)
  if (await page.getByTestId('clear-results').isEnabled()) await page.getByTestId('clear-results').click()
  await expect(runs(page)).toHaveCount(0)
  await blur(page)
  await page.keyboard.press('f')
  await settled(page)
  // A preview would draw what a hidden result no longer does.
  await page.getByRole('switch', { name: /Live preview/ }).uncheck({ force: true })
  for (const [i, shape] of halves.entries()) {
    await page.keyboard.press('n')
    await clicksPoints(page, shape)
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(i + 1)
    await page.getByTestId('region-class').click()
    await page.getByRole('option', { name: ['Tumor', 'Stroma'][i]! }).click()
    await blur(page)
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByTestId('segment-regions').click()
  await expect(page.locator('[data-testid="run-row"][data-state="done"]')).toHaveCount(2, patience)
  await runs(page).first().locator('.run-main').dblclick()
  await settled(page)
  // The newer one's box covers the older: with it and without it the older looks the same.
  await expect.poll(() => inkWithin(page, halves[1]!)).toBeGreaterThan(500)
  const [older, newer] = [await inkWithin(page, halves[0]!), await inkWithin(page, halves[1]!)]
  expect(older).toBeGreaterThan(500)
  await keepScreenshot(shell, '80-neighbours')
  for (const [hidden, left, count] of [
    [0, halves[0]!, older],
    [1, halves[1]!, newer],
  ] as const) {
    const other = halves.find((each) => each !== left)!
    await runs(page).nth(hidden).getByTestId('run-show').click()
    await expect.poll(() => inkWithin(page, other)).toBe(0)
    expect(await inkWithin(page, left)).toBe(count)
    await runs(page).nth(hidden).getByTestId('run-show').click()
    await expect.poll(() => inkWithin(page, other)).toBeGreaterThan(500)
  }
  // Area and density are the triangle's: the older result is the second in the list, and of the first region.
  for (const [i, run] of [1, 0].entries()) {
    const objects = await objectsOf(page, run)
    const told = async () => (await figures(page, i).textContent())!.replaceAll(/[,\u202f]/g, '')
    await expect.poll(told).toMatch(new RegExp(`^0\\.04[45]\\d* mm² · ${objects} objects · \\d+/mm² of area`))
    expect(Number(/(\d+)\/mm²/.exec(await told())![1]) / (objects / halfMm2)).toBeCloseTo(1, 1)
  }
}

/** overlay.png and report.html of the older of the two, as a reader opens them. */
export async function filesShowTheTriangle(shell: Shell): Promise<void> {
  const { page } = shell
  const target = join(shell.folder, 'triangle')
  await mkdir(target)
  await runs(page).nth(1).getByTestId('run-export').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-file-report.html').check()
  await page.getByTestId('export-own-folder').uncheck()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('report.html', patience)
  await page.keyboard.press('Escape')
  const overlay = join(target, 'overlay.png')
  const { data, info } = await sharp(overlay).raw().toBuffer({ resolveWithObject: true })
  // The square and a margin for the line; the halo around it is not in the picture.
  expect(info.width).toBeGreaterThan(600)
  expect(info.width).toBeLessThan(620)
  const margin = (info.width - 600) / 2
  const isLine = (x: number, y: number): boolean => {
    const place = 3 * (Math.round(y - low + margin) * info.width + Math.round(x - 700 + margin))
    return [190, 255, 0].every((value, i) => data[place + i] === value)
  }
  const along = (from: [number, number], to: [number, number]): number =>
    Array.from({ length: 50 }, (_, i) => (i + 1) / 52).filter((share) =>
      isLine(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])),
    ).length
  // Where a hand clicked is a screen px off at most, which is some px of the slide: the line is looked for beside it.
  const found = (from: [number, number], to: [number, number]): number =>
    Math.max(...[-4, -3, -2, -1, 0, 1, 2, 3, 4].map((by) => along([from[0] + by, from[1] + by], [to[0] + by, to[1] + by])))
  const [a, b, c] = halves[0] as [[number, number], [number, number], [number, number]]
  expect([found(a, b), found(b, c), found(c, a)].map((count) => count > 30)).toEqual([true, true, true])
  // The box's other corner is no line's end.
  expect(found([1300, low + 100], [1300, high]) + found([900, high], [1300, high])).toBeLessThan(20)
  await sharp(overlay).toFile(join(root, 'test-results', 'screenshots', `${shell.name}-81-overlay.png`))
  const report = await shell.reads(join(target, 'report.html'))
  // The slide's picture and the region's, each with both triangles: a dark line and a light one of each.
  await expect(report.locator('figure svg path')).toHaveCount(8)
  await expect(report.locator('body')).toContainText(/0\.04[45]\d* mm²/)
  await report.screenshot({ path: join(root, 'test-results', 'screenshots', `${shell.name}-82-report.png`), fullPage: true })
  await report.close()
}

/** Kept, they are in the slides list and in the summary, by region, by class and by slide. */
export async function summaryKnowsRegions(shell: Shell): Promise<void> {
  const { page } = shell
  const objects = [await objectsOf(page, 1), await objectsOf(page, 0)]
  for (const at of [0, 1]) {
    await runs(page).nth(at).getByTestId('run-keep').click()
    await expect(runs(page).nth(at).getByTestId('run-keep')).toHaveAttribute('aria-pressed', 'true')
  }
  const project = page.getByRole('button', { name: /^Project \(1 slide/ })
  if ((await project.getAttribute('aria-expanded')) === 'false') await project.click()
  await expect(page.getByTestId('slide-state')).toContainText('2 regions segmented')
  await blur(page)
  await page.keyboard.press('Shift+t')
  const groups = page.getByTestId('summary-groups')
  await expect(groups.locator('thead')).toContainText('Per mm² of areaPer mm² of tissue')
  await expect(page.getByTestId('summary-table').locator('thead')).toContainText('Per mm² of areaPer mm² of tissue')
  const [stroma, tumour] = [groups.locator('tbody tr').nth(0), groups.locator('tbody tr').nth(1)]
  for (const [row, name, count] of [
    [tumour, 'Tumor', objects[0]!],
    [stroma, 'Stroma', objects[1]!],
  ] as const) {
    await expect(row).toContainText(name)
    await expect(row.locator('td').nth(5)).toHaveText(new RegExp(`^${[...String(count)].join('\\D?')}$`))
  }
  await keepScreenshot(shell, '83-summary-groups')
  await page.keyboard.press('Escape')
  await expect(groups).toBeHidden()
}

/** What a cancelled run has is kept, is there after the engine's death, and goes once the whole is there; an undo brings it back. */
export async function cancelledIsKept(shell: Shell): Promise<void> {
  const { page } = shell
  // So large that it is not over before anybody cancels it.
  await page.getByTestId('param-image-pixelSizeUm').fill('0.15')
  await page.keyboard.press('Enter')
  await blur(page)
  await page.keyboard.press('w')
  const whole = runs(page).filter({ hasText: 'Whole slide' })
  const confirm = page.getByTestId('run-whole-confirm')
  await expect(whole.or(confirm)).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  await expect(whole).toHaveAttribute('data-state', 'running')
  await expect
    .poll(async () => Number((await whole.getByTestId('run-objects').textContent())!.replace(/\D/g, '') || 0), patience)
    .toBeGreaterThan(0)
  await whole.getByTestId('run-cancel').click()
  await expect(whole).toHaveAttribute('data-state', 'cancelled', patience)
  const part = await whole.getByTestId('run-objects').textContent()
  await whole.getByTestId('run-keep').click()
  await expect(whole.getByTestId('run-keep')).toHaveAttribute('aria-pressed', 'true')
  shell.killEngine()
  await expect(page.getByTestId('error-banner')).toContainText(/engine stopped/i, patience)
  await expect(page.getByText('Engine restarted')).toBeVisible(patience)
  await expect(whole.getByTestId('run-objects')).toHaveText(part!, patience)
  await expect(whole).toHaveAttribute('data-state', 'cancelled')
  await keepScreenshot(shell, '85-cancelled-kept')
  await whole.getByTestId('run-go-on').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /^Undo: Put the whole in place of Whole slide/, patience)
  await expect(whole).toHaveCount(1)
  await expect(whole).toHaveAttribute('data-state', 'done', patience)
  await keepScreenshot(shell, '86-whole')
  await blur(page)
  await page.keyboard.press('Control+z')
  await expect(whole).toHaveCount(2)
  await expect(whole.getByTestId('run-objects').filter({ hasText: part! })).toHaveCount(1)
  await page.keyboard.press('Control+Shift+z')
  await expect(whole).toHaveCount(1)
}
