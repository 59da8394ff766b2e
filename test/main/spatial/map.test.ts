// A map of density of a run on a made slide: its tiles, its file read back, regions where it is high, and the command line; all against the objects themselves.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { noSpatial, tilePaths, unpackTile } from '../../../app/contract'
import type { DensityMapAsk, PlaneTile } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { areaOfShape, holderOf } from '../../../main/base/shapes'
import { cli } from '../../app/cli/inProcess'
import { hotSpotMpp, paintsHotSpot } from '../../hotSpotPicture'
import { realEngine } from '../realEngine'
import { readFloatTiff } from './floatTiff'

let dir: string
let engine: Engine
let slideId: string
let runId: string
const asked: DensityMapAsk = { radiusUm: 80, of: 'Positive', share: false }
/** Of the objects, as objects.csv has them: µm. */
let objects: { x: number; y: number; of: string }[]

async function run(threads: number): Promise<string> {
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!)
  const started = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads })
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId: started.runId })).state === 'done', 60_000)
  return started.runId
}
async function exported(name: string, of = runId): Promise<Buffer> {
  const directory = join(dir, name)
  await engine.invoke('export:start', { runId: of, directory, files: ['objects.parquet', 'density.ome.tif', 'run.json'] })
  return readFile(join(directory, 'density.ome.tif'))
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'map-'))
  await paintsHotSpot(join(dir, 'ki67.tif'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  ;({ slideId } = await engine.invoke('slide:open', { path: join(dir, 'ki67.tif') }))
  runId = await run(2)
  const view = await engine.invoke('table:view', { runId, filter: '', brush: null, sort: null, describe: 'area' })
  objects = []
  for (let first = 0; first < view.rows; first += 128) {
    const { unpackRows } = await import('../../../app/contract')
    const { body } = await engine.tile(tilePaths.table(runId, view.view, first))
    const at = (key: string): number => view.columns.findIndex((column) => column.key === key)
    for (const row of unpackRows(Uint8Array.from(body as Uint8Array).buffer, view.columns.length))
      objects.push({
        x: row[at('x')]! * hotSpotMpp,
        y: row[at('y')]! * hotSpotMpp,
        of: row[at('class')] === 1 ? 'positive' : 'negative',
      })
  }
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

const truth = (x: number, y: number, radius = 80) => {
  const near = objects.filter((each) => (each.x - x) ** 2 + (each.y - y) ** 2 <= radius * radius)
  return { positive: near.filter(({ of }) => of === 'positive').length, all: near.length }
}
const circle = (Math.PI * 80 * 80) / 1e6

it('writes what a look at every object gives, and the same bytes whatever the threads', async () => {
  await engine.invoke('settings:set', { spatial: { ...noSpatial, map: asked } })
  const file = await exported('files')
  const { levels, description, tags } = readFloatTiff(file)
  // 80 µm are 160 px: cells of 16 px, a tenth of it.
  expect([levels[0]!.width, levels[0]!.height]).toEqual([150, 100])
  const values = levels[0]!.values
  for (let i = 0; i < values.length; i++) {
    const [x, y] = [((i % 150) + 0.5) * 8, (Math.floor(i / 150) + 0.5) * 8]
    expect(values[i]).toBe(Math.fround(truth(x, y).positive / circle))
  }
  expect(description).toContain('PhysicalSizeX="8" PhysicalSizeXUnit="&#181;m"')
  expect(description).toContain('Name="objects of class positive, within 80 um, per mm2"')
  expect(description).toContain('PositionX="0"')
  expect(tags.get(339)).toBe(3)
  const record = JSON.parse((await readFile(join(dir, 'files', 'run.json'))).toString()) as { export: { densityMap: object } }
  expect(record.export.densityMap).toMatchObject({
    counts: 'objects of class positive',
    radius: 80,
    unit: 'um',
    cellPx: 16,
    width: 150,
    height: 100,
  })
  expect((await exported('again', await run(1))).equals(file)).toBe(true)
})

it('shows the same in tiles, and tells which values there are', async () => {
  const { layer, highest, cells, percentiles } = await engine.invoke('run:map', { runId, map: asked })
  expect(cells).toBe(150 * 100)
  expect(percentiles.length).toBe(101)
  expect(percentiles[100]).toBe(highest)
  const { body } = await engine.tile(tilePaths.layer(runId, layer, 1, 1, 0, 0))
  const { kind, values, sidePx } = unpackTile(Uint8Array.from(body as Uint8Array).buffer) as PlaneTile
  expect(kind).toBe('map')
  for (const [x, y] of [
    [3, 3],
    [100, 50],
    [200, 200],
  ] as const) {
    // oxfmt-ignore
    const cell = (px: number): number => (Math.floor(((px + 0.5) * 2) / 16) + 0.5) * 8
    const expected = Math.round((255 * Math.fround(truth(cell(x), cell(y)).positive / circle)) / highest)
    expect(values[y * sidePx + x]).toBe(256 + expected)
  }
  await expect(engine.invoke('run:map', { runId, map: { ...asked, of: 'Tumor' } })).rejects.toThrow(
    'expected one of Negative, Positive for the map’s class but received Tumor'.replace('’', "'"),
  )
  const share = await engine.invoke('run:map', { runId, map: { radiusUm: 80, of: null, share: true } })
  expect(share.highest).toBeLessThanOrEqual(1)
})

it('makes regions where it is high, as one step that can be taken back', async () => {
  const wanted = { runId, map: asked, leastMm2: 0.005 }
  const { made, limit } = await engine.invoke('run:hotSpots', { ...wanted, limit: { percentile: 90 } })
  const { regions, undo } = await engine.invoke('project:state', { slideId })
  expect(regions.map(({ name, madeBy }) => [name, madeBy])).toEqual(
    Array.from({ length: made }, (_, i) => [`Hot spot ${i + 1}`, 'program']),
  )
  expect(undo!.name).toMatch(made === 1 ? /^Add a region/ : /^Add \d+ regions/)
  const holders = regions.map(({ shape }) => holderOf(shape as Parameters<typeof holderOf>[0]))
  let high = 0
  for (let row = 0; row < 100; row++)
    for (let column = 0; column < 150; column++) {
      const [x, y] = [column * 16 + 8, row * 16 + 8]
      const isHigh = Math.fround(truth(x / 2, y / 2).positive / circle) >= limit
      if (holders.some((holds) => holds(x, y))) expect(isHigh).toBe(true)
      if (isHigh) high++
    }
  const area = regions.reduce((sum, { shape }) => sum + areaOfShape(shape as Parameters<typeof areaOfShape>[0]), 0)
  expect(area / 256).toBeLessThanOrEqual(high)
  expect(area / 256).toBeGreaterThan(0.9 * high)
  for (const { shape } of regions)
    expect((areaOfShape(shape as Parameters<typeof areaOfShape>[0]) * hotSpotMpp ** 2) / 1e6).toBeGreaterThanOrEqual(0.005)
  // Names go on, and what is nowhere so high is said.
  await engine.invoke('run:hotSpots', { ...wanted, limit: { atLeast: limit } })
  expect((await engine.invoke('project:state', { slideId })).regions.at(-1)!.name).toBe(`Hot spot ${2 * made}`)
  await engine.invoke('project:undo', null)
  await engine.invoke('project:undo', null)
  expect((await engine.invoke('project:state', { slideId })).regions).toEqual([])
  await expect(engine.invoke('run:hotSpots', { ...wanted, limit: { atLeast: 1e6 } })).rejects.toThrow(
    'There is no place of at least 1000000',
  )
  await engine.invoke('settings:set', { spatial: noSpatial })
})

it('is there on the command line, which refuses what it does not know by name', async () => {
  const project = join(dir, 'a.morphoscope')
  await engine.invoke('project:keep', { runId })
  await engine.invoke('project:save', { path: project })
  await engine.invoke('project:new', null)
  const out = join(dir, 'cli')
  const done = await cli('project', 'objects', project, '--out', out, '--files', 'run.json', '--density-map', '80,positive')
  expect(done.code).toBe(0)
  const folder = done.out.trim().split('\n').at(-1)!
  const [there, here] = [join(folder, 'density.ome.tif'), join(dir, 'files', 'density.ome.tif')]
  expect(readFloatTiff(await readFile(there)).levels).toEqual(readFloatTiff(await readFile(here)).levels)
  const spots = await cli(
    'project',
    'hot-spots',
    project,
    '--density-map',
    '80,positive',
    '--percentile',
    '90',
    '--least-area',
    '0.005',
  )
  expect([spots.code, spots.out]).toEqual([0, expect.stringMatching(/^ki67\.tif: \d+ regions? of at least /)])
  const shown = await cli('project', 'open', project)
  expect(shown.out).toMatch(/[1-9]\d* regions?/)
  for (const bad of ['0', 'a', '20000', '100,share,1', '100,']) {
    const refused = await cli('project', 'objects', project, '--out', out, '--density-map', bad)
    expect([bad, refused.code]).toEqual([bad, 2])
    expect(refused.err).toContain(`but received ${bad}`)
  }
  const python = spawnSync('python3', ['-c', 'import tifffile'])
  if (python.status === 0) {
    const read = spawnSync('python3', [join(import.meta.dirname, 'readDensity.py'), join(dir, 'files', 'density.ome.tif')])
    expect(read.stdout.toString()).toContain('(100, 150) float32 8.0')
  }
})
