// What is done to objects lasts: deleted by a filter and by hand, classified by keys and by limits, taken back, and there after a crash.
import { expect, test } from '@playwright/test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { axeFindings } from '../axe'
import {
  clicksNucleus,
  keepScreenshot,
  objectCount,
  seesTissue,
  segmentsVisible,
  settled,
  viewerOf,
  zoomsToNuclei,
} from '../journey'
import { faults } from '../layout'
import { answered, soon } from '../patience'
import { overlay } from '../pixels'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

test('objects are deleted and classified, undone, and are as they were left after the engine was killed', async () => {
  const { page } = shell
  await shell.resize(1440, 900)
  await seesTissue(shell)
  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  const objects = await objectCount(shell)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('b')
  await page.getByTestId('table-filter').fill('area < 40')
  const remove = page.getByTestId('table-delete')
  await expect(remove).not.toHaveText(`Delete ${objects} objects`, soon)
  const small = Number(/\d+/.exec((await remove.textContent()) ?? '')![0])
  expect(small).toBeGreaterThan(0)
  expect(small).toBeLessThan(objects)
  // The table has taken its place from the slide by now.
  const asFound = await overlay(page)
  await remove.click()
  await expect.poll(() => objectCount(shell), soon).toBe(objects - small)
  await expect(page.getByTestId('deleted')).toContainText(String(small))
  await expect(page.getByTestId('table-count')).toContainText(`0 of ${objects - small}`, soon)
  await expect.poll(async () => (await overlay(page)).coloured, soon).toBeLessThan(asFound.coloured)
  const isLess = await overlay(page)
  await page.getByTestId('table-filter').fill('')

  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /Undo: Delete/)
  await page.getByTestId('undo').click()
  await expect.poll(() => objectCount(shell), soon).toBe(objects)
  await expect.poll(async () => (await overlay(page)).hash, soon).toBe(asFound.hash)
  await page.getByTestId('redo').click()
  await expect.poll(async () => (await overlay(page)).hash, soon).toBe(isLess.hash)

  // One by hand: a digit is its class.
  await clicksNucleus(shell)
  await expect(page.getByTestId('object-delete')).toBeVisible(soon)
  await page.keyboard.press('3')
  await expect(page.getByTestId('object-class')).toHaveText('Immune cells', soon)
  await expect(page.getByTestId('classes')).toContainText('Immune cells', soon)

  // By area there are classes and no H-score; by a stain's density there is one, with its cut-offs.
  const rule = page.getByTestId('class-rule')
  await rule.getByText('0, 1+, 2+, 3+').click()
  await expect(page.getByTestId('class-cuts')).toContainText('Area: 1+ above', soon)
  await expect(page.getByTestId('h-score')).toHaveCount(0)
  await page.getByTestId('table-describe').click()
  await page.getByRole('option', { name: 'Hematoxylin mean (OD)' }).click()
  await rule.getByText('0, 1+, 2+, 3+').click()
  await expect(page.getByTestId('h-score')).toBeVisible(soon)
  await expect(page.getByTestId('class-cuts')).toContainText('Hematoxylin mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD')
  await expect(page.getByTestId('classes')).toContainText('Strong 3+')
  await expect(page.getByTestId('classes')).toContainText('Immune cells')
  await expect(page.getByTestId('table-count')).toContainText(`${objects - small} of`, soon)
  // The column by class, of what is listed.
  await page.getByTestId('table-groups-by').click()
  await page.getByRole('option', { name: 'By class' }).click()
  await expect(page.getByTestId('table-groups')).toContainText('Strong 3+', soon)
  await page.getByTestId('table-groups').scrollIntoViewIfNeeded()
  await keepScreenshot(shell, '75-objects-classes')
  expect(await axeFindings(page)).toEqual([])
  const before = await page.getByTestId('h-score').textContent()
  await page.getByTestId('rule-limit-2').fill('0.9')
  await page.getByTestId('rule-limit-2').press('Enter')
  await expect(page.getByTestId('class-cuts')).toContainText('3+ above 0.9', soon)
  await expect(page.getByTestId('h-score')).not.toHaveText(before!, soon)

  // A loop around some, another with Shift; all of them at once get a class, and go.
  const view = (await viewerOf(page).boundingBox())!
  const loops = async (x: number, y: number): Promise<void> => {
    const to = (angle: number): [number, number] => [
      view.x + view.width * (x + 0.16 * Math.cos(angle)),
      view.y + view.height * (y + 0.3 * Math.sin(angle)),
    ]
    await page.mouse.move(...to(0))
    await page.mouse.down()
    for (let i = 1; i <= 16; i++) await page.mouse.move(...to((i / 16) * 2 * Math.PI))
    await page.mouse.up()
  }
  const lassoed = async (): Promise<number> =>
    Number(/\d+/.exec((await page.getByTestId('lasso-count').textContent()) ?? '')?.[0] ?? 0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('l')
  await expect(page.getByTestId('lasso')).toBeVisible(soon)
  await loops(0.3, 0.5)
  await expect.poll(lassoed, soon).toBeGreaterThan(0)
  const some = await lassoed()
  await page.keyboard.down('Shift')
  await loops(0.6, 0.5)
  await page.keyboard.up('Shift')
  await expect.poll(lassoed, soon).toBeGreaterThan(some)
  const more = await lassoed()
  await page.keyboard.press('2')
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', `Undo: Classify ${more} objects as Weak 1+`, soon)
  // Each of them is highlighted; one with a hole has two rings.
  const rings = async () => ((await page.getByTestId('lassoed').getAttribute('d')) ?? '').split('M').length - 1
  await expect.poll(rings, soon).toBeGreaterThanOrEqual(more)
  await keepScreenshot(shell, '77-objects-lasso')
  expect((await faults(page)).filter((fault) => fault.includes('is cut'))).toEqual([])
  await page.keyboard.press('Delete')
  await expect.poll(() => objectCount(shell), soon).toBe(objects - small - more)
  await expect(page.getByTestId('lasso-shape')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('lasso')).toBeHidden()
  await page.getByTestId('undo').click()
  await expect.poll(() => objectCount(shell), soon).toBe(objects - small)

  // A line across an object makes its parts of it; a lasso around those makes it one again.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  // One look: the next may be of tiles that come anew.
  let look = await overlay(page)
  await expect.poll(async () => (look = await overlay(page)).insides.length, soon).toBeGreaterThan(0)
  const { insides, hash } = look
  const inside = insides[insides.length >> 1]!
  const [x, y] = [view.x + inside.x, view.y + inside.y]
  const whole = await objectCount(shell)
  await page.keyboard.press('Shift+X')
  await expect(page.getByTestId('region-hint')).toContainText('to split them')
  await page.mouse.move(x, y - 60)
  await page.mouse.down()
  for (let dy = -50; dy <= 60; dy += 10) await page.mouse.move(x, y + dy)
  await page.mouse.up()
  await expect.poll(() => objectCount(shell), soon).toBeGreaterThan(whole)
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /^Undo: Split /)
  await expect(page.getByTestId('made')).toContainText(/[2-9]/)
  await expect.poll(async () => (await overlay(page)).hash, soon).not.toBe(hash)
  const inParts = await objectCount(shell)
  await keepScreenshot(shell, '78-objects-split')
  await page.keyboard.press('Escape')
  await page.keyboard.press('l')
  for (let around = 6; around <= 40 && (await lassoed()) !== 2; around += 2) {
    await page.mouse.move(x + around, y)
    await page.mouse.down()
    for (let i = 1; i <= 12; i++)
      await page.mouse.move(x + around * Math.cos((i / 6) * Math.PI), y + around * Math.sin((i / 6) * Math.PI))
    await page.mouse.up()
    await expect(page.getByTestId('lasso-count')).toHaveText(/\d/, soon)
  }
  await expect(page.getByTestId('lasso-count')).toHaveText('2 objects')
  await page.keyboard.press('Shift+M')
  await expect.poll(() => objectCount(shell), soon).toBe(inParts - 1)
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Merge 2 objects')
  await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'found', soon)
  await keepScreenshot(shell, '79-objects-merged')

  // It is selected: half a µm more around it, then half a µm less.
  const area = async (): Promise<number> =>
    Number.parseFloat((await page.getByTestId('selected-object').locator('[data-measure="Area"]').textContent()) ?? '')
  await expect.poll(area, soon).toBeGreaterThan(0)
  const asMerged = await area()
  await page.getByTestId('object-outline').click()
  await page.getByTestId('outline-grow').click()
  await expect(page.getByTestId('amount')).toHaveValue('0.5')
  await keepScreenshot(shell, '79-objects-grow')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Grow an object by 0.5 µm', soon)
  await expect.poll(area, soon).toBeGreaterThan(asMerged)
  await expect.poll(() => objectCount(shell), soon).toBe(inParts - 1)
  const asGrown = await area()
  await keepScreenshot(shell, '79-objects-grown')
  await page.keyboard.press('Shift+D')
  await page.getByTestId('amount-go').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Shrink an object by 0.5 µm', soon)
  await expect.poll(area, soon).toBeLessThan(asGrown)
  await page.keyboard.press('Escape')
  for (const name of ['Shrink an object by 0.5 µm', 'Grow an object by 0.5 µm']) {
    await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', `Undo: ${name}`, soon)
    await page.getByTestId('undo').click()
  }
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Merge 2 objects', soon)

  // Done again, all of it is there after the engine was killed, and files say who made it.
  await page.getByTestId('redo').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Grow an object by 0.5 µm', soon)
  const score = await page.getByTestId('h-score').textContent()
  const byHand = await page.getByTestId('by-hand').textContent()
  shell.killEngine()
  await expect(page.getByTestId('run-keep')).toBeHidden(soon)
  await expect(page.getByTestId('run-keep')).toBeVisible(answered)
  await expect.poll(() => objectCount(shell), soon).toBe(inParts - 1)
  await expect(page.getByTestId('made')).toContainText('1')
  await expect.poll(async () => (await overlay(page)).coloured, soon).toBeGreaterThan(500)
  await expect(page.getByTestId('h-score')).toHaveText(score!, soon)
  await expect(page.getByTestId('by-hand')).toHaveText(byHand!, soon)
  await keepScreenshot(shell, '76-objects-again')
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Grow an object by 0.5 µm', soon)
  const target = join(shell.folder, 'by-hand')
  mkdirSync(target)
  await page.getByTestId('export-open').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', answered)
  const [own] = readdirSync(target)
  const rows = readFileSync(join(target, own!, 'objects.csv'), 'utf8').trim().split(/\r?\n/) // oxfmt-ignore
  const madeBy = rows.map(
    (row) =>
      row.split(',')[
        rows[0]!
          .replace(/^\uFEFF/, '')
          .split(',')
          .indexOf('made_by')
      ],
  )
  expect(madeBy).toContain('program')
  expect(madeBy.at(-1)).toBe('hand')
  expect(rows).toHaveLength(inParts)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByTestId('undo').click()
  await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', 'Undo: Merge 2 objects', soon)
  for (const left of [inParts, whole]) {
    await page.getByTestId('undo').click()
    await expect.poll(() => objectCount(shell), soon).toBe(left)
  }
  await expect(page.getByTestId('made')).toBeHidden()

  // What was done by hand is not thrown away unasked.
  await page.getByTestId('run-delete').click()
  await expect(page.getByRole('dialog')).toContainText('It is saved in the project')
})

