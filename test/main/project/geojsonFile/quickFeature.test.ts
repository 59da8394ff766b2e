// A feature of one ring read quickly says what JSON.parse says of it, to the bit; whatever else a text is, JSON.parse is left to judge.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quickFeature, QuickRing } from '../../../../main/project/geojsonFile/quickFeature'

/** As JSON.parse would give it; undefined: it was not read. */
function plain(text: string): unknown {
  const found = quickFeature(text)
  // What stands behind it is another's.
  if (found && found.end !== text.length) return undefined
  const value = found?.value as Record<string, { coordinates?: unknown } | undefined> | undefined
  for (const name of ['geometry', 'nucleusGeometry']) {
    const geometry = value?.[name]
    if (geometry?.coordinates instanceof QuickRing) geometry.coordinates = geometry.coordinates.nested()
  }
  return value
}
/** JSON's -0 is 0. */
const parsed = (text: string): unknown => JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value))
const feature = (coordinates: string, more = ''): string =>
  `{"type":"Feature","geometry":{"type":"Polygon","coordinates":${coordinates}}${more}}`

describe('a feature of one ring', () => {
  it('has its positions as numbers', () => {
    const value = quickFeature(feature('[[[1,2],[3.5,-4],[0,1e2],[1,2]]]'))!.value as { geometry: { coordinates: QuickRing } }
    const { coordinates } = value.geometry
    expect(coordinates.places).toEqual(Float64Array.of(1, 2, 3.5, -4, 0, 100, 1, 2))
    expect(coordinates.opened(null)).toEqual(Float64Array.of(1, 2, 3.5, -4, 0, 100))
    expect(coordinates.opened({ x: 10, y: 20 })).toEqual(Float64Array.of(11, 22, 13.5, 16, 10, 120))
  })

  it('has every number as JSON.parse has it', () => {
    const written = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.tuple(fc.integer(), fc.integer({ min: 0, max: 20 })).map(([value, digits]) => (value / 7).toFixed(digits)),
      fc.tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(99)).map(([whole, rest]) => `${whole}.${rest}`),
      fc.constantFrom('0', '0.1', '1E5', '1e-7', '123456789012345', '0.000000000000001', '9007199254740993'),
    )
    const space = fc.constantFrom('', ' ', '\n\t', '\r\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(written, written, space), { minLength: 1, maxLength: 20 }), (places) => {
        const text = feature(
          `[ [${places.map(([x, y, gap]) => `${gap}[${gap}${x}${gap},${gap}${y}${gap}]${gap}`).join(',')}]${places[0]![2]}]`,
        )
        expect(plain(text)).toEqual(parsed(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('may be a cell with its nucleus, and say anything else', () => {
    const ring = '[[[1,2],[3,4],[5,6]]]'
    const text = feature(
      ring,
      `,"nucleusGeometry":{"coordinates":${ring},"type":"Polygon"},"properties":{"name":"a \\"coordinates\\": [1]"}`,
    )
    expect(quickFeature(text)?.value).toMatchObject({ nucleusGeometry: { coordinates: expect.any(QuickRing) as QuickRing } })
    expect(plain(text)).toEqual(parsed(text))
  })

  it('begins where it is said to begin, and ends where it ends', () => {
    const text = feature('[[[1,2],[3,4],[5,6]]]', ',"properties":{"name":"}]\\\\\\""}')
    const found = quickFeature(`[{"a":1}, ${text},${text}`, 10)!
    expect(found.end).toBe(10 + text.length)
    expect(found.value).toMatchObject({ properties: { name: '}]\\"' } })
    for (let length = 0; length < text.length; length++) expect(quickFeature(text.slice(0, length))).toBeUndefined()
  })

  it('keeps the places of each ring, however many come', () => {
    const rings = Array.from({ length: 40 }, (_, n) =>
      Array.from({ length: n % 7 === 3 ? 40_000 : 3 + 900 * (n % 3) }, (_place, i) => [n + i, i]),
    )
    const found = rings.map((ring) => quickFeature(feature(JSON.stringify([ring])))!.value) as {
      geometry: { coordinates: QuickRing }
    }[]
    expect(found.map(({ geometry }) => geometry.coordinates.nested())).toEqual(rings.map((ring) => [ring]))
  })

  it.each([
    ['holes', feature('[[[1,2],[3,4],[5,6]],[[1,2],[3,4],[5,6]]]')],
    ['many parts', feature('[[[[1,2],[3,4],[5,6]]]]')],
    ['a height', feature('[[[1,2,0],[3,4,0],[5,6,0]]]')],
    ['no positions', feature('[[]]')],
    ['no ring', feature('[]')],
    ['a point', feature('[1,2]')],
    ['text', feature('"[[[1,2]]]"')],
    ['not a number', feature('[[[1,NaN],[3,4]]]')],
    ['a number that is too large', feature('[[[1,1e999],[3,4]]]')],
    ['01', feature('[[[01,2],[3,4]]]')],
    ['1.', feature('[[[1.,2],[3,4]]]')],
    ['.5', feature('[[[.5,2],[3,4]]]')],
    ['+1', feature('[[[+1,2],[3,4]]]')],
    ['-', feature('[[[-,2],[3,4]]]')],
    ['1e', feature('[[[1e,2],[3,4]]]')],
    ['1e5.5', feature('[[[1e5.5,2],[3,4]]]')],
    ['1 2', feature('[[[1 2],[3,4]]]')],
    ['a comma at the end', feature('[[[1,2],[3,4],]]')],
    ['an end that is missing', feature('[[[1,2],[3,4]').slice(0, -2)],
    ['coordinates twice', feature('[[[1,2],[3,4]]],"coordinates":[[[5,6]]]')],
    ['coordinates of something else', feature('[[[1,2]]]', ',"properties":{"coordinates":[[[1,2]]]}')],
    ['what is broken elsewhere', feature('[[[1,2]]]', ',"properties":{]')],
    ['no geometry', '{"type":"Feature","geometry":null}'],
    ['a list', '[{"coordinates":[[[1,2]]]}]'],
    ['coordinates alone', '"coordinates":[[[1,2]]]'],
    ['coordinates of a feature', '{"coordinates":[[[1,2]]]}'],
  ])('is left to JSON.parse where it has %s', (_, text) => {
    expect(quickFeature(text)).toBeUndefined()
  })

  it('is never read as what JSON.parse does not read', () => {
    const valid = feature('[[[10.25,20.5],[30,40],[-5,6e1],[10.25,20.5]]]', ',"properties":{"name":"a","m":[1,2]}')
    const change = fc.tuple(
      fc.nat(valid.length),
      fc.nat(3),
      fc.constantFrom('', '"', '[', ']', '{', '}', ',', ':', '\\', '1', '-', '.', 'e', ' ', '"coordinates":'),
    )
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let text = valid
        for (const [at, without, more] of changes) text = text.slice(0, at) + more + text.slice(at + without)
        const read = plain(text)
        if (read !== undefined) expect(read).toEqual(parsed(text))
      }),
      { numRuns: 20_000 },
    )
  })
})
