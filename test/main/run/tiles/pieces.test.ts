// A preview's windows: every tile in exactly one, few, in order; and what they find is what each tile finds in its own window.
import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import type { TileResult } from '../../../../main/run/tiles/computeTile'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { cutOf, missingPieces, piecesOf } from '../../../../main/run/plan/pieces'
import { Plan, gridOf, windowOf } from '../../../../main/run/plan/plan'
import type { Block, TileIndex } from '../../../../main/run/plan/plan'
import type { TileObjects } from '../../../../main/run/objects/tileObjects'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import { Slides } from '../../../../main/slide/slides'
import { MEASUREMENT_FIELDS } from '../../../../native/index'

const grid = gridOf(20_000, 15_000, 1)
const pixelsOf = (blocks: readonly Block[], halo: number): number =>
  blocks.reduce((sum, { core }) => {
    const { width, height } = windowOf(grid, core, halo)
    return sum + width * height
  }, 0)

describe('missingPieces', () => {
  const tiles = [...new Plan(grid, { x: 1000, y: 1000, width: 1920, height: 1080 }).tiles()]
  const all = piecesOf(grid, tiles, 143, 2)

  it('stay in their places where an interrupted preview has left whole windows', () => {
    expect(all.length).toBeGreaterThan(1)
    for (let done = 0; done < all.length; done++) {
      const kept = new Set(all.slice(0, done).flatMap((piece) => piece.tiles))
      const left = missingPieces(grid, tiles, (tile) => !kept.has(tile), 143, 2)
      expect(left.map(({ core }) => core)).toEqual(all.slice(done).map(({ core }) => core))
    }
    const last = all.at(-1)!
    // Alone it may have all threads.
    expect(missingPieces(grid, tiles, (tile) => last.tiles.includes(tile), 143, 2)).toEqual([{ ...last, threads: 2 }])
    expect(missingPieces(grid, tiles, () => false, 143, 2)).toEqual([])
  })

  it('are cut anew where the view has moved and parts of windows are there', () => {
    const isNew = ({ x }: TileIndex) => x === tiles.reduce((most, tile) => Math.max(most, tile.x), 0)
    const left = missingPieces(grid, tiles, isNew, 143, 2)
    expect(left).toEqual(piecesOf(grid, tiles.filter(isNew), 143, 2))
    expect(pixelsOf(left, 143)).toBeLessThan(0.5 * pixelsOf(all, 143))
  })
})

describe('piecesOf', () => {
  it('gives each tile once, inside its piece, the nearest first', () => {
    const places = fc.record({
      x: fc.nat(15_000),
      y: fc.nat(12_000),
      width: fc.integer({ min: 1, max: 5000 }),
      height: fc.integer({ min: 1, max: 3000 }),
    })
    const kept = fc.func(fc.boolean())
    fc.assert(
      fc.property(places, fc.nat(300), fc.integer({ min: 1, max: 32 }), kept, (region, halo, workers, isKept) => {
        const tiles = [...new Plan(grid, region).tiles()].filter((tile) => !isKept(tile.x, tile.y))
        const pieces = piecesOf(grid, tiles, halo, workers)
        const named = pieces.flatMap((piece) => piece.tiles.map(({ x, y }) => `${x}_${y}`))
        expect(named.length).toBe(tiles.length)
        expect(new Set(named)).toEqual(new Set(tiles.map(({ x, y }) => `${x}_${y}`)))
        expect(pieces[0]?.tiles[0]).toEqual(tiles[0])
        for (const { core, tiles: own, threads } of pieces) {
          expect(threads).toBeGreaterThan(0)
          expect(threads).toBeLessThanOrEqual(workers)
          for (const { x, y } of own) {
            expect([x * 256 >= core.x, y * 256 >= core.y]).toEqual([true, true])
            expect(Math.min((x + 1) * 256, grid.widthPx)).toBeLessThanOrEqual(core.x + core.width)
            expect(Math.min((y + 1) * 256, grid.heightPx)).toBeLessThanOrEqual(core.y + core.height)
          }
        }
      }),
    )
  })

  it('computes a third of what single tiles do for a screen, with one tile before the rest', () => {
    const tiles = [...new Plan(grid, { x: 1000, y: 1000, width: 1920, height: 1080 }).tiles()]
    const single = pixelsOf(
      tiles.map((tile) => ({ tiles: [tile], core: { x: tile.x * 256, y: tile.y * 256, width: 256, height: 256 } })),
      143,
    )
    for (const workers of [1, 2, 4]) {
      const pieces = piecesOf(grid, tiles, 143, workers)
      expect(pieces[0]!.tiles).toEqual([tiles[0]])
      expect(pieces.length).toBeLessThanOrEqual(workers + 1)
      expect(pixelsOf(pieces, 143)).toBeLessThan(single / 2.5)
    }
    // Many workers have a window each, or share a few: none is left without.
    for (const workers of [8, 16, 64]) {
      const [, ...pieces] = piecesOf(grid, tiles, 143, workers)
      const used = pieces.reduce((sum, { threads }) => sum + threads, 0)
      expect(used).toBeGreaterThanOrEqual(workers * 0.6)
      expect(used).toBeLessThanOrEqual(workers)
      expect(pixelsOf(pieces, 143)).toBeLessThan(single / 1.5)
    }
  })

  it('keeps windows small where the field is large, and has nothing to do for nothing', () => {
    const tiles = [...new Plan(grid, { x: 0, y: 0, width: 8000, height: 5000 }).tiles()]
    for (const piece of piecesOf(grid, tiles, 143, 2)) expect(pixelsOf([piece], 143)).toBeLessThanOrEqual(5_000_000)
    // A tile's window that is larger than that is as it is.
    expect(cutOf(3, 2, 256, 2000, 2)).toEqual({ columns: 3, rows: 2 })
    expect(piecesOf(grid, [], 143, 2)).toEqual([])
  })
})

