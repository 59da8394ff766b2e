// The document over what can befall it: corrections on another run, the whole program killed, and a hundred thousand objects.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { axeFindings } from '../axe'
import { keepScreenshot, objectCount, seesTissue, settled, zoomsToNuclei } from '../journey'
import { makesMany } from '../makesMany'
import { answered, soon } from '../patience'
import { overlay } from '../pixels'
import { at, blur, drags, pansTo, rows, savesStudy } from '../regionSteps'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
/** The slide and the project of many objects: made while the first journeys are walked. */
let many: Promise<unknown> | undefined
const app = withShell(
  (started) => {
    shell = started
    many = madeIn(shell.folder)
    // Who waits for it hears of what went wrong.
    many.catch(() => undefined)
  },
  { settings: { threads: 2 } },
)

const manyObjects = 100_000

const made = new Map<string, Promise<unknown>>()
function madeIn(folder: string): Promise<unknown> {
  const known = made.get(folder)
  if (known) return known
  const making = makesMany(folder, manyObjects)
  made.set(folder, making)
  return making
}

const undoes = (page: Page, name: string | RegExp) =>
  expect(page.getByTestId('undo')).toHaveAttribute('aria-label', typeof name === 'string' ? `Undo: ${name}` : name, soon)
const done = (page: Page) => page.locator('[data-testid="run-row"][data-state="done"]')
const area = (page: Page) => page.getByTestId('selected-object').locator('[data-measure="Area"]')

/** Two nuclei that touch, and a long one, on the bundled slide: level-0 px. */
const pair = [[1449, 1720], [1440.5, 1739.5]] as const // oxfmt-ignore
const long = [1310, 1764] as const
/** The area of what the two became. */
let merged = ''

test('two nuclei are merged and one is split; after another run with another threshold the corrections stand on it', async () => {
  const { page, folder } = shell
  await shell.resize(1440, 900)
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await pansTo(page, 1400, 1700)
  // What it shows depends on how soon the next run begins.
  await page.getByTestId('live-preview').uncheck({ force: true })
  await page.keyboard.press('x')
  await drags(page, [1200, 1640], [1560, 1860])
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('region-class').click()
  await page.getByRole('option', { name: 'Tumor' }).click()
  await blur(page)
  await page.keyboard.press('Escape')
  await page.getByTestId('segment-regions').click()
  await expect(done(page)).toHaveCount(1, soon)
  await expect.poll(async () => (await overlay(page)).coloured, soon).toBeGreaterThan(500)
  const found = await objectCount(shell)

  // A loop around both of their middles.
  await page.keyboard.press('l')
  await expect(page.getByTestId('lasso')).toBeVisible(soon)
  const loop = [[1440, 1712], [1457, 1712], [1457, 1722], [1448, 1746], [1434, 1746], [1434, 1730], [1440, 1712]] as [number, number][] // oxfmt-ignore
  await page.mouse.move(...(await at(page, ...loop[0]!)))
  await page.mouse.down()
  for (const place of loop.slice(1)) await page.mouse.move(...(await at(page, ...place)), { steps: 3 })
  await page.mouse.up()
  await expect(page.getByTestId('lasso-count')).toHaveText('2 objects', soon)
  await page.keyboard.press('Shift+M')
  await undoes(page, 'Merge 2 objects')
  await expect.poll(() => objectCount(shell), soon).toBe(found - 1)
  await page.keyboard.press('3')
  await expect(page.getByTestId('object-class')).toHaveText('Immune cells', soon)
  await expect(area(page)).toHaveText(/\d/, soon)
  merged = (await area(page).textContent())!
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('lasso')).toBeHidden()

  await page.keyboard.press('Shift+X')
  await expect(page.getByTestId('region-hint')).toContainText('to split them')
  await drags(page, [long[0] - 20, long[1]], [long[0] + 20, long[1]])
  await undoes(page, /^Undo: Split /)
  await expect.poll(() => objectCount(shell), soon).toBe(found)
  await page.keyboard.press('Escape')
  await keepScreenshot(shell, '81-corrected')

  const level = page.getByTestId('param-threshold-level')
  await level.fill('1.1')
  await level.press('Enter')
  await blur(page)
  await page.getByTestId('segment-regions').click()
  await expect(done(page)).toHaveCount(2, soon)
  const offer = page.getByTestId('carry-offer')
  await expect(offer).toContainText('has corrections', soon)
  await expect(page.getByTestId('made')).toBeHidden()
  const anew = await objectCount(shell)
  expect(anew).not.toBe(found)
  await settled(page)
  const asFound = await overlay(page)
  await blur(page)
  await page.keyboard.press('Shift+K')
  await expect(page.getByTestId('carry-counts')).toBeVisible(soon)
  await keepScreenshot(shell, '81-carried')
  await expect(page.getByTestId('made')).toContainText('3', soon)
  expect(await objectCount(shell)).toBe(anew)
  await expect.poll(async () => (await overlay(page)).hash, soon).not.toBe(asFound.hash)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('carry')).toBeHidden()
  // The same pixels are the same object, of the class that it was given.
  await seesMerged(merged)

  const target = join(folder, 'corrected')
  await mkdir(target)
  await page.getByTestId('export-open').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', answered)
  await page.keyboard.press('Escape')
  const [own] = await readdir(target)
  const [head, ...lines] = (await readFile(join(target, own!, 'objects.csv'), 'utf8')).trim().split(/\r?\n/)
  const column = head!.split(',').indexOf('made_by')
  expect(lines).toHaveLength(anew)
  expect(lines.map((line) => line.split(',')[column]).filter((by) => by === 'hand')).toHaveLength(3)
})

