// The steps that a user takes, written once for both shells: each waits for what it should lead to, and none sleeps.
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answered, patience } from './patience'
import { isTissue, overlay, picture, share } from './pixels'
import type { OverlayLook } from './pixels'
import { root } from './shells'
import type { Shell } from './shells'

export const viewerOf = (page: Page): Locator => page.getByTestId('viewer')

/** Screenshots are artefacts: a person looks at them after the run. */
export async function keepScreenshot({ name, page }: Shell, title: string): Promise<void> {
  const folder = join(root, 'test-results', 'screenshots')
  mkdirSync(folder, { recursive: true })
  // With everything that was fading in or unfolding at its end.
  await page.screenshot({ path: join(folder, `${name}-${title}.png`), animations: 'disabled' })
}

export async function seesTissue({ page }: Shell, name = 'CMU-1-Small-Region.svs'): Promise<void> {
  await expect(page.getByTestId('slide-name')).toContainText(name, patience)
  await expect.poll(async () => share(await picture(viewerOf(page)), isTissue), patience).toBeGreaterThan(0.1)
}

/** Zooms in on the middle until single nuclei are plain to see, so that a run takes a moment only. */
export async function zoomsToNuclei({ page }: Shell): Promise<void> {
  // Keys belong to a control while it has the focus.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('f')
  await page.keyboard.press('1')
  await settled(page)
}

/**
 * Two looks that are the same, and the page waits for no tile and no preview: on a busy machine a picture also rests between two of those.
 */
export async function settled(page: Page): Promise<void> {
  let before = -1
  await expect
    .poll(async () => {
      const waits = await page.evaluate(() => window.__morphoscope?.isSettled === false)
      const { data } = await picture(viewerOf(page))
      const sum = data.reduce((total, value) => total + value, 0)
      const same = sum === before
      before = sum
      return same && !waits
    }, patience)
    .toBe(true)
}

export async function objectCount({ page }: Shell): Promise<number> {
  const text = (await page.getByTestId('object-count').textContent()) ?? ''
  return Number(text.replace(/[^\d]/g, '') || '0')
}

export async function seesOutlines(shell: Shell): Promise<OverlayLook> {
  await expect.poll(async () => (await overlay(shell.page)).coloured, patience).toBeGreaterThan(500)
  await expect.poll(() => objectCount(shell), patience).toBeGreaterThan(3)
  await runEnds(shell)
  return overlay(shell.page)
}

export async function runEnds({ page }: Shell): Promise<void> {
  await expect(page.getByTestId('cancel')).toBeHidden(patience)
  await expect(page.getByTestId('progress')).not.toHaveAttribute('data-state', 'running', patience)
}

/** Says yes where it is asked: on a busy machine a run is soon so old that its end needs an answer. */
export async function endsWhenAsked(page: Page, press: Locator, over: () => Promise<boolean>): Promise<void> {
  await press.click()
  const yes = page.getByTestId('question-yes')
  await expect
    .poll(async () => {
      if (await yes.isVisible()) await yes.click({ timeout: 5000 }).catch(() => undefined)
      return over()
    }, patience)
    .toBe(true)
}

export async function segmentsVisible(shell: Shell): Promise<OverlayLook> {
  await shell.page.getByTestId('segment-visible').click()
  return seesOutlines(shell)
}

/** Moves a parameter's slider with the keyboard, as a user who wants a few steps does. */
export async function movesSlider({ page }: Shell, param: string, key: 'ArrowLeft' | 'ArrowRight', steps: number): Promise<void> {
  const slider = page.getByTestId(`param-${param}-slider`)
  const before = await slider.inputValue()
  await slider.focus()
  for (let n = 0; n < steps; n++) await page.keyboard.press(key)
  await expect(slider).not.toHaveValue(before)
}

/**
 * Steps a slider until a preview computed these stages alone. A value may leave something uncertain that the values before it did not: a larger
 * window is then read around it, whole, once. With that in memory the next values compute what they touch.
 */
export async function stepsUntil(page: Page, param: string, stages: RegExp): Promise<void> {
  await page.getByTestId(`param-${param}-slider`).focus()
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByTestId('preview-cost')).toHaveText(stages, { timeout: 5_000 })
  }).toPass(answered)
}

export async function seesOtherOverlay({ page }: Shell, before: OverlayLook): Promise<void> {
  await expect
    .poll(async () => {
      const now = await overlay(page)
      return now.covered > 0 && now.hash !== before.hash
    }, patience)
    .toBe(true)
}

/** Clicks inside an outline, found on the canvas itself. */
export async function clicksNucleus({ page }: Shell): Promise<void> {
  const { insides } = await overlay(page)
  expect(insides.length, 'places enclosed by an outline').toBeGreaterThan(0)
  const box = (await viewerOf(page).boundingBox())!
  const place = insides[insides.length >> 1]!
  await page.mouse.click(box.x + place.x, box.y + place.y)
}

/** Area, perimeter and the like, with their unit, as the panel shows them. */
export async function readsMeasurements({ page }: Shell): Promise<void> {
  const selected = page.getByTestId('selected-object')
  await expect(selected).toHaveAttribute('data-state', 'found')
  await expect(selected).toContainText(/area/i)
  await expect(selected).toContainText('µm')
  await expect(selected).toContainText(/\d+([.,]\d+)?\s*µm²/)
}

/** Drags a rectangle over the share of the viewer that is left free by panels. */
export async function drawsRectangle({ page }: Shell, from: [number, number], to: [number, number]): Promise<void> {
  await page.getByTestId('run-region').click()
  const box = (await viewerOf(page).boundingBox())!
  await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1])
  await page.mouse.down()
  await page.mouse.move(box.x + (box.width * (from[0] + to[0])) / 2, box.y + (box.height * (from[1] + to[1])) / 2)
  await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1])
  await page.mouse.up()
}

/** A rectangle at a resolution far above the slide's own: it lasts long enough to be stopped, on any machine, and was never run before. */
export async function startsLongRun(shell: Shell): Promise<void> {
  const { page } = shell
  await page.getByTestId('param-image-pixelSizeUm').fill('0.05')
  await page.keyboard.press('Enter')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await drawsRectangle(shell, [0.35, 0.1], [0.65, 0.9])
  await page.getByTestId('run-whole-confirm').click()
  await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
  await expect(page.getByTestId('cancel')).toBeVisible()
}

/** The element that keys go to. Not toBeFocused(): that asks for the window's focus too, which a display without a window manager may withhold. */
export async function hasFocus(element: Locator, timeout?: number): Promise<void> {
  const has = (): Promise<boolean> => element.evaluate((node) => node === document.activeElement)
  await expect.poll(has, timeout === undefined ? {} : { timeout }).toBe(true)
}

/** Keys that take the focus to an element of a menu; again where they came before the menu had drawn its lines. */
export async function takesFocusTo(element: Locator, ...keys: string[]): Promise<void> {
  await expect(async () => {
    for (const key of keys) await element.page().keyboard.press(key)
    await hasFocus(element, 1000)
  }).toPass(answered)
}
