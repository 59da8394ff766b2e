// Points of a table as a result: discs that can be worked out by hand, columns of other programs, and what is not taken.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recipe } from '../../../../../app/contract'
import type { Engine } from '../../../../../main/engine'
import { pointColumns } from '../../../../../main/project/importing/points/columns'
import { discOf } from '../../../../../main/project/importing/points/disc'
import { TableRows } from '../../../../../main/project/importing/points/table'
import { seeded } from '../labels/made'
import { importer } from '../importer'
import { importedText } from '../importedText'

let engine: Engine
let slideId: string
let folder: string
let recipe: Recipe
const mpp = 0.499

let end: () => Promise<void>

beforeAll(async () => void ({ engine, slideId, folder, recipe, end } = await importer('points-', 'slide')))
afterAll(() => end())

const bring = (text: string, more: object = {}) =>
  importedText(engine, { slideId, recipe, called: 'points.csv', form: 'points', partLength: 13, ...more }, text)
const at = (runId: string, x: number, y: number) => engine.invoke('object:at', { runId, x, y })

describe('a table of points', () => {
  it('becomes discs, of the radius that is said, with classes', async () => {
    const { objects } = await bring('x,y,class\n100,200,Tumor\n150.5,200.5,\n', { radiusUm: 5 * mpp })
    expect(objects).toMatchObject({
      objects: 2,
      leftOut: [],
      repaired: [`its objects are discs around points, with a radius of ${5 * mpp} µm`],
    })
    // Centres at most 5 px from the place: of a corner of px 10 across, of the middle of one 11.
    expect(await at(objects!.runId, 100, 200)).toMatchObject({
      id: 1,
      centroid: { x: 100, y: 200 },
      bounds: { x: 95, y: 195, width: 10, height: 10 },
    })
    expect(await at(objects!.runId, 150, 200)).toMatchObject({ id: 2, bounds: { x: 145, y: 195, width: 11, height: 11 } })
    const status = await engine.invoke('run:status', { runId: objects!.runId })
    expect(status.classes).toContainEqual(expect.objectContaining({ id: 'tumour', objects: 1 }))
  })
  it('without a size is asked for, by who wants to be asked', async () => {
    const plain = 'x,y\n100,200\n300,200\n'
    expect(await bring(plain, { asks: true })).toEqual({ regions: null, objects: null, leftOut: [], undecided: 'radius' })
    expect(await bring(plain, { asks: true, radiusUm: 3 })).toMatchObject({ objects: { objects: 2 } })
    expect(await bring('x,y,radius\n100,200,5\n', { asks: true })).toMatchObject({ objects: { objects: 1 } })
  })
  it('says its units: µm, diameters, semicolons, quotes, a byte order mark, Windows’ line ends', async () => {
    const text = `\ufeff"Image";"Centroid X µm";"Centroid Y µm";"Diameter µm"\r\n"a ""b""; c";${100 * mpp};${50 * mpp};${8 * mpp}\r\n"two\nlines";1e2;1e2;4`
    const { objects } = await bring(text)
    expect(objects).toMatchObject({
      objects: 2,
      repaired: ['its objects are discs around points, with radii by the column “Diameter µm”'],
    })
    expect(await at(objects!.runId, 100, 50)).toMatchObject({ bounds: { x: 96, y: 46, width: 8, height: 8 } })
  })
  it('has what cannot be taken counted: no number, beyond the slide, on one another', async () => {
    const { objects } = await bring(
      'x\ty\tradius\n10\t10\t5\n10\t10\t4\nNaN\t5\t5\n5\t\t5\n-5\t7\t3\n9999\t1\t1\n50\t50\t0\n60\t60\t-1\n500\t500\t1e9\n1\t70\t5\n',
    )
    expect(objects!.objects).toBe(2)
    expect(objects!.leftOut).toEqual([
      '1 point lies on another object, which was there first',
      '2 points: each has no number for its place',
      '2 points: each lies beyond the slide',
      '2 points: each has no number above 0 for its radius',
      '1 point is larger than an object can be: 8,192 px across, or 4 million px, of the analysed image',
    ])
    expect(objects!.repaired).toContain('1 point reaches beyond the slide: what lies on it was taken')
  })
  it.each([
    ['decimal commas', 'x;y\n1,5;2,5\n', 'points.csv has decimal commas, as in 1,5'],
    ['no places', 'a,b,c\n1,2,3\n', 'has no two columns of places'],
    ['nothing', '', 'is an empty table'],
    ['an open quote', `x,y\n"${'1'.repeat(2 ** 20)}`, 'is no table: a row of it has more than'],
  ])('%s is refused', async (_, text, why) => {
    await expect(bring(text, { partLength: 2 ** 20 })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining(why) as string,
    })
  })
  it('of ours has its places where they are', async () => {
    const region = { x: 600, y: 800, width: 700, height: 600 }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
    const status = () => engine.invoke('run:status', { runId })
    await expect.poll(async () => (await status()).state, { timeout: 30_000 }).toBe('done')
    await engine.invoke('export:start', { runId, directory: folder, files: ['objects.csv'], overwrite: true })
    const { objects } = await bring(await readFile(join(folder, 'objects.csv'), 'utf8'), { radiusUm: 0.6, partLength: 5000 })
    expect((await status()).objects).toBeGreaterThan(200)
    expect(objects!.objects).toBe((await status()).objects)
  })
})

