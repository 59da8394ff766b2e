// A cancelled run is kept in the project, is gone on with, and survives a program that ends: at the end it has what an undisturbed run has.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Recipe, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { firstRecipe, realEngine, sample } from '../../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'go-on-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const desk = (): Engine => realEngine(join(dir, 'desk'), { shell: 'serve', journal: { directory: join(dir, 'journals') } })

const over = (engine: Engine, runId: string): Promise<RunStatus> =>
  expect
    .poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 60_000, interval: 50 })
    .toMatch(/done|cancelled|failed/)
    .then(() => engine.invoke('run:status', { runId }))

/** Of other values, so that nothing of it is kept from the run before. */
async function withDepth(engine: Engine, depth: number): Promise<Recipe> {
  const recipe = await firstRecipe(engine)
  return { ...recipe, params: { ...recipe.params, split: { ...recipe.params['split'], depth } } }
}

/** Half of the sample. */
const region = { x: 0, y: 1200, width: 2220, height: 1400 }

/** Of it, cancelled when the first of its blocks is done. */
async function cancelled(engine: Engine, slideId: string, depth: number): Promise<RunStatus> {
  const recipe = await withDepth(engine, depth)
  let runId = ''
  const off = engine.onEvent((event) => {
    if (event.type === 'run:progress' && event.status.runId === runId && event.status.tilesDone > 0)
      void engine.call('run:cancel', { runId })
  })
  ;({ runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', threads: 1 }))
  const status = await over(engine, runId)
  off()
  expect(status.state).toBe('cancelled')
  expect(status.tilesDone).toBeGreaterThan(0)
  expect(status.tilesDone).toBeLessThan(status.tilesTotal)
  return status
}

it('a cancelled run can be kept, comes back as it was, and is gone on with from there', async () => {
  let engine = desk()
  let { slideId } = await engine.invoke('slide:open', { path: sample })
  const first = await cancelled(engine, slideId, 0.6)
  // Its densities are of what it looked at.
  expect(first.analysedPx).toBeLessThan((first.region.width * first.region.height * first.tilesDone) / first.tilesTotal + 1e6)
  await engine.invoke('project:keep', { runId: first.runId })
  expect((await engine.invoke('project:state', { slideId })).runs).toMatchObject([
    { cancelled: true, objects: first.objects, lacks: `cancelled after ${first.tilesDone} of ${first.tilesTotal} tiles` },
  ])
  // It is not the slide's result.
  expect((await engine.invoke('project:slides', undefined))[0]).toMatchObject({ state: 'not run' })
  await engine.close()

  engine = desk()
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
  const [back] = await engine.invoke('project:restore', { slideId })
  expect(back).toMatchObject({
    state: 'cancelled',
    objects: first.objects,
    tilesDone: first.tilesDone,
    tilesTotal: first.tilesTotal,
  })
  expect(back!.analysedPx).toBe(first.analysedPx)
  // What was corrected on the part is corrected on the whole.
  await engine.invoke('object:edit', { runId: back!.runId, choice: { ids: [1] }, edit: { type: 'delete' } })
  const { runId } = await engine.invoke('run:resume', { runId: back!.runId })
  const ended = await over(engine, runId)
  expect(ended).toMatchObject({ state: 'done', resumedTiles: first.tilesDone, tilesDone: first.tilesTotal })

  // The whole is kept in place of its part, as a step: nothing counts twice.
  const kept = async () =>
    (await engine.invoke('project:state', { slideId })).runs.map(({ cancelled, lacks }) => [cancelled, lacks])
  await expect.poll(kept, { timeout: 10_000 }).toEqual([[undefined, undefined]])
  const done = await engine.invoke('run:status', { runId })
  expect(done).toMatchObject({ deleted: 1 })
  expect(done.objects).toBeGreaterThan(first.objects)
  const listed = async () => (await engine.invoke('run:list', undefined)).map(({ status }) => [status.state, status.objects])
  expect(await listed()).toEqual([['done', done.objects]])
  const step = (await engine.invoke('project:state', { slideId })).undo!.name
  expect(step).toBe(`Put the whole in place of ${back!.name}`)
  expect(await engine.invoke('project:undo', undefined)).toBe(step)
  // The part is back by itself: nobody asks how the document stands.
  await expect.poll(listed).toEqual([['done', done.objects], ['cancelled', first.objects - 1]]) // oxfmt-ignore
  expect((await kept()).map(([cancelled]) => cancelled)).toEqual([true, undefined])
  expect(await engine.invoke('project:redo', undefined)).toBe(step)
  expect([await kept(), await listed()]).toEqual([[[undefined, undefined]], [['done', done.objects]]])

  // As a run that nobody disturbed.
  const request = { slideId, region, recipe: await withDepth(engine, 0.6), purpose: 'run' } as const
  const whole = await over(engine, (await engine.invoke('run:start', request)).runId)
  expect([done.objects + 1, done.cutObjects]).toEqual([whole.objects, whole.cutObjects])

  // Another one that nobody keeps is gone on with in its place, under its name.
  const second = await cancelled(engine, slideId, 0.9)
  const again = await over(engine, (await engine.invoke('run:resume', { runId: second.runId })).runId)
  expect(again).toMatchObject({ state: 'done', name: second.name, resumedTiles: second.tilesDone, tilesDone: whole.tilesDone })
  expect(await engine.call('run:status', { runId: second.runId })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  expect(await engine.call('run:resume', { runId: again.runId })).toMatchObject({
    ok: false,
    error: { code: 'INVALID_PARAMETER' },
  })

  // A third one is there when the program has ended, to be gone on with.
  const third = await cancelled(engine, slideId, 0.8)
  await engine.close()
  engine = desk()
  const [left, ...others] = await engine.invoke('journal:list', undefined)
  expect([left!.name, left!.tilesDone, others.length]).toEqual([third.name, third.tilesDone, 0])
  await engine.close()
}, 120_000)
