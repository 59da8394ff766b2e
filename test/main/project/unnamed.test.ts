// Documents without a name: listed with what is in them, opened again, deleted when asked to, and never by themselves.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StartItems } from '../../../app/contract'
import { createCallHandler } from '../../../app/serve/shellCalls'
import { Roots } from '../../../app/serve/roots'
import { realEngine, sample } from '../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'unnamed-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

async function desk(settings: string) {
  const engine = realEngine(settings, { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const state = () => engine.invoke('project:state', { slideId })
  const slide = (await state()).slide!
  const draw = (x: number) => {
    const shape = { kind: 'rectangle', x, y: 10, width: 20, height: 20 } as const
    const more = { name: '', classId: null, locked: false, createdAt: '2026-11-22T00:00:00Z', madeBy: 'hand' } as const
    const region = { id: randomUUID(), slide, shape, ...more }
    return engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [region] } })
  }
  const listed = async () => (await engine.invoke('start:list', undefined)).unnamed
  return { engine, state, draw, listed }
}

it('lists what New project leaves, opens it again with all that was in it, and deletes one when it is asked to', async () => {
  const settings = join(dir, 'settings')
  const { engine, state, draw, listed } = await desk(settings)
  expect(await listed()).toEqual([])
  await draw(10)
  await draw(40)
  const about = { slides: [{ name: 'CMU-1-Small-Region.svs', path: sample }], regions: 2, results: 0 }
  const [first, ...none] = await listed()
  expect(none).toEqual([])
  expect(first).toMatchObject({ ...about, open: true })
  await engine.invoke('project:new', undefined)
  expect((await state()).regions).toEqual([])
  expect(await listed()).toMatchObject([{ ...about, id: first!.id, open: false }])
  // Looked into twice it says the same, of the same time: reading changes nothing.
  expect(await listed()).toEqual(await listed())

  // An empty one is no folder; with something in it, it is the newer of two.
  await draw(70)
  const both = await listed()
  expect(both.map(({ open, regions }) => [open, regions])).toEqual([
    [true, 1],
    [false, 2],
  ])
  await expect(engine.invoke('project:deleteUnnamed', { id: both[0]!.id })).rejects.toThrow('That project is open.')
  await engine.invoke('project:openUnnamed', { id: first!.id })
  expect((await state()).regions).toHaveLength(2)
  expect((await listed()).map(({ open, regions }) => [open, regions])).toContainEqual([false, 1])
  await engine.invoke('project:deleteUnnamed', { id: both[0]!.id })
  expect((await listed()).map(({ id }) => id)).toEqual([first!.id])
  expect((await readdir(join(settings, 'documents'))).filter((name) => name.endsWith('.morphoscope'))).toHaveLength(1)
  await expect(engine.invoke('project:openUnnamed', { id: both[0]!.id })).rejects.toThrow('not there any more')
  for (const id of ['../settings', '2026-11-22-0123456789', ''])
    await expect(engine.invoke('project:deleteUnnamed', { id })).rejects.toThrow('id')

  // Another process that has it keeps it.
  const second = await desk(settings)
  expect((await second.listed()).map(({ open }) => open)).toEqual([false])
  await expect(second.engine.invoke('project:openUnnamed', { id: first!.id })).rejects.toThrow('is open in')
  await expect(second.engine.invoke('project:deleteUnnamed', { id: first!.id })).rejects.toThrow('is open in')
  await second.engine.close()
  // Under a name, it is on the other list.
  await engine.invoke('project:save', { path: join(dir, 'Study.morphoscope') })
  expect(await listed()).toEqual([])
  await engine.close()
})

it('tells a browser of those alone whose slides lie below its roots', async () => {
  const entry = { id: '2026-11-22-01234567', changedAt: '', regions: 1, results: 0, open: false }
  const unnamed: StartItems['unnamed'] = [
    { ...entry, slides: [{ name: 'a', path: sample }] },
    { ...entry, slides: [{ name: 'a', path: sample }, { name: 'b', path: '/elsewhere/b.svs' }] }, // oxfmt-ignore
    { ...entry, slides: null },
  ]
  const value: StartItems = { slides: [], projects: [], unnamed }
  const roots = await Roots.of([join(sample, '..')])
  const call = createCallHandler(() => Promise.resolve({ ok: true, value }), roots)
  const answer = await call('start:list', undefined, new AbortController().signal)
  expect(answer).toEqual({ ok: true, value: { ...value, unnamed: [unnamed[0]] } })
})
