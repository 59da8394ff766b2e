// Regions of interest from the first corner to a result inside them: drawn, cut, reshaped, named, run in, exported, taken back, kept over a kill.
import { expect, test } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { keepScreenshot, seesTissue, settled } from '../journey'
import { patience } from '../patience'
import {
  at,
  blur,
  clicksPoints,
  drags,
  figures,
  followsTheChosen,
  importsVeryMany,
  rows,
  savesStudy,
  tableOf,
  usesMenu,
  viewOf,
} from '../regionSteps'
import { sample, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started), { settings: { threads: 2 } })

test('regions are drawn, cut, reshaped, named and classified, and all of it is taken back and done again', async () => {
  const { page } = shell
  await seesTissue(shell)
  await page.keyboard.press('f')
  // A place of the slide is somewhere else while the view still moves.
  await settled(page)
  await expect(page.getByTestId('project-place')).toContainText('Kept as you work')
  // A rectangle, with the key and with the button.
  await page.keyboard.press('x')
  await expect(page.getByTestId('region-hint')).toContainText('Drag over the tissue')
  await drags(page, [700, 1400], [1200, 1900])
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByTestId('region-handle')).toHaveCount(4)
  await expect(figures(page, 0)).toContainText(/0\.06[123] mm²/)
  // A hole, by the polygon's tool with Alt.
  await page.keyboard.press('n')
  await page.keyboard.down('Alt')
  await clicksPoints(page, [[850, 1550], [1050, 1550], [1050, 1750], [850, 1750]]) // oxfmt-ignore
  await page.keyboard.up('Alt')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('region-handle')).toHaveCount(8)
  await expect(figures(page, 0)).toContainText(/0\.05[123] mm²/)
  // Name and class.
  await page.getByTestId('region-name').fill('Front')
  await page.keyboard.press('Enter')
  await expect(rows(page).first()).toContainText('Front')
  await page.getByTestId('region-class').click()
  await page.getByRole('option', { name: 'Tumor' }).click()
  await expect(page.locator('.region-line').first()).toHaveCSS('stroke', 'rgb(213, 94, 0)')
  await expect(page.locator('.region-label')).toContainText('Front')
  // An ellipse and a line by hand.
  await blur(page)
  await page.getByTestId('draw-ellipse').click()
  await drags(page, [300, 300], [700, 600])
  await expect(rows(page)).toHaveCount(2)
  await blur(page)
  await page.keyboard.press('h')
  await page.mouse.move(...(await at(page, 1400, 600)))
  await page.mouse.down()
  for (let i = 1; i <= 24; i++)
    await page.mouse.move(...(await at(page, 1400 + 200 * Math.sin(i / 4), 800 - 200 * Math.cos(i / 4))))
  await page.mouse.up()
  await expect(rows(page)).toHaveCount(3)
  await keepScreenshot(shell, '50-regions')
  // A corner is pulled, the whole is moved by its line.
  await rows(page).first().locator('.region-main').click()
  const before = await figures(page, 0).textContent()
  await drags(page, [1200, 1900], [1300, 2000])
  await expect(figures(page, 0)).not.toHaveText(before!)
  const line = page.locator('.region-grip').nth(1)
  await rows(page).nth(1).locator('.region-main').click()
  const where = (await line.boundingBox())!
  await drags(page, [500, 300], [560, 360])
  await expect.poll(async () => Math.round((await line.boundingBox())!.x - where.x)).toBeGreaterThan(5)
  // Locked, it cannot be deleted, which is said.
  await rows(page).nth(1).getByTestId('region-lock').click()
  await expect(rows(page).nth(1).getByTestId('region-delete')).toBeDisabled()
  await blur(page)
  await page.keyboard.press('Delete')
  await expect(page.getByText(/is locked, and cannot be deleted/)).toBeVisible()
  await rows(page).nth(1).getByTestId('region-lock').click()
  // A step back, ten more, and ten again.
  await rows(page).nth(2).locator('.region-main').click()
  await blur(page)
  await page.keyboard.press('Delete')
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(3)
  for (let n = 0; n < 10; n++) {
    await page.keyboard.press('Control+z')
  }
  await expect(rows(page)).toHaveCount(0)
  for (let n = 0; n < 10; n++) await page.keyboard.press('Control+Shift+z')
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).first()).toContainText('Front')
})

