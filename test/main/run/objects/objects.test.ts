// Objects of tiles: moved to the slide's coordinates, found by place, listed in raster order, and described.
import { describe, expect, it } from 'vitest'
import { describeObject, ringsOf } from '../../../../main/run/point/objectDetails'
import { ObjectStore } from '../../../../main/run/objects/objectStore'
import { gridOf } from '../../../../main/run/plan/plan'
import { drawn } from '../../objectsFixture'
import { moved, tilesOf } from '../../packing'

const picture = drawn(
  '.aa..b', //
  '.a...b',
  'aa....',
  '...c.c', // one object in two parts, as after a watershed line
)
const tileAt = (x: number, y: number) => tilesOf(moved(picture, x, y))[0]!

describe('TileObjects', () => {
  it('moves objects from their window to the slide', () => {
    const tile = tileAt(100, 50)
    const a = tile.object(0)
    expect(tile.count).toBe(3)
    expect([a.firstX, a.firstY, a.minX, a.minY, a.maxX, a.maxY, a.area]).toEqual([101, 50, 100, 50, 102, 52, 5])
    expect([...a.runs]).toEqual([50, 101, 103, 51, 101, 102, 52, 100, 102])
    expect(a.centroidX).toBeCloseTo(101.5, 9)
    expect([0, 1, 2].map((channel) => a.stain('mean', channel))).toEqual([0.5, 0, 0])
  })

  it('shares the rows of a window, tile by tile', () => {
    const [left, right] = tilesOf(picture, 4)
    expect([left!.count, right!.count]).toEqual([2, 1])
    expect(right!.packed).toBe(left!.packed)
    expect([...right!.object(0).runs]).toEqual([0, 5, 6, 1, 5, 6])
    const crossed: unknown[] = []
    left!.forEachCrossing(0, 2, (row, tile) => crossed.push([row, tile]))
    expect(crossed).toEqual([[1, { x: 1, y: 0 }]])
  })

  it('finds the object that holds a pixel, not the one whose box does', () => {
    const tile = tileAt(0, 0)
    expect(tile.rowAt(1, 1)).toBe(0)
    expect(tile.rowAt(0, 0)).toBe(-1)
    expect(tile.rowAt(3, 3)).toBe(2)
    expect(tile.rowAt(4, 3)).toBe(-1)
    expect(tile.rowAt(5, 3)).toBe(2)
  })
})

describe('ObjectStore', () => {
  const grid = gridOf(1024, 1024, 1, 256)
  const add = (store: ObjectStore, x: number, y: number, keep: ((row: number) => boolean) | null = null) =>
    store.add(tilesOf(moved(picture, x, y), 256).map((objects) => ({ objects, keep })))

  it('tells which tiles were touched, and finds across a tile edge', () => {
    const store = new ObjectStore(grid)
    // The picture lies over the corner of four tiles.
    expect(add(store, 253, 254).sort((a, b) => a.x - b.x || a.y - b.y)).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 1 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
    ])
    expect(store.count).toBe(3)
    expect(store.at(253, 256)).toMatchObject({ id: 1 })
    expect(store.at(258, 255)).toMatchObject({ id: 2 })
    expect(store.at(258, 257)).toMatchObject({ id: 3 })
    expect(store.at(257, 254)).toBeNull()
    expect(store.at(9999, 9999)).toBeNull()
  })

  it('numbers objects in raster order of the whole slide, however tiles come in', () => {
    const store = new ObjectStore(grid)
    add(store, 500, 500)
    expect(store.at(501, 500)!.id).toBe(1)
    add(store, 10, 10)
    expect(store.at(501, 500)!.id).toBe(4)
    expect(
      store
        .all()
        .slice(0, 6)
        .map((o) => [o.firstX, o.firstY]),
    ).toEqual([
      [11, 10],
      [15, 10],
      [13, 13],
      [501, 500],
      [505, 500],
      [503, 503],
    ])
  })

  it('keeps the rows that it is told to', () => {
    const store = new ObjectStore(grid)
    add(store, 0, 0, (row) => row === 2)
    expect(store.all()).toHaveLength(1)
    expect(store.at(1, 0)).toBeNull()
  })

  it('gives the room for more back, and still takes more', () => {
    const store = new ObjectStore(grid)
    for (let n = 0; n < 9; n++) add(store, 20 * n, 300)
    const [before, objects] = [store.bytes, store.inRect({ x: 0, y: 0, width: 1024, height: 1024 }).map(({ runs }) => [...runs])]
    store.trim()
    expect(store.bytes).toBeLessThan(0.8 * before)
    add(store, 200, 300)
    expect(store.inRect({ x: 0, y: 0, width: 199, height: 1024 }).map(({ runs }) => [...runs])).toEqual(objects)
    expect(store.count).toBe(30)
  })

  it('gives what meets a rectangle once', () => {
    const store = new ObjectStore(grid)
    add(store, 253, 254)
    expect(store.inRect({ x: 0, y: 0, width: 1024, height: 1024 })).toHaveLength(3)
    expect(store.inRect({ x: 258, y: 254, width: 1, height: 1 })).toHaveLength(1)
    expect(store.inRect({ x: 252, y: 254, width: 1, height: 9 })).toHaveLength(0)
  })
})

