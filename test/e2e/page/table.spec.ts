// The objects table as a pathologist uses it: filtered, sorted, brushed, copied, and linked with the slide both ways.
import { expect, test } from '@playwright/test'
import { parquetReadObjects } from 'hyparquet'
import { axeFindings } from '../axe'
import { keepScreenshot, objectCount, seesTissue, segmentsVisible, viewerOf, zoomsToNuclei } from '../journey'
import { patience, soon } from '../patience'
import { inksOf } from '../pixels'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

test('objects are listed, filtered, sorted, brushed, copied, and found on the slide; a click there finds the row', async () => {
  const { page } = shell
  await shell.resize(1440, 900)
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('b')
  await expect(page.getByTestId('objects-table')).toContainText('Segment something')
  await segmentsVisible(shell)
  const objects = await objectCount(shell)
  const count = page.getByTestId('table-count')
  const listed = async () => Number(((await count.locator('b').textContent()) ?? '').replace(/[^\d]/g, ''))
  await expect.poll(listed, soon).toBe(objects)
  const rows = page.getByTestId('table-row')
  const cell = (row: number, at: number) => page.locator(`[data-row="${row}"] [role="gridcell"]`).nth(at)
  await expect(cell(0, 0)).toHaveText('1', soon)
  const grid = page.getByTestId('table-grid')
  const headers = await grid.getByRole('columnheader').allTextContents()
  const area = headers.findIndex((text) => text.startsWith('Area'))
  const areas = async () => Promise.all([0, 1, 2, 3].map(async (row) => Number(await cell(row, area).textContent())))

  // By area, the largest first; then the smallest.
  await grid.getByRole('button', { name: /^Area/ }).click()
  const descends = (list: number[]) => list.every((value, i) => i === 0 || value <= list[i - 1]!)
  await expect.poll(async () => descends(await areas()), soon).toBe(true)
  const [largest = 0] = await areas()
  await grid.getByRole('button', { name: /^Area/ }).click()
  await expect.poll(async () => (await areas())[0]! < largest, soon).toBe(true)

  // A filter leaves some, and the figures follow; a wrong one says what is wrong and leaves them.
  const filter = page.getByTestId('table-filter')
  await filter.fill('area > 30 and circularity > 0.5')
  await expect.poll(listed, soon).toBeLessThan(objects)
  const filtered = await listed()
  expect(filtered).toBeGreaterThan(3)
  await expect(page.getByTestId('table-statistics')).toContainText(/n\s*\d/)
  await expect.poll(async () => (await areas())[0]! > 30, soon).toBe(true)
  await filter.fill('aria > 30')
  await expect(page.getByTestId('objects-table')).toContainText('there is no column "aria"', soon)
  expect(await listed()).toBe(filtered)
  await keepScreenshot(shell, '73-table-wrong')
  expect(await axeFindings(page)).toEqual([])
  await filter.fill('area > 30 and circularity > 0.5')
  await expect(page.getByTestId('objects-table')).not.toContainText('there is no column', soon)

  // What is brushed in the histogram is left, too.
  const box = (await page.getByTestId('table-histogram').boundingBox())!
  await page.mouse.move(box.x + box.width * 0.3, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 4 })
  await page.mouse.up()
  await expect.poll(listed, soon).toBeLessThan(filtered)
  await keepScreenshot(shell, '70-table-1440')

  // A row's object is selected and in the middle of the view.
  await rows.nth(1).click()
  const selected = page.getByTestId('selected-object')
  await expect(selected).toContainText(`Object ${await cell(1, 0).textContent()}`, soon)
  await expect(page.locator('.table-row.selected')).toHaveCount(1)
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await expect(selected).toContainText(`Object ${await cell(2, 0).textContent()}`, soon)
  const number = await cell(2, 0).textContent()
  // The view has come to rest there.
  let before = ''
  await expect
    .poll(async () => {
      const now = await page.evaluate(() => JSON.stringify(window.__morphoscope!.view))
      const same = now === before
      before = now
      return same
    }, soon)
    .toBe(true)
  await expect(selected).toContainText(`Object ${number}`)
  await keepScreenshot(shell, '71-table-row')

  // The other way: cleared, then clicked on the slide.
  // Escape takes the most recent intention first, which may be a preview that is still under way.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.locator('.table-row.selected').count()
    }, soon)
    .toBe(0)
  const view = (await viewerOf(page).boundingBox())!
  await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2)
  await expect(selected).toContainText(`Object ${number}`, soon)
  await expect(page.locator('.table-row.selected')).toHaveAttribute('data-row', '2')

  // Columns, and what is copied.
  await page.getByTestId('table-columns').click()
  await page.getByRole('checkbox', { name: 'Perimeter' }).check()
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('columnheader', { name: /^Perimeter/ })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByTestId('table-copy').click()
  // What is said of it covers neither rows nor figures.
  const notice = page.getByRole('alert').filter({ hasText: 'Copied' })
  await expect(notice).toBeVisible()
  const table = (await page.getByTestId('objects-table').boundingBox())!
  await expect
    .poll(async () => {
      const box = await notice.boundingBox()
      return box ? box.y + box.height : Infinity
    }, soon)
    .toBeLessThanOrEqual(table.y)
  await expect
    .poll(async () => (await page.evaluate(() => navigator.clipboard.readText())).split('\n').length, soon)
    .toBe((await listed()) + 1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Object\tArea \(µm²\)/)

  // The same rows and columns as a file; the histogram by the logarithm.
  const saves = async (as: 'csv' | 'parquet') => {
    await page.getByTestId('table-save').click()
    return shell.saves(() => page.getByTestId(`table-save-${as}`).click())
  }
  const saved = await saves('csv')
  expect(saved.name).toBe('CMU-1-Small-Region-objects-table.csv')
  const lines = saved.bytes.toString().trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^Object,Area \(µm²\),.*Perimeter/)
  expect(lines.length).toBe((await listed()) + 1)
  const parquet = await saves('parquet')
  expect(parquet.name).toBe('CMU-1-Small-Region-objects-table.parquet')
  const bytes = parquet.bytes
  const listedThere = (await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })) as Record<string, number>[] // oxfmt-ignore
  expect(listedThere.map((row) => `${row['Object']}`)).toEqual(lines.slice(1).map((line) => line.split(',')[0]))
  // Bins by the logarithm are others: what was brushed is all again.
  await page.getByTestId('table-log').click()
  await expect(page.getByTestId('table-log')).toBeChecked(soon)
  await expect.poll(listed, soon).toBe(filtered)

  await shell.resize(1280, 800)
  await keepScreenshot(shell, '72-table-1280')

  // Two columns against each other: a box lists what lies in it, a click on a point shows its object.
  await page.getByTestId('table-plot').getByText('Scatter').click()
  await expect(page.getByTestId('scatter')).toHaveAttribute('data-points', String(filtered), soon)
  const plot = (await page.getByTestId('scatter-plot').boundingBox())!
  const drags = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    await page.mouse.move(plot.x + plot.width * from[0], plot.y + plot.height * from[1])
    await page.mouse.down()
    await page.mouse.move(plot.x + plot.width * to[0], plot.y + plot.height * to[1], { steps: 3 })
    await page.mouse.up()
  }
  await drags([0.02, 0.05], [0.4, 0.6])
  await expect.poll(listed, soon).toBeLessThan(filtered)
  expect(await listed()).toBeGreaterThan(0)
  await expect(page.getByTestId('scatter')).toHaveAttribute('data-points', String(filtered))
  const inBox = await listed()
  await grid.focus()
  await page.keyboard.press('Home')
  await expect(page.locator('.table-row.selected')).toHaveAttribute('data-row', '0', soon)
  await expect(selected).toContainText(`Object ${await cell(0, 0).textContent()}`, soon)
  const mark = (await page.getByTestId('scatter-mark').boundingBox())!
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.table-row.selected')).toHaveAttribute('data-row', '1', soon)
  await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2)
  await expect(selected).toContainText(/Object \d+/, soon)
  await expect.poll(listed, soon).toBe(inBox)
  await page.getByTestId('scatter-x-log').check()
  await expect.poll(listed, soon).toBe(filtered)
  await drags([0.1, 0.05], [0.6, 0.9])
  await expect.poll(listed, soon).toBeLessThan(filtered)
  await keepScreenshot(shell, '72-table-scatter')
  await page.emulateMedia({ colorScheme: 'light' })
  await keepScreenshot(shell, '72-table-scatter-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFindings(page)).toEqual([])
  await page.getByTestId('scatter-clear').click()
  await expect.poll(listed, soon).toBe(filtered)
  await page.getByTestId('table-plot').getByText('Histogram').click()
  await page.getByTestId('table-close').click()
  await expect(page.getByTestId('objects-table')).toBeHidden()
})

