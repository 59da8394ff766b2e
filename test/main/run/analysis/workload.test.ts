// The time that is left: right to a fifth from the first tenth on, where tissue is spread unevenly, the first windows are slow, and the machine slows down.
import { describe, expect, it } from 'vitest'
import { costOf, Workload } from '../../../../main/run/analysis/workload'
import type { Expected } from '../../../../main/run/analysis/workload'

/** Windows of these costs on `threads`, each for as long as `msOf` says: how far off the told end was at each tenth, 0 … 8. */
function offs(
  costs: readonly number[],
  msOf: (cost: number, index: number, atMs: number) => number,
  { threads = 2, expected = null }: { threads?: number; expected?: Expected | null } = {},
): (number | null)[] {
  const load = new Workload()
  load.set(
    costs.reduce((sum, cost) => sum + cost, 0),
    expected,
  )
  const running: { to: number; end: (to: number) => void }[] = []
  const told: { at: number; eta: number | null }[] = []
  let [now, next] = [0, 0]
  for (;;) {
    while (running.length < threads && next < costs.length) {
      const cost = costs[next]!
      running.push({ to: now + msOf(cost, next, now), end: load.begin(cost, now) })
      next += 1
    }
    if (running.length === 0) break
    const first = Math.min(...running.map(({ to }) => to))
    // As a run tells it: ten times a second.
    for (let at = now + 100; at < first; at += 100) told.push({ at, eta: load.etaMs(at, at) })
    now = first
    for (const window of running.filter(({ to }) => to === first)) {
      window.end(now)
      running.splice(running.indexOf(window), 1)
    }
    told.push({ at: now, eta: load.etaMs(now, now) })
  }
  return Array.from({ length: 9 }, (_, k) => {
    const at = told.findLast((each) => each.at <= ((k + 1) / 10) * now)
    return at?.eta == null ? null : (at.at + at.eta) / now - 1
  })
}
const worst = (all: readonly (number | null)[]): number => Math.max(...all.map((off) => (off === null ? 9 : Math.abs(off))))

describe('Workload', () => {
  it('is right where windows cost the same', () => {
    expect(worst(offs(Array<number>(200).fill(4e6), (cost) => cost / 8000))).toBeLessThan(0.03)
  })

  it('is right where the large windows come first, as tissue lies in the middle', () => {
    const costs = Array.from({ length: 200 }, (_, i) => (i < 80 ? 12e6 : 2e6))
    expect(worst(offs(costs, (cost) => cost / 8000))).toBeLessThan(0.03)
  })

  it('does not take the first windows of its threads for all', () => {
    const slow = (cost: number, i: number): number => ((i < 4 ? 2.5 : 1) * cost) / 8000
    expect(worst(offs(Array<number>(300).fill(4e6), slow))).toBeLessThan(0.1)
  })

  it('follows a machine that others slow down', () => {
    const halved = (cost: number, _i: number, at: number): number => ((at < 20_000 ? 1 : 2) * cost) / 8000
    const all = offs(Array<number>(200).fill(4e6), halved)
    // Nobody can know before: from seven tenths on, half of the slow part, it is right.
    expect(worst(all.slice(6))).toBeLessThan(0.05)
  })

  describe('with what a run like it took', () => {
    const costs = Array<number>(200).fill(4e6)
    const usual = (cost: number): number => cost / 8000
    const tookMs = (200 * 500) / 2
    const measured = { ms: tookMs, basis: 'measured' } as const
    // A fifth of the run is slow, as where somebody draws what comes.
    const slowAtFirst = (cost: number, i: number): number => (i < 40 ? 1.7 : 1) * usual(cost)
    it('is less wrong where its beginning is slow, from the first tenth on', () => {
      const took = tookMs * 1.14
      const [blind, seeing] = [offs(costs, slowAtFirst), offs(costs, slowAtFirst, { expected: { ...measured, ms: took } })]
      expect([blind[0]! > 0.45, seeing[0]! < 0.16]).toEqual([true, true])
      for (const [k, off] of seeing.entries()) expect(off).toBeLessThan(blind[k]! + 0.001)
      expect(worst(seeing.slice(4))).toBeLessThan(0.08)
    })
    it('lets go of it soon where the machine is another by now', () => {
      for (const wrong of [0.5, 2]) {
        const all = offs(costs, usual, { expected: { ...measured, ms: wrong * tookMs } })
        expect(worst(all.slice(2))).toBeLessThan(0.2)
        expect(worst(all.slice(4))).toBeLessThan(0.01)
        const sampled = offs(costs, usual, { expected: { ms: wrong * tookMs, basis: 'sampled' } })
        expect(worst(sampled.slice(0, 2))).toBeLessThan(worst(all.slice(0, 2)))
      }
    })
    it('tells a time before the first window has ended', () => {
      const load = new Workload()
      load.set(1000, { ms: 100, basis: 'sampled' })
      expect(load.etaMs(0, 0)).toBeNull()
      load.begin(400, 0)
      expect(load.etaMs(10, 10)).toBeCloseTo(90)
      load.spare(500)
      expect(load.etaMs(20, 20)).toBeCloseTo(30)
      expect(load.etaMs(200, 200)).toBe(0)
    })
  })

  it('counts windows that begin before all were counted, and those that earlier runs have', () => {
    const load = new Workload()
    const end = load.begin(100, 0)
    load.spare(300)
    expect(load.etaMs(10, 10)).toBeNull()
    end(10)
    load.set(1000)
    expect(load.etaMs(10, 10)).toBeCloseTo(60)
    load.spare(500)
    expect(load.etaMs(10, 10)).toBeCloseTo(10)
  })
})

it('takes windows with more tissue for dearer, and never less than a window without', () => {
  const grid = { tileSizePx: 256, scale: 2, widthPx: 10_000, heightPx: 10_000, maxLevel: 6 }
  const core = { x: 1024, y: 1024, width: 1024, height: 1024 }
  const none = { areaIn: () => 0 }
  const half = { areaIn: ({ width, height }: { width: number; height: number }) => (width * height * grid.scale ** 2) / 2 }
  const of = (tissue: unknown) => costOf({ grid, haloPx: 100, tissue } as unknown as Parameters<typeof costOf>[0], core)
  expect(of(none)).toBe(1224 ** 2)
  expect(of(half)).toBe(2 * 1224 ** 2)
  expect(of(null)).toBe(3 * 1224 ** 2)
})
