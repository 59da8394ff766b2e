// Cores found in maps whose truth is known: seeded arrays, and the faults that real ones have.
import { describe, expect, it } from 'vitest'
import { dearray } from '../../../main/tma/dearray'
import type { FoundArray, Wanted } from '../../../main/tma/dearray'
import { distance } from '../../../main/tma/coverMap'
import { madeArray, MadeMap, seeded } from './madeArray'
import type { Made, Making } from './madeArray'

const auto: Wanted = { diameter: null, rows: null, columns: null, gap: 2 }
const found = (map: MadeMap, wanted: Partial<Wanted> = {}): FoundArray => {
  const array = dearray(map, { ...auto, ...wanted })
  if (!array) throw new Error('no array was found')
  return array
}
/** Every position is as it was made: found within a twelfth of its diameter, or missing and expected within a third. */
function expectTruth({ truth }: Made, array: FoundArray, rows = 6, columns = 10): void {
  expect({ rows: array.rows, columns: array.columns }).toEqual({ rows, columns })
  expect(array.cores.map(({ row, column }) => [row, column])).toEqual(truth.map(({ row, column }) => [row, column]))
  expect(array.cores.map(({ missing }) => missing)).toEqual(truth.map(({ missing }) => missing))
  const far = array.cores.map((core, i) => distance(core, truth[i]!) / (core.missing ? 8 : 2))
  expect(Math.max(...far)).toBeLessThanOrEqual(1)
}
const made = (making: Making): Made => madeArray(making)

