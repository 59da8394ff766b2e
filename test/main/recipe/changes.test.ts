// Which intermediate image a parameter changes first, as the recipes say: the images before it are computed, and are the same.
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ParamSpec, ParamValue, RecipeSpec } from '../../../app/contract'
import { resolveParams } from '../../../main/recipe/resolve'
import { openSpecs, parseSpec } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { computeGround, memorySlide, NativeError, openSlide, overview, planOf, runWindow } from '../../../native/index'
import type { Ground, MemorySlideInfo, Params, Plane, Slide } from '../../../native/index'
import { spec as made } from '../recipeFixture'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const specs = await openSpecs(assets).list()
const mpp = 0.5
/** A few dozen nuclei. */
const core = { x: 60, y: 60, width: 128, height: 128 }
const window = { x: 900 - core.x, y: 900 - core.y, width: core.width + 2 * core.x, height: core.height + 2 * core.y }

interface Sampled {
  readonly slide: Slide
  readonly sample: Uint8Array
}
let bright: Sampled
/** The same with what the switches of the stage "reject" leave out. */
let soiled: Sampled
/** The same with a dark nucleus that lies upon a pale one, on glass. */
let beside: Sampled
/** The same turned over: nuclei that shine. */
let dark: Sampled
beforeAll(async () => {
  const sampled = async (slide: Slide): Promise<Sampled> => ({
    slide,
    sample: (await slide.readScaled(1, 900, 900, 200, 200)).rgba,
  })
  const whole = await sampled(await openSlide(`${assets}/samples/CMU-1-Small-Region.svs`))
  const { rgba, width, height } = await whole.slide.readScaled(1, 0, 0, 1200, 1200)
  whole.slide.close()
  const info = {
    path: 'made',
    vendor: 'made',
    reader: 'made',
    readerVersion: '1',
    mppSource: 'none',
    properties: {},
    warnings: [],
  }
  let painted = Uint8Array.from(rgba)
  const paint = (cx: number, cy: number, rgb: readonly number[], inside: (x: number, y: number) => boolean): void => {
    for (let y = -34; y <= 34; y++)
      for (let x = -34; x <= 34; x++) if (inside(x, y)) painted.set(rgb, 4 * ((cy + y) * width + cx + x))
  }
  const grain = (x: number, y: number): boolean => x * x + y * y <= 64
  // The dark spots of a fold, as red as blood, and of keratin, each in what is of its own hue; grains of mucin and of pigment.
  const square = (x: number, y: number): boolean => Math.max(Math.abs(x), Math.abs(y)) <= 24
  paint(990, 930, [155, 35, 85], square)
  paint(990, 930, [70, 15, 45], grain)
  paint(930, 1000, [112, 62, 122], square)
  paint(930, 1000, [64, 30, 76], grain)
  paint(1008, 1005, [90, 150, 160], grain)
  paint(960, 960, [60, 40, 25], grain)
  bright = { slide: memorySlide(info as MemorySlideInfo, Uint8Array.from(rgba), width, height), sample: whole.sample }
  soiled = { slide: memorySlide(info as MemorySlideInfo, painted, width, height), sample: whole.sample }
  painted = Uint8Array.from(rgba)
  paint(964, 964, [238, 236, 232], () => true)
  paint(968, 964, [196, 203, 217], (x, y) => x * x + y * y <= 81)
  paint(955, 964, [70, 80, 140], (x, y) => (x / 7) ** 2 + (y / 12) ** 2 <= 1)
  beside = { slide: memorySlide(info as MemorySlideInfo, painted, width, height), sample: whole.sample }
  for (let i = 0; i < rgba.length; i++) if (i % 4 !== 3) rgba[i] = 255 - rgba[i]!
  dark = await sampled(memorySlide(info as MemorySlideInfo, rgba, width, height))
})
afterAll(() => {
  bright.slide.close()
  soiled.slide.close()
  beside.slide.close()
  dark.slide.close()
})

function otherValues(param: ParamSpec): ParamValue[] {
  if (param.kind === 'toggle') return [!param.default]
  if (param.kind === 'choice') return param.choices.map(({ value }) => value).filter((value) => value !== param.default)
  const half = (param.min + param.default) / 2
  const values = [param.min, param.max, param.integer ? Math.round(half) : half, param.previewValue ?? param.default]
  // A fit that counts in full must be above the one that counts nothing.
  if (param.key === 'fitFull') values.push(param.default * 0.9)
  return values.filter((value) => value !== param.default)
}

