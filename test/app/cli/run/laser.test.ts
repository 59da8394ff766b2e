// `run --files shapes.lmd.xml`: the marks are asked for before anything is computed, and the files hold what the filter leaves.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cli } from '../inProcess'

const sample = 'assets/samples/CMU-1-Small-Region.svs'
const marks = '100,100;2000,120;150,2800'
let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-laser-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

it('writes shapes of those that the filter leaves', { timeout: 60_000 }, async () => {
  const out = join(folder, 'run')
  const files = 'shapes.lmd.xml,shapes.palm.txt,objects.csv,run.json'
  const where = ['--region', '300,300,700,600', '--out', out, '--files', files]
  const { code } = await cli('run', sample, ...where, '--lmd-calibration', marks, '--laser-filter', 'area > 20')
  expect(code).toBe(0)
  const read = (name: string) => readFile(join(out, name), 'utf8')
  const [header, ...rows] = (await read('objects.csv')).trimEnd().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  const ids = rows.filter((row) => Number(row[header!.indexOf('area_um2')]) > 20).map((row) => row[0])
  expect(ids.length).toBeGreaterThan(1)
  const cut = [...(await read('shapes.palm.txt')).matchAll(/\tObject (\d+)\r/g)].map(([, id]) => id)
  expect([...new Set(cut)].sort()).toEqual(ids.sort())
  expect(await read('shapes.lmd.xml')).toContain(`<ShapeCount>${cut.length}</ShapeCount>`)
  const { laser } = (JSON.parse(await read('run.json')) as { export: { laser: object } }).export
  expect(laser).toEqual({ marks: [[100, 100], [2000, 120], [150, 2800]], tolerance: 0.5, filter: 'area > 20' }) // oxfmt-ignore
})

it.each([
  ['no marks', ['--files', 'shapes.lmd.xml'], /expected three marks for shapes\.lmd\.xml: --lmd-calibration/],
  [
    'marks on a line',
    ['--files', 'shapes.palm.txt', '--lmd-calibration', '1,1;2,2;3,3'],
    /do not lie on one line but received 1,1;2,2;3,3/,
  ],
  ['two marks', ['--files', 'shapes.lmd.xml', '--lmd-calibration', '1,1;2,2'], /expected three places/],
  ['marks and no file for them', ['--lmd-calibration', marks], /expected --files shapes\.lmd\.xml or shapes\.palm\.txt/],
])('refuses %s at once', async (_, args, message) => {
  const out = join(folder, 'never')
  const { code, err } = await cli('run', sample, '--out', out, ...args)
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
  expect(existsSync(out)).toBe(false)
})

it('writes shapes of a project’s result, by the region’s title, and of one slide alone', { timeout: 60_000 }, async () => {
  const project = join(folder, 'study.morphoscope')
  const square = (x: number, y: number) => [[x, y], [x + 300, y], [x + 300, y + 250], [x, y + 250], [x, y]] // oxfmt-ignore
  const feature = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [square(900, 900)] },
    properties: { name: 'Front' },
  }
  await writeFile(join(folder, 'front.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
  expect((await cli('project', 'add', project, sample)).code).toBe(0)
  expect((await cli('project', 'import', project, join(folder, 'front.geojson'), '--slide', sample)).code).toBe(0)
  expect((await cli('project', 'run', project, '--recipe', 'max-tree-nuclei')).code).toBe(0)
  const asked = ['--files', 'shapes.palm.txt,objects.csv', '--lmd-calibration', marks, '--laser-region', 'Front']
  const done = await cli('project', 'objects', project, '--out', join(folder, 'cut'), ...asked)
  expect(done.code, done.err).toBe(0)
  const [run = ''] = await readdir(join(folder, 'cut'))
  const read = (name: string) => readFile(join(folder, 'cut', run, name), 'utf8')
  const [header, ...rows] = (await read('objects.csv')).trimEnd().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  const ids = rows.filter((row) => row[header!.indexOf('regions')] === 'Front').map((row) => row[0])
  expect(ids.length).toBeGreaterThan(1)
  const cut = [...(await read('shapes.palm.txt')).matchAll(/\tObject (\d+)\r/g)].map(([, id]) => id)
  expect([...new Set(cut)].sort()).toEqual(ids.sort())
  const none = await cli('project', 'objects', project, '--out', join(folder, 'no'), '--files', 'shapes.palm.txt')
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('expected three marks')])
  expect(existsSync(join(folder, 'no'))).toBe(false)
})
