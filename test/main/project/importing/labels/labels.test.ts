// Label images as a result: those of other programs, px by px; random ones and our own there and back; where they lie; what of them is not taken.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportedFile, Recipe } from '../../../../../app/contract'
import type { Engine } from '../../../../../main/engine'
import { tiffNumbers, tiffRows } from '../../../../../native/index'
import { firstRecipe, realEngine, sample } from '../../../realEngine'
import { importedBytes } from '../importedBytes'
import { npyOf, randomLabels, trueObjects } from './made'

let engine: Engine
let slideId: string
let folder: string
/** Analysed px are the slide's. */
let recipe: Recipe

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'labels-'))
  engine = realEngine(folder, { shell: 'serve' })
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
  const first = await firstRecipe(engine)
  recipe = { ...first, params: { ...first.params, image: { pixelSizeUm: 0 } } }
})
afterAll(async () => {
  await engine.close()
  const left = (await readdir(tmpdir())).filter(
    (name) => name.startsWith('morphoscope-import-') && name.includes(`-${process.pid}-`),
  )
  await rm(folder, { recursive: true, force: true })
  expect(left).toEqual([])
})

const bring = (bytes: Uint8Array, more: object = {}): Promise<ImportedFile> =>
  importedBytes(engine, { slideId, recipe, ...more }, bytes)
const file = (name: string): Promise<Buffer> => readFile(new URL(`files/${name}`, import.meta.url))

/** What our export writes of a result. */
async function exported(runId: string): Promise<{ path: string; width: number; height: number; ids: Uint32Array }> {
  const directory = join(folder, `labels-${runId}`)
  await engine.invoke('export:start', { runId, directory, files: ['labels.ome.tif'], overwrite: true })
  const path = join(directory, 'labels.ome.tif')
  const { width, height } = (await tiffNumbers(path))!
  return { path, width, height, ids: (await tiffRows(path, 0, height)) as Uint32Array }
}

const slideWidth = 2220
/** 20 labels of 6 × 5 px: makeFiles.py says so. */
const labelOf = (x: number, y: number): number => (x % 8 < 6 && y % 8 < 5 ? 1 + Math.floor(x / 8) + 5 * Math.floor(y / 8) : 0)

describe('what other programs wrote', () => {
  const taken = [
    'plain-u8.tif big-endian-u16.tif strips-u32.tif deflate-i32.tif tiled-u16.ome.tif pyramid-u32.ome.tif pyramid-pages-u16.tif',
    'float32.tif lzw-u16.tif zstd-u16.tif cells_cp_masks.png grey-u8.png version-2.npy version-3.npy one-plane.npy',
    'u1.npy u2.npy big-u2.npy u4.npy u8.npy i4.npy i8.npy big-i8.npy f8.npy',
  ].flatMap((names) => names.split(' '))
  let first = ''

  it('has each label where it lies, px by px', async () => {
    const { objects, regions } = await bring(await file('plain-u8.tif'), { place: { x: 100, y: 200 } })
    expect(regions).toBeNull()
    expect(objects).toMatchObject({ objects: 20, leftOut: [], repaired: [], name: 'their labels.tif' })
    first = objects!.runId
    const { ids } = await exported(first)
    const wrong = ids.findIndex((id, at) => {
      const [x, y] = [(at % slideWidth) - 100, Math.floor(at / slideWidth) - 200]
      return id !== (x >= 0 && y >= 0 && x < 40 && y < 32 ? labelOf(x, y) : 0)
    })
    expect(wrong).toBe(-1)
  })
  it.each(taken)('%s says the same', async (name) => {
    const { objects } = await bring(await file(name), { place: { x: 100, y: 200 }, partBytes: 777 })
    expect(objects).toMatchObject({ objects: 20, leftOut: [], repaired: [] })
    expect(await engine.invoke('run:compare', { a: first, b: objects!.runId })).toMatchObject({ onlyA: 0, onlyB: 0, dice: 1 })
  })
  it('has one page of several, and px that are no label’s number are empty: both are said', async () => {
    const two = await bring(await file('two-pages-u16.tif'), { place: { x: 100, y: 200 } })
    expect(two.objects).toMatchObject({ objects: 20, repaired: ['it has 1 further page of that size: the first alone was read'] })
    const odd = await bring(await file('odd-float32.tif'), { place: { x: 100, y: 200 } })
    expect(odd.objects).toMatchObject({
      objects: 20,
      repaired: ['4 px hold no label’s number: negative, a fraction, or no number at all. They were taken as empty'],
    })
  })
  it.each([
    ['colours.tif', 'has colours'],
    ['colours.png', 'has colours'],
    ['fortran.npy', 'Fortran order'],
    ['objects_seg.npy', 'holds objects of Python'],
  ])('%s is refused: it %s', async (name, why) => {
    await expect(bring(await file(name), { called: name })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining(`${name} ${why}`.replace('npy Fortran', 'npy is in Fortran')) as string,
    })
  })
})

