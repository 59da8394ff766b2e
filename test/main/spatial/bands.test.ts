// Bands along a region's border of a run on a made slide: the call, bands.csv and run.json against distances and areas that are known, and by the command line.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { bandLimits, noSpatial, usualBands, wilsonInterval } from '../../../app/contract'
import type { BandsAsk } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { cli } from '../../app/cli/inProcess'
import { hotSpotMpp, paintsHotSpot } from '../../hotSpotPicture'
import { realEngine } from '../realEngine'

let dir: string
let engine: Engine
let slideId: string
let runId: string
/** The tumour's left side, level-0 px; the slide is 2400 × 1600. */
const left = 1203
const limitsUm = [-100, -50, 0, 50, 100, 200]
const asked: BandsAsk = { of: 'tumor', limitsUm }

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bands-'))
  await paintsHotSpot(join(dir, 'ki67.tif'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  ;({ slideId } = await engine.invoke('slide:open', { path: join(dir, 'ki67.tif') }))
  const key = (await engine.invoke('project:state', { slideId })).slide!
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!)
  runId = (await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run' })).runId
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId })).state === 'done', 60_000)
  // Beyond the slide on three sides: the left side alone is a border in it.
  const shape = { kind: 'rectangle' as const, x: left, y: -2000, width: 4000, height: 6000 }
  const made = { slide: key, name: '', locked: false, madeBy: 'hand' as const, createdAt: '2026-01-01T00:00:00Z', shape }
  const regions = [{ ...made, id: '00000000-0000-4000-8000-000000000001', classId: 'tumour' }]
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

interface RunJson {
  readonly export: { readonly bands?: object; readonly spatial?: { readonly bands?: unknown } }
  readonly warnings: readonly string[]
}
const exported = async (
  name: string,
  more: object = {},
): Promise<{ rows: Record<string, string>[]; text: string; run: RunJson }> => {
  const directory = join(dir, name)
  await engine.invoke('export:start', {
    runId,
    directory,
    files: ['bands.csv', 'objects.csv', 'run.json'],
    overwrite: true,
    ...more,
  })
  const text = (await readFile(join(directory, 'bands.csv'))).toString()
  const run = JSON.parse((await readFile(join(directory, 'run.json'))).toString()) as RunJson
  return { rows: table(text), text, run }
}
function table(text: string): Record<string, string>[] {
  const [head, ...rows] = text.trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
  return rows.map((row) => Object.fromEntries(head!.map((name, i) => [name, row[i]!])))
}

it('counts objects by their distance, and knows the area of each band', async () => {
  await engine.invoke('settings:set', { spatial: { ...noSpatial, border: true, bands: asked } })
  const { of, unit } = await engine.invoke('run:bands', { runId, bands: asked })
  expect([unit, of.map(({ name }) => name)]).toEqual(['um', ['Tumor']])
  const { bands } = of[0]!
  expect(bands.map(({ from, to }) => [from, to])).toEqual([
    [null, -100],
    [-100, -50],
    [-50, 0],
    [0, 50],
    [50, 100],
    [100, 200],
    [200, null],
  ])
  const { rows, run } = await exported('files')
  const objects = table((await readFile(join(dir, 'files', 'objects.csv'))).toString())
  const within = ({ from, to }: { from: number | null; to: number | null }, value: number): boolean =>
    value >= (from ?? -Infinity) && value < (to ?? Infinity)
  const height = (1600 * hotSpotMpp) / 1000
  for (const band of bands) {
    const width = Math.min(band.to ?? Infinity, left * hotSpotMpp) - Math.max(band.from ?? -Infinity, (left - 2400) * hotSpotMpp)
    expect(band.area).toBeCloseTo((height * width) / 1000, 9)
    expect(band.areaError).toBeLessThan(1e-9)
    const own = objects.filter((each) => within(band, Number(each['distance_border_tumor_um'])))
    expect(band.objects).toBe(own.length)
    expect(band.density).toBeCloseTo(own.length / band.area, 6)
    for (const { id, objects: count } of band.classes) expect(count).toBe(own.filter((each) => each['class'] === id).length)
    const positive = own.filter((each) => each['class'] === 'positive').length
    const told = rows.filter((row) => row['from_um'] === String(band.from ?? '') && row['to_um'] === String(band.to ?? ''))
    expect(told.map((row) => row['class'])).toEqual(['', 'negative', 'positive'])
    expect(told.map((row) => Number(row['objects']))).toEqual([own.length, own.length - positive, positive])
    const [low, high] = wilsonInterval(positive, own.length)!
    for (const [row, name] of [
      [told[0]!, 'positive_share'],
      [told[2]!, 'share'],
    ] as const)
      // oxfmt-ignore
      for (const [end, value] of [['', positive / own.length], ['_low', low], ['_high', high]] as const) // oxfmt-ignore
        expect(Number(row[`${name}${end}`])).toBeCloseTo(value, 6)
  }
  expect(bands.reduce((sum, band) => sum + band.objects, 0)).toBe(objects.length)
  expect(run.export.bands).toEqual({ regionClasses: ['Tumor'], unit: 'um', limits: limitsUm })
  expect(run.export.spatial).toMatchObject({ border: true, columns: ['distance_border_tumor_um'] })
  expect(run.export.spatial!.bands).toBeUndefined()
})

