// What strangers' GeoJSON holds: odd values are taken, what cannot be is counted, and no file costs more than its size.
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../../app/contract'
import { areaOfShape, partsOf } from '../../../../main/base/shapes'
import { apply, emptyContent } from '../../../../main/project/document'
import type { Content } from '../../../../main/project/document'
import { geoJsonOf, importOf, regionsOf } from '../../../../main/project/geojsonFile/geojson'
import { faultOf } from '../../base/planar/validity'
import { variant } from './geojsonVariants'

const key = 'b'.repeat(32)
const square = '[[0,0],[10,0],[10,10],[0,10],[0,0]]'
const feature = (properties: string, geometry = `{"type":"Polygon","coordinates":[${square}]}`): string =>
  `{"type":"Feature","geometry":${geometry},"properties":${properties}}`
const file = (...features: string[]): string => `{"type":"FeatureCollection","features":[${features.join(',')}]}`
const taken = (text: string): ReturnType<typeof regionsOf> => regionsOf(text, key, emptyContent)

describe('odd values', () => {
  it('bare NaN, a BOM, a class as text, a name as a number lose nothing', () => {
    const text = `\ufeff${file(
      feature('{"name":12,"classification":"Tumor","measurements":{"a":NaN,"b":-Infinity,"c":"NaN \\" NaN"}}'),
    )}`
    const { regions, leftOut } = taken(text)
    expect(leftOut).toEqual([])
    expect(regions[0]).toMatchObject({ name: '12', classId: 'tumour', shape: { kind: 'rectangle', width: 10 } })
  })
  it('an empty part of a MultiPolygon, and a hole of two points, are left out of the feature, which says so', () => {
    const geometry = `{"type":"MultiPolygon","coordinates":[[],[${square},[[1,1],[2,2]]],[[]]]}`
    const { regions, leftOut, repaired } = taken(file(feature('{}', geometry)))
    expect(regions).toHaveLength(1)
    expect(leftOut).toEqual([])
    expect(repaired).toEqual(['1 feature is without its parts or holes of less than three points'])
  })
  it('more features than a document holds: those that fit are taken, the others counted', () => {
    const full: Content = {
      ...emptyContent,
      regions: new Map(Array.from({ length: 99_998 }, (_, i) => [String(i), undefined as never])),
    }
    const { regions, leftOut } = regionsOf(file(feature('{}'), feature('{}'), feature('{}')), key, full)
    expect(regions).toHaveLength(2)
    expect(leftOut).toEqual(['1 feature has no room: a document holds 100,000 regions'])
  })
  it('more than 1,000 classes: the document takes what it can hold, the regions come without the others', () => {
    const many = Array.from({ length: 3000 }, (_, i) => feature(`{"classification":{"name":"級${i}"}}`))
    const started = performance.now()
    const { command, added, repaired } = importOf(file(...many), key, emptyContent)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(added).toBe(3000)
    expect(repaired).toEqual(['2,005 features: each is without its class: a document holds 1,000 classes'])
    const { next } = apply(emptyContent, command!)
    expect([next.classes.length, new Set(next.classes.map(({ id }) => id)).size, next.regions.size]).toEqual([1000, 1000, 3000])
  })
})

it('what crosses itself is repaired by the one rule, which is said; a ring wound twice is a square; a scribble is left out', () => {
  const twice = `{"type":"Polygon","coordinates":[[[0,0],[750,0],[750,750],[0,750],[0,0],[750,0],[750,750],[0,750],[0,0]]]}`
  const scribble = JSON.stringify(Array.from({ length: 5000 }, (_, i) => [(i * 7919) % 10007, (i * 104729) % 9973]))
  const started = performance.now()
  const found = taken(file(feature('{}', twice), feature('{}', `{"type":"Polygon","coordinates":[${scribble}]}`)))
  expect(performance.now() - started).toBeLessThan(5000)
  expect(areaOfShape(found.regions[0]!.shape as Shape)).toBe(562_500)
  expect(found.repaired.join()).toMatch(/1 feature crosses or covers itself: each ring encloses what it winds around/)
  expect(found.leftOut).toEqual(['1 feature crosses itself too often to be worked out'])
  expect(faultOf(partsOf(found.regions[0]!.shape as Shape))).toBe('')
})

it('60 seeded variants: each is refused in words, or what is taken is valid, fits the document, and comes back as it was', () => {
  let [refused, regions] = [0, 0]
  for (let seed = 0; seed < 60; seed++) {
    try {
      const { command, added } = importOf(variant(seed), key, emptyContent)
      if (!command) continue
      const { next } = apply(emptyContent, command)
      const all = [...next.regions.values()].map(({ region }) => region)
      expect(all).toHaveLength(added)
      regions += added
      const back = regionsOf(geoJsonOf(all, next.classes), key, { ...emptyContent, classes: next.classes })
      expect([back.leftOut, back.repaired, back.regions.length]).toEqual([[], [], added])
    } catch (error) {
      if ((error as { code?: string }).code !== 'INVALID_PARAMETER') throw error
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(2)
  expect(regions).toBeGreaterThan(80)
})