describe('random label images', () => {
  it.each([1, 2, 3, 4, 5, 6])('%i: there and back, each label’s largest piece', async (seed) => {
    const image = randomLabels(seed)
    const [x, y] = [37 * seed, 50 * seed]
    const { objects } = await bring(npyOf(image), { place: { x, y } })
    const truth = trueObjects(image, { x, y, scale: 1, width: 2220, height: 2967 })
    expect(objects!.objects).toBe(truth.size)
    const { ids } = await exported(objects!.runId)
    expect(same(ids, truth.pixels)).toBe(true)
  })
  it.each([
    [2, 10.5, 20.25],
    [0.5, 300, 0],
    [3.7, -20, -31],
    [1, 2200, 2950],
  ])('at %f px of the slide a px, from %f, %f on', async (scale, x, y) => {
    const image = randomLabels(11)
    const { objects } = await bring(npyOf(image), { place: { x, y, scale } })
    const truth = trueObjects(image, { x, y, scale, width: 2220, height: 2967 })
    expect(objects!.objects).toBe(truth.size)
    const { ids } = await exported(objects!.runId)
    expect(same(ids, truth.pixels)).toBe(true)
    const { labels } = truth
    const said = objects!.leftOut.reduce((sum, words) => sum + Number(words.replaceAll(',', '').split(' ')[0]), 0)
    expect(said).toBe(labels - truth.size)
  })
})

/** Whether two images have the same px together, whatever they call them. */
function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const [to, from] = [new Map<number, number>(), new Map<number, number>()]
  for (let i = 0; i < a.length; i++) {
    const [p, q] = [a[i]!, b[i]!]
    if ((p === 0) !== (q === 0)) return false
    if (p === 0) continue
    if (!to.has(p) && !from.has(q)) {
      to.set(p, q)
      from.set(q, p)
    }
    if (to.get(p) !== q || from.get(q) !== p) return false
  }
  return true
}

describe('what Morphoscope wrote', () => {
  const run = async (region: { x: number; y: number; width: number; height: number } | 'whole') => {
    const analysed = await firstRecipe(engine)
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe: analysed, purpose: 'run' })
    const status = () => engine.invoke('run:status', { runId })
    await expect.poll(async () => (await status()).state, { timeout: 60_000 }).toBe('done')
    const ours = await exported(runId)
    const brought = await bring(await readFile(ours.path), { recipe: analysed })
    expect(brought.objects).toMatchObject({ objects: (await status()).objects, leftOut: [], repaired: [] })
    return { analysed, runId, ours, theirs: brought.objects!.runId }
  }

  it('comes back from where its position says: the same px, as far as the file has them', async () => {
    const region = { x: 601, y: 803, width: 500, height: 401 }
    const { ours, theirs } = await run(region)
    const whole = await exported(theirs)
    const { width, x, y } = region
    const part = ours.ids.map((_, i) => whole.ids[(y + Math.floor(i / width)) * whole.width + x + (i % width)]!)
    expect(same(ours.ids, part)).toBe(true)
  })
  it('of a whole slide comes back exactly, and from then on with the same numbers', async () => {
    const { analysed, runId, theirs } = await run('whole')
    const compared = await engine.invoke('run:compare', { a: runId, b: theirs })
    expect(compared).toMatchObject({ onlyA: 0, onlyB: 0, dice: 1 })
    const first = await exported(theirs)
    const again = await bring(await readFile(first.path), { recipe: analysed })
    const second = await exported(again.objects!.runId)
    expect(Buffer.compare(Buffer.from(second.ids.buffer), Buffer.from(first.ids.buffer))).toBe(0)
  })
})

