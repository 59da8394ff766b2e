// Points that are counted: one by one a step of history, of each class a region, both ways as QuPath has them, and no area to anybody.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstClasses, regionTitle } from '../../../app/contract'
import type { DocumentCommand, RegionOfInterest, RegionShape } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { emptyContent } from '../../../main/project/document'
import { geoJsonOf, regionsOf } from '../../../main/project/geojsonFile/geojson'
import { nearestPoint } from '../../../renderer/arithmetic/regionShapes'
import { pointCounts, pointRegion } from '../../../renderer/store/document/pointSlice'
import { noProject, type ProjectSlice } from '../../../renderer/store/slices/projectSlice'
import { firstRecipe, realEngine, sample } from '../realEngine'

const regionOn = (slide: string, shape: RegionShape, more: Partial<RegionOfInterest> = {}): RegionOfInterest => ({
  ...{ id: randomUUID(), slide, name: '', classId: null, locked: false, shape },
  ...{ createdAt: '2026-11-23T00:00:00Z', madeBy: 'hand' as const },
  ...more,
})
const points = (...places: [number, number][]): RegionShape => ({ kind: 'points', points: places })
const box: RegionShape = { kind: 'rectangle', x: 0, y: 0, width: 9, height: 9 }

describe('in the document', () => {
  let dir: string
  let engine: Engine
  let slideId: string
  let key: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'points-'))
    await start()
  })
  afterAll(async () => {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  })
  async function start(): Promise<void> {
    engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
    ;({ slideId } = await engine.invoke('slide:open', { path: sample }))
    key = (await state()).slide!
  }
  const state = () => engine.invoke('project:state', { slideId })
  const act = async (command: DocumentCommand) => (await engine.invoke('project:do', { slideId, command })).name
  const shapes = async () => (await state()).regions.map(({ shape }) => shape)
  const refused = (call: Promise<unknown>, code: string, words: RegExp) =>
    expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(words) as string })

  it('each is a step: added, taken away, moved, undone and done again over a start; with the last one goes the region', async () => {
    const region = regionOn(key, points([10.25, 20]), { classId: 'tumour' })
    const { id } = region
    expect(await act({ type: 'regions:add', regions: [region] })).toBe('Add a region')
    expect(await act({ type: 'points:add', id, point: [30, 40.5] })).toBe('Add a point')
    await act({ type: 'points:add', id, point: [30, 40.5] })
    await act({ type: 'points:add', id, point: [5, 5], at: 0 })
    const all = points([5, 5], [10.25, 20], [30, 40.5], [30, 40.5])
    expect(await shapes()).toEqual([all])
    expect(await act({ type: 'points:remove', id, point: [10.25, 20], at: 1 })).toBe('Delete a point')
    const move: DocumentCommand = {
      type: 'together',
      name: 'Move a point',
      commands: [
        { type: 'points:add', id, point: [6, 7], at: 1 },
        { type: 'points:remove', id, point: [5, 5], at: 0 },
      ],
    }
    expect(await act(move)).toBe('Move a point')
    const moved = points([6, 7], [30, 40.5], [30, 40.5])
    expect(await shapes()).toEqual([moved])
    await engine.close()
    await start()
    expect(await shapes()).toEqual([moved])
    expect(await engine.invoke('project:undo', undefined)).toBe('Move a point')
    expect(await engine.invoke('project:undo', undefined)).toBe('Delete a point')
    expect(await shapes()).toEqual([all])
    await engine.invoke('project:redo', undefined)
    await engine.invoke('project:redo', undefined)
    expect(await shapes()).toEqual([moved])
    await act({ type: 'points:remove', id, point: [30, 40.5], at: 2 })
    await act({ type: 'points:remove', id, point: [30, 40.5], at: 1 })
    expect(await act({ type: 'points:remove', id, point: [6, 7], at: 0 })).toBe('Delete a point')
    expect(await shapes()).toEqual([])
    await engine.invoke('project:undo', undefined)
    expect((await state()).regions).toEqual([{ ...region, shape: points([6, 7]) }])
  })

  it('are no area: nothing runs in them, is added to them or lies in them, and each refusal says so', async () => {
    const [found] = (await state()).regions
    const { id } = found!
    await refused(act({ type: 'points:remove', id, point: [1, 1], at: 0 }), 'NOT_FOUND', /not there any more/)
    await refused(act({ type: 'points:add', id, point: [1, 1], at: 9 }), 'INVALID_PARAMETER', /a place among 1 points/)
    await refused(act({ type: 'regions:combine', id, how: 'add', shape: box }), 'INVALID_PARAMETER', /points, which have no area/)
    const area = regionOn(key, box)
    await act({ type: 'regions:add', regions: [area] })
    await refused(act({ type: 'points:add', id: area.id, point: [1, 1] }), 'INVALID_PARAMETER', /no points, but an area/)
    const recipe = await firstRecipe(engine)
    const run = { slideId, region: 'whole' as const, within: [found!.shape as never], recipe, purpose: 'run' as const }
    await refused(engine.invoke('run:start', run), 'INVALID_PARAMETER', /within/)
    const measures = await engine.invoke('project:measure', { runIds: [], key })
    expect(measures[0]).toEqual({ id, areaPx: 0, areaMm2: null, objects: null, points: 1, runId: null })
    expect(measures[1]!.points).toBeUndefined()
    const { rows, csv } = await engine.invoke('project:summary', {})
    expect(rows[1]).toMatchObject({ region: 'Tumor: points', class: 'Tumor', state: 'counted', points: 1, objects: null })
    const [head, , line] = csv.split('\n')
    const titles = head!.split(',')
    expect(titles.slice(titles.indexOf('points')).slice(0, 3)).toEqual(['points', 'length_um', 'length_px'])
    expect(line!.split(',').slice(3)).toEqual(['counted', ...Array<string>(10).fill(''), '1', ...Array<string>(21).fill('')])
    await act({ type: 'regions:change', changes: [{ id, locked: true }] })
    await refused(act({ type: 'points:add', id, point: [1, 1] }), 'INVALID_PARAMETER', /locked/)
  })

  it('come from QuPath’s files and go into them', async () => {
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'b6b6b6b6-0000-4000-8000-000000000001',
          geometry: { type: 'MultiPoint', coordinates: [[100.5, 200.25], [7, 8, 0], [7, 8]] },
          properties: { objectType: 'annotation', name: 'Ki-67', classification: { name: 'Positive', color: [250, 62, 62] } },
        },
        { type: 'Feature', geometry: { type: 'Point', coordinates: [3, 4] }, properties: { objectType: 'annotation' } },
        { type: 'Feature', geometry: { type: 'Point', coordinates: [3] }, properties: { objectType: 'annotation' } },
        { type: 'Feature', geometry: { type: 'MultiPoint', coordinates: [] }, properties: {} },
        { type: 'Feature', geometry: { type: 'Point', coordinates: [3, 4] }, properties: { objectType: 'detection' } },
      ],
    }) // oxfmt-ignore
    const before = (await state()).regions.length
    expect(await engine.invoke('project:import', { slideId, text })).toEqual({
      added: 2,
      leftOut: ['2 features: each has no coordinates of points', '1 feature is of the kind detection, not an annotation'],
      repaired: [],
    })
    const [many, one] = (await state()).regions.slice(before)
    expect(many).toMatchObject({ name: 'Ki-67', classId: 'positive', shape: points([100.5, 200.25], [7, 8], [7, 8]) })
    expect(one!.shape).toEqual(points([3, 4]))
    const written = JSON.parse(await engine.invoke('project:export', { key, ids: [many!.id, one!.id] })) as {
      features: { geometry: object; properties: object }[]
    }
    expect(written.features.map(({ geometry }) => geometry)).toEqual([
      { type: 'MultiPoint', coordinates: [[100.5, 200.25], [7, 8], [7, 8]] },
      { type: 'Point', coordinates: [3, 4] },
    ]) // oxfmt-ignore
    expect(written.features[0]!.properties).toMatchObject({ objectType: 'annotation', name: 'Ki-67' })
  })
})

