// From an IHC slide to a report: the positive share of all of it, of tumour against stroma, and of the hot spot, each beside the made truth.
import { expect, test } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hot, hotSpotMpp, hotSpotNuclei, paintsHotSpot, size } from '../../hotSpotPicture'
import { keepScreenshot, objectCount, runEnds, seesTissue } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const middle = size.width / 2
const shareOf = (nuclei: typeof hotSpotNuclei): number => (100 * nuclei.filter(({ isBrown }) => isBrown).length) / nuclei.length
/** "81.2" of "81.2 % (70.4 to 88.6 %)". */
const percentIn = (text: string | null): number => Number(/([\d.]+) %/.exec(text ?? '')?.[1])

test('a Ki-67 slide comes to a share of all, of tumour and stroma, and of its hot spot', async () => {
  const { page, folder } = shell
  await seesTissue(shell)
  const slide = join(folder, 'ki67.tif')
  await paintsHotSpot(slide)
  await shell.chooseFile(slide, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('ki67.tif', patience)
  await page.getByTestId('offer-recipe').click()
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  expect(Math.abs((await objectCount(shell)) - hotSpotNuclei.length)).toBeLessThan(20)
  const whole = percentIn(await page.getByTestId('positive-share').textContent())
  expect(Math.abs(whole - shareOf(hotSpotNuclei))).toBeLessThan(1)

  // A circle of 500 µm is as large as this made slide's half: a smaller one is asked for, and one with fewer objects.
  const facts = page.getByTestId('hot-spot')
  await page.getByTestId('hot-spot-diameterUm').fill('200')
  await page.getByTestId('hot-spot-diameterUm').press('Enter')
  await page.getByTestId('hot-spot-leastObjects').fill('30')
  await page.getByTestId('hot-spot-leastObjects').press('Enter')
  await expect.poll(async () => percentIn(await facts.textContent())).toBeGreaterThan(70)
  const share = percentIn(await facts.textContent())
  await page.getByTestId('hot-spot-show').click()
  await expect(page.getByTestId('hot-spot-layer')).toBeVisible()
  await keepScreenshot(shell, '79-hot-spot')

  // Tumour to the right, where the hot spot is, stroma to the left.
  const square = (x0: number, x1: number) => [
    [
      [x0, 0],
      [x1, 0],
      [x1, size.height],
      [x0, size.height],
      [x0, 0],
    ],
  ]
  const feature = (name: string, x0: number, x1: number) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: square(x0, x1) },
    properties: { objectType: 'annotation', name, classification: { name } },
  })
  const file = join(folder, 'regions.geojson')
  const features = [feature('Tumor', middle, size.width), feature('Stroma', 0, middle)]
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }))
  await page.getByTestId('region-import').setInputFiles(file)
  const rows = page.getByTestId('region-row')
  await expect(rows).toHaveCount(2)
  await page.getByTestId('hot-spot-keep').click()
  await expect(rows).toHaveCount(3)
  const rowOf = (name: string) => rows.filter({ hasText: name })
  const inRow = async (name: string): Promise<number> => {
    await expect(rowOf(name)).toContainText('% positive', patience)
    return percentIn(/[\d.]+ % positive/.exec((await rowOf(name).textContent()) ?? '')?.[0] ?? null)
  }
  expect(await inRow('Hot spot')).toBe(share)
  expect(Math.abs((await inRow('Tumor')) - shareOf(hotSpotNuclei.filter(({ x }) => x > middle)))).toBeLessThan(1)
  expect(Math.abs((await inRow('Stroma')) - shareOf(hotSpotNuclei.filter(({ x }) => x < middle)))).toBeLessThan(1)

  // The summary of the project has it in the slide's row.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+t')
  const summary = page.getByTestId('summary-table')
  const slideRow = summary.locator('tbody tr').filter({ hasText: 'ki67.tif' }).first()
  await expect(slideRow).toContainText(new RegExp(`${share.toFixed(0)} % of \\d+`), patience)
  // The tumour holds that circle; of the stroma's own nuclei no circle has such a share.
  const regionRow = (name: string) => summary.locator('tbody tr').filter({ hasText: name }).first()
  await expect(regionRow('Tumor')).toContainText(new RegExp(`${share.toFixed(0)} % of \\d+`))
  const ofStroma = /(\d+) % of \d+/.exec((await regionRow('Stroma').textContent()) ?? '')?.[1]
  expect(Number(ofStroma)).toBeGreaterThan(10)
  expect(Number(ofStroma)).toBeLessThan(40)
  await keepScreenshot(shell, '81-summary-hot-spot')
  await page.keyboard.press('Escape')
  await expect(summary).toBeHidden()

  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png'])
    await page.getByTestId(`export-file-${name}`).uncheck()
  await page.getByTestId('export-file-report.html').check()
  const target = join(folder, 'report')
  await shell.chooseDirectory(target)
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  const { hotSpot } = JSON.parse(readFileSync(join(target, 'run.json'), 'utf8')) as {
    hotSpot: { diameterUm: number; positiveShare: number; shape: { x: number; y: number; width: number; height: number } }
  }
  expect(hotSpot.diameterUm).toBe(200)
  expect((100 * hotSpot.positiveShare).toFixed(1)).toBe(share.toFixed(1))
  const { x, y, width, height } = hotSpot.shape
  expect(width).toBe(200 / hotSpotMpp)
  expect(Math.hypot(x + width / 2 - hot.x, y + height / 2 - hot.y)).toBeLessThan(hot.radius - width / 4)
  const report = await shell.reads(join(target, 'report.html'))
  await expect(report.locator('[data-of="hot-spot"]')).toContainText(`${share.toFixed(1)} % positive`)
  const table = report.locator('table', { hasText: 'Stroma' })
  await expect(table.locator('tr', { hasText: 'Tumor' })).toContainText(new RegExp(`${share.toFixed(1)} % \\(.*\\) of \\d+`))
  await keepScreenshot({ ...shell, page: report }, '79-hot-spot-report')
  await report.close()
})
