// A run's journal: wherever it was cut off, the run that goes on with it finds the same objects; what no run wrote is refused.
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RunRequest, RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { host, startOf } from '../../../../main/base/process'
import { headOf, tilesKind } from '../../../../main/run/journal/journal'
import { JournalReader, JournalWriter } from '../../../../main/run/journal/journalFile'
import { BadRecord, decodeTiles } from '../../../../main/run/journal/journalTiles'
import { seeded, times } from '../../../stress/seeded'
import { firstRecipe, realEngine } from '../../realEngine'
import { writeTissueSlide } from '../hugeSlide'

let base: string
let slide: string
/** Of a run that was never interrupted. */
let whole: { status: RunStatus; csv: string }
/** What a run that died just before its end left. */
let journal: string
/** Where its records begin; the last is the end. */
const records: number[] = []

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-journal-'))
  slide = join(base, 'slide.tif')
  await writeTissueSlide(slide, 3072, 2048)
  const folder = join(base, 'made')
  journal = join(base, 'whole.journal')
  whole = await withEngine(folder, async (engine) => {
    const status = await ran(engine, await request(engine))
    // Written from the first tile on; the export lets go of it.
    const [name] = await readdir(folder)
    await vi.waitFor(async () => {
      await copyFile(join(folder, name!), journal)
      expect((await engine.invoke('journal:list', undefined)).length).toBe(0)
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await copyFile(join(folder, name!), journal)
    const csv = await csvOf(engine, status)
    await expect(readdir(folder)).rejects.toThrow(/ENOENT/)
    return { status, csv }
  })
  const handle = await open(journal, 'r')
  const reader = (await JournalReader.of(handle))!
  for (records.push(reader.end); await reader.next();) records.push(reader.end)
  await handle.close()
  expect(reader.torn).toBe(false)
  expect(records.length).toBeGreaterThan(5)
})
afterAll(() => rm(base, { recursive: true, force: true }))

let engines = 0
async function withEngine<T>(
  folder: string,
  work: (engine: Engine) => Promise<T>,
  { version = '0.0.0', removes = true } = {},
): Promise<T> {
  const settings = join(base, `settings-${++engines}`)
  const engine = realEngine(settings, { version, journal: { directory: folder, note: { said: 'then' }, keepsOver: true } })
  try {
    return await work(engine)
  } finally {
    await engine.close()
    if (removes) await rm(folder, { recursive: true, force: true })
  }
}

async function request(engine: Engine): Promise<RunRequest> {
  const { slideId } = await engine.invoke('slide:open', { path: slide, mpp: 0.5 })
  return {
    slideId,
    region: { x: 100, y: 90, width: 2900, height: 1900 },
    recipe: await firstRecipe(engine),
    purpose: 'run',
    mpp: 0.5,
    threads: 1,
  }
}

async function ended(engine: Engine, begin: () => Promise<RunStatus>): Promise<RunStatus> {
  const over = new Map<string, RunStatus>()
  let wake = (): void => undefined
  const stop = engine.onEvent((event) => {
    if (event.type !== 'run:end') return
    over.set(event.status.runId, event.status)
    wake()
  })
  const { runId } = await begin()
  while (!over.has(runId)) await new Promise<void>((resolve) => (wake = resolve))
  stop()
  return over.get(runId)!
}
const ran = (engine: Engine, wanted: RunRequest): Promise<RunStatus> => ended(engine, () => engine.invoke('run:start', wanted))

/** The objects as the file has them, by their hash and number. */
async function csvOf(engine: Engine, { runId }: RunStatus): Promise<string> {
  const directory = await mkdtemp(join(base, 'files-'))
  const { files } = await engine.invoke('export:start', { runId, directory, files: ['objects.csv', 'objects.geojson'] })
  const sum = createHash('sha256')
  for (const { path } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) sum.update(await readFile(path))
  return sum.digest('hex')
}

