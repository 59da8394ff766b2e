// Plans: which tiles a region needs, in which order, with which halo; regions side by side share a slide exactly.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestFirst } from '../../../main/run/plan/nearestFirst'
import {
  blockSizes,
  Plan,
  coreOf,
  fieldAround,
  gridOf,
  regionInGrid,
  regionOnSlide,
  tilesIn,
  windowOf,
} from '../../../main/run/plan/plan'

const grid = gridOf(1000, 700, 2, 256)

describe('gridOf', () => {
  it('halves until one tile holds the slide', () => {
    expect(gridOf(256, 256, 1, 256).maxLevel).toBe(0)
    expect(gridOf(257, 1, 1, 256).maxLevel).toBe(1)
    expect(gridOf(1, 1025, 1, 256).maxLevel).toBe(3)
  })
})

describe('regionInGrid', () => {
  it('clips to the slide and is null outside', () => {
    expect(regionInGrid(grid, { x: -10, y: -10, width: 30, height: 1e6 })).toEqual({ x: 0, y: 0, width: 10, height: 700 })
    expect(regionInGrid(grid, { x: 2000, y: 0, width: 10, height: 10 })).toBeNull()
    expect(regionInGrid(grid, { x: -10, y: 0, width: 10, height: 10 })).toBeNull()
    // Between two analysed corners there is no pixel.
    expect(regionInGrid(grid, { x: 1, y: 0, width: 1, height: 10 })).toBeNull()
  })

  it('gives every pixel to exactly one of two neighbours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1990 }), fc.constantFrom(1, 2, 2.0007, 0.5, 1.37), (cut, scale) => {
        const g = gridOf(Math.floor(2000 / scale), 100, scale, 256)
        const left = regionInGrid(g, { x: 0, y: 0, width: cut, height: 5000 })
        const right = regionInGrid(g, { x: cut, y: 0, width: 5000, height: 5000 })
        expect((left?.width ?? 0) + (right?.width ?? 0)).toBe(g.widthPx)
        if (left && right) expect(left.x + left.width).toBe(right.x)
      }),
    )
  })

  it('is undone by regionOnSlide for whole pixels', () => {
    fc.assert(
      fc.property(
        fc.nat(900),
        fc.nat(600),
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(1, 2, 2.0007, 0.5),
        (x, y, size, scale) => {
          const g = gridOf(1000, 700, scale, 256)
          const rect = { x, y, width: size, height: size }
          const back = regionInGrid(g, regionOnSlide(g, rect))!
          // At fractional scales the level-0 rectangle may reach into one more pixel, never into one less.
          expect(back.x).toBeLessThanOrEqual(x)
          expect(back.x + back.width).toBeGreaterThanOrEqual(x + size)
          if (Number.isInteger(scale)) expect(back).toEqual(rect)
        },
      ),
    )
  })
})

describe('Plan.tiles', () => {
  it('covers the region, each tile once, nearest to the focus first', () => {
    const plan = new Plan(grid, { x: 200, y: 10, width: 400, height: 300 }, { x: 590, y: 20 })
    const tiles = [...plan.tiles()]
    expect(plan.tileCount).toBe(3 * 2)
    expect(tiles[0]).toEqual({ x: 2, y: 0 })
    expect(new Set(tiles.map((t) => `${t.x}_${t.y}`)).size).toBe(6)
    expect(tiles.at(-1)).toEqual({ x: 0, y: 1 })
    expect([plan.has({ x: 2, y: 1 }), plan.has({ x: 3, y: 1 }), plan.has({ x: 0, y: 2 })]).toEqual([true, false, false])
  })

  it('starts in the middle without a focus, ties in raster order', () => {
    const plan = new Plan(gridOf(512, 512, 1, 256), { x: 0, y: 0, width: 512, height: 512 })
    expect([...plan.tiles()]).toEqual([
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 0, y: 1 },
      { x: 1, y: 1 },
    ])
  })
})

describe('Plan.without', () => {
  const small = gridOf(1000, 700, 1, 100)
  const plan = new Plan(small, { x: 150, y: 120, width: 700, height: 550 })
  const cell = (x: number, y: number) => ({ x, y })

  it('is everything where nothing is done, and nothing where all is', () => {
    expect(plan.without([])).toEqual([{ x: 100, y: 100, width: 800, height: 600 }])
    const all = [...plan.tiles()].sort((a, b) => a.y - b.y || a.x - b.x)
    expect(plan.without(all)).toEqual([])
  })

  it('keeps rows without a done tile together, and parts of the others', () => {
    expect(plan.without([cell(3, 3)])).toEqual([
      { x: 100, y: 100, width: 800, height: 200 },
      { x: 100, y: 300, width: 200, height: 100 },
      { x: 400, y: 300, width: 500, height: 100 },
      { x: 100, y: 400, width: 800, height: 300 },
    ])
  })

  it('is, tile by tile, what is not done', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(6))), (picked) => {
        const done = new Set(picked.map(([x, y]) => y * 10 + x))
        const rest = plan.without([...done].sort((a, b) => a - b).map((at) => cell(at % 10, Math.floor(at / 10))))
        const times = new Map<number, number>()
        for (const part of rest)
          for (const { x, y } of tilesIn(small, part)) times.set(y * 10 + x, (times.get(y * 10 + x) ?? 0) + 1)
        for (const { x, y } of plan.tiles()) expect(times.get(y * 10 + x) ?? 0).toBe(done.has(y * 10 + x) ? 0 : 1)
      }),
    )
  })

  it('costs its rows and what is done, whatever the slide', () => {
    const huge = gridOf(2 ** 21, 2 ** 21, 1, 256)
    const rest = new Plan(huge, { x: 0, y: 0, width: 2 ** 21, height: 2 ** 21 }).without([cell(4000, 4000)])
    expect(rest).toHaveLength(4)
    expect(rest.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(2 ** 42 - 2 ** 16)
  })
})

