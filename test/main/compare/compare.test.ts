// Two sets of objects held against each other: what both cover, which are the same, which values differ; by hand, by chance, and of real runs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparedColours, objectColumns, tilePaths, unpackTile, valuesPerObject } from '../../../app/contract'
import type { ObjectsTile, RunStatus } from '../../../app/contract'
import { matchingOf } from '../../../main/compare/matching'
import { overlapOf } from '../../../main/compare/overlap'
import type { Outlines } from '../../../main/compare/overlap'
import type { Engine } from '../../../main/engine'
import { drawn } from '../objectsFixture'
import { firstRecipe, realEngine, sample } from '../realEngine'

const outlines = (...rows: string[]): Outlines => {
  const objects = drawn(...rows)
  return { count: objects.length, top: (i) => objects[i]!.value('firstY'), runs: (i) => objects[i]!.runs }
}
const held = async (a: Outlines, b: Outlines) => {
  const overlap = await overlapOf(a, b)
  return { overlap, matching: matchingOf(overlap) }
}

describe('objects of two runs', () => {
  it('are matched where they share half of what they cover: 4 × 4 px, by hand', async () => {
    const { overlap, matching } = await held(outlines('aa..', 'aa..', '...b', '.ccb'), outlines('.xx.', '.xx.', 'y..b', 'yccb'))
    // a and x share 2 of 6 px; b is the same; c is the same; y is of the second alone.
    expect(overlap.covered).toEqual({ a: 8, b: 10, both: 6 })
    expect([...overlap.areas.a]).toEqual([4, 2, 2])
    expect(matching.pairs.map(({ a, b, pixels }) => [a, b, pixels])).toEqual([
      [1, 2, 2],
      [2, 3, 2],
    ])
    expect([...matching.inBoth.a]).toEqual([0, 1, 1])
    expect([...matching.inBoth.b]).toEqual([0, 0, 1, 1])
    expect(matching.meanIou).toBe(1)
    expect(matching.dice).toBeCloseTo(12 / 18)
  })

  it('take one partner each: two halves are both one half, and the first in raster order has it', async () => {
    const { matching } = await held(outlines('aaaa', 'aaaa'), outlines('xxyy', 'xxyy'))
    expect(matching.pairs).toEqual([{ a: 0, b: 0, pixels: 4 }])
    expect(matching.meanIou).toBe(0.5)
    expect(matching.dice).toBe(1)
  })

  it('are nothing to nothing', async () => {
    const none = outlines('....')
    expect((await held(none, none)).matching).toMatchObject({ pairs: [], meanIou: null, dice: 1 })
    expect((await held(outlines('a...'), none)).matching).toMatchObject({ pairs: [], dice: 0 })
  })

  it('are counted as pixel by pixel, in tall pictures too, and both ways alike', async () => {
    const letters = fc.constantFrom('.', '.', '.', 'a', 'b', 'c', 'd')
    const picture = fc.array(fc.array(letters, { minLength: 6, maxLength: 6 }), { minLength: 150, maxLength: 150 })
    await fc.assert(
      fc.asyncProperty(picture, picture, async (one, two) => {
        const rows = [one, two].map((each) => each.map((row) => row.join('')))
        const [first, second] = [outlines(...rows[0]!), outlines(...rows[1]!)]
        const { overlap, matching } = await held(first, second)
        const cells = (test: (p: string, q: string) => boolean) =>
          one.flatMap((row, y) => row.filter((p, x) => test(p, two[y]![x]!))).length
        expect(overlap.covered).toEqual({
          a: cells((p) => p !== '.'),
          b: cells((_, q) => q !== '.'),
          both: cells((p, q) => p !== '.' && q !== '.'),
        })
        expect(overlap.pairs.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(overlap.covered.both)
        const back = (await held(second, first)).matching
        expect([back.dice, back.pairs.length]).toEqual([matching.dice, matching.pairs.length])
      }),
      { numRuns: 15 },
    )
  })
})

describe('two runs of a slide', () => {
  let folder: string
  let engine: Engine
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'morphoscope-compare-'))
    engine = realEngine(folder)
  })
  afterAll(async () => {
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are told apart by values, counts and colours; what does not fit is refused in words', async () => {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const recipe = await firstRecipe(engine)
    const done = async (minArea: number, region = { x: 600, y: 800, width: 512, height: 512 }): Promise<RunStatus> => {
      const params = { ...recipe.params, objects: { ...recipe.params['objects'], minArea } }
      const { runId } = await engine.invoke('run:start', { slideId, region, recipe: { ...recipe, params }, purpose: 'run' })
      await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 20_000 }).toBe('done')
      return engine.invoke('run:status', { runId })
    }
    const [a, b] = [await done(12), await done(40)]
    const found = await engine.invoke('run:compare', { a: a.runId, b: b.runId })
    expect(found.values).toMatchObject([{ stage: 'objects', param: 'minArea', a: 12, b: 40, unit: 'um2' }])
    // A larger smallest area takes objects away, and changes none.
    expect(found).toMatchObject({ both: b.objects, onlyB: 0, onlyA: a.objects - b.objects, meanIou: 1, notes: [] })
    expect(found.onlyA).toBeGreaterThan(0)
    expect(found.dice).toBeLessThan(1)

    const tileAt = async (kind: 'objects' | 'density') => {
      const answer = await engine.tile(tilePaths.compared(kind, found.comparison, 3, 0, 0))
      expect(answer.status).toBe(200)
      return unpackTile(Uint8Array.from(answer.body as Uint8Array).buffer)
    }
    const tile = (await tileAt('objects')) as ObjectsTile
    const colourOf = ([r, g, bl]: readonly number[]) => r! * 65536 + g! * 256 + bl!
    const counts = { a: 0, b: 0, both: 0 }
    for (let n = 0; n < tile.count; n++)
      for (const side of ['a', 'b', 'both'] as const)
        if (tile.values[n * valuesPerObject + objectColumns.length] === colourOf(comparedColours[side])) counts[side]++
    expect(counts).toEqual({ a: found.onlyA, b: 0, both: found.both })
    const far = await tileAt('density')
    expect(far.kind).toBe('density')

    // Of another part only what both looked at counts.
    const part = await done(12, { x: 800, y: 800, width: 512, height: 512 })
    const partly = await engine.invoke('run:compare', { a: a.runId, b: part.runId })
    expect(partly).toMatchObject({ onlyA: 0, onlyB: 0, dice: 1, values: [] })
    expect(partly.notes).toHaveLength(1)
    expect(partly.both).toBeLessThan(a.objects)

    await expect(engine.invoke('run:compare', { a: a.runId, b: a.runId })).rejects.toThrow('choose two')
    const beside = await done(12, { x: 0, y: 0, width: 256, height: 256 })
    await expect(engine.invoke('run:compare', { a: a.runId, b: beside.runId })).rejects.toThrow('different parts')
    await engine.invoke('run:delete', { runId: b.runId })
    expect((await engine.tile(tilePaths.compared('objects', found.comparison, 3, 0, 0))).status).toBe(404)
  }, 40_000)
})
