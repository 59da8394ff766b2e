// What is large and still fits: a run within a region of very many points, the longest name, more classes by hand than one command takes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunStatus, Shape } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { rankSetOf } from '../../../main/project/objects/edits'
import { headRecord } from '../../../main/run/journal/journal'
import type { JournalHead } from '../../../main/run/journal/journal'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'limits-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const region = { x: 300, y: 300, width: 1000, height: 800 }
/** All of the region, its upper edge with teeth. */
const teeth = 45_000
const within: Shape = {
  kind: 'polygon',
  parts: [
    [
      [
        ...Array.from({ length: teeth }, (_, i): [number, number] => [300 + (1000 * i) / teeth, i % 2 === 0 ? 300 : 300.25]),
        ...([
          [1300, 300],
          [1300, 1100],
          [300, 1100],
        ] as [number, number][]),
      ],
    ],
  ],
}
const desk = async (): Promise<{ engine: Engine; slideId: string }> => {
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  await engine.invoke('project:state', { slideId })
  return { engine, slideId }
}
const doneRuns = async (engine: Engine, count: number): Promise<RunStatus[]> => {
  const done = async () =>
    (await engine.invoke('run:list', undefined)).flatMap(({ status }) => (status.state === 'done' ? status : []))
  await expect.poll(async () => (await done()).length, { timeout: 30_000 }).toBe(count)
  return done()
}

it('is kept, carried to another run in one go, and there again after a start', { timeout: 60_000 }, async () => {
  const name = `${'N'.repeat(98)}\u0007!`
  const one = await desk()
  const recipe = await firstRecipe(one.engine)
  const start = async (more: object): Promise<string> =>
    (await one.engine.invoke('run:start', { slideId: one.slideId, region, recipe, purpose: 'run', ...more })).runId
  // The head of what is kept has the points: more than a MiB of them, which was the most that was read again.
  expect(JSON.stringify(within).length).toBeGreaterThan(2 ** 20)
  const from = await start({ within: [within], name })
  const to = await start({})
  const objects = new Map((await doneRuns(one.engine, 2)).map((status) => [status.runId, status.objects]))
  // As many classes as a result's objects can have, sixty of them also by objects that were made: 310 sets, and a command takes 300.
  const [each, grown] = [250, 60]
  expect(objects.get(from)).toBeGreaterThan(each + grown)
  const classes = Array.from({ length: each }, (_, i) => ({ id: `c${i}`, name: `C${i}`, color: '#123456' }))
  await one.engine.invoke('project:do', { slideId: one.slideId, command: { type: 'classes:set', classes } })
  // The first makes the document hold the run.
  await one.engine.invoke('object:edit', { runId: from, choice: { ids: [1] }, edit: { type: 'classify', classId: 'c0' } })
  const { keptId } = await one.engine.invoke('run:status', { runId: from })
  const sets = classes.map(({ id }, i) => {
    const mask = new Uint8Array(objects.get(from)!)
    for (const rank of i < grown ? [i, each + i] : [i]) mask[rank] = 1
    return { classId: id, ranks: rankSetOf(mask) }
  })
  await one.engine.invoke('project:do', { slideId: null, command: { type: 'objects:classify', run: keptId!, sets } })
  const ids = Array.from({ length: grown }, (_, i) => i + 1)
  await one.engine.invoke('object:reshape', { runId: from, choice: { ids }, how: { type: 'grow', by: 1, unit: 'px' } })
  const carried = await one.engine.invoke('object:carry', { from, to })
  expect(carried).toMatchObject({ classified: each, made: grown, unfit: 0, outside: 0 })
  const all = async (engine: Engine) =>
    (await doneRuns(engine, 2)).map((status) => [status.name, status.objects, status.byHand]).sort()
  const before = await all(one.engine)
  // A control character is no part of it.
  expect(before.map(([called]) => called)).toContain(`${'N'.repeat(98)} !`)
  expect(before.map(([, , byHand]) => byHand)).toEqual([each + grown, each + grown])
  await one.engine.close()
  const two = await desk()
  expect(await all(two.engine)).toEqual(before)
  await two.engine.close()
})

it('a run’s head beyond what is read again is refused in words, before a byte is written', () => {
  const head = { request: { within: ['1,'.repeat(2 ** 24)] } } as unknown as JournalHead
  expect(() => headRecord.body(head)).toThrow(/^The regions of this run have too many points together/)
})
