// How long users wait, as the page itself measures it: window to first tile, slider to first new overlay tile, click to outline.
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

type Watch = 'slide-first-tile' | 'param-to-first-tile' | 'click-to-outline'
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

function summary(values: readonly number[]): { median: number; worst: number; n: number } {
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

    const slider = page.getByTestId('param-threshold-level-slider')
    await slider.focus()
    for (let n = 0; n < repeats; n++) {
      const before = (await measured(shell, 'param-to-first-tile')).length
      await page.keyboard.press(n % 4 < 2 ? 'ArrowRight' : 'ArrowLeft')
      // A value that was shown before may be answered from what is there, without a measure.
      await expect
        .poll(async () => (await measured(shell, 'param-to-first-tile')).length, { timeout: 5000 })
        .toBeGreaterThan(before)
        .catch(() => undefined)
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

    const figures = {
      shell: name,
      machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
      fieldPx: `${Math.round(box.width)}x${Math.round(box.height)}`,
      loadToFirstTileMs: Math.round(loadToTile),
      shownToFirstTileMs: Math.round(loadToTile - paint),
      sliderMs: summary((await measured(shell, 'param-to-first-tile')).map(({ duration }) => duration)),
      clickMs: summary((await measured(shell, 'click-to-outline')).map(({ duration }) => duration)),
    }
    console.log(JSON.stringify(figures, null, 2))
    writeFileSync(join(root, 'test-results', `latency-${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
  } finally {
    await shell.close()
  }
})