/** A click on it says so. */
async function seesMerged(text: string): Promise<void> {
  const { page } = shell
  await page.mouse.click(...(await at(page, ...pair[0])))
  await expect(area(page)).toHaveText(text, soon)
  await expect(page.getByTestId('object-class')).toHaveText('Immune cells', soon)
  await page.mouse.click(...(await at(page, ...pair[1])))
  await expect(area(page)).toHaveText(text, soon)
}

test('saved, and the whole program killed: at the next start all of it is there, and nothing is asked', async () => {
  const { page } = shell
  await savesStudy(shell)
  const results = page.getByTestId('run-row')
  const before = await results.allTextContents()
  const figure = page.getByTestId('object-count')
  const counted = await figure.textContent()
  await settled(page)
  const look = await overlay(page)
  // A last change just before the end.
  await rows(page).first().locator('.region-main').click()
  await page.getByTestId('region-name').fill('Front')
  await page.keyboard.press('Enter')
  await expect(rows(page).first()).toContainText('Front')
  await app.killedAndStartedAgain()
  await isAsItWasLeft(before, counted!, look.coloured)
})

async function isAsItWasLeft(results: string[], counted: string, coloured: number): Promise<void> {
  const { page } = shell
  await shell.resize(1440, 900)
  await expect(page.getByTestId('start-page')).toBeVisible()
  await keepScreenshot(shell, '82-started-again')
  await page
    .getByTestId('start-projects')
    .getByRole('button', { name: /^Study/ })
    .press('Enter')
  await seesTissue(shell)
  await expect(page.getByTestId('project-place')).toContainText('Study: saved as you work')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Front')
  await expect(page.locator('.region-line').first()).toHaveCSS('stroke', 'rgb(213, 94, 0)')
  await expect.poll(() => page.getByTestId('run-row').allTextContents(), soon).toEqual(results)
  await expect(page.getByTestId('object-count')).toHaveText(counted, soon)
  await expect(page.getByTestId('made')).toContainText('3')
  await zoomsToNuclei(shell)
  await pansTo(page, 1400, 1700)
  // But for a pixel here and there where the view rests a little elsewhere.
  const share = async () => (await overlay(page)).coloured / coloured
  await expect.poll(async () => Math.abs((await share()) - 1), soon).toBeLessThan(0.05)
  await seesMerged(merged)
  await undoes(page, 'Name a region')
  // It was the end of a program, and nobody's question.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByTestId('error-banner')).toBeHidden()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await keepScreenshot(shell, '82-as-it-was-left')
}

