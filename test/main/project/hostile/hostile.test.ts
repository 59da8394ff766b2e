// Hostile project folders: what opening one must not do, one by one, and a sample of the campaign in test/stress.
import { copyFile, cp, link, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentSlide, RegionOfInterest } from '../../../../app/contract'
import { apply, emptyContent } from '../../../../main/project/document'
import { rankSetOf } from '../../../../main/project/objects/edits'
import { Projects } from '../../../../main/project/projects'
import { Room } from '../../../../main/project/records/room'
import { ProjectStore } from '../../../../main/project/store'
import type { NewStep } from '../../../../main/project/store'
import { runOf } from '../documentModel'
import { hostileCampaign } from './hostileCampaign'
import { hashOf, journalNaming, makeSentinels } from './hostileProjects'

let dir: string
let good: string
let victims: string
const key = 'a'.repeat(32)
const slide: DocumentSlide = { key, name: 's.svs', path: '/s.svs', widthPx: 9, heightPx: 9, mppX: 0.5, mppY: 0.5 }
const region: RegionOfInterest = {
  ...{ id: '00000000-0000-4000-8000-000000000001', slide: key, name: 'A', classId: 'tumour', locked: false },
  ...{ shape: { kind: 'rectangle', x: 0, y: 0, width: 5, height: 5 }, createdAt: '2026-01-01T00:00:00Z', madeBy: 'hand' },
}
const step = { at: 1, name: 'Add a region', run: null } as const

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostile-'))
  good = join(dir, 'good.morphoscope')
  victims = join(dir, 'victims')
  makeSentinels(victims)
  const { store } = ProjectStore.create(good, 'test', null)
  const add = { type: 'regions:add' as const, regions: [region] }
  const undo = { type: 'regions:delete' as const, ids: [region.id] }
  store.commit({ put: [{ region, place: 1 }], deleted: [], classes: null }, slide, { ...step, forward: add, inverse: undo }, 1)
  store.close()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

let n = 0
async function copy(): Promise<string> {
  const path = join(dir, `c${n++}.morphoscope`)
  await mkdir(path)
  await copyFile(join(good, 'project.sqlite'), join(path, 'project.sqlite'))
  return path
}
function exec(path: string, sql: string): void {
  const db = new (createRequire(import.meta.url)('libsql') as new (file: string) => Database)(join(path, 'project.sqlite'))
  for (const each of sql.split('; ')) db.exec(each)
  db.close()
}
function opened(path: string): ReturnType<typeof ProjectStore.open>['loaded'] {
  const { store, loaded } = ProjectStore.open(path, 'test')
  store.close()
  return loaded
}

describe('a planted journal', () => {
  it.each(['project.sqlite', 'project.lock'])('of %s is not played back, and the file that it names stays', async (name) => {
    const path = await copy()
    const victim = join(victims, 'letter.txt')
    if (name === 'project.lock') await copyFile(join(victims, 'other.db'), join(path, name))
    await writeFile(join(path, `${name}-journal`), journalNaming(victim))
    const before = [hashOf(victims), hashOf(path)]
    expect(() => opened(path)).toThrow(/was not opened: project\..* Remove it, and open the project again/)
    expect([hashOf(victims), hashOf(path)]).toEqual(before)
  })

  it('that an earlier version left with its lock is in nobody’s way', async () => {
    const path = await copy()
    await writeFile(join(path, 'project.lock'), '')
    await writeFile(
      join(path, 'project.lock-journal'),
      Buffer.concat([Buffer.from('d9d505f920a163d7', 'hex'), Buffer.alloc(504)]),
    )
    expect(opened(path).content.regions.size).toBe(1)
  })
})