test('an object that was missed is added by a click, redrawn with the brush, taken by the wand, and each is taken back', async () => {
  const { page } = shell
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden(soon)
  const undoes = (name: string) => expect(page.getByTestId('undo')).toHaveAttribute('aria-label', `Undo: ${name}`, soon)
  const card = page.getByTestId('selected-object')
  const area = async (): Promise<number> =>
    Number.parseFloat((await card.locator('[data-measure="Area"]').textContent({ timeout: 1000 }).catch(() => '')) ?? '') // oxfmt-ignore
  const freed = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const view = (await viewerOf(page).boundingBox())!
  await settled(page)
  let look = await overlay(page)
  await expect.poll(async () => (look = await overlay(page)).insides.length, soon).toBeGreaterThan(0)
  // One that stands out for the wand, too.
  await freed()
  await page.keyboard.press('a')
  await expect(page.getByTestId('wand')).toBeVisible(soon)
  let [x, y] = [0, 0]
  for (const inside of look.insides.slice(-12)) {
    ;[x, y] = [view.x + inside.x, view.y + inside.y]
    await page.mouse.move(x - 1, y)
    await page.mouse.move(x, y)
    await expect(page.getByTestId('wand')).toHaveAttribute('data-busy', 'false', soon)
    if (await page.getByTestId('wand-keep').isEnabled()) break
  }
  await expect(page.getByTestId('wand-keep')).toBeEnabled(soon)
  await page.keyboard.press('Escape')
  await page.mouse.click(x, y)
  await expect(card).toHaveAttribute('data-state', 'found', soon)
  const whole = await objectCount(shell)
  const asFound = await area()
  await page.getByTestId('object-delete').click()
  await expect.poll(() => objectCount(shell), soon).toBe(whole - 1)

  // By the recipe: what it finds there has the figures that it had.
  await freed()
  await page.keyboard.press('Shift+N')
  await expect(page.getByTestId('region-hint')).toContainText('Click a missed object')
  await page.mouse.click(x, y)
  await undoes('Add an object')
  await expect.poll(() => objectCount(shell), soon).toBe(whole)
  await expect.poll(area, soon).toBe(asFound)
  await expect(page.getByTestId('made')).toContainText('1')
  await page.mouse.click(x, y)
  await expect(page.getByText('There is an object already')).toBeVisible(soon)
  await page.keyboard.press('Escape')

  // Strokes from it outwards, and with Alt over its rim.
  await page.keyboard.press('Shift+Q')
  await expect(page.getByTestId('brush-on')).toContainText('object ', soon)
  const stroke = async (to: number): Promise<void> => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let i = 1; i <= 5; i++) await page.mouse.move(x + (to * i) / 5, y)
    await page.mouse.up()
  }
  await stroke(40)
  await undoes('Redraw an object')
  await expect.poll(area, soon).toBeGreaterThan(asFound)
  const larger = await area()
  await keepScreenshot(shell, '80-object-redrawn')
  await page.keyboard.down('Alt')
  await page.mouse.move(x + 60, y)
  await page.mouse.down()
  for (let dx = 50; dx >= 20; dx -= 10) await page.mouse.move(x + dx, y)
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await expect.poll(area, soon).toBeLessThan(larger)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  for (const left of ['Redraw an object', 'Redraw an object', 'Add an object']) {
    await undoes(left)
    await page.getByTestId('undo').click()
  }
  await undoes('Delete an object')

  // By the wand: the node under the pointer, instead of a region.
  await freed()
  await page.mouse.move(x, y)
  await page.keyboard.press('a')
  await page.getByTestId('wand-keeps').getByText('Object').click()
  await page.mouse.move(x - 1, y)
  await page.mouse.move(x, y)
  await expect(page.getByTestId('wand-area')).toContainText('µm²', soon)
  await expect(page.getByTestId('wand-keep')).toBeEnabled(soon)
  await keepScreenshot(shell, '80-object-by-wand')
  await page.mouse.click(x, y)
  await undoes('Add an object')
  await expect.poll(() => objectCount(shell), soon).toBe(whole)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('wand')).toBeHidden(soon)
})
