// What was made by hand on one run, carried to another: made again of the objects that are the same, told where there are none, one step of history.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObjectDetails, RunStatus } from '../../../../app/contract'
import { tilePaths, unpackRows } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { madeGroups } from '../../../../main/project/objects/carryMade'
import type { ObjectEdits } from '../../../../main/project/objects/edits'
import { firstRecipe, realEngine, sample } from '../../realEngine'

it('what was made of each other is one group, with the found objects below it and what is there at the end', () => {
  const made = (objects: number, ...of: number[]) => ({ objects, of, record: '' })
  const edits = (deleted: number[], ...all: ReturnType<typeof made>[]): ObjectEdits => ({
    ...{ deleted: Uint8Array.from(deleted), byHand: new Uint8Array(deleted.length), ids: [], rule: null },
    made: all,
  })
  // Of four found ones: 0 split into 4 and 5; 1 grown to 6; 5 and 6 merged to 7; 3 grown to 8, which is deleted.
  const steps = [made(2, 0), made(1, 1), made(1, 5, 6), made(1, 3)]
  expect(madeGroups(edits([1, 1, 0, 1, 0, 1, 1, 0, 1], ...steps))).toEqual([
    { sources: [0, 1], made: [4, 7] },
    { sources: [3], made: [] },
  ])
  expect(madeGroups(edits([0, 1]))).toEqual([])
})

let dir: string
let engine: Engine
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carry-made-'))
  engine = realEngine(dir, { shell: 'serve' })
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

it('is made again of the same objects, with their pixels and classes, and does not fit where they are gone', async () => {
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const recipe = await firstRecipe(engine)
  const done = async (minArea: number, width = 700): Promise<RunStatus> => {
    const params = { ...recipe.params, objects: { ...recipe.params['objects'], minArea } }
    const region = { x: 300, y: 300, width, height: 600 }
    const { runId } = await engine.invoke('run:start', { slideId, region, recipe: { ...recipe, params }, purpose: 'run' })
    const state = async () => (await engine.invoke('run:status', { runId })).state
    await expect.poll(state, { timeout: 20_000 }).toBe('done')
    return engine.invoke('run:status', { runId })
  }
  const status = (runId: string) => engine.invoke('run:status', { runId })
  const listed = async (runId: string, filter: string): Promise<ObjectDetails[]> => {
    const view = await engine.invoke('table:view', { runId, filter, brush: null, sort: null, describe: 'area' })
    const answer = await engine.tile(tilePaths.table(runId, view.view, 0))
    const rows = unpackRows(answer.body.buffer, view.columns.length)
    return Promise.all(rows.slice(0, 20).map((row) => engine.invoke('object:numbered', { runId, id: row[0]! })))
  }
  const [a, b] = [await done(12), await done(20)]
  const [long] = await listed(a.runId, 'area > 25 and eccentricity > 0.75')
  const angle = ((long!.orientation + 90) * Math.PI) / 180
  const { x, y } = long!.centroid
  const [dx, dy] = [60 * Math.cos(angle), -60 * Math.sin(angle)]
  const line: [number, number][] = [
    [x - dx, y - dy],
    [x + dx, y + dy],
  ]
  const runId = a.runId
  const { objects: split } = await engine.invoke('object:split', { runId, line })
  const grow = { type: 'grow', by: 1, unit: 'um' } as const
  const [wide] = await listed(runId, `area > 25 and id <= ${a.objects} and id != ${long!.id} and eccentricity < 0.75`)
  await engine.invoke('object:reshape', { runId, choice: { ids: [wide!.id] }, how: grow })
  const [small] = await listed(runId, `area < 16 and id <= ${a.objects}`)
  await engine.invoke('object:reshape', { runId, choice: { ids: [small!.id] }, how: grow })
  const made = await listed(runId, `id > ${a.objects}`)
  const classed = made[0]!.id
  await engine.invoke('object:edit', { runId, choice: { ids: [classed] }, edit: { type: 'classify', classId: 'tumour' } })

  const found = await engine.invoke('object:carry', { from: runId, to: b.runId })
  // The small one is not there any more: of the others all are.
  expect(found).toMatchObject({ made: made.length - 1, unfit: 1, deleted: 0, classified: 0, already: 0, outside: 0 })
  expect(found.places).toEqual([expect.objectContaining({ made: true })])
  expect(await status(b.runId)).toMatchObject({ made: made.length - 1, replaced: split + 1, byHand: 1 })
  expect((await status(b.runId)).objects).toBe(b.objects + made.length - 1 - split - 1)
  const there = await listed(b.runId, `id > ${b.objects}`)
  const figures = ({ id: _, class: own, ...rest }: ObjectDetails) => ({ ...rest, class: own?.id })
  const kept = made.slice(0, -1).map(figures)
  expect(there.map(figures)).toEqual(kept.map((each, i) => (i === 0 ? { ...each, class: 'tumour' } : each)))

  // Again there is nothing to do; one step takes all of it back, and brings it again.
  const again = await engine.invoke('object:carry', { from: runId, to: b.runId })
  expect(again).toMatchObject({ step: null, made: 0, already: made.length - 1, unfit: 1 })
  expect(await engine.invoke('project:undo', undefined)).toBe(found.step)
  expect((await status(b.runId)).objects).toBe(b.objects)
  expect(await engine.invoke('project:redo', undefined)).toBe(found.step)
  expect((await listed(b.runId, `id > ${b.objects}`)).map(figures)).toEqual(there.map(figures))
  await engine.invoke('project:undo', undefined)

  // What a person said there stays: its object is not replaced.
  const at = await engine.invoke('object:at', { runId: b.runId, ...wide!.centroid })
  const choice = { ids: [at!.id] }
  await engine.invoke('object:edit', { runId: b.runId, choice, edit: { type: 'classify', classId: 'stroma' } })
  expect(await engine.invoke('object:carry', { from: runId, to: b.runId })).toMatchObject({ made: made.length - 2, unfit: 2 })

  // A run that looked elsewhere has none of them to replace.
  const beside = await done(12, 20)
  const nothing = await engine.invoke('object:carry', { from: runId, to: beside.runId })
  expect(nothing.made + nothing.unfit + nothing.already).toBeLessThan(made.length)
  expect(nothing.made + nothing.unfit + nothing.outside + nothing.already).toBe(made.length)
}, 60_000)
