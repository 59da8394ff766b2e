// Cells around nuclei do not depend on the window that found them: outline and figures are the same by tile, piece, block and untiled.
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis } from '../../../main/run/analysis/analysis'
import { Overviews } from '../../../main/run/analysis/overviews'
import { decodeTiles, encodeTiles } from '../../../main/run/journal/journalTiles'
import { Plan } from '../../../main/run/plan/plan'
import type { Block } from '../../../main/run/plan/plan'
import type { TileObjects } from '../../../main/run/objects/tileObjects'
import { computeBlock } from '../../../main/run/tiles/computeTile'
import { Slides } from '../../../main/slide/slides'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
afterAll(() => slides.closeAll())

const analysisWith = async (spec: string, values: Record<string, Record<string, number | string>>) => {
  const slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  const known = await openSpecs(assets).get(spec)
  const plain = defaultRecipe(known)
  const params = { ...plain.params }
  for (const [stage, own] of Object.entries(values)) params[stage] = { ...params[stage], ...own }
  return new Overviews().complete(draftAnalysis(slide, known, { ...plain, params }), 2)
}

/** Each cell by its nucleus's first pixel. */
function cellsIn(all: readonly TileObjects[]): Map<string, unknown> {
  const cells = new Map<string, unknown>()
  for (const objects of all)
    for (let row = 0; row < objects.count; row++) {
      const object = objects.object(row)
      cells.set(`${object.firstX} ${object.firstY}`, [[...(object.cellRuns ?? [])], [...(object.channelFigures ?? [])]])
    }
  return cells
}

it.each([
  ['he-nuclei', { cells: { expansion: 6 } }],
  ['ihc-nuclei', { cells: { expansion: 3.3, membraneWidth: 0.75 } }],
  ['cell-detection', { cell: { object: 'both' } }],
])('%s gives the same cells in tiles, in blocks of two sizes, and with another number of threads', async (spec, values) => {
  const analysis = await analysisWith(spec, values)
  const of = async (block: Block, threads: number, haloPx = analysis.haloPx) =>
    (await computeBlock({ ...analysis, haloPx }, block, { wanted: 'objects', threads })).tiles.map(({ owned }) => owned)
  const [first] = [...new Plan(analysis.grid, { x: 512, y: 512, width: 500, height: 500 }, undefined, 4).blocks()]
  // A single tile's window grows to millions of pixels with this recipe, as eosin counts as brown.
  const rows = spec === 'ihc-nuclei' ? [2] : [2, 3]
  const tiles = rows.flatMap((y) => [2, 3].map((x) => ({ x, y })))
  const whole = { core: { x: 512, y: 512, width: 512, height: 256 * rows.length }, tiles }
  const together = cellsIn(await of(whole, 2))
  const alone = cellsIn(
    (
      await Promise.all(
        tiles.map((tile) => of({ core: { x: tile.x * 256, y: tile.y * 256, width: 256, height: 256 }, tiles: [tile] }, 1)),
      )
    ).flat(),
  )
  const larger = cellsIn(await of({ ...first!, tiles }, 2, 2 * analysis.haloPx + 64))
  expect(together.size).toBeGreaterThan(30)
  expect(alone).toEqual(together)
  expect(larger).toEqual(together)
  if (spec === 'he-nuclei') {
    // Nothing around a core: cells along its border have windows of their own.
    const { tiles: found } = await computeBlock({ ...analysis, cells: { ...analysis.cells!, marginPx: 0 } }, whole, {
      wanted: 'objects',
      threads: 1,
    })
    expect(cellsIn(found.map(({ owned }) => owned))).toEqual(together)
  }
  for (const [runs, figures] of together.values() as Iterable<[number[], number[]]>) {
    expect(runs.length).toBeGreaterThan(0)
    expect(figures[0]).toBe(runs.reduce((sum, _, i) => (i % 3 === 0 ? sum + runs[i + 2]! - runs[i + 1]! : sum), 0))
  }
})

it('holds each nucleus in its cell, no pixel in two, and comes back from a journal', async () => {
  const analysis = await analysisWith('he-nuclei', { cells: { expansion: 6 } })
  const tile = { x: 3, y: 3 }
  const block = { core: { x: 768, y: 768, width: 256, height: 256 }, tiles: [tile] }
  const [result] = (await computeBlock(analysis, block, { wanted: 'objects', threads: 2 })).tiles
  const owned = result!.owned
  const taken = new Set<string>()
  const pixels = (runs: Int32Array): string[] => {
    const all: string[] = []
    for (let r = 0; r < runs.length; r += 3) for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) all.push(`${x} ${runs[r]}`)
    return all
  }
  for (let row = 0; row < owned.count; row++) {
    const object = owned.object(row)
    const cell = pixels(object.cellRuns!)
    const own = new Set(cell)
    expect(pixels(object.runs).every((pixel) => own.has(pixel))).toBe(true)
    for (const pixel of cell) {
      expect(taken.has(pixel)).toBe(false)
      taken.add(pixel)
    }
  }
  const bytes = encodeTiles([tile], [owned], null)
  const back = decodeTiles(new Uint8Array(Buffer.concat(bytes)), analysis.grid)
  expect(cellsIn(back.objects)).toEqual(cellsIn([owned]))
})

it('has none where nobody asks', async () => {
  const analysis = await analysisWith('he-nuclei', {})
  expect(analysis.cells).toBeNull()
  const [result] = (
    await computeBlock(
      analysis,
      { core: { x: 768, y: 768, width: 256, height: 256 }, tiles: [{ x: 3, y: 3 }] },
      { wanted: 'objects', threads: 2 },
    )
  ).tiles
  expect(result!.owned.object(0).cellRuns).toBeNull()
  expect(result!.owned.object(0).channelFigures).toEqual([])
})