test('two results are compared: whose each object is on the slide, how much they agree, which values differ, and that as a file', async () => {
  const { page } = shell
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await seesTissue(shell)
  if (await page.getByTestId('clear-results').isEnabled()) await page.getByTestId('clear-results').click()
  await zoomsToNuclei(shell)
  await expect(page.getByTestId('compare-open')).toBeDisabled()
  await segmentsVisible(shell)
  const first = await objectCount(shell)
  const least = page.getByTestId('param-objects-minArea')
  await least.fill('50')
  await least.press('Enter')
  await blur()
  await page.getByTestId('segment-visible').click()
  await expect(page.locator('[data-testid=run-row][data-state=done]')).toHaveCount(2, patience)

  await blur()
  await page.keyboard.press('Shift+C')
  const number = async (key: string) => Number((await page.getByTestId(`compare-${key}`).textContent())!.replace(/\D/g, ''))
  await expect(page.getByTestId('compare-legend')).toBeVisible(soon)
  await expect(page.getByTestId('compare-values')).toContainText('6 µm²50 µm²')
  expect((await number('only-a')) + (await number('both'))).toBe(first)
  expect(await number('only-b')).toBe(0)
  // Orange is A's alone, near white is both's; what the second alone would have is not there.
  const whole = async () => (await inksOf(page)).map(([ink]) => ink).filter((ink) => !ink.startsWith('alpha'))
  await expect.poll(async () => (await whole()).slice(0, 2).sort(), soon).toEqual(['230,159,0', '245,245,245'])
  // What else is there is a blend of the two, where the view stands between two of its px.
  const channels = async () => (await whole()).map((ink) => ink.split(',').map(Number))
  expect((await channels()).filter(([red, , blue]) => blue! > red!)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  await keepScreenshot(shell, '68-compare')
  await shell.resize(1280, 800)
  await keepScreenshot(shell, '68-compare-1280')
  await shell.resize(1440, 900)

  // By keys: the sides change places, and so do their colours.
  await page.getByTestId('compare-a').focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('compare-values')).toContainText('50 µm²6 µm²', soon)
  await expect.poll(async () => (await whole()).slice(0, 2).sort(), soon).toEqual(['245,245,245', '86,180,233'])
  expect((await channels()).filter(([red, , blue]) => red! > blue!)).toEqual([])
  const saved = await shell.saves(() => page.getByTestId('compare-save-csv').click())
  expect(saved.name).toBe('CMU-1-Small-Region-comparison.csv')
  expect(saved.bytes.toString()).toContain('objects.minArea,50,6,')
  await blur()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare')).toBeHidden()
  await expect.poll(whole, soon).toEqual(['190,255,0'])
})
