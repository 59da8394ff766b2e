// Settings and recents on disk: defaults, round trips, damage, and two writers at once.
import { chmod, mkdir, mkdtemp, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LogEntry } from '../../main/base/log'
import { host } from '../../main/base/process'
import { SettingsStore, defaultSettings } from '../../main/settings'

let dir: string
let logged: LogEntry[]
const open = (): SettingsStore => new SettingsStore(dir, (entry) => logged.push(entry))

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'settings-')), 'not', 'yet')
  logged = []
})

describe('SettingsStore', () => {
  it('starts with defaults and writes nothing until something changes', async () => {
    expect(await open().get()).toEqual(defaultSettings)
    expect(logged).toEqual([])
    await expect(readdir(dir)).rejects.toThrow()
  })

  it.skipIf(process.platform === 'win32')('is for its owner alone, and makes what lies there already so', async () => {
    const modes = async () =>
      Promise.all(
        [dir, join(dir, 'settings.json'), join(dir, 'recent.json')].map(async (path) =>
          ((await stat(path)).mode & 0o777).toString(8),
        ),
      )
    await open().set({ threads: 3 })
    await open().remember('/slides/Doe.svs')
    expect(await modes()).toEqual(['700', '600', '600'])
    // As versions before wrote them; reading is enough.
    await chmod(dir, 0o755)
    for (const name of ['settings.json', 'recent.json']) await chmod(join(dir, name), 0o644)
    await open().get()
    await open().recent()
    expect(await modes()).toEqual(['700', '600', '600'])
    await open().clearRecent()
    expect(await modes()).toEqual(['700', '600', '600'])
  })

  it('keeps changes for the next start', async () => {
    const store = open()
    await store.set({ threads: 3 })
    await store.set({ overlayStyle: 'filled', threads: undefined })
    expect(await open().get()).toEqual({ ...defaultSettings, threads: 3, overlayStyle: 'filled' })
  })

  it('loses no change of two at once', async () => {
    const store = open()
    await Promise.all([
      store.set({ threads: 5 }),
      store.set({ overlayOpacity: 0.5 }),
      store.remember('/a.svs'),
      store.remember('/b.svs'),
    ])
    expect(await open().get()).toMatchObject({ threads: 5, overlayOpacity: 0.5 })
    expect((await open().recent()).map((slide) => slide.name)).toEqual(['b.svs', 'a.svs'])
  })

  it('loses no change of two programs, and each sees what the other has changed', async () => {
    // As two programs have them: neither knows of the other.
    const [desktop, serve] = [open(), open()]
    expect([await desktop.get(), await serve.get()]).toEqual([defaultSettings, defaultSettings])
    await desktop.set({ threads: 5 })
    await serve.set({ overlayOpacity: 0.5 })
    expect(await desktop.get()).toMatchObject({ threads: 5, overlayOpacity: 0.5 })
    await Promise.all(Array.from({ length: 6 }, (_, i) => [desktop.remember(`/d${i}.svs`), serve.remember(`/s${i}.svs`)]).flat())
    expect((await open().recent()).map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 6 }, (_, i) => [`d${i}.svs`, `s${i}.svs`])
        .flat()
        .sort(),
    )
    expect((await readdir(dir)).sort()).toEqual(['recent.json', 'settings.json'])
  })

  it('keeps a change that could not be written until the program ends, and writes nothing that it could not read', async () => {
    const store = open()
    await store.set({ threads: 5 })
    await expect(store.remember('/\u0000'.repeat(2 ** 20))).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await store.recent()).toEqual([])
    expect(await open().get()).toMatchObject({ threads: 5 })
  })

  it('goes on where a program that changed the file was killed, or one of another machine does not end', async () => {
    await open().set({ threads: 1 })
    const lock = join(dir, 'settings.json.lock')
    // No process has this number, on any system.
    await writeFile(lock, `${host} 4194305 7 x`)
    await open().set({ threads: 2 })
    await writeFile(lock, 'another 1 1 x')
    await open().set({ threads: 3 })
    await mkdir(lock)
    await open().set({ threads: 4 })
    expect((await open().get()).threads).toBe(4)
  })

  it.each([
    '{"format":',
    '[]',
    '{"format":"morphoscope-settings","version":9,"settings":{}}',
    '\0\0\0',
    JSON.stringify({ format: 'morphoscope-settings', version: 1, settings: { ...defaultSettings, threads: -1 } }),
    JSON.stringify({ format: 'morphoscope-settings', version: 1, settings: { ...defaultSettings, device: 'gpu01' } }),
    JSON.stringify({ format: 'morphoscope-settings', version: 1, settings: { ...defaultSettings, device: 0 } }),
    '{"format":"morphoscope-settings","version":1,"settings":null}',
  ])('takes defaults for %j and keeps the file', async (text) => {
    await mkdir(dir, { recursive: true })
    await writeFile(join(dir, 'settings.json'), text)
    expect(await open().get()).toEqual(defaultSettings)
    expect(await readFile(join(dir, 'settings.json.bak'), 'utf8')).toBe(text)
    expect(logged[0]?.message).toContain('settings.json.bak')
  })

  it('keeps the other settings of a file of before there was a device, and sets nothing aside', async () => {
    await mkdir(dir, { recursive: true })
    const { device: _, ...older } = { ...defaultSettings, threads: 3, recipeSpec: 'iwpp-nuclei' }
    await writeFile(join(dir, 'settings.json'), JSON.stringify({ format: 'morphoscope-settings', version: 1, settings: older }))
    expect(await open().get()).toEqual({ ...defaultSettings, threads: 3, recipeSpec: 'iwpp-nuclei', device: 'cpu' })
    expect(await readdir(dir)).toEqual(['settings.json'])
    expect(logged).toEqual([])
  })

  it('keeps a device that this machine may not have, and refuses what names none', async () => {
    await open().set({ device: 'gpu7' })
    expect((await open().get()).device).toBe('gpu7')
    const store = open()
    await expect(store.set({ device: 'cuda' })).rejects.toThrow(/cpu, gpu0/)
    // A change of something else does not reset it.
    expect((await store.set({ threads: 2 })).device).toBe('gpu7')
  })

  it('lists a slide once, newest first, a dozen at most, and forgets on request', async () => {
    const store = open()
    for (let i = 0; i < 15; i++) await store.remember(`/slides/${i}.svs`)
    await store.remember('/slides/10.svs')
    const recent = await store.recent()
    expect(recent).toHaveLength(12)
    expect(recent.slice(0, 2).map((slide) => slide.path)).toEqual(['/slides/10.svs', '/slides/14.svs'])
    await store.clearRecent()
    expect(await open().recent()).toEqual([])
  })

  it('sweeps away what a killed process had begun to write, and nothing else', async () => {
    await open().set({ threads: 2 })
    const names = ['settings.json.123456', 'settings.json.77', 'settings.json.bak', 'recent.json.5', 'settings.json.12x']
    for (const name of names) await writeFile(join(dir, name), '{')
    const old = new Date(Date.now() - 120_000)
    for (const name of names.filter((each) => each !== 'settings.json.77')) await utimes(join(dir, name), old, old)
    const store = open()
    expect([(await store.get()).threads, await store.recent()]).toEqual([2, []])
    // The young one may be another program's.
    expect((await readdir(dir)).sort()).toEqual(['settings.json', 'settings.json.12x', 'settings.json.77', 'settings.json.bak'])
  })

  it('says which file could not be written', async () => {
    await mkdir(join(dir, '..'), { recursive: true })
    await writeFile(dir, 'a file where the folder should be')
    await expect(open().set({ threads: 1 })).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('settings.json') as string,
    })
  })
})
