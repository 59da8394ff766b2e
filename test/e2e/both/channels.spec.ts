// A slide of three channels, 16 bits each, whose figures are known: its colours, contrasts, and what a blend costs.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nuclearChannels } from '../../main/slide/nuclearChannels'
import { threeChannels } from '../../main/slide/threeChannels'
import { axeFindings } from '../axe'
import { keepScreenshot, runEnds, settled, viewerOf } from '../journey'
import { patience } from '../patience'
import { picture, share } from '../pixels'
import { root, withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

/** From now on the page counts what it asks for of channels. */
const countsFetches = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counted = window as unknown as { asked: number; fetch: typeof fetch }
    const plain = counted.fetch.bind(window)
    counted.asked = 0
    counted.fetch = (input, init) => {
      if (typeof input === 'string' && input.includes('/tile/channel/')) counted.asked++
      return plain(input, init)
    }
  })
const asked = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { asked: number }).asked)

const isRed = (r: number, g: number, b: number): boolean => r > 60 && r > 2 * b && r > 1.5 * g
const isGreen = (r: number, g: number, b: number): boolean => g > 60 && g > 2 * b && g > 1.5 * r
const isBlue = (r: number, g: number, b: number): boolean => b > 150 && b > r && b > g
const isPink = (r: number, g: number, b: number): boolean => r > 60 && b > 60 && r > 2 * g && b > 2 * g
const sees = (page: Page, is: typeof isRed): Promise<number> => picture(viewerOf(page)).then((shown) => share(shown, is))

test('three channels are blended in their colours, and another contrast asks for nothing', async () => {
  const { page } = shell
  const path = await threeChannels(join(shell.folder, 'three.ome.tif'))
  await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('three.ome.tif', patience)
  const card = page.getByTestId('channels')
  await expect(card).toContainText('3 of 3 shown')
  for (const name of ['DAPI', 'CD8', 'PanCK']) await expect(card).toContainText(name)
  for (const is of [isRed, isGreen, isBlue]) await expect.poll(() => sees(page, is), patience).toBeGreaterThan(0.01)
  // Its ground and nearly its nuclei, 3000: an overview's px are means of the file's.
  await expect(page.getByTestId('channel-0')).toContainText(/60 – 2.\d{3}/)
  await settled(page)
  await keepScreenshot(shell, '70-channels')
  expect(await axeFindings(page)).toEqual([])

  await countsFetches(page)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  // Its key, and its tick.
  await page.keyboard.press('3')
  await expect.poll(() => sees(page, isRed), patience).toBe(0)
  await page.getByTestId('channel-show-1').uncheck()
  await expect.poll(() => sees(page, isGreen), patience).toBe(0)
  await expect(card).toContainText('1 of 3 shown')
  await settled(page)
  // Nuclei are discs of radius 9 on a square lattice: so much of the slide is DAPI.
  // What the file's notices hide would come to it.
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0, patience)
  const blue = await sees(page, isBlue)
  expect(blue).toBeGreaterThan(0.02)
  await keepScreenshot(shell, '71-channels-dapi')
  await page.getByTestId('channel-low').focus()
  await page.keyboard.press('End')
  await expect.poll(() => sees(page, isBlue), patience).toBeLessThan(blue)
  await page.keyboard.press('Home')
  await page.getByTestId('channel-high').focus()
  await page.keyboard.press('Home')
  // Now the empty ground is as bright as the nuclei.
  await expect.poll(() => sees(page, isBlue), patience).toBeGreaterThan(0.3)
  expect(await asked(page)).toBe(0)
  await page.getByTestId('channels-reset').click()
  await expect(card).toContainText('3 of 3 shown')
  for (const is of [isRed, isGreen]) await expect.poll(() => sees(page, is), patience).toBeGreaterThan(0.01)
})

