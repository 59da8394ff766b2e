// A run says what it could not see: objects at the rim of their window, and places of the overview that cannot be read.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { isPartialRun } from '../../../app/contract'
import type { Recipe, RunStatus } from '../../../app/contract'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis } from '../../../main/run/analysis/analysis'
import { Overviews } from '../../../main/run/analysis/overviews'
import type { Draft } from '../../../main/run/analysis/analysis'
import type { BlockResult } from '../../../main/run/tiles/computeTile'
import type { TileObjects } from '../../../main/run/objects/tileObjects'
import { TileResults } from '../../../main/run/tiles/tileResults'
import { Slides } from '../../../main/slide/slides'
import { runOf } from './runOf'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const sample = `${assets}/samples/CMU-1-Small-Region.svs`
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
afterAll(() => slides.closeAll())

async function draftOf(path: string, id = 'he-nuclei', values: Recipe['params'] = {}): Promise<Draft> {
  const spec = await openSpecs(assets).get(id)
  const recipe = defaultRecipe(spec)
  for (const [stage, given] of Object.entries(values)) recipe.params[stage] = { ...recipe.params[stage], ...given }
  return draftAnalysis(await slides.open(path), spec, recipe)
}

async function ran(draft: Draft, purpose: 'run' | 'preview', tiles = new TileResults()): Promise<RunStatus> {
  const run = runOf(draft, { region: { x: 900, y: 900, width: 400, height: 400 }, purpose, tiles })
  await run.begin()
  return run.status()
}

it.each(['run', 'preview'] as const)('a %s whose halo is too small grows its windows until no object is cut', async (purpose) => {
  const draft = await draftOf(sample)
  const whole = await ran(draft, purpose)
  expect(whole).toMatchObject({ state: 'done', cutObjects: 0, warnings: [] })
  const status = await ran({ ...draft, haloPx: 3 }, purpose)
  expect(status).toMatchObject({ objects: whole.objects, cutObjects: 0, warnings: [] })
  const { checkedMegapixels, certainMegapixels, grownWindows, grownMegapixels, ...windows } = status.certainty
  expect(windows.checkedWindows).toBe(whole.certainty.checkedWindows)
  expect(windows.leftUncertain).toBe(0)
  // A run's later windows are wider, as its first ones had to grow.
  expect(windows.certainAtOnce).toBeLessThanOrEqual(purpose === 'run' ? windows.checkedWindows - 1 : 0)
  expect(whole.certainty.certainAtOnce).toBeGreaterThan(0)
  expect(certainMegapixels).toBeCloseTo(checkedMegapixels, 9)
  // As many windows as parts that are uncertain, which with the usual halo are smaller.
  expect(grownWindows).toBeGreaterThan(0)
  expect(grownMegapixels).toBeGreaterThan(whole.certainty.grownMegapixels)
})

/** Of each tile the first object reaches the rim of a window that growing has not settled. */
class Cutting extends TileResults {
  override getBlock(...asked: Parameters<TileResults['getBlock']>): Promise<BlockResult> {
    return super.getBlock(...asked).then(cutting)
  }
  override getPiece(...asked: Parameters<TileResults['getPiece']>): Promise<BlockResult> {
    return super.getPiece(...asked).then(cutting)
  }
}
const cutting = (found: BlockResult): BlockResult => ({
  ...found,
  tiles: found.tiles.map((tile) => ({
    ...tile,
    owned: Object.create(tile.owned, { cutRows: { value: tile.owned.count > 0 ? [0] : [] } }) as TileObjects,
  })),
})

it.each(['run', 'preview'] as const)('a %s counts the objects that its windows cut', async (purpose) => {
  const draft = await draftOf(sample)
  const status = await ran(draft, purpose, new Cutting())
  // Of the tiles that the region touches, some first objects lie beside it.
  expect(status.cutObjects).toBeGreaterThan(2)
  expect(status.cutObjects).toBeLessThanOrEqual(9)
  expect(status.warnings).toEqual([
    expect.stringMatching(new RegExp(`^${status.cutObjects} objects? reach(es)? farther than the ${draft.haloPx} px`)),
  ])
})

/** The same slide, whose reads for the overview are counted. */
function counted(draft: Draft): { draft: Draft; reads: () => number } {
  let reads = 0
  const { native } = draft.slide
  const counting = Object.assign(Object.create(native) as typeof native, {
    readScaled: (...args: Parameters<typeof native.readScaled>) => {
      reads += 1
      return native.readScaled(...args)
    },
  })
  return { draft: { ...draft, slide: { ...draft.slide, native: counting } }, reads: () => reads }
}

it('an overview asks once more for what a drive did not give at first', async () => {
  const draft = await draftOf(sample)
  const known = await new Overviews().complete(draft, 1)
  const asked = new Set<string>()
  const { native } = draft.slide
  const failing = Object.assign(Object.create(native) as typeof native, {
    readScaled: async (...args: Parameters<typeof native.readScaled>) => {
      const read = await native.readScaled(...args)
      const place = JSON.stringify(args.slice(0, 5))
      if (asked.has(place)) return read
      asked.add(place)
      const [, x, y, width, height] = args
      return { ...read, rgba: read.rgba.fill(255), unreadable: [{ region: { x, y, width, height }, reason: 'a drive' }] }
    },
  })
  const found = await new Overviews().complete({ ...draft, slide: { ...draft.slide, native: failing } }, 1)
  expect(asked.size).toBeGreaterThan(0)
  expect(found.params).toEqual(known.params)
  expect(found.warnings).toEqual([])
})

it('an overview with places that cannot be read says so, takes others, and is not kept', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'overview-'))
  const path = join(dir, 'damaged.svs')
  await writeFile(path, (await readFile(sample)).fill(0xa5, 900_000, 925_000))
  const damaged = await draftOf(path)
  const intact = counted(await draftOf(sample))
  const known = await new Overviews().complete(intact.draft, 1)
  const overviews = new Overviews()
  await overviews.complete(intact.draft, 1)
  const onceRead = intact.reads()
  await overviews.complete(intact.draft, 1)
  expect(intact.reads()).toBe(onceRead)

  const watched = counted(damaged)
  const found = await overviews.complete(watched.draft, 1)
  expect(found.warnings).toEqual([expect.stringMatching(/^\d+ of the places where the slide is sampled .* could not be read/)])
  expect(found.params).not.toEqual(known.params)
  // Nothing that such values give is certain. With those of the intact slide it is, as far as it could be read.
  const status = await ran(damaged, 'run')
  expect(status.warnings.filter((words) => words.includes('nothing of this result is certain'))).toEqual(found.warnings)
  expect(status.certainty.checkedMegapixels).toBeGreaterThan(0)
  expect(status).toMatchObject({ valuesUncertain: true, certainty: { certainMegapixels: 0, certainAtOnce: 0 } })
  expect(isPartialRun(status)).toBe(true)
  // Its tiles are as good as the file gave them.
  expect(status.uncertainTiles ?? 0).toBeLessThan(status.tilesDone - status.unreadableTiles)
  const begun = await overviews.complete(damaged, 1, undefined, { resolved: known.params })
  expect(begun).toMatchObject({ params: known.params, unread: null, warnings: [] })
  await expect(overviews.stains(damaged, 'macenko', undefined, new AbortController().signal)).rejects.toMatchObject({
    code: 'SLIDE_UNREADABLE',
  })
  const before = watched.reads()
  expect((await overviews.complete(watched.draft, 1)).params).toEqual(found.params)
  expect(watched.reads()).toBeGreaterThan(before)
  await rm(dir, { recursive: true, force: true })
})
