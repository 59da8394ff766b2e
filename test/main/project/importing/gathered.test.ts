// Objects that came in, of which memory holds a part: each is given back as it came, from memory and from the working file, which goes in the end.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Gathered, partPx } from '../../../../main/project/importing/gathered'
import { host } from '../../../../main/base/process'

const folders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`morphoscope-import-${host}-${process.pid}-`))

const object = fc.record({
  x: fc.nat(3 * partPx),
  y: fc.nat(2 * partPx),
  rows: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }),
  classAt: fc.nat(250),
  cell: fc.option(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }), { freq: 1 }),
})
const runsOf = (x: number, y: number, rows: readonly number[]): Int32Array =>
  Int32Array.from(rows.flatMap((length, i) => [y + i, x, x + length]))

it('each is given back in its part, in the order in which it came, wherever it was held', async () => {
  const before = folders()
  let spilled = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(object, { maxLength: 12 }), { maxLength: 5 }),
      fc.constantFrom(0, 700, 1e9),
      async (packs, most) => {
        const gathered = new Gathered('x', most)
        const wanted = new Map<string, [number[], number, number[]][]>()
        for (const pack of packs) {
          for (const { x, y, rows, classAt, cell } of pack) {
            const runs = runsOf(x, y, rows)
            // A cell may begin before its part does.
            const around = cell && runsOf(x - 7, y - 3, cell)
            gathered.add(runs, classAt, around)
            const corner = `${Math.floor(x / partPx) * partPx},${Math.floor(y / partPx) * partPx}`
            wanted.set(corner, [...(wanted.get(corner) ?? []), [[...runs], classAt, [...(around ?? [])]]])
          }
          await gathered.relieve()
        }
        spilled += folders().length - before.length
        const found = new Map<string, [number[], number, number[]][]>()
        for await (const { x, y, count, runs, ends, classes, cells, cellEnds } of gathered.taken()) {
          const of = (all: Int16Array, allEnds: Uint32Array, i: number): number[] =>
            [...all.subarray(i === 0 ? 0 : 3 * allEnds[i - 1]!, 3 * allEnds[i]!)].map((at, r) => at + (r % 3 === 0 ? y : x))
          const own = Array.from({ length: count }, (_, i): [number[], number, number[]] => [
            ...([of(runs, ends, i), classes[i]!] as const),
            cellEnds.length === 0 ? [] : of(cells, cellEnds, i),
          ])
          found.set(`${x},${y}`, own)
        }
        await gathered.dispose()
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
        expect(folders()).toEqual(before)
      },
    ),
    { numRuns: 200 },
  )
  expect(spilled).toBeGreaterThan(50)
})