describe('getPiece', () => {
  const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
  const slides = new Slides(
    () => undefined,
    () => undefined,
    () => false,
  )
  afterAll(() => slides.closeAll())
  const told = (objects: TileObjects): unknown[] =>
    Array.from({ length: objects.count }, (_, row) => [
      MEASUREMENT_FIELDS.map((field) => objects.value(row, field)),
      [...objects.runsOf(row)],
      objects.cutRows.includes(row),
    ])
  const seen = ({ owned, overlapping, planes }: TileResult): unknown => [
    told(owned),
    told(overlapping!),
    planes?.map(({ name, kind, width, height }) => [name, kind, width, height]),
  ]

  it('finds what single tiles do, with every bundled recipe, and keeps it for clicks and looks', async () => {
    const slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
    // What shines has nothing to do with this slide: all of it would be one object.
    const specs = (await openSpecs(assets).list()).filter(({ stainSet }) => stainSet !== 'rgb')
    expect(specs.length).toBeGreaterThanOrEqual(4)
    for (const spec of specs) {
      const analysis = await new Overviews().complete(draftAnalysis(slide, spec, defaultRecipe(spec)), 2)
      const results = new TileResults()
      const alone = new TileResults()
      // Its windows grow to millions of pixels on this slide, as eosin counts as brown.
      const size = spec.id === 'ihc-nuclei' ? { width: 300, height: 60 } : { width: 700, height: 500 }
      const tiles = [...new Plan(analysis.grid, { x: 520, y: 700, ...size }).tiles()]
      const pieces = piecesOf(analysis.grid, tiles, analysis.haloPx, 2)
      let objects = 0
      for (const piece of pieces) {
        const clicked = await results.getPiece(analysis, piece, { wanted: 'overlapping', threads: piece.threads })
        for (const [i, tile] of piece.tiles.entries()) {
          expect(results.cached(analysis, tile, 'overlapping')).toBe(clicked.tiles[i])
          expect(results.cached(analysis, tile, 'planes')).toBeUndefined()
        }
        const found = await results.getPiece(analysis, piece, { wanted: 'planes', threads: piece.threads })
        for (const [i, tile] of piece.tiles.entries()) {
          const single = await alone.get(analysis, tile, { wanted: 'planes', threads: 1 })
          expect([spec.id, tile, seen(found.tiles[i]!)]).toEqual([spec.id, tile, seen(single)])
          expect([spec.id, tile, seen({ ...found.tiles[i]!, planes: null })]).toEqual([spec.id, tile, seen(clicked.tiles[i]!)])
          for (const wanted of ['objects', 'overlapping', 'planes'] as const)
            expect(results.cached(analysis, tile, wanted)).toBe(found.tiles[i])
          expect(results.cachedOfBlock(analysis, tile)).toBeUndefined()
          // Coloured numbers that are no object's are the window's own.
          found.tiles[i]!.planes!.forEach((plane, n) => {
            if (plane.kind !== 'colored')
              expect([spec.id, plane.name, plane.data]).toEqual([spec.id, plane.name, single.planes![n]!.data])
          })
          objects += single.owned.count
        }
      }
      expect(objects).toBeGreaterThan(30)
    }
  })
})
