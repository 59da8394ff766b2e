// A GeoJSON text that comes a part at a time says what it says at once, wherever its parts are cut; what is wrong with one feature is its own.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { FeatureStream } from '../../../../main/project/geojsonFile/featureStream'
import type { StreamedFeature } from '../../../../main/project/geojsonFile/featureStream'
import { featuresOf } from '../../../../main/project/geojsonFile/pieces'
import { quickFeature, QuickRing, utf8Of } from '../../../../main/project/geojsonFile/quickFeature'
import { longestFeature } from '../../../../main/project/geojsonFile/reader'

/** `cuts`: lengths of the parts, one after the other, again and again. */
function streamed(text: string, cuts: readonly number[], stream = new FeatureStream()): StreamedFeature[] | string {
  const found: StreamedFeature[] = []
  const take = (steps: Generator<StreamedFeature | undefined, void, void>): void => {
    for (const feature of steps) if (feature) found.push(feature)
  }
  try {
    for (let at = 0, i = 0; at < text.length; at += cuts[i++ % cuts.length]!) {
      const part = text.slice(at, at + cuts[i % cuts.length]!)
      take(stream.take(part))
    }
    take(stream.end())
    return found
  } catch (error) {
    return (error as { code: string }).code
  }
}
const valuesOf = (found: StreamedFeature[] | string): unknown =>
  typeof found === 'string' ? found : found.map(({ value }) => value)

function atOnce(text: string): unknown {
  try {
    return [...featuresOf(text, Infinity)].map(({ feature }) => feature!.value)
  } catch (error) {
    return (error as { code: string }).code
  }
}

const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })
const value = fc.jsonValue({ maxDepth: 4 })
const more = fc.dictionary(
  fc.string().filter((key) => !['features', 'type'].includes(key)),
  value,
  { maxKeys: 3 },
)

it('collections, lists and features say the same in parts as at once', () => {
  const document = fc.oneof(
    fc.array(value),
    fc.tuple(more, fc.array(value), more).map(([a, features, b]) => ({ ...a, type: 'FeatureCollection', features, ...b })),
    fc.tuple(more, fc.array(value)).map(([a, features]) => ({ features, ...a, type: 'FeatureCollection' })),
    more.map((fields) => ({ ...fields, type: 'Feature' })),
  )
  fc.assert(
    fc.property(document, cuts, fc.boolean(), (content, lengths, isIndented) => {
      const text = ` \n${JSON.stringify(content, null, isIndented ? 2 : undefined)}\t\r\n`
      expect(valuesOf(streamed(text, lengths))).toEqual(atOnce(text))
    }),
    { numRuns: 3000 },
  )
})

it('features that are read quickly are the same, wherever the parts are cut', () => {
  const nested = ({ value, text }: StreamedFeature): unknown => {
    const found = value as { geometry?: { coordinates?: unknown } } | undefined
    const ring = found?.geometry?.coordinates
    if (ring instanceof QuickRing) found!.geometry!.coordinates = ring.nested()
    return { value: found, text }
  }
  const place = fc.tuple(
    fc.integer({ min: -99, max: 99 }),
    fc.integer({ min: 0, max: 9999 }).map((n) => n / 100 + 0.5),
  )
  const feature = fc.oneof(
    fc.tuple(fc.array(place, { minLength: 1, maxLength: 5 }), more).map(([ring, properties]) => ({
      ...{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] } },
      properties,
    })),
    value,
  )
  fc.assert(
    fc.property(fc.array(feature), cuts, fc.boolean(), (features, lengths, isIndented) => {
      const content = { type: 'FeatureCollection', features: JSON.parse(JSON.stringify(features)) as unknown[] }
      const text = JSON.stringify(content, null, isIndented ? 2 : undefined)
      const plain = (streamed(text, lengths) as StreamedFeature[]).map(nested)
      expect((streamed(text, lengths, new FeatureStream(quickFeature)) as StreamedFeature[]).map(nested)).toEqual(plain)
      const bytes = Buffer.from(text, 'utf8').toString('latin1')
      const read = streamed(bytes, lengths, new FeatureStream(quickFeature, true)) as StreamedFeature[]
      expect(read.map((each) => nested({ ...each, text: utf8Of(each.text) }))).toEqual(plain)
    }),
    { numRuns: 2000 },
  )
})

it('features one after the other are features, a line each or not', () => {
  const feature = more.map((fields) => ({ ...fields, type: 'Feature' }))
  fc.assert(
    fc.property(
      fc.array(feature, { minLength: 1 }),
      cuts,
      fc.constantFrom('\n', '', '\r\n', '\n\u001e'),
      (all, lengths, between) => {
        const text = all.map((each) => JSON.stringify(each)).join(between)
        expect(valuesOf(streamed(text, lengths))).toEqual(JSON.parse(JSON.stringify(all)))
      },
    ),
    { numRuns: 1000 },
  )
})

it('each is given as it is written, before the text has ended', () => {
  const stream = new FeatureStream()
  expect([...stream.take('{"type":"FeatureCollection","features":[{"a": "]\\"}"}, {"b"')].filter(Boolean)).toEqual([
    { value: { a: ']"}' }, text: '{"a": "]\\"}"}' },
  ])
  expect([...stream.take(':1}')].filter(Boolean)).toEqual([{ value: { b: 1 }, text: '{"b":1}' }])
})

it('one feature that is no JSON, or endless, keeps no other from coming in', () => {
  const found = streamed('{"features":[{"a":1},{"b":tru},{"c":NaN}]}', [5])
  expect(valuesOf(found)).toEqual([{ a: 1 }, undefined, { c: null }])
  const long = `{"d":"${'x'.repeat(longestFeature)}"}`
  const all = streamed(`{"features":[${long},{"e":2}]}`, [2 ** 20])
  expect((all as StreamedFeature[]).map((each) => ({ ...each }))).toEqual([
    { value: undefined, text: '' },
    { value: { e: 2 }, text: '{"e":2}' },
  ])
})

it('what is no GeoJSON, or ends before its end, is refused', () => {
  for (const text of [
    '',
    '{}',
    '12',
    '{"type":"Point"}',
    '{"features":[{}',
    '[{},',
    '{"features":[1]} 2',
    '{"features":[],"features":[]}',
  ])
    expect(streamed(text, [3]), text).toBe('INVALID_PARAMETER')
})
