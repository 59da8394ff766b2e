// From one section to the next: its regions and nuclei come to lie where the same tissue lies, and both are looked at beside each other.
import { expect, test } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makesSections } from '../../sectionPictures'
import { axeFindings } from '../axe'
import { keepScreenshot, objectCount, runEnds, seesTissue } from '../journey'
import { patience, soon } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const ring = [
  [500, 600],
  [1200, 600],
  [1200, 1300],
  [500, 1300],
  [500, 600],
]

test('a region and nuclei of one section come to lie on the next', async () => {
  const { page, folder } = shell
  await seesTissue(shell)
  await makesSections(folder)
  const opens = async (name: string): Promise<void> => {
    await shell.chooseFile(join(folder, name), () => page.keyboard.press('ControlOrMeta+o'))
    await expect(page.getByTestId('slide-name')).toContainText(name, patience)
  }
  await opens('first.tif')
  const features = [
    {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { objectType: 'annotation', name: 'Field', classification: { name: 'Tumor' } },
    },
  ]
  const file = join(folder, 'field.geojson')
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }))
  await page.getByTestId('region-import').setInputFiles(file)
  const rows = page.getByTestId('region-row')
  await expect(rows).toHaveCount(1)
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  const found = await objectCount(shell)
  const inField = async (): Promise<number> =>
    Number(/([\d,]+) objects/.exec((await rows.first().textContent()) ?? '')?.[1]?.replaceAll(',', ''))
  await expect.poll(inField, patience).toBeGreaterThan(100)
  const there = await inField()
  expect(found).toBeGreaterThan(2000)

  await opens('second.tif')
  await expect(rows).toHaveCount(0)
  await page.getByTestId('region-more').click()
  await page.getByTestId('region-section').click()
  const fit = page.getByTestId('section-fit')
  await expect(fit).toContainText('of the tissue overlaps', soon)
  expect(Math.abs(Number(await fit.getAttribute('data-turn')) - 17)).toBeLessThan(0.3)
  await page.getByTestId('section-objects').check()
  await keepScreenshot(shell, '84-section-dialog')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('section-carry').click()
  await expect(page.getByText('1 region carried over.')).toBeVisible(patience)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Field')
  await expect.poll(() => objectCount(shell), soon).toBeGreaterThan(0.97 * found)
  await keepScreenshot(shell, '85-section-carried')

  // The same nuclei lie in it.
  await expect.poll(async () => Math.abs((await inField()) - there) / there, patience).toBeLessThan(0.03)

  // Points that nobody has marked are asked for; the tissue shows both beside each other.
  await page.getByTestId('region-more').click()
  await page.getByTestId('region-section').click()
  await expect(fit).toBeVisible(patience)
  await page.getByTestId('section-by').getByText('Points').click()
  await expect(page.getByText('No points of one name lie on both slides')).toBeVisible(soon)
  await expect(page.getByTestId('section-carry')).toBeDisabled()
  await page.getByTestId('section-by').getByText('Tissue').click()
  await expect(fit).toBeVisible(patience)
  await page.getByTestId('section-beside').click()
  await expect(page.getByTestId('second-slide')).toHaveValue('first.tif', patience)
  await page.waitForTimeout(1500)
  await keepScreenshot(shell, '86-section-beside')
})
