// The desktop program ends without a question where nothing would be lost: seconds after a run whose result is there.
import { expect, test } from '@playwright/test'
import { seesTissue } from '../journey'
import { patience } from '../patience'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell

withShell((started) => void (shell = started))

test('the program ends seconds after a run without a question', async () => {
  const { page } = shell
  await seesTissue(shell)
  await page.keyboard.press('Space')
  await expect(page.getByTestId('run-row').first()).toHaveAttribute('data-state', 'done', patience)
  await expect(page.getByTestId('object-count')).not.toHaveText('0')
  expect(await shell.quitAsks!()).toBeNull()
})
