// Objects of a file as a result: ours come back as they were, others' are measured, classed, compared, exported, taken back and there again.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportedFile, Recipe, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { realEngine, sample } from '../../realEngine'
import { importer } from './importer'
import { importedText } from './importedText'

let engine: Engine
let slideId: string
let folder: string
let recipe: Recipe

let end: () => Promise<void>

beforeAll(async () => void ({ engine, slideId, folder, recipe, end } = await importer('imported-')))
afterAll(() => end())

type Feature = Record<string, unknown>
const square = (x: number, y: number, side: number): number[][][] => [
  [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ],
]
const cell = (x: number, y: number, side: number, more: Feature = {}, kind = 'detection'): Feature => ({
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates: square(x, y, side) },
  properties: { objectType: kind, ...more },
})
const collection = (features: readonly unknown[]): string => JSON.stringify({ type: 'FeatureCollection', features })
const bring = (text: string, more: object = {}): Promise<ImportedFile> => importedText(engine, { slideId, recipe, ...more }, text)
const status = (runId: string): Promise<RunStatus> => engine.invoke('run:status', { runId })
const listed = async (): Promise<string[]> => (await engine.invoke('run:list', undefined)).map((run) => run.status.name)

async function rowsOf(runId: string): Promise<Record<string, string>[]> {
  const directory = join(folder, `csv-${runId}`)
  await engine.invoke('export:start', { runId, directory, files: ['objects.csv', 'run.json'] })
  const [head, ...lines] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split(/\r?\n/)
  const names = head!.replace(/^\ufeff/, '').split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
}

describe('what Morphoscope wrote', () => {
  it('comes back as the same objects, with their figures and classes', async () => {
    const region = { x: 600, y: 800, width: 700, height: 600 }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
    await expect.poll(async () => (await status(runId)).state, { timeout: 30_000 }).toBe('done')
    const { view } = await engine.invoke('table:view', { runId, filter: 'area > 40', brush: null, sort: null, describe: 'area' })
    await engine.invoke('object:edit', { runId, choice: { view }, edit: { type: 'classify', classId: 'tumour' } })
    const directory = join(folder, 'ours')
    await engine.invoke('export:start', { runId, directory, files: ['objects.geojson'] })
    const text = await readFile(join(directory, 'objects.geojson'), 'utf8')

    const { objects, regions } = await bring(text, { partLength: 1000 })
    expect(regions).toBeNull()
    const ours = await status(runId)
    expect(objects).toMatchObject({ objects: ours.objects, name: 'their cells.geojson', leftOut: [], repaired: [] })
    expect(ours.objects).toBeGreaterThan(200)
    const theirs = await status(objects!.runId)
    expect(theirs).toMatchObject({
      state: 'done',
      objects: ours.objects,
      byHand: ours.byHand,
      imported: { from: 'their cells.geojson' },
    })
    expect(ours.byHand).toBeGreaterThan(20)

    const compared = await engine.invoke('run:compare', { a: runId, b: objects!.runId })
    expect(compared).toMatchObject({ a: { objects: ours.objects }, onlyA: 0, onlyB: 0, dice: 1, values: [] })
    expect([compared.a.imported, compared.b.imported]).toEqual([undefined, true])
    const [a, b] = [await rowsOf(runId), await rowsOf(objects!.runId)]
    // Contrast and score are of planes that only a recipe has.
    const known = (row: Record<string, string>) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !/contrast|score/i.test(name)))
    expect(b.map(known)).toEqual(a.map(known))

    const record = JSON.parse(await readFile(join(folder, `csv-${objects!.runId}`, 'run.json'), 'utf8')) as {
      recipeSpec: { name: string }
      imported?: boolean
    }
    expect(record.imported).toBe(true)
    expect(record.recipeSpec.name).toMatch(/^Imported, measured as /)
    await expect(engine.invoke('run:verify', { runId: objects!.runId, regions: [], random: 1 })).rejects.toThrow('came in with')
  })
})

