// QuPath's GeoJSON both ways: what is written is read back equal, and what QuPath writes is taken to the point or left out by name.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { firstClasses } from '../../../../app/contract'
import type { RegionOfInterest, Shape } from '../../../../app/contract'
import { areaOfShape, boxOf, holderOf, partsOf } from '../../../../main/base/shapes'
import { resolved } from '../../../../main/project/regions/combine'
import { emptyContent } from '../../../../main/project/document'
import { geoJsonOf, regionsOf } from '../../../../main/project/geojsonFile/geojson'
import { realEngine, sample } from '../../realEngine'

const key = 'a'.repeat(32)
const areaOf = ({ shape }: RegionOfInterest): Shape => shape as Shape
// JSON knows no -0.
const place = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0)
const side = fc.double({ min: 1e-3, max: 1e5, noNaN: true })
const box = fc.record({ x: place, y: place, width: side, height: side })
const ring = fc.array(fc.tuple(place, place), { minLength: 3, maxLength: 12 }).filter(([first, ...others]) => {
  const last = others.at(-1)!
  return first![0] !== last[0] || first![1] !== last[1]
})
const polygon = fc
  .array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  // As the document holds them: valid.
  .map((parts): Shape | null => resolved({ kind: 'polygon', parts }).shape)
  .filter((shape): shape is Shape => shape !== null)
const region = fc
  .record({
    id: fc.uuid(),
    name: fc.string({ maxLength: 30 }).map((name) => name.replace(/\p{Cc}/gu, ' ').trim()),
    classId: fc.constantFrom(null, ...firstClasses.map(({ id }) => id)),
    locked: fc.boolean(),
    shape: polygon,
  })
  .map((some): RegionOfInterest => ({ ...some, slide: key, createdAt: '2026-11-22T00:00:00Z', madeBy: 'hand' }))

describe('what is written', () => {
  it('is read back equal: every coordinate, name, class and lock', () => {
    fc.assert(
      fc.property(fc.uniqueArray(region, { selector: ({ id }) => id, maxLength: 5 }), (regions) => {
        const { regions: back, leftOut, repaired, classes } = regionsOf(geoJsonOf(regions, firstClasses), key, emptyContent)
        expect([leftOut, repaired]).toEqual([[], []])
        expect(classes).toEqual(firstClasses)
        expect(back.map(({ id, name, classId, locked }) => ({ id, name, classId, locked }))).toEqual(
          regions.map(({ id, name, classId, locked }) => ({ id: id.toLowerCase(), name, classId, locked })),
        )
        expect(back.map((each) => partsOf(areaOf(each)))).toEqual(regions.map((each) => partsOf(areaOf(each))))
      }),
      { numRuns: 40 },
    )
  })

  it('a rectangle and an ellipse stay what they are', () => {
    fc.assert(
      fc.property(box, fc.constantFrom('rectangle' as const, 'ellipse' as const), (each, kind) => {
        const one: RegionOfInterest = {
          id: '6b0d4f8e-3c1e-4c8e-9d5c-7a2f5b1c9e00',
          slide: key,
          name: '',
          classId: null,
          locked: false,
          shape: { kind, ...each },
          createdAt: '2026-11-22T00:00:00Z',
          madeBy: 'hand',
        }
        const [back] = regionsOf(geoJsonOf([one], firstClasses), key, emptyContent).regions
        // x + width has its own rounding: the box is the same to the bit, its sides to the last digit.
        const [found, wanted] = [boxOf(areaOf(back!)), boxOf(areaOf(one))]
        if (kind === 'rectangle') expect(found).toEqual(wanted)
        else expect(back!.shape.kind).toBe('ellipse')
        for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
          expect(Math.abs(found[side] - wanted[side])).toBeLessThanOrEqual(1e-9)
      }),
    )
    const whole: Shape = { kind: 'rectangle', x: 10, y: 20, width: 300, height: 400 }
    const text = geoJsonOf([{ ...regionsOf(quPath, key, emptyContent).regions[0]!, shape: whole }], firstClasses)
    expect(regionsOf(text, key, emptyContent).regions[0]!.shape).toEqual(whole)
  })
})

