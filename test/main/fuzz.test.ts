// Damaged npy files, pictures, recipes, messages and tile addresses, seeded: each reader gives a value in range or an error with a code.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '../../app/contract'
import type { Engine } from '../../main/engine'
import { EngineError } from '../../main/base/errors'
import { readNpy, writeNpy } from '../../main/imageFiles/npy'
import { readImageFile } from '../../main/imageFiles/index'
import { parseRecipe } from '../../main/recipe/recipeFile'
import { parseSpec } from '../../main/recipe/specs'
import { completeRecipe, defaultRecipe } from '../../main/recipe/validate'
import { foreignFormat } from '../../main/slide/decodeImage'
import { parseTileUrl } from '../../main/tileUrl'
import { mutate, pick, randomOf } from '../stress/mutate.mjs'
import { assetsDir, realEngine } from './realEngine'

const seed = Number(process.env['MORPHO_FUZZ_SEED'] ?? 20260731)
const times = (usual: number): number => usual * Number(process.env['MORPHO_FUZZ_TIMES'] ?? 1)

/** Runs `read`; what it throws must be an EngineError of one of the codes. Its value, or undefined. */
function refusedOr<T>(codes: readonly string[], what: unknown, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw new Error(`${String(error)} for ${JSON.stringify(what)}`, { cause: error })
    expect(codes, JSON.stringify(what)).toContain(error.code)
    return undefined
  }
}

it('npy', () => {
  const random = randomOf(seed)
  const originals = [
    writeNpy({ width: 6, height: 4, channels: 1, data: new Uint8Array(24).fill(7) }),
    writeNpy({ width: 5, height: 3, channels: 1, data: Int32Array.from({ length: 15 }, (_, i) => -i) }),
    writeNpy({ width: 2, height: 2, channels: 4, data: new Uint8Array(16).fill(9) }),
  ]
  let read = 0
  for (let i = 0; i < times(4000); i++) {
    const bytes = mutate(pick(random, originals), random)
    const image = refusedOr(['INVALID_PARAMETER'], bytes.toString('latin1'), () => readNpy('a.npy', bytes))
    if (!image) continue
    read += 1
    expect(image.data.length).toBe(image.width * image.height * image.channels)
    expect(image.data.byteLength).toBeLessThanOrEqual(4 * bytes.length)
  }
  expect(read).toBeGreaterThan(100)
})

it('recipes and their specs', async () => {
  const random = randomOf(seed + 1)
  const files = (await readdir(join(assetsDir, 'recipes'))).filter((name) => name.endsWith('.json'))
  const originals = await Promise.all(files.map((name) => readFile(join(assetsDir, 'recipes', name))))
  for (let i = 0; i < times(600); i++) {
    const k = i % originals.length
    const bytes = mutate(originals[k]!, random)
    refusedOr(['INVALID_PARAMETER', 'INTERNAL'], files[k], () => parseSpec('spec.json', bytes.toString()))
    const spec = parseSpec(files[k]!, originals[k]!.toString())
    const text = mutate(Buffer.from(JSON.stringify(completeRecipe(defaultRecipe(spec), spec))), random).toString()
    const recipe = refusedOr(['INVALID_PARAMETER'], text, () => parseRecipe('r.json', text))
    if (recipe?.spec === spec.id) refusedOr(['INVALID_PARAMETER'], text, () => completeRecipe(recipe, spec))
  }
})

it('tile addresses', () => {
  const random = randomOf(seed + 2)
  const slide = 's1-abcdef0123'
  const originals = [
    `/tile/slide/${slide}/3/12_7`,
    `/tile/stain/${slide}/h-e/0/3/12_7`,
    '/tile/objects/r1-abcdef0123/5/2/1_1',
    '/tile/density/r1-abcdef0123/5/2/1_1',
    '/tile/layer/r1-abcdef0123/nuclei.mask/5/2/1_1',
    '/tile/density/r1-abcdef0123/5/2/1_1+1_2+2_1+2_2',
    '/tile/table/r1-abcdef0123/7/128',
    '/tile/tabletext/r1-abcdef0123/7/8192/id.area',
    '/tile/tableparquet/r1-abcdef0123/7/id.area',
    '/tile/scatter/r1-abcdef0123/7/area.stain1Mean/01',
    `/tile/associated/${slide}/label%20x`,
    `/tile/recent/${'0a'.repeat(16)}`,
  ].map((text) => Buffer.from(text))
  let good = 0
  for (let i = 0; i < times(3000); i++) {
    const url = mutate(pick(random, originals), random).toString('latin1')
    const tile = parseTileUrl(url)
    if (!tile) continue
    good += 1
    if (tile.kind === 'associated' || tile.kind === 'cuts' || tile.kind === 'recent' || tile.kind === 'thumbnail') continue
    if (tile.kind === 'tabletext')
      expect(
        tile.columns.every((key) => /^[A-Za-z0-9]{1,32}$/.test(key)),
        url,
      ).toBe(true)
    if (tile.kind === 'scatter' || tile.kind === 'tableparquet') {
      expect(tile.view >= 0 && tile.view < 1e15, url).toBe(true)
      continue
    }
    if (tile.kind === 'table' || tile.kind === 'tabletext') {
      expect(tile.view >= 0 && tile.view < 1e15 && tile.first >= 0 && tile.first < 1e10, url).toBe(true)
      continue
    }
    for (const { k, x, y } of tile.kind === 'several' ? tile.tiles : [tile]) {
      expect(Number.isInteger(k) && k >= 0 && k <= 40, url).toBe(true)
      expect(x >= 0 && x < 1e9 && y >= 0 && y < 1e9, url).toBe(true)
    }
  }
  expect(good).toBeGreaterThan(10)
})