describe('what others wrote', () => {
  it('becomes objects that can be worked out by hand, measured where they lie', async () => {
    const { objects } = await bring(
      collection([cell(100, 200, 10), cell(140, 200, 20, { classification: { name: 'Tumor', color: [1, 2, 3] } }, 'tile')]),
      { recipe: { ...recipe, params: { ...recipe.params, image: { pixelSizeUm: 0 } } } },
    )
    const at = (x: number, y: number) => engine.invoke('object:at', { runId: objects!.runId, x, y })
    const { grid, analysedMpp } = await status(objects!.runId)
    expect(grid.scale).toBe(1)
    const um2 = analysedMpp! ** 2
    const about = async (x: number, y: number) => {
      const { id, area, centroid, bounds } = (await at(x, y))!
      return { id, px: Math.round(area / um2), centroid, bounds }
    }
    expect(await about(105, 205)).toEqual({
      ...{ id: 1, px: 100, centroid: { x: 105, y: 205 } },
      bounds: { x: 100, y: 200, width: 10, height: 10 },
    })
    expect(await about(145, 215)).toMatchObject({ id: 2, px: 400, centroid: { x: 150, y: 210 } })
    expect(await at(99, 205)).toBeNull()
    expect((await status(objects!.runId)).classes).toContainEqual(expect.objectContaining({ id: 'tumour', objects: 1 }))
  })

  it('is taken in each form that QuPath and others write, and what is not is counted by why', async () => {
    const before = (await engine.invoke('project:state', { slideId })).regions.length
    const strange = [
      cell(300, 300, 12, { classification: 'Stroma', measurements: [{ name: 'Area', value: 12 }] }),
      cell(340, 300, 12, { measurements: { 'Nucleus: Area': 3 }, classification: { names: ['Tumor', 'Positive'] } }),
      {
        ...cell(380, 300, 30, { classification: { name: 'Immune cells' } }, 'cell'),
        nucleusGeometry: { type: 'Polygon', coordinates: square(390, 310, 10) },
      },
      {
        type: 'Feature',
        id: 'PathDetectionObject',
        geometry: { type: 'Polygon', coordinates: square(420, 300, 12) },
        properties: null,
      },
      cell(460, 300, 40, { name: 'Epithelium' }, 'annotation'),
      // From here on each has a fault of its own.
      cell(-500, 300, 12),
      cell(1e300, 300, 12),
      cell(300, 300, 12),
      { ...cell(0, 0, 1), geometry: { type: 'Point', coordinates: [5, 5] } },
      { ...cell(0, 0, 1), geometry: { type: 'Polygon', coordinates: [[[1, 1]]] } },
      { ...cell(0, 0, 1), geometry: null },
      { ...cell(0, 0, 1), geometry: { type: 'Polygon', coordinates: [['x', null], []] } },
      { ...cell(0, 0, 1), geometry: { type: 'MultiPolygon', coordinates: [square(600, 300, 9), [], square(900, 300, 3)] } },
      cell(700, 300, 0.01),
      cell(0, 0, 1e5),
      JSON.parse(
        '{"__proto__":{"objectType":"detection"},"type":"Feature","properties":{"objectType":"detection","__proto__":1}}',
      ),
      cell(720, 300, 9, { classification: { name: '__proto__' } }),
      cell(740, 300, 9, { classification: { name: `Long ${'x'.repeat(1e5)}` } }),
      7,
    ]
    const text = `\ufeff${collection(strange).replace('"value":12', '"value":NaN')}`
    const { objects, regions } = await bring(text)
    expect(regions).toMatchObject({ added: 1 })
    expect((await engine.invoke('project:state', { slideId })).regions).toHaveLength(before + 1)
    expect(objects).toMatchObject({ objects: 7 })
    const said = objects!.leftOut.join('\n')
    for (const why of [
      '1 feature lies beyond the slide',
      '1 feature has no area',
      '1 feature lies on another object',
      '1 feature is points',
      'less than three points',
      '2 features: each has no geometry',
      'has no coordinates of a Polygon',
      'covers the centre of no pixel',
      'is larger than an object can be',
    ])
      expect(said).toContain(why)
    expect(objects!.repaired.join('\n')).toMatch(/several pieces/)
    const { classes, warnings } = await status(objects!.runId)
    expect(warnings.join('\n')).toMatch(/of the whole slide[^]*lies beyond the slide/)
    expect(classes!.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Stroma', 'Tumor: Positive', 'Immune cells', '__proto__']),
    )
    // The nucleus, 10 px a side, not its cell.
    const nucleus = await engine.invoke('object:at', { runId: objects!.runId, x: 395, y: 315 })
    expect(nucleus).not.toBeNull()
    expect(await engine.invoke('object:at', { runId: objects!.runId, x: 383, y: 303 })).toBeNull()
  })

  it('may say nothing of what its features are: then who imports says it', async () => {
    const plain = [1, 2, 3].map((i) => ({ ...cell(100 * i, 900, 20), properties: {} }))
    const lines = plain.map((each) => JSON.stringify(each)).join('\n')
    expect(await bring(lines, { unsaid: 'regions' })).toMatchObject({ regions: { added: 3 }, objects: null })
    expect(await bring(lines, { unsaid: 'objects' })).toMatchObject({ regions: null, objects: { objects: 3 } })
    expect(await bring(JSON.stringify(plain), { unsaid: 'objects' })).toMatchObject({ objects: { objects: 3 } })
    expect(await bring(JSON.stringify(plain[0]), { unsaid: 'objects' })).toMatchObject({ objects: { objects: 1 } })
    await expect(bring('{"features":[')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await bring(collection([cell(-90, 0, 9)]))).toMatchObject({
      regions: null,
      objects: null,
      leftOut: ['1 feature lies beyond the slide'],
    })
  })

  it('may say nothing of what its features are: then who asks for it hears so, and nothing is imported', async () => {
    const before = await listed()
    const plain = [1, 2, 3].map((i) => ({ ...cell(100 * i, 900, 20), properties: {} }))
    const nothing = { regions: null, objects: null, undecided: 'features' }
    expect(await bring(collection(plain), { asks: true })).toMatchObject(nothing)
    expect(await bring(collection([cell(5, 5, 9), ...plain, { broken: 1 }]), { asks: true, unsaid: 'objects' })).toMatchObject(
      nothing,
    )
    expect(await listed()).toEqual(before)
    // A part says so as soon as it is known.
    const importId = await engine.invoke('import:begin', {
      ...{ slideId, recipe, called: 'x.geojson', unsaid: 'regions', asks: true, tail: '', length: 10 },
    })
    const said = async () => engine.invoke('import:part', { importId, text: `${JSON.stringify(plain[0])}\n` })
    await expect.poll(said).toBe('features')
    await engine.invoke('import:cancel', { importId })
    // What says it, and what cannot be an object, is no question.
    const point = { type: 'Feature', geometry: { type: 'Point', coordinates: [5, 5] }, properties: {} }
    expect(await bring(collection([cell(400, 1400, 9), point]), { asks: true })).toMatchObject({
      objects: { objects: 1 },
      regions: { added: 1 },
    })
  })

  it('is one step, which is taken back and done again, also by the next program', async () => {
    const before = await listed()
    const { objects } = await bring(collection([cell(200, 1000, 15), cell(230, 1000, 15)]), { called: 'cells of\u001b Åsa.json' })
    expect(objects!.name).toBe('cells of  Åsa.json')
    expect(await listed()).toEqual([...before, 'cells of  Åsa.json'])
    expect(await engine.invoke('project:undo', undefined)).toBe('Import 2 objects')
    expect(await listed()).toEqual(before)
    expect((await engine.invoke('project:state', { slideId })).runs.map(({ id }) => id)).not.toContain(objects!.keptId)
    expect(await engine.invoke('project:redo', undefined)).toBe('Import 2 objects')
    await expect.poll(listed).toEqual([...before, 'cells of  Åsa.json'])
    await engine.close()
    engine = realEngine(folder, { shell: 'serve' })
    slideId = (await engine.invoke('slide:open', { path: sample })).slideId
    const back = await engine.invoke('project:restore', { slideId })
    expect(back.find(({ keptId }) => keptId === objects!.keptId)).toMatchObject({
      objects: 2,
      imported: { from: 'cells of  Åsa.json' },
    })
  })

  it('can be ended while it comes in, and leaves nothing', async () => {
    const before = await listed()
    const importId = await engine.invoke('import:begin', {
      ...{ slideId, recipe, called: 'x.geojson', unsaid: 'objects', tail: '', length: 10 },
    })
    await engine.invoke('import:part', { importId, text: collection([cell(5, 5, 9)]).slice(0, 40) })
    await engine.invoke('import:cancel', { importId })
    await expect(engine.invoke('import:part', { importId, text: '' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const stop = new AbortController()
    const many = Array.from({ length: 4000 }, (_, i) => cell(10 + (i % 100) * 20, 10 + Math.floor(i / 100) * 20, 12))
    const going = bring(collection(many), { signal: stop.signal })
    const ended = engine.onEvent((event) => {
      if (event.type === 'import:progress') stop.abort()
    })
    await expect(going).rejects.toThrow()
    ended()
    expect(await listed()).toEqual(before)
  })
})
