// A tissue microarray from the slide to a table by core: found, corrected, labelled by a CSV, segmented, beside the made truth.
import { expect, test } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeCores, paintsArray, tmaColumns, tmaRows } from '../../tmaPicture'
import { keepScreenshot, objectCount, runEnds, seesTissue } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

const nameOf = (row: number, column: number): string => `${String.fromCharCode(65 + row)}-${column + 1}`
const caseOf = (i: number): string => `case ${Math.floor(i / 3)}`

async function asks(words: string): Promise<void> {
  await shell.page.keyboard.press('ControlOrMeta+k')
  await shell.page.getByTestId('palette-query').fill(words)
  await shell.page.keyboard.press('Enter')
}

test('cores are found, marked, labelled, segmented and counted', async () => {
  const { page, folder } = shell
  await seesTissue(shell)
  const slide = join(folder, 'array.tif')
  await paintsArray(slide)
  await shell.chooseFile(slide, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('array.tif', patience)

  // By keys alone: the palette, and Enter in the first field.
  await asks('tma cores')
  await expect(page.getByTestId('cores-diameter')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('cores-size')).toHaveText('6 rows × 10 columns: 55 cores, 5 missing', patience)
  const cells = page.getByTestId('core-cell')
  await expect(cells).toHaveCount(tmaRows * tmaColumns)
  const said = await cells.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
  expect(said).toEqual(madeCores.map(({ row, column, missing }) => `${nameOf(row, column)}${missing ? ', missing' : ''}`))

  // A core is marked as missing, and it comes back; arrow keys go from core to core.
  await cells.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(cells.nth(11)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('cores-size')).toContainText('54 cores, 6 missing', patience)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('cores-size')).toContainText('55 cores, 5 missing', patience)

  // A column too many is inserted, and goes again with its names.
  await page.getByTestId('cores-append-column').click()
  await expect(page.getByTestId('cores-size')).toHaveText('6 rows × 11 columns: 55 cores, 11 missing', patience)
  await page.keyboard.press('Shift+Tab')
  await cells.nth(2).focus()
  await page.getByTestId('cores-delete-column').click()
  await expect(page.getByTestId('cores-size')).toHaveText('6 rows × 10 columns: 55 cores, 5 missing', patience)

  // A case is typed for one core; arrow keys stay within the field.
  await cells.nth(3).focus()
  await page.getByLabel('Case of A-4').fill('by hand')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(cells.nth(3)).toHaveAttribute('aria-label', 'A-4, by hand')
  await keepScreenshot(shell, '85-case')
  await page.getByTestId('core-case').fill('')
  await page.getByTestId('core-case').blur()
  await expect(cells.nth(3)).toHaveAttribute('aria-label', 'A-4')

  // Cases come from a file; one that is no list is refused with the line.
  const bad = join(folder, 'bad.csv')
  writeFileSync(bad, 'core,case\nA-1,1\na1,2\n')
  const good = join(folder, 'cases.csv')
  writeFileSync(good, `core,case\n${madeCores.map(({ row, column }, i) => `${nameOf(row, column)},${caseOf(i)}`).join('\n')}\n`)
  const file = page.locator('.mantine-Modal-content input[type=file]')
  await file.setInputFiles(bad)
  await expect(page.getByText('line 3 names the core a1 again, after line 2')).toBeVisible(patience)
  await file.setInputFiles(good)
  await expect(page.getByText('60 of 60 cores have their cases.')).toBeVisible(patience)
  await expect(cells.last()).toHaveAttribute('aria-label', 'F-10, case 19')
  await keepScreenshot(shell, '85-cores')

  await page.keyboard.press('Escape')
  await expect(page.getByTestId('core-grid')).toBeHidden()
  await page.keyboard.press('f')
  await expect(page.getByTestId('region-shape')).toHaveCount(60)
  await keepScreenshot(shell, '85-array')

  // One core alone, then all that the slide has: the recipe and the values are the same.
  const row = page.getByTestId('region-row').filter({ has: page.getByText('A-2', { exact: true }) })
  await expect(row).toContainText('case 0')
  await row.getByText('A-2', { exact: true }).click()
  await page.getByTestId('segment-regions').click()
  await runEnds(shell)
  await expect.poll(() => objectCount(shell), patience).toBe(madeCores[1]!.nuclei.length)
  await page.getByTestId('run-whole').click()
  const painted = madeCores.reduce((sum, { nuclei }) => sum + nuclei.length, 0)
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThanOrEqual(painted)
  await runEnds(shell)
  await keepScreenshot(shell, '85-segmented')

  await page.keyboard.press('Shift+t')
  const table = page.getByTestId('summary-table')
  await expect(table).toContainText('case 19', patience)
  await keepScreenshot(shell, '85-summary')
  const saved = await shell.saves(() => page.getByTestId('summary-save-cores').click())
  expect(saved.name).toMatch(/-cores\.csv$/)
  const [head = '', ...rows] = saved.bytes.toString('utf8').trim().split('\n')
  const columns = head.split(',')
  const of = (row: string, name: string): string => row.split(',')[columns.indexOf(name)] ?? ''
  expect(rows.map((row) => [of(row, 'core'), of(row, 'case_label'), of(row, 'state'), of(row, 'objects')])).toEqual(
    madeCores.map(({ row, column, missing, nuclei }, i) => [
      nameOf(row, column),
      caseOf(i),
      missing ? 'missing' : 'done',
      missing ? '' : String(nuclei.length),
    ]),
  )
})
