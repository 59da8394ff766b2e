// Long answers in parts: together they are the whole, each is small, and what is held no more is said.
import { expect, it } from 'vitest'
import type { PlacedRegion, RegionMeasure } from '../../../app/contract'
import { FurtherParts } from '../../../main/project/regions/furtherParts'

const region = (n: number, points: number): PlacedRegion => ({
  record: {
    ...{ id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, slide: 'a'.repeat(32), name: '', classId: null },
    shape: { kind: 'polygon', parts: [[Array.from({ length: points }, (_, i): [number, number] => [i, i * i])]] },
    ...{ locked: false, madeBy: 'hand' as const, createdAt: '' },
  },
  place: n,
})
const measure = (n: number): RegionMeasure => ({ id: `${n}`, areaPx: n, areaMm2: null, objects: null, runId: null })

it('of regions, by their number and their points', () => {
  const parts = new FurtherParts()
  const all = Array.from({ length: 5000 }, (_, n) => region(n, n === 10 ? 50_000 : 8))
  const { first, more } = parts.regions(all)
  const told = [...first]
  const lengths = [first.length]
  for (let isLast = false; !isLast;) {
    const part = parts.from(more!, told.length)
    told.push(...part.regions)
    lengths.push(part.regions.length)
    isLast = part.isLast
  }
  expect(told).toEqual(all)
  // The tenth has more points than a part takes, and ends its part.
  expect(lengths).toEqual([11, 2000, 2000, 989])
  expect(() => parts.from(more!, 0)).toThrow(/held no more/)
  expect(parts.regions(all.slice(0, 10))).toEqual({ first: all.slice(0, 10) })
})

it('of measures; of many answers the oldest is let go of', () => {
  const parts = new FurtherParts()
  const all = Array.from({ length: 2001 }, (_, n) => measure(n))
  const names = Array.from({ length: 5 }, () => parts.measures(all).more!)
  expect(parts.from(names[4]!, 2000)).toEqual({ regions: [], measures: all.slice(2000), texts: [], isLast: true })
  expect(() => parts.from(names[0]!, 2000)).toThrow(/held no more/)
})
