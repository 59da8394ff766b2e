// Cells with nuclei in a file: each is one object, measured by compartment; ours come back and go out again as they were.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportedFile, Recipe, RunStatus } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { realEngine, sample } from '../../realEngine'
import { importedText } from './importedText'

let engine: Engine
let slideId: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imported-cells-'))
  engine = realEngine(folder, { shell: 'serve' })
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
  readonly nucleusGeometry?: Feature['geometry']
  readonly properties: Readonly<Record<string, unknown>> & { readonly measurements: Readonly<Record<string, number>> }
}

const recipeOf = async (id: string, values: Record<string, Record<string, number | string>> = {}): Promise<Recipe> => {
  const spec = (await engine.invoke('recipe:list', undefined)).find((each) => each.id === id)!
  const plain = defaultRecipe(spec)
  const params = { ...plain.params }
  for (const [stage, own] of Object.entries(values)) params[stage] = { ...params[stage], ...own }
  return { ...plain, params }
}
const status = (runId: string): Promise<RunStatus> => engine.invoke('run:status', { runId })
const bring = (recipe: Recipe, features: unknown, more: object = {}): Promise<ImportedFile> =>
  importedText(engine, { slideId, recipe, ...more }, JSON.stringify({ type: 'FeatureCollection', features }))

let exports = 0
async function written(runId: string): Promise<{ features: Feature[]; rows: Record<string, string>[] }> {
  const directory = join(folder, `e${++exports}`)
  await engine.invoke('export:start', { runId, directory, files: ['objects.geojson', 'objects.csv', 'run.json'] })
  const text = await readFile(join(directory, 'objects.geojson'), 'utf8')
  const [head, ...lines] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split(/\r?\n/)
  const names = head!.replace(/^\ufeff/, '').split(',')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
  return { features: (JSON.parse(text) as { features: Feature[] }).features, rows }
}

describe.each([
  ['he-nuclei', { cells: { expansion: 6 } }, {}, 420],
  // As with --mpp: all lengths are of it.
  ['he-nuclei', { cells: { expansion: 4, membraneWidth: 1.5 } }, { mpp: 0.37 }, 420],
  // With a membrane that is scored.
  ['ihc-nuclei', { cells: { expansion: 3.3, membraneWidth: 0.75 } }, {}, 200],
] as const)('cells that %s made with %o and %o', (id, values, more, side) => {
  it('come back with both outlines and all figures, and go out as they were', async () => {
    const made = await recipeOf(id, values)
    const region = { x: 700, y: 900, width: side, height: side }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe: made, purpose: 'run', ...more })
    await expect.poll(async () => (await status(runId)).state, { timeout: 60_000 }).toBe('done')
    const ours = await written(runId)
    expect(ours.features.filter((each) => each.nucleusGeometry).length).toBeGreaterThan(5)

    // Whatever cells the recipe would make itself: what came in stands. How wide a membrane is, it says.
    const membraneWidth = (values.cells as { membraneWidth?: number }).membraneWidth
    const other = await recipeOf(id, { cells: { ...(membraneWidth && { membraneWidth }) } })
    const { objects } = await bring(other, ours.features, more)
    expect(objects).toMatchObject({ objects: ours.features.length, leftOut: [], repaired: [] })
    const theirs = await written(objects!.runId)
    const shapes = ({ features }: typeof ours) => features.map(({ geometry, nucleusGeometry }) => ({ geometry, nucleusGeometry }))
    expect(shapes(theirs)).toEqual(shapes(ours))
    expect(new Set(theirs.features.map(({ properties }) => properties.objectType))).toEqual(
      new Set(ours.features.map(({ properties }) => properties.objectType)),
    )
    // Contrast and score are of planes that only a recipe has.
    const known = (row: Record<string, string>) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !/^(contrast|score)/.test(name)))
    expect(theirs.rows.map(known)).toEqual(ours.rows.map(known))
    expect(Object.keys(ours.rows[0]!).some((name) => name.startsWith('cytoplasm'))).toBe(true)
  }, 120_000)
})

const square = (x: number, y: number, side: number): Feature['geometry'] => ({
  type: 'Polygon',
  coordinates: [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]], // prettier-ignore
})
const cell = (own: unknown, nucleus: unknown, more: object = {}) => ({
  ...{ type: 'Feature', geometry: own, nucleusGeometry: nucleus },
  properties: { objectType: 'cell', ...more },
})
/** Of the cell itself, in px: the sample has 0.499 µm a px. */
const areaOf = ({ properties }: Feature, name: string): number => {
  const [, value] = Object.entries(properties.measurements).find(([key]) => key.startsWith(name))!
  return Math.round(value / 0.499 ** 2)
}

