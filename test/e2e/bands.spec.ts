// What lies along the border of a tumour: bands in the window and in the exported file, beside the made truth.
import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hotSpotMpp, hotSpotNuclei } from '../hotSpotPicture'
import { axeFindings } from './axe'
import { keepScreenshot } from './journey'
import { patience } from './patience'
import { withShell } from './shells'
import type { Shell } from './shells'
import { segmentsWithTumour, toBorder } from './tumour'

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
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  const [names, ...lines] = readFileSync(join(target, 'bands.csv'), 'utf8').trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  const of = (name: string): number => names!.indexOf(name)
  const whole = lines.filter((line) => line[of('class')] === '')
  expect(whole.map((line) => line[of('objects')])).toEqual(shown.map((cells) => cells[2]!.replaceAll(/\D/g, '')))
  expect(whole.map((line) => line[of('to_um')])).toEqual([...limits.map(String), ''])
  await page.keyboard.press('Escape')
})
