// Whatever a document took it can read again: at 803bda9 each of these was taken, and refused at the next opening, saving or start (test/faults.md).
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
let engine: Engine
let slideId: string
let key: string
const folder = (): string => join(dir, 'a.morphoscope')
const start = async (): Promise<void> => {
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
  key = (await engine.invoke('project:state', { slideId })).slide!
}
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'written-'))
  await start()
  await engine.invoke('project:save', { path: folder() })
})
afterEach(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

/** Closed and opened by another engine. */
async function again(): Promise<void> {
  await engine.close()
  await start()
  await engine.invoke('project:open', { path: folder() })
}
const state = () => engine.invoke('project:state', { slideId })

it('regions of more classes than a document can hold', { timeout: 60_000 }, async () => {
  const features = Array.from({ length: 1500 }, (_, i) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 0]]] },
    properties: { classification: { name: `Class ${i}`, color: [1, 2, 3] } },
  })) // prettier-ignore
  await engine.invoke('project:import', { slideId, text: JSON.stringify({ type: 'FeatureCollection', features }) })
  expect((await state()).regions).toHaveLength(1500)
  await engine.invoke('project:save', { path: join(dir, 'b.morphoscope') })
  expect(await engine.invoke('project:undo', undefined)).toBe('Import 1,500 regions')
  expect(await engine.invoke('project:redo', undefined)).toBe('Import 1,500 regions')
  await again()
  expect((await state()).regions).toHaveLength(1500)
})

/** A bar with teeth above it. */
const comb = (x: number, teeth: number) => ({
  ...{ kind: 'polygon' as const },
  parts: [
    [
      [
        ...Array.from({ length: teeth }, (_, i): [number, number] => [x + (1000 * i) / teeth, i % 2 === 0 ? 300 : 305]),
        ...([
          [x + 1000, 400],
          [x, 400],
        ] as [number, number][]),
      ],
    ],
  ],
})
const own = (id: number, more: object) => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${id}`, slide: key, name: '', classId: null, locked: false },
  ...{ madeBy: 'hand' as const, createdAt: '2026-11-26T00:00:00.000Z', shape: comb(200, 4), ...more },
})

/** As a stranger gives it. */
async function crafted(sql: string): Promise<void> {
  await engine.close()
  const Database = createRequire(import.meta.url)('libsql') as new (path: string) => {
    exec: (sql: string) => void
    close: () => void
  }
  const db = new Database(join(folder(), 'project.sqlite'))
  db.exec(sql)
  db.close()
  await start()
}
const change = (name: string) =>
  engine.invoke('project:do', { slideId, command: { type: 'regions:change', changes: [{ id: own(1, {}).id, name }] } })

it('changes after the last revisions that there are', async () => {
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [own(1, {})] } })
  await crafted("UPDATE meta SET value = '9007199254740990' WHERE key = 'revision'")
  // Refused at its opening, or good for changes: no change is taken that is damage later.
  const opened = await engine.invoke('project:open', { path: folder() }).catch((error: Error) => error.message)
  if (opened !== null) return expect(opened).toMatch(/meta revision is "9007199254740990"/)
  expect((await change('first')).name).toBe('Name a region')
  expect((await change('second')).name).toBe('Name a region')
  await again()
  expect((await state()).regions.map(({ name }) => name)).toEqual(['second'])
})

it('a result within a region of very many points, and two of one long name', { timeout: 120_000 }, async () => {
  const recipe = await firstRecipe(engine)
  const name = 'N'.repeat(100)
  const region = { x: 300, y: 300, width: 600, height: 200 }
  const shape = { ...comb(300, 70_000) }
  for (const within of [[shape], undefined]) {
    const asked = { slideId, region, recipe, purpose: 'run' as const, name, ...(within && { within }) }
    const { runId } = await engine.invoke('run:start', asked)
    await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 60_000 }).toBe('done')
    await engine.invoke('project:keep', { runId })
  }
  await again()
  const statuses = await engine.invoke('project:restore', { slideId })
  const ended = async (runId: string) => (await engine.invoke('run:status', { runId })).state
  for (const { runId } of statuses) await expect.poll(() => ended(runId), { timeout: 60_000 }).toBe('done')
  expect(statuses).toHaveLength(2)
})

it('the settings of two programs at once', async () => {
  const settingsDir = join(dir, 'shared')
  const about = { settingsDir, dialogs: false, version: '0.0.0', log: () => undefined, assetsDir: join(sample, '..', '..') }
  const [one, two] = [createEngine({ ...about, shell: 'desktop' }), createEngine({ ...about, shell: 'serve' })]
  await Promise.all([one.invoke('settings:get', undefined), two.invoke('settings:get', undefined)])
  await one.invoke('settings:set', { threads: 3 })
  await two.invoke('settings:set', { memoryMiB: 4096 })
  await Promise.all([one.close(), two.close()])
  const three = createEngine({ ...about, shell: 'desktop' })
  expect(await three.invoke('settings:get', undefined)).toMatchObject({ threads: 3, memoryMiB: 4096 })
  await three.close()
})
