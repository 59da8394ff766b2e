// Looking at a slide as people know it from other viewers: magnification, flip, the picture's tone, grid, full screen, a picture of the view,
// and a second view. One window, in the order in which a hand would try them.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { axeFindings } from '../axe'
import { clicksNucleus, keepScreenshot, seesTissue, segmentsVisible, settled, viewerOf, zoomsToNuclei } from '../journey'
import { soon } from '../patience'
import { inksOf, isGrey, overlay, picture, share } from '../pixels'
import { root, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

/** The middle of the slide's own canvas and of the overlay's, a character a patch: what is light is one, what is dark another. */
const patches = (page: Page, canvas: string): Promise<number[][]> =>
  page
    .locator(canvas)
    .first()
    .evaluate((element) => {
      const from = element as HTMLCanvasElement
      const small = document.createElement('canvas')
      small.width = small.height = 24
      const pen = small.getContext('2d')!
      const side = Math.min(from.width, from.height) * 0.6
      pen.drawImage(from, (from.width - side) / 2, (from.height - side) / 2, side, side, 0, 0, 24, 24)
      const { data } = pen.getImageData(0, 0, 24, 24)
      return Array.from({ length: 24 }, (_, y) => Array.from({ length: 24 }, (_, x) => data[(y * 24 + x) * 4 + 1]!))
    })
const mirrored = (rows: number[][]) => rows.map((row) => row.toReversed())
const apart = (a: number[][], b: number[][]) =>
  a.flat().reduce((sum, value, at) => sum + Math.abs(value - b.flat()[at]!), 0) / a.flat().length

const slideCanvas = '.viewer .openseadragon-canvas canvas'

test('a magnification is chosen or typed; the view is flipped, with all that lies over it, and a click still means what is under it', async () => {
  const { page } = shell
  await seesTissue(shell)
  await blur(page)
  await page.keyboard.press('z')
  await expect(page.getByTestId('magnification-menu')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '80-magnification')
  await page.getByTestId('magnification-10').click()
  await expect(page.getByTestId('magnification')).toContainText('10×', soon)
  await page.getByTestId('magnification').click()
  await page.getByTestId('magnification-other').fill('17')
  await page.getByTestId('magnification-other').press('Enter')
  await expect(page.getByTestId('magnification')).toContainText('17×', soon)
  await expect(page.getByTestId('magnification-menu')).toBeHidden()

  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await settled(page)
  const before = { slide: await patches(page, slideCanvas), objects: await patches(page, '[data-testid=overlay-canvas]') }
  await clicksNucleus(shell)
  const selected = page.getByTestId('selected-object')
  await expect(selected).toHaveAttribute('data-state', 'found', soon)
  const words = await selected.textContent()
  const at = await page.evaluate(() => {
    const view = window.__morphoscope?.view as { width: number }
    return view.width
  })
  const { insides } = await overlay(page)
  const place = insides[insides.length >> 1]!
  await page.keyboard.press('Escape')
  await blur(page)
  await page.keyboard.press('Shift+f')
  await expect(page.getByTestId('rotation')).toHaveText('flipped')
  await settled(page)
  for (const [name, canvas] of [
    ['slide', slideCanvas],
    ['objects', '[data-testid=overlay-canvas]'],
  ] as const) {
    await expect.poll(async () => apart(await patches(page, canvas), mirrored(before[name])), soon).toBeLessThan(6)
    expect(apart(await patches(page, canvas), before[name]), name).toBeGreaterThan(8)
  }
  const box = (await viewerOf(page).boundingBox())!
  await page.mouse.click(box.x + at - place.x, box.y + place.y)
  await expect(selected).toHaveAttribute('data-state', 'found', soon)
  const sizes = (text: string | null) => text?.match(/[\d.]+\s*µm²/)?.[0]
  expect(sizes(await selected.textContent())).toBe(sizes(words))
  await page.keyboard.press('Escape')

  // A turn to the right is one on the screen, flipped or not.
  await blur(page)
  await page.keyboard.press('r')
  await expect(page.getByTestId('rotation')).toHaveText('270°, flipped', soon)
  await page.getByTestId('rotation').click()
  await expect(page.getByTestId('rotation')).toBeHidden(soon)
})

test('before and after: left of the bar lies the slide alone, right of it the layer, whichever it is and however the view lies', async () => {
  const { page } = shell
  await zoomsToNuclei(shell)
  await blur(page)
  await page.keyboard.press('v')
  await expect(page.getByTestId('split-bar')).toBeVisible()
  const box = (await viewerOf(page).boundingBox())!
  /** A strip of the screen beside the bar, where nothing else lies. */
  const strip = async (side: 'left' | 'right') => {
    const x = box.x + box.width / 2 + (side === 'left' ? -72 : 12)
    const clip = { x, y: box.y + box.height * 0.2, width: 60, height: box.height * 0.25 }
    return sharp(await page.screenshot({ clip })).removeAlpha().raw().toBuffer() // oxfmt-ignore
  }
  const differs = (a: Buffer, b: Buffer) =>
    a.reduce((sum, value, at) => sum + Number(Math.abs(value - b[at]!) > 12), 0) / a.length
  const grey = (data: Buffer) => share({ width: 0, height: 0, data }, isGrey)
  const choose = async (name: string) => {
    await page.getByTestId('layer-select').click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await settled(page)
  const plain = { left: await strip('left'), right: await strip('right') }
  for (const name of ['Depth and darkness', 'Eosin', 'Mask']) {
    await choose(name)
    await expect(page.getByTestId('split-bar')).toContainText(`Slide${name}`)
    await expect.poll(async () => differs(await strip('right'), plain.right), { message: name, ...soon }).toBeGreaterThan(0.3)
    expect(differs(await strip('left'), plain.left), name).toBeLessThan(0.01)
  }
  await choose('Hematoxylin')
  await blur(page)
  await page.keyboard.press('o')
  await expect.poll(async () => grey(await strip('right')), soon).toBeGreaterThan(0.95)
  expect(grey(await strip('left'))).toBeLessThan(0.3)
  await keepScreenshot(shell, '81-split-stain')
  // Turned, flipped and moved, the two meet at the bar.
  await blur(page)
  for (const key of ['r', 'Shift+f']) {
    await page.keyboard.press(key)
    await expect.poll(async () => grey(await strip('right')), { message: key, ...soon }).toBeGreaterThan(0.95)
    expect(grey(await strip('left')), key).toBeLessThan(0.3)
  }
  await page.getByTestId('split-bar').focus()
  for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowRight')
  await expect.poll(async () => grey(await strip('right')), soon).toBeLessThan(0.3)
  await page.keyboard.press('Home')
  await blur(page)
  await page.getByTestId('rotation').click()
  await expect(page.getByTestId('rotation')).toBeHidden(soon)
  await page.keyboard.press('o')
  // One stain after the other, each before the last has come: none stays over the slide.
  await zoomsToNuclei(shell)
  for (const name of ['Eosin', 'Hematoxylin', 'Eosin', 'Slide']) await choose(name)
  await expect.poll(async () => differs(await strip('right'), plain.right), soon).toBeLessThan(0.01)
  await blur(page)
  await page.keyboard.press('v')
  await expect(page.getByTestId('split-bar')).toBeHidden()
})

test('brightness, contrast, gamma and channels change the picture, say so, and go back; no result changes', async () => {
  const { page } = shell
  await blur(page)
  const middle = async () => {
    const { data } = await picture(viewerOf(page))
    const sums = [0, 0, 0]
    for (let i = 0; i < data.length; i++) sums[i % 3]! += data[i]!
    return sums.map((sum) => (3 * sum) / data.length)
  }
  const plain = await middle()
  const inks = (await inksOf(page)).slice(0, 3)
  await page.keyboard.press('Shift+b')
  await expect(page.getByTestId('tone-menu')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('tone-gamma').focus()
  for (let n = 0; n < 6; n++) await page.keyboard.press('PageUp')
  await expect(page.getByTestId('toned')).toBeVisible()
  await expect.poll(async () => (await middle())[0]! < plain[0]! - 8, soon).toBe(true)
  await page.getByTestId('tone-show-green').uncheck()
  await expect.poll(async () => (await middle())[1]! < plain[1]! / 2, soon).toBe(true)
  await page.getByTestId('tone-tint-red').click()
  await page.getByRole('option', { name: 'Cyan' }).click()
  await keepScreenshot(shell, '81-tone')
  await expect.poll(async () => (await middle())[0]! < plain[0]! / 2, soon).toBe(true)
  expect((await inksOf(page)).slice(0, 3)).toEqual(inks)
  await page.getByTestId('tone-reset').click()
  await expect(page.getByTestId('toned')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('tone-menu')).toBeHidden()
  await blur(page)
})

test('a grid tells lengths; a picture of the view is the screen’s, under a pseudonym where that is chosen; the window takes the whole screen', async () => {
  const { page } = shell
  await page.keyboard.press('#')
  await expect(page.getByTestId('grid-words')).toContainText('50 µm')
  expect(Number(await page.getByTestId('grid').getAttribute('data-lines'))).toBeGreaterThan(5)
  await settled(page)
  await keepScreenshot(shell, '82-grid')
  const saved = () => shell.saves(() => page.keyboard.press('Control+Shift+S'))
  const own = await saved()
  expect(own.name).toBe('CMU-1-Small-Region-view.png')
  const shown = await picture(viewerOf(page))
  const { data, info } = await sharp(own.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([shown.width, shown.height])
  // Away from buttons and cards: what is on the screen is in the picture, its grid and outlines too.
  let differ = 0
  for (let y = 200; y < 500; y++) {
    for (let x = 200; x < 600; x++) {
      const i = (y * info.width + x) * 3
      if (Math.abs(data[i]! - shown.data[i]!) > 24) differ++
    }
  }
  expect(differ / (300 * 400)).toBeLessThan(0.01)
  const bar = { width: 160, height: 44, data: Buffer.alloc(160 * 44 * 3) }
  for (let y = 0; y < bar.height; y++)
    data.copy(
      bar.data,
      y * bar.width * 3,
      ((info.height - 56 + y) * info.width + 14) * 3,
      ((info.height - 56 + y) * info.width + 14 + bar.width) * 3,
    )
  expect(share(bar, (r, g, b) => Math.min(r, g, b) > 240)).toBeGreaterThan(0.02)
  // With objects coloured by a measurement, and a region of a class, their legends stand over the bar.
  const above = async (bytes: Buffer): Promise<number> => {
    const { height } = await sharp(bytes).metadata()
    const part = sharp(bytes)
      .removeAlpha()
      .extract({ left: 14, top: height - 56 - 62, width: 204, height: 56 })
    const { data: rgb, info: size } = await part.raw().toBuffer({ resolveWithObject: true })
    return share({ width: size.width, height: size.height, data: rgb }, (r, g, b) => r < 90 && g < 90 && b < 90)
  }
  expect(await above(own.bytes)).toBeLessThan(0.3)
  await page.getByTestId('look').click()
  await page.getByTestId('colour-by').click()
  await page.getByRole('option', { name: /^Area/ }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('object-legend')).toBeVisible(soon)
  await blur(page)
  const legended = (await saved()).bytes
  expect(await above(legended)).toBeGreaterThan(0.5)
  writeFileSync(join(root, 'test-results', 'screenshots', 'chromium-82-picture-with-legend.png'), legended)
  await page.getByTestId('look').click()
  await page.getByTestId('colour-by').click()
  await page.getByRole('option', { name: 'Class, or one colour' }).click()
  await page.keyboard.press('Escape')
  await blur(page)
  await page.keyboard.press('Control+e')
  await page.getByTestId('export-deidentify').click()
  await expect(page.getByTestId('export-deidentify')).toBeChecked(soon)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog').first()).toBeHidden()
  await blur(page)
  expect((await saved()).name).toMatch(/^slide-[0-9a-f]{16}-view\.png$/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('Control+Shift+C')
  await expect
    .poll(() => page.evaluate(async () => (await navigator.clipboard.read())[0]?.types ?? []).catch(() => []), soon)
    .toEqual(['image/png'])
  await page.keyboard.press('#')
  await expect(page.getByTestId('grid')).toBeHidden()
  await page.keyboard.press('F11')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null), soon).toBe(true)
  await page.keyboard.press('F11')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null), soon).toBe(false)
})

test('a second view goes along with the first, shows another layer, result or slide, and moves by itself when it is let go', async () => {
  const { page } = shell
  await blur(page)
  await page.keyboard.press('j')
  const second = page.getByTestId('second-view')
  await expect(second).toBeVisible()
  const own = '[data-testid=second-view] .openseadragon-canvas canvas'
  // The first view is the left half of what it was; what lies over its middle lies over the other's.
  await expect.poll(async () => apart(await patches(page, own), await patches(page, slideCanvas)), soon).toBeLessThan(3)
  await expect
    .poll(
      async () => apart(await patches(page, '[data-testid=second-overlay]'), await patches(page, '[data-testid=overlay-canvas]')),
      soon,
    )
    .toBeLessThan(3)
  expect(await axeFindings(page)).toEqual([])
  await page.mouse.move(700, 400)
  await keepScreenshot(shell, '83-second-view')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('r')
  await expect.poll(async () => apart(await patches(page, own), await patches(page, slideCanvas)), soon).toBeLessThan(3)

  // The hand on the second leads the first.
  const was = JSON.stringify(await page.evaluate(() => window.__morphoscope?.view))
  const box = (await second.boundingBox())!
  await page.mouse.move(box.x + 200, box.y + 400)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 360, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => JSON.stringify(await page.evaluate(() => window.__morphoscope?.view)) !== was, soon).toBe(true)
  await expect.poll(async () => apart(await patches(page, own), await patches(page, slideCanvas)), soon).toBeLessThan(3)

  // Another layer; no results.
  const chooses = async (list: string, option: string) => {
    await page.getByTestId(list).click()
    await page.getByRole('option', { name: option }).click()
  }
  await chooses('second-layer-select', 'Hematoxylin')
  await chooses('second-results', 'No results')
  await expect
    .poll(async () => share(await picture(second), (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 40), soon)
    .toBeLessThan(0.02)
  await keepScreenshot(shell, '84-second-view-stain')

  // Let go, each moves by itself.
  await page.getByTestId('second-link').click()
  const left = JSON.stringify(await page.evaluate(() => window.__morphoscope?.view))
  await page.mouse.move(box.x + 200, box.y + 400)
  await page.mouse.wheel(0, -300)
  await settled(page)
  expect(JSON.stringify(await page.evaluate(() => window.__morphoscope?.view))).toBe(left)
  await page.getByTestId('second-close').click()
  await expect(second).toBeHidden()
})

test('the guide opens by F1: every chapter has its picture and its commands, by mouse and by keys', async () => {
  const { page } = shell
  await seesTissue(shell)
  await blur(page)
  await page.keyboard.press('F1')
  const guide = page.getByTestId('guide')
  await expect(guide).toBeVisible(soon)
  const chapters = guide.getByRole('tab')
  const count = await chapters.count()
  expect(count).toBeGreaterThan(10)
  await chapters.first().focus()
  for (let n = 0; n < count; n++) {
    await expect(chapters.nth(n)).toHaveAttribute('aria-selected', 'true')
    const picture = guide.getByRole('img')
    await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth), soon).toBe(960)
    if (n === 4) await keepScreenshot(shell, '85-guide')
    await page.keyboard.press('ArrowDown')
  }
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('guide-move').click()
  await expect(page.getByTestId('guide-page')).toContainText('Fit the slide')
  await page.keyboard.press('Escape')
  await expect(guide).toBeHidden()
  await page.keyboard.press('?')
  await page.getByTestId('help-guide').click()
  await expect(guide).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(guide).toBeHidden()

  // Beside a value: what less and more of it do, on the sample.
  await page.getByRole('button', { name: /^Help: Level\./ }).hover()
  const effect = page.getByRole('tooltip').getByRole('img')
  await expect.poll(() => effect.evaluate((element) => (element as HTMLImageElement).naturalWidth), soon).toBeGreaterThan(300)
  await keepScreenshot(shell, '86-effect')
})