test('a recipe runs inside them, and each has its objects, area and density', async () => {
  const { page } = shell
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByTestId('segment-regions').click()
  await expect(page.locator('[data-testid="run-row"][data-state="done"]')).toHaveCount(3, patience)
  await expect(page.getByTestId('run-row').filter({ hasText: 'Front' })).toHaveCount(1)
  await page.getByTestId('run-row').filter({ hasText: 'Front' }).locator('.run-main').click()
  // The run inside it and what it holds of that run are the same number.
  const inRun = Number((await page.getByTestId('object-count').textContent())!.replace(/\D/g, ''))
  expect(inRun).toBeGreaterThan(20)
  await expect(figures(page, 0)).toContainText(`${inRun.toLocaleString('en')} objects`)
  // Each of what was found in it, whichever is chosen.
  await expect(figures(page, 2)).toContainText(/ [1-9]\d* objects/)
  await expect(page.locator('.region-label').first()).toContainText(`Front: ${inRun.toLocaleString('en')}`)
  await keepScreenshot(shell, '51-regions-run')
  await usesMenu(shell)
  // Two classes, and a table for each region with its objects, as the rows beside them say.
  await rows(page).nth(2).locator('.region-main').click()
  await page.getByTestId('region-class').click()
  await page.getByRole('option', { name: 'Stroma' }).click()
  await expect(page.locator('.region-line').nth(2)).toHaveCSS('stroke', 'rgb(0, 158, 115)')
  await blur(page)
  await page.keyboard.press('Escape')
  expect(await tableOf(shell, 'Front')).toHaveLength(inRun + 1)
  await followsTheChosen(shell, inRun)
})

test('QuPath’s GeoJSON goes out and comes back equal', async () => {
  const { page } = shell
  await page.getByTestId('region-more').click()
  const path = join(shell.folder, 'out.geojson')
  await shell.savesTo(path, () => page.getByTestId('region-export').click())
  // It fades where the rows' buttons are.
  await expect(page.getByTestId('region-export')).toBeHidden()
  const text = await readFile(path, 'utf8')
  const { features } = JSON.parse(text) as { features: { properties: object; geometry: { type: string } }[] }
  expect(features).toHaveLength(3)
  expect(features[0]).toMatchObject({
    geometry: { type: 'Polygon' },
    properties: { objectType: 'annotation', name: 'Front', classification: { name: 'Tumor' } },
  })
  // What was there goes, and comes back from the file under the same ids.
  for (let left = 2; left >= 0; left--) {
    await rows(page).first().getByTestId('region-delete').click()
    await expect(rows(page)).toHaveCount(left)
  }
  await writeFile(path, text)
  await page.getByTestId('region-import').setInputFiles(path)
  await expect(rows(page)).toHaveCount(3)
  await page.getByTestId('region-more').click()
  await shell.savesTo(join(shell.folder, 'again.geojson'), () => page.getByTestId('region-export').click())
  expect(await readFile(join(shell.folder, 'again.geojson'), 'utf8')).toBe(text)
  await importsVeryMany(shell, path)
  await expect(rows(page)).toHaveCount(3)
})

