// Recipes with a reconstruction without limit: everything that runs them sees the whole slide's background, whatever part it is asked for.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import type { PixelRect } from '../../../../main/base/rect'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import type { Draft } from '../../../../main/run/analysis/analysis'
import { explainAt } from '../../../../main/run/point/explain'
import { forPreview } from '../../../../main/run/analysis/previewReach'
import { Overviews } from '../../../../main/run/analysis/overviews'
import type { Run } from '../../../../main/run/run'
import { segmentAt } from '../../../../main/run/point/segment'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import { firstDifference, verified } from '../../../../main/run/verify'
import { Slides } from '../../../../main/slide/slides'
import type { OpenSlide } from '../../../../main/slide/slides'
import { objectsOf, ranTo, runOf } from '../runOf'
import type { How } from '../runOf'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const width = 1400
const height = 1100
const all: PixelRect = { x: 0, y: 0, width, height }
const part: PixelRect = { x: 530, y: 300, width: 480, height: 420 }
const reaches = { 'iwpp-nuclei': 'marker.reach', 'cell-detection': 'detection.backgroundReach' }
type Id = keyof typeof reaches
const ids = Object.keys(reaches) as Id[]

const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let dir: string
let slide: OpenSlide

/** A pale path from a pale patch up and down through every tile, and nuclei on and beside it: what its background is is decided far away. */
function picture(): Buffer {
  const rgb = Buffer.alloc(width * height * 3)
  let seed = 9
  const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32
  const put = (x: number, y: number, color: readonly number[]): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return
    color.forEach((value, c) => (rgb[(y * width + x) * 3 + c] = value + Math.floor(random() * 9) - 4))
  }
  const box = (x0: number, y0: number, x1: number, y1: number, color: readonly number[]): void => {
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) put(x, y, color)
  }
  const pale = [172, 150, 190]
  box(0, 0, width, height, [232, 190, 215])
  box(6, 6, 60, 60, pale)
  for (let x = 50, k = 0; x + 58 < width; x += 46, k++) {
    box(x, 30, x + 5, height - 12, pale)
    const y = k % 2 === 0 ? height - 17 : 30
    box(x, y, x + 51, y + 5, pale)
  }
  for (let y = 11; y < height; y += 23)
    for (let x = 11; x < width; x += 23) {
      const cx = x + 11 * random()
      const cy = y + 11 * random()
      const a = 5 + 5 * random()
      const b = 4 + 4 * random()
      for (let dy = -10; dy <= 10; dy++)
        for (let dx = -10; dx <= 10; dx++)
          if ((dx / a) ** 2 + (dy / b) ** 2 <= 1) put(Math.round(cx + dx), Math.round(cy + dy), [82, 60, 130])
    }
  return rgb
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'grounds-'))
  const path = join(dir, 'serpentine.png')
  await sharp(picture(), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toFile(path)
  slide = await slides.open(path, 0.5)
})
afterAll(async () => {
  slides.closeAll()
  await rm(dir, { recursive: true, force: true })
})

async function draftOf(id: Id, reachUm = 0, of = slide): Promise<Draft> {
  const spec = await openSpecs(assets).get(id)
  const recipe = defaultRecipe(spec)
  const [stage, key] = reaches[id].split('.') as [string, string]
  recipe.params[stage] = { ...recipe.params[stage], [key]: reachUm }
  return draftAnalysis(of, spec, recipe)
}

const begun = (draft: Draft, how: Partial<How> = {}): Run => runOf(draft, { region: all, ...how })
const ran = (draft: Draft, how: Partial<How> = {}): Promise<Run> => ranTo(draft, { region: all, ...how })
const groundTimings = ({ timings }: RunStatus) =>
  timings.filter(({ stage }) => stage === 'slide-background').map(({ part, kept }) => (kept ? 'kept' : part))

