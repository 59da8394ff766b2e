// Columns of channels from the engine to the table: beside objects without any, through a file of a run, and away from memory.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import { BadRecord, decodeTiles, encodeTiles } from '../../../../main/run/journal/journalTiles'
import { AwayBatches } from '../../../../main/run/objects/awayBatches'
import { channelField, PackedObjects } from '../../../../main/run/objects/packedObjects'
import { TileObjects } from '../../../../main/run/objects/tileObjects'
import { gridOf } from '../../../../main/run/plan/plan'
import { measuredChannels } from '../../../../main/slide/measuredChannels'
import { unpackRows } from '../../../../app/contract'
import { tilePaths } from '../../../../app/contract'
import { MEASUREMENT_FIELDS, PACKED_COLUMNS } from '../../../../native/index'
import { pack } from '../../packing'
import type { Plain } from '../../packing'
import { realEngine } from '../../realEngine'
import { pitch, threeChannels } from '../../slide/threeChannels'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'channel-columns-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Squares of 4 px, each in a row of its own. */
const square = (n: number): Plain => {
  const values: Partial<Record<string, number>> = {
    firstX: 8,
    firstY: 8 * n,
    minX: 8,
    minY: 8 * n,
    maxX: 9,
    maxY: 8 * n + 1,
    area: 4,
  }
  return {
    value: (field) => values[field] ?? (MEASUREMENT_FIELDS.includes(field) ? 1 : Number.NaN),
    runs: Int32Array.of(8 * n, 8, 10, 8 * n + 1, 8, 10),
  }
}
const without = (from: number, count: number) => pack(Array.from({ length: count }, (_, i) => square(from + i)))
const withChannels = (from: number, count: number) => {
  const batch = without(from, count)
  const columns = Array.from({ length: 10 }, (_, at) => Float64Array.from({ length: count }, (_row, i) => 100 * at + from + i))
  return { ...batch, columns: [...batch.columns, ...columns] }
}
const means = (objects: PackedObjects): number[] =>
  Array.from({ length: objects.count }, (_, row) => objects.value(row, channelField(1, 'Mean')))

it('of objects with and without stand side by side', () => {
  for (const first of [without(0, 2), withChannels(0, 2)]) {
    const all = new PackedObjects(1)
    for (const batch of [first, withChannels(2, 3), without(5, 1), withChannels(6, 2)])
      all.addRows(PackedObjects.of(batch), 0, batch.count)
    const start = first.columns.length > PACKED_COLUMNS.length ? [500, 501] : [Number.NaN, Number.NaN]
    const want = [...start, 502, 503, 504, Number.NaN, 506, 507]
    expect(means(all)).toEqual(want)
    const copied = new Float64Array(8)
    all.copyValues(channelField(1, 'Mean'), copied)
    expect([...copied]).toEqual(want)
    expect(all.has(channelField(1, 'Sum'))).toBe(true)
    expect(all.has(channelField(2, 'Mean'))).toBe(false)
    all.trim()
    all.putAway(new AwayBatches(0, folder))
    expect(all.has(channelField(1, 'Sum'))).toBe(true)
    expect(means(all)).toEqual(want)
    expect(all.value(0, 'area')).toBe(4)
  }
})

it('come back from a run’s file as they were, and hostile counts of them are refused', () => {
  const grid = gridOf(256, 256, 1, 256)
  const batch = withChannels(0, 5)
  const [tile] = TileObjects.split({
    ...batch,
    starts: Uint32Array.of(0, 5),
    cut: new Uint32Array(0),
    crossings: new Int32Array(0),
  })
  const body = new Uint8Array(Buffer.concat(encodeTiles([{ x: 0, y: 0 }], [tile!], null)))
  const [back] = decodeTiles(body.slice(), grid).objects
  expect(Array.from({ length: 5 }, (_, row) => back!.value(row, channelField(1, 'Sum')))).toEqual([900, 901, 902, 903, 904])
  for (const columns of [9, 20, 321, 2 ** 31, 2 ** 32 - 1]) {
    const copy = body.slice()
    new Uint32Array(copy.buffer)[6] = columns
    expect(() => decodeTiles(copy, grid)).toThrow(BadRecord)
  }
})

it('have each name once', () => {
  const of = (...names: string[]) => ({
    channels: names.map((name) => ({ name, color: null, type: 'uint16' as const, low: 0, high: 1, shown: 'no' as const })),
  })
  expect(measuredChannels(of('CD8', 'CD8', 'CD8 (2)', ''))).toEqual(['CD8', 'CD8 (2)', 'CD8 (2) (2)', ''])
  expect(measuredChannels(of(...Array.from({ length: 1000 }, (_, i) => `M${i}`)))).toHaveLength(64)
})