test('saved under a name, it is there after the engine was killed, and in a page that is loaded again', async () => {
  const { page } = shell
  await savesStudy(shell)
  await rows(page).nth(1).getByTestId('region-delete').click()
  await expect(rows(page)).toHaveCount(2)
  shell.killEngine()
  // The page asks the new engine, which takes the project up again.
  await expect(page.getByTestId('error-banner')).toContainText(/engine stopped/i, patience)
  await expect(page.getByText('Engine restarted')).toBeVisible(patience)
  await seesTissue(shell)
  await expect(page.getByTestId('project-place')).toContainText('Study', patience)
  await expect(rows(page)).toHaveCount(2, patience)
  await expect(rows(page).first()).toContainText('Front')
  await blur(page)
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(3)
  await keepScreenshot(shell, '52-regions-again')
  // Left for an empty one, and opened again from the start page: with its slide and regions.
  await page.getByTestId('project-more').click()
  await page.getByTestId('project-new').click()
  await expect(rows(page)).toHaveCount(0)
  await blur(page)
  await page.keyboard.press('Shift+J')
  await expect(page.getByTestId('start-projects')).toBeVisible()
  await shell.resize(1280, 800)
  await keepScreenshot(shell, '52-start-project')
  await shell.resize(1440, 900)
  await page
    .getByTestId('start-projects')
    .getByRole('button', { name: /^Study/ })
    .press('Enter')
  await expect(page.getByTestId('start-page')).toBeHidden()
  await expect(page.getByTestId('project-place')).toContainText('Study', patience)
  await expect(rows(page)).toHaveCount(3, patience)
  await expect(page).toHaveTitle(/^CMU-1/)
})

test('a second slide is added, one recipe is run over both, and a click opens the other', async () => {
  const { page } = shell
  const path = join(shell.folder, 'second.png')
  await sharp(sample).extract({ left: 700, top: 1400, width: 700, height: 600 }).png({ compressionLevel: 1 }).toFile(path)
  await shell.chooseFile(path, () => page.getByTestId('open').click())
  await expect(page).toHaveTitle(/^second\.png/)
  await blur(page)
  // Until the engine has said which slide of the project it is, it cannot be added.
  await expect(page.getByTestId('slide-add')).toBeEnabled()
  await page.keyboard.press('Shift+a')
  const slides = page.getByTestId('slide-row')
  await expect(slides).toHaveCount(2)
  await expect(slides.nth(1)).toContainText('not run')
  await expect(slides.nth(1).getByTestId('slide-open')).toHaveAttribute('aria-current', 'true')
  await page.getByTestId('cohort-run').click()
  await expect(page.getByTestId('cohort-words')).toHaveText(/^2 done$/, patience)
  for (const at of [0, 1]) {
    await expect(slides.nth(at)).toHaveAttribute('data-look', 'done')
    await expect(slides.nth(at).getByTestId('slide-objects')).toHaveText(/^[1-9][\d\u202f]+$/)
  }
  const counted = await slides.nth(0).getByTestId('slide-objects').textContent()
  await keepScreenshot(shell, '53-slides')
  // By the keyboard: up to the other, Enter opens it, with what was found on it.
  await slides.nth(1).getByTestId('slide-open').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle(/^CMU-1/)
  await expect(page.getByTestId('run-objects').filter({ hasText: counted! })).toHaveCount(1)
  // The same again has nothing to do.
  await page.getByTestId('cohort-run').click()
  await expect(page.getByTestId('cohort-words')).toHaveText('2 done before')
})

