// Why a point is kept or dropped: the answer is a click's, and every value that is offered does what it says.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Offer, Recipe } from '../../../app/contract'
import { Explanation } from '../../../app/contract'
import { openSpecs } from '../../../main/recipe/specs'
import type { SpecTable } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis } from '../../../main/run/analysis'
import { explainAt } from '../../../main/run/explain'
import { Overviews } from '../../../main/run/overviews'
import { segmentAt } from '../../../main/run/segment'
import { TileResults } from '../../../main/run/tileResults'
import type { OpenSlide } from '../../../main/slide/slides'
import { Slides } from '../../../main/slide/slides'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const tools = { overviews: new Overviews(), tiles: new TileResults() }
let slide: OpenSlide
let specs: SpecTable
beforeAll(async () => {
  slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  specs = openSpecs(assets)
})
afterAll(() => slides.closeAll())

const taken = (recipe: Recipe, { changes }: Offer): Recipe =>
  changes.reduce(
    (next, { stage, param, value }) => ({
      ...next,
      params: { ...next.params, [stage]: { ...next.params[stage], [param]: value } },
    }),
    recipe,
  )

describe.each(['he-nuclei', 'max-tree-nuclei', 'iwpp-nuclei', 'cell-detection'])('%s', (id) => {
  it('says of each point what a click there finds, and offers what keeps it', async () => {
    const spec = await specs.get(id)
    const recipe = defaultRecipe(spec)
    const isObject = async (values: Recipe, x: number, y: number) =>
      (await segmentAt(draftAnalysis(slide, spec, values), { x, y }, 1, tools)).object !== null
    const why = async (values: Recipe, x: number, y: number, offers: boolean) =>
      explainAt(slide, spec, values, { x, y, mpp: undefined, offers }, tools.overviews, 1)
    let [inside, outside, offered] = [0, 0, 0]
    for (let y = 1400; y < 1600; y += 23) {
      for (let x = 1000; x < 1240; x += 37) {
        const found = Explanation.parse(await why(recipe, x, y, (x + y) % 2 === 0))
        expect(found.inside, `${x},${y}`).toBe(await isObject(recipe, x, y))
        expect(found.values.map(({ layer }) => layer)).toEqual(spec.layers.map((layer) => layer.id))
        if (found.inside) {
          inside++
          expect(found.outline.length).toBeGreaterThan(0)
          expect(found.offers).toEqual([])
          continue
        }
        outside++
        for (const offer of found.offers) {
          offered++
          expect(await isObject(taken(recipe, offer), x, y), `${x},${y} ${JSON.stringify(offer)}`).toBe(true)
        }
      }
    }
    expect(inside).toBeGreaterThan(1)
    expect(outside).toBeGreaterThan(10)
    expect(offered).toBeGreaterThan(2)
  })
})

it('knows the rule that was moved past an object, and offers the nearest value that the slider has', async () => {
  const spec = await specs.get('he-nuclei')
  const base = defaultRecipe(spec)
  const ask = (recipe: Recipe, x: number, y: number) =>
    explainAt(slide, spec, recipe, { x, y, mpp: undefined, offers: true }, tools.overviews, 1)
  let turned = 0
  for (let y = 1400; y < 1640 && turned < 5; y += 11) {
    for (let x = 1000; x < 1240 && turned < 5; x += 11) {
      const object = await segmentAt(draftAnalysis(slide, spec, base), { x, y }, 1, tools)
      if (!object.object) continue
      const area = object.object.area
      if (area > 190) continue
      const least = Math.floor(area) + 3
      const found = (await ask(taken(base, { changes: [{ stage: 'objects', param: 'minArea', value: least }] }), x, y))!
      expect(found.inside).toBe(false)
      const rule = found.rules.find(({ param, stage }) => stage === 'objects' && param === 'minArea')!
      expect(rule).toMatchObject({ kind: 'minArea', kept: false, limit: least })
      expect(rule.measured).toBeCloseTo(area, 6)
      expect(found.offers).toEqual([{ changes: [{ stage: 'objects', param: 'minArea', value: Math.floor(area) }] }])
      turned++
    }
  }
  expect(turned).toBe(5)
  // Off the slide nothing is asked.
  expect(await ask(base, -1, 10)).toBeNull()
})

it('names the rejection of what is no nucleus, and offers to turn it off', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'morphoscope-pigment-'))
  const path = join(folder, 'pigment.png')
  const colors = ['rgb(60,40,25)', 'rgb(30,28,26)', 'rgb(92,60,130)', 'rgb(60,35,95)']
  const grains = Array.from(
    { length: 24 },
    (_, i) => `<ellipse cx="${60 + (i % 6) * 75}" cy="${60 + Math.floor(i / 6) * 75}" rx="15" ry="12" fill="${colors[i % 4]}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="350"><rect width="500" height="350" fill="rgb(232,190,214)"/>${grains.join('')}</svg>`
  await sharp(Buffer.from(svg)).blur(1.2).removeAlpha().png().toFile(path)
  const painted = await slides.open(path)
  const spec = await specs.get('he-nuclei')
  const off = defaultRecipe(spec)
  const on: Recipe = { ...off, params: { ...off.params, reject: { pigment: true } } }
  const of = { mpp: undefined, offers: true }
  for (let i = 0; i < 24; i++) {
    const at = { x: 60 + (i % 6) * 75, y: 60 + Math.floor(i / 6) * 75, ...of }
    const before = (await explainAt(painted, spec, off, at, tools.overviews, 1))!
    const after = (await explainAt(painted, spec, on, at, tools.overviews, 1))!
    const isPigment = i % 4 < 2
    expect([i, before.inside, after.inside]).toEqual([i, true, !isPigment])
    expect(after.rules.find(({ stage }) => stage === 'reject')).toMatchObject({ kind: 'excluded', kept: !isPigment })
    const turnedOff = [{ changes: [{ stage: 'reject', param: 'pigment', value: false }] }]
    expect(after.offers).toEqual(isPigment ? turnedOff : [])
  }
  await rm(folder, { recursive: true })
})
