// How long frames take while a hand pans over 100,000 and a million objects, near and from afar, and how soon another measurement colours what is in view.
//   OBJECTS=100000,1000000 npx playwright test --config test/stress/playwright.config.ts manyFrames
import { expect, test } from '@playwright/test'
import { objectCount, seesTissue, settled, zoomsToNuclei } from '../e2e/journey'
import { makesMany } from '../e2e/makesMany'
import { launch, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { panned } from './panned'

const counts = (process.env['OBJECTS'] ?? '100000,1000000').split(',').map(Number)
const seconds = Number(process.env['SECONDS'] ?? 6)
const soon = { timeout: 120_000 }

/** Milliseconds from the choice of a measurement to the first frame that draws the overlay otherwise. */
async function recolours({ page }: Shell, choice: RegExp): Promise<number> {
  await page.getByTestId('look').click()
  await page.getByTestId('colour-by').click()
  const option = page.getByRole('option', { name: choice })
  await option.waitFor()
  const changed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const canvas = document.querySelector<HTMLCanvasElement>('[data-testid="overlay-canvas"]')!
        const sum = (): number => {
          const { data } = canvas.getContext('2d')!.getImageData(canvas.width / 2 - 150, canvas.height / 2 - 150, 300, 300)
          return data.reduce((all, value, i) => (all * 31 + value * (1 + (i % 7))) % 1_000_000_007, 7)
        }
        const before = sum()
        addEventListener(
          'click',
          () => {
            const from = performance.now()
            const look = (): void => {
              if (sum() !== before) resolve(performance.now() - from)
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(look)
          },
          { capture: true, once: true },
        )
      }),
  )
  await option.click()
  const ms = await changed
  await page.keyboard.press('Escape')
  return Math.round(ms)
}

for (const objects of counts)
  test(`frames over ${objects} objects`, async () => {
    const reason = await whyNot('chromium')
    test.skip(reason !== null, reason ?? '')
    const shell = await launch('chromium')
    const { page } = shell
    try {
      const path = await makesMany(shell.folder, objects)
      await seesTissue(shell)
      await page.keyboard.press('Shift+J')
      await page.getByTestId('start-project').click()
      await page.getByTestId('path-input').fill(path)
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle(/^many\.tif/)
      await expect.poll(() => objectCount(shell), soon).toBe(objects)
      await zoomsToNuclei(shell)
      await settled(page)
      const near = await panned(shell, seconds)
      const colours: number[] = []
      for (const choice of [/^Perimeter/, /^Area/, /^Solidity/, /^Perimeter/, /^Area/]) {
        colours.push(await recolours(shell, choice))
        await settled(page)
      }
      for (let step = 0; step < 3; step++) await page.keyboard.press('-')
      await settled(page)
      const middle = await panned(shell, seconds)
      await page.keyboard.press('f')
      await settled(page)
      const far = await panned(shell, seconds)
      console.log(JSON.stringify({ objects, near, middle, far, colours }))
    } finally {
      await shell.close()
    }
  })
