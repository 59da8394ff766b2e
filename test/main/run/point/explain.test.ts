// Why a point is kept or dropped: the answer is a click's, and every value that is offered does what it says.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Offer, Recipe } from '../../../../app/contract'
import { Explanation } from '../../../../app/contract'
import { openSpecs } from '../../../../main/recipe/specs'
import type { SpecTable } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import { explainAt } from '../../../../main/run/point/explain'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { segmentAt } from '../../../../main/run/point/segment'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import type { OpenSlide } from '../../../../main/slide/slides'
import { Slides } from '../../../../main/slide/slides'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
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

describe('what is no nucleus', () => {
  interface Kind {
    readonly key: string
    readonly image?: string
    /** What it looks like, and what lies around it where that counts. */
    readonly fill: readonly string[]
    readonly sheet?: string
  }
  /** Colours as the rules' figures were measured with (test/bench/results/quality.md), on slides where each was found. */
  const kinds: readonly Kind[] = [
    { key: 'pigment', fill: ['rgb(60,40,25)', 'rgb(30,28,26)'] },
    { key: 'redCells', image: 'red', fill: ['rgb(125,40,50)', 'rgb(110,30,40)'] },
    { key: 'keratin', fill: ['rgb(64,30,76)', 'rgb(58,26,68)'], sheet: 'rgb(112,62,122)' },
    { key: 'mucin', fill: ['rgb(140,165,180)', 'rgb(150,160,185)'] },
    { key: 'folds', fill: ['rgb(70,15,45)', 'rgb(66,14,42)'], sheet: 'rgb(155,35,85)' },
  ]
  const nuclei = ['rgb(92,60,130)', 'rgb(60,35,95)']
  /** Twelve objects: the left six are of the kind, the others nuclei. */
  const places = Array.from({ length: 12 }, (_, i) => ({
    x: (i < 6 ? 60 : 300) + (i % 2) * 80,
    y: 60 + Math.floor((i % 6) / 2) * 80,
  }))
  const painted = async (folder: string, { key, fill, sheet }: Kind): Promise<OpenSlide> => {
    const path = join(folder, `${key}.png`)
    const objects = places.map(
      ({ x, y }, i) => `<ellipse cx="${x}" cy="${y}" rx="15" ry="12" fill="${(i < 6 ? fill : nuclei)[i % 2]}"/>`,
    )
    const under = sheet === undefined ? '' : `<rect width="210" height="280" fill="${sheet}"/>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="450" height="280"><rect width="450" height="280" fill="rgb(232,190,214)"/>${under}${objects.join('')}</svg>`
    await sharp(Buffer.from(svg)).blur(1.2).removeAlpha().png().toFile(path)
    return slides.open(path)
  }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'morphoscope-reject-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const with_ = (recipe: Recipe, keys: readonly string[]): Recipe =>
    taken(recipe, { changes: keys.map((param) => ({ stage: 'reject', param, value: true })) })
  const plain = async ({ image }: Kind): Promise<Recipe> => {
    const recipe = defaultRecipe(await specs.get('he-nuclei'))
    return image === undefined ? recipe : taken(recipe, { changes: [{ stage: 'channel', param: 'image', value: image }] })
  }

  it.each(kinds)('$key goes by its switch, which is named and can be turned off; nuclei stay', async (kind) => {
    const [spec, slide_, off] = [await specs.get('he-nuclei'), await painted(folder, kind), await plain(kind)]
    expect(off.params.reject![kind.key]).toBe(false)
    const on = with_(off, [kind.key])
    for (const [i, { x, y }] of places.entries()) {
      const why = (recipe: Recipe, offers: boolean) =>
        explainAt(slide_, spec, recipe, { x, y, mpp: undefined, offers }, tools.overviews, 1)
      const [before, after] = [(await why(off, false))!, (await why(on, true))!]
      expect([i, before.inside, after.inside]).toEqual([i, true, i >= 6])
      expect(before.rules.filter(({ stage }) => stage === 'reject')).toEqual([])
      expect(after.rules.filter(({ stage }) => stage === 'reject')).toMatchObject([
        { param: kind.key, kind: 'excluded', kept: i >= 6 },
      ])
      const turnedOff = [{ changes: [{ stage: 'reject', param: kind.key, value: false }] }]
      expect(after.offers).toEqual(i < 6 ? turnedOff : [])
    }
  })

  it('offers to turn off both of two switches that would have it', async () => {
    const folds = kinds.find(({ key }) => key === 'folds')!
    const [spec, slide_] = [await specs.get('he-nuclei'), await painted(folder, folds)]
    const both = with_(await plain(folds), ['folds', 'redCells'])
    const found = (await explainAt(slide_, spec, both, { ...places[0]!, mpp: undefined, offers: true }, tools.overviews, 1))!
    const off = (param: string) => ({ stage: 'reject', param, value: false })
    expect(found.inside).toBe(false)
    expect(found.offers).toEqual([{ changes: [off('redCells'), off('folds')] }])
  })
})
