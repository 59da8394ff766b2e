// What the engine and the page hold while somebody works for half an hour: after it within a fifth of what they held after five minutes. By hand:
//   MINUTES=30 SLIDE=/path/to/slide.svs npx playwright test --config test/stress/playwright.config.ts memory
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { movesSlider, runEnds, seesTissue, segmentsVisible, viewerOf, zoomsToNuclei } from '../e2e/journey'
import { processesBelow } from '../e2e/processes'
import { launch, root, sample, whyNot } from '../e2e/shells'
import type { Shell } from '../e2e/shells'
import { seed, seeded } from './seeded'

const minutes = Number(process.env['MINUTES'] ?? 30)
const slide = process.env['SLIDE'] ?? sample
/** What is compared with: by then caches have been filled once. */
const warmMinutes = 5
const mostGrowth = 0.2
const sampleEveryMs = 5000
const soon = { timeout: 60_000 }
const random = seeded(seed)

interface Sample {
  readonly minute: number
  /** MB. */
  readonly engine: number
  readonly page: number
}

/** Of the largest such process below this one: Chromium has spare renderers, which hold little. */
function residentMb(text: string): number {
  const held = processesBelow(process.pid, text).map((pid) => {
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      // It ended meanwhile.
      return 0
    }
  })
  return Math.max(0, ...held)
}

/**
 * Playwright has the page's inspector keep the bodies of what the page has loaded, up to 200 MB of them in the page's own process: more
 * than half of what it grew by in its first four minutes, and nothing that a user's page holds. There is no public way to do without, so a change in Playwright
 * ends the campaign here.
 */
async function keepsNoBodies(page: Page): Promise<void> {
  interface Inner {
    readonly delegate: { readonly _mainFrameSession: { readonly _client: { send: (method: string) => Promise<unknown> } } }
  }
  const { _connection } = page as unknown as { readonly _connection: { toImpl: (page: Page) => Inner } }
  await _connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable')
}

/** The middle of the samples of a minute. */
function ofMinute(samples: readonly Sample[], minute: number): { engine: number; page: number } {
  const within = samples.filter((each) => Math.floor(each.minute) === minute)
  const middle = (values: number[]): number => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)
  return { engine: middle(within.map(({ engine }) => engine)), page: middle(within.map(({ page }) => page)) }
}

async function pansAndZooms({ page }: Shell): Promise<void> {
  const box = (await viewerOf(page).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  for (let stroke = 0; stroke < 3; stroke++) {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 300 * (random() - 0.5), y + 300 * (random() - 0.5), { steps: 12 })
    // A hand that lets go at rest does not throw the slide, onto glass at last.
    await page.waitForTimeout(150)
    await page.mouse.up()
    for (const delta of [-240, -240, 240, 240]) {
      await page.mouse.wheel(0, delta)
      await page.waitForTimeout(100)
    }
  }
}

/** Either way, and never against the slider's end: half an hour's random walk comes there. */
async function towards({ page }: Shell): Promise<'ArrowLeft' | 'ArrowRight'> {
  const level = Number(await page.getByTestId('param-threshold-level-slider').inputValue())
  return level > 0.7 && (level > 1.6 || random() < 0.5) ? 'ArrowLeft' : 'ArrowRight'
}

/** Small objects go, and come back. */
async function deletesAndUndoes({ page }: Shell): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('b')
  const filter = page.getByTestId('table-filter')
  await filter.fill('area < 40', soon)
  const remove = page.getByTestId('table-delete')
  if (await remove.isEnabled().catch(() => false)) {
    await remove.click()
    await expect(page.getByTestId('undo')).toHaveAttribute('aria-label', /Undo: Delete/, soon)
    await page.getByTestId('undo').click()
    await expect(page.getByTestId('redo')).toBeEnabled(soon)
  }
  await filter.fill('')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('b')
}

async function runsAllAndExports(shell: Shell, round: number): Promise<void> {
  const { page, folder } = shell
  await page.getByTestId('run-whole').click()
  await page
    .getByTestId('run-whole-confirm')
    .click({ timeout: 3000 })
    .catch(() => undefined)
  await runEnds(shell)
  const target = join(folder, `exported-${round}`)
  mkdirSync(target)
  await page.getByTestId('export-open').click()
  await shell.chooseDirectory(target)
  await page.getByTestId('export-run').click()
  await expect(page.getByTestId('export-result')).toContainText('run.json', { timeout: 240_000 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  rmSync(target, { recursive: true, force: true })
}

test('memory', async () => {
  const reason = await whyNot('chromium')
  test.skip(reason !== null, reason ?? '')
  const shell = await launch('chromium', { slide })
  const samples: Sample[] = []
  let rounds = 0
  let sampling: NodeJS.Timeout | undefined
  try {
    await seesTissue(shell, slide.split('/').at(-1))
    await keepsNoBodies(shell.page)
    const begun = Date.now()
    const minute = (): number => (Date.now() - begun) / 60_000
    const sample = (): void =>
      void samples.push({ minute: minute(), engine: residentMb('engine.mjs'), page: residentMb('--type=renderer') })
    sampling = setInterval(sample, sampleEveryMs)
    for (; minute() < minutes; rounds++) {
      await zoomsToNuclei(shell)
      await pansAndZooms(shell)
      await movesSlider(shell, 'threshold-level', await towards(shell), 1 + Math.floor(random() * 5))
      await segmentsVisible(shell)
      await deletesAndUndoes(shell)
      if (rounds % 3 === 2) await runsAllAndExports(shell, rounds)
    }
    clearInterval(sampling)
    const table = Array.from({ length: Math.floor(minutes) }, (_, at) => ({ minute: at + 1, ...ofMinute(samples, at) }))
    console.log(`${rounds} rounds of work`)
    console.table(table)
    const folder = join(root, 'test-results', 'stress')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'memory.json'), JSON.stringify({ slide, rounds, table, samples }))
    const [warm, last] = [table[warmMinutes - 1], table.at(-1)!]
    expect(last.engine).toBeGreaterThan(0)
    expect(last.page).toBeGreaterThan(0)
    if (!warm || last === warm) return console.log(`shorter than ${warmMinutes} minutes and one more: nothing to compare`)
    for (const which of ['engine', 'page'] as const)
      expect(last[which] / warm[which] - 1, `growth of the ${which} since minute ${warmMinutes}`).toBeLessThanOrEqual(mostGrowth)
  } finally {
    clearInterval(sampling)
    await shell.close()
  }
})