/** A folder with the journal of a run that died in some process, as `change` makes it. */
async function leftBehind(change: (path: string) => Promise<void> = async () => undefined): Promise<string> {
  const folder = await mkdtemp(join(base, 'left-'))
  const id = JSON.stringify((await headIn(journal)).journalId).slice(1, -1)
  // Of a process that is long gone.
  const path = join(folder, `run-${id}-${'0'.repeat(8)}-1-1.journal`)
  await copyFile(journal, path)
  await change(path)
  const old = new Date(Date.now() - 2 * 24 * 60 * 60_000)
  await utimes(path, old, old)
  return folder
}

async function headIn(path: string) {
  const handle = await open(path, 'r')
  const head = await headOf((await JournalReader.of(handle))!)
  await handle.close()
  return head!
}

async function resumed(engine: Engine, path = slide): Promise<RunStatus> {
  const [entry] = await engine.invoke('journal:list', undefined)
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.5 })
  return ended(engine, () => engine.invoke('journal:resume', { journalId: entry!.journalId, slideId }))
}

it('says what was asked for, and a run that goes on with all of it computes nothing', async () => {
  await withEngine(await leftBehind(), async (engine) => {
    const [entry, ...more] = await engine.invoke('journal:list', undefined)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      slidePath: slide,
      slideName: 'slide.tif',
      region: { x: 100, y: 90, width: 2900, height: 1900 },
      mpp: 0.5,
      device: 'cpu',
      note: { said: 'then' },
      tilesDone: whole.status.tilesTotal,
      tilesTotal: whole.status.tilesTotal,
      version: '0.0.0',
    })
    const status = await resumed(engine)
    expect(status).toMatchObject({
      state: 'done',
      objects: whole.status.objects,
      resumedTiles: whole.status.tilesTotal,
      // What was computed then is told as it was told then.
      certainty: whole.status.certainty,
      warnings: [],
    })
    expect(status.timings.length).toBeGreaterThan(3)
    expect(await csvOf(engine, status)).toBe(whole.csv)
    // Its files are written: the journal has gone, and is offered to nobody.
    expect(await engine.invoke('journal:list', undefined)).toEqual([])
  })
})

const random = seeded(7)
const cuts = Array.from({ length: times('CUTS', 3) }, () => random())
it.each(cuts)('cut off at %f of its bytes: the same objects', async (share) => {
  const at = Math.floor(records[1]! + share * (records.at(-1)! - records[1]!))
  const left = records.filter((end) => end <= at).length
  await withEngine(await leftBehind((path) => truncate(path, at)), async (engine) => {
    const status = await resumed(engine)
    expect(status).toMatchObject({ state: 'done', objects: whole.status.objects })
    expect(status.resumedTiles === 0).toBe(left === 2)
    expect(status.warnings.some((words) => words.includes('interrupted'))).toBe(!records.includes(at))
    expect(await csvOf(engine, status)).toBe(whole.csv)
  })
})

it.each([
  ['in the last record', -1],
  ['in one before others', 3],
] as const)('a bit that has turned %s is noticed, and what follows is computed again', async (_, record) => {
  const at = (records.at(record)! + records.at(record - 1)!) >> 1
  const folder = await leftBehind(async (path) => {
    const bytes = await readFile(path)
    bytes[at]! ^= 4
    await writeFile(path, bytes)
  })
  await withEngine(folder, async (engine) => {
    const status = await resumed(engine)
    expect(status).toMatchObject({ state: 'done', objects: whole.status.objects })
    expect(status.resumedTiles).toBeLessThan(whole.status.tilesTotal)
    expect(await csvOf(engine, status)).toBe(whole.csv)
  })
})

it('a run that was cancelled while it went on with one is gone on with again', async () => {
  const folder = await leftBehind((path) => truncate(path, records[2]))
  let between = 0
  await withEngine(
    folder,
    async (engine) => {
      let going: string | undefined
      const stop = engine.onEvent((event) => {
        if (event.type === 'run:progress' && event.status.tilesDone > event.status.resumedTiles && going)
          void engine.call('run:cancel', { runId: going })
      })
      const [entry] = await engine.invoke('journal:list', undefined)
      const { slideId } = await engine.invoke('slide:open', { path: slide, mpp: 0.5 })
      const status = await ended(engine, async () => {
        const started = await engine.invoke('journal:resume', { journalId: entry!.journalId, slideId })
        going = started.runId
        // Nobody else has it meanwhile.
        await expect(engine.invoke('journal:resume', { journalId: entry!.journalId, slideId })).rejects.toMatchObject({
          code: 'NOT_FOUND',
        })
        return started
      })
      stop()
      between = status.tilesDone
    },
    { removes: false },
  )
  await withEngine(folder, async (engine) => {
    const status = await resumed(engine)
    expect(status.resumedTiles).toBe(between)
    expect(await csvOf(engine, status)).toBe(whole.csv)
  })
})

