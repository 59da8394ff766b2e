// What a script in the page can do to the desktop's window, in one of its own: with results, the page asks before it is left.
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { seesTissue, settled } from '../journey'
import { drags, rows } from '../regionSteps'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
// A page that answers nothing is given up after 3 s, for 20.
withShell((started) => void (shell = started), { switches: ['--page-answers-within=3'] })

let page: Page
test('a script in the page leaves no window empty, on another document, or closed', async () => {
  const closes = () => shell.page.evaluate(() => setTimeout(() => window.close()))
  page = await shell.nextWindow!(closes)
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

test('a page that a script empties, or lets hang, comes back by itself, by its keys and by the menu, with its regions', async () => {
  await seesTissue({ ...shell, page })
  await page.keyboard.press('f')
  await settled(page)
  await page.keyboard.press('x')
  await drags(page, [700, 1400], [1200, 1900])
  await expect(rows(page)).toHaveCount(1)
  const isBack = async () => {
    await expect(page.getByTestId('engine-state')).toHaveText('Engine ready')
    await expect(rows(page)).toHaveCount(1)
  }
  const empties = async (script: string) => {
    await page.evaluate(script)
    await expect(page.getByTestId('engine-state')).toHaveCount(0, { timeout: 2000 })
  }
  // By itself, at the third look.
  await empties('document.documentElement.remove()')
  await isBack()
  // By the menu, without the page.
  await empties(`document.open(); document.write('gone'); document.close()`)
  expect(await shell.chooseInMenu!('loadPage')).toEqual({ label: 'Load the page again', accelerator: 'CmdOrCtrl+R' })
  await isBack()
  await empties(`document.body.innerHTML = ''`)
  // Sooner than by itself.
  const again = page.waitForEvent('framenavigated', { timeout: 2000 })
  await shell.keyInWindow!('F5')
  await again
  await isBack()
  // It hangs, and nothing in it is heard any more: its process goes.
  await page.evaluate(() => setTimeout(() => { for (;;); })) // oxfmt-ignore
  const told = `document.querySelector('[data-testid="engine-state"]').textContent + document.querySelectorAll('[data-testid="region-row"]').length`
  await expect.poll(() => shell.inWindow!(told)).toBe(null)
  await expect.poll(() => shell.inWindow!(told)).toBe('Engine ready1')
})