describe('with an engine', () => {
  let directory: string
  let engine: Engine
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'morphoscope-fuzz-'))
    engine = realEngine(join(directory, 'settings'))
  })
  afterAll(async () => {
    await engine.close()
    await rm(directory, { recursive: true })
  })

  it('messages', async () => {
    const random = randomOf(seed + 3)
    // Nothing that exists: what passes the check finds no slide and no run. What writes files is asked nothing.
    const id = { slideId: 's999999999-zzzzzzzzzz', runId: 'r999999999-zzzzzzzzzz' }
    const point = { x: 10.5, y: 20.25 }
    const recipe = {
      format: 'morphoscope-recipe',
      version: 1,
      spec: 'he-nuclei',
      name: 'x',
      params: { image: { pixelSizeUm: 0.5 } },
    }
    const args: [string, unknown][] = [
      ['slide:open', { path: join(directory, 'nowhere.svs'), mpp: 0.25 }],
      ['slide:close', { slideId: id.slideId }],
      ['run:start', { slideId: id.slideId, recipe, region: { x: 0, y: 0, width: 100, height: 100 } }],
      ['run:cancel', { runId: id.runId }],
      ['run:status', { runId: id.runId }],
      ['object:at', { runId: id.runId, ...point }],
      ['object:segment', { slideId: id.slideId, recipe, ...point, mpp: 0.5 }],
      ['recipe:load', { path: join(directory, 'nowhere.json') }],
      ['app:info', null],
    ]
    const codes = new Set<string>()
    for (let i = 0; i < times(1500); i++) {
      const [name, arg] = pick(random, args)
      const text = mutate(Buffer.from(JSON.stringify(arg)), random).toString()
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        // What no message can be: the call's name is damaged instead.
        value = arg
      }
      const called = random() < 0.1 ? mutate(Buffer.from(name), random).toString() : name
      const answer = await engine.call(called, value)
      if (answer.ok) continue
      codes.add(answer.error.code)
      expect(answer.error.code, `${called} ${text}: ${answer.error.message}`).not.toBe('INTERNAL')
    }
    expect(codes).toContain('INVALID_PARAMETER')
    expect(codes).toContain('NOT_FOUND')
    expect(Object.keys(calls).length).toBeGreaterThan(10)
  })

  it('pictures', async () => {
    const random = randomOf(seed + 4)
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#a06080' } })
    const originals = await Promise.all([
      picture.clone().png({ progressive: true }).toBuffer(),
      picture.clone().jpeg({ progressive: true }).toBuffer(),
      picture.clone().webp().toBuffer(),
      picture.clone().tiff({ tile: true, pyramid: true }).toBuffer(),
    ])
    const outcomes = new Map<string, number>()
    for (let i = 0; i < times(900); i++) {
      const bytes = mutate(pick(random, originals), random)
      foreignFormat(bytes.subarray(0, 512))
      const path = join(directory, i % 3 === 0 ? 'a.png' : 'a.tif')
      await writeFile(path, bytes)
      const opened = i % 2 === 0 ? await engine.call('slide:open', { path }) : null
      if (opened?.ok) await engine.call('slide:close', { slideId: opened.value && (opened.value as { slideId: string }).slideId })
      const code = opened
        ? opened.ok
          ? 'opened'
          : opened.error.code
        : await readImageFile(path).then(
            () => 'read',
            (error: unknown) => (error instanceof EngineError ? error.code : `${String(error)} for mutant ${i}`),
          )
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1)
    }
    for (const code of outcomes.keys()) expect(['opened', 'read', 'SLIDE_UNREADABLE', 'INVALID_PARAMETER']).toContain(code)
  })
})
