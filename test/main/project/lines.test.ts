// Lines as regions of interest: their length by the slide's pixels, what cannot be done with them, and QuPath's LineString both ways.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LineShape, regionTitle, type RegionOfInterest, type RegionShape } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { realEngine, sample } from '../realEngine'

let dir: string
let engine: Engine
let slideId: string
let key: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lines-'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  slideId = (await engine.invoke('slide:open', { path: sample, mpp: 0.5 })).slideId
  key = (await engine.invoke('project:state', { slideId })).slide!
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})
const regionOf = (shape: RegionShape): RegionOfInterest => ({
  ...{ id: randomUUID(), slide: key, name: '', classId: null, locked: false, madeBy: 'hand', createdAt: '2026-11-24T00:00:00Z' },
  shape,
})
const points: [number, number][] = [
  [100, 100],
  [130, 140],
  [130, 150],
]
const line = { kind: 'line' as const, points }

it('has a length in µm, in measures, summary and CSV, is undone as others are, and is no area and no points', async () => {
  const region = regionOf(line)
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [region] } })
  expect(await engine.invoke('project:measure', { runIds: [], key })).toEqual([
    { id: region.id, areaPx: 0, areaMm2: null, objects: null, lengthPx: 60, lengthUm: 30, runId: null },
  ])
  const { rows, csv } = await engine.invoke('project:summary', {})
  expect(rows.at(-1)).toMatchObject({ region: 'Line', state: 'measured', lengthUm: 30, objects: null })
  // What comes after the lengths is of results, which a line has none of.
  expect(csv.split('\n')[2]).toMatch(/,Line,,measured,[^"]*,30,60,,,,,,,,,,,,,,,,,,,$/)
  const [head, ...lines] = csv
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','))
  expect(head!.indexOf('length_px')).toBe(head!.length - 20)
  expect(lines.map((cells) => cells.length)).toEqual([head!.length, head!.length])
  const refused = async (command: object): Promise<string> => {
    const answer = await engine.call('project:do', { slideId, command })
    return answer.ok ? '' : answer.error.message
  }
  const shape = { kind: 'rectangle', x: 0, y: 0, width: 9, height: 9 }
  expect(await refused({ type: 'regions:combine', id: region.id, how: 'add', shape })).toContain('a line, which has no area')
  expect(await refused({ type: 'points:add', id: region.id, point: [1, 1] })).toContain('is no points, but a line')
  const longer = { ...line, points: [...points, [130, 250]] as [number, number][] }
  await engine.invoke('project:do', { slideId, command: { type: 'regions:change', changes: [{ id: region.id, shape: longer }] } })
  expect((await engine.invoke('project:measure', { runIds: [], key }))[0]).toMatchObject({ lengthUm: 80 })
  await engine.invoke('project:undo', undefined)
  expect((await engine.invoke('project:state', { slideId })).regions[0]!.shape).toEqual(line)
})

it('goes to QuPath as a LineString and comes back to the point; several lines in one and single points are left out in words', async () => {
  const text = await engine.invoke('project:export', { key, ids: null })
  expect((JSON.parse(text) as { features: { geometry: object }[] }).features[0]!.geometry).toEqual({
    type: 'LineString',
    coordinates: points,
  })
  const feature = (type: string, coordinates: unknown) => ({ type: 'Feature', geometry: { type, coordinates }, properties: {} })
  const features = [
    feature('LineString', points),
    feature('MultiLineString', [points]),
    feature('MultiLineString', [points, points]),
    feature('LineString', [[1, 1]]),
    feature('GeometryCollection', []),
  ]
  const asked = { slideId, text: JSON.stringify({ type: 'FeatureCollection', features }) }
  const { added, leftOut } = await engine.invoke('project:import', asked)
  expect([added, leftOut]).toEqual([
    2,
    [
      '1 feature is more than one line',
      '1 feature has no coordinates of a line',
      '1 feature has the geometry GeometryCollection, which is neither an area nor points nor a line',
    ],
  ])
  const { regions, classes } = await engine.invoke('project:state', { slideId })
  expect(regions.map(({ shape }) => shape)).toEqual([line, line, line])
  expect(regions.map((region) => regionTitle(region, regions, classes))).toEqual(['Line 1', 'Line 2', 'Line 3'])
  expect(LineShape.safeParse({ kind: 'line', points: [[1, 1]] }).success).toBe(false)
})
