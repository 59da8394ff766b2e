// The limit between positive and negative nuclei from a sample of them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Shape } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { limitOf, otsuOf } from '../../../../main/run/analysis/classLimit'
import { ihcNuclei, paintsIhc } from '../../../ihcPicture'
import { seeded } from '../../../stress/seeded'
import { realEngine, sample } from '../../realEngine'

const many = (mean: number, n: number): number[] => Array.from({ length: n }, (_, i) => mean + 0.002 * (i % 5))

it('parts two heaps in the middle between them', () => {
  expect(otsuOf([0.1, 0.1, 0.5, 0.5])).toBeCloseTo(0.3, 9)
  expect(otsuOf([0.1, 0.1])).toBeNull()
  expect(otsuOf([])).toBeNull()
  // 0.108 and 0.5: the middle, whatever their sizes.
  expect(limitOf([...many(0.1, 100), ...many(0.5, 20)])).toEqual({ limit: 0.3, nuclei: 120, above: 20 })
})

it('is the level that parts best of all, by definition', () => {
  const next = seeded(20261125)
  for (let n = 0; n < 40; n++) {
    const values = Array.from({ length: 3 + Math.floor(next() * 60) }, () => Math.floor(next() ** 2 * 900) / 1000)
    const between = (level: number): number => {
      const [low, high] = [values.filter((value) => value < level), values.filter((value) => value >= level)]
      if (low.length === 0 || high.length === 0) return 0
      const mean = (of: number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length
      return (low.length * high.length * (mean(high) - mean(low)) ** 2) / values.length ** 2
    }
    const best = Math.max(...Array.from({ length: 1000 }, (_, i) => between((i + 0.5) / 1000)))
    const found = otsuOf(values)
    if (found === null) expect(best).toBe(0)
    else expect(between(found)).toBeCloseTo(best, 9)
  }
})

it('stays where every nucleus is of one class, and tells nothing of a few', () => {
  // Blue ones alone: their noise is no limit; brown ones alone: neither is how brown they are.
  expect(limitOf(many(0.03, 50))).toEqual({ limit: 0.15, nuclei: 50, above: 0 })
  expect(limitOf([...many(0.7, 50), ...many(1.2, 50)])).toEqual({ limit: 0.4, nuclei: 100, above: 100 })
  expect(limitOf(Array.from({ length: 30 }, () => 0.3))).toEqual({ limit: 0.15, nuclei: 30, above: 30 })
  expect(limitOf(many(0.3, 29))).toBeNull()
})

let folder: string
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-limit-'))
  engine = realEngine(folder)
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

it('comes from the nuclei of the slide, or of a region', async () => {
  const path = join(folder, 'ki67.png')
  await paintsIhc(path)
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.25 })
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!
  const recipe = defaultRecipe(spec)
  const ask = (within?: Shape) => engine.invoke('slide:classLimit', { slideId, recipe, ...(within && { within }) })
  const found = (await ask())!
  expect(found).toEqual({ limit: expect.any(Number) as number, nuclei: ihcNuclei, above: ihcNuclei / 3 })
  expect(found.limit).toBeGreaterThanOrEqual(0.15)
  expect(found.limit).toBeLessThanOrEqual(0.4)
  expect(await ask()).toEqual(found)
  // The upper half has half of them; a corner too few.
  const half = (await ask({ kind: 'rectangle', x: 0, y: 0, width: 960, height: 322 }))!
  expect([half.nuclei, half.above]).toEqual([ihcNuclei / 2, ihcNuclei / 6])
  expect(await ask({ kind: 'rectangle', x: 0, y: 0, width: 200, height: 200 })).toBeNull()
  await expect(ask({ kind: 'rectangle', x: -900, y: 0, width: 20, height: 20 })).rejects.toThrow('outside the slide')
})

it('is for recipes that have classes', async () => {
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!
  await expect(engine.invoke('slide:classLimit', { slideId, recipe: defaultRecipe(spec) })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
    message: expect.stringContaining('a recipe with classes') as string,
  })
})
