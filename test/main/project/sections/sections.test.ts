// Two sections of the sample, the second turned by 17° and moved: how it lies, and what is carried over, beside the truth.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Affine, RegionOfInterest, RegionShape, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { applied } from '../../../../main/project/sections/affine'
import { firstRecipe, realEngine } from '../../realEngine'
import { makesSections, sectionTruth } from '../../../sectionPictures'

let folder: string
let engine: Engine
let ids: { fromId: string; slideId: string }
let keys: { from: string; to: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sections-'))
  await makesSections(folder)
  engine = realEngine(join(folder, 'settings'))
  const [from, to] = [
    await engine.invoke('slide:open', { path: join(folder, 'first.tif') }),
    await engine.invoke('slide:open', { path: join(folder, 'second.tif') }),
  ]
  ids = { fromId: from.slideId, slideId: to.slideId }
  await engine.invoke('project:save', { path: join(folder, 'Sections.morphoscope') })
  keys = {
    from: (await engine.invoke('project:add', { slideId: ids.fromId })).key,
    to: (await engine.invoke('project:add', { slideId: ids.slideId })).key,
  }
}, 120_000)
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

let count = 0
async function adds(slideId: string, slide: string, ...given: { name: string; shape: RegionShape }[]): Promise<void> {
  const regions = given.map(({ name, shape }): RegionOfInterest => ({
    ...{ id: `00000000-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`, slide, name, classId: 'tumour' },
    ...{ locked: false, shape, createdAt: '2026-11-28T00:00:00.000Z', madeBy: 'hand' },
  }))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
}
const marks = [
  [400, 500],
  [1800, 600],
  [1000, 2400],
  [300, 2000],
] as const
const points = (map: (place: readonly [number, number]) => readonly [number, number]) => ({
  name: 'Marks',
  shape: { kind: 'points' as const, points: marks.map((place): [number, number] => [...map(place)] as [number, number]) },
})
const off = (map: Affine, places: readonly (readonly [number, number])[]): number =>
  Math.max(
    ...places.map((place) => {
      const [[x, y], [tx, ty]] = [applied(map, place), applied(sectionTruth, place)]
      return Math.hypot(x - tx, y - ty)
    }),
  )

describe('how a section lies on another', () => {
  it('is told by their tissue, within a few µm', async () => {
    const fit = await engine.invoke('sections:fit', { ...ids, by: 'tissue' })
    expect(fit).toMatchObject({ by: 'tissue', unit: 'um', pairs: 0, mirrored: false })
    expect(Math.abs(fit.turnDeg - 17)).toBeLessThan(0.3)
    expect(off(fit.map, marks)).toBeLessThan(12)
    expect(fit.overlap).toBeGreaterThan(0.95)
    expect(fit.median).toBeLessThan(10)
  })

  it('is refused by points until both have as many under one name', async () => {
    await expect(engine.invoke('sections:fit', { ...ids, by: 'points' })).rejects.toThrow(
      'No points of one name lie on both slides',
    )
    await adds(
      ids.fromId,
      keys.from,
      points((place) => place),
    )
    await expect(engine.invoke('sections:fit', { ...ids, by: 'points' })).rejects.toThrow('No points of one name')
    await adds(ids.slideId, keys.to, { name: 'Marks', shape: { kind: 'points', points: [[1, 2]] } })
    await expect(engine.invoke('sections:fit', { ...ids, by: 'points' })).rejects.toThrow(
      '“Marks” has 4 points on first.tif and 1 on second.tif',
    )
    await engine.invoke('project:undo', undefined)
  })

  it('is told by points, with what is left between them', async () => {
    await adds(
      ids.slideId,
      keys.to,
      points((place) => applied(sectionTruth, place)),
    )
    const fit = await engine.invoke('sections:fit', { ...ids, by: 'points' })
    expect(fit).toMatchObject({ by: 'points', pairs: 4 })
    expect(fit.far).toBeLessThan(0.01)
    expect(off(fit.map, marks)).toBeLessThan(0.01)
  })

  it('is told by pairs that are given, and refused of two', async () => {
    const pairs = marks.map((from) => ({ from: [...from] as [number, number], to: applied(sectionTruth, from) }))
    const moved = pairs.map((pair, i) => (i === 0 ? { ...pair, to: [pair.to[0] + 40, pair.to[1]] as [number, number] } : pair))
    const fit = await engine.invoke('sections:fit', { ...ids, pairs: moved })
    expect(fit).toMatchObject({ by: 'pairs', pairs: 4 })
    // 40 px are 20 µm, of which the fit takes up its share.
    expect(fit.far).toBeGreaterThan(1)
    expect(fit.far).toBeLessThan(20)
    await expect(engine.invoke('sections:fit', { ...ids, pairs: pairs.slice(0, 2) })).rejects.toThrow('three or more pairs')
  })
})