test('New project asks where the old one has no name, and the start page and the menu of recent ones open that again', async () => {
  const { page } = shell
  const regions = page.getByTestId('region-row')
  const question = page.getByRole('dialog', { name: 'Begin a new project?' })
  /** By its name, and on the desktop in the File menu. */
  const beginsAnew = async () => {
    if (shell.chooseInMenu) return expect((await shell.chooseInMenu('newProject')).label).toBe('New project')
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-query').fill('new proj')
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  // One with a name is left unasked.
  await beginsAnew()
  await expect(page.getByTestId('project-place')).toContainText('without a name yet')
  await expect(regions).toHaveCount(0)
  await page.keyboard.press('x')
  await drags(page, [1350, 1650], [1450, 1750])
  await expect(regions).toHaveCount(1)
  await beginsAnew()
  await expect(question).toContainText('1 slide, 1 region. It is kept on this computer.')
  await keepScreenshot(shell, '12-new-project')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(regions).toHaveCount(1)
  await beginsAnew()
  await page.getByTestId('question-yes').click()
  await expect(regions).toHaveCount(0)
  await expect(page.getByText('(1 slide, 1 region) is kept')).toBeVisible()
  await page.keyboard.press('Shift+J')
  const cards = page.getByTestId('start-unnamed-card')
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText(/^\d+ \w{3} \d{4}, \d\d:\d\d1 slide, 1 regionCMU-1-Small-Region\.svs/)
  expect(await axeFindings(page)).toEqual([])
  // Its slide came into the project by what was drawn, and has its picture.
  await expect(cards.locator('img')).toHaveJSProperty('complete', true)
  await keepScreenshot(shell, '12-projects-without-a-name')
  await cards.locator('.start-open').click()
  await expect(page.getByTestId('start-page')).toBeHidden()
  await expect(regions).toHaveCount(1)
  // Left again, and found in the menu beside Open.
  await beginsAnew()
  await page.getByTestId('question-yes').click()
  await expect(regions).toHaveCount(0)
  await page.getByTestId('recent').click()
  await expect(page.getByTestId('recent-unnamed')).toContainText('1 slide, 1 region')
  await keepScreenshot(shell, '12-recent-projects')
  await page.getByTestId('recent-unnamed').click()
  await expect(regions).toHaveCount(1)
  // What people look for by other names; a menu of the system's opens no dialog of the page's by itself.
  for (const [words, id] of [
    ['import', 'importRegions'],
    ['density', 'overlay'],
    ['threshold', 'param-threshold-level'],
    ['cell', 'recipe-cell-detection'],
  ]) {
    // oxfmt-ignore
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-query').fill(words!)
    await expect(page.getByTestId(`palette-${id}`)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('palette-query')).toBeHidden()
  }
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-query').fill('level')
  await page.getByTestId('palette-param-threshold-level').click()
  await expect(page.getByTestId('param-threshold-level')).toBeFocused()
  await regions.getByTestId('region-delete').click()
  await expect(regions).toHaveCount(0)
})

test('a table of a hundred thousand objects is filtered, what it leaves is deleted, and that is taken back and done again', async () => {
  await many
  const { page, folder } = shell
  await page.keyboard.press('Shift+J')
  const path = join(folder, 'Many.morphoscope')
  const open = page.getByTestId('start-project')
  if (shell.name === 'electron') await shell.chooseFile(path, () => open.click())
  else {
    await open.click()
    await page.getByTestId('path-input').fill(path)
    await page.keyboard.press('Enter')
  }
  await expect(page).toHaveTitle(/^many\.tif/)
  await expect.poll(() => objectCount(shell), soon).toBe(manyObjects)
  await zoomsToNuclei(shell)
  await blur(page)
  await page.keyboard.press('b')
  const listed = async () => Number(((await page.getByTestId('table-count').locator('b').textContent()) ?? '').replace(/\D/g, ''))
  await expect.poll(listed, soon).toBe(manyObjects)
  await page.getByTestId('table-filter').fill('area < 12 or circularity < 0.6')
  await expect.poll(listed, soon).toBeLessThan(manyObjects)
  const small = await listed()
  expect(small).toBeGreaterThan(manyObjects / 20)
  await settled(page)
  const asFound = await overlay(page)
  const remove = page.getByTestId('table-delete')
  await expect(remove).toHaveText(new RegExp(`^Delete ${small.toLocaleString('en').replace(',', '.?')} objects$`))
  await keepScreenshot(shell, '83-many-filtered')
  await remove.click()
  await expect.poll(() => objectCount(shell), soon).toBe(manyObjects - small)
  await expect.poll(listed, soon).toBe(0)
  await expect.poll(async () => (await overlay(page)).coloured, soon).toBeLessThan(asFound.coloured)
  await settled(page)
  const isLess = await overlay(page)
  await page.getByTestId('table-filter').fill('')
  await expect.poll(listed, soon).toBe(manyObjects - small)
  await keepScreenshot(shell, '83-many-deleted')
  await blur(page)
  for (const [keys, left, look] of [
    ['Control+z', manyObjects, asFound],
    ['Control+Shift+z', manyObjects - small, isLess],
  ] as const) {
    await page.keyboard.press(keys)
    await expect.poll(() => objectCount(shell), soon).toBe(left)
    await expect.poll(listed, soon).toBe(left)
    await expect.poll(async () => (await overlay(page)).hash, soon).toBe(look.hash)
  }
})
