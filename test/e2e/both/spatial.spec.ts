// Where objects lie: of each positive cell the distance to the tumour's border, in the table and in the exported file, beside the made truth.
import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hotSpotNuclei } from '../../hotSpotPicture'
import { axeFindings } from '../axe'
import { keepScreenshot } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'
import { segmentsWithTumour, toBorder } from '../tumour'

let shell: Shell
withShell((started) => void (shell = started))

test('each positive cell’s distance to the tumour’s border is in the table and in the exports', async () => {
  const { page, folder } = shell
  await segmentsWithTumour(shell)

  // By the palette, as somebody finds it who does not know where it is.
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-query').fill('border')
  await expect(page.getByTestId('palette-spatial')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('spatial-border')).toBeVisible()
  // The boxes show what is kept: a moment after the click.
  for (const name of ['border', 'nearest', 'densityRadiusUm']) {
    await page.getByTestId(`spatial-${name}`).click()
    await expect(page.getByTestId(`spatial-${name}`)).toBeChecked(patience)
  }
  await page.getByTestId('spatial-densityRadiusUm-value').fill('100')
  await page.getByTestId('spatial-densityRadiusUm-value').press('Enter')
  const head = page.getByRole('columnheader')
  await expect(head.filter({ hasText: 'Distance to border of Tumor (µm)' })).toBeVisible(patience)
  await expect(head.filter({ hasText: 'Density within 100 µm (1/mm²)' })).toHaveCount(1, patience)
  await keepScreenshot(shell, '82-spatial')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('spatial-border')).toBeHidden()

  // Positive cells inside the tumour, the deepest first.
  await page.getByTestId('table-filter').fill('class = positive and "Distance to border of Tumor" < 0')
  await page.getByTestId('table-filter').press('Enter')
  const positive = hotSpotNuclei.filter(({ isBrown }) => isBrown)
  const inside = positive.filter(({ x, y }) => toBorder(x, y) < 0)
  const rows = async (): Promise<number> =>
    Number(/[\d,]+/.exec((await page.getByTestId('table-count').textContent()) ?? '')?.[0].replace(',', ''))
  await expect.poll(async () => Math.abs((await rows()) - inside.length), patience).toBeLessThan(4)
  await head.filter({ hasText: 'Distance to border of Tumor' }).getByRole('button').click()
  await expect(head.filter({ hasText: 'Distance to border of Tumor' })).toHaveAttribute('aria-sort', 'descending')
  await head.filter({ hasText: 'Distance to border of Tumor' }).getByRole('button').click()
  await expect(head.filter({ hasText: 'Distance to border of Tumor' })).toHaveAttribute('aria-sort', 'ascending', patience)
  const deepest = Math.min(...inside.map(({ x, y }) => toBorder(x, y)))
  const at = (await head.allTextContents()).findIndex((text) => text.startsWith('Distance to border of Tumor'))
  const first = page.getByTestId('table-row').first().getByRole('gridcell').nth(at)
  await expect
    .poll(async () => Math.abs(Number((await first.textContent())?.replace('−', '-')) - deepest), patience)
    .toBeLessThan(1)
  await keepScreenshot(shell, '83-spatial-table')

  // The file has them for each object, whatever the table lists.
  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'labels.ome.tif', 'overlay.png']) await page.getByTestId(`export-file-${name}`).uncheck()
  const target = join(folder, 'tables')
  await shell.chooseDirectory(target)
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', patience)
  const [names, ...lines] = readFileSync(join(target, 'objects.csv'), 'utf8').trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  const of = (name: string): number => names!.indexOf(name)
  const cells = lines.filter((line) => line[of('class')] === 'positive')
  expect(Math.abs(cells.length - positive.length)).toBeLessThan(12)
  for (const line of cells) {
    const [x, y] = [Number(line[of('centroid_x_px')]), Number(line[of('centroid_y_px')])]
    expect(Number(line[of('distance_border_tumor_um')])).toBeCloseTo(toBorder(x, y), 2)
    const truth = positive.find((nucleus) => Math.hypot(nucleus.x - x, nucleus.y - y) < 3)!
    expect(Math.abs(Number(line[of('distance_border_tumor_um')]) - toBorder(truth.x, truth.y))).toBeLessThan(1.5)
  }

  // What was asked for is switched off again: the next window's table is as it was.
  await page.keyboard.press('Escape')
  await page.getByTestId('table-filter').fill('')
  await page.getByTestId('table-filter').press('Enter')
  await page.getByTestId('table-spatial').click()
  for (const name of ['border', 'nearest', 'densityRadiusUm']) {
    await page.getByTestId(`spatial-${name}`).click()
    await expect(page.getByTestId(`spatial-${name}`)).not.toBeChecked(patience)
  }
  await expect(head.filter({ hasText: 'Distance to' })).toHaveCount(0, patience)
})
