// What is taken from earlier runs costs nothing now: its stages are those runs' time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import { createEngine, defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'

const assetsDir = fileURLToPath(new URL('../../../../assets', import.meta.url))
let dir: string
let engine: Engine
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kept-'))
  engine = createEngine({ settingsDir: dir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

it.each(['preview', 'run'] as const)('a %s that is kept whole tells no stage’s time', async (purpose) => {
  const { slideId } = await engine.invoke('slide:open', { path: join(assetsDir, 'samples', 'CMU-1-Small-Region.svs') })
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
  const run = async (): Promise<RunStatus> => {
    const ended = new Promise<RunStatus>((resolve) => {
      const off = engine.onEvent((event) => {
        if (event.type !== 'run:end') return
        off()
        resolve(event.status)
      })
    })
    // The tiles of its grid are whole in it, or one would not be kept.
    await engine.invoke('run:start', { slideId, region: { x: 512, y: 1024, width: 512, height: 512 }, recipe, purpose })
    return ended
  }
  const first = await run()
  const computed = ({ timings }: RunStatus): number => timings.filter(({ kept }) => !kept).reduce((sum, { ms }) => sum + ms, 0)
  const second = await run()
  expect([first.state, second.state, second.objects]).toEqual(['done', 'done', first.objects])
  if (purpose === 'preview') expect(computed(first)).toBeGreaterThan(0)
  expect(second.keptMegapixels).toBeCloseTo(first.region.width * first.region.height * 1e-6, 2)
  expect(second.timings).toEqual([expect.objectContaining({ kept: true, ms: 0 })])
  expect(computed(second)).toBe(0)
})
