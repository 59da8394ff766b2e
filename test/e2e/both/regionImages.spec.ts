// Pictures of regions from the window: the dialog in the regions' menu, what it writes, and what it says where pictures are there already.
import { expect, test } from '@playwright/test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { keepScreenshot, runEnds, seesTissue, segmentsVisible, zoomsToNuclei } from '../journey'
import { patience } from '../patience'
import { drags, rows, viewOf } from '../regionSteps'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

test('a drawn region becomes a picture, with outlines and in another size where that is asked for', async () => {
  const { page, folder } = shell
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await runEnds(shell)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-query').fill('pictures of regions')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Draw a region with an area first.')).toBeVisible(patience)
  const { center } = await viewOf(page)
  const [x, y] = [Math.round(center.x), Math.round(center.y)]
  await page.getByTestId('draw-rectangle').click()
  await drags(page, [x - 80, y - 60], [x + 80, y + 60])
  await expect(rows(page)).toHaveCount(1)

  const target = join(folder, 'pictures')
  mkdirSync(target)
  const asks = async (): Promise<void> => {
    await page.getByTestId('region-more').click()
    await page.getByTestId('region-images').click()
    await expect(page.getByTestId('images-write')).toBeVisible(patience)
    await shell.chooseDirectory(target)
  }
  await asks()
  await page.getByTestId('images-outlines').check()
  await page.getByTestId('images-border').check()
  await keepScreenshot(shell, '84-pictures-of-regions')
  await page.getByTestId('images-write').click()
  await expect(page.getByText(`1 picture written to ${target}`)).toBeVisible(patience)
  expect(readdirSync(target)).toEqual(['region-Region-1.png'])
  const { data, info } = await sharp(join(target, 'region-Region-1.png')).raw().toBuffer({ resolveWithObject: true })
  expect(Math.abs(info.width - 160)).toBeLessThan(6)
  expect(Math.abs(info.height - 120)).toBeLessThan(6)
  // Its border is a line in one colour all around.
  expect([...data.subarray(0, 3)]).toEqual([190, 255, 0])

  await asks()
  await page.getByTestId('images-write').click()
  await expect(page.getByText('region-Region-1.png is in')).toBeVisible(patience)

  await page.getByTestId('export-open').click()
  await page.getByTestId('export-images').click()
  await expect(page.getByTestId('export-run')).toBeHidden()
  await shell.chooseDirectory(target)
  await page.getByTestId('images-form').getByText('OME-TIFF').click()
  await page.getByTestId('images-pixel').getByText('Magnification').click()
  await page.getByTestId('images-value').fill('5')
  await keepScreenshot(shell, '85-pictures-of-regions-by-magnification')
  await page.getByTestId('images-write').click()
  await expect.poll(() => readdirSync(target).sort(), patience).toEqual(['region-Region-1.ome.tif', 'region-Region-1.png'])
  const { width = 0 } = await sharp(join(target, 'region-Region-1.ome.tif')).metadata()
  expect(Math.abs(width - 40)).toBeLessThan(4)
})