test('several slides are added at once, a broken one is named; one is taken out, the others are run again', async () => {
  const { page } = shell
  const picture = (name: string) => join(shell.folder, name)
  for (const [i, name] of ['third.png', 'fourth.png'].entries())
    await sharp(sample)
      .extract({ left: 600 + 100 * i, top: 1500, width: 300, height: 200 })
      .png({ compressionLevel: 1 })
      .toFile(picture(name))
  await writeFile(picture('broken.png'), 'no picture')
  await blur(page)
  await shell.chooseFiles([picture('third.png'), picture('fourth.png'), picture('broken.png')], () =>
    page.keyboard.press('Shift+o'),
  )
  const notice = page.getByText('2 slides added. Could not be opened: broken.png')
  await expect(notice).toBeVisible()
  const slides = page.getByTestId('slide-row')
  await expect(slides).toHaveCount(4)
  await keepScreenshot(shell, '54-slides-added')
  // Without anything on it, it goes unasked.
  await slides.filter({ hasText: 'fourth' }).getByTestId('slide-remove').click()
  await expect(slides).toHaveCount(3)
  // One that has regions stays, and says why.
  await slides.filter({ hasText: 'CMU-1' }).getByTestId('slide-remove').click()
  await expect(page.getByText(/CMU-1.*has 3 regions.*delete them first/)).toBeVisible()
  await expect(slides).toHaveCount(3)
  await slides.filter({ hasText: 'second' }).getByRole('checkbox').check()
  await page.getByTestId('cohort-again').check()
  await page.getByTestId('cohort-run').click()
  await expect(page.getByTestId('cohort-words')).toHaveText(/^1 done$/, patience)
  await keepScreenshot(shell, '55-slides-again')
  await blur(page)
  await page.keyboard.press('Shift+t')
  const table = page.getByTestId('summary-table').locator('tbody tr')
  await expect(table).toHaveCount(6)
  await expect(table.nth(1)).toContainText('Front')
  await expect(table.nth(1)).toContainText('Tumor')
  await expect(table.nth(5)).toContainText('not run')
  await keepScreenshot(shell, '56-summary')
  const saved = await shell.saves(() => page.getByTestId('summary-save').click())
  expect(saved.bytes.toString().split('\n')).toHaveLength(8)
  await page.keyboard.press('Escape')
})

test('the brush paints a region, adds to it and cuts out of it, a step each; the ruler tells a length', async () => {
  const { page } = shell
  await blur(page)
  await page.keyboard.press('f')
  await settled(page)
  await page.keyboard.press('q')
  if (await page.getByTestId('brush-new').isEnabled()) await page.getByTestId('brush-new').click()
  await page.getByTestId('brush-radius').fill('50')
  await blur(page)
  await expect(page.getByTestId('brush-on')).toHaveText('a new region')
  const before = await rows(page).count()
  await drags(page, [300, 2000], [600, 2000])
  await expect(rows(page)).toHaveCount(before + 1)
  const area = async () => Number(/^([\d.]+) mm/.exec((await figures(page, before).textContent()) ?? '')?.[1] ?? 0)
  // 150 µm and the ends of a brush of 50 µm: 15 000 + 7850 µm².
  await expect.poll(area).toBeGreaterThan(0.022)
  const first = await area()
  expect(first).toBeLessThan(0.024)
  await drags(page, [300, 2200], [600, 2200])
  await expect.poll(area).toBeGreaterThan(1.8 * first)
  await keepScreenshot(shell, '57-brush')
  await page.keyboard.down('Alt')
  await drags(page, [300, 2200], [600, 2200])
  await page.keyboard.up('Alt')
  await expect.poll(area).toBeLessThan(1.1 * first)
  await blur(page)
  await page.keyboard.press('Control+z')
  await expect.poll(area).toBeGreaterThan(1.8 * first)
  await page.keyboard.press('u')
  await drags(page, [1000, 300], [1400, 300])
  await expect(page.getByTestId('ruler-words')).toHaveText(/^(19[89]|200)\.\d µm$/)
  await keepScreenshot(shell, '58-ruler')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('ruler')).toHaveCount(0)
  await page.keyboard.press('Escape')
})

