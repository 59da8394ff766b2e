// Two pages on one slide: each has its own preview, and ends no other's.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AppEvent, RunStatus } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
let engine: Engine
const ends = new Map<string, RunStatus['state']>()
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pages-'))
  engine = realEngine(dir, { shell: 'serve' })
  engine.onEvent((event: AppEvent) => void (event.type === 'run:end' && ends.set(event.status.runId, event.status.state)))
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

it('a page’s preview ends its own older one, and no other page’s', async () => {
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const recipe = await firstRecipe(engine)
  const region = { x: 300, y: 300, width: 1200, height: 1200 }
  const preview = async (page?: string): Promise<string> => {
    const more = page === undefined ? {} : { page }
    return (await engine.invoke('run:start', { slideId, region, recipe, purpose: 'preview', mpp: 0.3, ...more })).runId
  }
  // Asked for in one go: none of them can have ended by itself.
  const [ours, theirs, nobodys] = [await preview('a'), await preview('b'), await preview()]
  const newer = await preview('a')
  expect(ends.get(ours)).toBe('cancelled')
  expect([ends.get(theirs), ends.get(nobodys)]).toEqual([undefined, undefined])
  await expect.poll(() => [theirs, nobodys, newer].map((runId) => ends.get(runId))).toEqual(['done', 'done', 'done'])
  expect(await engine.call('run:start', { slideId, region, recipe, purpose: 'preview', page: 'a b' })).toMatchObject({
    error: { code: 'INVALID_PARAMETER' },
  })
})
