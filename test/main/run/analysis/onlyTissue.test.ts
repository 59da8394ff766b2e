// Half of a slide is glass: it is not computed, nothing is lost, and previews, runs and their verification agree.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tilePaths, tissueLayer, unpackTile } from '../../../../app/contract'
import type { PlaneTile, Recipe, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { firstRecipe, realEngine, sample } from '../../realEngine'

let dir: string
let engine: Engine
let slideId: string
let recipe: Recipe
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tissue-'))
  engine = realEngine(join(dir, 'settings'))
  const { slideId: whole } = await engine.invoke('slide:open', { path: sample })
  const tile = await engine.tile(`/tile/slide/${whole}/0/4_4`)
  const tissue = await sharp(Buffer.from(tile.body as Uint8Array))
    .resize(768, 768, { kernel: 'nearest' })
    .png()
    .toBuffer()
  const path = join(dir, 'half.png')
  const glass = { width: 2304, height: 768, channels: 3 as const, background: { r: 243, g: 242, b: 244 } }
  await sharp({ create: glass })
    .composite([{ input: tissue, left: 0, top: 0 }])
    .png()
    .toFile(path)
  slideId = (await engine.invoke('slide:open', { path })).slideId
  recipe = await firstRecipe(engine)
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

async function ended(only: boolean, purpose: 'run' | 'preview'): Promise<RunStatus> {
  const params = { ...recipe.params, tissue: { ...recipe.params['tissue'], only } }
  const end = new Promise<RunStatus>((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'run:end') return
      off()
      resolve(event.status)
    })
  })
  await engine.invoke('run:start', { slideId, region: 'whole', recipe: { ...recipe, params }, purpose, mpp: 0.5 })
  return end
}

it('takes the tissue and leaves the glass', async () => {
  const all = await ended(false, 'run')
  expect(all.state).toBe('done')
  expect(all.tissue).toBeUndefined()
  for (const purpose of ['run', 'preview'] as const) {
    const tissue = await ended(true, purpose)
    expect(tissue).toMatchObject({ state: 'done', objects: all.objects, tilesDone: 27, tilesTotal: 27 })
    // Of nine columns of 256 px three hold tissue, and the margin of 50 µm reaches into the next.
    expect(tissue.tissue).toMatchObject({ glassTiles: 15 })
    expect(tissue.tissue!.mm2!).toBeGreaterThan(0.1)
    expect(tissue.tissue!.mm2!).toBeLessThan((768 * 0.5 * 768 * 0.5) / 1e6 + 0.01)
    if (purpose === 'run')
      expect(await engine.invoke('run:verify', { runId: tissue.runId, regions: [], random: 3 })).toMatchObject({ equal: true })
  }
})

it('shows what it takes for tissue as a layer, whatever was computed', async () => {
  for (const [only, right] of [
    [true, 256],
    [false, 511],
  ] as const) {
    const { runId } = await ended(only, 'preview')
    const tile = await engine.tile(tilePaths.layer(runId, tissueLayer, 1, 3, 0, 0))
    const shown = unpackTile(Uint8Array.from(tile.body as Uint8Array).buffer) as PlaneTile
    expect(shown).toMatchObject({ kind: 'binary', sidePx: 256 })
    // An eighth of 2304 px are in a px: 96 of them are tissue, mostly, 192 are glass; below 96 the slide ends.
    const row = (from: number, to: number): number[] => [...shown.values.subarray(40 * 256 + from, 40 * 256 + to)]
    expect(row(0, 90).filter((value) => value === 511).length).toBeGreaterThan(45)
    expect(new Set(row(100, 256))).toEqual(new Set([right]))
    expect(shown.values[100 * 256]).toBe(0)
  }
})
