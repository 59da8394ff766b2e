// The document through the engine: commands, undo and redo, what is on the disk, locks, kills, and files that are damaged.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Database } from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppEvent, DocumentCommand, DocumentState, RegionOfInterest, RunStatus, Shape } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { firstRecipe, realEngine, sample } from '../realEngine'
import { builtEditor, killEditors } from './kills'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'project-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

interface Desk {
  readonly engine: Engine
  readonly slideId: string
  readonly key: string
  readonly events: AppEvent[]
  readonly do: (command: DocumentCommand) => Promise<string>
  readonly state: () => Promise<DocumentState>
}
/** An engine as a window has it, with the sample open. */
async function desk(settings: string): Promise<Desk> {
  const engine = realEngine(join(dir, settings), { shell: 'serve' })
  const events: AppEvent[] = []
  engine.onEvent((event) => events.push(event))
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const state = () => engine.invoke('project:state', { slideId })
  const key = (await state()).slide!
  return {
    engine,
    slideId,
    key,
    events,
    state,
    do: async (command) => (await engine.invoke('project:do', { slideId, command })).name,
  }
}
const rectangle = (x: number, y: number, width: number, height: number): Shape => ({ kind: 'rectangle', x, y, width, height })
const regionOn = (slide: string, shape: Shape, more: Partial<RegionOfInterest> = {}): RegionOfInterest => ({
  id: randomUUID(),
  slide,
  name: '',
  classId: null,
  locked: false,
  shape,
  createdAt: '2026-11-22T00:00:00Z',
  madeBy: 'hand',
  ...more,
})
const square = (x: number, y: number, side: number): [number, number][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
]

it('keeps a pixel size that somebody has given, whatever the file says, until another is given', async () => {
  const { engine, key, state } = await desk('calibration')
  const kept = async (mpp?: number): Promise<number> => {
    const { slideId } = await engine.invoke('slide:open', { path: sample, ...(mpp && { mpp }) })
    const command: DocumentCommand = { type: 'regions:add', regions: [regionOn(key, rectangle(1, 1, 9, 9))] }
    await engine.invoke('project:do', { slideId, command })
    return (await state()).slides[0]!.mppX!
  }
  const files = await kept()
  expect([await kept(2 * files), await kept(), await kept(3 * files)]).toEqual([2 * files, 2 * files, 3 * files])
})

