// Steps on regions of interest: where places of the slide are in the window, what a hand draws there, and the rows that tell of it.
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { axeFindings } from './axe'
import { hasFocus, keepScreenshot, objectCount, settled, viewerOf } from './journey'
import { patience, soon } from './patience'
import { overlay } from './pixels'
import type { Shell } from './shells'

export const rows = (page: Page): Locator => page.getByTestId('region-row')
export const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
export const figures = (page: Page, at: number): Locator => rows(page).nth(at).getByTestId('region-figures')

interface View {
  center: { x: number; y: number }
  zoom: number
  width: number
  height: number
}
export const viewOf = (page: Page): Promise<View> => page.evaluate(() => window.__morphoscope!.view as View)

/** Where a place of the slide is in the window. */
export async function at(page: Page, x: number, y: number): Promise<[number, number]> {
  const { center, zoom, width, height } = await viewOf(page)
  const box = (await page.getByTestId('viewer').boundingBox())!
  return [box.x + width / 2 + (x - center.x) * zoom, box.y + height / 2 + (y - center.y) * zoom]
}

export async function drags(page: Page, from: [number, number], to: [number, number], steps = 6): Promise<void> {
  await page.mouse.move(...(await at(page, ...from)))
  await page.mouse.down()
  await page.mouse.move(...(await at(page, ...to)), { steps })
  await page.mouse.up()
}

/**
 * The slide is dragged until the view's middle is this place, or so near that a drag would be a click. By half of the way each time: a hand that
 * lets go while it moves throws the slide up to twice as far as it drew it. Away from the middle, where journeys have regions: whoever drags one's
 * line moves the region.
 */
export async function pansTo(page: Page, x: number, y: number): Promise<void> {
  await expect
    .poll(async () => {
      const { center, zoom } = await viewOf(page)
      const [dx, dy] = [x - center.x, y - center.y]
      if (Math.hypot(dx, dy) < 20) return true
      const [left, top] = [center.x - 260 / zoom, center.y - 220 / zoom]
      await drags(page, [left + dx / 4, top + dy / 4], [left - dx / 4, top - dy / 4])
      await settled(page)
      return false
    })
    .toBe(true)
}

export async function clicksPoints(page: Page, points: [number, number][]): Promise<void> {
  for (const [i, point] of points.entries()) {
    await page.mouse.click(...(await at(page, ...point)))
    // The last one is the pointer's own.
    await expect(page.getByTestId('region-drawing')).toHaveAttribute('data-points', String(i + 2))
  }
}

/** The lines of a region's own table, exported from the row of the run inside it. */
export async function tableOf(shell: Shell, region: string): Promise<string[]> {
  const { page } = shell
  const target = join(shell.folder, `tables of ${region}`)
  await mkdir(target)
  await page.getByTestId('run-row').filter({ hasText: region }).getByTestId('run-export').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-by-region').check()
  await page.getByTestId('export-own-folder').uncheck()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText(`objects-${region}.csv`, patience)
  await page.keyboard.press('Escape')
  return (await readFile(join(target, `objects-${region}.csv`), 'utf8')).trim().split(/\r?\n/)
}

/** The document under a name of its own, in the shell's folder. */
export async function savesStudy(shell: Shell): Promise<void> {
  const { page } = shell
  const path = join(shell.folder, 'Study.morphoscope')
  await page.getByTestId('project-more').click()
  const save = page.getByTestId('project-save')
  if (shell.name === 'electron') await shell.chooseFile(path, () => save.click())
  else {
    await save.click()
    await page.getByTestId('path-input').fill(path)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByTestId('project-place')).toContainText('Study: saved as you work')
}

/**
 * Another recipe in all three regions: rows and labels are of that one, none stays at the older result; a click on the older brings all of its back.
 * Then the new results go again. `older`: the objects of Front's first result.
 */