describe('cells of others', () => {
  it('have areas that can be checked by hand, may lie on each other, and are told of where they are taken otherwise', async () => {
    const recipe = await recipeOf('he-nuclei', { cells: { membraneWidth: 1 } })
    const { objects } = await bring(recipe, [
      cell(square(200, 300, 30), square(210, 310, 10), { classification: { name: 'Tumor' } }),
      // On the cell before, beside its nucleus.
      cell(square(215, 300, 40), square(230, 310, 10)),
      // A nucleus that leaves its cell: the cell has its px too.
      cell(square(300, 300, 20), square(310, 310, 20)),
      // At the slide's corner.
      cell(square(-5, -5, 25), square(2, 2, 10)),
      cell(square(400, 300, 20), { type: 'Polygon', coordinates: [] }),
      cell({ type: 'Polygon', coordinates: [] }, square(450, 300, 10)),
      cell(square(0, 800, 1900), square(900, 1700, 12)),
      cell(
        { type: 'MultiPolygon', coordinates: [square(500, 300, 20).coordinates, square(530, 300, 8).coordinates] },
        square(505, 305, 9),
      ),
      { type: 'Feature', geometry: square(600, 300, 20), properties: { objectType: 'cell' } },
    ])
    expect(objects).toMatchObject({ objects: 9, leftOut: [] })
    expect(objects!.repaired.join('\n')).toMatch(/cell without a nucleus that can be taken: its own outline is the object/)
    expect(objects!.repaired.join('\n')).toMatch(/nucleus alone was taken, as its own outline reaches more than 400 px/)
    expect(objects!.repaired.join('\n')).toMatch(/nucleus alone was taken, as its own outline has no coordinates/)
    const { features } = await written(objects!.runId)
    const at = (x: number, y: number): Feature => {
      const own = (each: Feature) => JSON.stringify((each.nucleusGeometry ?? each.geometry).coordinates).includes(`[${x},${y}]`)
      return features.find(own)!
    }
    const [first, second] = [at(210, 310), at(230, 310)]
    // Two px wide: the px within two of what is not the cell's.
    expect([areaOf(first, 'Cell: Area'), areaOf(first, 'Cytoplasm: Area')]).toEqual([900, 26 * 26 - 100])
    expect([areaOf(second, 'Cell: Area'), areaOf(second, 'Cytoplasm: Area')]).toEqual([1600, 36 * 36 - 100])
    expect(first.properties.classification).toMatchObject({ name: 'Tumor' })
    expect(areaOf(at(310, 310), 'Cell: Area')).toBe(400 + 400 - 100)
    // The slide's edge is no membrane.
    expect([areaOf(at(2, 2), 'Cell: Area'), areaOf(at(2, 2), 'Cytoplasm: Area')]).toEqual([400, 18 * 18 - 100])
    expect(at(505, 305).geometry.type).toBe('MultiPolygon')
    expect(areaOf(at(505, 305), 'Cell: Area')).toBe(464)
    for (const [x, y] of [
      [400, 300],
      [450, 300],
      [900, 1700],
      [600, 300],
    ] as const) {
      // oxfmt-ignore
      expect(at(x, y).nucleusGeometry, `${x}`).toBeUndefined()
      expect(at(x, y).properties.objectType).toBe('detection')
      expect(Object.keys(at(x, y).properties.measurements).some((name) => name.startsWith('Cell'))).toBe(false)
    }
  })

  it('may lie on each other no end: what is too much is left out, and the nuclei are taken', async () => {
    const recipe = await recipeOf('he-nuclei')
    const many = Array.from({ length: 900 }, (_, i) => {
      const [x, y] = [400 + 12 * (i % 30), 400 + 12 * Math.floor(i / 30)]
      return cell(square(x - 380, y - 380, 770), square(x, y, 10))
    })
    const { objects } = await bring(recipe, many)
    expect(objects).toMatchObject({ objects: 900, leftOut: [] })
    expect(objects!.repaired.join('\n')).toMatch(/has no room: the cells before it lie on each other too often/)
  }, 120_000)
})