describe('an image that does not say where it lies', () => {
  it('asks, and says how large its px are if it covers the slide', async () => {
    const half = npyOf({ width: 1110, height: 1484, labels: new Uint32Array(1110 * 1484) })
    expect(await bring(half)).toEqual({
      ...{ regions: null, objects: null, leftOut: [] },
      unplaced: { width: 1110, height: 1484, scale: 2 },
    })
    const other = await bring(await file('u2.npy'))
    expect(other.unplaced).toEqual({ width: 40, height: 32, scale: null })
  })
  it('lies on the slide that has its size', async () => {
    const labels = new Uint32Array(2220 * 2967)
    for (let y = 100; y < 110; y++) labels.fill(9, y * 2220 + 50, y * 2220 + 60)
    const { objects } = await bring(npyOf({ width: 2220, height: 2967, labels }))
    const found = await engine.invoke('object:at', { runId: objects!.runId, x: 55, y: 105 })
    expect(found).toMatchObject({ id: 1, bounds: { x: 50, y: 100, width: 10, height: 10 } })
  })
  it('is refused where none of it would lie on the slide', async () => {
    await expect(bring(await file('u2.npy'), { place: { x: 2220, y: 0 } })).rejects.toThrow(
      'No px of their labels.tif lies on the slide',
    )
  })
})

describe('labels', () => {
  const squares = (
    sizes: readonly [x: number, y: number, width: number, height: number, label: number][],
    width = 60,
    height = 40,
  ) => {
    const labels = new Uint32Array(width * height)
    for (const [x, y, w, h, label] of sizes)
      for (let row = y; row < y + h; row++) labels.fill(label, row * width + x, row * width + x + w)
    return npyOf({ width, height, labels })
  }
  it('in several pieces are their largest, corners count as one, and a mask is called one', async () => {
    const two = await bring(
      squares([
        [2, 2, 4, 4, 5],
        [20, 2, 5, 5, 5],
        [40, 2, 3, 3, 6],
        [43, 5, 3, 3, 6],
      ]),
      { place: { x: 10, y: 10 } },
    )
    expect(two.objects).toMatchObject({ objects: 2, repaired: ['1 label is in several pieces, of which the largest was taken'] })
    const at = async (x: number, y: number) =>
      (await engine.invoke('object:at', { runId: two.objects!.runId, x, y }))?.bounds ?? null
    expect([await at(13, 13), await at(32, 14)]).toEqual([null, { x: 30, y: 12, width: 5, height: 5 }])
    expect(await at(51, 13)).toEqual({ x: 50, y: 12, width: 6, height: 6 })
    const mask = await bring(
      squares([
        [2, 2, 4, 4, 255],
        [20, 2, 5, 5, 255],
      ]),
      { place: {} },
    )
    expect(mask.objects!.repaired.join()).toContain('it is a mask, and no label image')
  })
  it('are undone as one step, and there again', async () => {
    const { objects } = await bring(squares([[2, 2, 4, 4, 1]]), { place: {} })
    const listed = async () => (await engine.invoke('run:list', undefined)).some(({ status }) => status.runId === objects!.runId)
    expect(await listed()).toBe(true)
    await engine.invoke('project:undo', undefined)
    expect(await listed()).toBe(false)
    await engine.invoke('project:redo', undefined)
  })
})