it('says where there is no such region, and names nobody under a pseudonym', async () => {
  const { of } = await engine.invoke('run:bands', { runId, bands: { ...asked, of: 'Necrosis' } })
  expect(of).toEqual([])
  const { classes } = await engine.invoke('project:state', { slideId })
  const renamed = classes.map((each) => (each.id === 'tumour' ? { ...each, name: 'Anna Muster' } : each))
  await engine.invoke('project:do', { slideId, command: { type: 'classes:set', classes: renamed } })
  await engine.invoke('settings:set', { spatial: { ...noSpatial, bands: { ...asked, of: 'anna muster' } } })
  const named = await exported('named')
  expect(named.rows[0]!['region_class']).toBe('Anna Muster')
  expect(named.run.export.spatial).toBeUndefined()
  const hidden = await exported('hidden', { deidentify: true })
  expect(hidden.rows[0]!['region_class']).toBe('Class 1')
  expect((hidden.text + JSON.stringify(hidden.run)).toLowerCase()).not.toContain('anna')
  await engine.invoke('project:undo', null)
  const gone = await exported('gone')
  expect(gone.rows).toEqual([])
  expect(gone.run.warnings.join()).toContain('no region of the class anna muster')
  await engine.invoke('settings:set', { spatial: noSpatial })
})

it('is asked for by the command line, which refuses what it does not know by name', async () => {
  const project = join(dir, 'a.morphoscope')
  await engine.invoke('project:keep', { runId })
  await engine.invoke('project:save', { path: project })
  await engine.invoke('project:new', null)
  const out = join(dir, 'cli')
  const done = await cli('project', 'objects', project, '--out', out, '--files', 'run.json', '--spatial', 'bands=Tumour:-50/0/50')
  expect([done.code, done.err]).toEqual([0, expect.any(String)])
  const folder = done.out.trim().split('\n').at(-1)!
  const rows = table((await readFile(join(folder, 'bands.csv'))).toString())
  expect(rows.filter((row) => row['class'] === '').map((row) => row['to_um'])).toEqual(['-50', '0', '50', ''])
  for (const bad of ['bands=', 'bands=Tumor:', 'bands=0/0', 'bands=50/0', 'bands=Tumor:1/x', 'bands=-20000/0', 'bands=:0/50']) {
    const refused = await cli('project', 'objects', project, '--out', out, '--spatial', bad)
    expect([bad, refused.code]).toEqual([bad, 2])
    expect(refused.err).toContain(`but received ${bad}`)
  }
})

it('reads limits as people write them', () => {
  expect(bandLimits('-100/-50/0')).toEqual([-100, -50, 0])
  expect(bandLimits(' −12.5, 0; +3 ')).toEqual([-12.5, 0, 3])
  for (const bad of ['', 'a', '1,1', '2,1', '1e3', '1,,2', '20000']) expect([bad, bandLimits(bad)]).toEqual([bad, null])
  expect(usualBands.limitsUm).toEqual(limitsUm)
})