it('are in the table, to be sorted and asked for', async () => {
  const path = await threeChannels(join(folder, 'three.ome.tif'), 400)
  let engine = realEngine(folder, { shell: 'serve' })
  try {
    const { slideId } = await engine.invoke('slide:open', { path })
    const over = new Promise<RunStatus>((resolve) => engine.onEvent((e) => void (e.type === 'run:end' && resolve(e.status))))
    const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'fluorescence-nuclei', name: 'x', params: {} } as const
    await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 2 })
    const { runId, state, objects } = await over
    expect([state, objects]).toEqual(['done', (400 / pitch) ** 2])
    const asked = {
      filter: 'channel2Mean >= 3200',
      brush: null,
      sort: { column: 'channel2Mean', descending: true },
      describe: 'channel2Sum',
    }
    const view = await engine.invoke('table:view', { runId, ...asked })
    expect(view.columns).toContainEqual({ key: 'channel2Mean', title: 'CD8 mean', unit: '' })
    expect(view.rows).toBe(32)
    const { body } = await engine.tile(tilePaths.table(runId, view.view, 0))
    const at = view.columns.findIndex(({ key }) => key === 'channel2Mean')
    const values = unpackRows(body.buffer, view.columns.length).map((row) => row[at])
    expect(values).toEqual(Array.from({ length: 32 }, (_, i) => 6300 - 100 * i))
    // Classes by a limit on a channel: counted, named, and in the files.
    await engine.invoke('object:rule', { runId, rule: { column: 'channel2Mean', limits: [3150] } })
    let status = await engine.invoke('run:status', { runId })
    expect(status.classes!.map(({ id, objects: n }) => [id, n])).toEqual([['negative', 32], ['positive', 32]]) // oxfmt-ignore
    expect(status.cuts).toEqual({ column: 'channel2Mean', title: 'CD8 mean', unit: '', limits: [3150], ofStain: false })
    const directory = join(folder, 'files')
    await engine.invoke('export:start', { runId, directory, files: ['objects.csv', 'run.json'] })
    const rows = (await readFile(join(directory, 'objects.csv'), 'utf8'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const [named, mean] = ['class', 'channel_cd8_mean'].map((name) => rows[0]!.indexOf(name))
    for (const row of rows.slice(1)) expect(row[named!]).toBe(Number(row[mean!]) > 3150 ? 'positive' : 'negative')
    expect(await readFile(join(directory, 'run.json'), 'utf8')).toContain('"measurement": "CD8 mean"')
    // By limits on two of them: 8 rows of 8 nuclei, half of them above in CD8, and in PanCK those of the right half.
    const and = [{ column: 'channel3Mean', limit: 200 }]
    await engine.invoke('object:rule', { runId, rule: { column: 'channel2Mean', limits: [3150], and } })
    status = await engine.invoke('run:status', { runId })
    expect(status.classes!.map(({ id, label, objects: n }) => [id, label, n])).toEqual([
      ['together-nn', 'CD8- PanCK-', 16],
      ['together-pn', 'CD8+ PanCK-', 16],
      ['together-np', 'CD8- PanCK+', 16],
      ['together-pp', 'CD8+ PanCK+', 16],
    ])
    expect(status.cuts!.and).toEqual([{ ...and[0]!, title: 'PanCK mean', unit: '' }])
    const both = join(folder, 'both')
    await engine.invoke('export:start', { runId, directory: both, files: ['objects.csv', 'objects.geojson', 'run.json'] })
    const lines = (await readFile(join(both, 'objects.csv'), 'utf8')).trim().split('\r\n')
    const cells = lines.map((line) => line.split(','))
    const [is, cd8, panck] = ['class', 'channel_cd8_mean', 'channel_panck_mean'].map((name) => cells[0]!.indexOf(name))
    for (const row of cells.slice(1))
      expect(row[is!]).toBe(`together-${Number(row[cd8!]) > 3150 ? 'p' : 'n'}${Number(row[panck!]) > 200 ? 'p' : 'n'}`)
    expect(await readFile(join(both, 'objects.geojson'), 'utf8')).toContain('"CD8+ PanCK-"')
    const told = JSON.parse(await readFile(join(both, 'run.json'), 'utf8')) as { classesBy: object }
    expect(told.classesBy).toEqual({ column: 'channel2Mean', limits: [3150], and })
    // A column that is not there, two of one column, or three limits beside another's: nothing changes.
    for (const wrong of [
      { column: 'channel2Mean', limits: [1], and: [{ column: 'channel9Mean', limit: 1 }] },
      { column: 'channel2Mean', limits: [1], and: [{ column: 'channel2Mean', limit: 2 }] },
      { column: 'channel2Mean', limits: [1, 2, 3], and },
      { column: 'channel2Mean', limits: [1], and: [] },
    ])
      await expect(engine.invoke('object:rule', { runId, rule: wrong })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    // And so they are when the program starts again.
    await engine.close()
    engine = realEngine(folder, { shell: 'serve' })
    await engine.invoke('slide:open', { path })
    const kept = await vi.waitFor(
      async () => {
        const found = (await engine.invoke('run:list', undefined)).find(({ status: { state: now } }) => now === 'done')
        expect(found).toBeDefined()
        return found!.status
      },
      { timeout: 20_000 },
    )
    expect(kept.cuts).toEqual(status.cuts)
    expect((await engine.invoke('table:view', { runId: kept.runId, ...asked })).rows).toBe(32)
  } finally {
    await engine.close()
  }
}, 60_000)