describe('nearestFirst', () => {
  it('gives every cell of a range once, in the order of all distances, from any focus', () => {
    const range = fc.record({
      x0: fc.nat(20),
      y0: fc.nat(20),
      w: fc.integer({ min: 1, max: 25 }),
      h: fc.integer({ min: 1, max: 25 }),
    })
    const place = fc.double({ min: -30, max: 70, noNaN: true })
    fc.assert(
      fc.property(range, place, place, ({ x0, y0, w, h }, x, y) => {
        const cells = [...nearestFirst({ x0, y0, x1: x0 + w - 1, y1: y0 + h - 1 }, { x, y })]
        expect(new Set(cells.map((cell) => `${cell.x}_${cell.y}`)).size).toBe(w * h)
        expect(cells).toHaveLength(w * h)
        const fx = Math.min(Math.max(x, x0), x0 + w)
        const fy = Math.min(Math.max(y, y0), y0 + h)
        const distances = cells.map((cell) => (cell.x + 0.5 - fx) ** 2 + (cell.y + 0.5 - fy) ** 2)
        for (let i = 1; i < distances.length; i++) {
          expect(distances[i]).toBeGreaterThanOrEqual(distances[i - 1]!)
          const [a, b] = [cells[i - 1]!, cells[i]!]
          if (distances[i] === distances[i - 1]) expect(b.y > a.y || (b.y === a.y && b.x > a.x)).toBe(true)
        }
      }),
    )
  })

  it('costs its front alone: of a plan of 2^42 px the first blocks and the counts come at once', () => {
    const huge = gridOf(2 ** 21, 2 ** 21, 1)
    const plan = new Plan(huge, { x: 0, y: 0, width: 2 ** 21, height: 2 ** 21 }, { x: 2 ** 20 + 5, y: 77 })
    expect([plan.tileCount, plan.blockCount]).toEqual([2 ** 26, 2 ** 22])
    const before = process.memoryUsage().heapUsed
    let count = 0
    for (const { core } of plan.blocks()) {
      if (count === 0) expect(core).toEqual({ x: 2 ** 20, y: 0, width: 1024, height: 1024 })
      if ((count += 1) === 2000) break
    }
    // An array of its tiles took 4.9 GB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 2 ** 20)
  })
})

