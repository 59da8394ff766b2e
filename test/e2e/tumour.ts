// The made slide with a tumour drawn on it, segmented: what journeys about places of objects begin with.
import { expect } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hotSpotMpp, paintsHotSpot } from '../hotSpotPicture'
import { runEnds, seesTissue } from './journey'
import { patience } from './patience'
import type { Shell } from './shells'

/** The tumour: a diamond, level-0 px. */
const corners = [
  [1200, 200],
  [1900, 800],
  [1200, 1400],
  [500, 800],
] as const

/** µm, below 0 inside. */
export function toBorder(x: number, y: number): number {
  const distances = corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!
    const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    const t = Math.min(1, Math.max(0, along))
    return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay))
  })
  const isInside = Math.abs(x - 1200) / 700 + Math.abs(y - 800) / 600 < 1
  return (isInside ? -1 : 1) * hotSpotMpp * Math.min(...distances)
}

export async function segmentsWithTumour(shell: Shell): Promise<void> {
  const { page, folder } = shell
  // By the journey before, in the same window.
  if ((await page.getByTestId('slide-name').textContent())?.includes('ki67.tif')) return
  await seesTissue(shell)
  const slide = join(folder, 'ki67.tif')
  await paintsHotSpot(slide)
  await shell.chooseFile(slide, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('ki67.tif', patience)
  await page.getByTestId('offer-recipe').click()
  await page.getByTestId('run-whole').click()
  await runEnds(shell)
  const ring = [...corners, corners[0]].map(([x, y]) => [x, y])
  const tumour = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { objectType: 'annotation', classification: { name: 'Tumor' } },
  }
  writeFileSync(join(folder, 'tumour.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [tumour] }))
  await page.getByTestId('region-import').setInputFiles(join(folder, 'tumour.geojson'))
  await expect(page.getByTestId('region-row')).toHaveCount(1)
}