it('another slide, another version and what is no journal are refused, with what to do', async () => {
  const other = join(base, 'other.tif')
  await copyFile(slide, other)
  await utimes(other, 1e9, 1e9)
  await withEngine(await leftBehind(), async (engine) => {
    await expect(resumed(engine, other)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/not the one.*slide\.tif.*start the run again/) as string,
    })
    // It is there still, for the right one.
    expect((await resumed(engine)).objects).toBe(whole.status.objects)
  })
  await withEngine(
    await leftBehind(),
    async (engine) => {
      await expect(resumed(engine)).rejects.toMatchObject({
        message: expect.stringMatching(/begun by Morphoscope 0\.0\.0, and this is 9\.9\.9.*start the run again/) as string,
      })
    },
    { version: '9.9.9' },
  )
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), Buffer.from('morphoscope-run1'.padEnd(64, 'x'))]) {
    await withEngine(await leftBehind((path) => writeFile(path, bytes)), async (engine) => {
      expect(await engine.invoke('journal:list', undefined)).toEqual([])
    })
  }
})

/** The journal's records once more, with sums that are right, each as `change` has it. */
async function rewritten(path: string, change: (body: Uint8Array<ArrayBuffer>, n: number) => Uint8Array): Promise<void> {
  const from = await open(journal, 'r')
  const reader = (await JournalReader.of(from))!
  await rm(path)
  const writer = await JournalWriter.create(path, (error) => expect.unreachable(String(error)))
  let n = 0
  for (let record = await reader.next(); record; record = await reader.next())
    await writer.append(record.kind, [record.kind === tilesKind ? change(record.body, n++) : record.body])
  await writer.close()
  await from.close()
}

it('what was left by who was killed before it had said what it runs goes with the next run, and nothing else does', async () => {
  const folder = await mkdtemp(join(base, 'left-'))
  const old = new Date(Date.now() - 2 * 24 * 60 * 60_000)
  const leaves = async (n: number, of: string, bytes: Uint8Array): Promise<string> => {
    const name = `run-j${String(n).repeat(16)}-${of}.journal`
    await writeFile(join(folder, name), bytes)
    await utimes(join(folder, name), old, old)
    return name
  }
  const [dead, living] = ['00000000-1-1', `${host}-${process.ppid}-${startOf(process.ppid)}`]
  const bytes = await readFile(journal)
  for (const [n, length] of [0, 7, records[0]!, records[1]! - 8].entries()) await leaves(n, dead, bytes.subarray(0, length))
  const stay = [
    await leaves(4, dead, bytes.subarray(0, records[1])),
    await leaves(5, dead, Buffer.from('somebody’s notes')),
    await leaves(6, living, bytes.subarray(0, 0)),
  ]
  await withEngine(folder, async (engine) => {
    await csvOf(engine, await ran(engine, await request(engine)))
    expect((await readdir(folder)).sort()).toEqual(stay.sort())
  })
})

it('whole records that no run writes end the run with words, and nothing of them is shown', async () => {
  const hostile: ((body: Uint8Array<ArrayBuffer>, n: number) => Uint8Array)[] = [
    // A tile beyond the slide; the same tile twice; more objects than there are bytes.
    (body, n) => (n === 1 ? patched(body, (words) => (words[8] = 999)) : body),
    (body, n) => (n === 1 ? patched(body, (words) => ((words[10] = words[8]!), (words[11] = words[9]!))) : body),
    (body, n) => (n === 1 ? patched(body, (words) => (words[1] = 0x7fffffff)) : body),
    (body, n) => (n === 1 ? body.subarray(0, 64) : body),
  ]
  for (const change of hostile) {
    await withEngine(await leftBehind((path) => rewritten(path, change)), async (engine) => {
      const status = await resumed(engine)
      expect(status).toMatchObject({
        state: 'failed',
        error: { code: 'INVALID_PARAMETER', message: expect.stringMatching(/cannot be trusted.*start the run again/) as string },
      })
    })
  }
})

