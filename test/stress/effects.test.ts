// Makes the small pictures of what less and more of each value do, on the sample slide, by the engine itself: npm run effects
// They lie in assets/guide/effects, each from three runs; a value that changes nothing there has none, and says so by its absence.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tilePaths, type ParamSpec, type Recipe, type SlideInfo } from '../../app/contract'
import { defaultRecipe, type Engine } from '../../main/engine'
import { assetsDir, realEngine, sample } from '../main/realEngine'

const folder = join(assetsDir, 'guide', 'effects')
const field = { x: 1186, y: 1380, width: 120, height: 90 }
/** Around what is shown: what lies across its rim is whole. */
const around = 60
const shown = { width: 168, height: 126 }
/** Those that are made for what the sample is stained with. */
const recipes = ['he-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection']

let dir: string
let engine: Engine
let slide: SlideInfo
let tissue: Buffer

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'effects-'))
  engine = realEngine(join(dir, 'settings'))
  slide = await engine.invoke('slide:open', { path: sample })
  tissue = await tissueOf()
})
afterAll(async () => {
  await engine.close()
  rmSync(dir, { recursive: true, force: true })
})

async function tissueOf(): Promise<Buffer> {
  const side = slide.viewer.tileSizePx
  const parts: { input: Buffer; left: number; top: number }[] = []
  const [left, top] = [Math.floor(field.x / side), Math.floor(field.y / side)]
  const [right, bottom] = [Math.floor((field.x + field.width) / side), Math.floor((field.y + field.height) / side)]
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const tile = await engine.tile(tilePaths.slide(slide.slideId, 0, x, y))
      expect(tile.status).toBe(200)
      parts.push({ input: Buffer.from(tile.body), left: (x - left) * side, top: (y - top) * side })
    }
  }
  const size = { width: (right - left + 1) * side, height: (bottom - top + 1) * side, channels: 3 as const, background: '#fff' }
  const whole = await sharp({ create: size }).composite(parts).png().toBuffer()
  return sharp(whole)
    .extract({ left: field.x - left * side, top: field.y - top * side, width: field.width, height: field.height })
    .resize(shown.width, shown.height)
    .png()
    .toBuffer()
}

/** The outlines of what the recipe finds, as paths of the picture. */
async function outlinesOf(recipe: Recipe): Promise<string[]> {
  const region = { x: field.x - around, y: field.y - around, width: field.width + 2 * around, height: field.height + 2 * around }
  const runId = await new Promise<string>((resolve, reject) => {
    let mine = ''
    const off = engine.onEvent((event) => {
      if (event.type !== 'run:end' || event.status.runId !== mine) return
      off()
      if (event.status.state === 'done') resolve(mine)
      else reject(new Error(event.status.error?.message ?? event.status.state))
    })
    engine.invoke('run:start', { slideId: slide.slideId, region, recipe, purpose: 'run' }).then((started) => {
      mine = started.runId
    }, reject)
  })
  const { objects } = await engine.invoke('run:status', { runId })
  const k = shown.width / field.width
  const paths: string[] = []
  for (let id = 1; id <= objects; id++) {
    const { outline } = await engine.invoke('object:numbered', { runId, id })
    paths.push(
      outline
        .map(
          (ring) => `M${ring.map(([x, y]) => `${((x - field.x) * k).toFixed(1)} ${((y - field.y) * k).toFixed(1)}`).join('L')}Z`,
        )
        .join(''),
    )
  }
  await engine.invoke('run:delete', { runId })
  return paths.sort()
}

const drawn = (paths: readonly string[]): Promise<Buffer> => {
  const path = paths.join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${shown.width}" height="${shown.height}"><path d="${path}" fill="none" stroke="#0a0c0e" stroke-opacity="0.8" stroke-width="4"/><path d="${path}" fill="none" stroke="#beff00" stroke-width="2"/></svg>`
  return sharp(tissue)
    .composite([{ input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer()
}

/** Half of the way to either end of its range, on its steps; null: there is none on that side. */
function halfWay(param: Extract<ParamSpec, { kind: 'number' }>, end: number): number | null {
  const raw = param.default + (end - param.default) / 2
  const value = Number((param.min + Math.round((raw - param.min) / param.step) * param.step).toPrecision(10))
  return value === param.default || value < param.min || value > param.max ? null : value
}

it('pictures of what values do', async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const effects: Record<string, { less: number | null; more: number | null }> = {}
  const specs = (await engine.invoke('recipe:list', undefined)).filter(({ id }) => recipes.includes(id))
  expect(specs).toHaveLength(recipes.length)
  for (const spec of specs) {
    const plain = defaultRecipe(spec)
    const before = await outlinesOf(plain)
    expect(before.length).toBeGreaterThan(5)
    const middle = await drawn(before)
    for (const { id: stage, params } of spec.stages) {
      for (const param of params) {
        if (param.kind !== 'number') continue
        const side = async (end: number) => {
          const value = halfWay(param, end)
          if (value === null) return null
          const recipe = { ...plain, params: { ...plain.params, [stage]: { ...plain.params[stage], [param.key]: value } } }
          const paths = await outlinesOf(recipe).catch(() => null)
          return paths && paths.join() !== before.join() ? { value, picture: await drawn(paths) } : null
        }
        const [less, more] = [await side(param.min), await side(param.max)]
        if (!less && !more) continue
        const panels = [less?.picture, middle, more?.picture].filter((each) => each !== undefined)
        const size = {
          width: panels.length * (shown.width + 3) - 3,
          height: shown.height,
          channels: 3 as const,
          background: '#8a8f96',
        }
        const name = `${spec.id}.${stage}.${param.key}`
        await sharp(
          await sharp({ create: size })
            .composite(panels.map((input, i) => ({ input, left: i * (shown.width + 3), top: 0 })))
            .png()
            .toBuffer(),
        )
          .webp({ quality: 62, effort: 6 })
          .toFile(join(folder, `${name}.webp`))
        effects[name] = { less: less?.value ?? null, more: more?.value ?? null }
      }
    }
  }
  expect(Object.keys(effects).length).toBeGreaterThan(30)
  writeFileSync(join(folder, 'effects.json'), `${JSON.stringify(effects, null, 2)}\n`)
})
