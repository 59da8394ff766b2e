// Makes the guide's pictures, and finds in the window what each chapter says is there: npm run guide
// A chapter is walked to as its reader would; a number stands on each control that it names. In Chromium, light, 1280 × 800.
import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { guide } from '../../app/guide'
import { guideChapters } from '../../app/guide'
import { clicksNucleus, runEnds, seesTissue, segmentsVisible, settled, viewerOf, zoomsToNuclei } from '../e2e/journey'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { threeChannels } from '../main/slide/threeChannels'
import { guideText } from './guideText'

const folder = join(root, 'assets', 'guide')
const [width, height] = [1280, 800] as const
const shownWidth = 960
const soon = { timeout: 30_000 }
type Chapter = (typeof guide)[number]['id']

const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
async function key(page: Page, ...keys: string[]): Promise<void> {
  await blur(page)
  for (const each of keys) await page.keyboard.press(each)
}
async function chooses(page: Page, list: string, option: string | RegExp): Promise<void> {
  await page.getByTestId(list).click()
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click()
}
const still = (page: Page) => page.waitForTimeout(600)

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A ring and its number, on the control. */
function numbered(boxes: readonly Box[]): Buffer {
  const marks = boxes.map((box, i) => {
    const [x, y] = [Math.max(13, box.x - 4), Math.max(13, box.y - 4)]
    return `<rect x="${box.x - 4}" y="${box.y - 4}" width="${box.width + 8}" height="${box.height + 8}" rx="7" fill="none" stroke="#fff" stroke-width="6"/>
<rect x="${box.x - 4}" y="${box.y - 4}" width="${box.width + 8}" height="${box.height + 8}" rx="7" fill="none" stroke="#b3261e" stroke-width="3"/>
<circle cx="${x}" cy="${y}" r="12" fill="#b3261e" stroke="#fff" stroke-width="2"/>
<text x="${x}" y="${y + 5}" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="15" fill="#fff">${i + 1}</text>`
  })
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks.join('')}</svg>`)
}

async function boxOf(found: Locator, name: string): Promise<Box> {
  await expect(found.first(), name).toBeVisible(soon)
  const box = await found.first().boundingBox()
  expect(box, name).not.toBeNull()
  expect(
    box!.x >= 0 && box!.y >= 0 && box!.x + box!.width <= width && box!.y + box!.height <= height,
    `${name} is in the picture`,
  ).toBe(true)
  return box!
}

/** Finds what the chapter names, and keeps its picture. */
async function keeps(page: Page, id: Chapter): Promise<void> {
  const { marks } = guideChapters.find((chapter) => chapter.id === id)!
  const boxes: Box[] = []
  // A panel that has scrolled to something else shows what is named.
  for (const { testId } of marks) await page.getByTestId(testId).first().scrollIntoViewIfNeeded()
  for (const { testId } of marks) boxes.push(await boxOf(page.getByTestId(testId), `${id}: ${testId}`))
  const shot = await page.screenshot({ animations: 'disabled' })
  const marked = await sharp(shot)
    .composite([{ input: numbered(boxes), left: 0, top: 0 }])
    .png()
    .toBuffer()
  await sharp(marked)
    .resize(shownWidth)
    .webp({ quality: 72, effort: 6 })
    .toFile(join(folder, `${id}.webp`))
}

/** The same field as each step of the recipe leaves it, with the steps' own names. */
async function keepsSteps(page: Page): Promise<void> {
  await page.getByTestId('layer-select').click()
  const names = await page
    .getByRole('group', { name: 'Steps of the recipe' })
    .getByRole('option')
    .allTextContents()
    .catch(() => [])
  await page.keyboard.press('Escape')
  const steps = [
    'Slide',
    ...(names.length > 0 ? names : ['Channel', 'Lower envelope', 'Contrast', 'Mask', 'Depth and darkness', 'Markers', 'Nuclei']),
  ]
  const part = { width: 300, height: 225 }
  const parts: { input: Buffer; left: number; top: number }[] = []
  const box = (await viewerOf(page).boundingBox())!
  for (const [i, name] of steps.entries()) {
    await chooses(page, 'layer-select', name)
    await blur(page)
    await still(page)
    await settled(page)
    const clip = {
      x: Math.round(box.x + box.width / 2 - part.width / 2),
      y: Math.round(box.y + box.height / 2 - part.height / 2),
      ...part,
    }
    const words = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${part.width}" height="26"><rect width="${part.width}" height="26" fill="#14171b"/><text x="8" y="18" font-family="sans-serif" font-weight="700" font-size="14" fill="#fff">${i === 0 ? name : `${i}. ${name}`}</text></svg>`,
    )
    const [left, top] = [(i % 4) * (part.width + 6), Math.floor(i / 4) * (part.height + 32)]
    parts.push(
      { input: words, left, top },
      { input: await page.screenshot({ clip, animations: 'disabled' }), left, top: top + 26 },
    )
  }
  await chooses(page, 'layer-select', 'Slide')
  const sheet = { width: 4 * part.width + 18, height: 2 * (part.height + 32) - 6, channels: 3 as const, background: '#8a8f96' }
  const whole = await sharp({ create: sheet }).composite(parts).png().toBuffer()
  await sharp(whole).resize(shownWidth).webp({ quality: 74, effort: 6 }).toFile(join(folder, 'stages.webp'))
}