test('points are counted by class, a step each, taken away again, shown in figures and written as QuPath has them', async () => {
  const { page } = shell
  await seesTissue(shell)
  await blur(page)
  await page.keyboard.press('f')
  await settled(page)
  const before = await rows(page).count()
  await page.keyboard.press('Shift+P')
  await expect(page.getByTestId('points')).toBeVisible()
  await page.getByTestId('points-none').click()
  const click = async (x: number, y: number) => page.mouse.click(...(await at(page, x, y)))
  const spots = [[500, 1000], [700, 1100], [900, 1000]] as const // oxfmt-ignore
  for (const [i, [x, y]] of spots.entries()) {
    await click(x, y)
    await expect(page.getByTestId('points-count')).toHaveText(i === 0 ? '1 point' : `${i + 1} points`)
  }
  await expect(rows(page)).toHaveCount(before + 1)
  await expect(figures(page, before)).toHaveText('3 points')
  // Of another class: a region of its own.
  await page.getByTestId('points-tumour').click()
  await click(600, 1300)
  await expect(page.getByTestId('points-tumour')).toContainText('1 (25 %)')
  await expect(rows(page)).toHaveCount(before + 2)
  await keepScreenshot(shell, '59-points')
  // A click on one and Delete, then Alt and a click, then back.
  await page.getByTestId('points-none').click()
  await click(700, 1100)
  await expect(page.getByTestId('region-point')).toHaveCount(1)
  await blur(page)
  await page.keyboard.press('Delete')
  await expect(figures(page, before)).toHaveText('2 points')
  await page.keyboard.down('Alt')
  await click(900, 1000)
  await page.keyboard.up('Alt')
  await expect(figures(page, before)).toHaveText('1 point')
  for (const words of ['2 points', '3 points']) {
    await page.keyboard.press('Control+z')
    await expect(figures(page, before)).toHaveText(words)
  }
  // Without the tool one of them is pulled elsewhere; a recipe has nowhere to run.
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('points')).toBeHidden()
  await drags(page, [700, 1100], [800, 1200])
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Move a point')
  await page.getByTestId('segment-regions').click()
  await expect(page.getByText('Points and lines have no area to segment')).toBeVisible()
  await page.getByTestId('region-more').click()
  const saved = await shell.saves(() => page.getByTestId('region-export').click())
  const { features } = JSON.parse(saved.bytes.toString()) as { features: { geometry: { type: string; coordinates: number[][] } }[] } // oxfmt-ignore
  expect(features).toHaveLength(1)
  expect(features[0]!.geometry.type).toBe('MultiPoint')
  expect(features[0]!.geometry.coordinates).toHaveLength(3)
  await keepScreenshot(shell, '60-points-moved')
  await page.keyboard.press('Escape')
})

test('lines are kept with their length: drawn, through points, and of the ruler', async () => {
  const { page } = shell
  // Names and lengths of what this test makes alone.
  const before = await rows(page).count()
  const made = (n: number): Locator => figures(page, before + n)
  const { center } = await viewOf(page)
  const [x, y] = [center.x, center.y]
  await blur(page)
  await page.keyboard.press('Shift+L')
  await expect(page.getByTestId('region-hint')).toContainText('Its length is kept')
  await drags(page, [x - 60, y - 60], [x + 60, y - 60])
  await expect(rows(page)).toHaveCount(before + 1)
  await expect(made(0)).toHaveText(/^\d+(\.\d+)? µm$/)
  await page.keyboard.press('Shift+Y')
  const corners = [[x - 60, y], [x, y + 60], [x + 60, y]] as const // oxfmt-ignore
  for (const place of corners) await page.mouse.click(...(await at(page, ...place)))
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(before + 2)
  await page.keyboard.press('u')
  await drags(page, [x - 40, y + 90], [x + 40, y + 90])
  const words = (await page.getByTestId('ruler-words').textContent())!
  await page.getByTestId('ruler-keep').click()
  await expect(rows(page)).toHaveCount(before + 3)
  await expect(made(2)).toHaveText(words)
  await page.keyboard.press('Escape')
  await keepScreenshot(shell, '74-lines')
  for (let n = 0; n < 3; n++) {
    await blur(page)
    await page.keyboard.press('Control+z')
  }
  await expect(rows(page)).toHaveCount(before)
})