describe('commands', () => {
  it('change the document, are named, and are taken back and done again to the bit', async () => {
    const { engine, key, state, events, do: act } = await desk('commands')
    const a = regionOn(key, rectangle(100, 100, 400, 300), { name: 'Front', classId: 'tumour' })
    const b = regionOn(key, { kind: 'polygon', parts: [[square(600, 600, 300)]] })
    const names: string[] = []
    const states = [(await state()).regions]
    const step = async (command: DocumentCommand): Promise<void> => {
      names.push(await act(command))
      states.push((await state()).regions)
    }
    await step({ type: 'regions:add', regions: [a, b] })
    await step({ type: 'regions:change', changes: [{ id: b.id, classId: 'stroma', name: 'Edge' }] })
    await step({
      type: 'regions:combine',
      id: b.id,
      how: 'subtract',
      shape: { kind: 'polygon', parts: [[square(700, 700, 100)]] },
    })
    await step({ type: 'regions:combine', id: b.id, how: 'add', shape: rectangle(900, 600, 50, 50) })
    await step({ type: 'regions:change', changes: [{ id: a.id, locked: true }] })
    await step({ type: 'regions:delete', ids: [b.id] })
    expect(names).toEqual([
      'Add 2 regions',
      'Classify a region',
      'Cut out of “Edge”',
      'Add to “Edge”',
      'Lock a region',
      'Delete “Edge”',
    ])
    const holed = states[3]![1]!.shape
    expect(holed).toMatchObject({ kind: 'polygon' })
    expect(holed.kind === 'polygon' && holed.parts.map((rings) => rings.length)).toEqual([2])
    const measured = await engine.invoke('project:measure', { runIds: [], key })
    expect(measured).toEqual([
      { id: a.id, areaPx: 120_000, areaMm2: expect.closeTo(0.0299, 3) as number, objects: null, runId: null },
    ])
    // All the way back and all the way again, twice.
    for (let round = 0; round < 2; round++) {
      for (let i = names.length - 1; i >= 0; i--) {
        expect((await state()).undo?.name).toBe(names[i])
        expect(await engine.invoke('project:undo', undefined)).toBe(names[i])
        expect((await state()).regions).toEqual(states[i])
      }
      expect(await engine.invoke('project:undo', undefined)).toBeNull()
      for (let i = 0; i < names.length; i++) {
        expect(await engine.invoke('project:redo', undefined)).toBe(names[i])
        expect((await state()).regions).toEqual(states[i + 1])
      }
      expect(await engine.invoke('project:redo', undefined)).toBeNull()
    }
    const revisions = events.flatMap((event) => (event.type === 'document:changed' ? [event.revision] : []))
    expect(revisions).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    await engine.close()
  })

  it('are refused where they do not fit, by name, and change nothing', async () => {
    const { engine, key, slideId, state, do: act } = await desk('refused')
    const a = regionOn(key, rectangle(0, 0, 10, 10), { name: 'A', locked: true })
    await act({ type: 'regions:add', regions: [a] })
    const before = await state()
    const wrong: [DocumentCommand, RegExp][] = [
      [{ type: 'regions:delete', ids: [a.id] }, /“A” is locked, and cannot be deleted/],
      [{ type: 'regions:change', changes: [{ id: a.id, shape: rectangle(1, 1, 5, 5) }] }, /“A” is locked/],
      [{ type: 'regions:change', changes: [{ id: a.id, classId: 'nobody' }] }, /one of tumour, stroma.*received "\\?"?nobody/],
      [{ type: 'regions:delete', ids: [randomUUID()] }, /There is no region/],
      [{ type: 'regions:add', regions: [a] }, /an id that no region has/],
      [{ type: 'regions:add', regions: [regionOn('0'.repeat(32), rectangle(0, 0, 1, 1))] }, /the key of a slide of the document/],
      [
        {
          type: 'together',
          name: 'Both',
          commands: [
            { type: 'regions:change', changes: [{ id: a.id, name: 'B' }] },
            { type: 'regions:delete', ids: [a.id] },
          ],
        },
        /“B” is locked/,
      ],
    ]
    for (const [command, words] of wrong)
      expect(await engine.call('project:do', { slideId, command })).toMatchObject({
        ok: false,
        error: { message: expect.stringMatching(words) as string },
      })
    const infinite = { type: 'regions:change', changes: [{ id: a.id, shape: rectangle(Infinity, 0, 1, 1) }] }
    expect(await engine.call('project:do', { slideId, command: infinite })).toMatchObject({ ok: false })
    expect(await state()).toEqual(before)
    await engine.close()
  })

  it('a figure of eight is kept as its two lobes, a simple outline to the point as it was drawn', async () => {
    const { engine, key, state, do: act } = await desk('eight')
    const eight = regionOn(key, {
      kind: 'polygon',
      parts: [
        [
          [
            [0, 0],
            [10, 10],
            [10, 0],
            [0, 10],
          ],
        ],
      ],
    })
    const outline: [number, number][] = [
      [5.1, 0.3],
      [17.77, 3.2],
      [11.011, 19.9],
      [2.02, 8.000001],
    ]
    const simple = regionOn(key, { kind: 'polygon', parts: [[outline]] })
    await act({ type: 'regions:add', regions: [eight, simple] })
    const [first, second] = (await state()).regions
    expect(first!.shape.kind === 'polygon' && first!.shape.parts.length).toBe(2)
    expect(second!.shape).toEqual(simple.shape)
    const [measured] = await engine.invoke('project:measure', { runIds: [], key })
    expect(measured!.areaPx).toBe(50)
    await engine.close()
  })

  it('hold 200 steps and more over a restart, and 10,000 regions in one of them', async () => {
    const first = await desk('many')
    const many = Array.from({ length: 10_000 }, (_, i) => regionOn(first.key, rectangle(i, 0, 3, 3)))
    await first.do({ type: 'regions:add', regions: many })
    for (let i = 0; i < 250; i++) await first.do({ type: 'regions:change', changes: [{ id: many[0]!.id, name: `n${i}` }] })
    await first.do({ type: 'regions:delete', ids: many.map(({ id }) => id) })
    await first.engine.close()
    const second = await desk('many')
    expect((await second.state()).regions).toEqual([])
    expect((await second.state()).recovered).toBe(false)
    expect(await second.engine.invoke('project:undo', undefined)).toBe('Delete 10,000 regions')
    expect((await second.state()).regions).toEqual([{ ...many[0], name: 'n249' }, ...many.slice(1)])
    for (let i = 0; i < 251; i++) await second.engine.invoke('project:undo', undefined)
    expect((await second.state()).regions).toEqual([])
    expect((await second.state()).undo).toBeNull()
    await second.engine.close()
  })
})

