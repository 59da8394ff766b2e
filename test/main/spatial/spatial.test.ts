// Spatial measures of a run on a made slide: in the table and in every file of tables alike, as a look at every pair gives them, and the same whatever the threads.
import * as h5 from 'h5wasm/node'
import { parquetReadObjects } from 'hyparquet'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { noSpatial, tilePaths, unpackRows } from '../../../app/contract'
import type { AppEvent, Recipe, SpatialMeasures, TableView } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { cli } from '../../app/cli/inProcess'
import { hotSpotMpp, hotSpotNuclei, paintsHotSpot } from '../../hotSpotPicture'
import { realEngine } from '../realEngine'

let dir: string
let engine: Engine
let slideId: string
let key: string
let runId: string
let recipe: Recipe
const events: AppEvent[] = []
/** The tumour's left side, level-0 px. */
const left = 1203
const asked: SpatialMeasures = {
  border: true,
  nearest: true,
  densityRadiusUm: 45,
  nearestCount: 3,
  neighbours: true,
  neighboursWithinUm: 60,
  bands: null,
  map: null,
}

async function run(threads: number): Promise<string> {
  const started = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads })
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId: started.runId })).state === 'done', 60_000)
  return started.runId
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spatial-'))
  await paintsHotSpot(join(dir, 'ki67.tif'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  engine.onEvent((event) => void events.push(event))
  ;({ slideId } = await engine.invoke('slide:open', { path: join(dir, 'ki67.tif') }))
  key = (await engine.invoke('project:state', { slideId })).slide!
  recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!)
  runId = await run(2)
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

const measure = (spatial: SpatialMeasures) => engine.invoke('settings:set', { spatial })
const viewOf = (more: object = {}, of = runId): Promise<TableView> =>
  engine.invoke('table:view', { runId: of, filter: '', brush: null, sort: null, describe: 'area', ...more })

/** Columns by their keys, of all rows. */
async function table(of = runId): Promise<Record<string, number[]>> {
  const view = await viewOf({}, of)
  const rows: Float64Array[] = []
  for (let first = 0; first < view.rows; first += 128) {
    const { body } = await engine.tile(tilePaths.table(of, view.view, first))
    rows.push(...unpackRows(Uint8Array.from(body as Uint8Array).buffer, view.columns.length))
  }
  return Object.fromEntries(view.columns.map((column, at) => [column.key, rows.map((row) => row[at]!)]))
}
async function csv(directory: string, of = runId): Promise<{ text: string; head: string[]; rows: string[][] }> {
  const files = ['objects.csv', 'objects.parquet', 'objects.h5ad'] as const
  await engine.invoke('export:start', { runId: of, directory: join(dir, directory), files: [...files], overwrite: true })
  const text = (await readFile(join(dir, directory, 'objects.csv'))).toString()
  const [head, ...rows] = text.trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  return { text, head: head!, rows }
}
const named = (view: TableView, title: string) => view.columns.find((column) => column.title === title)!
const addTumour = (id: string, x: number) => {
  const shape = { kind: 'rectangle' as const, x, y: 0, width: 2400 - x, height: 1600 }
  const made = { id, slide: key, name: '', classId: 'tumour', locked: false, madeBy: 'hand' as const }
  const regions = [{ ...made, createdAt: '2026-01-01T00:00:00Z', shape }]
  return engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
}

it('adds nothing to a table or a file where it is not asked for', async () => {
  const view = await viewOf()
  expect(view.columns.some((column) => column.key.startsWith('spatial'))).toBe(false)
  const plain = await csv('plain')
  await measure({ ...noSpatial, nearestCount: 1 })
  const more = await csv('more')
  expect(more.head).toEqual([...plain.head, 'distance_mean_1_nearest_um'])
  expect(more.rows.map((row) => row.slice(0, -1))).toEqual(plain.rows)
  await measure(noSpatial)
  expect((await csv('again')).text).toBe(plain.text)
})

it('gives what a look at every pair gives: in the table, CSV, Parquet and AnnData', async () => {
  await addTumour('00000000-0000-4000-8000-000000000001', left)
  await measure(asked)
  events.length = 0
  const view = await viewOf()
  expect(view.columns.slice(-8).map(({ title, unit }) => `${title} ${unit}`.trim())).toEqual([
    'Distance to border of Tumor µm',
    'Distance to nearest Negative µm',
    'Distance to nearest Positive µm',
    'Density within 45 µm 1/mm²',
    'Mean distance to 3 nearest µm',
    'Neighbours within 60 µm',
    'Neighbours within 60 µm: Negative',
    'Neighbours within 60 µm: Positive',
  ])
  expect(events.some(({ type }) => type === 'spatial:progress')).toBe(true)
  const columns = await table()
  const { x, y, class: of } = columns as { x: number[]; y: number[]; class: number[] }
  expect(Math.abs(x.length - hotSpotNuclei.length)).toBeLessThan(20)
  const far = (i: number, j: number): number => {
    const [dx, dy] = [x[j]! * hotSpotMpp - x[i]! * hotSpotMpp, y[j]! * hotSpotMpp - y[i]! * hotSpotMpp]
    return Math.sqrt(dx * dx + dy * dy)
  }
  const others = x.map((_, i) =>
    x.flatMap((_each, j) => (j === i ? [] : [{ far: far(i, j), of: of[j]! }])).sort((a, b) => a.far - b.far),
  )
  const own = (title: string): number[] => columns[named(view, title).key]!
  for (const [at, name] of ['Negative', 'Positive'].entries())
    expect(own(`Distance to nearest ${name}`)).toEqual(others.map((each) => each.find((other) => other.of === at)!.far))
  const circle = (Math.PI * 45 * 45) / 1e6
  expect(own('Density within 45 µm')).toEqual(others.map((each) => each.filter((other) => other.far <= 45).length / circle))
  expect(own('Mean distance to 3 nearest')).toEqual(others.map(([a, b, c]) => (a!.far + b!.far + c!.far) / 3))
  // Nothing of the slide is to the right of the tumour, or above or below it: the nearest of its sides.
  const borders = x.map((px, i) => {
    const inside = Math.min(px - left, 2400 - px, y[i]!, 1600 - y[i]!)
    return px >= left ? -inside * hotSpotMpp : (left - px) * hotSpotMpp
  })
  own('Distance to border of Tumor').forEach((value, i) => expect(value).toBeCloseTo(borders[i]!, 9))
  const [all, negative, positive] = ['', ': Negative', ': Positive'].map((of) => own(`Neighbours within 60 µm${of}`))
  expect(all).toEqual(negative!.map((each, i) => each + positive![i]!))

  const { head, rows } = await csv('files')
  const headers = ['distance_border_tumor_um', 'distance_nearest_negative_um', 'distance_nearest_positive_um', 'density_within_45_um_per_mm2', 'distance_mean_3_nearest_um', 'neighbours_within_60_um', 'neighbours_negative_within_60_um', 'neighbours_positive_within_60_um'] // oxfmt-ignore
  expect(head.slice(-8)).toEqual(headers)
  const listed = await parquetReadObjects({ file: Uint8Array.from(await readFile(join(dir, 'files', 'objects.parquet'))).buffer })
  await h5.ready
  const file = new h5.File(join(dir, 'files', 'objects.h5ad'), 'r')
  const names = (file.get('var/_index') as unknown as { value: string[] }).value
  const x32 = (file.get('X') as unknown as { value: Float32Array }).value
  headers.forEach((header, k) => {
    const values = columns[view.columns.at(k - 8)!.key]!
    const at = names.indexOf(header)
    expect(at).toBeGreaterThanOrEqual(0)
    values.forEach((value, i) => {
      expect(rows[i]![head.indexOf(header)]).toBe(String(Number(value.toPrecision(7))))
      expect(listed[i]![header]).toBe(value)
      expect(x32[i * names.length + at]).toBe(Math.fround(value))
    })
  })
  file.close()
})

it('filters, sorts and describes by them; no class stands on them', async () => {
  const view = await viewOf()
  const { key: column } = named(view, 'Distance to border of Tumor')
  const inside = await viewOf({
    filter: '"Distance to border of Tumor" < 0',
    sort: { column, descending: true },
    describe: column,
  })
  expect(inside.rows).toBeGreaterThan(500)
  expect(inside.rows).toBeLessThan(view.rows)
  expect(inside.statistics!.max).toBeLessThan(0)
  const plot = await engine.invoke('table:groups', { runId, view: view.view, column, regionsOf: null })
  expect(plot.map(({ name }) => name)).toEqual(['Negative', 'Positive'])
  await expect(engine.invoke('object:rule', { runId, rule: { column, limits: [0] } })).rejects.toThrow(
    'expected a measurement of the objects themselves for a column but received "Distance to border of Tumor"',
  )
})

it('follows classes by hand, regions and their names, and what is taken back', async () => {
  const before = await table()
  const view = await viewOf()
  const nearest = named(view, 'Distance to nearest Positive').key
  const positive = before['class']!.indexOf(1)
  await engine.invoke('object:edit', { runId, choice: { ids: [positive + 1] }, edit: { type: 'classify', classId: 'negative' } })
  const after = await table()
  expect(after[nearest]).not.toEqual(before[nearest])
  expect(after[nearest]![positive]).toBeGreaterThan(0)
  await engine.invoke('project:undo', null)
  expect(await table()).toEqual(before)

  const border = named(view, 'Distance to border of Tumor').key
  await addTumour('00000000-0000-4000-8000-000000000002', left - 400)
  const wider = await table()
  wider[border]!.forEach((value, i) => expect(value).toBeLessThanOrEqual(before[border]![i]! + 1e-9))
  const { classes } = await engine.invoke('project:state', { slideId })
  const renamed = classes.map((each) => (each.id === 'tumour' ? { ...each, name: 'Anna Muster' } : each))
  await engine.invoke('project:do', { slideId, command: { type: 'classes:set', classes: renamed } })
  expect(named(await viewOf(), 'Distance to border of Anna Muster').key).toBe(border)
  expect(await table()).toEqual(wider)
  await engine.invoke('export:start', { runId, directory: join(dir, 'hidden'), files: ['objects.csv'], deidentify: true })
  const hidden = (await readFile(join(dir, 'hidden', 'objects.csv'))).toString()
  expect(hidden).toContain('distance_border_class_1_um')
  expect(hidden.toLowerCase()).not.toContain('anna')
  for (let steps = 0; steps < 2; steps++) await engine.invoke('project:undo', null)
  expect(await table()).toEqual(before)
})

it('is the same for any number of threads, and ends where nobody waits', async () => {
  const other = await run(1)
  expect(await table(other)).toEqual(await table())
  await measure({ ...asked, densityRadiusUm: 3000 })
  const leave = new AbortController()
  const waiting = engine.invoke('table:view', { runId, filter: '', brush: null, sort: null, describe: 'area' }, leave.signal)
  leave.abort()
  await expect(waiting).rejects.toThrow()
  expect(named(await viewOf(), 'Density within 3000 µm').unit).toBe('1/mm²')
  await measure(noSpatial)
})

it('has the same columns by the command line, and refuses what it does not know by name', async () => {
  const files = ['--files', 'objects.csv,run.json', '--recipe', 'ihc-nuclei']
  const out = join(dir, 'cli')
  const done = await cli(
    'run',
    join(dir, 'ki67.tif'),
    '--out',
    out,
    ...files,
    '--spatial',
    'nearest,density=45,mean=3,neighbours=60',
  )
  expect(done.code).toBe(0)
  const [head] = (await readFile(join(out, 'objects.csv'))).toString().split('\r\n')
  expect(head!.split(',').slice(-7)).toEqual(
    ['distance_nearest_negative_um', 'distance_nearest_positive_um', 'density_within_45_um_per_mm2', 'distance_mean_3_nearest_um', 'neighbours_within_60_um', 'neighbours_negative_within_60_um', 'neighbours_positive_within_60_um'], // oxfmt-ignore
  )
  for (const bad of ['edges', 'density=0', 'mean=1.5', 'border=3', 'neighbours=', 'density=5=6', 'toString']) {
    const refused = await cli('run', join(dir, 'ki67.tif'), '--out', out, '--spatial', bad)
    expect([bad, refused.code]).toEqual([bad, 2])
    expect(refused.err).toContain(`but received ${bad}`)
  }
})
