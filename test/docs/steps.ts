// Steps that the walks of several pages take.
import { expect } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { viewerOf } from '../e2e/journey'
import { answered, patience } from '../e2e/patience'
import { root } from '../e2e/shells'
import type { Shell } from '../e2e/shells'

/** The command line, in a folder. */
export const morphoscope = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'app', 'cli', 'morphoscope.cjs'), ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })

/** Writes a sample into the shell's folder, and opens it. */
export async function opensSample(shell: Shell, name: string, file: string, ...more: string[]): Promise<string> {
  const path = join(shell.folder, file)
  morphoscope(shell.folder, 'sample', name, '--out', path, ...more)
  await opens(shell, path)
  return path
}

export async function opens(shell: Shell, path: string): Promise<void> {
  const { page } = shell
  await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText(path.split('/').at(-1)!, patience)
}

export async function key({ page }: Shell, ...keys: string[]): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (const each of keys) await page.keyboard.press(each)
}

export async function asks({ page }: Shell, words: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette-query').fill(words)
  await page.keyboard.press('Enter')
}

export async function chooses({ page }: Shell, list: string, option: string): Promise<void> {
  await page.getByTestId(list).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

export async function runsWhole({ page }: Shell): Promise<void> {
  const done = page.locator('[data-testid=run-row][data-state=done]')
  const before = await done.count()
  await page.getByTestId('run-whole').click()
  await expect(done).toHaveCount(before + 1, patience)
}

/** Notices are closed, and the pointer leaves what it points at first: one that it rests on would stay. */
export async function quiet({ page }: Shell): Promise<void> {
  const box = (await viewerOf(page).boundingBox())!
  await page.mouse.move(box.x + 6, box.y + box.height / 2)
  const notices = page.locator('.mantine-Notification-root')
  await expect(async () => {
    for (const close of await notices.locator('button.mantine-Notification-closeButton').all())
      await close.click({ timeout: 2000 }).catch(() => undefined)
    await page.mouse.move(box.x + 6, box.y + box.height / 2)
    await expect(notices).toHaveCount(0, { timeout: 2000 })
  }).toPass(answered)
}