it('are read back to the point from what is written', () => {
  const place = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0)
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 20 }), (places) => {
      const region = regionOn('a'.repeat(32), points(...places))
      const { regions, leftOut } = regionsOf(geoJsonOf([region], firstClasses), region.slide, emptyContent)
      expect([regions[0]!.shape, leftOut]).toEqual([region.shape, []])
    }),
  )
})

describe('in the window', () => {
  const on = 'a'.repeat(32)
  const tumour = regionOn(on, points([1, 1], [2, 2], [3, 3]), { classId: 'tumour' })
  const locked = regionOn(on, points([4, 4]), { locked: true })
  const area = regionOn(on, box)
  const project = (more: Partial<ProjectSlice> = {}): ProjectSlice => ({
    ...noProject,
    doc: { regions: [tumour, locked, area], classes: firstClasses, revision: 1 } as unknown as ProjectSlice['doc'],
    ...more,
  })

  it('a click goes to the selected ones, else to those of the class that can change, else makes a new one', () => {
    expect(pointRegion(project())).toBeNull()
    expect(pointRegion(project({ pointClass: 'tumour' }))).toBe(tumour)
    expect(pointRegion(project({ selected: [tumour.id] }))).toBe(tumour)
    expect(pointRegion(project({ selected: [area.id], pointClass: 'tumour' }))).toBe(tumour)
  })
  it('are counted by class, and called so', () => {
    expect(pointCounts(project())).toEqual([
      { classId: 'tumour', points: 3, share: 0.75 },
      { classId: null, points: 1, share: 0.25 },
    ])
    const titles = [tumour, locked, area].map((each) => regionTitle(each, [tumour, locked, area], firstClasses))
    expect(titles).toEqual(['Tumor: points', 'Points', 'Region 1'])
  })
  it('are hit within some px, the nearest of them', () => {
    const places = [[0, 0], [10, 0], [12, 0]] as [number, number][] // oxfmt-ignore
    expect([nearestPoint(places, { x: 11.2, y: 0 }, 5), nearestPoint(places, { x: 5, y: 0 }, 4)]).toEqual([2, null])
  })
})