describe.each(ids)('%s with the whole slide’s background', (id) => {
  it('finds the same in a whole run, a region, a preview, a click and why, and what one window over all finds', async () => {
    const overviews = new Overviews()
    const draft = await draftOf(id)
    const whole = await ran(draft, { overviews })
    const objects = objectsOf(whole, part)
    expect(objects.length).toBeGreaterThan(50)
    expect(groundTimings(whole.status())).toContain('steps')
    expect(whole.status().certainty).toMatchObject({ leftUncertain: 0 })

    // Computed untiled, background and all.
    const untiled = await verified(whole.analysis!, whole.objects, [all], 2, undefined)
    expect([untiled.equal, untiled.parts[0]!.difference]).toEqual([true, null])

    for (const how of [{ threads: 1 }, { purpose: 'preview' as const }, { threads: 2 }]) {
      const region = await ran(draft, { ...how, region: part, overviews: new Overviews() })
      expect([how, firstDifference(objectsOf(region, part), objects)]).toEqual([how, null])
    }
    const again = await ran(draft, { region: part, overviews })
    expect(groundTimings(again.status())).toEqual(['kept'])

    for (const object of objects.filter((_, k) => k % 17 === 0)) {
      const [y, x0, x1] = [object.runs[0]!, object.runs[1]!, object.runs[2]!]
      const point = { x: (x0 + x1) / 2, y: y + 0.5 }
      const clicked = await segmentAt(draft, point, 2, { overviews, tiles: new TileResults() })
      expect(clicked.object).toMatchObject({ area: object.area * 0.5 ** 2 })
      const why = await explainAt(slide, draft.spec, draft.recipe, { ...point, mpp: undefined, offers: false }, overviews, 2)
      expect(why).toMatchObject({ inside: true, certain: true })
    }
    // What all this is for: a limit gives other objects here.
    const bounded = await ran(await draftOf(id, id === 'iwpp-nuclei' ? 50 : 12), { region: part })
    expect(groundTimings(bounded.status())).toEqual([])
    expect(firstDifference(objectsOf(bounded, part), objects)).not.toBeNull()
  })
})

it('is not the background of the region alone', async () => {
  const path = join(dir, 'part.png')
  await sharp(join(dir, 'serpentine.png'))
    .extract({ left: part.x - 200, top: part.y - 200, width: part.width + 400, height: part.height + 400 })
    .toFile(path)
  const own = await slides.open(path, 0.5)
  const alone = await ran(await draftOf('iwpp-nuclei', 0, own), { region: { ...part, x: 200, y: 200 } })
  const whole = await ran(await draftOf('iwpp-nuclei'), { region: part })
  expect(alone.objects.count).not.toBe(whole.objects.count)
})

it('is computed once for all who ask at once', async () => {
  const overviews = new Overviews()
  const draft = await draftOf('iwpp-nuclei')
  const runs = await Promise.all([part, all].map((region) => ran(draft, { region, overviews })))
  const took = runs.map(
    (run) => run.status().timings.find(({ stage, part }) => stage === 'slide-background' && part === 'read')?.ms,
  )
  expect(took[0]).toBe(took[1])
})

it('tells how far it is, stands still while its run is paused, and goes on', async () => {
  const shares: number[] = []
  let paused: Promise<void> | undefined
  const run = begun(await draftOf('iwpp-nuclei'), {
    onEvent: (event, of) => {
      if (event.type !== 'run:progress' || !event.status.ground) return
      shares.push(event.status.ground.share)
      paused ??= of.pause()
    },
  })
  const over = run.begin()
  await expect.poll(() => paused !== undefined).toBe(true)
  await paused
  // All of it would take less.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(run.status()).toMatchObject({ state: 'paused', tilesDone: 0, ground: { share: expect.any(Number) as number } })
  run.goOn()
  await over
  expect(run.status()).toMatchObject({ state: 'done' })
  expect(run.status().ground).toBeUndefined()
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
})

it('stops within a second when its run is cancelled', async () => {
  let cancelledAt = 0
  const run = begun(await draftOf('cell-detection'), {
    onEvent: (event, of) => {
      if (event.type !== 'run:progress' || !event.status.ground || cancelledAt > 0) return
      cancelledAt = performance.now()
      of.cancel()
    },
  })
  await run.begin()
  expect(run.status()).toMatchObject({ state: 'cancelled', tilesDone: 0 })
  expect(performance.now() - cancelledAt).toBeLessThan(1000)
})

it('previews of slides that would keep them waiting take what lies near, and say so', async () => {
  const draft = await draftOf('iwpp-nuclei')
  const analysis = await new Overviews().complete(draft, 2)
  expect(forPreview(analysis, 2)).toBe(analysis)
  const slow = { ...analysis, ground: { ...analysis.ground!, ready: false, estimateMs: () => 90_000 } }
  const near = forPreview(slow, 2)
  expect(near.ground).toBeNull()
  expect(near.params['marker.reach']).toBe(100)
  expect(near.haloPx).toBeGreaterThan(analysis.haloPx + 100)
  expect(near.key).not.toBe(analysis.key)
  expect(near.warnings.at(-1)).toBe(
    'The background reaches 50 µm in this preview; a run takes the whole slide’s, which this slide’s size makes a matter of 90 s.',
  )
  expect(near.recipe).toBe(analysis.recipe)
})