describe('a run inside regions', () => {
  it('has the objects whose centroids they hold: of two halves each has its own, together all', async () => {
    const { engine, slideId, key, do: act } = await desk('within')
    const recipe = await firstRecipe(engine)
    const ihc = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!)
    const run = async (within?: Shape[], using = recipe): Promise<RunStatus> => {
      const ended = new Promise<RunStatus>((resolve) => {
        const off = engine.onEvent((event) => {
          if (event.type !== 'run:end') return
          off()
          resolve(event.status)
        })
      })
      const region = within ? ('whole' as const) : { x: 500, y: 1200, width: 900, height: 900 }
      await engine.invoke('run:start', { slideId, region, recipe: using, purpose: 'run', ...(within ? { within } : {}) })
      return ended
    }
    // A triangle, the rest of its square, and a hole in that which is a region of its own.
    const [x, y] = [700, 1400]
    const triangle: Shape = { kind: 'polygon', parts: [[[[x, y], [x + 500, y], [x, y + 500]]]] } // oxfmt-ignore
    const hole: Shape = { kind: 'polygon', parts: [[square(x + 350, y + 350, 100)]] }
    const rest: Shape = {
      kind: 'polygon',
      parts: [[[[x + 500, y], [x + 500, y + 500], [x, y + 500]], square(x + 350, y + 350, 100)]],
    } // oxfmt-ignore
    const regions = [triangle, hole, rest, rectangle(x, y, 500, 500)].map((shape) => regionOn(key, shape))
    await act({ type: 'regions:add', regions })
    const counts = []
    for (const { shape } of regions) counts.push((await run([shape as Shape])).objects)
    expect(Math.min(...counts)).toBeGreaterThan(5)
    expect(counts[0]! + counts[1]! + counts[2]!).toBe(counts[3])
    expect((await run([triangle, hole, rest])).objects).toBe(counts[3])
    // The whole run's objects belong to the same regions.
    const whole = await run()
    const measured = await engine.invoke('project:measure', { runIds: [whole.runId], key })
    expect(measured.map(({ objects }) => objects)).toEqual(counts)
    // A run inside one region has not looked at the others.
    const inside = await run([triangle])
    const some = await engine.invoke('project:measure', { runIds: [inside.runId], key })
    expect(some.map(({ objects }) => objects)).toEqual([counts[0], null, null, null])
    const both = await engine.invoke('project:measure', { runIds: [inside.runId, whole.runId], key })
    expect(both.map(({ objects }) => objects)).toEqual(counts)
    expect(both.map(({ runId }) => runId === inside.runId)).toEqual([true, false, false, false])
    // The run's classes are its region's, and a recipe without classes has none.
    const stained = await run([rest], ihc)
    expect(stained.classes?.map(({ id }) => id)).toEqual(['negative', 'positive'])
    const shares = await engine.invoke('project:measure', { runIds: [stained.runId], key })
    expect(shares[2]!.classes).toEqual(stained.classes)
    expect(measured[2]).not.toHaveProperty('classes')
    expect(measured.map(({ areaPx }) => areaPx)).toEqual([125_000, 10_000, 115_000, 250_000])
    await engine.close()
  })
})