test('nuclei of DAPI are measured in CD8, coloured by it, and classified by a limit on it', async () => {
  const { page } = shell
  await page.getByTestId('recipe-select').click()
  await page.getByRole('option', { name: 'Fluorescence nuclei' }).click()
  await page.getByTestId('run-whole').click()
  await expect(page.getByTestId('object-count')).toHaveText('576', patience)
  await runEnds(shell)
  await page.getByTestId('look').click()
  await page.getByTestId('colour-by').click()
  await page.getByRole('option', { name: 'CD8, mean in the channel' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('object-legend')).toContainText('CD8, mean in the channel', patience)
  await keepScreenshot(shell, '73-channels-colour-by')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('b')
  // Each nucleus has a value of its own, 100 more than the one before: 500 of 576 are above 7500.
  await page.getByTestId('table-filter').fill('channel2Mean > 57400')
  await expect(page.getByTestId('table-count')).toContainText('1 of 576', patience)
  await page.getByTestId('table-row').first().click()
  const figures = page.getByTestId('object-channels')
  await expect(figures.getByRole('row', { name: /^CD8/ })).toContainText('57\u202f500', patience)
  await expect(figures.getByRole('row', { name: /^DAPI/ })).toContainText('3\u202f000')
  await page.getByTestId('table-filter').fill('')
  await page.getByTestId('table-describe').click()
  await page.getByRole('option', { name: 'CD8 mean' }).click()
  await page.getByTestId('class-rule').getByText('Negative, positive').click()
  await page.getByTestId('rule-limit-0').fill('7550')
  await page.getByTestId('rule-limit-0').press('Enter')
  await expect(page.getByTestId('classes')).toContainText('Positive500 (86.8 %)', patience)
  await expect(page.getByTestId('class-cuts')).toContainText('CD8 mean above 7550')
  await page.getByTestId('object-channels').scrollIntoViewIfNeeded()
  await keepScreenshot(shell, '74-channels-classes')
  // Also by PanCK, in which the right half is above 600: of the 76 that are negative in CD8, 36.
  await page.getByTestId('rule-also').click()
  await page.getByRole('option', { name: 'PanCK mean' }).click()
  await page.getByTestId('rule-other-limit-0').fill('600')
  await page.getByTestId('rule-other-limit-0').press('Enter')
  await expect(page.getByTestId('class-cuts')).toContainText('CD8 mean above 7550, PanCK mean above 600', patience)
  for (const counted of ['CD8- PanCK-40', 'CD8+ PanCK-248', 'CD8- PanCK+36', 'CD8+ PanCK+252'])
    await expect(page.getByTestId('classes')).toContainText(counted, patience)
  await keepScreenshot(shell, '75-channels-together')
  await page.getByTestId('rule-other-remove-0').click()
  await expect(page.getByTestId('classes')).toContainText('Positive500 (86.8 %)', patience)

  // Exported, they have the made values and these classes.
  const target = join(shell.folder, 'exported')
  mkdirSync(target)
  await page.getByTestId('export-open').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  const [own] = readdirSync(target)
  const [head, ...rows] = readFileSync(join(target, own!, 'objects.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((row) => row.split(','))
  const column = (name: string): string[] => rows.map((row) => row[head!.indexOf(name)]!)
  const means = column('channel_cd8_mean').map(Number)
  expect(means.sort((a, b) => a - b)).toEqual(Array.from({ length: 576 }, (_, i) => 100 * i))
  expect(new Set(column('channel_dapi_mean').map(Number))).toEqual(new Set([3000]))
  expect(column('class').filter((name) => name === 'positive')).toHaveLength(500)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

test('what is segmented is chosen in the card, and stays chosen', async () => {
  const { page } = shell
  const path = await nuclearChannels(join(shell.folder, 'nuclear.ome.tif'))
  await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('nuclear.ome.tif', patience)
  await expect(page.getByTestId('channel-analysed')).toHaveValue('DAPI', patience)
  await page.getByTestId('run-whole').click()
  await expect(page.getByTestId('object-count')).toHaveText('64', patience)
  await runEnds(shell)
  await page.getByTestId('channel-analysed').click()
  await page.getByRole('option', { name: 'Ki67' }).click()
  await expect(page.getByTestId('channel-0')).toContainText('analysed', patience)
  await expect(page.getByTestId('channel-1')).not.toContainText('analysed')
  await page.getByTestId('run-whole').click()
  await expect(page.getByTestId('object-count')).toHaveText('16', patience)
  await runEnds(shell)
  await settled(page)
  await keepScreenshot(shell, '76-channels-segment-in')
  expect(await axeFindings(page)).toEqual([])
  // How it is shown stays too.
  await page.getByTestId('channel-show-1').uncheck()
  await page.getByTestId('channel-color-0').fill('#ff00ff')
  await expect.poll(() => sees(page, isPink), patience).toBeGreaterThan(0.01)
  // The legend of colours has some.
  await expect.poll(() => sees(page, isBlue), patience).toBeLessThan(0.015)
  // Longer than it rests before it is kept.
  await page.waitForTimeout(1000)
  // The desktop's window may ask before it goes: there another slide is shown in between.
  if (shell.name === 'chromium') await page.reload()
  else {
    await shell.chooseFile(join(shell.folder, 'three.ome.tif'), () => page.keyboard.press('ControlOrMeta+o'))
    await expect(page.getByTestId('slide-name')).toContainText('three.ome.tif', patience)
    await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
    await expect(page.getByTestId('slide-name')).toContainText('nuclear.ome.tif', patience)
  }
  await expect(page.getByTestId('channel-analysed')).toHaveValue('Ki67', patience)
  await expect(page.getByTestId('object-count')).toHaveText('16', patience)
  await expect(page.getByTestId('channel-show-1')).not.toBeChecked(patience)
  await expect(page.getByTestId('channel-color-0')).toHaveValue('#ff00ff')
  await expect.poll(() => sees(page, isPink), patience).toBeGreaterThan(0.01)
  await settled(page)
  await keepScreenshot(shell, '77-channels-kept')
})

/** Public, of Viv's: read from outside of the repository, and its copy goes with the shell's folder. */
const shared = join(process.env['MORPHOSCOPE_DATA'] ?? join(root, '..', 'shared', 'data'), 'formats', 'multi-channel.ome.tif')

test('a public OME-TIFF of three channels shows all of them', async () => {
  test.skip(!existsSync(shared), '../shared/data/formats/multi-channel.ome.tif is not there')
  const { page } = shell
  const path = join(shell.folder, 'multi-channel.ome.tif')
  copyFileSync(shared, path)
  await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('multi-channel.ome.tif', patience)
  await expect(page.getByTestId('channels')).toContainText('3 of 3 shown')
  await settled(page)
  await keepScreenshot(shell, '72-channels-public')
})
