// Figures of regions that are told anew: as a plain object of all of them says, without a copy of all.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RegionMeasure } from '../../../app/contract'
import { Measures } from '../../../renderer/store/slices/measures'

const measure = (n: number, areaPx: number, isCounted: boolean): RegionMeasure =>
  ({ id: `r${n}`, areaPx, runId: isCounted ? 'run' : null }) as unknown as RegionMeasure
const told = fc.array(
  fc.tuple(fc.nat(1500), fc.nat(9), fc.boolean()).map(([n, area, isCounted]) => measure(n, area, isCounted)),
  { maxLength: 300 },
)

test('the same as an object of all, whatever is told anew', () => {
  fc.assert(
    fc.property(told, fc.array(told, { maxLength: 6 }), (first, later) => {
      let all: Record<string, RegionMeasure> = Object.fromEntries(first.map((each) => [each.id, each]))
      let measures = Measures.of(Object.values(all))
      for (const some of later) {
        all = { ...all, ...Object.fromEntries(some.map((each) => [each.id, each])) }
        measures = measures.with(some)
        for (const id of [...Object.keys(all), 'r9999']) expect(measures.get(id)).toBe(all[id])
        expect(measures.areCounted).toBe(Object.values(all).some(({ runId }) => runId !== null))
      }
    }),
    { numRuns: 60 },
  )
})

test('one among a hundred thousand is told anew without a look at the others', () => {
  let measures = Measures.of(Array.from({ length: 100_000 }, (_, n) => measure(n, 1, false)))
  const from = process.cpuUsage().user
  for (let n = 0; n < 300; n++) measures = measures.with([measure(n, 2, true)])
  expect(measures.get('r299')?.areaPx).toBe(2)
  // Each copied all of them before: 3·10^7 entries, some ten seconds.
  expect((process.cpuUsage().user - from) / 1e6).toBeLessThan(2)
})
