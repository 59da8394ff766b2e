// How long users wait, as the page itself measures it: window to first tile, slider of each stage to the first new tile and to the whole field, click to outline.
import { expect, test } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { runEnds, seesTissue, segmentsVisible, settled, viewerOf } from '../e2e/journey'
import { overlay } from '../e2e/pixels'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell, ShellName } from '../e2e/shells'

const field = { width: 1280, height: 800 }
const repeats = 12
interface Figures {
  median: number
  worst: number
  n: number
}

type Watch = 'slide-first-tile' | 'param-to-first-tile' | 'param-to-field' | 'click-to-outline' | Pointed
/** What answers a pointer, with the key that takes it in hand. */
type Pointed = 'wand-to-outline' | 'point-to-why' | 'slider-to-histogram'
const measured = ({ page }: Shell, name: Watch) =>
  page.evaluate(
    (watch) => performance.getEntriesByName(watch, 'measure').map(({ startTime, duration }) => ({ startTime, duration })),
    name,
  )

/** Makes the slide's field exactly 1280×800, whatever the panels take. */
async function sizeField({ page, resize }: Shell): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const box = (await viewerOf(page).boundingBox())!
    const inner = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
    await resize(inner.width + field.width - Math.round(box.width), inner.height + field.height - Math.round(box.height))
    await settled(page)
  }
}

function summary(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: Math.round(sorted[sorted.length >> 1] ?? Number.NaN),
    worst: Math.round(sorted.at(-1) ?? Number.NaN),
    n: sorted.length,
  }
}

test('latency', async ({ browserName: _ }, { project }) => {
  const name = project.name as ShellName
  const reason = await whyNot(name)
  test.skip(reason !== null, reason ?? '')
  const shell = await launch(name)
  const { page } = shell
  try {
    await seesTissue(shell)
    const [first] = await measured(shell, 'slide-first-tile')
    // Since the page began to load, and since its first paint: Electron shows the window then.
    const loadToTile = first!.startTime + first!.duration
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)
    await sizeField(shell)
    await viewerOf(page).hover()
    await page.keyboard.press('1')
    await settled(page)
    await segmentsVisible(shell)

    // Each value is new: one that was shown before is answered from what is there.
    const sliders: Record<string, { first: Figures; field: Figures; stages: string }> = {}
    for (const [stage, param] of [
      ['first stage', 'channel-smoothing'],
      ['second stage', 'threshold-level'],
      ['last stage', 'objects-minArea'],
    ] as const) {
      const slider = page.getByTestId(`param-${param}-slider`)
      await slider.focus()
      const skip = (await measured(shell, 'param-to-field')).length
      const skipFirst = (await measured(shell, 'param-to-first-tile')).length
      for (let n = 0; n < repeats; n++) {
        const before = (await measured(shell, 'param-to-field')).length
        await page.keyboard.press('ArrowRight')
        await expect
          .poll(async () => (await measured(shell, 'param-to-field')).length, { timeout: 5000 })
          .toBeGreaterThan(before)
          .catch(() => undefined)
        await runEnds(shell)
      }
      const of = async (watch: Watch, from: number) =>
        summary((await measured(shell, watch)).slice(from).map(({ duration }) => duration))
      sliders[`${stage} (${param})`] = {
        first: await of('param-to-first-tile', skipFirst),
        field: await of('param-to-field', skip),
        stages: (await page.getByTestId('preview-cost').textContent()) ?? '',
      }
      await page.getByTestId('reset-all').click()
      await runEnds(shell)
    }

    const box = (await viewerOf(page).boundingBox())!
    const { insides } = await overlay(page)
    await page.getByTestId('clear-results').click()
    for (const { x, y } of insides.slice(0, repeats)) {
      const before = (await measured(shell, 'click-to-outline')).length
      await page.mouse.click(box.x + x, box.y + y)
      await expect
        .poll(async () => (await measured(shell, 'click-to-outline')).length, { timeout: 5000 })
        .toBeGreaterThan(before)
        .catch(() => undefined)
      await page.keyboard.press('Escape')
    }

    // The wand's first point builds the field's tree, and is told apart; so are the others of what they find built ahead.
    const places = insides
      .filter((_, k) => k % Math.max(1, Math.floor(insides.length / 40)) === 0)
      .filter(({ x, y }) => x > 340 || y > 360)
    const pointsAt = async (watch: Pointed, key: string): Promise<number[]> => {
      await page.mouse.move(box.x + places[0]!.x + 9, box.y + places[0]!.y)
      await page.keyboard.press(key)
      if (key === 'y') await page.getByTestId('why-follow').click()
      await page.waitForTimeout(1500)
      for (const { x, y } of places.slice(0, 30)) {
        const before = (await measured(shell, watch)).length
        await page.mouse.move(box.x + x, box.y + y)
        await expect
          .poll(async () => (await measured(shell, watch)).length, { timeout: 3000 })
          .toBeGreaterThan(before)
          .catch(() => undefined)
      }
      await page.keyboard.press('Escape')
      return (await measured(shell, watch)).map(({ duration }) => duration)
    }
    const wand = await pointsAt('wand-to-outline', 'a')
    const why = await pointsAt('point-to-why', 'y')
    for (let n = 0; n < repeats; n++) {
      const before = (await measured(shell, 'slider-to-histogram')).length
      // Another slider first, which cuts nothing: the histogram is asked for anew.
      await page.getByTestId('param-objects-minArea-slider').hover()
      await page.waitForTimeout(150)
      await page.getByTestId('param-threshold-level-slider').hover()
      await expect
        .poll(async () => (await measured(shell, 'slider-to-histogram')).length, { timeout: 3000 })
        .toBeGreaterThan(before)
        .catch(() => undefined)
    }

    const figures = {
      shell: name,
      machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
      fieldPx: `${Math.round(box.width)}x${Math.round(box.height)}`,
      loadToFirstTileMs: Math.round(loadToTile),
      shownToFirstTileMs: Math.round(loadToTile - paint),
      sliders,
      wandMs: summary(wand),
      whyMs: summary(why),
      histogramMs: summary((await measured(shell, 'slider-to-histogram')).map(({ duration }) => duration)),
      clickMs: summary((await measured(shell, 'click-to-outline')).map(({ duration }) => duration)),
    }
    console.log(JSON.stringify(figures, null, 2))
    writeFileSync(join(root, 'test-results', `latency-${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
  } finally {
    await shell.close()
  }
})