export async function followsTheChosen(shell: Shell, older: number): Promise<void> {
  const { page } = shell
  await page.getByTestId('recipe-select').click()
  await page.getByRole('option', { name: 'IHC nuclei' }).click()
  await page.getByTestId('segment-regions').click()
  const done = page.locator('[data-testid="run-row"][data-state="done"]')
  await expect(done).toHaveCount(6, patience)
  const front = page.getByTestId('run-row').filter({ hasText: 'Front' })
  const counts = await front.getByTestId('run-objects').allTextContents()
  expect(counts[1]).toBe(older.toLocaleString('en').replaceAll(',', '\u202f'))
  await expect(page.getByTestId('regions-rule')).toContainText('(IHC nuclei)')
  await expect(figures(page, 0)).toContainText(`${counts[0]} object`)
  await expect(page.locator('.region-label').first()).toContainText(`Front: ${counts[0]!.replaceAll('\u202f', ',')}`)
  await keepScreenshot(shell, '51-regions-ihc')
  await front.nth(1).locator('.run-main').click()
  await expect(page.getByTestId('regions-rule')).toContainText('(H&E nuclei)')
  await expect(figures(page, 0)).toContainText(`${counts[1]} object`)
  await expect(figures(page, 2)).toContainText(/Region/)
  for (let left = 5; left >= 3; left--) {
    await done.first().getByTestId('run-delete').click()
    await expect(done).toHaveCount(left)
  }
  await page.getByTestId('recipe-select').click()
  await page.getByRole('option', { name: 'H&E nuclei' }).click()
}

/** The corners of a path, in an order of their own: two that are the same outline have the same. */
function cornersOf(path: string | null): string[] {
  const points = path!.split(/[MLZ]/).map((point) => point.trim())
  const corners = points.filter((point) => point !== '').map((point) => point.split(' ').map((value) => Number(value).toFixed(1)))
  return corners.map((corner) => corner.join(' ')).sort()
}

/** The wand's node becomes a larger one, so many times, by keyboard. */
export async function walksOut(page: Page, times: number): Promise<void> {
  await page.getByTestId('wand-out').focus()
  for (let walked = 1; walked <= times; walked++) {
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('wand-values')).toHaveAttribute('data-walked', String(walked), soon)
  }
}

/** By keyboard: then there are so many regions, the last of which is the wand's outline. */
export async function keepsWhatTheWandShows(page: Page, regions: number): Promise<void> {
  const shown = await page.getByTestId('wand-outline').getAttribute('d')
  await page.getByTestId('wand-keep').focus()
  await page.keyboard.press('Enter')
  const shapes = page.getByTestId('region-shape')
  await expect(shapes).toHaveCount(regions, soon)
  expect(cornersOf(await shapes.last().locator('path').first().getAttribute('d'))).toEqual(cornersOf(shown))
}

/** GeoJSON of so many regions of six corners, side by side. */
function manyRegions(count: number): string {
  const features = Array.from({ length: count }, (_, i) => {
    const [left, top] = [(i % 200) * 10, Math.floor(i / 200) * 10]
    const ring = [
      [3, 0],
      [6, 0],
      [9, 4],
      [6, 9],
      [3, 9],
      [0, 4],
      [3, 0],
    ].map(([x, y]) => [left + x!, top + y!])
    return { type: 'Feature', properties: { objectType: 'annotation' }, geometry: { type: 'Polygon', coordinates: [ring] } }
  })
  return JSON.stringify({ type: 'FeatureCollection', features })
}

/** A file of very many: tells how far it is, and is taken back by its button; then another is taken in whole, and looked at. */
export async function importsVeryMany(shell: Shell, path: string): Promise<void> {
  const { page } = shell
  await writeFile(path, manyRegions(30_000))
  await page.getByTestId('region-import').setInputFiles(path)
  const notice = page.getByTestId('notice-importing')
  await expect(notice).toContainText('% of the file is read and kept')
  await keepScreenshot(shell, 'importing')
  await notice.getByTestId('import-cancel').click()
  await expect(notice).toBeHidden()
  await expect(rows(page)).toHaveCount(3)
  await seesVeryMany(shell, path)
}

/** One of a list of which only the rows around what is seen are there. */
async function rowAt(page: Page, place: number): Promise<Locator> {
  const row = page.locator(`[data-testid="region-row"][data-index="${place}"]`)
  const count = Number(await rows(page).first().getAttribute('aria-setsize'))
  await page.locator('.region-list').evaluate((list, share) => void (list.scrollTop = share * list.scrollHeight), place / count)
  await expect(row).toHaveCount(1)
  return row
}

