// Pictures of every main state in both themes at three sizes, in both shells, for a person to look at: npm run looks [-- -g electron]
// They lie in test-results/screenshots/looks. What is cut, overlaps or cannot be read fails, with the state that it is in.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { axeFindings, withTheme } from '../e2e/axe'
import { clicksNucleus, runEnds, seesTissue, segmentsVisible, viewerOf, zoomsToNuclei } from '../e2e/journey'
import { faults, foundWhenPlanted, plantedFaults } from '../e2e/layout'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell, ShellName } from '../e2e/shells'

const sizes = [
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const
const folder = join(root, 'test-results', 'screenshots', 'looks')
const soon = { timeout: 20_000 }
const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

/** The state as it is, in both themes and at all sizes; what is wrong with it is kept in `wrong`. */
async function look(shell: Shell, state: string, wrong: string[]): Promise<void> {
  const { page } = shell
  for (const [width, height] of sizes.filter(([wide]) => wide === Number(process.env['LOOKS_WIDTH'] ?? wide))) {
    await shell.resize(width, height)
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height])
    for (const theme of ['light', 'dark'] as const) {
      await withTheme(page, theme)
      await page.waitForTimeout(150)
      const path = join(folder, `${shell.name}-${state}-${theme}-${width}.png`)
      await page.screenshot({ path, animations: 'disabled' })
    }
    // The cross on a card of the start page lies on it.
    const found = (await faults(page)).filter((fault) => !fault.includes('off this list'))
    wrong.push(...found.map((fault) => `${state} ${width}: ${fault}`))
  }
  // The library's menus hold a place for the focus, which axe takes for an item.
  if ((await page.getByRole('menu').count()) === 0)
    wrong.push(...(await axeFindings(page)).map((finding) => `${state}: ${finding}`))
  await shell.resize(1440, 900)
}

async function walks(shell: Shell): Promise<string[]> {
  const { page } = shell
  const wrong: string[] = []
  const key = async (...keys: string[]) => {
    await blur(page)
    for (const each of keys) await page.keyboard.press(each)
  }
  const looks = (state: string) => look(shell, state, wrong)
  /** A dialog's state, opened by a key and left by Escape. */
  const dialog = async (state: string, chord: string, whole?: string) => {
    await key(chord)
    if (whole !== undefined) await expect(page.getByTestId(whole)).toBeVisible(soon)
    await expect(page.getByRole('dialog').first()).toBeVisible()
    await looks(state)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').first()).toBeHidden()
  }
  await seesTissue(shell)
  // Looked at by a check that finds what is broken.
  expect(await plantedFaults(page)).toEqual(foundWhenPlanted)
  await looks('opened')
  await key('Shift+j')
  await expect(page.getByTestId('start-page')).toBeVisible()
  await looks('start-page')
  await page.getByTestId('start-tour').click()
  await looks('tour')
  await key('Escape')

  await zoomsToNuclei(shell)
  await segmentsVisible(shell)
  await clicksNucleus(shell)
  await expect(page.getByTestId('selected-object')).toHaveAttribute('data-state', 'found', soon)
  await looks('results')
  await key('y')
  await expect(page.getByTestId('why-verdict')).not.toBeEmpty()
  await looks('why')
  await key('Escape')
  await key('v')
  await looks('split')
  await key('v')
  await key('b')
  await expect(page.getByTestId('table-toggle')).toBeVisible()
  await page.waitForTimeout(800)
  await looks('table')
  await key('b')
  await page.getByTestId('look').click()
  await expect(page.getByTestId('look-menu')).toBeVisible()
  await looks('look-menu')
  await page.getByTestId('colour-by').click()
  await page.getByRole('option', { name: /^Area/ }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('object-legend')).toBeVisible(soon)
  await looks('legend')
  await page.getByTestId('param-threshold-level-slider').hover()
  await expect(page.getByTestId('cut-histogram')).toContainText('of the field is above', soon)
  await looks('threshold')
  await page.mouse.move(700, 450)

  await key('a')
  await expect(page.getByTestId('wand')).toBeVisible(soon)
  await page.mouse.move(720, 470)
  await page.waitForTimeout(1500)
  await looks('wand')
  await key('Escape')
  for (const [state, chord] of [
    ['brush', 'q'],
    ['lasso', 'l'],
    ['ruler', 'u'],
    ['points', 'Shift+p'],
  ] as const) {
    await key(chord)
    await looks(state)
    await key('Escape')
  }
  const box = (await viewerOf(page).boundingBox())!
  await key('x')
  await page.mouse.move(box.x + 260, box.y + 160)
  await page.mouse.down()
  await page.mouse.move(box.x + 460, box.y + 330, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByTestId('region-shape')).toHaveCount(1, soon)
  await looks('region')

  await page.getByTestId('layer-select').click()
  await page.getByRole('option', { name: 'Tissue' }).click()
  await page.waitForTimeout(1500)
  await looks('layer')
  await page.getByTestId('layer-select').click()
  await page.getByRole('option', { name: 'Slide', exact: true }).click()

  // A second result to hold against the first, with other values.
  await page.getByTestId('param-objects-minArea').fill('30')
  await page.keyboard.press('Enter')
  await page.getByTestId('segment-visible').click()
  await runEnds(shell)
  await key('Shift+c')
  await page.waitForTimeout(1500)
  await looks('compare')
  await key('Escape')

  await dialog('timeline', 't')
  await dialog('export', 'Control+e')
  await dialog('help', '?')
  await dialog('palette', 'Control+k')
  await dialog('slide-information', 'i')
  await key('Shift+a')
  await dialog('summary', 'Shift+t', 'summary-copy')
  await key('Shift+v')
  await expect(page.getByTestId('versions-list')).toBeVisible()
  await looks('versions')
  await page.keyboard.press('Escape')
  await key('g')
  await expect(page.getByTestId('device-menu')).toBeVisible()
  await looks('devices')
  await page.keyboard.press('Escape')

  await page.getByTestId('param-image-pixelSizeUm').fill('0.05')
  await page.keyboard.press('Enter')
  await key('f', 'w')
  await page.getByTestId('run-whole-confirm').waitFor()
  await looks('long-run')
  await page.getByTestId('run-whole-confirm').click()
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
  await looks('running')
  await key('k')
  await expect(page.getByTestId('progress')).toContainText('paused', { timeout: 60_000 })
  await looks('paused')
  shell.killEngine()
  await expect(page.getByTestId('run-again').or(page.getByTestId('banner-resume'))).toBeVisible({ timeout: 60_000 })
  await looks('engine-lost')
  return wrong
}

for (const name of ['electron', 'chromium'] as const satisfies readonly ShellName[]) {
  test(`looks in ${name}`, async () => {
    const reason = await whyNot(name)
    test.skip(reason !== null, reason ?? '')
    mkdirSync(folder, { recursive: true })
    const shell = await launch(name)
    try {
      expect(await walks(shell)).toEqual([])
    } finally {
      await shell.close()
    }
  })
}