/** What the recipe knows of the whole slide, where it asks for that. */
async function groundFor(slide: Slide, { pipeline }: RecipeSpec, params: Params): Promise<Ground | null> {
  const plan = planOf(pipeline, params)
  if (plan.ground === null) return null
  const whole = { slide, scale: 1, widthPx: 1200, heightPx: 1200, plan }
  return computeGround({ ...whole, memoryBytes: 0, scratchFolder: tmpdir(), threads: 1, device: 'cpu' })
}

async function planesOf(
  spec: RecipeSpec,
  shown: Sampled,
  stage = '',
  key = '',
  value: ParamValue = 0,
): Promise<Map<string, Plane['data']>> {
  const usual = defaultRecipe(spec)
  // One threshold alone has nothing to choose among.
  const candidates = usual.params['candidates']
  const several = stage === 'candidates' && key !== 'levels' && candidates?.['levels'] === 1
  const recipe = several ? { ...usual, params: { ...usual.params, candidates: { ...candidates, levels: 4 } } } : usual
  const params =
    stage === '' || key === '' ? recipe.params : { ...recipe.params, [stage]: { ...recipe.params[stage], [key]: value } }
  const resolved = resolveParams(spec, { ...recipe, params }, mpp)
  // The values that adapt to the slide depend on the channel alone (run/overview.test.ts), which comes before every other image.
  const { slide, sample } = shown
  const level = await overview(spec.pipeline, resolveParams(spec, recipe, mpp), sample, 200, 200)
  const all = { ...resolved, ...level }
  const request = { slide, scale: 1, ...window, core, plan: planOf(spec.pipeline, all), wantPlanes: true }
  const { planes } = await runWindow({ ...request, ground: await groundFor(slide, spec, all) })
  return new Map(planes.map(({ name, data }) => [name, data]))
}

describe.each(specs.map((spec) => [spec.id, spec] as const))('%s', (_, spec) => {
  const layers = spec.layers.map(({ id }) => id)

  it('names a layer for each parameter, and all of them for the resolution', () => {
    for (const stage of spec.stages) {
      for (const { key, changes } of stage.params) expect([key, changes === undefined]).toEqual([key, false])
    }
    expect(spec.stages[0]).toMatchObject({ id: 'image', params: [{ key: 'pixelSizeUm', changes: layers[0] }] })
  })

  it('changes no layer before the one that a parameter names, and that one', async () => {
    const clean = spec.stainSet === 'rgb' ? dark : bright
    const plain = await planesOf(spec, clean)
    expect(new Set(plain.keys())).toEqual(new Set(layers))
    for (const stage of spec.stages.slice(1)) {
      for (const param of stage.params) {
        const shown = stage.id === 'reject' ? soiled : param.key === 'restRadius' ? beside : clean
        const usual = shown === clean ? plain : await planesOf(spec, shown)
        const before = stage.id === 'candidates' && param.key !== 'levels' ? await planesOf(spec, shown, stage.id) : usual
        const changed = new Set<string>()
        for (const value of otherValues(param)) {
          try {
            const planes = await planesOf(spec, shown, stage.id, param.key, value)
            for (const [name, data] of planes)
              if (Buffer.compare(bytesOf(data), bytesOf(before.get(name)!)) !== 0) changed.add(name)
          } catch (error) {
            // Two weights may be too much together.
            if (!(error instanceof NativeError) || error.code !== 'INVALID_PARAMETER') throw error
          }
        }
        const first = layers.find((name) => changed.has(name)) ?? null
        expect([`${stage.id}.${param.key}`, first]).toEqual([`${stage.id}.${param.key}`, param.changes])
      }
    }
  })
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Plane['data']): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

it('what names no layer of its recipe is refused', () => {
  const [stage] = made.stages
  const wrong = { ...made, stages: [{ ...stage, params: [{ ...stage!.params[0], changes: 'nothing' }] }] }
  expect(() => parseSpec('made.json', JSON.stringify(wrong))).toThrow(
    'image.pixelSizeUm changes "nothing", which is no layer of it',
  )
})
