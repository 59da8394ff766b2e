// Cells that others found, as outlines or as a label image: dropped on the slide they are a result, which is compared with ours, classified by a stain, and taken back.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { readBack } from '../../main/export/hdf5/readBack'
import { axeFindings } from '../axe'
import { keepScreenshot, objectCount, seesTissue, segmentsVisible } from '../journey'
import { patience, soon } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

/** 5,000 of them, of the size of nuclei and all over the slide, as StarDist's polygons are written for QuPath. */
function starDist(): string {
  let seed = 7
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const features = Array.from({ length: 5000 }, (_, i) => {
    const [x, y] = [20 + (i % 80) * 27 + 4 * random(), 20 + Math.floor(i / 80) * 46 + 12 * random()]
    const ring = Array.from({ length: 32 }, (_each, k) => {
      const [angle, r] = [(2 * Math.PI * k) / 32, 6 + 4 * random()]
      return [Number((x + r * Math.cos(angle)).toFixed(2)), Number((y + r * Math.sin(angle)).toFixed(2))]
    })
    return {
      type: 'Feature',
      id: `cell-${i}`,
      geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
      properties: { objectType: 'detection', isLocked: false, measurements: [{ name: 'Detection probability', value: 0.9 }] },
    }
  })
  const beyond = {
    ...features[0]!,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-9, -9],
          [-5, -9],
          [-5, -5],
          [-9, -9],
        ],
      ],
    },
  }
  return JSON.stringify({ type: 'FeatureCollection', features: [...features, beyond] })
}

async function drops(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ([called, base64]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64!), (each) => each.charCodeAt(0))], called!))
      document
        .querySelector('.drop-zone')!
        .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    },
    [name, Buffer.from(bytes).toString('base64')],
  )
}

/** Discs of 12 px across in rows, as Cellpose writes its masks of a picture of half the slide's size. */
async function cellpose(): Promise<Uint8Array> {
  const [width, height] = [1110, 1484]
  const labels = new Uint16Array(width * height)
  let label = 0
  for (let cy = 12; cy < height - 8; cy += 24)
    for (let cx = 12; cx < width - 8; cx += 20) {
      label++
      for (let y = cy - 6; y <= cy + 6; y++)
        for (let x = cx - 6; x <= cx + 6; x++) if ((x - cx) ** 2 + (y - cy) ** 2 <= 36) labels[y * width + x] = label
    }
  return sharp(labels, { raw: { width, height, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toBuffer()
}

test('5,000 cells of StarDist are dropped on a slide: shown, compared with ours, classified by DAB, exported as AnnData, taken back', async () => {
  const { page, folder } = shell
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const chooses = async (recipe: string): Promise<void> => {
    await page.getByTestId('recipe-select').click()
    await page.getByRole('option', { name: recipe }).click()
    await expect(page.getByTestId('recipe-select')).toHaveValue(recipe)
  }
  const path = join(folder, 'stardist.geojson')
  writeFileSync(path, starDist())
  await seesTissue(shell)
  await segmentsVisible(shell)
  const ours = await objectCount(shell)
  const doneRows = page.locator('[data-testid=run-row][data-state=done]')
  await expect(doneRows).toHaveCount(1, patience)
  // Others' cells are measured in the stains of the recipe that is chosen.
  await chooses('IHC nuclei')

  await drops(page, 'stardist.geojson', readFileSync(path))
  await expect(
    page.getByText(/5\D?000 objects from stardist\.geojson, in the list of results as “stardist\.geojson”/),
  ).toBeVisible(patience)
  await expect(page.getByText(/Left out: 1 feature lies beyond the slide/)).toBeVisible()
  await expect(doneRows).toHaveCount(2, soon)
  await expect.poll(() => objectCount(shell), soon).toBe(5000)
  const imported = doneRows.filter({ hasText: 'stardist.geojson' })
  await expect(imported).toHaveCount(1)
  await expect(imported.locator('[title*="Imported, measured as IHC nuclei"]')).toHaveCount(1)
  await keepScreenshot(shell, '110-imported')

  await blur()
  await page.keyboard.press('Shift+C')
  await expect(page.getByTestId('compare-legend')).toBeVisible(soon)
  const number = async (key: string) => Number((await page.getByTestId(`compare-${key}`).textContent())!.replace(/\D/g, ''))
  await expect.poll(async () => (await number('only-a')) + (await number('both')), soon).toBeGreaterThan(0)
  const sides = [(await number('only-a')) + (await number('both')), (await number('only-b')) + (await number('both'))]
  expect(sides.sort((a, b) => a - b)).toEqual([ours, 5000].sort((a, b) => a - b))
  await expect(page.getByTestId('compare')).toContainText('found by no recipe')
  await keepScreenshot(shell, '111-imported-compared')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare')).toBeHidden()

  // By how much DAB the engine found under each.
  await page.keyboard.press('b')
  await expect(page.getByTestId('objects-table')).toBeVisible(soon)
  await expect(page.getByTestId('table-count')).toContainText(/5\D?000/, soon)
  await page.getByTestId('table-describe').click()
  await page.getByRole('option', { name: 'DAB mean (OD)' }).click()
  await page.getByTestId('class-rule').getByText('H-score, Allred').click()
  await expect(page.getByTestId('class-cuts')).toContainText('DAB mean: 1+ above', soon)
  await expect(page.getByTestId('classes')).toContainText('Negative', soon)
  await expect(page.getByTestId('h-score')).toBeVisible(soon)
  await keepScreenshot(shell, '112-imported-classified')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('table-close').click()
  await blur()

  await page.getByTestId('export-open').click()
  for (const name of ['objects.geojson', 'labels.ome.tif', 'overlay.png']) await page.getByTestId(`export-file-${name}`).uncheck()
  await page.getByTestId('export-file-objects.h5ad').check()
  const target = join(folder, 'for-scanpy')
  await shell.chooseDirectory(target)
  await page.getByText('In a new folder of its own').click()
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('objects.h5ad', patience)
  await keepScreenshot(shell, '112-imported-exported')
  const { X, obs } = (await readBack(join(target, 'objects.h5ad'))).members!
  expect(X!.shape![0]).toBe(5000)
  const { codes, categories } = obs!.members!['class']!.members!
  expect(categories!.values!.every((each) => ['Negative', 'Weak 1+', 'Moderate 2+', 'Strong 3+'].includes(String(each)))).toBe(
    true,
  )
  expect(codes!.values).toHaveLength(5000)
  await page.keyboard.press('Escape')
  await blur()

  // Back to before: the classes, then the import itself; and there again.
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /Classify by/, soon)
  await page.getByTestId('undo').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /cut-offs of classes/, soon)
  await page.getByTestId('undo').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /Undo: Import 5,000 objects/, soon)
  await page.getByTestId('undo').click()
  await expect(doneRows).toHaveCount(1, soon)
  await page.getByTestId('redo').click()
  await expect(doneRows).toHaveCount(2, soon)
  await expect(imported).toHaveCount(1)
  await chooses('H&E nuclei')
})

