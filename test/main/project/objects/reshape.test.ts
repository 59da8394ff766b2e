// Objects merged and split by hand, through the engine: seen everywhere, measured as found ones are, taken back exactly, there after a start.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ObjectChoice, ObjectDetails, ObjectReshape, RunStatus, TableView } from '../../../../app/contract'
import { tilePaths, unpackRows, unpackTile } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { realEngine, sample } from '../../realEngine'

let dir: string
let engine: Engine
let slideId: string
let found: RunStatus
/** A nucleus that is long enough to be cut, and a line across its middle. */
let long: ObjectDetails
let across: [number, number][]

async function start(): Promise<void> {
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  ;({ slideId } = await engine.invoke('slide:open', { path: sample }))
  await engine.invoke('project:state', { slideId })
}
const status = (runId = found.runId): Promise<RunStatus> => engine.invoke('run:status', { runId })
const view = (filter = ''): Promise<TableView> =>
  engine.invoke('table:view', { runId: found.runId, filter, brush: null, sort: null, describe: 'area' })
/** Of what people make, whose surroundings nobody measures. */
const unscored = { contrast: null, score: null, scoreParts: null }
const numbered = (id: number): Promise<ObjectDetails> => engine.invoke('object:numbered', { runId: found.runId, id })
async function numbers(table: TableView): Promise<number[]> {
  const answer = await engine.tile(tilePaths.table(table.runId, table.view, 0))
  return unpackRows(answer.body.buffer, table.columns.length).map((row) => row[0]!)
}
/** How many objects each tile shows, and of how many pixels. */
async function painted(): Promise<string[]> {
  const shown: string[] = []
  for (const { level, x, y, revision } of await engine.invoke('run:tiles', { runId: found.runId })) {
    if (level !== 0) continue
    const tile = unpackTile((await engine.tile(tilePaths.objects(found.runId, revision, level, x, y))).body.buffer)
    if (tile.kind !== 'objects') throw new Error('no tile of objects')
    shown.push(`${x},${y}: ${tile.count} ${tile.ids.filter((id) => id > 0).length} ${tile.values.join()}`)
  }
  return shown.sort()
}
async function exported(to: string): Promise<Record<'csv' | 'geojson' | 'parquet', string>> {
  const directory = join(dir, to)
  const files = ['objects.csv', 'objects.geojson', 'objects.parquet', 'labels.ome.tif'] as const
  await engine.invoke('export:start', { runId: found.runId, directory, files: [...files] })
  const [csv, geojson, parquet] = await Promise.all(files.slice(0, 3).map((name) => readFile(join(directory, name), 'latin1')))
  return { csv: csv!, geojson: geojson!, parquet: parquet! }
}
const rowsOf = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reshape-'))
  await start()
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!
  const region = { x: 300, y: 300, width: 700, height: 600 }
  await engine.invoke('run:start', { slideId, region, recipe: defaultRecipe(spec), purpose: 'run', name: 'nuclei' })
  await vi.waitUntil(async () => {
    found = (await engine.invoke('run:list', undefined))[0]!.status
    return found.state === 'done'
  }, 30_000)
  const [id] = await numbers(await view('area > 25 and eccentricity > 0.75'))
  long = await numbered(id!)
  // Across the long axis: orientation is counter-clockwise on the screen, degrees.
  const angle = ((long.orientation + 90) * Math.PI) / 180
  const [dx, dy] = [60 * Math.cos(angle), -60 * Math.sin(angle)]
  const { x, y } = long.centroid
  across = [
    [x - dx, y - dy],
    [x + dx, y + dy],
  ]
}, 60_000)
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

