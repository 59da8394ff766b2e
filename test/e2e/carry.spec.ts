// Corrections go from one result to the next. A window of its own: what other journeys have filtered or brushed is no part of it.
import { expect, test } from '@playwright/test'
import { axeFindings } from './axe'
import { keepScreenshot, objectCount, viewerOf, zoomsToNuclei } from './journey'
import { withShell } from './shells'
import type { Shell } from './shells'

let shell: Shell
withShell((started) => void (shell = started))

const soon = { timeout: 20_000 }

test('what was deleted on a result is offered to the next one, fits where the same object is there, and is shown where it is not', async () => {
  const { page } = shell
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const least = page.getByTestId('param-objects-minArea')
  const segments = async (area: string, results: number) => {
    await least.fill(area)
    await least.press('Enter')
    await blur()
    await page.getByTestId('segment-visible').click()
    await expect(page.locator('[data-testid=run-row][data-state=done]')).toHaveCount(results, soon)
  }
  await expect(page.getByTestId('slide-name')).toContainText('CMU-1-Small-Region.svs', soon)
  if (await page.getByTestId('clear-results').isEnabled()) await page.getByTestId('clear-results').click()
  // What the journeys before have left must not be taken for the first result.
  await expect(page.getByTestId('run-row')).toHaveCount(0, soon)
  await zoomsToNuclei(shell)
  await segments('6', 1)
  const offer = page.getByTestId('carry-offer')
  await expect(offer).toBeHidden()
  await page.keyboard.press('b')
  const filter = page.getByTestId('table-filter')
  await filter.fill('area < 12 or area > 45')
  await filter.press('Enter')
  await expect(page.getByTestId('table-count')).toContainText('of', soon)
  await page.getByTestId('table-delete').click()
  const deleted = page.getByTestId('deleted')
  await expect(deleted).toBeVisible(soon)
  const count = async (text: string | null) => Number((text ?? '').replace(/\D/g, ''))
  const gone = await count(await deleted.textContent())
  await page.getByTestId('table-close').click()

  await segments('20', 2)
  await expect(offer).toContainText(`${gone} deleted`, soon)
  await expect(deleted).toBeHidden()
  const before = await objectCount(shell)
  await blur()
  await page.keyboard.press('Shift+K')
  await expect(page.getByTestId('carry-counts')).toContainText('Do not fit any more', soon)
  await expect(offer).toBeHidden()
  await expect(deleted).toBeVisible(soon)
  const carried = await count(await deleted.textContent())
  const rows = await page.getByTestId('carry-counts').locator('div').allTextContents()
  expect(rows.map((row) => row.replace(/\d.*$/, ''))).toEqual(['Deleted', 'Do not fit any more'])
  const [fits, unfit] = await Promise.all(rows.map(count))
  expect([fits, fits! + unfit!]).toEqual([carried, gone])
  await expect.poll(() => objectCount(shell), soon).toBe(before - carried)

  // One that does not fit comes into the middle of the view.
  await expect(page.getByTestId('carry-unfit').locator('path')).toHaveCount(unfit!)
  await page.getByTestId('carry-next').click()
  await expect(page.getByTestId('carry-place')).toHaveText(`1 of ${unfit!}: was deleted`)
  const view = (await viewerOf(page).boundingBox())!
  const middle = async () => {
    const box = await page.locator('[data-testid=carry-unfit] path.add').boundingBox()
    return box
      ? Math.hypot(box.x + box.width / 2 - view.x - view.width / 2, box.y + box.height / 2 - view.y - view.height / 2)
      : 1e9
  }
  await expect.poll(middle, soon).toBeLessThan(12)
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '69-carry-unfit')

  // One step takes all of it back.
  await blur()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('carry')).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(offer).toBeVisible(soon)
  await expect.poll(() => objectCount(shell), soon).toBe(before)
})
