// Pictures of every main state in both themes at three sizes, in both shells, for a person to look at: npm run looks [-- -g electron]
// They lie in test-results/screenshots/looks. What is cut, overlaps or cannot be read fails, with the state that it is in.
import { expect, test } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { axeFindings, withTheme } from '../e2e/axe'
import { seesTissue } from '../e2e/journey'
import { faults, foundWhenPlanted, plantedFaults } from '../e2e/layout'
import { walksMainStates } from '../e2e/mainStates'
import { launch, root, whyNot } from '../e2e/shells'
import type { Shell, ShellName } from '../e2e/shells'

const sizes = [
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const
const folder = join(root, 'test-results', 'screenshots', 'looks')

/** The state as it is, in both themes and at all sizes; what is wrong with it is kept in `wrong`. */
async function look(shell: Shell, state: string, wrong: string[]): Promise<void> {
  const { page } = shell
  for (const [width, height] of sizes.filter(([wide]) => wide === Number(process.env['LOOKS_WIDTH'] ?? wide))) {
    await shell.resize(width, height)
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height])
    for (const theme of ['light', 'dark'] as const) {
      await withTheme(page, theme)
      await page.waitForTimeout(150)
      const path = join(folder, `${shell.name}-${state}-${theme}-${width}.png`)
      await page.screenshot({ path, animations: 'disabled' })
    }
    // The cross on a card of the start page lies on it.
    const found = (await faults(page)).filter((fault) => !fault.includes('off this list'))
    wrong.push(...found.map((fault) => `${state} ${width}: ${fault}`))
  }
  // The library's menus hold a place for the focus, which axe takes for an item.
  if ((await page.getByRole('menu').count()) === 0)
    wrong.push(...(await axeFindings(page)).map((finding) => `${state}: ${finding}`))
  await shell.resize(1440, 900)
}

async function walks(shell: Shell): Promise<string[]> {
  const wrong: string[] = []
  await seesTissue(shell)
  // Looked at by a check that finds what is broken.
  expect(await plantedFaults(shell.page)).toEqual(foundWhenPlanted)
  await walksMainStates(shell, 'en', (state) => look(shell, state, wrong))
  return wrong
}

for (const name of ['electron', 'chromium'] as const satisfies readonly ShellName[]) {
  test(`looks in ${name}`, async () => {
    const reason = await whyNot(name)
    test.skip(reason !== null, reason ?? '')
    mkdirSync(folder, { recursive: true })
    const shell = await launch(name)
    try {
      expect(await walks(shell)).toEqual([])
    } finally {
      await shell.close()
    }
  })
}
