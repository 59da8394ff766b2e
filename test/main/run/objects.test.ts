// Objects of tiles: moved to the slide's coordinates, found by place, listed in raster order, and described.
import { describe, expect, it } from 'vitest'
import { TileObjects } from '../../../main/run/tileObjects'
import { describeObject, ringsOf } from '../../../main/run/objectDetails'
import { ObjectStore } from '../../../main/run/objectStore'
import { gridOf } from '../../../main/run/plan'
import { drawn } from '../objectsFixture'

const picture = drawn(
  '.aa..b', //
  '.a...b',
  'aa....',
  '...c.c', // one object in two parts, as after a watershed line
)
const every = (): boolean => true

describe('TileObjects', () => {
  it('moves objects from their window to the slide', () => {
    const tile = TileObjects.from(picture, 100, 50, every)
    const a = tile.object(0)
    expect(tile.count).toBe(3)
    expect([a.firstX, a.firstY, a.minX, a.minY, a.maxX, a.maxY, a.area]).toEqual([101, 50, 100, 50, 102, 52, 5])
    expect([...a.runs]).toEqual([50, 101, 103, 51, 101, 102, 52, 100, 102])
    expect(a.centroidX).toBeCloseTo(101.5, 9)
    expect([0, 1, 2].map((channel) => a.stain('mean', channel))).toEqual([0.5, 0, 0])
  })

  it('keeps only what is picked', () => {
    const tile = TileObjects.from(picture, 0, 0, (row) => row === 1)
    expect(tile.count).toBe(1)
    expect([...tile.object(0).runs]).toEqual([0, 5, 6, 1, 5, 6])
    expect(TileObjects.from(picture, 0, 0, () => false)).toBe(TileObjects.empty)
  })

  it('finds the object that holds a pixel, not the one whose box does', () => {
    const tile = TileObjects.from(picture, 0, 0, every)
    expect(tile.rowAt(1, 1)).toBe(0)
    expect(tile.rowAt(0, 0)).toBe(-1)
    expect(tile.rowAt(3, 3)).toBe(2)
    expect(tile.rowAt(4, 3)).toBe(-1)
    expect(tile.rowAt(5, 3)).toBe(2)
  })
})

describe('ObjectStore', () => {
  const grid = gridOf(1024, 1024, 1, 256)

  it('tells which tiles were touched, and finds across a tile edge', () => {
    const store = new ObjectStore(grid)
    // The picture lies over the corner of four tiles.
    expect(store.add(TileObjects.from(picture, 253, 254, every), every)).toEqual([
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
    store.add(TileObjects.from(picture, 500, 500, every), every)
    expect(store.at(501, 500)!.id).toBe(1)
    store.add(TileObjects.from(picture, 10, 10, every), every)
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
    store.add(TileObjects.from(picture, 0, 0, every), (row) => row === 2)
    expect(store.all()).toHaveLength(1)
    expect(store.at(1, 0)).toBeNull()
  })

  it('gives what meets a rectangle once', () => {
    const store = new ObjectStore(grid)
    store.add(TileObjects.from(picture, 253, 254, every), every)
    expect(store.inRect({ x: 0, y: 0, width: 1024, height: 1024 })).toHaveLength(3)
    expect(store.inRect({ x: 258, y: 254, width: 1, height: 1 })).toHaveLength(1)
    expect(store.inRect({ x: 252, y: 254, width: 1, height: 9 })).toHaveLength(0)
  })
})

describe('describeObject', () => {
  const object = TileObjects.from(picture, 0, 0, every).object(0)
  const names = ['hematoxylin', 'eosin', 'residual']

  it('reads in µm on a calibrated slide', () => {
    const details = describeObject(object, 7, { scale: 2, analysedMpp: 0.5, stainNames: names }, [])
    expect(details).toMatchObject({ id: 7, unit: 'um', area: 1.25, bounds: { x: 0, y: 0, width: 6, height: 6 } })
    expect(details.centroid.x).toBeCloseTo(3, 9)
    expect(details.stains[0]).toEqual({ name: 'hematoxylin', mean: 0.5, std: 0, min: 0, max: 0 })
  })

  it('reads in level-0 px on an uncalibrated one', () => {
    expect(describeObject(object, 1, { scale: 2, analysedMpp: null, stainNames: names }, [])).toMatchObject({
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
