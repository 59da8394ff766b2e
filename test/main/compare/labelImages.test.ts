// Two label images held against each other: by hand, on grids coarser than the slide's, where regions differ, and by chance against pixel by pixel.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differingValues } from '../../../main/compare/comparisons'
import { stageTimes } from '../../../main/compare/exportedRuns'
import { compareLabels } from '../../../main/compare/labelImages'
import type { LabelImage } from '../../../main/compare/labelImages'
import { iouOf, matchingOf } from '../../../main/compare/matching'

/** Rows of digits and letters, '.' none; its first px is at (x, y) of the slide. */
function labels(rows: readonly (readonly number[])[] | readonly string[], x = 0, y = 0, objects = 99): LabelImage {
  const numbers = rows.map((row) => (typeof row === 'string' ? [...row].map((c) => (c === '.' ? 0 : parseInt(c, 36))) : [...row]))
  return {
    name: 'labels.ome.tif',
    region: { x, y, width: numbers[0]!.length, height: numbers.length },
    objects,
    row: (at) => Promise.resolve(Int32Array.from(numbers[at]!)),
  }
}

describe('two label images', () => {
  it('of 4 × 4 px, by hand', async () => {
    const found = await compareLabels(labels(['11..', '11..', '...2', '.332']), labels(['.55.', '.55.', '6..7', '6887']), 1)
    const { overlap } = found
    expect(found.region).toEqual({ x: 0, y: 0, width: 4, height: 4 })
    expect([...found.a.ids]).toEqual([1, 2, 3])
    expect([...found.b.ids]).toEqual([5, 6, 7, 8])
    expect([[...overlap.areas.a], [...overlap.areas.b]]).toEqual([
      [4, 2, 2],
      [4, 2, 2, 2],
    ])
    expect(overlap.covered).toEqual({ a: 8, b: 10, both: 6 })
    // 1 and 5 share 2 of 6 px: no pair.
    const matching = matchingOf(overlap)
    expect(matching.pairs).toEqual([
      { a: 1, b: 2, pixels: 2 },
      { a: 2, b: 3, pixels: 2 },
    ])
    expect([matching.dice, matching.meanIou]).toEqual([12 / 18, 1])
    expect([found.a.x[0], found.a.y[0], found.a.x[1], found.a.y[1]]).toEqual([1, 1, 3.5, 3])
  })

  it('of different regions: what both show, and objects that begin there', async () => {
    // The second begins at (1, 1). 1 begins left of it, 2 above it, 3 right of where it ends: none of them is of both.
    const a = labels(['...2.', '1..2.', '11..3', '4433.', '44...'])
    const b = labels(['.52', '6..', '443', '44.'], 1, 1)
    const found = await compareLabels(a, b, 1)
    expect(found.region).toEqual({ x: 1, y: 1, width: 3, height: 4 })
    expect([...found.a.ids]).toEqual([])
    expect([...found.b.ids]).toEqual([5, 2, 6, 4, 3])
    const whole = await compareLabels(labels(['....', '.11.', '.112']), labels(['...', '11.', '112'], 1, 0), 1)
    expect([[...whole.a.ids], [...whole.b.ids]]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(matchingOf(whole.overlap)).toMatchObject({ dice: 1, meanIou: 1 })
    await expect(compareLabels(labels(['1'], 0, 0), labels(['1'], 1, 0), 1)).rejects.toThrow('different parts of the slide')
  })

  it('are sampled back to the px that were analysed, whole or not per px of the slide', async () => {
    // Two px of the slide a px, from (1, 0): the column whose corner lies outside is left out.
    const doubled = await compareLabels(labels(['91122', '91122'], 1), labels(['93344', '93344'], 1), 2)
    expect(doubled.region).toEqual({ x: 2, y: 0, width: 4, height: 2 })
    expect([[...doubled.overlap.areas.a], doubled.overlap.covered.both]).toEqual([[1, 1], 2])
    expect([doubled.a.x[1], doubled.a.y[1]]).toEqual([5, 1])
    // 2.5: px 0 shows at 0, 1; px 1 at 2, 3, 4; px 2 at 5, 6; px 3 at 7, 8, 9.
    const rows = ['1122233444', '1122233444', '.........5']
    const uneven = await compareLabels(labels(rows), labels(rows), 2.5)
    expect([...uneven.overlap.areas.a]).toEqual([1, 1, 1, 1])
    // Finer than the slide: its own px.
    const finer = await compareLabels(labels(['112']), labels(['122']), 0.5)
    expect([...finer.overlap.areas.a]).toEqual([2, 1])
  })

  it('refuse numbers that their run cannot have given', async () => {
    const fine = labels(['1.'])
    await expect(compareLabels(labels(['.3'], 0, 0, 2), fine, 1)).rejects.toThrow(
      'expected numbers of objects from 1 to 2, as its run.json says, in labels.ome.tif but received 3',
    )
    await expect(compareLabels(fine, labels([[0, -4]]), 1)).rejects.toThrow('but received -4')
    const stopped = AbortSignal.abort(new Error('enough'))
    const slow = { ...fine, row: () => new Promise<Int32Array>((resolve) => setTimeout(() => resolve(Int32Array.of(0, 0)), 25)) }
    await expect(compareLabels(slow, fine, 1, { signal: stopped })).rejects.toThrow('enough')
  })

  it('come to what counting each px gives', async () => {
    const number = fc.constantFrom(0, 0, 0, 1, 2, 3, 7)
    const picture = fc.array(fc.array(number, { minLength: 9, maxLength: 9 }), { minLength: 7, maxLength: 7 })
    const place = fc.nat({ max: 3 })
    await fc.assert(
      fc.asyncProperty(picture, picture, place, place, async (one, two, x, y) => {
        const found = await compareLabels(labels(one), labels(two, x, y), 1)
        const inside = (px: number, py: number) => px >= x && py >= y && px < 9 && py < 7
        // What an image shows of the common part, without objects whose first px lies elsewhere; by place on the slide.
        const shownBy = (rows: number[][], left: number, top: number) => {
          const cells = rows.flatMap((row, cy) => row.map((id, cx) => ({ id, cx: cx + left, cy: cy + top })))
          const begin = (id: number) => cells.find((cell) => cell.id === id)!
          const kept = cells.filter(({ id, cx, cy }) => id > 0 && inside(cx, cy) && inside(begin(id).cx, begin(id).cy))
          return new Map(kept.map(({ id, cx, cy }) => [`${cx},${cy}`, id]))
        }
        const [inA, inB] = [shownBy(one, 0, 0), shownBy(two, x, y)]
        const areas = new Map<string, number>()
        const count = (key: string) => areas.set(key, (areas.get(key) ?? 0) + 1)
        for (const id of inA.values()) count(`a${id}`)
        for (const id of inB.values()) count(`b${id}`)
        const shared = [...inA].filter(([cell]) => inB.has(cell))
        for (const [cell, id] of shared) count(`${id} ${inB.get(cell)}`)
        const { overlap, a, b } = found
        expect(new Map([...a.ids].map((id, i) => [`a${id}`, overlap.areas.a[i]]))).toEqual(
          new Map([...areas].filter(([key]) => key.startsWith('a'))),
        )
        expect(new Map([...b.ids].map((id, i) => [`b${id}`, overlap.areas.b[i]]))).toEqual(
          new Map([...areas].filter(([key]) => key.startsWith('b'))),
        )
        expect(new Map(overlap.pairs.map((pair) => [`${a.ids[pair.a]} ${b.ids[pair.b]}`, pair.pixels]))).toEqual(
          new Map([...areas].filter(([key]) => key.includes(' '))),
        )
        expect(overlap.covered.both).toBe(shared.length)
        // The pairs are all that share half, best first.
        const shares = overlap.pairs.filter((pair) => iouOf(overlap.areas, pair) > 0.5)
        expect(matchingOf(overlap).pairs.length).toBeGreaterThanOrEqual(shares.length)
      }),
      { numRuns: 60, seed: 17 },
    )
  })
})

it('values that no form of this program knows are told by their keys', () => {
  const recipe = (params: Record<string, Record<string, number | string>>) =>
    ({ format: 'morphoscope-recipe', version: 1, spec: 'old', name: 'Old', params }) as const
  const none = { stages: [] }
  expect(
    differingValues(
      [none, recipe({ gone: { depth: 1, same: 2 } })],
      [none, recipe({ gone: { same: 2 }, constructor: { name: 3 } })],
    ),
  ).toEqual([
    { stage: 'gone', param: 'depth', label: 'gone.depth', unit: 'none', a: 1, b: null },
    { stage: 'constructor', param: 'name', label: 'constructor.name', unit: 'none', a: null, b: 3 },
  ])
})

it('times of stages are sums over what computed them', () => {
  const timing = (stage: string, device: string, ms: number) => ({ stage, device, variant: 'auto', ms, megapixels: 1 })
  expect(stageTimes([timing('read', 'cpu', 2), timing('read', 'gpu0', 3)], [timing('split', 'cpu', 1)])).toEqual([
    { stage: 'read', a: { ms: 5, megapixels: 2, by: ['cpu auto', 'gpu0 auto'] }, b: null },
    { stage: 'split', a: null, b: { ms: 1, megapixels: 1, by: ['cpu auto'] } },
  ])
})