describe('columns', () => {
  it.each([
    ['Image,Centroid X px,Centroid Y px', [1, 2, 'px']],
    ['Object ID,Centroid X µm,Centroid Y µm,Nucleus: Area', [1, 2, 'um']],
    ['ImageNumber,ObjectNumber,AreaShape_Center_X,AreaShape_Center_Y', [2, 3, 'px']],
    ['Nuclei_Location_Center_X,Nuclei_Location_Center_Y', [0, 1, 'px']],
    ['label,centroid-0,centroid-1', [2, 1, 'px']],
    ['index,axis-0,axis-1', [2, 1, 'px']],
    ['id,centroid_x_px,centroid_y_px,area_um2', [1, 2, 'px']],
    ['cell_id,x_centroid,y_centroid', [1, 2, 'px']],
    ['X,Y', [0, 1, 'px']],
    ['y (microns),x (microns)', [1, 0, 'um']],
  ])('%s', (names, [x, y, unit]) => {
    expect(pointColumns(names.split(','))).toMatchObject({ x, y, unit })
  })
  it.each(['x,area', 'max_x,max_y', 'centroid_x_px,centroid_y_um', 'id'])('%s are none', (names) => {
    expect(pointColumns(names.split(','))).toBeNull()
  })
})

it('discs have the px whose centres lie in them', () => {
  const random = seeded(3)
  for (let i = 0; i < 300; i++) {
    const [x, y, r, scale] = [random(600) / 10, random(600) / 10, 1 + random(90) / 10, 1 + random(20) / 10]
    const disc = discOf(x, y, r, { scale, widthPx: 40, heightPx: 40 })
    if (typeof disc === 'string') {
      expect([disc, x >= 40 * scale || y >= 40 * scale]).toEqual(['beyond', true])
      continue
    }
    const inside = (px: number, py: number): boolean => ((px + 0.5) * scale - x) ** 2 + ((py + 0.5) * scale - y) ** 2 <= r * r
    const truth: number[] = []
    for (let py = 0; py < 40; py++) for (let px = 0; px < 40; px++) if (inside(px, py)) truth.push(py * 40 + px)
    const found: number[] = []
    for (let at = 0; at < disc.runs.length; at += 3)
      for (let px = disc.runs[at + 1]!; px < disc.runs[at + 2]!; px++) found.push(disc.runs[at]! * 40 + px)
    if (truth.length === 0) expect(found).toHaveLength(1)
    else expect(found).toEqual(truth)
  }
})

it('a quote that is never closed ends soon', () => {
  const rows = new TableRows('t.csv')
  const begun = performance.now()
  expect(() => [...rows.take(`x,y\n"${'\n'.repeat(2 ** 21)}`)]).toThrow('t.csv is no table')
  expect(performance.now() - begun).toBeLessThan(2000)
})

it('rows are the same however their text is cut', () => {
  const text = '# a comment\nx,"a ""quoted"", name",z\r\n1,"two\nlines",3\n\n"",,\nlast,row'
  const whole = [
    ['x', 'a "quoted", name', 'z'],
    ['1', 'two\nlines', '3'],
    ['', '', ''],
    ['last', 'row'],
  ]
  for (let length = 1; length <= text.length; length++) {
    const rows = new TableRows('t.csv')
    const found: string[][] = []
    for (let from = 0; from < text.length; from += length) found.push(...rows.take(text.slice(from, from + length)))
    found.push(...rows.end())
    expect(found).toEqual(whole)
  }
})
