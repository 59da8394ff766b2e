// Changes of very many regions: written beside the engine's thread, read again in pieces, whole or not at all.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DocumentCommand, RegionOfInterest } from '../../../app/contract'
import { applying, emptyContent } from '../../../main/project/document'
import { breather, finished, inSteps } from '../../../main/base/breather'
import { CancelledError } from '../../../main/base/errors'
import { deflated, unpacking } from '../../../main/project/disk/packed'
import { openDatabase } from '../../../main/project/lock'
import { ProjectStore } from '../../../main/project/store'
import type { Engine } from '../../../main/engine'
import { realEngine, sample } from '../realEngine'

const count = 3000
const idOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
/** With names that hold what ends a value elsewhere. */
const regionsOn = (slide: string, many = count, first = 0): RegionOfInterest[] =>
  Array.from({ length: many }, (_, n) => ({
    ...{
      id: idOf(first + n),
      slide,
      name: n % 3 ? '' : `“a” \\"],[{ ${n}`,
      classId: null,
      locked: false,
      madeBy: 'hand' as const,
    },
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

it('are worked out in small steps, added, deleted and brought back', () => {
  const many = 50_000
  const slide = 'a'.repeat(32)
  const stepsOf = <T>(work: Generator<unknown, T, void>): { value: T; steps: number } => {
    let steps = 0
    for (let step = work.next(); ; step = work.next(), steps++) if (step.done) return { value: step.value, steps }
  }
  const added = stepsOf(applying(emptyContent, { type: 'regions:add', regions: regionsOn(slide, many) }, true))
  const gone = stepsOf(applying(added.value.next, added.value.inverse, true))
  const back = stepsOf(applying(gone.value.next, gone.value.inverse, true))
  expect(gone.value.next.regions.size).toBe(0)
  expect([...back.value.next.regions]).toEqual([...added.value.next.regions])
  // Each region is a step as it is looked at, and as the map of all is made; what is listed of all is listed in steps of 256, four times or more.
  for (const { steps } of [added, gone, back]) expect(steps).toBeGreaterThan(2 * many + (3 * many) / 256)
})

it('are done or not, and their file says the same, whenever they are ended', { timeout: 120_000 }, async () => {
  await engine.invoke('project:do', { slideId, command: { type: 'classes:set', classes: [] } })
  await engine.invoke('project:new', undefined)
  const path = join(folder, 'a.morphoscope')
  const { store, loaded } = ProjectStore.open(path, 'a test')
  const reader = openDatabase(join(path, 'project.sqlite'))
  try {
    const slide = loaded.slides.get(key)!
    let revision = loaded.revision
    /** Ended at that step. */
    const trial = async (n: number, end: number): Promise<{ steps: number; isDone: boolean; held: number }> => {
      const regions = regionsOn(key, 2100, 10_000 * n)
      const { forward, inverse, written } = finished(applying(emptyContent, { type: 'regions:add', regions }, true))
      const stop = new AbortController()
      let steps = 0
      const each = (): void => {
        steps += 1
        if (steps === end) stop.abort(new CancelledError('ended'))
      }
      const going = store.committing(written, slide, { at: 1, name: 'Add', forward, inverse }, (revision += 1), true)
      const isDone = await inSteps(going, async () => stop.signal.throwIfAborted(), each).then(
        () => true,
        () => false,
      )
      const sql = 'SELECT count(*) FROM regions WHERE id BETWEEN ? AND ?'
      const [held] = reader
        .prepare(sql)
        .raw()
        .get(idOf(10_000 * n), idOf(10_000 * n + 9999)) as [number]
      return { steps, isDone, held }
    }
    const whole = await trial(0, Infinity)
    expect(whole).toMatchObject({ isDone: true, held: 2100 })
    const late = Array.from({ length: 16 }, (_, i) => whole.steps - i)
    const ends = [1, Math.floor(whole.steps / 3), Math.floor(whole.steps / 2), ...late]
    const found: boolean[] = []
    for (const [i, end] of ends.entries()) {
      const { isDone, held } = await trial(i + 1, end)
      expect(held, `ended at step ${end} of ${whole.steps}`).toBe(isDone ? 2100 : 0)
      found.push(isDone)
    }
    // Before it is put on the disk it can be ended, and from there on no more.
    expect(found.slice(0, 3)).toEqual([false, false, false])
    expect(found[3]).toBe(true)
  } finally {
    reader.close()
    store.close()
  }
})

it('are never half seen by who looks between their steps', async () => {
  await add()
  const seen: number[] = []
  let over = false
  const look = async (): Promise<void> => {
    while (!over) {
      seen.push((await engine.invoke('project:measure', { runIds: [], key })).length)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const looking = look()
  await engine.invoke('project:undo', undefined)
  await engine.invoke('project:redo', undefined)
  over = true
  await looking
  expect(new Set([0, count, ...seen])).toEqual(new Set([0, count]))
  expect(seen.length).toBeGreaterThan(2)
})

it('come as a file in pieces, which are the text that is asked for at once, as it stood when that began', async () => {
  await add()
  const asked = { key, ids: null }
  const text = await engine.invoke('project:export', asked)
  const exporting = engine.invoke('project:exportParts', asked)
  // Heard between two steps of the export.
  await new Promise((resolve) => setImmediate(resolve))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:delete', ids: [idOf(1)] } })
  const { texts, more } = await exporting
  const all = [...texts]
  for (let isLast = more === undefined; !isLast;) {
    const part = await engine.invoke('project:more', { more: more!, from: all.length })
    all.push(...part.texts)
    isLast = part.isLast
  }
  expect(all.join('')).toBe(text)
  expect(all.length).toBeGreaterThan(1)
  for (const piece of all) expect(piece.length).toBeLessThan(2 ** 19 + 2000)
  const { features } = JSON.parse(await engine.invoke('project:export', asked)) as { features: unknown[] }
  expect(features).toHaveLength(count - 1)
})
