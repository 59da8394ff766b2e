// Closing the engine: exports put their files away, runs are cancelled, and every call under way is answered before it is over.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tilePaths } from '../../app/contract'
import type { RunStatus } from '../../app/contract'
import { firstRecipe, realEngine, sample } from './realEngine'

it('waits for what is under way, and stops it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'close-'))
  const engine = realEngine(dir)
  const slide = await engine.invoke('slide:open', { path: sample })
  const { slideId } = slide
  const recipe = await firstRecipe(engine)
  const ends: RunStatus[] = []
  engine.onEvent((event) => void (event.type === 'run:end' && ends.push(event.status)))
  const region = { x: 600, y: 600, width: 900, height: 900 }
  const done = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
  while (ends.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))

  const settled: string[] = []
  const noted = async (name: string, call: Promise<unknown>): Promise<unknown> => call.finally(() => settled.push(name))
  const out = join(dir, 'out')
  const running = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', mpp: 0.3 })
  const waiting = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', mpp: 0.3 })
  const clicking = noted('click', engine.call('object:segment', { slideId, recipe, x: 1800, y: 2400 }))
  const tile = noted('tile', engine.tile(tilePaths.slide(slideId, 2, 0, 0)))
  // The last, as it ends soon.
  const files = ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png'] as const
  const exporting = noted('export', engine.call('export:start', { runId: done.runId, directory: out, files: [...files] }))
  await engine.close()
  expect(settled.sort()).toEqual(['click', 'export', 'tile'])
  expect(await exporting).toMatchObject({ ok: true, value: { cancelled: true, files: [] } })
  expect(await readdir(out).catch(() => [])).toEqual([])
  await Promise.all([clicking, tile])
  expect(ends.slice(1).map(({ runId, state }) => [runId, state])).toEqual([
    [running.runId, 'cancelled'],
    [waiting.runId, 'cancelled'],
  ])
  expect(await engine.call('run:list', undefined)).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})
