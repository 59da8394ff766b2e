// The wand on a real slide: nodes nest as the wheel walks, the tree is held, and a field's place says nothing about a node.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WandNode } from '../../../../app/contract'
import { WandNode as WandNodes } from '../../../../app/contract'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { wandAt } from '../../../../main/run/point/wand'
import type { OpenSlide } from '../../../../main/slide/slides'
import { Slides } from '../../../../main/slide/slides'
import { deepTiff } from '../../slide/deepTiff'
import { areaWords, isWithin, placeWords } from '../../../../renderer/store/slices/wandSlice'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const overviews = new Overviews()
let slide: OpenSlide
beforeAll(async () => {
  slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
})
afterAll(() => slides.closeAll())

const ask = async (recipeId: string, points: [number, number][], walk = 0, layer = ''): Promise<WandNode | null> => {
  const spec = await openSpecs(assets).get(recipeId)
  const node = await wandAt(slide, spec, defaultRecipe(spec), { layer, points, walk, mpp: undefined }, overviews, 2)
  return node && WandNodes.parse(node)
}

it('nodes nest: each parent is larger and holds its child, and the walk ends at the innermost and at the root', async () => {
  const at: [number, number] = [1105, 1480]
  const first = (await ask('he-nuclei', [at]))!
  expect(first.built).toBe(true)
  expect(first.layers).toContain('channel')
  expect(first).toMatchObject({ layer: first.layers[0], walked: 0, unit: 'um' })
  expect(first.area).toBeGreaterThanOrEqual(9)
  let inner = first
  for (let walk = 1; walk <= 4; walk++) {
    const outer = (await ask('he-nuclei', [at], walk))!
    expect(outer).toMatchObject({ walked: walk, built: false, below: inner.below + 1, above: inner.above - 1 })
    expect(outer.value).toBe(inner.parentValue)
    expect(outer.area).toBeGreaterThan(inner.area)
    expect(isWithin(outer.parts.flat(), { x: at[0] + 0.5, y: at[1] + 0.5 })).toBe(true)
    inner = outer
  }
  const innermost = (await ask('he-nuclei', [at], -100_000))!
  expect(innermost).toMatchObject({ walked: -first.below, below: 0 })
  const root = (await ask('he-nuclei', [at], 100_000))!
  expect(root).toMatchObject({ walked: first.above, above: 0, parentValue: root.value })
  expect([areaWords(innermost).endsWith(' µm²'), placeWords(innermost), placeWords(root)]).toEqual([
    true,
    expect.stringMatching(/^innermost, \d+ around$/),
    expect.stringMatching(/^\d+ inside, all of it$/),
  ])
})

it('of every recipe’s channel: a stroke’s node is one that the wheel comes to from its first point', async () => {
  let same = 0
  for (const id of ['he-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection']) {
    const spec = await openSpecs(assets).get(id)
    expect(spec.layers.map((layer) => layer.id)).toContain('channel')
    for (let n = 0; n < 14; n++) {
      const [x, y] = [900 + (n % 5) * 74, 1400 + Math.floor(n / 5) * 62]
      const alone = (await ask(id, [[x, y]]))!
      const stroke = (await ask(id, [
        [x, y],
        [x + 7, y + 3],
      ]))!
      expect(isWithin(stroke.parts.flat(), { x: x + 7.2, y: y + 3.2 })).toBe(true)
      if (stroke.cut) continue
      same++
      const walk = stroke.below - alone.below
      const far = (await ask(id, [[x, y]], walk))!
      expect([far.value, far.area, far.below, far.above]).toEqual([stroke.value, stroke.area, stroke.below, stroke.above])
      // What a single point offers first has an outline where it stands out alone.
      if (walk !== 0 || far.area < 700) expect(far.parts.flat()).toEqual(stroke.parts.flat())
    }
  }
  expect(same).toBeGreaterThan(5)
})

it('has nothing off the slide, and refuses an image that is not grey', async () => {
  expect(await ask('he-nuclei', [[-5, 10]])).toBeNull()
  expect(
    await ask('he-nuclei', [
      [1, 1],
      [1e6, 1],
    ]),
  ).toBeNull()
  await expect(ask('he-nuclei', [[1000, 1500]], 0, 'labels')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
})

it('is of a slide’s 16 bits where its recipe analyses them: faint nuclei, of which 8 show nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'morphoscope-wand-'))
  const side = 400
  const values = Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)]
    if (x >= 42 && x < 58 && y >= 190 && y < 210) return 65_000
    return (Math.hypot((x % 50) - 25, (y % 50) - 25) < 9 ? 30 : 0) + ((x * 7 + y * 13) % 4)
  })
  const path = join(folder, 'faint.tif')
  const page = { width: side, height: side, samples: 1, bits: 16, format: 'uint', tilePx: 128, mpp: [0.5, 0.5] } as const
  await writeFile(path, deepTiff([{ ...page, values }]))
  const deep = await slides.open(path)
  const node = async (recipeId: string): Promise<WandNode> => {
    const spec = await openSpecs(assets).get(recipeId)
    return (await wandAt(
      deep,
      spec,
      defaultRecipe(spec),
      { layer: '', points: [[75, 75]], walk: 0, mpp: undefined },
      overviews,
      2,
    ))!
  }
  const nucleus = await node('fluorescence-nuclei')
  // Of its 249 px of 0.25 µm².
  expect(nucleus.area).toBeGreaterThan(50)
  expect(nucleus.area).toBeLessThan(75)
  expect(nucleus.parts).toHaveLength(1)
  // A recipe that analyses 8 bits has nothing there.
  expect((await node('max-tree-nuclei')).parts).toHaveLength(0)
  await rm(folder, { recursive: true, force: true })
})
