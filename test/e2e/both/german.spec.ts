// The window in German: chosen by the system, or by a person; nothing of it is cut that is not cut in English.
import { expect, test } from '@playwright/test'
import { keepScreenshot, seesTissue } from '../journey'
import { faults } from '../layout'
import { walksMainStates } from '../mainStates'
import { launch, whyNot } from '../shells'
import type { Shell, ShellName } from '../shells'

const sizes = [
  [1280, 800],
  [1440, 900],
] as const

/** In German, and English where the same is asked there. */
async function look(shell: Shell, state: string, wrong: string[]): Promise<void> {
  const { page } = shell
  for (const [width, height] of sizes) {
    await shell.resize(width, height)
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height])
    await page.waitForTimeout(150)
    await keepScreenshot(shell, `german-${state}-${width}`)
    // The cross on a card of the start page lies on it.
    const found = (await faults(page)).filter((fault) => !fault.includes('dieser Liste'))
    wrong.push(...found.map((fault) => `${state} ${width}: ${fault}`))
  }
}

test('every main state fits in German', async ({ browserName: _ }, { project }) => {
  const name = project.name as ShellName
  const reason = await whyNot(name)
  test.skip(reason !== null, reason ?? '')
  const shell = await launch(name, { language: 'de' })
  const wrong: string[] = []
  try {
    await seesTissue(shell)
    await expect(shell.page.locator('html')).toHaveAttribute('lang', 'de')
    await walksMainStates(shell, 'de', (state) => look(shell, state, wrong))
    expect(wrong).toEqual([])
  } finally {
    await shell.close()
  }
})

test('a person chooses another language, and the page comes back in it with its slide', async ({ browserName: _ }, {
  project,
}) => {
  const name = project.name as ShellName
  const reason = await whyNot(name)
  test.skip(reason !== null, reason ?? '')
  const shell = await launch(name, { language: 'de' })
  const { page } = shell
  const html = page.locator('html')
  try {
    await seesTissue(shell)
    await expect(html).toHaveAttribute('lang', 'de')
    if (shell.chooseInMenu) expect((await shell.chooseInMenu('open', 'look')).label).toBe('Schnitt öffnen…')
    await page.keyboard.press('?')
    await page.getByTestId('language').getByText('English').click()
    await expect(html).toHaveAttribute('lang', 'en')
    await seesTissue(shell)
    await expect(page.getByTestId('open')).toHaveText(/Open/)
    if (shell.chooseInMenu) expect((await shell.chooseInMenu('open', 'look')).label).toBe('Open a slide…')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.type('Sprache Deutsch')
    await page.keyboard.press('Enter')
    await expect(html).toHaveAttribute('lang', 'de')
    await seesTissue(shell)
    await page.reload()
    await expect(html).toHaveAttribute('lang', 'de')
  } finally {
    await shell.close()
  }
})
