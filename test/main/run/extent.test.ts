// A slide of any size: runs that nobody can want are refused in words, and what is planned or shown of one costs what is computed of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Recipe, RunStatus, SlideInfo } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { status } from '../../../native/index'
import { writeHugeSlide } from './hugeSlide'
import { firstRecipe, realEngine } from '../realEngine'

const side = 600_000
let dir: string
let engine: Engine
let slide: SlideInfo
let recipe: Recipe

// Each try has an engine of its own: what the first left is not the second's.
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'huge-'))
  const path = join(dir, 'huge.tif')
  await writeHugeSlide(path, side, side)
  engine = realEngine(dir)
  slide = await engine.invoke('slide:open', { path, mpp: 0.25 })
  recipe = await firstRecipe(engine)
})
afterEach(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

/** What is held: what nobody needs is collected first. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

const ended = (runId: string, when: 'run:end' | 'run:tiles'): Promise<unknown> =>
  new Promise((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== when || ('status' in event ? event.status.runId : event.runId) !== runId) return
      off()
      resolve(event)
    })
  })
const refusal = async (name: string, arg: unknown): Promise<string> => {
  const result = await engine.call(name, arg)
  return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`
}

it.skipIf(!status().openslide.available)('costs what is computed of it', async () => {
  const before = heapUsed()
  const { slideId } = slide
  const words =
    /INVALID_PARAMETER: expected at most 137,439 megapixels .* but received 600000 × 600000 px \(360,000 megapixels, which would take .*(hours|days)/
  for (const arg of [{ slideId, region: 'whole', recipe, purpose: 'run' }]) expect(await refusal('run:start', arg)).toMatch(words)
  expect(await refusal('run:estimate', { slideId, region: 'whole', recipe })).toMatch(words)
  expect(await engine.invoke('run:list', undefined)).toEqual([])

  // What is in view can be looked at, however large the slide is.
  const preview = await engine.invoke('run:start', {
    slideId,
    region: 'whole',
    recipe,
    purpose: 'preview',
    focus: { x: 300_000, y: 200_000 },
  })
  await ended(preview.runId, 'run:tiles')
  await engine.invoke('run:cancel', { runId: preview.runId })

  // The largest that is allowed, the first tiles of which come as soon as those of a small one.
  const region = { x: 0, y: 0, width: 370_000, height: 370_000 }
  const run: RunStatus = await engine.invoke('run:start', {
    slideId,
    region,
    recipe,
    purpose: 'run',
    focus: { x: 150_000, y: 1000 },
  })
  expect(run.tilesTotal).toBe(1446 ** 2)
  await ended(run.runId, 'run:tiles')
  const { status: done } = (await engine.invoke('run:list', undefined)).at(-1)!
  expect(done.tilesDone).toBeGreaterThan(0)
  await engine.invoke('run:cancel', { runId: run.runId })
  // A list of its two million tiles alone takes more. What the engine's caches hold has limits of its own.
  expect(heapUsed() - before).toBeLessThan(100 * 2 ** 20)
})
