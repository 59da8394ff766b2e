// A run that is deleted while it computes: nothing of it goes on unseen.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import { createEngine, defaultRecipe } from '../../../../main/engine'

const assetsDir = fileURLToPath(new URL('../../../../assets', import.meta.url))

it('ends at once, and what waits for it begins', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'deleted-'))
  const engine = createEngine({ settingsDir: dir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
  const ends = new Map<string, RunStatus['state']>()
  engine.onEvent((event) => void (event.type === 'run:end' && ends.set(event.status.runId, event.status.state)))
  const { slideId } = await engine.invoke('slide:open', { path: join(assetsDir, 'samples', 'CMU-1-Small-Region.svs') })
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
  // At a hundred times its pixels: minutes.
  const whole = { slideId, region: 'whole', recipe, purpose: 'run', mpp: 0.05 } as const
  const [long, next] = [await engine.invoke('run:start', whole), await engine.invoke('run:start', whole)]
  const state = async (): Promise<string> => (await engine.invoke('run:status', { runId: next.runId })).state
  await expect.poll(async () => (await engine.invoke('run:status', { runId: long.runId })).state).toBe('running')
  expect(await state()).toBe('queued')
  await engine.invoke('run:delete', { runId: long.runId })
  expect(ends.get(long.runId)).toBe('cancelled')
  await expect.poll(state).toBe('running')
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})
