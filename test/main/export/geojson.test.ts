// objects.geojson: rings close, areas are the pixels' areas, odd shapes stay valid, names and ids are QuPath's.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exportRun } from '../../../main/export/exportRun'
import type { RunResult } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools, shoelace } from './madeRun'

const Ring = z.array(z.tuple([z.number(), z.number()])).min(4)
const Geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Polygon'), coordinates: z.array(Ring).min(1) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(Ring).min(1)).min(2) }),
])
const Collection = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      id: z.uuid(),
      geometry: Geometry,
      properties: z.object({
        objectType: z.literal('detection'),
        name: z.string(),
        measurements: z.record(z.string(), z.number()),
      }),
    }),
  ),
})

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-geojson-'))))
afterEach(async () => await rm(directory, { recursive: true }))

async function exported(run: RunResult): Promise<z.infer<typeof Collection>> {
  await exportRun(
    run,
    { directory, files: ['objects.geojson'], overwrite: true },
    madeTools,
    () => undefined,
    new AbortController().signal,
  )
  return Collection.parse(JSON.parse(await readFile(join(directory, 'objects.geojson'), 'utf8')))
}
const polygons = (geometry: z.infer<typeof Geometry>) =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

const shapes = {
  square: ['##', '##'],
  onePixel: ['#'],
  withHole: ['####', '#..#', '####'],
  touchingAtACorner: ['#.', '.#'],
  // The lake's shore touches the outer shore at a corner: the traced ring visits that corner twice.
  selfTouching: ['####', '#..#', '#.#.', '###.'],
  lakeOfTwoDiagonalPixels: ['####.', '#.###', '##.##', '.####'],
  islandInALake: ['#####', '#...#', '#.#.#', '#...#', '#####'],
  islandTouchingNothing: ['#######', '#.....#', '#.###.#', '#.#.#.#', '#.###.#', '#.....#', '#######'],
  twoLakes: ['#####', '#.#.#', '#####'],
  diamondOfLakes: ['#####', '##.##', '#.#.#', '##.##', '#####'],
}

describe('objects.geojson', () => {
  for (const [name, rows] of Object.entries(shapes)) {
    it(`outlines ${name} exactly`, async () => {
      const object = drawn(rows, 10, 20)
      const scale = 2.5
      const { features } = await exported(madeRun({ objects: [object], scale }))
      let area = 0
      for (const polygon of polygons(features[0]!.geometry)) {
        polygon.forEach((ring, i) => {
          expect(ring[0]).toEqual(ring.at(-1))
          const open = ring.slice(0, -1)
          // What JTS calls a ring self-intersection: a corner visited twice.
          expect(new Set(open.map(String)).size).toBe(open.length)
          const signed = shoelace(open)
          expect(Math.sign(signed)).toBe(i === 0 ? 1 : -1)
          area += signed
        })
      }
      expect(area).toBeCloseTo(object.area * scale * scale, 6)
    })
  }

  it('puts every hole into the polygon around it', async () => {
    const { features } = await exported(madeRun({ objects: [drawn(shapes.islandTouchingNothing)] }))
    const parts = polygons(features[0]!.geometry)
    expect(parts.map((part) => part.length)).toEqual([2, 2])
    for (const [outer, hole] of parts) {
      const xs = outer!.map(([x]) => x)
      for (const [x] of hole!) expect(x > Math.min(...xs) && x < Math.max(...xs)).toBe(true)
    }
  })

  it('gives corners in level-0 px', async () => {
    const { features } = await exported(madeRun({ objects: [drawn(['#'], 3, 5)], scale: 2 }))
    expect(new Set(features[0]!.geometry.coordinates.flat().map(String))).toEqual(new Set(['6,10', '8,10', '8,12', '6,12']))
  })

  it("uses QuPath's names with units, and px where the slide is uncalibrated", async () => {
    const object = drawn(['##', '##'])
    const um = (await exported(madeRun({ objects: [object], scale: 2, analysedMpp: 0.5 }))).features[0]!.properties
    expect(um.measurements).toMatchObject({
      'Area µm^2': 1,
      'Length µm': 2,
      Circularity: 0.75,
      Solidity: 1,
      'Hematoxylin: Mean': 0.5,
      'Eosin: Std.Dev.': 0.05,
      'DAB: Max': 0,
    })
    expect(um.name).toBe('Object 1')
    const px = (await exported(madeRun({ objects: [object], scale: 2, analysedMpp: null }))).features[0]!.properties
    expect(px.measurements).toMatchObject({ 'Area px^2': 16, 'Length px': 8 })
    expect(Object.keys(px.measurements).some((name) => name.includes('µm'))).toBe(false)
  })

  it('leaves out what was not measured', async () => {
    const { features } = await exported(madeRun({ objects: [{ ...drawn(['#']), circularity: NaN, stain: () => NaN }] }))
    expect(features[0]!.properties.measurements).not.toHaveProperty('Circularity')
    expect(features[0]!.properties.measurements).not.toHaveProperty('Hematoxylin: Mean')
  })

  it('gives the same object the same id, and others others', async () => {
    const ids = async (run: RunResult) => (await exported(run)).features.map(({ id }) => id)
    const a = drawn(['##', '##'], 1, 1)
    const b = drawn(['##', '##'], 9, 1)
    const once = await ids(madeRun({ objects: [a, b] }))
    expect(await ids(madeRun({ objects: [b, a] }))).toEqual([once[1], once[0]])
    expect(once[0]).not.toBe(once[1])
    expect((await ids(madeRun({ objects: [a], scale: 4 })))[0]).not.toBe(once[0])
  })

  it('leaves every object an area where the tolerance is larger than it', async () => {
    const objects = Object.values(shapes).map((rows, i) => drawn(rows, 10, 20 * i))
    await exportRun(
      madeRun({ objects }),
      { directory, files: ['objects.geojson'], simplifyPx: 50, overwrite: true },
      madeTools,
      () => undefined,
      new AbortController().signal,
    )
    const { features } = Collection.parse(JSON.parse(await readFile(join(directory, 'objects.geojson'), 'utf8')))
    for (const { geometry } of features) expect(shoelace(polygons(geometry)[0]![0]!.slice(0, -1))).toBeGreaterThan(0)
  })

  it('writes an empty collection for a run without objects', async () => {
    expect((await exported(madeRun())).features).toEqual([])
  })
})
