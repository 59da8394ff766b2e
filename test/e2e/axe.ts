// What a page would keep from people who do not see it or do not use a mouse: axe's findings, one line each; its words can be read in both themes.
import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

/** Some rules; none named: all. */
async function findings(page: Page, rules: readonly string[]): Promise<Finding[]> {
  return page.evaluate(async (runOnly) => {
    // What is half faded in has half of its contrast. What turns for ever is not waited for; what was called off has ended too.
    const ends = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ends.map(({ finished }) => finished))
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } }
    return (await axe.run(runOnly.length > 0 ? { runOnly } : {})).violations
  }, rules)
}

/** A window that follows the system: it has the theme when this is over. A page that has no theme stays as it is. */
export async function withTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction((expected) => {
    const has = document.documentElement.getAttribute('data-mantine-color-scheme')
    return has === null || has === expected
  }, theme)
}

export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const dark = await findings(page, [])
  // Of the other theme nothing differs but colours.
  await withTheme(page, 'light')
  const light = await findings(page, ['color-contrast'])
  await withTheme(page, 'dark')
  const line = (theme: string, { id, help, nodes }: Finding) =>
    `${theme} ${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join('; ')})`
  return [...dark.map((finding) => line('dark', finding)), ...light.map((finding) => line('light', finding))]
}
