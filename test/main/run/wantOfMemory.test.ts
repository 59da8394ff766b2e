// Where memory is wanting while a run's tiles are collected, the run ends and says so: the engine answers on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { ResultCollector } from '../../../main/run/result/resultCollector'
import { firstRecipe, realEngine, sample } from '../realEngine'

it('ends the run and not the engine', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'want-'))
  // What nobody holds ends the engine's process.
  const unheld = vi.fn()
  process.on('unhandledRejection', unheld)
  const add = vi.spyOn(ResultCollector.prototype, 'add').mockImplementation(() => {
    throw new RangeError('Array buffer allocation failed')
  })
  const engine = realEngine(dir)
  try {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const recipe = await firstRecipe(engine)
    const region = { x: 300, y: 300, width: 600, height: 600 }
    const start = async () => {
      const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
      await vi.waitFor(async () => expect((await engine.invoke('run:status', { runId })).elapsedMs).toBeGreaterThan(0))
      await vi.waitFor(
        async () => expect((await engine.invoke('run:status', { runId })).state).toMatch(/^(failed|done|cancelled)$/),
        { timeout: 30_000 },
      )
      return engine.invoke('run:status', { runId })
    }
    expect(await start()).toMatchObject({ state: 'failed', error: { code: 'OUT_OF_MEMORY' } })
    add.mockRestore()
    expect(await start()).toMatchObject({ state: 'done', error: null })
    expect(unheld).not.toHaveBeenCalled()
  } finally {
    vi.restoreAllMocks()
    process.off('unhandledRejection', unheld)
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  }
})
