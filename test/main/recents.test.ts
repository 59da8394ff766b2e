// What a start page offers: kept like the settings, checked when it is read, looked for on the disk, with pictures that go with their slides.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { Afterwards } from '../../main/base/afterwards'
import type { LogEntry } from '../../main/base/log'
import { Recents } from '../../main/recents'
import { SettingsStore } from '../../main/settings'
import type { OpenSlide } from '../../main/slide/slides'

let dir: string
let logged: LogEntry[]
const open = (): { settings: SettingsStore; recents: Recents } => {
  const settings = new SettingsStore(dir, (entry) => logged.push(entry))
  return { settings, recents: new Recents(settings, dir, new Afterwards((entry) => logged.push(entry))) }
}
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recents-'))
  logged = []
})
const slideAt = (path: string): OpenSlide => ({ info: { path, viewer: { maxLevel: 5 } } }) as unknown as OpenSlide
const picturing = (asked: unknown[], more: object = {}) => ({
  picture: async (slide: OpenSlide, k: number, x: number, y: number) => {
    asked.push([slide.info.path, k, x, y])
    return { type: 'image/jpeg' as const, body: Uint8Array.from([255, 216, asked.length]), ...more }
  },
})

it('lists slides and projects, newest first, and says which are not there', async () => {
  const { settings, recents } = open()
  const [slide, project, gone] = [join(dir, 'a.svs'), join(dir, 'p.morphoscope'), join(dir, 'gone.svs')]
  await writeFile(slide, '')
  await mkdir(project)
  for (const path of [gone, slide]) await settings.remember(path)
  await settings.rememberProject(join(dir, 'q.morphoscope'))
  for (let i = 0; i < 2; i++) await settings.rememberProject(project)
  const items = await recents.items()
  expect(items.slides.map(({ name, missing }) => [name, missing])).toEqual([
    ['a.svs', false],
    ['gone.svs', true],
  ])
  expect(items.projects.map(({ name, missing }) => [name, missing])).toEqual([
    ['p.morphoscope', false],
    ['q.morphoscope', true],
  ])
  await recents.forget(gone)
  await recents.forget(project)
  const rest = await open().recents.items()
  expect([rest.slides.length, rest.projects.map(({ name }) => name)]).toEqual([1, ['q.morphoscope']])
  expect(await stat(project).then((found) => found.isDirectory())).toBe(true)
})

it('keeps the coarsest tile as a slide’s picture, for its owner alone, and drops it with the slide', async () => {
  const { settings, recents } = open()
  const folder = join(dir, 'recent-pictures')
  const asked: unknown[] = []
  await settings.remember('/a.svs')
  await recents.keepPicture(slideAt('/a.svs'), picturing(asked))
  expect(asked).toEqual([['/a.svs', 5, 0, 0]])
  // Opened again: the old picture until there is another.
  await settings.remember('/a.svs')
  const [{ picture: first } = {}] = await settings.recent()
  expect([...(await recents.picture(first!)).body]).toEqual([255, 216, 1])
  if (process.platform !== 'win32') {
    const modes = await Promise.all([folder, join(folder, `${first}.jpg`)].map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600])
  }
  await recents.keepPicture(slideAt('/a.svs'), picturing(asked))
  expect(await readdir(folder)).toHaveLength(1)
  await expect(recents.picture(first!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // What was not read whole is no picture, and one of no slide on the list is none either.
  await recents.keepPicture(slideAt('/a.svs'), picturing(asked, { unreadable: 2 }))
  await recents.keepPicture(slideAt('/never.svs'), picturing(asked))
  expect(await readdir(folder)).toHaveLength(1)
  await recents.forget('/a.svs')
  expect(await readdir(folder)).toEqual([])
})

it('reads lists of before there were projects, and sets aside what is none', async () => {
  const file = join(dir, 'recent.json')
  const slide = { path: '/a.svs', name: 'a.svs', openedAt: '2026-01-01T00:00:00.000Z' }
  const written = (more: object) => writeFile(file, JSON.stringify({ format: 'morphoscope-recent', version: 1, ...more }))
  await written({ slides: [slide] })
  expect(await open().recents.items()).toEqual({ slides: [{ ...slide, missing: true }], projects: [] })
  for (const hostile of [
    { slides: [{ ...slide, picture: '../../secret' }] },
    { slides: [slide], projects: [{ path: 7, name: 'x', openedAt: '' }] },
    { slides: [slide], projects: 'all' },
  ]) {
    await written(hostile)
    expect(await open().recents.items()).toEqual({ slides: [], projects: [] })
    expect(logged.at(-1)?.message).toContain('recent.json.bak')
    await rm(`${file}.bak`)
  }
  await expect(open().recents.picture('../recent')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
