// From an IHC slide to a report of its membranes: cells around nuclei, a score of each, and how many have which, beside the made truth.
import { expect, test } from '@playwright/test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { madeMembranes, membraneCells, membraneScoreOf, paintsMembranes } from '../../membranePicture'
import { readBack } from '../../main/export/hdf5/readBack'
import { keepScreenshot, objectCount, runEnds, seesTissue } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const scores = [0, 1, 2, 3].map((score) => madeMembranes.filter((made) => membraneScoreOf(made) === score).length)

async function asks(words: string): Promise<void> {
  await shell.page.keyboard.press('ControlOrMeta+k')
  await shell.page.getByTestId('palette-query').fill(words)
  await shell.page.keyboard.press('Enter')
}

test('membranes are scored, counted, and told in a report', async () => {
  const { page, folder } = shell
  await seesTissue(shell)
  const slide = join(folder, 'her2.tif')
  await paintsMembranes(slide)
  await shell.chooseFile(slide, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('her2.tif', patience)
  await page.getByTestId('recipe-select').click()
  await page.getByRole('option', { name: 'IHC nuclei' }).click()
  // One command gives the recipe cells and their scores, and one step takes that back.
  await asks('her2')
  const reach = page.getByTestId('param-cells-expansion')
  await expect(reach).toHaveValue(/^5(\.0)?$/)
  await reach.fill('4')
  await reach.press('Enter')
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  expect(await objectCount(shell)).toBe(membraneCells)

  await asks('her2')
  const shares = page.getByTestId('rule-shares')
  const percent = (count: number): string => `${((100 * count) / membraneCells).toFixed(1)} %`
  await expect(page.getByTestId('class-rule').getByText('Membrane (HER2-like)', { exact: true })).toBeVisible()
  for (const [score, label] of ['Negative', 'Weak 1+', 'Moderate 2+', 'Strong 3+'].entries())
    await expect(shares).toContainText(`${label} ${percent(scores[score]!)}`, patience)
  await page.getByTestId('viewer').click({ position: { x: 200, y: 150 } })
  await keepScreenshot(shell, '80-membrane')

  // A recipe was chosen: none is offered any more, and no notice lies over a dialog.
  await expect(page.getByTestId('notice-offer')).toBeHidden()
  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'labels.ome.tif', 'overlay.png']) await page.getByTestId(`export-file-${name}`).uncheck()
  for (const name of ['report.html', 'objects.h5ad', 'spatialdata.zarr', 'shapes.lmd.xml'])
    await page.getByTestId(`export-file-${name}`).check()
  const target = join(folder, 'report')
  await shell.chooseDirectory(target)
  await page.getByText('In a new folder of its own').click()
  // The strongest are cut by a laser: without its marks there is nothing to export.
  await expect(page.getByTestId('export-run')).toBeDisabled()
  await page.getByTestId('export-laser-marks').fill('10,10; 990,12; 20,670')
  await page.getByTestId('export-laser-filter').fill('class = "Strong 3+"')
  await page.getByTestId('export-laser-wells').fill('Strong 3+')
  await expect(page.getByTestId('export-run')).toBeDisabled()
  await page.getByTestId('export-laser-wells').fill('Strong 3+ = B12')
  await page.getByTestId('export-laser-cells').check()
  await shell.resize(1280, 720)
  // The dialog is longer than the window: its buttons stay in sight.
  await expect(page.getByTestId('export-run')).toBeInViewport({ ratio: 1 })
  await keepScreenshot(shell, '80-membrane-export')
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('objects.csv', patience)
  const [head = '', ...rows] = readFileSync(join(target, 'objects.csv'), 'utf8').trim().split('\r\n')
  const at = head.split(',').indexOf('membrane_score')
  const found = rows.map((row) => Number(row.split(',')[at]))
  expect([0, 1, 2, 3].map((score) => found.filter((each) => each === score).length)).toEqual(scores)
  // The same for scanpy: each object's class, by the label that the window shows.
  const { X, obs, uns } = (await readBack(join(target, 'objects.h5ad'))).members!
  expect(X!.shape![0]).toBe(membraneCells)
  const { codes, categories } = obs!.members!['class']!.members!
  expect(categories!.values).toEqual(['Negative', 'Weak 1+', 'Moderate 2+', 'Strong 3+'])
  expect([0, 1, 2, 3].map((score) => codes!.values!.filter((code) => code === score).length)).toEqual(scores)
  expect(uns!.members!['class_colors']!.values).toHaveLength(4)
  const xml = readFileSync(join(target, 'shapes.lmd.xml'), 'utf8')
  expect(xml).toContain(`<ShapeCount>${scores[3]}</ShapeCount>`)
  expect(xml).toContain('<X_CalibrationPoint_2>99000</X_CalibrationPoint_2>')
  expect(xml.match(/<CapID>B12<\/CapID>/g)).toHaveLength(scores[3]!)
  expect(readdirSync(join(target, 'spatialdata.zarr', 'shapes')).sort()).toEqual(['.zgroup', 'cells', 'objects'])
  const report = await shell.reads(join(target, 'report.html'))
  await expect(report.locator('body')).toContainText('Membrane score: 1+ above 0.5, 2+ above 1.5, 3+ above 2.5')
  await keepScreenshot({ ...shell, page: report }, '80-membrane-report')
  await report.close()
})