describe('on the disk', () => {
  it('a document without a name is there again; saved under one it lies there, and a new one is empty', async () => {
    const one = await desk('named')
    const a = regionOn(one.key, { kind: 'ellipse', x: 1.5, y: 2.25, width: 10, height: 20 }, { name: 'Gland', classId: 'other' })
    await one.do({ type: 'regions:add', regions: [a] })
    expect((await one.state()).path).toBeNull()
    await one.engine.close()
    const two = await desk('named')
    expect((await two.state()).regions).toEqual([a])
    const path = join(dir, 'Study 1.morphoscope')
    await two.engine.invoke('project:save', { path })
    expect(await two.state()).toMatchObject({ path, name: 'Study 1', regions: [a], undo: { name: 'Add a region' } })
    expect(await readdir(join(dir, 'named', 'documents'))).toEqual(['current.json'])
    expect(await two.engine.call('project:save', { path })).toMatchObject({ ok: false, error: { code: 'OUTPUT_EXISTS' } })
    expect(await two.engine.call('project:save', { path: join(dir, 'elsewhere') })).toMatchObject({ ok: false })
    await two.engine.invoke('project:undo', undefined)
    expect((await two.state()).regions).toEqual([])
    await two.engine.invoke('project:redo', undefined)
    await two.engine.invoke('project:new', undefined)
    expect(await two.state()).toMatchObject({ path: null, regions: [], undo: null })
    await two.engine.invoke('project:open', { path })
    await two.engine.close()
    // The next start takes it up again.
    const three = await desk('named')
    expect((await three.state()).regions).toEqual([a])
    expect((await three.state()).slides).toMatchObject([{ key: two.key, name: 'CMU-1-Small-Region.svs', regions: 1 }])
    await three.engine.close()
  })

  it('a project that is open elsewhere is refused with the name of who has it, until that one is gone', async () => {
    const one = await desk('lock-a')
    await one.do({ type: 'regions:add', regions: [regionOn(one.key, rectangle(0, 0, 5, 5))] })
    const path = join(dir, 'Held.morphoscope')
    await one.engine.invoke('project:save', { path })
    // By whom it is open already, it is opened again for nothing: a list of recent ones names it after a crash.
    await one.engine.invoke('project:open', { path: `${dir}/../${basename(dir)}/Held.morphoscope` })
    const script = `
      const Database = require('libsql'); const fs = require('fs'); const path = require('path')
      const db = new Database(path.join(process.argv[1], 'project.lock'), { timeout: 0 })
      try { db.exec('BEGIN EXCLUSIVE'); console.log('got it') } catch (error) { console.log('refused') }
    `
    const other = spawn(process.execPath, ['-e', script, path], { cwd: new URL('../../..', import.meta.url).pathname })
    let said = ''
    other.stdout.on('data', (chunk) => (said += String(chunk)))
    await new Promise((resolve) => other.once('close', resolve))
    expect(said.trim()).toBe('refused')
    const two = realEngine(join(dir, 'lock-b'), { shell: 'cli' })
    expect(await two.call('project:open', { path })).toMatchObject({
      ok: false,
      error: {
        code: 'INVALID_PARAMETER',
        message: expect.stringMatching(/is open in morphoscope serve \(process \d+ on /) as string,
      },
    })
    await one.engine.close()
    await two.invoke('project:open', { path })
    expect((await two.invoke('project:state', { slideId: null })).slides).toMatchObject([{ regions: 1 }])
    await two.close()
  })

  it('a damaged project is refused with the place that is wrong, and is left as it is', async () => {
    const one = await desk('damaged')
    await one.do({ type: 'regions:add', regions: [regionOn(one.key, rectangle(0, 0, 5, 5), { name: 'A' })] })
    const path = join(dir, 'Good.morphoscope')
    await one.engine.invoke('project:save', { path })
    await one.engine.close()
    const Constructor = createRequire(import.meta.url)('libsql') as new (file: string) => Database
    const damages: [string, (file: string) => void | Promise<void>, RegExp][] = [
      ['text', (file) => writeFile(file, 'no database at all'.repeat(500)), /cannot be opened: file is not a database/],
      ['json', (file) => exec(file, "UPDATE regions SET body = '{'"), /damaged: project.sqlite, regions .* is no JSON/],
      ['far', (file) => exec(file, "UPDATE regions SET body = replace(body, '\"width\":5', '\"width\":-5')"), /regions .* shape.width/],
      ['class', (file) => exec(file, "UPDATE regions SET body = replace(body, '\"classId\":null', '\"classId\":\"x\"')"), /has the class "x"/],
      ['name', (file) => exec(file, "UPDATE slides SET body = json_set(body, '$.name', '../../etc/x')"), /damaged: project.sqlite, slides .* name: expected a name without folders/],
      ['path', (file) => exec(file, "UPDATE slides SET body = json_set(body, '$.path', '')"), /damaged: project.sqlite, slides .* path/],
      ['looks', (file) => exec(file, "UPDATE slides SET body = json_set(body, '$.looks', json('[{\"shown\":true,\"color\":\"url(x)\",\"low\":0,\"high\":1,\"gamma\":1}]'))"), /slides .* looks.0.color/],
      ['dark', (file) => exec(file, "UPDATE slides SET body = json_set(body, '$.looks', json('[{\"shown\":true,\"color\":\"#ffffff\",\"low\":2,\"high\":1,\"gamma\":1}]'))"), /looks.0: expected a high above the low/],
      ['channel', (file) => exec(file, "UPDATE slides SET body = json_set(body, '$.channel', -1)"), /slides .* channel/],
      ['later', (file) => exec(file, 'PRAGMA user_version = 99'), /written by a later version of Morphoscope \(format 99; this one reads 10\)/],
      ['other', (file) => exec(file, 'PRAGMA application_id = 7'), /is another program’s/],
      ['table', (file) => exec(file, 'DROP TABLE classes'), /cannot be opened: no such table: classes/],
    ] // oxfmt-ignore
    function exec(file: string, sql: string): void {
      const db = new Constructor(file)
      db.exec(sql)
      db.close()
    }
    const engine = realEngine(join(dir, 'damaged-b'), { shell: 'cli' })
    for (const [name, damage, words] of damages) {
      const copy = join(dir, `${name}.morphoscope`)
      // The one file: a project that is closed has all of it there, and what lay beside goes when the library has let go of it.
      await mkdir(copy)
      await copyFile(join(path, 'project.sqlite'), join(copy, 'project.sqlite'))
      await damage(join(copy, 'project.sqlite'))
      const answer = await engine.call('project:open', { path: copy })
      expect(answer, name).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
      expect(answer.ok ? '' : answer.error.message).toMatch(words)
      expect(answer.ok ? '' : answer.error.message).toContain(copy)
    }
    // A project of the version before has all that it had.
    const older = join(dir, 'older.morphoscope')
    await mkdir(older)
    await copyFile(join(path, 'project.sqlite'), join(older, 'project.sqlite'))
    exec(
      join(older, 'project.sqlite'),
      'DROP TABLE runs; DROP TABLE edits; ALTER TABLE history DROP COLUMN run; PRAGMA user_version = 1',
    )
    await engine.invoke('project:open', { path: older })
    for (const version of [3, 4, 5]) {
      await engine.invoke('project:open', { path })
      exec(join(older, 'project.sqlite'), `PRAGMA user_version = ${version}`)
      await engine.invoke('project:open', { path: older })
    }
    expect(await engine.invoke('project:undo', undefined)).toMatch(/^Add a region/)
    expect(await engine.invoke('project:redo', undefined)).toMatch(/^Add a region/)
    expect(await engine.call('project:open', { path: join(dir, 'none.morphoscope') })).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    })
    await engine.close()
  })

  it('an editor that is killed loses nothing that was acknowledged', async () => {
    const editor = await builtEditor()
    try {
      expect(await killEditors(editor, 4)).toBeGreaterThan(20)
    } finally {
      await rm(editor, { force: true })
    }
  })
})
