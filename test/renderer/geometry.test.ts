// Where things are on screen: transforms, the visible field, result tiles.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clip,
  containsRegion,
  intersect,
  levelForZoom,
  regionOfCorners,
  snapOutwards,
  tileSpan,
  tilesIn,
  toImage,
  toScreen,
  visibleBox,
  visibleExactly,
  visibleField,
  type View,
} from '../../renderer/arithmetic/geometry'

const view: View = { center: { x: 1000, y: 500 }, zoom: 2, rotation: 0, flipped: false, width: 800, height: 600 }
const views = fc.record({
  center: fc.record({ x: fc.integer({ min: 0, max: 100000 }), y: fc.integer({ min: 0, max: 100000 }) }),
  zoom: fc.double({ min: 0.001, max: 40, noNaN: true }),
  rotation: fc.integer({ min: 0, max: 359 }),
  flipped: fc.boolean(),
  width: fc.integer({ min: 10, max: 4000 }),
  height: fc.integer({ min: 10, max: 4000 }),
})

describe('view', () => {
  it('puts the centre in the middle and scales about it', () => {
    expect(toScreen(view, { x: 1000, y: 500 })).toEqual({ x: 400, y: 300 })
    expect(toScreen(view, { x: 1010, y: 500 })).toEqual({ x: 420, y: 300 })
  })
  it('turns clockwise', () => {
    const p = toScreen({ ...view, rotation: 90 }, { x: 1010, y: 500 })
    expect(p.x).toBeCloseTo(400)
    expect(p.y).toBeCloseTo(320)
  })
  it('changes left and right after it was turned', () => {
    const p = toScreen({ ...view, rotation: 90, flipped: true }, { x: 1010, y: 510 })
    expect(p.x).toBeCloseTo(420)
    expect(p.y).toBeCloseTo(320)
  })
  it('goes to the screen and back', () => {
    fc.assert(
      fc.property(views, fc.integer(), (v, n) => {
        const p = { x: v.center.x + (n % 1000), y: v.center.y - (n % 777) }
        const back = toImage(v, toScreen(v, p))
        return Math.abs(back.x - p.x) < 1e-6 * (1 + Math.abs(p.x)) && Math.abs(back.y - p.y) < 1e-6 * (1 + Math.abs(p.y))
      }),
    )
  })
  it('sees all four corners of the screen', () => {
    fc.assert(
      fc.property(views, (v) => {
        const box = visibleBox(v)
        const slack = 1e-6 * (1 + box.width + box.height)
        return [
          [0, 0],
          [v.width, 0],
          [0, v.height],
          [v.width, v.height],
        ].every(([x = 0, y = 0]) => {
          const p = toImage(v, { x, y })
          return (
            p.x >= box.x - slack && p.y >= box.y - slack && p.x <= box.x + box.width + slack && p.y <= box.y + box.height + slack
          )
        })
      }),
    )
  })
})

describe('regions', () => {
  it('snaps outwards to whole pixels and holds what is visible', () => {
    fc.assert(
      fc.property(views, (v) => {
        const box = visibleBox(v)
        const region = snapOutwards(box, v.zoom)
        return (
          Number.isInteger(region.x) &&
          Number.isInteger(region.width) &&
          region.x <= box.x &&
          region.y <= box.y &&
          region.x + region.width >= box.x + box.width &&
          region.y + region.height >= box.y + box.height
        )
      }),
    )
  })
  it('asks for the same field again after a small pan', () => {
    const a = visibleField({ ...view, center: { x: 1010, y: 500 } }, 5000, 5000)
    const b = visibleField({ ...view, center: { x: 1012, y: 503 } }, 5000, 5000)
    expect(a).toEqual(b)
  })
  it('clips to the slide, and is null beside it', () => {
    expect(clip({ x: -10, y: 5, width: 30, height: 10 }, 15, 12)).toEqual({ x: 0, y: 5, width: 15, height: 7 })
    expect(visibleExactly({ ...view, center: { x: -5000, y: 0 } }, 100, 100)).toBeNull()
  })
  it('takes two corners in any order', () => {
    expect(regionOfCorners({ x: 20.5, y: 30 }, { x: 10.2, y: 3.7 }, 100, 100)).toEqual({ x: 10, y: 3, width: 11, height: 27 })
  })
  it('compares and intersects', () => {
    expect(containsRegion({ x: 0, y: 0, width: 10, height: 10 }, { x: 2, y: 2, width: 8, height: 8 })).toBe(true)
    expect(containsRegion({ x: 0, y: 0, width: 10, height: 10 }, { x: 2, y: 2, width: 9, height: 8 })).toBe(false)
    expect(intersect({ x: 0, y: 0, width: 4, height: 4 }, { x: 4, y: 0, width: 4, height: 4 })).toBeNull()
  })
})

describe('result tiles', () => {
  it('picks the level whose pixels are nearest to the screen’s', () => {
    expect(levelForZoom(1, 1, 8)).toBe(0)
    expect(levelForZoom(0.5, 1, 8)).toBe(1)
    expect(levelForZoom(0.26, 1, 8)).toBe(2)
    expect(levelForZoom(0.5, 2, 8)).toBe(0)
    expect(levelForZoom(0.0001, 1, 3)).toBe(3)
    expect(levelForZoom(8, 1, 3)).toBe(0)
  })
  it('spans tileSize × 2^k × scale level-0 px', () => {
    expect(tileSpan({ tileSizePx: 256, scale: 1.5 }, 2)).toBe(1536)
  })
  it('covers a box with tiles, each once, the middle first', () => {
    const grid = { tileSizePx: 256, scale: 1 }
    const tiles = tilesIn(grid, 0, { x: 100, y: 0, width: 800, height: 512 })
    expect(tiles).toHaveLength(8)
    expect(new Set(tiles.map(({ x, y }) => `${x},${y}`)).size).toBe(8)
    expect([1, 2]).toContain(tiles[0]?.x)
    expect(tilesIn(grid, 0, { x: 256, y: 256, width: 256, height: 256 })).toEqual([{ level: 0, x: 1, y: 1 }])
  })
})