describe('dearray', () => {
  it('finds 60 cores with 5 missing in seeded arrays: turned, sheared, each core a little off, with dust', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed + 1000)
      const degrees = (random() - 0.5) * 10
      const array = made({ seed, degrees, shear: (random() - 0.5) * 0.06, jitter: 0.02 + random() * 0.06, dust: 120 })
      const result = found(array.map)
      expectTruth(array, result)
      expect(Math.abs(result.rotation - degrees)).toBeLessThan(0.5)
      expect(Math.abs(result.diameter - 24)).toBeLessThan(1)
      expect(result.outside).toEqual([])
    }
  })

  it('gives the same each time', () => {
    const { map } = made({ seed: 3, degrees: 4 })
    expect(found(map)).toEqual(found(map))
  })

  it('finds cores that touch their neighbours', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const array = made({ seed, degrees: 3, step: 26, jitter: 0.03, dust: 40 })
      expectTruth(array, found(array.map))
    }
  })

  it('finds cores in two pieces, half cores at the rim, cores with holes, and merged pairs', () => {
    const array = madeArray({ seed: 7, missing: 0, jitter: 0, dust: 0, degrees: 2 })
    const { map, truth } = array
    const at = (row: number, column: number) => truth.find((each) => each.row === row && each.column === column)!
    const again = (row: number, column: number, keep: (dx: number, dy: number) => boolean): void => {
      map.disc(at(row, column), 13, 0)
      map.disc(at(row, column), 12, 255, keep)
    }
    again(2, 3, (dx) => Math.abs(dx) > 3)
    again(3, 6, (dx, dy) => Math.abs(dx + dy) > 3)
    again(0, 0, (dx) => dx > 0)
    again(5, 9, (_, dy) => dy < 1)
    again(2, 0, (dx, dy) => dx < dy)
    again(4, 4, (dx, dy) => dx * dx + dy * dy > 16)
    // A bridge of tissue between two neighbours.
    for (let i = 0; i <= 40; i++) {
      const [a, b] = [at(1, 4), at(1, 5)]
      map.disc({ x: a.x + ((b.x - a.x) * i) / 40, y: a.y + ((b.y - a.y) * i) / 40 }, 5)
    }
    const result = found(map)
    expect({ rows: result.rows, columns: result.columns }).toEqual({ rows: 6, columns: 10 })
    expect(result.cores.filter(({ missing }) => missing)).toEqual([])
    result.cores.forEach((core, i) => expect(distance(core, truth[i]!)).toBeLessThan(3.5))
  })

  it('finds cores of scattered nuclei, as in fluorescence', () => {
    const array = madeArray({ seed: 11, degrees: -3, dust: 0 })
    const random = seeded(5)
    const map = new MadeMap(array.map.width, array.map.height)
    array.map.share.forEach((share, i) => (map.share[i] = share > 0 && random() < 0.35 ? 90 : 0))
    const result = found(map)
    expect(result.cores.map(({ missing }) => missing)).toEqual(array.truth.map(({ missing }) => missing))
    result.cores.forEach((core, i) => expect(distance(core, array.truth[i]!)).toBeLessThan(core.missing ? 8 : 3))
  })

  it('keeps blocks with a wider gap in one array, and names what lies outside', () => {
    const left = madeArray({ seed: 2, columns: 4, rows: 5, missing: 2, dust: 0, jitter: 0.03 })
    const [gapPx, width] = [17, left.map.width]
    const map = new MadeMap(2 * width + gapPx, left.map.height)
    const shift = width - 3 * 34 + gapPx
    const truth = left.truth.flatMap((each) => [each, { ...each, x: each.x + shift, column: each.column + 4 }])
    for (const each of truth) if (!each.missing) map.disc(each, 12)
    // The mark of a side: a core of its own, far from all others.
    const mark = { x: truth[7]!.x + 3 * 34, y: truth[0]!.y }
    map.disc(mark, 12)
    const result = found(map)
    const sorted = [...truth].sort((a, b) => a.row - b.row || a.column - b.column)
    expectTruth({ map, truth: sorted }, result, 5, 8)
    expect(result.outside).toHaveLength(1)
    expect(distance(result.outside[0]!, mark)).toBeLessThan(1)
  })

  it('takes the rows and columns that are asked for: the ends with less tissue go, and others are missing', () => {
    const array = madeArray({ seed: 4, rows: 4, columns: 5, missing: 1, dust: 0 })
    const fewer = found(array.map, { rows: 3, columns: 5 })
    expect({ rows: fewer.rows, columns: fewer.columns, outside: fewer.outside.length }).toEqual({
      rows: 3,
      columns: 5,
      outside: 5,
    })
    const more = found(array.map, { rows: 4, columns: 6 })
    expect(more.cores.filter(({ missing, column }) => missing && column === 5)).toHaveLength(4)
    const [last, beyond] = [more.cores[4]!, more.cores[5]!]
    expect(distance(beyond, { x: last.x + 34, y: last.y })).toBeLessThan(5)
  })

  it('finds one row, and small arrays', () => {
    const row = madeArray({ seed: 5, rows: 1, columns: 6, missing: 0, dust: 0, degrees: 3 })
    expectTruth(row, found(row.map), 1, 6)
    const four = madeArray({ seed: 6, rows: 2, columns: 2, missing: 0, dust: 0, degrees: -4 })
    expectTruth(four, found(four.map), 2, 2)
  })

  it('finds large arrays of small cores', () => {
    const array = madeArray({ seed: 8, rows: 20, columns: 25, missing: 40, degrees: 1.5, jitter: 0.05, dust: 300 })
    expectTruth(array, found(array.map), 20, 25)
  })

  it('uses the diameter that is given', () => {
    const array = madeArray({ seed: 9, diameter: 20, step: 40 })
    expect(found(array.map, { diameter: 22 }).diameter).toBe(22)
    expectTruth(array, found(array.map, { diameter: 22 }))
  })

  it('says that there is no array on glass, in dust, in one piece, and on a map of nothing', () => {
    const [glass, dust, one] = [new MadeMap(300, 200), new MadeMap(300, 200), new MadeMap(300, 200)]
    const random = seeded(3)
    for (let i = 0; i < 200; i++) dust.disc({ x: random() * 300, y: random() * 200 }, 1)
    one.disc({ x: 150, y: 100 }, 50)
    for (const map of [glass, dust, one, new MadeMap(0, 0)]) expect(dearray(map, auto)).toBeNull()
  })
})
