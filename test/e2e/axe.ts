// What a page would keep from people who do not see it or do not use a mouse: axe's findings, one line each.
import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const findings = await page.evaluate(async () => {
    // What is half faded in has half of its contrast. What turns for ever is not waited for; what was called off has ended too.
    const ends = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ends.map(({ finished }) => finished))
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } }
    return (await axe.run()).violations
  })
  return findings.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join('; ')})`)
}
