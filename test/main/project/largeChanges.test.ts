// Changes of very many regions: written beside the engine's thread, read again in pieces, whole or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DocumentCommand, RegionOfInterest } from '../../../app/contract'
import { breather, finished, inSteps } from '../../../main/base/breather'
import { deflated, unpacking } from '../../../main/project/disk/packed'
import { openDatabase } from '../../../main/project/lock'
import type { Engine } from '../../../main/engine'
import { realEngine, sample } from '../realEngine'

const count = 3000
const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
/** With names that hold what ends a value elsewhere. */
const regionsOn = (slide: string, many = count): RegionOfInterest[] =>
  Array.from({ length: many }, (_, n) => ({
    ...{ id: idOf(n), slide, name: n % 3 ? '' : `“a” \\"],[{ ${n}`, classId: null, locked: false, madeBy: 'hand' as const },
    ...{ shape: { kind: 'rectangle' as const, x: n % 100, y: 1, width: 2 + (n % 7), height: 3 } },
    createdAt: '2026-11-26T00:00:00.000Z',
  }))

let folder: string
let engine: Engine
let slideId: string
let key: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'))
  engine = realEngine(join(folder, 'settings'), { shell: 'serve' })
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
  key = (await engine.invoke('project:state', { slideId })).slide!
  await engine.invoke('project:save', { path: join(folder, 'a.morphoscope') })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const regions = async (): Promise<RegionOfInterest[]> => (await engine.invoke('project:state', { slideId })).regions
const add = (): Promise<unknown> =>
  engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: regionsOn(key) } })

it('are committed beside the engine’s thread, taken back, done again, and there after the next opening', async () => {
  const Database = createRequire(import.meta.url)('libsql') as { prototype: { exec: (sql: string) => unknown } }
  const here = vi.spyOn(Database.prototype, 'exec')
  const commits = (): number => here.mock.calls.filter(([sql]) => sql === 'COMMIT').length
  await add()
  const all = await regions()
  expect(all).toHaveLength(count)
  await engine.invoke('project:undo', undefined)
  expect(await regions()).toEqual([])
  await engine.invoke('project:redo', undefined)
  expect(await regions()).toEqual(all)
  expect(commits()).toBe(0)
  // What is small is not worth a thread.
  const changes = [{ id: idOf(0), name: 'first' }]
  await engine.invoke('project:do', { slideId, command: { type: 'regions:change', changes } })
  expect(commits()).toBe(1)
  await engine.invoke('project:do', { slideId, command: { type: 'regions:delete', ids: all.map(({ id }) => id) } })
  await engine.invoke('project:new', undefined)
  await engine.invoke('project:open', { path: join(folder, 'a.morphoscope') })
  await engine.invoke('project:undo', undefined)
  await engine.invoke('project:undo', undefined)
  expect(await regions()).toEqual(all)
})

it('change nothing where the file cannot be written, and can be made once it can', async () => {
  // Something that the document holds, so that its file is there.
  await engine.invoke('project:do', { slideId, command: { type: 'classes:set', classes: [] } })
  const other = openDatabase(join(folder, 'a.morphoscope', 'project.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  await expect(add()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
  expect(await regions()).toEqual([])
  other.exec('ROLLBACK')
  other.close()
  await add()
  expect(await regions()).toHaveLength(count)
})

it('are read in pieces as at once, and what is cut off or beyond the limits is refused', async () => {
  const all = regionsOn('a'.repeat(32))
  const commands: DocumentCommand[] = [
    { type: 'regions:add', regions: all, places: all.map((_, n) => n / 2) },
    { type: 'regions:add', regions: all },
    { type: 'regions:delete', ids: regionsOn('a'.repeat(32), 20_000).map(({ id }) => id) },
    { type: 'together', name: 'Both', commands: [{ type: 'regions:add', regions: all }] },
    { type: 'regions:add', regions: all.slice(0, 3) },
  ]
  for (const command of commands) {
    const bytes = deflated(command)
    expect(finished(unpacking(bytes, false))).toEqual(command)
    let steps = 0
    expect(await inSteps(unpacking(bytes, true), breather(), () => (steps += 1))).toEqual(command)
    if (command === commands[0]) expect(steps).toBeGreaterThan(count)
    await expect(inSteps(unpacking(bytes.subarray(0, bytes.length >> 1), true), breather())).rejects.toThrow()
  }
})