/** From afar each is a dot, and a click takes the nearest. */
async function seesDotClicked(page: Page, x: number, y: number): Promise<void> {
  const shapes = page.getByTestId('region-shape')
  await page.keyboard.press('f')
  await settled(page)
  const before = await shapes.getAttribute('data-region')
  // One of them is 9 px of the slide wide.
  expect(9 * (await viewOf(page)).zoom).toBeLessThan(6)
  await page.mouse.click(...(await at(page, x, y)))
  await expect(shapes).not.toHaveAttribute('data-region', before!)
  await expect(shapes).toHaveCount(1)
  // The list has come to its row.
  const row = page.locator(`[data-testid="region-row"][data-region="${await shapes.getAttribute('data-region')}"]`)
  await expect(row).toHaveClass(/selected/)
}

/** More regions than SVG holds: a canvas shows them, a click takes one by its line, a drag moves the slide, and an undo takes them all back. */
async function seesVeryMany(shell: Shell, path: string): Promise<void> {
  const { page } = shell
  const [shapes, canvas] = [page.getByTestId('region-shape'), page.getByTestId('many-regions').locator('canvas')]
  await writeFile(path, manyRegions(6000))
  await page.getByTestId('region-import').setInputFiles(path)
  await expect(canvas).toBeVisible(soon)
  await rowAt(page, 400).then((row) => row.locator('.region-main').dblclick())
  await page.keyboard.press('1')
  await settled(page)
  await expect(shapes).toHaveCount(1)
  await keepScreenshot(shell, 'many-regions')
  const first = await shapes.getAttribute('data-region')
  // Two rows below: the upper line of its neighbour there.
  const { center } = await viewOf(page)
  await page.mouse.click(...(await at(page, center.x, center.y + 15.5)))
  await expect(shapes).not.toHaveAttribute('data-region', first!)
  await expect(shapes).toHaveCount(1)
  await drags(page, [center.x - 100, center.y + 40], [center.x - 160, center.y + 100])
  expect((await viewOf(page)).center.x).toBeGreaterThan(center.x + 20)
  // Farther down than the line of the one that is selected, which takes clicks itself.
  await seesDotClicked(page, center.x, center.y + 150)
  await keepScreenshot(shell, 'many-regions-afar')
  await page.getByTestId('undo').click()
  await expect(canvas).toBeHidden(soon)
  await blur(page)
  await page.keyboard.press('f')
  await settled(page)
}

/** Of the selected object, by both keys that ask for a menu; by the second one it is deleted, and comes back. */
async function opensMenuByKeys(shell: Shell): Promise<void> {
  const { page } = shell
  const menu = page.getByTestId('slide-menu')
  const remove = menu.getByRole('menuitem', { name: /^Delete it/ })
  const before = await objectCount(shell)
  await blur(page)
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await page.keyboard.press(key)
    await expect(menu).toContainText(/Object \d+/)
    await hasFocus(menu.getByRole('menuitem').first())
    const isThere = () => remove.evaluate((item) => item === document.activeElement)
    for (let n = 0; n < 8 && !(await isThere()); n++) await page.keyboard.press('ArrowDown')
    expect(await isThere()).toBe(true)
    await page.keyboard.press(key === 'ContextMenu' ? 'Enter' : 'Escape')
    await expect(menu).toBeHidden()
  }
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Delete an object')
  await expect.poll(() => objectCount(shell)).toBe(before - 1)
  await page.getByTestId('undo').click()
  await expect.poll(() => objectCount(shell)).toBe(before)
}

/** Of an object in a region, by the pointer. */
export async function usesMenu(shell: Shell): Promise<void> {
  const { page } = shell
  const menu = page.getByTestId('slide-menu')
  const box = (await viewerOf(page).boundingBox())!
  await rows(page).first().locator('.region-main').dblclick()
  await settled(page)
  let { insides } = await overlay(page)
  await expect.poll(async () => ({ insides } = await overlay(page)).insides.length).toBeGreaterThan(0)
  const place = insides[insides.length >> 1]!
  await page.mouse.click(box.x + place.x, box.y + place.y, { button: 'right' })
  await expect(menu).toContainText(/Object \d+/)
  await expect(menu).toContainText('Region:')
  await expect(menu).toContainText('Segment the visible field')
  await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'found')
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '51-slide-menu')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await opensMenuByKeys(shell)
  await page.keyboard.press('f')
  await settled(page)
}
