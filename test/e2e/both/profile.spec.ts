// A slide with a colour profile: it is shown as it is analysed, and by its profile where that is wanted, which is kept.
import { expect, test } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { iccOf, scanners } from '../../scannerProfiles'
import { plain, tiffOf } from '../../main/slide/tiffWriter'
import { keepScreenshot, seesTissue, viewerOf } from '../journey'
import { patience } from '../patience'
import { picture, share } from '../pixels'
import { withShell } from '../shells'
import type { Shell } from '../shells'

let shell: Shell
withShell((started) => void (shell = started))

/** As the file has it, and by its profile, whose green is a wide one. */
const color = [200, 120, 160] as const
const near =
  (r: number, g: number, b: number) =>
  (red: number, green: number, blue: number): boolean =>
    Math.abs(red - r) < 5 && Math.abs(green - g) < 5 && Math.abs(blue - b) < 5
const seen = async (is: ReturnType<typeof near>): Promise<number> => share(await picture(viewerOf(shell.page)), is)

test('a slide with a colour profile is shown by it where that is wanted', async () => {
  const { page } = shell
  await seesTissue(shell)
  await page.getByTestId('tone').click()
  await expect(page.getByTestId('tone-reset')).toBeVisible()
  // The sample's profile is none of red, green and blue, or it has none.
  await expect(page.getByTestId('tone-profile')).toHaveCount(0)
  await page.keyboard.press('Escape')

  const icc = { tag: 34_675, type: 7, values: [...iccOf(scanners[0]!)] } as const
  const path = join(shell.folder, 'scanned.tif')
  writeFileSync(path, tiffOf([plain(1024, 768, color, { tilePx: 256, fields: [icc] })]))
  await shell.chooseFile(path, () => page.keyboard.press('ControlOrMeta+o'))
  await expect(page.getByTestId('slide-name')).toContainText('scanned.tif', patience)
  await expect.poll(() => seen(near(...color)), patience).toBeGreaterThan(0.3)
  await page.getByTestId('tone').click()
  const profile = page.getByTestId('tone-profile')
  await expect(page.getByTestId('tone-menu')).toContainText('Made scanner A')
  await expect(profile).not.toBeChecked()
  await profile.click({ force: true })
  await expect(profile).toBeChecked()
  await expect.poll(() => seen(near(...color)), patience).toBe(0)
  await expect
    .poll(() => seen((red, green, blue) => red > 205 && red > green + 60 && red > blue + 20), patience)
    .toBeGreaterThan(0.3)
  await keepScreenshot(shell, '76-colour-profile')
  await profile.click({ force: true })
  await expect(profile).not.toBeChecked()
  await expect.poll(() => seen(near(...color)), patience).toBeGreaterThan(0.3)
  await profile.click({ force: true })
  await expect(profile).toBeChecked()
  await page.keyboard.press('Escape')

  // It is kept, and holds for the next slide.
  await page.reload()
  await expect(page.getByTestId('slide-name')).toContainText('scanned.tif', patience)
  await expect
    .poll(() => seen((red, green, blue) => red > 205 && red > green + 60 && red > blue + 20), patience)
    .toBeGreaterThan(0.3)
})
