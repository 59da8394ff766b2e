// objects.h5ad read back by the HDF Group's own library, and by anndata where the machine has it: it says what objects.csv says.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noClass } from '../../../../native/index'
import { exportRun } from '../../../../main/export/exportRun'
import type { ExportRunRequest } from '../../../../main/export/exportRun'
import { classesOf } from '../../../../main/run/objects/objectClasses'
import type { RunResult } from '../../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from '../madeRun'
import { python, readBack, readByPython } from './readBack'
import type { ReadNode } from './readBack'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-anndata-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

async function exported(run: RunResult, request: Partial<ExportRunRequest> = {}, threads = 2) {
  const files = ['objects.h5ad', 'objects.csv', 'run.json'] as const
  const asked = { directory, files: [...files], overwrite: true, ...request }
  const result = await exportRun(run, asked, { ...madeTools, threads }, () => undefined, new AbortController().signal)
  const csv = (await readFile(join(directory, 'objects.csv'), 'utf8')).trimEnd().split('\r\n')
  const [header, ...rows] = csv.map((line) => line.split(','))
  const path = join(directory, 'objects.h5ad')
  const tree = await readBack(path)
  const column = (name: string) => rows.map((row) => row[header!.indexOf(name)]!)
  return { result, path, tree, header: header!, rows, column, ...partsOf(tree) }
}

/** The members that the format has. */
function partsOf({ members }: ReadNode) {
  const of = (name: string) => members![name]!
  return { x: of('X'), obs: of('obs').members!, vars: of('var').members!, obsm: of('obsm').members!, uns: of('uns').members! }
}
/** At most seven significant digits, as objects.csv has numbers. */
const seven = (value: number): number => Number(value.toPrecision(7))
const textsOf = ({ members }: ReadNode): unknown[] => {
  const { codes, categories } = members!
  return codes!.values!.map((code) => ((code as number) < 0 ? null : categories!.values![code as number]!))
}

const objects = Array.from({ length: 9000 }, (_, i) => ({
  ...drawn(i % 3 === 0 ? ['###', '#.#', '###'] : ['#..', '.##'], (i % 90) * 7, Math.floor(i / 90) * 5),
  perimeter: i / 3,
  circularity: i % 2 === 0 ? NaN : 0.1 + i / 1e5,
}))

const near = (value: number, cell: number): boolean => Math.abs(value - cell) <= 6e-7 * Math.abs(cell)

/** Every object has an index, every measurement a column; both say what objects.csv says. */
async function compare(run: RunResult, request: Partial<ExportRunRequest> = {}) {
  const read = await exported(run, request)
  const { x, vars, obs, rows, column, obsm } = read
  const names = vars['_index']!.values as string[]
  expect(x.shape).toEqual([rows.length, names.length])
  expect(obs['_index']!.values).toEqual(column('id'))
  expect(obs['id']!.values).toEqual(column('id').map(Number))
  const other: unknown[] = []
  names.forEach((name, at) => {
    column(name).forEach((cell, row) => {
      const value = x.values![row * names.length + at] as number | null
      const same = cell === '' || value === null ? cell === '' && value === null : near(value, Number(cell))
      if (!same) other.push([name, row, value, cell])
    })
  })
  expect(other).toEqual([])
  for (const side of ['x', 'y', 'width', 'height'])
    expect((obs[`bounds_${side}_px`]!.values as number[]).map(seven)).toEqual(column(`bounds_${side}_px`).map(Number))
  const down = column('centroid_y_px')
  const places = column('centroid_x_px').flatMap((cell, i) => [Number(cell), Number(down[i])])
  expect((obsm['spatial_px']!.values as number[]).map(seven)).toEqual(places)
  expect(obsm['spatial_px']!.shape).toEqual([rows.length, 2])
  return read
}

