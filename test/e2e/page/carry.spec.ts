// Corrections go from one result to the next. A window of its own: what other journeys have filtered or brushed is no part of it.
import { expect, test } from '@playwright/test'
import { axeFindings } from '../axe'
import { clicksNucleus, keepScreenshot, objectCount, seesTissue, viewerOf, zoomsToNuclei } from '../journey'
import { patience, soon } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

test('what was deleted on a result is offered to the next one, fits where the same object is there, and is shown where it is not', async () => {
  const { page } = shell
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const least = page.getByTestId('param-objects-minArea')
  const segments = async (area: string, results: number) => {
    await least.fill(area)
    await least.press('Enter')
    await blur()
    await page.getByTestId('segment-visible').click()
    await expect(page.locator('[data-testid=run-row][data-state=done]')).toHaveCount(results, patience)
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
  await expect(page.getByTestId('carry-counts')).toContainText('No longer fit', soon)
  await expect(offer).toBeHidden()
  await expect(deleted).toBeVisible(soon)
  const carried = await count(await deleted.textContent())
  const rows = await page.getByTestId('carry-counts').locator('div').allTextContents()
  expect(rows.map((row) => row.replace(/\d.*$/, ''))).toEqual(['Deleted', 'No longer fit'])
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

test('Space segments after any click, Enter ends what is drawn, Delete deletes the object; all objects go only when asked', async () => {
  const { page } = shell
  const rows = page.locator('[data-testid=run-row][data-state=done]')
  const results = () => rows.count()
  await page.keyboard.press('Escape')
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  if (await page.getByTestId('clear-results').isEnabled()) {
    await page.getByTestId('clear-results').click()
    await page.getByTestId('question-yes').click()
  }
  await expect(page.getByTestId('run-row')).toHaveCount(0, soon)
  await page.getByTestId('live-preview').uncheck({ force: true })
  // A slider, and a box that was ticked, have the focus: Space is the page's all the same, and so from a number that is half typed.
  await page.getByTestId('param-objects-minArea-slider').click()
  await page.keyboard.press('Space')
  await expect(rows).toHaveCount(1, soon)
  const tick = page.getByTestId('param-tissue-only')
  await tick.click({ force: true })
  const ticked = await tick.isChecked()
  await page.keyboard.press('Space')
  await expect(rows).toHaveCount(2, soon)
  expect(await tick.isChecked()).toBe(ticked)
  await tick.click({ force: true })
  await page.getByTestId('param-objects-minArea').fill('9')
  await page.keyboard.press('Space')
  await expect(rows).toHaveCount(3, soon)
  await expect(page.getByTestId('param-objects-minArea')).toHaveValue('9')
  const names = await rows.locator('.run-name').allTextContents()
  expect(names.map((name) => name.replace(/, run \d+$/, ''))).toEqual(Array(3).fill('Visible field'))
  expect(new Set(names).size).toBe(3)
  // By keys, a button is pressed by Space.
  const eye = page.getByTestId('overlay-toggle')
  await page.getByTestId('layer-select').focus()
  await page.keyboard.press('Tab')
  await expect(eye).toBeFocused()
  await page.keyboard.press('Space')
  await expect(eye).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('Space')
  await expect(eye).toHaveAttribute('aria-pressed', 'true')
  expect(await results()).toBe(3)

  // What a click finds is shown, whatever the panel was scrolled to; Delete deletes it, and Backspace.
  const card = page.getByTestId('selected-object')
  await page.locator('.panel.right .panel-scroll').evaluate((panel) => panel.scrollTo(0, 0))
  const whole = await objectCount(shell)
  await clicksNucleus(shell)
  await expect(card).toHaveAttribute('data-state', 'found', soon)
  await expect(card.locator('[data-measure="Area"]')).toBeInViewport({ ratio: 1 })
  await keepScreenshot(shell, '69-selected-in-sight')
  for (const key of ['Delete', 'Backspace']) {
    if (key === 'Backspace') await clicksNucleus(shell)
    await expect(page.getByTestId('object-delete')).toBeVisible(soon)
    await page.keyboard.press(key)
    await expect.poll(() => objectCount(shell), soon).toBe(whole - 1)
    await expect(card).toHaveAttribute('data-state', 'none', soon)
    await page.keyboard.press('Control+z')
    await expect.poll(() => objectCount(shell), soon).toBe(whole)
  }
  // The brush on it: Enter puts the brush away, and nothing is run.
  await clicksNucleus(shell)
  await expect(page.getByTestId('object-delete')).toBeVisible(soon)
  await page.keyboard.press('Shift+Q')
  await expect(page.getByTestId('brush-on')).toBeVisible(soon)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('brush-on')).toBeHidden(soon)
  await expect(card).toHaveAttribute('data-state', 'found')
  expect(await results()).toBe(3)

  // The dialog has the result that is chosen, not the newest.
  await rows.nth(1).getByTestId('run-choose').click()
  await page.getByTestId('export-open').click()
  await expect(page.getByRole('radio', { checked: true, name: `${names[1]}, ` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  const all = await objectCount(shell)
  await page.keyboard.press('b')
  await page.getByTestId('table-delete').click()
  await expect(page.getByRole('dialog')).toContainText(`These are all the objects of “${names[1]}”`)
  await keepScreenshot(shell, '69-all-asked')
  await page.getByTestId('question-no').click()
  expect(await objectCount(shell)).toBe(all)
  await page.getByTestId('table-delete').click()
  await page.getByTestId('question-yes').click()
  await expect(page.getByTestId('all-deleted')).toContainText(`All ${all} objects of this result were deleted by hand.`, soon)
  await expect(page.getByTestId('no-objects')).toBeHidden()
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '69-all-deleted')
  await page.getByTestId('bring-back').click()
  await expect.poll(() => objectCount(shell), soon).toBe(all)
})
