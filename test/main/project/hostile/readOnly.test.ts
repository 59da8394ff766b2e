// A project that can be read and not be written, and one that ended the program while it was opened.
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentSlide } from '../../../../app/contract'
import { adopted, noted } from '../../../../main/project/adoption'
import { ProjectStore } from '../../../../main/project/store'
import { builtScript } from '../../../built'
import { assetsDir, realEngine, sample } from '../../realEngine'
import { entriesOf } from './hostileProjects'

let dir: string
const made: string[] = []
const script = async (name: string): Promise<string> => {
  const path = await builtScript(`test/main/project/hostile/${name}.ts`)
  made.push(path)
  return path
}
let killer: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'read-only-'))
  await chmod(dir, 0o755)
  killer = await script('killedOpening')
})
afterAll(async () => {
  await chmod(join(dir, 'study.morphoscope'), 0o755).catch(() => undefined)
  for (const path of [dir, ...made]) await rm(path, { recursive: true, force: true })
})

const key = 'a'.repeat(32)
const slide: DocumentSlide = { key, name: 's.svs', path: '/s.svs', widthPx: 9, heightPx: 9, mppX: 0.5, mppY: 0.5 }
/** With a slide and a step. */
function project(folder: string): string {
  const { store } = ProjectStore.create(folder, 'test', null)
  const add = { type: 'classes:set' as const, classes: [{ id: 'a', name: 'A', color: '#000000' }] }
  store.commit(
    { put: [], deleted: [], classes: add.classes },
    slide,
    { at: 1, name: 'Set the classes', run: null, forward: add, inverse: { type: 'classes:set', classes: [] } },
    1,
  )
  store.close()
  return folder
}

interface Answer {
  readonly code?: string
  readonly message?: string
}

it.skipIf(process.platform === 'win32')(
  'a project whose folder cannot be written to is opened, refuses each change at once and in words, and can be saved elsewhere',
  { timeout: 60_000 },
  async () => {
    // Nobody has the copy open, nor lets go of it late.
    const folder = join(dir, 'study.morphoscope')
    cpSync(project(join(dir, 'made.morphoscope')), folder, { recursive: true })
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o444)
    await chmod(folder, 0o555)
    const own = join(dir, 'own')
    await mkdir(own)
    if (process.getuid!() === 0) await chown(own, 65_534, 65_534)
    const before = entriesOf(folder)
    const { stdout } = await promisify(execFile)(process.execPath, [
      await script('readOnlyReader'),
      folder,
      own,
      assetsDir,
      sample,
    ])
    const { opened, state, refused, saved, after } = JSON.parse(stdout) as {
      opened: unknown
      state: { slides: { key: string }[]; classes: unknown[]; undo: unknown; trouble: string }
      refused: Record<string, Answer>
      saved: unknown
      after: { trouble: string | null; undo: unknown }
    }
    const words = `The project ${folder} can be read here, and not be changed: its folder cannot be written to (EACCES). Save it under another name to change it.`
    expect(opened).toEqual({ value: null })
    expect(state).toMatchObject({ slides: [{ key }], classes: [{ id: 'a' }], undo: { name: 'Set the classes' }, trouble: words })
    for (const [what, answer] of Object.entries(refused))
      expect(answer, what).toMatchObject({ code: 'OUTPUT_FAILED', message: words })
    expect(entriesOf(folder)).toEqual(before)
    // What is saved can be changed.
    expect({ saved, after }).toEqual({ saved: { value: null }, after: { trouble: null, undo: { value: 'Set the classes' } } })
  },
)

it('whoever watches the engine hears which project it is about to open, at a start too, and that it is over', async () => {
  const folder = project(join(dir, 'watched.morphoscope'))
  const told: unknown[] = []
  const watched = () =>
    realEngine(join(dir, 'settings'), {
      shell: 'serve',
      // What is said of the project is said before: its lock is not there yet.
      opening: (path) => void told.push(path, existsSync(join(folder, 'opened-by.json'))),
    })
  const one = watched()
  expect(await one.call('project:open', { path: join(dir, 'none.morphoscope') })).toMatchObject({ ok: false })
  expect(told.splice(0)).toEqual([join(dir, 'none.morphoscope'), false, null, false])
  await one.invoke('project:open', { path: folder })
  expect(told.splice(0)).toEqual([folder, false, null, true])
  await one.close()
  const two = watched()
  expect((await two.invoke('project:state', { slideId: null })).path).toBe(folder)
  expect(told).toEqual([folder, false, null, true])
  await two.close()
})

describe('a project that ended the program while it was opened', () => {
  const quiet = (): undefined => undefined
  const documents = async (name: string): Promise<string> => {
    const path = join(dir, name)
    await mkdir(path)
    return path
  }
  const markers = async (directory: string): Promise<number> =>
    (await readdir(directory)).filter((name) => name.startsWith('opening-')).length
  /** A process that has the signal as it opens the folder. */
  const opening = (directory: string, folder: string, signal: NodeJS.Signals): ChildProcess =>
    spawn(process.execPath, [killer, directory, folder, signal], { stdio: 'ignore' })
  const killedOpening = async (directory: string, folder: string): Promise<void> => {
    expect(await once(opening(directory, folder, 'SIGKILL'), 'close')).toEqual([null, 'SIGKILL'])
  }
  const again = (directory: string) => adopted(directory, 'test', quiet)

  it('under a name is not opened again by itself, but for a person, who is then believed', async () => {
    const directory = await documents('named')
    const folder = project(join(dir, 'killer.morphoscope'))
    await writeFile(join(directory, 'current.json'), JSON.stringify({ path: folder }))
    const first = await again(directory)
    expect([first.opened?.store.folder, first.trouble, await markers(directory)]).toEqual([folder, null, 0])
    first.opened?.store.close()
    await killedOpening(directory, folder)
    expect(await markers(directory)).toBe(1)
    for (let start = 0; start < 2; start++)
      expect(await again(directory)).toEqual({
        opened: null,
        trouble: `The project ${folder} was not opened again by itself: Morphoscope ended while it opened it. Open it yourself to try again.`,
      })
    const { store } = await noted(directory, folder, () => ProjectStore.open(folder, 'test'))
    store.close()
    expect(await markers(directory)).toBe(0)
    const last = await again(directory)
    expect(last.opened?.store.folder).toBe(folder)
    last.opened?.store.close()
  })

  it('without a name, which is the program’s own, is tried once more, and then the one before it', async () => {
    const directory = await documents('unnamed')
    const older = project(join(directory, '2026-01-01-00000000.morphoscope'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const newer = project(join(directory, '2026-01-02-00000000.morphoscope'))
    await killedOpening(directory, newer)
    const second = await again(directory)
    expect(second.opened?.store.folder).toBe(newer)
    second.opened?.store.close()
    expect(await markers(directory)).toBe(0)
    for (let start = 0; start < 2; start++) await killedOpening(directory, newer)
    const third = await again(directory)
    expect(third.opened?.store.folder).toBe(older)
    third.opened?.store.close()
  })

  it('that another process is just opening is not taken for one', async () => {
    const directory = await documents('living')
    const folder = project(join(dir, 'fine.morphoscope'))
    await writeFile(join(directory, 'current.json'), JSON.stringify({ path: folder }))
    const other = opening(directory, folder, 'SIGSTOP')
    await expect.poll(() => markers(directory), { timeout: 20_000 }).toBe(1)
    const { opened, trouble } = await again(directory)
    expect([opened?.store.folder, trouble]).toEqual([folder, null])
    opened?.store.close()
    other.kill('SIGKILL')
    await once(other, 'close')
  })
})