/** As QuPath 0.5 writes it: an annotation with a hole, an ellipse, a rectangle, a detection, a line and points. */
const quPath = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: '0b0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b11',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [[0, 0], [100.25, 0], [100.25, 100], [0, 100], [0, 0]],
          [[40, 40], [40, 60], [60, 60], [60, 40], [40, 40]],
        ],
      },
      properties: { objectType: 'annotation', name: 'Invasive front', classification: { name: 'Tumor', color: [200, 0, 0] }, isLocked: true, measurements: { 'Num Detections': 3 } },
    },
    {
      type: 'Feature',
      id: '1c0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b12',
      geometry: { type: 'Polygon', isEllipse: true, coordinates: [[[20, 5], [10, 10], [0, 5], [10, 0], [20, 5]]] },
      properties: { objectType: 'annotation', classification: { names: ['Immune', 'CD8'], color: [160, 90, 160] } },
    },
    {
      type: 'Feature',
      id: 'PathAnnotationObject',
      geometry: { type: 'MultiPolygon', coordinates: [[[[0, 0], [5, 0], [0, 5], [0, 0]]], [[[50, 50], [55, 50], [50, 55], [50, 50]]]] },
      properties: { object_type: 'annotation', classification: { name: 'Stroma', colorRGB: -6895466 } },
    },
    { type: 'Feature', id: 'x', geometry: { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }, properties: { objectType: 'detection' } },
    { type: 'Feature', id: 'y', geometry: { type: 'LineString', coordinates: [[0, 0], [1, 0]] }, properties: { objectType: 'annotation' } },
    { type: 'Feature', id: 'z', geometry: { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [0, 0]]] }, properties: null },
    { type: 'Feature', id: 'w', geometry: null, properties: { objectType: 'annotation' } },
    'nonsense',
  ],
}) // oxfmt-ignore

describe('what QuPath writes', () => {
  it('is taken to the point; what is no annotation is left out, by count and reason', () => {
    const { regions, classes, leftOut } = regionsOf(quPath, key, emptyContent)
    expect(regions).toHaveLength(4)
    expect(regions[3]!.shape).toEqual({ kind: 'line', points: [[0, 0], [1, 0]] }) // oxfmt-ignore
    expect(regions[0]).toMatchObject({
      id: '0b0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b11',
      name: 'Invasive front',
      classId: 'tumour',
      locked: true,
      madeBy: 'import',
    })
    expect(areaOfShape(areaOf(regions[0]!))).toBe(100.25 * 100 - 400)
    expect(regions[1]!.shape).toEqual({ kind: 'ellipse', x: 0, y: 0, width: 20, height: 10 })
    expect(classes.find(({ id }) => id === regions[1]!.classId)).toEqual({
      id: 'immune-cd8',
      name: 'Immune: CD8',
      color: '#a05aa0',
    })
    expect(regions[2]!.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(partsOf(areaOf(regions[2]!))).toHaveLength(2)
    expect(leftOut).toEqual([
      '1 feature is of the kind detection, not an annotation',
      '1 feature has a ring of less than three points',
      '1 feature has no geometry',
      '1 feature is no feature',
    ])
  })

  it('that is no GeoJSON is refused with the reason', () => {
    for (const [text, words] of [
      ['', /This is no GeoJSON/],
      ['{"type":"FeatureCollection"}', /expected a FeatureCollection/],
      ['null', /expected a FeatureCollection/],
      ['7', /expected a FeatureCollection/],
    ] as const)
      expect(() => regionsOf(text, key, emptyContent)).toThrow(words)
  })
})

describe('a point', () => {
  it('on the edge of two shapes side by side is in one of them, whichever way their rings go', () => {
    const coordinate = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(fc.tuple(coordinate, coordinate), fc.tuple(coordinate, coordinate), coordinate, coordinate, (a, b, px, py) => {
        // A line from above to below through two points cuts a square in two.
        const line: [number, number][] = [[a[0], 0], [6, 6], [b[0], 12]] // oxfmt-ignore
        const left: Shape = { kind: 'polygon', parts: [[[[0, 0], ...line, [0, 12]]]] }
        const right: Shape = { kind: 'polygon', parts: [[[[12, 0], [12, 12], ...line.toReversed()]]] }
        const square: Shape = { kind: 'rectangle', x: 0, y: 0, width: 12, height: 12 }
        const [inLeft, inRight, inBoth] = [left, right, square].map((shape) => holderOf(shape)(px, py))
        expect(Number(inLeft) + Number(inRight)).toBe(Number(inBoth))
      }),
    )
  })
})

