// Every main state of the window, walked to as a person would: looked at in both themes by npm run looks, and in German by german.spec.ts.
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Language } from '../../app/contract'
import { measurements } from '../../app/contract'
import { germanTitle } from '../../app/german/titles'
import { texts } from '../../renderer/words'
import { clicksNucleus, runEnds, seesTissue, segmentsVisible, viewerOf, zoomsToNuclei } from './journey'
import type { Shell } from './shells'

const soon = { timeout: 20_000 }
const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
const areaIn = (language: Language): string =>
  (language === 'de' ? germanTitle(measurements.area.title) : null) ?? measurements.area.title

/** `looks` is called in each state with its name. */
export async function walksMainStates(shell: Shell, language: Language, looks: (state: string) => Promise<void>): Promise<void> {
  const { page } = shell
  const words = texts[language]
  const key = async (...keys: string[]) => {
    await blur(page)
    for (const each of keys) await page.keyboard.press(each)
  }
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
  await page.getByRole('option', { name: new RegExp(`^${areaIn(language)}`) }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('object-legend')).toBeVisible(soon)
  await looks('legend')
  await page.getByTestId('param-threshold-level-slider').hover()
  await expect(page.getByTestId('cut-histogram')).toContainText(words.cutHistogram.share(0).replace(/^[\d.]+\s*%\s*/u, ''), soon)
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
  await page.getByRole('option', { name: words.names.tissue, exact: true }).click()
  await page.waitForTimeout(1500)
  await looks('layer')
  await page.getByTestId('layer-select').click()
  await page.getByRole('option', { name: words.names.slide, exact: true }).click()

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
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'paused', { timeout: 60_000 })
  await looks('paused')
  shell.killEngine()
  await expect(page.getByTestId('run-again').or(page.getByTestId('banner-resume'))).toBeVisible({ timeout: 60_000 })
  await looks('engine-lost')
}