describe('describeObject', () => {
  const object = tileAt(0, 0).object(0)
  const names = ['hematoxylin', 'eosin', 'residual']

  it('reads in µm on a calibrated slide', () => {
    const details = describeObject(
      object,
      7,
      { scale: 2, analysedMpp: 0.5, stainNames: names, channels: [], classes: null, marks: null, stainSet: 'h-e' },
      [],
    )
    expect(details).toMatchObject({ id: 7, unit: 'um', area: 1.25, bounds: { x: 0, y: 0, width: 6, height: 6 } })
    expect(details.centroid.x).toBeCloseTo(3, 9)
    expect(details.stains[0]).toEqual({ name: 'hematoxylin', mean: 0.5, std: 0, min: 0, max: 0 })
  })

  it('has its figures in each channel, and none where they were not measured', () => {
    const place = { scale: 2, analysedMpp: 0.5, stainNames: names, classes: null, marks: null, stainSet: 'rgb' } as const
    const measured = Object.create(object, {
      channelFigures: { value: [9, 1, 8, 10, 45, NaN, NaN, NaN, NaN, NaN] },
    }) as typeof object
    expect(describeObject(measured, 1, { ...place, channels: ['DAPI', 'CD8'] }, []).channels).toEqual([
      { name: 'DAPI', mean: 9, std: 1, min: 8, max: 10, sum: 45 },
      { name: 'CD8', mean: null, std: null, min: null, max: null, sum: null },
    ])
    expect(describeObject(object, 1, { ...place, channels: [] }, [])).not.toHaveProperty('channels')
  })

  it('reads in level-0 px on an uncalibrated one', () => {
    expect(
      describeObject(
        object,
        1,
        { scale: 2, analysedMpp: null, stainNames: names, channels: [], classes: null, marks: null, stainSet: 'h-e' },
        [],
      ),
    ).toMatchObject({
      unit: 'px',
      area: 20,
    })
  })

  it('gives rings in level-0 px', () => {
    const outlines = {
      xy: Int32Array.of(0, 0, 2, 0, 2, 2, 5, 5, 6, 5, 6, 6),
      ringOffsets: Int32Array.of(0, 3, 6),
      holes: Uint8Array.of(0, 0),
      objectOffsets: Int32Array.of(0, 2),
    }
    expect(ringsOf(outlines, 2)).toEqual([
      [
        [0, 0],
        [4, 0],
        [4, 4],
      ],
      [
        [10, 10],
        [12, 10],
        [12, 12],
      ],
    ])
  })
})