test('a label image of Cellpose is dropped on the slide: asked where it lies, shown, taken back', async () => {
  const { page } = shell
  await seesTissue(shell)
  const rows = page.locator('[data-testid=run-row][data-state=done]').filter({ hasText: 'half_cp_masks.png' })

  await drops(page, 'half_cp_masks.png', await cellpose())
  await expect(page.getByText(/half_cp_masks\.png has 1\D?110 × 1\D?484 px, which is not the size of/)).toBeVisible(soon)
  await expect(page.getByTestId('place-scale')).toHaveValue('2')
  await expect(page.getByTestId('place-x')).toHaveValue('0')
  await keepScreenshot(shell, '113-labels-asked')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('place-import').click()
  await expect(
    page.getByText(/3\D?355 objects from half_cp_masks\.png, in the list of results as “half_cp_masks\.png”/),
  ).toBeVisible(patience)
  await expect(rows).toHaveCount(1, soon)
  await expect.poll(() => objectCount(shell), soon).toBe(3355)
  await keepScreenshot(shell, '114-labels')

  await page.getByTestId('undo').click()
  await expect(rows).toHaveCount(0, soon)
  await page.getByTestId('redo').click()
  await expect(rows).toHaveCount(1, soon)
})

test('points and outlines that do not say what they are: a person says it, and the summary takes them where it is told to', async () => {
  const { page } = shell
  await seesTissue(shell)
  await segmentsVisible(shell)
  const rows = page.locator('[data-testid=run-row][data-state=done]')
  const text = (content: string) => Buffer.from(content, 'utf8')

  const points = Array.from({ length: 400 }, (_, i) => `${100 + (i % 20) * 100},${100 + Math.floor(i / 20) * 130}`)
  await drops(page, 'spots.csv', text(`x,y\n${points.join('\n')}\n`))
  await expect(page.getByText('spots.csv has points without a size.')).toBeVisible(soon)
  await expect(page.getByTestId('ask-radius')).toHaveValue('4')
  await page.getByTestId('ask-radius').fill('0')
  await expect(page.getByTestId('ask-import')).toBeDisabled()
  await page.getByTestId('ask-radius').fill('10')
  await keepScreenshot(shell, '115-radius-asked')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('ask-import').click()
  await expect(page.getByText(/400 objects from spots\.csv[^]*discs around points, with a radius of 10 µm/)).toBeVisible(patience)
  await expect(rows.filter({ hasText: 'spots.csv' })).toHaveCount(1, soon)
  await expect.poll(() => objectCount(shell), soon).toBe(400)
  await keepScreenshot(shell, '116-points')

  const square = (x: number, y: number) => [[x, y], [x + 60, y], [x + 60, y + 60], [x, y + 60], [x, y]] // oxfmt-ignore
  const features = Array.from({ length: 50 }, (_, i) => ({
    ...{ type: 'Feature', properties: {} },
    geometry: { type: 'Polygon', coordinates: [square(150 + (i % 10) * 180, 200 + Math.floor(i / 10) * 300)] },
  }))
  const plain = text(JSON.stringify({ type: 'FeatureCollection', features }))
  await drops(page, 'plain.geojson', plain)
  await expect(page.getByText('plain.geojson does not say what its outlines are.')).toBeVisible(soon)
  await expect(page.getByTestId('ask-objects')).toBeChecked()
  await keepScreenshot(shell, '117-features-asked')
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('ask-import').click()
  await expect(page.getByText(/50 objects from plain\.geojson/)).toBeVisible(patience)
  await expect(page.getByTestId('region-row')).toHaveCount(0)
  await drops(page, 'plain.geojson', plain)
  await page.getByTestId('ask-regions').check()
  await page.getByTestId('ask-import').click()
  await expect(page.getByText(/50 regions from plain\.geojson/)).toBeVisible(patience)
  await expect(rows.filter({ hasText: 'plain.geojson' })).toHaveCount(1)

  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Shift+t')
  const slideRow = page.getByTestId('summary-table').locator('tbody tr.whole')
  await expect(slideRow).toContainText('plain.geojson', patience)
  await page.getByTestId('summary-result').click()
  await page.getByRole('option', { name: 'Results of recipes, newest first' }).click()
  await expect(slideRow).not.toContainText('plain.geojson', soon)
  await keepScreenshot(shell, '118-summary-of-recipes')
  expect(await axeFindings(page)).toEqual([])
})
