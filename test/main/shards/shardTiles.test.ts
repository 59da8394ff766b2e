// Which tiles a shard has: every tile once, neighbours together, whatever the size of the slide and the number of shards.
import { describe, expect, it } from 'vitest'
import { gridOf, Plan } from '../../../main/run/plan/plan'
import type { TileIndex } from '../../../main/run/plan/plan'
import { hilbert, ShardTiles } from '../../../main/run/plan/shardTiles'
import { seeded } from '../../stress/seeded'

const key = ({ x, y }: TileIndex): string => `${x},${y}`
const whole = (width: number, height: number) => ({ x: 0, y: 0, width, height })

describe('Hilbert’s order', () => {
  it('of four squares is the curve’s first step', () => {
    expect([...hilbert(2, 2)].map(key)).toEqual(['0,0', '0,1', '1,1', '1,0'])
  })

  it('of a square of any power of two goes from side to side, through each once', () => {
    for (const size of [1, 2, 4, 8, 32]) {
      const cells = [...hilbert(size, size)]
      expect(new Set(cells.map(key)).size).toBe(size * size)
      cells.slice(1).forEach((cell, i) => {
        const before = cells[i]!
        expect(Math.abs(cell.x - before.x) + Math.abs(cell.y - before.y)).toBe(1)
      })
    }
  })

  it('of any other rectangle has each cell once', () => {
    for (const [across, down] of [
      [1, 7],
      [5, 3],
      [48, 40],
    ] as const)
      expect(new Set([...hilbert(across, down)].map(key)).size).toBe(across * down)
  })
})

describe('the shards of a run', () => {
  it('have every tile of its region once, in 60 seeded slides, regions and numbers of shards', () => {
    const random = seeded(44)
    const upTo = (most: number): number => 1 + Math.floor(random() * most)
    for (let n = 0; n < 60; n++) {
      const [width, height] = [upTo(30_000), upTo(30_000)]
      const grid = gridOf(width, height, 1)
      const [x, y] = [Math.floor(random() * width), Math.floor(random() * height)]
      const region = n % 2 === 0 ? whole(width, height) : { x, y, width: upTo(width - x), height: upTo(height - y) }
      const of = upTo(n % 3 === 0 ? 3 : 40)
      const counts = new Map<string, number>()
      let tiles = 0
      for (let shard = 1; shard <= of; shard++) {
        const plan = new Plan(grid, region, undefined, 8, { shard, of })
        const own = [...plan.blocks()].flatMap((block) => block.tiles)
        expect(own.length).toBe(plan.tileCount)
        expect([...plan.tiles()].map(key).sort()).toEqual(own.map(key).sort())
        tiles += own.length
        for (const tile of own) counts.set(key(tile), (counts.get(key(tile)) ?? 0) + 1)
      }
      const all = [...new Plan(grid, region).tiles()]
      expect([tiles, counts.size]).toEqual([all.length, all.length])
      expect(all.every((tile) => counts.get(key(tile)) === 1)).toBe(true)
    }
  })

  it('share a large slide alike: of 98304 × 81920 px in 16 the largest has a tenth more than the smallest at most', () => {
    const grid = gridOf(98_304, 81_920, 1)
    const sizes = Array.from(
      { length: 16 },
      (_, k) => new ShardTiles(grid, whole(98_304, 81_920), { shard: k + 1, of: 16 }).tileCount,
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(384 * 320)
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.1)
  })

  it('have no more of a slide with tissue in one corner than twice their part', () => {
    const grid = gridOf(98_304, 81_920, 1)
    const isTissue = ({ x, y }: TileIndex): boolean => x < 128 && y < 160
    const tissue = Array.from({ length: 16 }, (_, k) => {
      const tiles = new ShardTiles(grid, whole(98_304, 81_920), { shard: k + 1, of: 16 })
      let count = 0
      for (let y = 0; y < 160; y++) for (let x = 0; x < 128; x++) if (isTissue({ x, y }) && tiles.has({ x, y })) count += 1
      return count
    })
    expect(Math.max(...tissue)).toBeLessThan((2 * 128 * 160) / 16)
  })

  it('cut no block in two: a window’s halo is computed once', () => {
    const grid = gridOf(40_000, 30_000, 1)
    const blocks = [...new Plan(grid, whole(40_000, 30_000), undefined, 8).blocks()]
    const inShards = Array.from({ length: 7 }, (_, k) => [
      ...new Plan(grid, whole(40_000, 30_000), undefined, 8, { shard: k + 1, of: 7 }).blocks(),
    ]).flat()
    expect(inShards.length).toBe(blocks.length)
  })

  it('of a slide smaller than their number are some of them empty', () => {
    const plans = Array.from(
      { length: 16 },
      (_, k) => new Plan(gridOf(600, 500, 1), whole(600, 500), undefined, 4, { shard: k + 1, of: 16 }),
    )
    expect(plans.filter(({ tileCount }) => tileCount > 0)).toHaveLength(1)
    expect(plans.filter(({ tileCount }) => tileCount === 0).flatMap((plan) => [...plan.blocks()])).toEqual([])
  })

  it('leave what other shards have to be done', () => {
    const grid = gridOf(4096, 4096, 1)
    const plan = new Plan(grid, whole(4096, 4096), undefined, 4, { shard: 1, of: 2 })
    const own = [...plan.tiles()].sort((a, b) => a.y - b.y || a.x - b.x)
    const rest = plan.without(own).reduce((sum, { width, height }) => sum + width * height, 0)
    expect(rest).toBe(4096 * 4096 - own.length * 256 * 256)
  })
})