const patched = (body: Uint8Array<ArrayBuffer>, change: (words: Uint32Array) => void): Uint8Array => {
  const copy = body.slice()
  change(new Uint32Array(copy.buffer))
  return copy
}

it('bytes of any kind under a right sum are taken as they are or refused: no object lies where it cannot', async () => {
  const { grid } = await headIn(journal)
  const from = await open(journal, 'r')
  const reader = (await JournalReader.of(from))!
  await reader.next()
  const { body } = (await reader.next())!
  await from.close()
  const next = seeded(3)
  const base = decodeTiles(body.slice(), grid)
  expect(base.objects.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(100)
  let refused = 0
  const rounds = times('BYTES', 300)
  for (let round = 0; round < rounds; round++) {
    const copy = body.slice()
    for (let k = 0; k <= round % 3; k++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
    try {
      for (const objects of decodeTiles(copy, grid).objects)
        for (let row = 0; row < objects.count; row++) {
          const runs = objects.runsOf(row)
          for (let r = 0; r < runs.length; r += 3) {
            const across = runs[r + 1]! >= 0 && runs[r + 1]! < runs[r + 2]! && runs[r + 2]! <= grid.widthPx
            if (!across || runs[r]! < 0 || runs[r]! >= grid.heightPx) expect.unreachable('an object lies where it cannot')
          }
        }
    } catch (error) {
      expect(error).toBeInstanceOf(BadRecord)
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(rounds / 10)
})

it('a folder that cannot be written costs the journal, not the run, and is said once', async () => {
  const file = join(base, 'a-file')
  await writeFile(file, '')
  await withEngine(
    join(file, 'below'),
    async (engine) => {
      const status = await ran(engine, await request(engine))
      expect(status).toMatchObject({ state: 'done', objects: whole.status.objects })
      expect(status.warnings).toEqual([expect.stringMatching(/journal could not be written.*ENOTDIR.*The run goes on/)])
    },
    { removes: false },
  )
})

it('a page’s runs leave theirs below the settings while they go on, and not when the window was closed in order', async () => {
  const settings = join(base, 'window')
  await mkdir(settings)
  const engine = realEngine(settings, { shell: 'serve' })
  const status = await ran(engine, await request(engine))
  expect((await readdir(join(settings, 'runs'))).length).toBe(1)
  expect(status.state).toBe('done')
  // One that goes on when the engine is closed can be gone on with.
  const large = join(base, 'large.tif')
  await writeTissueSlide(large, 8192, 6144)
  const { slideId } = await engine.invoke('slide:open', { path: large })
  await engine.invoke('run:start', {
    slideId,
    region: 'whole',
    recipe: await firstRecipe(engine),
    purpose: 'run',
    mpp: 0.5,
    threads: 1,
  })
  const bytesIn = async (): Promise<number[]> =>
    Promise.all((await readdir(join(settings, 'runs'))).map(async (name) => (await stat(join(settings, 'runs', name))).size))
  await vi.waitFor(async () => {
    const sizes = await bytesIn()
    expect(sizes.length).toBe(2)
    expect(Math.min(...sizes)).toBeGreaterThan(50_000)
  })
  await engine.close()
  const again = realEngine(settings, { shell: 'serve' })
  const entries = await again.invoke('journal:list', undefined)
  expect(entries).toMatchObject([{ slidePath: large }])
  expect(entries[0]!.tilesDone).toBeGreaterThan(0)
  await again.invoke('journal:delete', { journalId: entries[0]!.journalId })
  expect(await readdir(join(settings, 'runs'))).toEqual([])
  await again.close()
})
