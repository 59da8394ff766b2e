// How long frames take at rest and beside a run of the whole slide, while a hand pans, and what the page computed meanwhile. By hand:
//   SLIDE=/path/to/slide.tif npx playwright test --config test/stress/playwright.config.ts frames
import { expect, test } from '@playwright/test'
import { seesTissue, settled } from '../e2e/journey'
import { launch, sample, whyNot } from '../e2e/shells'
import { panned } from './panned'

const seconds = Number(process.env['SECONDS'] ?? 8)
const slide = process.env['SLIDE'] ?? sample

test('frames', async () => {
  const reason = await whyNot('chromium')
  test.skip(reason !== null, reason ?? '')
  const shell = await launch('chromium', { slide })
  const { page } = shell
  try {
    await seesTissue(shell, slide.split('/').at(-1))
    await page.keyboard.press('f')
    await settled(page)
    const rest = await panned(shell, seconds)
    await page.getByTestId('run-whole').click()
    const confirm = page.getByTestId('run-whole-confirm')
    await confirm.click({ timeout: 3000 }).catch(() => undefined)
    await expect(page.getByTestId('progress')).toHaveAttribute('data-state', 'running')
    const client = await page.context().newCDPSession(page)
    await client.send('Profiler.enable')
    await client.send('Profiler.start')
    const beside = await panned(shell, seconds)
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
