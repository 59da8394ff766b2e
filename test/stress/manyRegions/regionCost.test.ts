// What 100,000 regions cost the engine: their import by the real door, one edit of them, what it tells, and how long the thread is taken at once. By hand:
//   REGIONS=100000 OBJECTS=1000000 npx vitest run --config test/stress/vitest.config.ts regionCost
// OBJECTS: beside so many objects of a run, on a slide that is made for it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import type { Engine } from '../../../main/engine'
import { makesMany } from '../../e2e/makesMany'
import { realEngine, sample } from '../../main/realEngine'
import { manyRegions } from './regionsFile'

const count = Number(process.env['REGIONS'] ?? 100_000)
const objects = Number(process.env['OBJECTS'] ?? 0)

/** Of the engine's thread, in wall time: while it is taken nothing that was asked is answered. */
function watched(): { longest: () => number } {
  let [last, most, over] = [performance.now(), 0, false]
  const look = (): void => {
    const now = performance.now()
    most = Math.max(most, now - last)
    last = now
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  return {
    longest: () => {
      over = true
      return Math.round(most)
    },
  }
}

/** The run that the project holds, once its objects are there. */
async function restored(engine: Engine, slideId: string): Promise<string[]> {
  const statuses = await engine.invoke('project:restore', { slideId })
  const runIds = statuses.map(({ runId }) => runId)
  for (const runId of runIds)
    while ((await engine.invoke('run:status', { runId })).state !== 'done')
      await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await engine.invoke('run:status', { runId: runIds[0]! })).objects).toBe(objects)
  return runIds
}

it('regions', { timeout: 900_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'regions-'))
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  const said: Record<string, unknown> = { count }
  let told = 0
  engine.onEvent((event) => {
    if (event.type === 'document:changed') told += JSON.stringify(event).length
  })
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const watch = watched()
    const from = performance.now()
    told = 0
    const value = await work()
    const ms = Math.round(performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, 20))
    said[name] = { ms, longest: watch.longest(), told, answered: JSON.stringify(value)?.length ?? 0 }
    return value
  }
  try {
    if (objects > 0) await engine.invoke('project:open', { path: await makesMany(dir, objects) })
    const info = await engine.invoke('slide:open', { path: objects > 0 ? join(dir, 'many.tif') : sample })
    const { slideId } = info
    const runIds = objects > 0 ? await restored(engine, slideId) : []
    said['objects'] = objects
    const text = manyRegions(count, info)
    said['file'] = text.length
    const imported = await timed('import', () => engine.invoke('project:import', { slideId, text }))
    expect(imported.added).toBe(count)
    const state = await timed('state', () => engine.invoke('project:state', { slideId }))
    expect(state.regions).toHaveLength(count)
    // As a window asks: the largest of its answers is what a thread is taken by.
    const largest = async (): Promise<void> => {
      const { more, ...first } = await timed('state in parts', () => engine.invoke('project:state', { slideId, parts: true }))
      let [from, most, ms] = [first.regions.length, 0, 0]
      for (let isLast = more === undefined; !isLast;) {
        const part = await engine.invoke('project:more', { more: more!, from })
        const began = performance.now()
        most = Math.max(most, JSON.stringify(part).length)
        ms = Math.max(ms, performance.now() - began)
        from += part.regions.length
        isLast = part.isLast
      }
      expect(from).toBe(count)
      said['largest part'] = { bytes: most, ms: Math.round(ms) }
    }
    await largest()
    const began = performance.now()
    JSON.stringify(state)
    said['at once'] = { ms: Math.round(performance.now() - began) }
    // Of the file that an import is, and of what a person may take back.
    await timed('undo import', () => engine.invoke('project:undo', undefined))
    await timed('redo import', () => engine.invoke('project:redo', undefined))
    const one = state.regions[count >> 1]!
    for (const name of ['first', 'second', 'third'])
      await timed(`edit ${name}`, () =>
        engine.invoke('project:do', {
          slideId,
          command: { type: 'regions:change', changes: [{ id: one.id, name }] },
        }),
      )
    await timed('measure one', () => engine.invoke('project:measure', { runIds, key: state.slide!, ids: [one.id] }))
    await timed('undo', () => engine.invoke('project:undo', undefined))
    await timed('measure all', () => engine.invoke('project:measure', { runIds, key: state.slide! }))
    await timed('export', () => engine.invoke('project:export', { key: state.slide!, ids: null }))
    await timed('summary', () => engine.invoke('project:slides', undefined))
    for (const runId of runIds) {
      const files = ['run.json', 'objects.csv'] as const
      await timed('files', () => engine.invoke('export:start', { runId, directory: join(dir, 'files'), files: [...files] }))
    }
    const shape = { kind: 'rectangle', x: 0, y: 0, width: 300, height: 300 } as const
    await timed('stroke', () =>
      engine.invoke('project:do', { slideId, command: { type: 'regions:combine', id: one.id, how: 'add', shape } }),
    )
  } finally {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  }
  console.log(JSON.stringify(said, null, 1))
})
