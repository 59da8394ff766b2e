// A page's picture, made anew in the real window and held against the one that is committed. DOCS_UPDATE=1 writes it.
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { root } from '../e2e/shells'

export const window = { width: 1280, height: 800 } as const
const shownWidth = 960
/** A pixel is another where a colour differs by more than this, of 255. */
const otherBy = 40
/** So many of a picture's pixels may be others: times and rates stand in the window, and differ from run to run. */
export const mostOthers = 0.006

export const asPicture = (shot: Buffer): Promise<Buffer> =>
  sharp(shot).resize(shownWidth).webp({ quality: 72, effort: 6 }).toBuffer()

/** The share of pixels that are others; 1 where the sizes differ. */
export async function othersIn(a: Buffer, b: Buffer): Promise<number> {
  const [one, two] = await Promise.all(
    [a, b].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (one!.info.width !== two!.info.width || one!.info.height !== two!.info.height) return 1
  let others = 0
  for (let at = 0; at < one!.data.length; at += 3)
    if ([0, 1, 2].some((c) => Math.abs(one!.data[at + c]! - two!.data[at + c]!) > otherBy)) others++
  return others / (one!.data.length / 3)
}

/** `name`: of docs, as tutorials/pictures/count-field. */
export async function keeps(page: Page, name: string): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.waitForTimeout(500)
  const made = await asPicture(await page.screenshot({ animations: 'disabled' }))
  const path = join(root, 'docs', `${name}.webp`)
  if (process.env['DOCS_UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    // One that agrees stays as it is: the repository keeps every version.
    if (!existsSync(path) || (await othersIn(readFileSync(path), made)) > mostOthers / 4) writeFileSync(path, made)
    return
  }
  const others = existsSync(path) ? await othersIn(readFileSync(path), made) : 1
  if (others > mostOthers) {
    const beside = join(root, 'test-results', 'docs', `${name.replaceAll('/', '-')}.webp`)
    mkdirSync(dirname(beside), { recursive: true })
    writeFileSync(beside, made)
  }
  expect(
    others,
    `${name}.webp: the share of pixels that are others (what the window shows is in test-results/docs)`,
  ).toBeLessThanOrEqual(mostOthers)
}

/** What the window shows stands on its page. */
export function onPage(page: string, text: string): void {
  expect(readFileSync(join(root, 'docs', page), 'utf8'), page).toContain(text)
}
