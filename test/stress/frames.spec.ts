// How long frames take at rest and beside a run of the whole slide, while a hand pans, and what the page computed meanwhile. By hand:
//   SLIDE=/path/to/slide.tif npx playwright test --config test/stress/playwright.config.ts frames
import { expect, test } from '@playwright/test'
import { seesTissue, settled, viewerOf } from '../e2e/journey'
import { launch, sample, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'

const seconds = Number(process.env['SECONDS'] ?? 8)
const slide = process.env['SLIDE'] ?? sample

/** Milliseconds between frames while the mouse drags the slide about: p50, p95, worst, and how many. */
async function panned({ page }: Shell): Promise<object> {
  const box = (await viewerOf(page).boundingBox())!
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let before = performance.now()
    const next = (): void => {
      const now = performance.now()
      frames.push(now - before)
      before = now
      if ((window as unknown as { frames?: number[] }).frames === frames) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  const until = Date.now() + seconds * 1000
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  for (let n = 0; Date.now() < until; n++) {
    await page.mouse.move(middle.x + 150 * Math.sin(n / 9), middle.y + 150 * Math.cos(n / 7))
    await new Promise((resolve) => setTimeout(resolve, 16))
  }
  await page.mouse.up()
  const frames = await page.evaluate(() => {
    const all = (window as unknown as { frames: number[] }).frames
    Object.assign(window, { frames: undefined })
    return all
  })
  frames.sort((a, b) => a - b)
  const at = (share: number): number => Math.round(frames[Math.floor(frames.length * share)]!)
  return { p50: at(0.5), p95: at(0.95), worst: Math.round(frames.at(-1)!), frames: frames.length }
}

test('frames', async () => {
  const reason = await whyNot('chromium')
  test.skip(reason !== null, reason ?? '')
  const shell = await launch('chromium', { slide })
  const { page } = shell
  try {
    await seesTissue(shell, slide.split('/').at(-1))
    await page.keyboard.press('f')
    await settled(page)
    const rest = await panned(shell)
    await page.getByTestId('run-whole').click()
    const confirm = page.getByTestId('run-whole-confirm')
    await confirm.click({ timeout: 3000 }).catch(() => undefined)
    await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
    const client = await page.context().newCDPSession(page)
    await client.send('Profiler.enable')
    await client.send('Profiler.start')
    const beside = await panned(shell)
    const { profile } = await client.send('Profiler.stop')
    const state = await page.getByTestId('progress').getAttribute('data-state')
    // Self time by function, most first.
    const own = new Map<string, number>()
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
    profile.samples!.forEach((id, i) => {
      const { functionName, url, lineNumber } = nodes.get(id)!.callFrame
      const name = `${functionName || '(anonymous)'} ${url.split('/').at(-1)}:${lineNumber}`
      own.set(name, (own.get(name) ?? 0) + profile.timeDeltas![i]! / 1000)
    })
    const most = [...own].sort((a, b) => b[1] - a[1]).slice(0, 25)
    console.log({ rest, beside, state }, most.map(([name, ms]) => `${Math.round(ms)} ms ${name}`).join('\n'))
  } finally {
    await shell.close()
  }
})