describe('what a shape holds', () => {
  /** By the rule as the contract states it: a line to the left, each ring of a part. */
  function plainly(shape: Shape, x: number, y: number): boolean {
    return partsOf(shape).some((rings) => {
      let crossings = 0
      for (const ring of rings)
        ring.forEach(([ax, ay], i) => {
          const [bx, by] = ring[(i + 1) % ring.length]!
          const [x0, y0, x1, y1] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay]
          if (y >= y0 && y < y1 && x >= x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) crossings += 1
        })
      return crossings % 2 === 1
    })
  }

  it('is what its rule says, of many points and parts, at points of its own lines too', () => {
    const grid = fc.integer({ min: 0, max: 40 })
    const rings = fc.array(fc.array(fc.tuple(grid, grid), { minLength: 3, maxLength: 40 }), { minLength: 1, maxLength: 3 })
    const shapes = fc.array(rings, { minLength: 1, maxLength: 3 }).map((parts): Shape => ({ kind: 'polygon', parts }))
    let inside = 0
    fc.assert(
      fc.property(shapes, (shape) => {
        const { minX, minY, maxX, maxY } = boxOf(shape)
        const holds = holderOf(shape)
        let wrong = 0
        for (let y = 0; y <= 40; y += 2.5)
          for (let x = 0; x <= 40; x += 2.5) {
            // Holes of a real polygon lie in its outer ring: what lies outside of that is not asked.
            const wanted = x >= minX && y >= minY && x < maxX && y < maxY && plainly(shape, x, y)
            inside += Number(wanted)
            wrong += Number(holds(x, y) !== wanted)
          }
        expect(wrong).toBe(0)
      }),
    )
    expect(inside).toBeGreaterThan(100)
  })
})

describe('through the engine', () => {
  const dirs: string[] = []
  afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

  it('an import is one step, brings its classes, and goes with one undo', async () => {
    dirs.push(await mkdtemp(join(tmpdir(), 'geojson-')))
    const engine = realEngine(dirs[0]!, { shell: 'serve' })
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    expect(await engine.invoke('project:import', { slideId, text: quPath })).toMatchObject({ added: 4 })
    const state = await engine.invoke('project:state', { slideId })
    expect(state.undo?.name).toBe('Import 4 regions')
    expect(state.classes).toHaveLength(firstClasses.length + 1)
    const text = await engine.invoke('project:export', { key: state.slide!, ids: null })
    expect(regionsOf(text, state.slide!, { ...emptyContent, classes: state.classes }).regions.map(({ shape }) => shape)).toEqual(
      state.regions.map(({ shape }) => shape),
    )
    await engine.invoke('project:undo', undefined)
    expect(await engine.invoke('project:state', { slideId })).toMatchObject({ regions: [], classes: firstClasses })
    // Again: the ids are free.
    await engine.invoke('project:import', { slideId, text: quPath })
    expect(await engine.invoke('project:import', { slideId, text: quPath })).toMatchObject({ added: 4 })
    expect((await engine.invoke('project:state', { slideId })).regions).toHaveLength(8)
    await engine.close()
  })
})
