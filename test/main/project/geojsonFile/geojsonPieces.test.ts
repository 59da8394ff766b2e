// A long GeoJSON text is read a feature at a time: what it says is what JSON.parse says of it, and what is no JSON is refused.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { finished } from '../../../../main/base/breather'
import { featuresOf } from '../../../../main/project/geojsonFile/pieces'

/** `long` 0: in pieces, however short it is. */
function read(text: string, long: number): unknown {
  const found: unknown[] = []
  const pieces = (function* () {
    for (const { share, feature } of featuresOf(text, long)) {
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThan(1)
      if (feature) found.push(feature.value)
      yield
    }
  })()
  try {
    finished(pieces)
    return found
  } catch (error) {
    return (error as { code?: string }).code
  }
}

const value = fc.jsonValue({ maxDepth: 4 })
const spaced = (text: string): string => ` \n${text}\t\r\n`
const document = fc.oneof(
  fc.array(value),
  fc.record({
    type: fc.constantFrom('FeatureCollection', 'Feature', '["'),
    features: fc.oneof(fc.array(value), value),
    more: value,
  }),
  fc.record({ features: fc.array(value), type: value }),
  value,
)

it('any document says the same in pieces as at once', () => {
  fc.assert(
    fc.property(document, fc.boolean(), (content, isIndented) => {
      const text = spaced(JSON.stringify(content, null, isIndented ? 2 : undefined))
      expect(read(text, 0)).toEqual(read(text, Infinity))
    }),
    { numRuns: 2000 },
  )
})

it('what was broken anywhere is taken as at once, or refused as at once', () => {
  fc.assert(
    fc.property(
      document,
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '"', ':', '[', '{', 'NaN', ' ', '\\', '1'),
      (content, at, put) => {
        const whole = JSON.stringify(content)
        const place = at % (whole.length + 1)
        const text = whole.slice(0, place) + put + whole.slice(place + (put === '' ? 1 : 0))
        expect(read(text, 0)).toEqual(read(text, Infinity))
      },
    ),
    { numRuns: 5000 },
  )
})

it('the last of a name counts, NaN is null, and a list of its own is one', () => {
  expect(read('{"features":[1],"features":[2, NaN, "a\\"]"]}', 0)).toEqual([2, null, 'a"]'])
  expect(read('[{"a":1}, 2]', 0)).toEqual([{ a: 1 }, 2])
  expect(read('{"features":[1,],"x":2}', 0)).toBe('INVALID_PARAMETER')
  expect(read('{"features":[1]} 2', 0)).toBe('INVALID_PARAMETER')
  expect(read('{}', 0)).toBe('INVALID_PARAMETER')
})