describe('a link in a project’s folder', () => {
  it.each(['project.sqlite-wal', 'project.sqlite-shm', 'project.lock', 'opened-by.json', 'runs'])(
    '%s is not followed',
    async (name) => {
      for (const target of ['letter.txt', '.', 'nowhere']) {
        const path = await copy()
        await symlink(join(victims, target), join(path, name))
        const before = hashOf(victims)
        expect(() => opened(path), target).toThrow(`${name} in it is a link`)
        expect(hashOf(victims)).toBe(before)
      }
    },
  )

  it('that is another file’s second name is refused too, and so is the document itself', async () => {
    for (const name of ['project.sqlite', 'project.sqlite-wal', 'opened-by.json']) {
      const path = await copy()
      await rm(join(path, name), { force: true })
      await link(join(victims, name === 'project.sqlite' ? 'other.db' : 'letter.txt'), join(path, name))
      const before = hashOf(victims)
      expect(() => opened(path), name).toThrow(`${name} in it is the same file as one with another name`)
      expect(hashOf(victims)).toBe(before)
      await rm(path, { recursive: true })
    }
    const path = await copy()
    await rm(join(path, 'project.sqlite'))
    await symlink(join(good, 'project.sqlite'), join(path, 'project.sqlite'))
    expect(() => opened(path)).toThrow('project.sqlite in it is a link')
  })

  it('among the runs is let be, and so is what has no name of ours', async () => {
    const path = await copy()
    await mkdir(join(path, 'runs'))
    const ours = ['.0123456789ab.draft', 'k0123456789abcdef.objects']
    for (const name of [...ours, 'notes.objects', 'mine.draft']) await writeFile(join(path, 'runs', name), 'x')
    await symlink(join(victims, 'x.draft'), join(path, 'runs', '.aaaaaaaaaaaa.draft'))
    opened(path)
    expect((await readdir(join(path, 'runs'))).sort()).toEqual(['.aaaaaaaaaaaa.draft', 'mine.draft', 'notes.objects'])
  })

  it('a named pipe makes nobody wait', async () => {
    for (const name of ['project.sqlite', 'project.sqlite-wal', 'project.lock', 'opened-by.json', 'runs']) {
      const path = await copy()
      await rm(join(path, name), { force: true })
      execFileSync('mkfifo', [join(path, name)])
      expect(() => opened(path), name).toThrow(`${name} in it is a named pipe`)
    }
  })
})

describe('a file that is not what Morphoscope makes', () => {
  it('of another program keeps its bytes and its kind of journal', async () => {
    const path = join(dir, 'other.morphoscope')
    await mkdir(path)
    await copyFile(join(victims, 'other.db'), join(path, 'project.sqlite'))
    const before = await readFile(join(path, 'project.sqlite'))
    expect(() => opened(path)).toThrow(/is no project of Morphoscope’s|is another program’s/)
    expect(await readFile(join(path, 'project.sqlite'))).toEqual(before)
    expect(await readdir(path)).not.toContain('project.sqlite-wal')
  })

  it.each([
    ["UPDATE slides SET body = CAST(X'ff41' AS TEXT)", /slides .* is no text in UTF-8/],
    ["UPDATE history SET name = CAST(X'ff41' AS TEXT)", /history .* is no text in UTF-8/],
    ["UPDATE regions SET id = CAST(X'ff41' AS TEXT)", /regions .* is no text in UTF-8/],
    ["UPDATE regions SET place = CAST(X'ff41' AS TEXT)", /regions .* is of the type text/],
    ["UPDATE meta SET value = '9007199254740991'", /meta revision is "9007199254740991"/],
    ['UPDATE regions SET place = 9e999', /regions .* place/],
    ['UPDATE history SET seq = 9223372036854775807', /history .* seq/],
    ["UPDATE history SET forward = 'text'", /history .* forward is of the type text/],
    ["UPDATE slides SET body = json_set(body, '$.mppX', 1e308)", /slides .* mppX/],
    ['DROP TABLE slides; CREATE VIEW slides AS SELECT 1 AS key, 2 AS body', /no such table: slides/],
    ['CREATE TRIGGER t AFTER INSERT ON history BEGIN DELETE FROM regions; END', /the "t" in it is not as Morphoscope makes it/],
    ["CREATE TABLE extra (a, b AS (a || 'x'))", /the "extra" in it/],
    ['ALTER TABLE meta ADD COLUMN c TEXT', /the "meta" in it/],
    [
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = CAST(X'ff41' AS TEXT) WHERE name = 'slides'",
      /no such table: slides/,
    ],
  ])('%s', async (sql, words) => {
    const path = await copy()
    exec(path, sql.includes('TRIGGER') ? sql.replace('; ', ';') : sql)
    expect(() => opened(path)).toThrow(words)
  })
})

it('a log that a crash left is taken in, and stays beside the file until it is', async () => {
  const { store } = ProjectStore.open(good, 'test')
  store.putSlide({ ...slide, name: 'renamed.svs' }, 5)
  const crashed = join(dir, 'crashed.morphoscope')
  await cp(good, crashed, { recursive: true })
  store.close()
  expect(await readdir(crashed)).toContain('project.sqlite-wal')
  const again = ProjectStore.open(crashed, 'test')
  expect(again.store.recovered).toBe(true)
  expect(again.loaded.slides.get(key)?.name).toBe('renamed.svs')
  expect(again.loaded.revision).toBe(5)
  again.store.close()
  expect(opened(crashed).slides.get(key)?.name).toBe('renamed.svs')
})