/** What leads to each chapter's picture, and back. */
const walks: Record<Chapter, (shell: Shell) => Promise<void>> = {
  async window(shell) {
    const { page } = shell
    await zoomsToNuclei(shell)
    await segmentsVisible(shell)
    await clicksNucleus(shell)
    await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'found', soon)
    await settled(page)
    await keeps(page, 'window')
    await key(page, 'Escape')
  },
  async open({ page }) {
    await key(page, 'Shift+j')
    await expect(page.getByTestId('start-page')).toBeVisible(soon)
    await still(page)
    // Whose machine this is is nobody's affair.
    await page.locator('.start-page').evaluate((element, home) => {
      for (const each of element.querySelectorAll('*'))
        if (each.children.length === 0 && each.textContent?.includes(home)) each.textContent = 'samples'
    }, root)
    await keeps(page, 'open')
    await key(page, 'Escape')
  },
  async move({ page }) {
    await key(page, 'z')
    await expect(page.getByTestId('magnification-menu')).toBeVisible()
    await keeps(page, 'move')
    await page.keyboard.press('Escape')
  },
  async picture({ page }) {
    await key(page, '#', 'Shift+b')
    await page.getByTestId('tone-brightness').focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await expect(page.getByTestId('toned')).toBeVisible()
    await still(page)
    await keeps(page, 'picture')
    await page.getByTestId('tone-reset').click()
    await page.keyboard.press('Escape')
    await key(page, '#')
  },
  async second({ page }) {
    await key(page, 'j')
    await chooses(page, 'second-layer-select', 'Hematoxylin')
    await page.mouse.move(460, 420)
    await settled(page)
    await keeps(page, 'second')
    await page.getByTestId('second-close').click()
  },
  async stages(shell) {
    const { page } = shell
    await key(page, '+', '+')
    await settled(page)
    await keepsSteps(page)
    await key(page, '-', '-')
    await settled(page)
  },
  async tune({ page }) {
    await page.getByTestId('param-threshold-level-slider').hover()
    await expect(page.getByTestId('cut-histogram')).toContainText('of the field is above', soon)
    await keeps(page, 'tune')
    await page.mouse.move(640, 400)
  },
  async why({ page }) {
    await key(page, 'y')
    await page.mouse.move(560, 420)
    await expect(page.getByTestId('why-verdict')).not.toBeEmpty(soon)
    await still(page)
    await keeps(page, 'why')
    await key(page, 'Escape')
  },
  async results({ page }) {
    await key(page, 'b')
    await still(page)
    await still(page)
    await keeps(page, 'results')
    await key(page, 'b')
  },
  async correct({ page }) {
    await key(page, 'l')
    const box = (await viewerOf(page).boundingBox())!
    const at = (x: number, y: number) => page.mouse.move(box.x + x, box.y + y, { steps: 3 })
    await at(200, 300)
    await page.mouse.down()
    for (const [x, y] of [
      [300, 240],
      [390, 320],
      [360, 430],
      [240, 430],
      [200, 300],
    ] as const)
      await at(x, y)
    await page.mouse.up()
    await expect(page.getByTestId('lasso-shape')).toBeVisible(soon)
    await still(page)
    await keeps(page, 'correct')
    await key(page, 'Escape', 'Escape')
  },
  async regions({ page }) {
    const box = (await viewerOf(page).boundingBox())!
    await key(page, 'x')
    await page.mouse.move(box.x + 180, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 420, box.y + 420, { steps: 4 })
    await page.mouse.up()
    await expect(page.getByTestId('region-shape')).toHaveCount(1, soon)
    await still(page)
    await keeps(page, 'regions')
    await key(page, 'Delete')
  },
  async export({ page }) {
    await key(page, 'Control+e')
    await expect(page.getByTestId('export-deidentify')).toBeVisible(soon)
    await still(page)
    await keeps(page, 'export')
    await page.keyboard.press('Escape')
  },
  // The last of the sample: nothing else waits for its run.
  async segment(shell) {
    const { page } = shell
    await page.getByTestId('param-image-pixelSizeUm').fill('0.1')
    await page.keyboard.press('Enter')
    await key(page, 'f', 'w')
    const asks = page.getByTestId('run-whole-confirm')
    if (await asks.isVisible().catch(() => false)) await asks.click()
    await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running', soon)
    await page.waitForTimeout(4000)
    await keeps(page, 'segment')
    await key(page, 'Escape')
    await runEnds(shell).catch(() => undefined)
  },
  // Another slide: the sample’s chapters come before.
  async channels(shell) {
    const { page } = shell
    const path = await threeChannels(join(shell.folder, 'three.ome.tif'))
    await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
    await expect(page.getByTestId('slide-name')).toContainText('three.ome.tif', soon)
    await expect(page.getByTestId('channels')).toContainText('3 of 3 shown', soon)
    await chooses(page, 'recipe-select', 'Fluorescence nuclei')
    await page.mouse.move(640, 400)
    await blur(page)
    await settled(page)
    // Notices about the file lie over the slide for a while.
    await expect(page.locator('.mantine-Notification-root')).toHaveCount(0, soon)
    await still(page)
    await keeps(page, 'channels')
  },
}