describe('what is carried over', () => {
  it('has regions where the truth has them, with names and classes, in one step', async () => {
    await adds(
      ids.fromId,
      keys.from,
      { name: 'Box', shape: { kind: 'rectangle', x: 500, y: 600, width: 400, height: 300 } },
      { name: 'Round', shape: { kind: 'ellipse', x: 1200, y: 1500, width: 300, height: 200 } },
      {
        name: 'Way',
        shape: {
          kind: 'line',
          points: [
            [100, 100],
            [900, 1200],
          ],
        },
      },
    )
    const { map } = await engine.invoke('sections:fit', { ...ids, by: 'points' })
    const { regions, objects } = await engine.invoke('sections:carry', { ...ids, map, regions: true })
    expect(objects).toBeNull()
    // The marks are on both already.
    expect(regions).toMatchObject({ added: 3, leftOut: [], repaired: [] })
    const there = (await engine.invoke('project:state', { slideId: ids.slideId })).regions
    const named = (name: string): RegionShape =>
      there.find((region) => region.name === name && region.classId === 'tumour')!.shape
    const box = named('Box')
    const corners = [
      [500, 600],
      [900, 600],
      [900, 900],
      [500, 900],
    ] as const
    const ring = box.kind === 'polygon' ? box.parts[0]![0]! : []
    expect(ring).toHaveLength(4)
    for (const corner of corners) {
      const [x, y] = applied(sectionTruth, corner)
      expect(Math.min(...ring.map(([px, py]) => Math.hypot(px - x, py - y)))).toBeLessThan(0.02)
    }
    const way = named('Way')
    expect(way.kind).toBe('line')
    const round = named('Round')
    const rim = round.kind === 'polygon' ? round.parts[0]![0]! : []
    const [cx, cy] = applied(sectionTruth, [1350, 1600])
    expect(rim.reduce((sum, [x]) => sum + x, 0) / rim.length).toBeCloseTo(cx, 1)
    expect(rim.reduce((sum, [, y]) => sum + y, 0) / rim.length).toBeCloseTo(cy, 1)
    await engine.invoke('project:undo', undefined)
    const left = (await engine.invoke('project:state', { slideId: ids.slideId })).regions
    expect(left.map(({ name }) => name)).toEqual(['Marks'])
  })

  it('has objects where the truth has them, measured on the new slide', async () => {
    const recipe = await firstRecipe(engine)
    const region = { x: 600, y: 700, width: 700, height: 700 }
    const { runId } = await engine.invoke('run:start', { slideId: ids.fromId, region, recipe, purpose: 'run' })
    let status: RunStatus
    for (;;) {
      status = await engine.invoke('run:status', { runId })
      if (status.state === 'done') break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(status.objects).toBeGreaterThan(200)
    const { map } = await engine.invoke('sections:fit', { ...ids, by: 'points' })
    const { objects } = await engine.invoke('sections:carry', { ...ids, map, regions: false, objects: { runId, recipe } })
    expect(objects!.name).toContain('first.tif')
    expect(objects!.objects).toBeGreaterThan(0.98 * status.objects)
    const placesOf = (of: string, n: number) =>
      Promise.all(
        Array.from({ length: n }, async (_, i) => (await engine.invoke('object:numbered', { runId: of, id: i + 1 })).centroid),
      )
    const before = await placesOf(runId, status.objects)
    const after = await placesOf(objects!.runId, objects!.objects)
    const apart = before.map(({ x, y }) => {
      const [tx, ty] = applied(sectionTruth, [x, y])
      return Math.min(...after.map((each) => Math.hypot(each.x - tx, each.y - ty)))
    })
    // An outline that is turned is filled by other pixels: its centroid moves by a part of one.
    expect(apart.filter((distance) => distance < 0.5).length).toBeGreaterThan(0.98 * before.length)
    // The stain is that of the new slide, which shows the same tissue.
    const stainOf = async (of: string) => {
      const { stains } = await engine.invoke('object:numbered', { runId: of, id: 100 })
      return stains[0]!.mean!
    }
    expect(await stainOf(objects!.runId)).toBeGreaterThan(0.1)
  }, 120_000)

  it('is nothing where a map takes all of it far away, which is said', async () => {
    const recipe = await firstRecipe(engine)
    const [run] = (await engine.invoke('run:list', undefined)).filter(({ status }) => status.slideId === ids.fromId)
    const far: Affine = { xx: 1000, xy: 0, yx: 0, yy: 1000, dx: 2 ** 27, dy: -(2 ** 27) }
    const objects = { runId: run!.status.runId, recipe }
    const {
      regions,
      objects: found,
      leftOut,
    } = await engine.invoke('sections:carry', { ...ids, map: far, regions: true, objects })
    expect(found).toBeNull()
    expect(regions!.added).toBe(0)
    expect(regions!.leftOut).toEqual(['3 regions: each would lie beyond the slide'])
    expect(leftOut.join()).toMatch(/^\d+ objects: each lies beyond the slide/)
  })

  it('is refused where nothing is asked for, of a map that flattens, and of a slide without regions', async () => {
    const map: Affine = { xx: 1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0 }
    await expect(engine.invoke('sections:carry', { ...ids, map, regions: false })).rejects.toThrow('Choose what is to be carried')
    await expect(engine.invoke('sections:carry', { ...ids, map: { ...map, yy: 0 }, regions: true })).rejects.toThrow('flattens')
    const none = { fromId: ids.slideId, slideId: ids.fromId, map, regions: true }
    await expect(engine.invoke('sections:carry', none)).rejects.toThrow('second.tif has no regions that could be carried')
  })
})