it('what could not be read again is not written', async () => {
  const path = await copy()
  const { store, loaded } = ProjectStore.open(path, 'test')
  const ring = Array.from({ length: 500_001 }, (_, i): [number, number] => [i, i % 2])
  const large = { ...region, shape: { kind: 'polygon' as const, parts: [[ring]] } }
  const classes = Array.from({ length: 1001 }, (_, i) => ({ id: `c${i}`, name: `C${i}`, color: '#000000' }))
  const nothing = { put: [], deleted: [], classes: null }
  const both = {
    ...step,
    forward: { type: 'classes:set', classes: [] },
    inverse: { type: 'classes:set', classes: [] },
  } satisfies NewStep
  expect(() => store.commit({ ...nothing, put: [{ region: large, place: 1 }] }, null, both, 2)).toThrow(
    /A project cannot hold “A”/,
  )
  expect(() => store.commit({ ...nothing, classes }, null, both, 2)).toThrow(/A project cannot hold 1001 classes/)
  expect(() => store.commit(nothing, null, { ...both, forward: { type: 'classes:set', classes } }, 2)).toThrow(
    /A project cannot hold this step/,
  )
  expect(() => store.commit({ ...nothing, put: [{ region, place: Infinity }] }, null, both, 2)).toThrow(/place/)
  store.close()
  expect(opened(path)).toEqual(loaded)
  expect(() =>
    ProjectStore.create(join(dir, 'never.morphoscope'), 'test', { ...loaded, content: { ...emptyContent, classes } }),
  ).toThrow(/A project cannot hold these classes/)
  expect(await readdir(dir)).not.toContain('never.morphoscope')
})

it('numbers at the limit of what can be read are counted anew, and the project can be changed, read, taken back and saved as', async () => {
  const path = await copy()
  const most = 2 ** 52
  exec(
    path,
    `UPDATE meta SET value = '${most}' WHERE key = 'revision'; UPDATE history SET seq = ${most}; UPDATE regions SET place = ${most}`,
  )
  const projects = new Projects(
    { directory: join(dir, 'none'), program: 'test' },
    () => undefined,
    () => undefined,
  )
  await projects.open(path)
  const second = { ...region, id: '00000000-0000-4000-8000-000000000002', name: 'B' }
  expect((await projects.do({ type: 'regions:add', regions: [second] }, null)).revision).toBeLessThan(100)
  const saved = join(dir, 'saved.morphoscope')
  await projects.save(saved)
  await projects.close()
  for (const each of [path, saved]) {
    const { content, steps, revision } = opened(each)
    expect([...content.regions.values()].map(({ region: { name }, place }) => [name, place])).toEqual([
      ['A', 1],
      ['B', 2],
    ])
    expect([steps.map(({ seq }) => seq), revision < 100]).toEqual([[1, 2], true])
  }
  const again = new Projects(
    { directory: join(dir, 'none'), program: 'test' },
    () => undefined,
    () => undefined,
  )
  await again.open(saved)
  expect([await again.undo(), await again.undo(), await again.undo()]).toEqual(['Add a region', 'Add a region', null])
  await again.close()
})

it('a step is about one result or about none, so that it goes with that', () => {
  const runs = new Map([runOf('k0000000000000001', 3), runOf('k0000000000000002', 3)].map((run) => [run.id, run]))
  const remove = (run: string) => ({ type: 'objects:delete' as const, run, ranks: rankSetOf(Uint8Array.of(1, 0, 0)) })
  const commands = [...runs.keys()].map(remove)
  const content = { ...emptyContent, runs }
  const classes = { type: 'classes:set' as const, classes: [] }
  for (const mixed of [commands, [commands[0]!, classes]])
    expect(() => apply(content, { type: 'together', name: 'Both', commands: mixed })).toThrow(
      'One step can change the objects of one result',
    )
  const { written } = apply(content, { type: 'together', name: 'One', commands: commands.slice(1) })
  expect(written.run).toBe('k0000000000000002')
})

it('what there is of a kind is counted before it is written, as it is when it is read', () => {
  const room = new Room()
  const kind = { table: 'slides', most: 2, mostWeight: 100, tooHeavy: 'too heavy' }
  const put = (key: string, weight: number | null) => ({ kind, key, weight })
  room.for([put('a', 40), put('b', 40)])()
  expect(() => room.for([put('c', 1)])).toThrow('it can have 2 slides')
  expect(() => room.for([put('b', 61)])).toThrow('too heavy')
  // One in place of the other, and the last of what is said of one counts.
  room.for([put('b', null), put('c', 99), put('c', 60)])()
  expect(() => room.for([put('a', 41)])).toThrow('too heavy')
  // What was refused has not counted.
  room.for([put('a', 40)])()
  expect(room.keysOf(kind)).toEqual(['a', 'c'])
})

it(
  'a hundred seeded folders end no process, touch nothing outside, and are told within seconds',
  { timeout: 120_000 },
  async () => {
    const found = await hostileCampaign(1, 100, 1)
    const { deaths, touched, left, unplanted, slowest, largest, opened: good } = found
    expect({ deaths, touched, left, unplanted }).toEqual({ deaths: [], touched: [], left: [], unplanted: [] })
    expect(slowest.ms).toBeLessThan(10_000)
    expect(largest.mib).toBeLessThan(1024)
    expect(good).toBeGreaterThan(0)
  },
)