describe('Plan.blocks', () => {
  const wide = gridOf(5000, 4000, 1, 256)
  const blocks = (x: number, y: number, width: number, height: number) => [
    ...new Plan(wide, { x, y, width, height }, { x: 1100, y: 10 }).blocks(),
  ]

  it('gives squares of tiles, the one at the focus first, each tile once', () => {
    const all = blocks(0, 0, 5000, 4000)
    expect(all).toHaveLength(5 * 4)
    expect(all[0]!.core).toEqual({ x: 1024, y: 0, width: 1024, height: 1024 })
    expect(all[0]!.tiles).toHaveLength(16)
    expect(new Set(all.flatMap(({ tiles }) => tiles.map(({ x, y }) => `${x}_${y}`))).size).toBe(20 * 16)
    for (const block of all) {
      const own = [...block.tiles].sort((a, b) => a.y - b.y || a.x - b.x)
      expect(tilesIn(wide, block.core)).toEqual(own)
      expect(block.square).toEqual(block.core)
    }
  })

  it('goes group by group, so that neighbours are computed soon after each other, the one at the focus first', () => {
    const grid = gridOf(40 * 1024, 33 * 1024, 1, 256)
    const focus = { x: 23.5 * 1024, y: 9.2 * 1024 }
    const cells = [...new Plan(grid, { x: 0, y: 0, width: 40 * 1024, height: 33 * 1024 }, focus).blocks()].map(({ core }) => ({
      x: core.x / 1024,
      y: core.y / 1024,
    }))
    expect(new Set(cells.map(({ x, y }) => `${x}_${y}`)).size).toBe(40 * 33)
    expect(cells).toHaveLength(40 * 33)
    expect(cells[0]).toEqual({ x: 23, y: 9 })
    // The group around the focus: 8 × 8 of them, nearest first.
    const near = cells.slice(0, 64)
    expect(near.every(({ x, y }) => x >= 19 && x <= 26 && y >= 5 && y <= 12)).toBe(true)
    const distances = near.map(({ x, y }) => (x - 23) ** 2 + (y + 0.5 - 9.2) ** 2)
    expect(distances).toEqual([...distances].sort((a, b) => a - b))
    // Right and below neighbours come within the group's own blocks, but for one side of it.
    const turn = new Map(cells.map(({ x, y }, i) => [`${x}_${y}`, i]))
    const late = cells.filter(
      ({ x, y }) => Math.abs((turn.get(`${x + 1}_${y}`) ?? turn.get(`${x}_${y}`)!) - turn.get(`${x}_${y}`)!) >= 64,
    )
    expect(late.length).toBeLessThan(cells.length / 6)
  })

  it('are of eight tiles across where they are large, and their groups lie where those of usual ones do', () => {
    const grid = gridOf(40 * 1024, 33 * 1024, 1, 256)
    const region = { x: 0, y: 0, width: 40 * 1024, height: 33 * 1024 }
    const focus = { x: 21 * 1024, y: 9 * 1024 }
    const large = [...new Plan(grid, region, focus, blockSizes.large).blocks()]
    expect(large).toHaveLength(20 * 17)
    expect(large[0]!.core).toEqual({ x: 20 * 1024, y: 8 * 1024, width: 2048, height: 2048 })
    expect(large[0]!.tiles).toHaveLength(64)
    // The group around the focus: 4 × 4 of them, as wide as 8 × 8 usual ones.
    const first = large.slice(0, 16).map(({ core }) => [core.x / 2048, core.y / 2048] as const)
    expect(first.every(([x, y]) => x >= 8 && x <= 11 && y >= 2 && y <= 5)).toBe(true)
  })

  it('hold the tiles that are asked for, in squares that lie at the same place whatever the region, and end with the slide', () => {
    const [block, ...more] = blocks(4900, 3900, 10, 10)
    expect(more).toEqual([])
    expect(block).toEqual({
      tiles: [{ x: 19, y: 15 }],
      core: { x: 4864, y: 3840, width: 136, height: 160 },
      square: { x: 4096, y: 3072, width: 904, height: 928 },
    })
    const parts = blocks(1000, 1000, 1500, 1500)
    expect(parts.map(({ square }) => square.width * square.height)).toEqual(Array.from({ length: 9 }, () => 1024 ** 2))
    const pixels = parts.reduce((sum, { core }) => sum + core.width * core.height, 0)
    expect(pixels).toBe((7 * 256) ** 2)
  })
})

describe('windowOf', () => {
  it('reaches beyond the tile up to the edge of the slide', () => {
    expect(windowOf(grid, coreOf(grid, { x: 0, y: 0 }), 50)).toEqual({
      x: 0,
      y: 0,
      width: 306,
      height: 306,
      core: { x: 0, y: 0, width: 256, height: 256 },
    })
    expect(windowOf(grid, coreOf(grid, { x: 1, y: 1 }), 50)).toEqual({
      x: 206,
      y: 206,
      width: 356,
      height: 356,
      core: { x: 50, y: 50, width: 256, height: 256 },
    })
    expect(windowOf(grid, coreOf(grid, { x: 3, y: 2 }), 50)).toEqual({
      x: 718,
      y: 462,
      width: 282,
      height: 238,
      core: { x: 50, y: 50, width: 232, height: 188 },
    })
  })

  it('always holds its core, and cores tile the slide', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), fc.nat(300), (width, height, halo) => {
        const g = gridOf(width, height, 1, 256)
        let pixels = 0
        for (const tile of new Plan(g, { x: 0, y: 0, width, height }).tiles()) {
          const core = coreOf(g, tile)
          const w = windowOf(g, core, halo)
          pixels += core.width * core.height
          expect(w.x + w.core.x).toBe(core.x)
          expect(w.core.x + w.core.width).toBeLessThanOrEqual(w.width)
          expect(w.x).toBeGreaterThanOrEqual(0)
          expect(w.y + w.height).toBeLessThanOrEqual(height)
        }
        expect(pixels).toBe(width * height)
      }),
    )
  })
})

describe('fieldAround', () => {
  it('keeps small regions and cuts large ones around the focus, inside the region', () => {
    const all = { x: 0, y: 0, width: 1000, height: 1000 }
    expect(fieldAround(all, { x: 0, y: 0 }, 1e6)).toBe(all)
    expect(fieldAround(all, { x: 500, y: 500 }, 10_000)).toEqual({ x: 450, y: 450, width: 100, height: 100 })
    expect(fieldAround(all, { x: 0, y: 1e9 }, 10_000)).toEqual({ x: 0, y: 900, width: 100, height: 100 })
    expect(fieldAround({ x: 0, y: 0, width: 10_000, height: 10 }, { x: 5000, y: 5 }, 1000)).toEqual({
      x: 4950,
      y: 0,
      width: 100,
      height: 10,
    })
  })
})