test('the guide’s pictures', async () => {
  const reason = await whyNot('chromium')
  test.skip(reason !== null, reason ?? '')
  mkdirSync(folder, { recursive: true })
  const shell = await launch('chromium', { colorScheme: 'light' })
  try {
    await shell.resize(width, height)
    await seesTissue(shell)
    expect(Object.keys(walks).sort()).toEqual(guideChapters.map(({ id }) => id).sort())
    const only = process.env['GUIDE_ONLY']?.split(',')
    for (const [id, walk] of Object.entries(walks))
      if (!only || id === 'window' || only.includes(id)) await test.step(id, () => walk(shell))
    writeFileSync(join(folder, 'README.md'), guideText())
  } finally {
    await shell.close()
  }
})

test('the README’s pictures: what a newcomer sees after Space', async () => {
  const reason = await whyNot('chromium')
  test.skip(reason !== null, reason ?? '')
  const readme = join(root, 'assets', 'readme')
  mkdirSync(readme, { recursive: true })
  const shell = await launch('chromium', { colorScheme: 'dark', slide: null })
  const { page } = shell
  const keepsAs = async (name: string, shot: Buffer) =>
    sharp(shot)
      .webp({ quality: 80, effort: 6 })
      .toFile(join(readme, `${name}.webp`))
  try {
    await shell.resize(1440, 900)
    await seesTissue(shell)
    await key(page, 'Escape')
    await segmentsVisible(shell)
    await settled(page)
    await still(page)
    await keepsAs('window', await page.screenshot({ animations: 'disabled' }))
    const box = (await viewerOf(page).boundingBox())!
    const clip = { x: box.x + 60, y: box.y + box.height / 2 - 200, width: box.width - 160, height: 400 }
    await keepsAs('result', await page.screenshot({ clip, animations: 'disabled' }))
  } finally {
    await shell.close()
  }
})
