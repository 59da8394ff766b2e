// What a run may hold: fewer windows where it is little, one at least, what is needed said before, and the watch that holds a run to it.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import type { Draft } from '../../../../main/run/analysis/analysis'
import { cachesOf, fitCaches, MemoryWatch, freeMemoryShare, peakRssBytes, planMemory } from '../../../../main/run/analysis/memory'
import { Slides } from '../../../../main/slide/slides'
import { keepDecodedTiles, pipelines } from '../../../../native/index'

const GiB = 2 ** 30
const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
afterAll(() => slides.closeAll())
let drafts: Draft[]
beforeAll(async () => {
  const slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  drafts = (await openSpecs(assets).list()).map((spec) => draftAnalysis(slide, spec, defaultRecipe(spec)))
})

describe('planMemory', () => {
  it('lets as many windows go on as there is room for, and needs no more than it may have', () => {
    for (const draft of drafts) {
      let before = 0
      for (const budget of [2, 3, 4, 8, 64]) {
        const { needBytes, windowsAtOnce, budgetBytes } = planMemory(draft, 1e9, 64, budget * GiB).memory
        expect([draft.spec.id, budgetBytes]).toEqual([draft.spec.id, budget * GiB])
        expect(needBytes).toBeLessThanOrEqual(budgetBytes)
        expect(windowsAtOnce).toBeGreaterThanOrEqual(before)
        before = windowsAtOnce
      }
      expect(before).toBe(64)
      expect(planMemory(draft, 1e9, 64, 2 * GiB).memory.windowsAtOnce).toBeLessThan(64)
      expect(planMemory(draft, 1e9, 3, 64 * GiB).memory.windowsAtOnce).toBe(3)
    }
  })

  it('takes large blocks where a run has work and room enough for every thread', () => {
    const [draft] = drafts
    const sizeOf = (...args: [pixels: number, threads: number, gib: number, mayBeLarge?: boolean]): number => {
      const [pixels, threads, gib, mayBeLarge] = args
      return planMemory(draft!, pixels, threads, gib * GiB, mayBeLarge).blockSize
    }
    expect([sizeOf(1e9, 2, 8), sizeOf(40e6, 2, 8), sizeOf(1e9, 16, 64)]).toEqual([8, 8, 8])
    // Too few of them, too little room, or a preview.
    expect([sizeOf(30e6, 2, 8), sizeOf(1e9, 64, 64), sizeOf(1e9, 16, 2), sizeOf(1e9, 1, 0.5)]).toEqual([4, 4, 4, 4])
    expect(sizeOf(1e9, 2, 8, false)).toBe(4)
  })

  it('has room for one window that grows larger than it was, where the slide has so much', () => {
    const [draft] = drafts
    const large = { ...draft!, grid: { ...draft!.grid, widthPx: 60000, heightPx: 60000 } }
    const small = { ...draft!, grid: { ...draft!.grid, widthPx: 1000, heightPx: 1000 } }
    const more = planMemory(large, 1e6, 1, 8 * GiB).memory.needBytes - planMemory(small, 1e6, 1, 8 * GiB).memory.needBytes
    // 4 Mpx for less than 1.7, at more than 30 bytes each.
    expect(more).toBeGreaterThan(70e6)
    expect(more).toBeLessThan(200e6)
  })

  it('lets more windows grow at once where memory is left', () => {
    const draft = { ...drafts[0]!, grid: { ...drafts[0]!.grid, widthPx: 60000, heightPx: 60000 } }
    const plans = [2, 2.5, 3, 3.5, 4, 5, 64].map((gib) => planMemory(draft, 1e9, 16, gib * GiB, false))
    const atOnce = plans.map(({ largerAtOnce }) => largerAtOnce)
    expect(atOnce).toEqual(atOnce.toSorted((a, b) => a - b))
    expect([atOnce[0], atOnce.at(-1)]).toEqual([1, 16])
    const some = plans.findLast(({ largerAtOnce }) => largerAtOnce < 16)!
    expect(some.largerAtOnce).toBeGreaterThan(1)
    for (const { memory } of plans) expect(memory.needBytes).toBeLessThanOrEqual(memory.budgetBytes)
    // What they take is needed too: each the same.
    const each = (plans.at(-1)!.memory.needBytes - some.memory.needBytes) / (16 - some.largerAtOnce)
    expect(each).toBeGreaterThan(70e6)
    expect(each).toBeLessThan(200e6)
  })

  it('has room for 16 bits where they are analysed', () => {
    const draft = drafts.find(({ spec }) => spec.id === 'fluorescence-nuclei')!
    const deep = { ...draft, params: { ...draft.params, 'pixel.depth': 16 } }
    const [shallow, own] = pipelines().flatMap((each) =>
      each.id === draft.spec.pipeline ? [each.bytesPerPixel, each.deepBytesPerPixel] : [],
    )
    // No window of so small a slide is larger when it has grown.
    const needOf = (of: Draft, threads: number): number => {
      const grid = { ...of.grid, widthPx: 1000, heightPx: 1000 }
      return planMemory({ ...of, grid }, 1e9, threads, 64 * GiB, false).memory.needBytes
    }
    const windowOf = (of: Draft): number => needOf(of, 9) - needOf(of, 8)
    // Its pixels take 4 bytes or 6, certainty and the result 9.
    expect(windowOf(deep) / windowOf(draft)).toBeCloseTo((own! + 6 + 9) / (shallow! + 4 + 9), 1)
    expect(own).toBeGreaterThan(shallow!)
  })

  it('keeps one window where there is room for none, and says what that needs', () => {
    const { needBytes, windowsAtOnce } = planMemory(drafts[0]!, 8e9, 16, 0.5 * GiB).memory
    expect(windowsAtOnce).toBe(1)
    expect(needBytes).toBeGreaterThan(0.5 * GiB)
  })

  it('takes a share of what is free without a wish, and knows the peak', () => {
    expect(freeMemoryShare()).toBeGreaterThanOrEqual(0.5 * GiB)
    expect(peakRssBytes()).toBeGreaterThanOrEqual(process.memoryUsage.rss() * 0.9)
    expect(peakRssBytes()).toBeLessThan(64 * GiB)
  })
})