describe('objects.h5ad', () => {
  it('says what objects.csv says, in µm and px', async () => {
    const mpp = { mppX: 0.25, mppY: 0.5 }
    const { tree, vars, obsm, uns, header } = await compare(
      madeRun({ objects, scale: 1.7, analysedMpp: 1.7 * Math.sqrt(0.125), slide: mpp, name: 'it’s “here”.svs' }),
    )
    expect(tree.attributes).toEqual({ 'encoding-type': 'anndata', 'encoding-version': '0.1.0' })
    const [px, um] = [obsm['spatial_px']!.values as number[], obsm['spatial']!.values as number[]]
    expect(um).toEqual(px.map((value, i) => value * (i % 2 === 0 ? 0.25 : 0.5)))
    const names = vars['_index']!.values as string[]
    const first = header.indexOf('area_um2')
    expect(names).toEqual(header.slice(first))
    const about = (name: string) => ['name', 'unit', 'channel', 'kind'].map((key) => vars[key]!.values![names.indexOf(name)])
    expect(about('area_um2')).toEqual(['Area', 'µm²', '', 'shape'])
    expect(about('dab_mean_od')).toEqual(['DAB mean', 'OD', 'DAB', 'stain'])
    const fact = (name: string) => uns['morphoscope']!.members![name]?.values![0]
    expect(['slide', 'run_id', 'spatial_unit', 'origin', 'um_per_px_x', 'um_per_px_y'].map(fact)).toEqual([
      'it’s “here”.svs',
      'r1',
      'um',
      'slide',
      0.25,
      0.5,
    ])
    expect(JSON.parse(fact('recipe') as string)).toMatchObject({ name: 'mine', params: { threshold: { level: 12 } } })
  })

  it.each([0, 1])('has %i objects', async (count) => {
    const { x } = await compare(madeRun({ objects: objects.slice(0, count) }))
    expect(x.values).toHaveLength(count * x.shape![1]!)
  })

  it('says px where the slide is not calibrated', async () => {
    const { obsm, uns, vars } = await compare(madeRun({ objects: objects.slice(0, 50), analysedMpp: null }))
    expect(obsm['spatial']).toEqual(obsm['spatial_px'])
    const facts = uns['morphoscope']!.members!
    expect([facts['spatial_unit']!.values, facts['um_per_px_x']]).toEqual([['px'], undefined])
    expect(vars['unit']!.values!.slice(0, 2)).toEqual(['px²', 'px'])
  })

  it('begins where the other files begin', async () => {
    const run = madeRun({ objects: objects.slice(0, 50), slide: { bounds: { x: 30, y: 7, width: 900, height: 700 } } })
    const facts = (await compare(run, { origin: 'bounds' })).uns['morphoscope']!.members!
    const [origin, x, y] = ['origin', 'origin_x_px', 'origin_y_px'].map((name) => facts[name]!.values![0])
    expect([origin, x, y]).toEqual(['bounds', 30, 7])
  })

  it('has classes as categories with their colours, by a recipe’s rule', async () => {
    const rule = {
      channel: 1,
      limit: 'classes.positiveAbove',
      below: { id: 'negative', label: 'Negative', color: [112, 112, 225] as [number, number, number] },
      above: { id: 'positive', label: 'Positive', color: [250, 62, 2] as [number, number, number] },
    }
    const means = [0.05, 0.2, 0.2 + 2 ** -52, NaN, -0.1]
    const some = means.map((mean, n) => ({
      ...drawn(['###'], 5 * n, 0),
      stain: (statistic: string, channel: number) => (statistic === 'mean' && channel === 1 ? mean : 0.3),
    }))
    const classes = classesOf({ classes: rule }, { 'classes.positiveAbove': 0.2 })
    const { obs, uns } = await compare(madeRun({ objects: some, classes }))
    expect(obs['class']!.attributes).toEqual({ 'encoding-type': 'categorical', 'encoding-version': '0.2.0', ordered: 0 })
    expect(textsOf(obs['class']!)).toEqual(['Negative', 'Negative', 'Positive', null, 'Negative'])
    expect([uns['class_colors']!.values, uns['class_ids']!.values]).toEqual([
      ['#7070e1', '#fa3e02'],
      ['negative', 'positive'],
    ])
  })

  it('takes hostile names of classes and regions, and names that stand twice', async () => {
    const labels = ['a "b", c', 'a\u0000\u001b[31m\nb', '腫瘍', 'twice', 'twice', '']
    const named = labels.map((label, i) => ({ id: `c${i}`, label, color: [i, 0, 255] as [number, number, number] }))
    const some = objects.slice(0, 8)
    const classAt = Uint8Array.from(some, (_, i) => (i < labels.length ? i : noClass))
    const marks = { deleted: null, replaced: 0, classes: named, always: 0, classAt, byHand: 0, deletedCount: 0, counts: [] }
    const objectRegions = {
      names: [[], ['=cmd|"x"', 'Ω'], ['same'], ['same']],
      holders: [[], [0], [1], [2]],
      areas: [],
      at: Uint32Array.from([0, 1, 2, 3, 0, 1, 2, 3]),
    }
    const { obs, uns, path } = await exported(madeRun({ objects: some, marks }), { objectRegions })
    const told = ['a "b", c', 'a\\u0000\\u001b[31m\\u000ab', '腫瘍', 'twice', 'twice (2)', '']
    expect(textsOf(obs['class']!)).toEqual([...told, null, null])
    expect(uns['class_colors']!.values).toEqual(named.map((_, i) => `#0${i}00ff`))
    const both = '=cmd|"x"; Ω'
    expect(textsOf(obs['regions']!)).toEqual([null, both, 'same', 'same', null, both, 'same', 'same'])
    if (python) expect(readByPython(path).anndata?.categories ?? {}).toEqual({ class: told, regions: [both, 'same'] })
  })

  it('is in run.json with its checksum, says nothing of the slide where that is asked, and is the same for any threads', async () => {
    const run = madeRun({ objects, name: 'Jane Doe.svs' })
    const { path, uns } = await exported(run, { deidentify: true }, 1)
    const bytes = await readFile(path)
    expect(bytes.includes('Jane')).toBe(false)
    expect(uns['morphoscope']!.members!['slide']!.values![0]).toMatch(/^slide-[0-9a-f]{16}$/)
    const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { files: Record<string, { bytes: number }> }
    expect(record.files['objects.h5ad']!.bytes).toBe(bytes.length)
    const again = await exported(run, { deidentify: true }, 5)
    expect(Buffer.compare(await readFile(again.path), bytes)).toBe(0)
  })

  it.skipIf(!python)('is opened by h5py, and by anndata where it is', { timeout: 60_000 }, async () => {
    for (const count of [0, 1, 9000]) {
      const { path, tree, vars } = await exported(madeRun({ objects: objects.slice(0, count) }))
      const read = readByPython(path)
      expect(read.tree).toEqual(tree)
      if (!read.anndata) continue
      expect(read.anndata).toMatchObject({ shape: [count, vars['_index']!.values!.length], obsm: ['spatial', 'spatial_px'] })
      expect(read.anndata.obs).toMatchObject({ id: 'int32', bounds_x_px: 'float64' })
    }
  })
})