test('the keys can be QuPath’s: in the list, the palette, tooltips and the guide, and under the hand', async () => {
  const { page } = shell
  const choose = async (keys: string): Promise<void> => {
    await blur(page)
    await page.keyboard.press('?')
    await page.getByTestId('key-set').getByText(keys).click()
  }
  const hint = page.getByTestId('region-hint')
  // A tip lies outside the page's landmarks.
  await page.getByTestId('lasso-tool').hover()
  await expect(page.locator('[role="tooltip"]')).toContainText('L')
  expect(await axeFindings(page)).toEqual([])
  await choose('QuPath')
  await expect(page.getByTestId('cheat-sheet')).toContainText('MMove: no tool')
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '87-qupath-keys')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog').first()).toBeHidden()
  await blur(page)
  await page.keyboard.press('r')
  await expect(hint).toContainText('Drag over the tissue')
  await page.keyboard.press('m')
  await expect(hint).toBeHidden()
  await page.keyboard.press('Control+l')
  await expect(page.getByTestId('palette-wand')).toContainText('W')
  await page.keyboard.press('Escape')
  await page.keyboard.press('F1')
  await page.getByTestId('guide-regions').click()
  await expect(page.getByTestId('guide-page')).toContainText('RDraw a rectangular region')
  await page.keyboard.press('Escape')
  await choose('Morphoscope')
  await expect(page.getByTestId('cheat-sheet')).toContainText('XDraw a rectangular region')
  await page.keyboard.press('Escape')
})
