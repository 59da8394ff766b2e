// What a script in the page can do to the desktop's window, in one of its own: with results, the page asks before it is left.
import { expect, test } from '@playwright/test'
import { withShell } from './shells'
import type { Shell } from './shells'

let shell: Shell
withShell((started) => void (shell = started))

test('a script in the page leaves no window empty, on another document, or closed', async () => {
  const closes = () => shell.page.evaluate(() => setTimeout(() => window.close()))
  const page = await shell.nextWindow!(closes)
  const isBack = async () => {
    await page.waitForURL(/^morphoscope:\/\/app\/index\.html/)
    await expect(page.getByTestId('engine-state')).toHaveText('Engine ready')
  }
  await isBack()
  const left = page.waitForEvent('framenavigated', (frame) => frame.url() === 'about:blank')
  await page.evaluate(() => setTimeout(() => (location.href = 'about:blank')))
  await left
  await isBack()
  // What lies behind the page is not the empty one.
  expect(await page.evaluate(() => history.length)).toBe(1)
  await page.evaluate(() => history.pushState(null, '', '/nowhere'))
  await page.reload().catch(() => undefined)
  await isBack()
})
