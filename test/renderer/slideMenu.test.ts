// The menu on the slide: what it finds at a place, by pointer and by key, and which object or region its commands mean.
import { beforeEach, expect, it } from 'vitest'
import type { ObjectDetails, RegionOfInterest, RegionShape } from '../../app/contract'
import { holdsPoint } from '../../renderer/arithmetic/regionShapes'
import { runCommand } from '../../renderer/store/commands/commands'
import { meanObject, meanRegion, openMenuAt } from '../../renderer/store/commands/slideMenuActions'
import { getState, patch } from '../../renderer/store/store'
import { machine, setUpSlide, status, type SentCall } from './windowFixture'

const square: RegionShape = { kind: 'rectangle', x: 100, y: 100, width: 200, height: 100 }
const region = (id: string, shape: RegionShape) => ({ id, name: id, classId: null, locked: false, shape }) as RegionOfInterest
const object = { id: 7, centroid: { x: 150, y: 150 }, bounds: { x: 140, y: 140, width: 20, height: 20 } } as ObjectDetails

let asked: SentCall[]
beforeEach(() => {
  asked = setUpSlide(machine([]), {
    'object:at': (arg) => ({ ok: true, value: (arg as { x: number }).x < 160 ? object : null }),
    'object:edit': () => ({ ok: true, value: { name: 'Delete an object', objects: 1 } }),
    'project:do': () => ({ ok: true, value: { name: 'Delete Outer', ids: [] } }) as never,
  })
  patch('ui', { view: { center: { x: 200, y: 200 }, zoom: 1, rotation: 0, flipped: false, width: 400, height: 400 } })
  const run = status({ state: 'done' })
  patch('runs', { byId: { r1: run }, stack: ['r1'], activeId: 'r1' })
  patch('project', {
    doc: {
      revision: 1,
      regions: [region('Outer', square), region('Inner', { ...square, width: 100 })],
      classes: [],
    } as never,
  })
})

it('selects the object that a result has there, finds the topmost region, and computes nothing', async () => {
  await openMenuAt({ x: 150, y: 150 })
  expect(getState().ui.slideMenu).toEqual({
    at: { x: 150, y: 150 },
    place: { x: 150, y: 150 },
    onObject: true,
    regionId: 'Inner',
  })
  expect(getState().selection).toMatchObject({ state: 'found', object, runId: 'r1' })
  await openMenuAt({ x: 250, y: 150 })
  expect(getState().ui.slideMenu).toMatchObject({ onObject: false, regionId: 'Outer' })
  await openMenuAt({ x: 350, y: 350 })
  expect(getState().ui.slideMenu).toMatchObject({ onObject: false, regionId: null })
  expect(asked.some(({ name }) => name === 'object:segment')).toBe(false)
})

it('opens by a key on the selected object, else on the selected region, else in the middle', async () => {
  await openMenuAt({ x: 150, y: 150 })
  patch('ui', { slideMenu: null })
  runCommand('slideMenu')
  expect(getState().ui.slideMenu).toMatchObject({ at: object.centroid, onObject: true })
  meanRegion('Outer')
  runCommand('slideMenu')
  expect(getState().ui.slideMenu).toMatchObject({ at: { x: 200, y: 150 }, onObject: false, regionId: 'Outer' })
  patch('project', { selected: [] })
  patch('ui', { slideMenu: null })
  runCommand('slideMenu')
  await expect.poll(() => getState().ui.slideMenu?.at).toEqual({ x: 200, y: 200 })
})

it('deletes what its section is of, whatever was selected last', async () => {
  await openMenuAt({ x: 150, y: 150 })
  meanRegion('Outer')
  expect(getState().selection.object).toBeNull()
  runCommand('deleteRegions')
  expect(asked.at(-1)).toMatchObject({ name: 'project:do', arg: { command: { type: 'regions:delete', ids: ['Outer'] } } })
  await openMenuAt({ x: 150, y: 150 })
  patch('project', { selected: ['Inner'] })
  meanObject()
  runCommand('deleteRegions')
  expect(asked.filter(({ name }) => name === 'object:edit').map(({ arg }) => arg)).toEqual([
    { runId: 'r1', choice: { ids: [7] }, edit: { type: 'delete' } },
  ])
})

it('a place lies in an area by its shape, and on a line or a point within reach', () => {
  const hole: RegionShape = {
    kind: 'polygon',
    parts: [[[[0, 0], [10, 0], [10, 10], [0, 10]], [[4, 4], [6, 4], [6, 6], [4, 6]]]], // oxfmt-ignore
  }
  const held = (shape: RegionShape, x: number, y: number): boolean => holdsPoint(shape, { x, y }, 2)
  expect([held(hole, 2, 2), held(hole, 5, 5), held(hole, 11, 5)]).toEqual([true, false, false])
  const ellipse: RegionShape = { kind: 'ellipse', x: 0, y: 0, width: 20, height: 10 }
  expect([held(ellipse, 10, 5), held(ellipse, 1, 1)]).toEqual([true, false])
  const line: RegionShape = { kind: 'line', points: [[0, 0], [10, 0]] } // oxfmt-ignore
  expect([held(line, 5, 1.5), held(line, 5, 3), held(line, 13, 0)]).toEqual([true, false, false])
  expect([held({ kind: 'points', points: [[5, 5]] }, 6, 6), held({ kind: 'points', points: [[5, 5]] }, 9, 9)]).toEqual([true, false]) // oxfmt-ignore
})
