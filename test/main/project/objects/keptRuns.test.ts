// Objects that a document holds, through the engine: deleted, classified, taken back; there again after a start; in every file alike.
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ExportFile, RunStatus, TableView } from '../../../../app/contract'
import { tilePaths, unpackRows, unpackTile } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { cli } from '../../../app/cli/inProcess'
import { realEngine, sample } from '../../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'kept-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

interface Desk {
  readonly engine: Engine
  readonly slideId: string
}
/** Nothing is asked of the document: what it holds of the slide comes by itself. */
async function desk(settings: string): Promise<Desk> {
  const engine = realEngine(join(dir, settings), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  return { engine, slideId }
}

/** The first done run of the slide, once it is there. */
async function doneRun({ engine, slideId }: Desk, isIt: (status: RunStatus) => boolean = () => true): Promise<RunStatus> {
  const found = await vi.waitUntil(async () =>
    (await engine.invoke('run:list', undefined)).find(
      ({ status }) => status.slideId === slideId && status.state === 'done' && isIt(status),
    ),
  )
  return found.status
}

async function run(at: Desk, spec: string): Promise<RunStatus> {
  const found = (await at.engine.invoke('recipe:list', undefined)).find(({ id }) => id === spec)!
  const region = { x: 300, y: 300, width: 700, height: 600 }
  await at.engine.invoke('run:start', { slideId: at.slideId, region, recipe: defaultRecipe(found), purpose: 'run', name: spec })
  return doneRun(at)
}

const view = ({ engine }: Desk, runId: string, filter = ''): Promise<TableView> =>
  engine.invoke('table:view', { runId, filter, brush: null, sort: null, describe: 'area' })

async function numbers(at: Desk, table: TableView): Promise<number[]> {
  const answer = await at.engine.tile(tilePaths.table(table.runId, table.view, 0))
  return unpackRows(answer.body.buffer, table.columns.length).map((row) => row[0]!)
}

/** The shown colours of a tile's objects, by their areas, so that the same objects are known again. */
async function painted({ engine }: Desk, { runId }: RunStatus): Promise<string[]> {
  const shown: string[] = []
  for (const { level, x, y, revision } of await engine.invoke('run:tiles', { runId })) {
    if (level !== 0) continue
    const tile = unpackTile((await engine.tile(tilePaths.objects(runId, revision, level, x, y))).body.buffer)
    if (tile.kind !== 'objects') throw new Error('no tile of objects')
    const width = tile.values.length / Math.max(1, tile.count)
    for (let n = 0; n < tile.count; n++) shown.push(`${x},${y}:${tile.values[n * width]} ${tile.values[(n + 1) * width - 1]}`)
  }
  return shown.sort()
}

async function exported({ engine }: Desk, { runId }: RunStatus, to: string): Promise<Record<string, string>> {
  const files: ExportFile[] = ['objects.csv', 'objects.geojson', 'objects.parquet', 'labels.ome.tif', 'run.json']
  const directory = join(dir, to)
  await engine.invoke('export:start', { runId, directory, files })
  const texts = await Promise.all(files.map(async (name) => [name, await readFile(join(directory, name), 'latin1')] as const))
  return Object.fromEntries(texts)
}

it('deletes what a filter leaves, in table, overlay, counts and files, takes it back, and has it all again after a start', async () => {
  const one = await desk('first')
  const status = await run(one, 'he-nuclei')
  const { runId, objects } = status
  const asFound = await painted(one, status)
  const small = await view(one, runId, 'area < 25')
  expect(small.rows).toBeGreaterThan(3)
  expect(small.rows).toBeLessThan(objects - 3)
  const gone = await numbers(one, small)
  // A lasso's two loops: an object that both hold is one.
  const loop = (y: number): [number, number][] => [
    [300, y],
    [1100, y],
    [1100, y + 300],
    [300, y + 300],
  ]
  const within = async (...ys: number[]): Promise<number> => {
    const shape = { kind: 'polygon' as const, parts: ys.map((y) => [loop(y)]) }
    return (await one.engine.invoke('object:count', { runId, choice: { shape } })).objects
  }
  const [upper, lower] = [await within(300), await within(600)]
  expect(Math.max(upper, lower)).toBeGreaterThan(0)
  expect(await within(300, 600)).toBe(upper + lower)
  expect(await within(300, 600, 600)).toBe(upper + lower)
  const { name } = await one.engine.invoke('object:edit', { runId, choice: { view: small.view }, edit: { type: 'delete' } })
  expect(name).toBe(`Delete ${small.rows} objects`)

  const now = await one.engine.invoke('run:status', { runId })
  expect(now).toMatchObject({ objects: objects - small.rows, deleted: small.rows, keptId: expect.stringMatching(/^k/) as string })
  const left = await view(one, runId)
  expect([left.rows, left.of]).toEqual([objects - small.rows, objects - small.rows])
  expect((await numbers(one, left)).filter((id) => gone.includes(id))).toEqual([])
  expect((await view(one, runId, 'area < 25')).rows).toBe(0)
  await expect(one.engine.invoke('object:numbered', { runId, id: gone[0]! })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const isLess = await painted(one, status)
  expect(isLess.length).toBeLessThan(asFound.length)
  await expect(
    one.engine.invoke('object:edit', { runId, choice: { ids: [gone[0]!] }, edit: { type: 'delete' } }),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })

  // The step says what it did by itself: nobody has to read its name.
  const steps = async (at: Desk) => {
    const { undo, redo } = await at.engine.invoke('project:state', { slideId: at.slideId })
    return [undo?.deletesOf, redo?.deletesOf]
  }
  expect(await steps(one)).toEqual([now.keptId, undefined])

  // In files the others keep the numbers that the table calls them by.
  const files = await exported(one, status, 'less')
  const ids = files['objects.csv']!.trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
  expect(ids).toHaveLength(left.rows)
  expect(ids.slice(0, 128)).toEqual(await numbers(one, left))
  const features = (JSON.parse(files['objects.geojson']!) as { features: { properties: { name: string } }[] }).features
  expect(features.map(({ properties }) => properties.name)).toEqual(ids.map((id) => `Object ${id}`))
  expect(JSON.parse(files['run.json']!)).toMatchObject({ counts: { objects: left.rows, deleted: small.rows } })

  expect(await one.engine.invoke('project:undo', undefined)).toBe(name)
  expect((await one.engine.invoke('run:status', { runId })).objects).toBe(objects)
  expect(await painted(one, status)).toEqual(asFound)
  expect(await steps(one)).toEqual([undefined, now.keptId])
  expect(await one.engine.invoke('project:redo', undefined)).toBe(name)
  expect(await painted(one, status)).toEqual(isLess)
  await one.engine.close()

  // Another process, as after a crash as after an end.
  const other = await desk('first')
  const again = await doneRun(other, ({ deleted }) => deleted === small.rows)
  expect(again).toMatchObject({ objects: left.rows, name: 'he-nuclei', startedAt: status.startedAt, region: status.region })
  expect(await painted(other, again)).toEqual(isLess)
  const filesAgain = await exported(other, again, 'again')
  for (const name of ['objects.csv', 'objects.geojson', 'objects.parquet', 'labels.ome.tif'])
    expect(filesAgain[name], name).toBe(files[name])
  // Steps of before are taken back as any.
  expect(await steps(other)).toEqual([again.keptId, undefined])
  await other.engine.invoke('project:undo', undefined)
  expect((await other.engine.invoke('run:status', { runId: again.runId })).objects).toBe(objects)
  expect(await painted(other, again)).toEqual(asFound)

  // Under a name its objects are in that folder; a run that is deleted leaves it.
  const folder = join(dir, 'Study.morphoscope')
  await other.engine.invoke('project:save', { path: folder })
  expect(await readdir(join(folder, 'runs'))).toEqual([`${again.keptId}.objects`])
  expect((await doneRun(other)).runId).toBe(again.runId)
  // And without a window, once this one has let go of it.
  await other.engine.invoke('project:redo', undefined)
  await other.engine.invoke('project:new', undefined)
  expect(await other.engine.invoke('run:list', undefined)).toEqual([])
  expect(await cli('project', 'open', folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${objects} objects found by`) as string,
  })
  const written = await cli('project', 'objects', folder, '--out', join(dir, 'headless'), '--files', 'objects.csv')
  expect(written.code).toBe(0)
  expect(await readFile(join(written.out.trim(), 'objects.csv'), 'latin1')).toBe(files['objects.csv'])
  await other.engine.invoke('project:open', { path: folder })
  await other.engine.invoke('project:state', { slideId: other.slideId })
  const third = await doneRun(other)
  await other.engine.invoke('run:delete', { runId: third.runId })
  expect(await readdir(join(folder, 'runs'))).toEqual([])
  expect(await other.engine.invoke('run:list', undefined)).toEqual([])
  expect(await other.engine.invoke('project:undo', undefined)).toBeNull()
  await other.engine.close()
})

it('classifies by hand before the rule, by limits before the recipe, and says so in table, colours, counts and files', async () => {
  const at = await desk('classes')
  const status = await run(at, 'ihc-nuclei')
  const { runId } = status
  const counts = async (): Promise<Record<string, number>> =>
    Object.fromEntries(((await at.engine.invoke('run:status', { runId })).classes ?? []).map((each) => [each.id, each.objects]))
  const asFound = await counts()
  expect(Object.keys(asFound)).toEqual(['negative', 'positive'])
  const colours = await painted(at, status)

  const area = await view(at, runId)
  const { lowerQuartile, median, upperQuartile } = area.statistics!
  const rule = { column: 'area', limits: [lowerQuartile, median, upperQuartile] }
  await at.engine.invoke('object:rule', { runId, rule })
  const byArea = await counts()
  expect(Object.keys(byArea)).toEqual(['negative', 'weak', 'moderate', 'strong'])
  expect(Object.values(byArea).reduce((sum, each) => sum + each, 0)).toBe(status.objects)
  for (const [id, low, high] of [
    ['negative', -1, lowerQuartile],
    ['strong', upperQuartile, 1e9],
  ] as const) {
    const byNumber = await view(at, runId, `area > ${low} and area <= ${high}`)
    expect((await view(at, runId, `class = ${id}`)).rows).toBe(byNumber.rows)
    expect(byArea[id]).toBe(byNumber.rows)
  }

  const strong = await view(at, runId, 'class = strong')
  const [first, second] = await numbers(at, strong)
  const { name } = await at.engine.invoke('object:edit', {
    runId,
    choice: { ids: [first!, second!] },
    edit: { type: 'classify', classId: 'tumour' },
  })
  expect(name).toBe('Classify 2 objects as Tumor')
  // A class that a rule gives has the name that people see, too.
  const weak = await at.engine.invoke('object:edit', {
    runId,
    choice: { ids: [first!] },
    edit: { type: 'classify', classId: 'weak' },
  })
  expect(weak.name).toBe('Classify an object as Weak 1+')
  await at.engine.invoke('project:undo', undefined)
  expect(await counts()).toMatchObject({ strong: byArea['strong']! - 2, tumour: 2 })
  expect((await at.engine.invoke('object:numbered', { runId, id: first! })).class).toMatchObject({ id: 'tumour', label: 'Tumor' })
  expect((await view(at, runId, 'class = tumor')).rows).toBe(2)
  const files = await exported(at, status, 'classes')
  const [head, ...rows] = files['objects.csv']!.trim().split('\r\n')
  const column = head!.split(',').indexOf('class')
  expect(rows.filter((row) => row.split(',')[column] === 'tumour')).toHaveLength(2)
  expect(rows.filter((row) => row.split(',')[column] === 'weak')).toHaveLength(byArea['weak']!)
  const { features } = JSON.parse(files['objects.geojson']!) as {
    features: { properties: { classification: { name: string; color: number[] } } }[]
  }
  const tumour = features.filter(({ properties }) => properties.classification.name === 'Tumor')
  expect(tumour.map(({ properties }) => properties.classification.color)).toEqual([
    [213, 94, 0],
    [213, 94, 0],
  ])
  expect(JSON.parse(files['run.json']!)).toMatchObject({ classesBy: rule, counts: { classes: { tumour: { objects: 2 } } } })

  // What is by hand stands whatever the rule becomes.
  await at.engine.invoke('object:rule', { runId, rule: { column: 'area', limits: [median] } })
  expect(await counts()).toMatchObject({ tumour: 2 })
  expect(Object.keys(await counts())).toEqual(['negative', 'positive', 'tumour'])
  for (let i = 0; i < 3; i++) await at.engine.invoke('project:undo', undefined)
  expect(await counts()).toEqual(asFound)
  expect(await painted(at, status)).toEqual(colours)
  for (const wrong of [
    { column: 'nothing', limits: [1] },
    { column: 'class', limits: [1] },
  ])
    await expect(at.engine.invoke('object:rule', { runId, rule: wrong })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  await expect(
    at.engine.invoke('object:edit', { runId, choice: { ids: [1] }, edit: { type: 'classify', classId: 'no-such' } }),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  await at.engine.close()
})

it('says what is wrong with objects that are damaged, and opens the rest', async () => {
  const one = await desk('damaged')
  const { runId } = await run(one, 'he-nuclei')
  const { keptId } = await one.engine.invoke('project:keep', { runId })
  expect(await one.engine.invoke('project:keep', { runId })).toEqual({ keptId })
  await one.engine.close()
  const documents = join(dir, 'damaged', 'documents')
  const [folder] = (await readdir(documents)).filter((name) => name.endsWith('.morphoscope'))
  const file = join(documents, folder!, 'runs', `${keptId}.objects`)
  await truncate(file, (await readFile(file)).length - 1000)
  const said: string[] = []
  const engine = realEngine(join(dir, 'damaged'), { shell: 'serve', log: ({ message }) => said.push(message) })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const state = await engine.invoke('project:state', { slideId })
  expect(state.runs.map(({ id }) => id)).toEqual([keptId])
  await vi.waitFor(async () =>
    expect((await engine.invoke('run:list', undefined)).map(({ status }) => [status.state, status.error?.message])).toEqual([
      ['failed', expect.stringContaining('cannot be trusted: a part of it is damaged or missing')],
    ]),
  )
  await engine.close()
})