describe('caches', () => {
  it('take no more of a small budget than their share, and of a large one what they always had', () => {
    expect(cachesOf(64 * GiB)).toEqual({ decoded: 192 * 2 ** 20, results: 96 * 2 ** 20, looks: 416 * 2 ** 20 })
    expect(cachesOf(2 * GiB)).toEqual({ decoded: 192 * 2 ** 20, results: 96 * 2 ** 20, looks: 384 * 2 ** 20 })
    expect(cachesOf(0.5 * GiB)).toEqual({ decoded: 64 * 2 ** 20, results: 32 * 2 ** 20, looks: 96 * 2 ** 20 })
    const needs = [0.5, 1, 2].map((budget) => planMemory(drafts[0]!, 1e9, 1, budget * GiB, false).memory.needBytes)
    expect(needs[1]! - needs[0]!).toBeGreaterThan(50 * 2 ** 20)
    expect(needs[2]! - needs[1]!).toBeGreaterThan(50 * 2 ** 20)
  })

  it('are made so in the engine, which takes no nonsense', () => {
    const budgets: unknown[] = []
    fitCaches(GiB, { setBudget: ({ results, looks }) => budgets.push([results, looks]) })
    expect(budgets).toEqual([[64 * 2 ** 20, 192 * 2 ** 20]])
    expect(() => keepDecodedTiles(-1)).toThrow(/bytes/)
    expect(() => keepDecodedTiles(Number.NaN)).toThrow(/bytes/)
    keepDecodedTiles(2 ** 40)
  })
})

describe('MemoryWatch', () => {
  function watched() {
    let held = 0
    let returned = 0
    const limits: number[] = []
    const plan = { budgetBytes: 1000, needBytes: 900, windowsAtOnce: 3 }
    const watch = new MemoryWatch(
      plan,
      (windows) => limits.push(windows),
      () => held,
      () => (returned += 1),
    )
    let now = 0
    const look = (bytes: number): void => {
      held = bytes
      watch.look((now += 1000))
    }
    return { watch, look, limits, returned: () => returned, at: (ms: number) => watch.look(ms) }
  }

  it('lets fewer windows go on above the budget, and more again where there is room', () => {
    const { look, limits, returned } = watched()
    look(900)
    expect([limits, returned()]).toEqual([[], 0])
    for (let n = 0; n < 4; n++) look(990)
    expect([limits, returned()]).toEqual([[2, 1], 4])
    look(850)
    expect(limits).toEqual([2, 1])
    for (let n = 0; n < 4; n++) look(500)
    expect(limits).toEqual([2, 1, 2, 3])
  })

  it('looks some times a second at most, and not at all when another has a say', () => {
    const { look, limits, watch, at, returned } = watched()
    look(990)
    at(1001)
    expect(limits).toEqual([2])
    // Idle memory is not taken from the next window again and again.
    at(1200)
    expect([limits, returned()]).toEqual([[2, 1], 1])
    watch.stop()
    look(990)
    expect(limits).toEqual([2, 1])
  })
})
