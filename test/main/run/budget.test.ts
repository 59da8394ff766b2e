// Runs hold what they may: the oldest previews go first, then the oldest results, in words; one run that finds too much ends as what it is.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { AppEvent, RunStatus } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { tooMuch } from '../../../main/run/schedule/budget'
import type { Budget } from '../../../main/run/schedule/budget'
import { firstRecipe, realEngine, sample } from '../realEngine'

let engine: Engine | undefined
let dir = ''
afterEach(async () => {
  await engine?.close()
  await rm(dir, { recursive: true, force: true })
})

async function opened(budget: Partial<Budget>) {
  dir = await mkdtemp(join(tmpdir(), 'budget-'))
  const made = realEngine(dir, { budget })
  engine = made
  const messages: string[] = []
  const waiting = new Map<string, (status: RunStatus) => void>()
  made.onEvent((event: AppEvent) => {
    if (event.type === 'runs:changed' && event.message !== undefined) messages.push(event.message)
    if (event.type === 'run:end') waiting.get(event.status.runId)?.(event.status)
  })
  const { slideId } = await made.invoke('slide:open', { path: sample })
  const recipe = await firstRecipe(made)
  const run = async (x: number, purpose: 'run' | 'preview' = 'run'): Promise<RunStatus> => {
    const region = { x, y: 800, width: 400, height: 400 }
    const { runId } = await made.invoke('run:start', { slideId, region, recipe, purpose, name: `At ${x}` })
    return new Promise((resolve) => waiting.set(runId, resolve))
  }
  const names = async (): Promise<string[]> => (await made.invoke('run:list', undefined)).map(({ status }) => status.name)
  return { run, names, messages }
}

it('picks previews before results, the oldest first, and what stays not at all', () => {
  const holder = (name: string, bytes: number, isPreview = false, stays = false) => ({ name, bytes, isPreview, stays })
  const all = [holder('a', 10), holder('b', 10, true), holder('c', 10, false, true), holder('d', 10, true), holder('e', 10)]
  const gone = (budget: number) => tooMuch(all, budget).map(({ name }) => name)
  expect([gone(50), gone(45), gone(30), gone(20), gone(0)]).toEqual([
    [],
    ['b'],
    ['b', 'd'],
    ['b', 'd', 'a'],
    ['b', 'd', 'a', 'e'],
  ])
})

it('lets go of the oldest results in words, never in silence and never of the newest', async () => {
  // Each of these runs finds some 40 objects, of about 0.3 kB with their outlines and what holds them.
  const { run, names, messages } = await opened({ keptBytes: 60_000 })
  for (const x of [300, 700, 1100]) await run(x)
  await run(1500, 'preview')
  for (const x of [300, 700, 1100, 1500]) await run(x)
  const left = await names()
  expect(left).not.toContain('At 1500, run 2')
  expect(left.at(-1)).toBe('At 1500')
  expect(left.length).toBeLessThan(7)
  expect(messages.length).toBeGreaterThan(0)
  expect(messages[0]).toMatch(/^To make room for newer runs, the oldest were removed: At 300 \(\d+ objects\)/)
  const told = messages.join(' ')
  for (const x of [300, 700, 1100]) if (!left.includes(`At ${x}`)) expect(told).toContain(`At ${x} (`)
})

it('keeps all of them where there is room', async () => {
  const { run, names, messages } = await opened({})
  for (let i = 0; i < 10; i++) await run(300 + 10 * i)
  expect(await names()).toHaveLength(10)
  expect(messages).toEqual([])
})

it('ends a run that finds more than memory holds, and keeps what it has', async () => {
  const { run } = await opened({ runObjects: 20 })
  const status = await run(700)
  expect(status).toMatchObject({ state: 'failed', error: { code: 'OUT_OF_MEMORY' } })
  expect(status.error!.message).toMatch(/The \d+ objects that were found so far/)
  expect(status.objects).toBeGreaterThan(20)
})