it('splits an object and makes one of its parts again: the same pixels have the same figures as those that were found', async () => {
  const asFound = await painted()
  const plain = await exported('plain')
  expect(plain.csv).not.toContain('made_by')
  expect(plain.geojson).not.toContain('madeBy')
  const { name, objects } = await engine.invoke('object:split', { runId: found.runId, line: across })
  expect(name).toBe(objects === 1 ? 'Split an object' : `Split ${objects} objects`)
  const split = await status()
  const made = split.made!
  expect(made).toBeGreaterThanOrEqual(2 * objects)
  expect(split).toMatchObject({ objects: found.objects - objects + made, replaced: objects })
  expect(split).not.toHaveProperty('deleted')
  await expect(numbered(long.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const parts = await Promise.all(Array.from({ length: made }, (_, i) => numbered(found.objects + 1 + i)))
  expect(await painted()).not.toEqual(asFound)

  // In table and files they are the last, and said to be by hand.
  const table = await view()
  expect([table.rows, table.of]).toEqual([split.objects, split.objects])
  const files = await exported('split')
  const [head, ...rows] = rowsOf(files.csv)
  const [by, area] = [head!.indexOf('made_by'), head!.findIndex((column) => column.startsWith('area'))]
  expect(rows.map((row) => row[by])).toEqual([
    ...Array.from({ length: found.objects - objects }, () => 'program'),
    ...parts.map(() => 'hand'),
  ])
  expect(rows.slice(-made).map((row) => Number(row[0]))).toEqual(parts.map(({ id }) => id))
  rows.slice(-made).forEach((row, i) => expect(Number(row[area])).toBeCloseTo(parts[i]!.area, 3))
  const { features } = JSON.parse(files.geojson) as { features: { properties: { metadata: { madeBy: string } } }[] }
  expect(features.map(({ properties }) => properties.metadata.madeBy)).toEqual(rows.map((row) => row[by]))
  expect(files.parquet).toContain('made_by')

  // The parts of the long one, as one again: what the recipe found, to the last bit of every figure.
  const [a, b, ...more] = parts.filter(({ bounds }) => {
    const box = long.bounds
    return (
      bounds.x >= box.x &&
      bounds.y >= box.y &&
      bounds.x + bounds.width <= box.x + box.width &&
      bounds.y + bounds.height <= box.y + box.height
    )
  })
  expect([a!.area + b!.area, more]).toEqual([expect.closeTo(long.area, 6), []])
  const again = await engine.invoke('object:merge', { runId: found.runId, choice: { ids: [a!.id, b!.id] } })
  expect(again).toEqual({ name: 'Merge 2 objects', object: found.objects + made + 1 })
  expect(await numbered(again.object)).toEqual({ ...long, ...unscored, id: again.object })
  const { x, y } = long.centroid
  expect(await engine.invoke('object:at', { runId: found.runId, x, y })).toEqual({ ...long, ...unscored, id: again.object })
  const state = [await painted(), await exported('merged'), (await status()).objects]

  // Back to what was found, and forth again, to the byte.
  expect(await engine.invoke('project:undo', undefined)).toBe('Merge 2 objects')
  expect((await status()).objects).toBe(split.objects)
  expect(await exported('split-again')).toEqual(files)
  expect(await engine.invoke('project:undo', undefined)).toBe(name)
  expect(await painted()).toEqual(asFound)
  expect(await exported('plain-again')).toEqual(plain)
  expect((await status()).made).toBeUndefined()
  await engine.invoke('project:redo', undefined)
  await engine.invoke('project:redo', undefined)
  expect([await painted(), await exported('redone'), (await status()).objects]).toEqual(state)
  await engine.close()

  // Another process.
  await start()
  await expect
    .poll(async () => {
      const [restored] = await engine.invoke('run:list', undefined)
      if (restored?.status.made === undefined) return 'coming'
      found = { ...restored.status, objects: found.objects }
      return restored.status.state
    })
    .toBe('done')
  expect([await painted(), await exported('restarted'), (await status()).objects]).toEqual(state)
  expect(await engine.invoke('project:undo', undefined)).toBe('Merge 2 objects')
  expect(await exported('restarted-split')).toEqual(files)
}, 60_000)

it('keeps the class by hand, counts made ones in regions, and refuses what cannot be', async () => {
  const runId = found.runId
  const before = await status()
  const [far, other] = await numbers(await view())
  const refused = async (call: Promise<unknown>, words: RegExp): Promise<void> =>
    expect(call).rejects.toMatchObject({ code: 'INVALID_PARAMETER', message: expect.stringMatching(words) as string })
  await refused(engine.invoke('object:merge', { runId, choice: { ids: [far!] } }), /two objects or more/)
  await refused(engine.invoke('object:merge', { runId, choice: { ids: [far!, other!] } }), /do not touch/)
  await refused(engine.invoke('object:split', { runId, line: [[0, 0], [5, 5]] }), /cuts through no object/) // oxfmt-ignore
  const { keptId } = await status()
  await refused(engine.invoke('project:do', { slideId, command: { type: 'objects:unmake', run: keptId! } }), /a step of history/)
  expect(await status()).toEqual(before)

  const parts = await numbers(await view(`id > ${found.objects}`))
  await engine.invoke('object:edit', { runId, choice: { ids: parts }, edit: { type: 'classify', classId: 'tumour' } })
  const { object } = await engine.invoke('object:merge', { runId, choice: { ids: parts.slice(0, 2) } })
  expect((await numbered(object)).class).toMatchObject({ id: 'tumour' })
  expect((await status()).byHand).toBe(parts.length - 1)
  const { bounds } = await numbered(object)
  const shape = { kind: 'rectangle' as const, ...bounds }
  expect((await engine.invoke('object:count', { runId, choice: { shape } })).objects).toBeGreaterThan(0)
  await engine.invoke('object:edit', { runId, choice: { ids: [object] }, edit: { type: 'delete' } })
  await expect(numbered(object)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await engine.invoke('project:undo', undefined)
  expect((await numbered(object)).class).toMatchObject({ id: 'tumour' })
}, 60_000)

it('grows, fills and shrinks objects: each a step, measured anew, exported as made by hand, taken back and done again, there after a start', async () => {
  const runId = found.runId
  const before = [await painted(), (await status()).objects]
  const ids = await numbers(await view(`id <= ${found.objects} and area > 12`))
  const chosen = ids.slice(0, 12)
  const sizes = await Promise.all(chosen.map(async (id) => (await numbered(id)).area))
  const ask = (how: ObjectReshape, of = chosen) => engine.invoke('object:reshape', { runId, choice: { ids: of }, how })

  const grew = await ask({ type: 'grow', by: 0.5, unit: 'um' })
  expect(grew).toMatchObject({ name: 'Grow 12 objects by 0.5 µm', objects: 12, made: 12, gone: 0, severed: 0, asTheyAre: 0 })
  const made = Array.from({ length: 12 }, (_, i) => grew.first + i)
  const areas = await Promise.all(made.map(async (id) => (await numbered(id)).area))
  areas.forEach((area, i) => expect(area).toBeGreaterThan(sizes[i]!))
  expect((await status()).objects).toBe(before[1])
  const rows = rowsOf((await exported('grown')).csv)
  expect(rows.find(([id]) => Number(id) === grew.first)![rows[0]!.indexOf('made_by')]).toBe('hand')

  // Less by as much: not more than there was, where nothing had closed.
  const shrank = await ask({ type: 'shrink', by: 0.5, unit: 'um' }, made)
  expect(shrank.name).toBe(`Shrink ${shrank.objects === 1 ? 'an object' : `${shrank.objects} objects`} by 0.5 µm`)
  expect(shrank.objects + shrank.gone).toBe(12)
  const tiny = await numbers(await view('area < 60'))
  const lost = await ask({ type: 'shrink', by: 1.5, unit: 'um' }, tiny.slice(0, 400)).catch((error: unknown) => error)
  const state = [await painted(), await exported('all-grown'), (await status()).objects]
  const steps = lost instanceof Error ? 2 : 3
  for (let n = 0; n < steps; n++) await engine.invoke('project:undo', undefined)
  expect([await painted(), (await status()).objects]).toEqual(before)
  for (let n = 0; n < steps; n++) await engine.invoke('project:redo', undefined)
  expect([await painted(), await exported('all-again'), (await status()).objects]).toEqual(state)
  await engine.close()
  await start()
  await expect.poll(async () => (await engine.invoke('run:list', undefined))[0]?.status.made ?? 0).toBeGreaterThan(0)
  found = { ...(await engine.invoke('run:list', undefined))[0]!.status, objects: found.objects }
  expect([await painted(), await exported('all-there'), (await status()).objects]).toEqual(state)
  for (let n = 0; n < steps; n++) await engine.invoke('project:undo', undefined)
  expect([await painted(), (await status()).objects]).toEqual(before)
}, 60_000)

it('says why outlines stay as they are', async () => {
  const { runId } = found
  const [one] = await numbers(await view('area < 40'))
  const refused = async (how: ObjectReshape, words: RegExp, choice: ObjectChoice = { ids: [one!] }): Promise<void> =>
    expect(engine.invoke('object:reshape', { runId, choice, how })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(words) as string,
    })
  await refused({ type: 'fill' }, /has a hole/)
  await refused({ type: 'shrink', by: 20, unit: 'um' }, /Nothing would be left of it/)
  await refused({ type: 'grow', by: 0.01, unit: 'um' }, /less than a pixel/)
  await refused({ type: 'grow', by: 10_000, unit: 'px' }, /at most/)
  await refused({ type: 'grow', by: 100, unit: 'um' }, /too much for one step/, {
    ids: (await numbers(await view())).slice(0, 300),
  })
  await refused({ type: 'fill' }, /There is no object/, { shape: { kind: 'rectangle', x: 0, y: 0, width: 1, height: 1 } })
  const { view: all, rows } = await view()
  if (rows > 500) await refused({ type: 'fill' }, /at most 500 objects/, { view: all })
}, 60_000)

it('refuses objects that a page or a file says were made, where they cannot be, and shows the run as it was found', async () => {
  const before = await painted()
  const { keptId } = await status()
  const made = { objects: 1, of: [0], record: Buffer.from('nothing').toString('base64') }
  await engine.invoke('project:do', { slideId, command: { type: 'objects:make', run: keptId!, made } })
  expect(await painted()).toEqual(before)
  await engine.invoke('project:undo', undefined)
  expect(await painted()).toEqual(before)
}, 60_000)
