// A large map of which others are made by small changes holds what a copied map holds.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftOf } from '../../../main/base/layeredMap'

const change = fc.record({ key: fc.nat(2600), value: fc.option(fc.nat()) })

test('maps made of a large one are as copies are, and it stays as it is', () => {
  const first = new Map(Array.from({ length: 2500 }, (_, key) => [key, -key]))
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 200 }), { maxLength: 12 }), (steps) => {
      let [made, copy] = [first as ReadonlyMap<number, number>, first]
      const kept: [ReadonlyMap<number, number>, Map<number, number>][] = []
      for (const changes of steps) {
        const draft = draftOf(made)
        copy = new Map(copy)
        for (const { key, value } of changes) {
          if (value === null) {
            draft.delete(key)
            copy.delete(key)
          } else {
            draft.set(key, value)
            copy.set(key, value)
          }
          expect([draft.get(key), draft.has(key), draft.size]).toEqual([copy.get(key), copy.has(key), copy.size])
        }
        made = draft.made()
        kept.push([made, copy])
      }
      for (const [map, like] of [...kept, [first, first] as const]) {
        expect(map.size).toBe(like.size)
        expect([...map].sort(([a], [b]) => a - b)).toEqual([...like].sort(([a], [b]) => a - b))
        expect([...map.keys()]).toHaveLength(like.size)
      }
    }),
    { numRuns: 10 },
  )
})

test('one entry of a hundred thousand is changed without a copy of all', () => {
  let map: ReadonlyMap<string, number> = new Map(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, n]))
  const from = process.cpuUsage().user
  for (let n = 0; n < 400; n++) {
    const draft = draftOf(map)
    draft.set(`key ${n}`, -1)
    map = draft.made()
  }
  // Copies of all take some 10 ms each.
  expect((process.cpuUsage().user - from) / 1000).toBeLessThan(1000)
  expect([map.size, map.get('key 7'), map.get('key 401')]).toEqual([100_000, -1, 401])
})
