// Pictures of projects' slides: made of the coarsest tile while a slide is open, found by what the slide holds, few enough, gone when told to.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Afterwards } from '../../main/base/afterwards'
import { SlidePictures } from '../../main/slidePictures'
import type { OpenSlide } from '../../main/slide/slides'
import { realEngine, sample } from './realEngine'

let dir: string
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'slide-pictures-'))))
afterEach(() => rm(dir, { recursive: true, force: true }))

const slide = { info: { viewer: { maxLevel: 4 } } } as unknown as OpenSlide
const keyOf = (n: number): string => String(n).padStart(32, '0')

it('keeps one a slide, the newest of so many, for their owner alone', async () => {
  const asked: number[] = []
  const picturing = (more: object = {}) => ({
    picture: async (_: OpenSlide, k: number) => {
      asked.push(k)
      return { type: 'image/jpeg' as const, body: Uint8Array.of(255, 216, asked.length), ...more }
    },
  })
  const told: string[] = []
  const pictures = new SlidePictures(dir, (key) => told.push(key), new Afterwards(() => undefined), 2)
  await pictures.keep(keyOf(1), slide, picturing())
  await pictures.keep(keyOf(1), slide, picturing())
  expect([asked, told]).toEqual([[4], [keyOf(1)]])
  await pictures.keep(keyOf(9), slide, picturing({ unreadable: 1 }))
  expect([...(await pictures.keys())]).toEqual([keyOf(1)])
  expect([...(await pictures.picture(keyOf(1))).body]).toEqual([255, 216, 1])
  if (process.platform !== 'win32') {
    const folder = join(dir, 'slide-pictures')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, `${keyOf(1)}.jpg`))).mode & 0o777).toBe(0o600)
  }
  for (const n of [2, 3]) {
    // A file's time is what tells which is older.
    await new Promise((resolve) => setTimeout(resolve, 15))
    await pictures.keep(keyOf(n), slide, picturing())
  }
  expect([...(await pictures.keys())].sort()).toEqual([keyOf(2), keyOf(3)])
  await pictures.drop(keyOf(2))
  await expect(pictures.picture(keyOf(2))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(pictures.picture('../recent')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await pictures.clear()
  expect((await pictures.keys()).size).toBe(0)
})

it('has one of a slide that was added to the project, which its list and the start page say', async () => {
  const heard: string[] = []
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  engine.onEvent(({ type }) => void heard.push(type))
  const path = join(dir, 'Study.morphoscope')
  await engine.invoke('project:save', { path })
  const { key } = await engine.invoke('project:addFile', { path: sample })
  await expect.poll(() => heard).toContain('slides:pictured')
  expect(await engine.invoke('project:slides', undefined)).toMatchObject([{ key, pictured: true }])
  const tile = await engine.tile(`/tile/thumbnail/${key}`)
  expect([tile.status, tile.headers['content-type'] ?? tile.headers['Content-Type']]).toEqual([200, 'image/jpeg'])
  const { projects } = await engine.invoke('start:list', undefined)
  expect(projects).toMatchObject([{ name: 'Study.morphoscope', slide: key }])
  await engine.invoke('project:remove', { key })
  expect((await engine.tile(`/tile/thumbnail/${key}`)).status).toBe(404)
  await engine.close()
}, 30_000)

it('has one of a slide that came into the project by what was drawn on it, also before that has a name', async () => {
  const heard: string[] = []
  const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  engine.onEvent(({ type }) => void heard.push(type))
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  // Longer than a slide's picture waits after its opening, when no document lists it yet.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(heard).not.toContain('slides:pictured')
  const { slide } = await engine.invoke('project:state', { slideId })
  const shape = { kind: 'rectangle', x: 10, y: 10, width: 90, height: 90 } as const
  const about = { name: 'One', classId: null, locked: false, createdAt: '2026-01-01T00:00:00Z', madeBy: 'hand' } as const
  const region = { id: randomUUID(), slide: slide!, shape, ...about }
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [region] } })
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('slides:pictured')
  expect(await engine.invoke('project:slides', undefined)).toMatchObject([{ pictured: true }])
  await engine.invoke('project:save', { path: join(dir, 'Study.morphoscope') })
  expect(await engine.invoke('project:slides', undefined)).toMatchObject([{ pictured: true }])
  await engine.close()
}, 30_000)
