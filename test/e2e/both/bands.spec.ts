// What lies along the border of a tumour: bands in the window and in the exported file, beside the made truth.
import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hotSpotMpp, hotSpotNuclei } from '../../hotSpotPicture'
import { readFloatTiff } from '../../main/spatial/floatTiff'
import { axeFindings } from '../axe'
import { keepScreenshot } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'
import { segmentsWithTumour, toBorder } from '../tumour'

let shell: Shell
withShell((started) => void (shell = started))

test('bands along the tumour’s border are in the window and in the exports', async () => {
  const { page, folder } = shell
  await segmentsWithTumour(shell)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-query').fill('invasive front')
  await expect(page.getByTestId('palette-bands')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('bands-row')).toHaveCount(7, patience)
  await page.getByTestId('bands-limits').fill('-100, -50, oops')
  await expect(page.getByText('Numbers that rise')).toBeVisible()
  await page.getByTestId('bands-limits').fill('-80, -40, 0, 40, 80')
  await page.getByTestId('bands-limits').press('Enter')
  await expect(page.getByTestId('bands-row')).toHaveCount(6, patience)
  await keepScreenshot(shell, '86-bands')
  expect(await axeFindings(page)).toEqual([])

  const limits = [-80, -40, 0, 40, 80]
  const truth = (band: number) =>
    hotSpotNuclei.filter(({ x, y }) => limits.filter((limit) => toBorder(x, y) >= limit).length === band)
  const shown = await page
    .getByTestId('bands-row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
  // A diamond of 1400 × 1200 px; a band outside has its sides, and of the corners all the turns together make one circle.
  const side = 4 * Math.hypot(700, 600) * hotSpotMpp
  const outside = (far: number): number => side * far + Math.PI * far * far
  const all = (1400 * 1200 * hotSpotMpp ** 2) / 2
  const inside = (deep: number): number => all * (1 - deep / ((all * 2) / side)) ** 2
  const areas = [inside(80), inside(40) - inside(80), all - inside(40), outside(40), outside(80) - outside(40)]
  areas.forEach((area, band) => expect(Number(shown[band]![1])).toBeCloseTo(area / 1e6, 3))
  shown.forEach((cells, band) => {
    const own = truth(band)
    // Segmented nuclei have their centroids within a µm of where they were painted.
    expect(Math.abs(Number(cells[2]!.replaceAll(/\D/g, '')) - own.length)).toBeLessThan(8)
    const share = own.filter(({ isBrown }) => isBrown).length / own.length
    expect(Math.abs(Number.parseFloat(cells[4]!) / 100 - share)).toBeLessThan(0.04)
  })
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('bands-row')).toHaveCount(0)

  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png'])
    await page.getByTestId(`export-file-${name}`).uncheck()
  await page.getByTestId('export-file-bands.csv').check()
  const target = join(folder, 'bands')
  await shell.chooseDirectory(target)
  await page.getByRole('checkbox', { name: 'In a new folder of its own' }).uncheck()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  const [names, ...lines] = readFileSync(join(target, 'bands.csv'), 'utf8').trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  const of = (name: string): number => names!.indexOf(name)
  const whole = lines.filter((line) => line[of('class')] === '')
  expect(whole.map((line) => line[of('objects')])).toEqual(shown.map((cells) => cells[2]!.replaceAll(/\D/g, '')))
  expect(whole.map((line) => line[of('to_um')])).toEqual([...limits.map(String), ''])
  await page.keyboard.press('Escape')
})

test('a map of density lies over the slide, and where it is high become regions, which are taken back', async () => {
  const { page, folder } = shell
  await segmentsWithTumour(shell)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-query').fill('map of density')
  await expect(page.getByTestId('palette-densityMap')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.getByTestId('map-of').click()
  await page.getByRole('option', { name: 'Objects of Positive' }).click()
  await page.getByTestId('map-radius').fill('80')
  await page.getByTestId('map-radius').press('Enter')
  await page.getByTestId('map-show').click()
  const legend = page.getByTestId('layer-legend')
  await expect(legend).toContainText('Map of density per mm²', patience)
  const positive = hotSpotNuclei.filter(({ isBrown }) => isBrown)
  /** Of positive cells within 80 µm, per mm². */
  const at = (x: number, y: number): number =>
    positive.filter((each) => Math.hypot(each.x - x, each.y - y) * hotSpotMpp <= 80).length / ((Math.PI * 80 * 80) / 1e6)
  const cells = Array.from({ length: 150 * 100 }, (_, i): [number, number] => [(i % 150) * 16 + 8, Math.floor(i / 150) * 16 + 8])
  const values = cells.map(([x, y]) => at(x, y))
  const highest = Math.max(...values)
  // Centroids lie within a µm of where cells were painted: a few of a circle's rim may count, or not.
  const one = 1 / ((Math.PI * 80 * 80) / 1e6)
  const end = legend.locator('.legend-ends span').last()
  await expect
    .poll(async () => Math.abs(Number((await end.textContent())!.replaceAll(/[^\d.]/g, '')) - highest), patience)
    .toBeLessThan(2.5 * one)
  await keepScreenshot(shell, '87-density-map')
  expect(await axeFindings(page)).toEqual([])

  await page.getByTestId('map-limit').fill('90')
  await page.getByTestId('map-least').fill('0.005')
  await page.getByTestId('map-regions').click()
  const rows = page.getByTestId('region-row')
  await expect(rows.filter({ hasText: 'Hot spot 1' })).toHaveCount(1, patience)
  await page.keyboard.press('Escape')
  await keepScreenshot(shell, '88-hot-spot-regions')

  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png'])
    await page.getByTestId(`export-file-${name}`).uncheck()
  await page.getByTestId('export-file-density.ome.tif').check()
  const target = join(folder, 'map')
  await shell.chooseDirectory(target)
  await page.getByRole('checkbox', { name: 'In a new folder of its own' }).uncheck()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('density.ome.tif', patience)
  const { levels } = readFloatTiff(readFileSync(join(target, 'density.ome.tif')))
  const differ = values.filter((value, i) => Math.abs(value - levels[0]!.values[i]!) > 4 * one)
  expect(differ.length).toBeLessThan(150)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('export-result')).toHaveCount(0)

  // One step back: the regions go, the tumour stays.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows).toHaveCount(1, patience)
  await expect(rows).toContainText('Tumor')
  await page.getByTestId('table-map').click()
  await page.getByTestId('map-show').click()
  await expect(legend).toHaveCount(0)
  await page.keyboard.press('Escape')
})
