// A run is paused, goes on, is cancelled at any moment, verified, and loses its slide: what was final stays, and is right.
import { copyFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RunStatus } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import type { Run } from '../../../main/run/run'
import { Runs } from '../../../main/run/runs'
import { seeded, times } from '../../stress/seeded'
import { firstRecipe, realEngine } from '../realEngine'
import { writeTissueSlide } from './hugeSlide'

let base: string
let slide: string
let whole: RunStatus

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-control-'))
  slide = join(base, 'slide.tif')
  await writeTissueSlide(slide, 5120, 3072)
  whole = await withEngine(async (engine) => (await begun(engine)).ended)
  expect(whole).toMatchObject({ state: 'done', warnings: [] })
})
afterAll(() => rm(base, { recursive: true, force: true }))

let engines = 0
async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = realEngine(join(base, `settings-${++engines}`))
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

interface Begun {
  readonly runId: string
  readonly ended: Promise<RunStatus>
  /** Resolves with the first status that is so. */
  readonly when: (is: (status: RunStatus) => boolean) => Promise<RunStatus>
}

async function begun(engine: Engine, path = slide): Promise<Begun> {
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.5 })
  const recipe = await firstRecipe(engine)
  const started = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', mpp: 0.5, threads: 2 })
  const { runId } = started
  const ended = new Promise<RunStatus>((resolve) => {
    engine.onEvent((event) => event.type === 'run:end' && event.status.runId === runId && resolve(event.status))
  })
  const when = (is: (status: RunStatus) => boolean): Promise<RunStatus> =>
    new Promise((resolve) => {
      engine.onEvent((event) => {
        if ('status' in event && event.status.runId === runId && is(event.status)) resolve(event.status)
      })
    })
  return { runId, ended, when }
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function csvRows(engine: Engine, runId: string): Promise<Set<string>> {
  const directory = await mkdtemp(join(base, 'files-'))
  await engine.invoke('export:start', { runId, directory, files: ['objects.csv'] })
  // Without the number and the UUID, which depend on all that was found, and on the file.
  const rows = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split('\r\n').slice(1)
  return new Set(rows.map((row) => row.split(',').slice(3).join(',')))
}

it('paused, a run begins nothing, its clocks stand, and it ends as one that never was', async () => {
  await withEngine(async (engine) => {
    const askedAt = performance.now()
    const { runId, ended, when } = await begun(engine)
    await when(({ tilesDone }) => tilesDone > 0)
    const paused = await engine.invoke('run:pause', { runId })
    expect(paused).toMatchObject({ state: 'paused', settling: false, etaMs: null })
    expect(paused.tilesDone).toBeLessThan(paused.tilesTotal)
    await pause(1500)
    const later = await engine.invoke('run:status', { runId })
    expect([later.tilesDone, later.objects, later.elapsedMs]).toEqual([paused.tilesDone, paused.objects, paused.elapsedMs])
    // Twice is once, and an overtaken wish is none.
    await engine.invoke('run:pause', { runId })
    const going = when(({ state }) => state === 'running')
    await engine.invoke('run:continue', { runId })
    const on = await going
    // Reckoned from computing alone: with the pause in it, it would be more than twice that.
    if (on.etaMs !== null) expect(on.etaMs).toBeLessThan(2 * whole.elapsedMs + 1000)
    const status = await ended
    expect(status).toMatchObject({ state: 'done', objects: whole.objects, tilesDone: whole.tilesTotal })
    const { pauses, lane, from, to, endedMs } = await engine.invoke('run:timeline', { runId })
    expect(pauses).toHaveLength(1)
    expect(pauses[0]!.to - pauses[0]!.from).toBeGreaterThan(1400)
    expect(performance.now() - askedAt - status.elapsedMs).toBeGreaterThan(1400)
    expect(endedMs).toBeGreaterThan(1500)
    expect(lane.length).toBe(15)
    // Nothing was computed while it stood.
    expect(from.some((at, i) => at < pauses[0]!.to - 1 && to[i]! > pauses[0]!.from + 1)).toBe(false)
  })
})

it('a run can be paused before its turn, while it is cancelled, and after its end', async () => {
  await withEngine(async (engine) => {
    const first = await begun(engine)
    const second = await begun(engine)
    expect(await engine.invoke('run:pause', { runId: second.runId })).toMatchObject({ state: 'paused', tilesDone: 0 })
    await first.ended
    await pause(300)
    expect(await engine.invoke('run:status', { runId: second.runId })).toMatchObject({ state: 'paused', tilesDone: 0 })
    await engine.invoke('run:continue', { runId: second.runId })
    expect(await second.ended).toMatchObject({ state: 'done', objects: whole.objects })
    expect(await engine.invoke('run:pause', { runId: second.runId })).toMatchObject({ state: 'done' })
    const third = await begun(engine)
    void engine.invoke('run:pause', { runId: third.runId })
    await engine.invoke('run:cancel', { runId: third.runId })
    expect(await third.ended).toMatchObject({ state: 'cancelled' })
  })
})

const moments = times('CANCELS', 3)
it(`cancelled at ${moments} random moments: an answer within a second, and every final tile kept and exportable`, async () => {
  const random = seeded(12)
  const all = await withEngine(async (engine) => {
    const { runId, ended } = await begun(engine)
    await ended
    return csvRows(engine, runId)
  })
  for (let n = 0; n < moments; n++) {
    await withEngine(async (engine) => {
      const { runId, ended } = await begun(engine)
      await pause(random() * whole.elapsedMs)
      const from = performance.now()
      const answer = await engine.invoke('run:cancel', { runId })
      const status = await ended
      expect(performance.now() - from).toBeLessThan(1000)
      if (answer.state === 'done') return
      expect([status.state, status.objects, status.tilesDone]).toEqual(['cancelled', answer.objects, answer.tilesDone])
      const rows = await csvRows(engine, runId)
      expect(rows.size).toBe(status.objects)
      for (const row of rows) expect(all.has(row)).toBe(true)
      // Nor does anything go on unseen.
      const closing = performance.now()
      await engine.close()
      expect(performance.now() - closing).toBeLessThan(2000)
    })
  }
})

it.each([
  ['is replaced', async (path: string) => (await copyFile(slide, `${path}.new`), rename(`${path}.new`, path)), 'SLIDE_CHANGED'],
  ['is truncated', (path: string) => truncate(path, 100_000), 'SLIDE_CHANGED'],
  ['is overwritten', async (path: string) => writeFile(path, Buffer.alloc(1000)), 'SLIDE_CHANGED'],
] as const)(
  'a slide that %s in mid-run ends it with an error that names it, and what was final can be exported',
  async (_, change, code) => {
    const path = join(base, 'victim.tif')
    await copyFile(slide, path)
    await withEngine(async (engine) => {
      const { runId, ended, when } = await begun(engine, path)
      await when(({ tilesDone }) => tilesDone > 0)
      await change(path)
      const status = await ended
      expect(status).toMatchObject({ state: 'failed', error: { code, message: expect.stringContaining(path) as string } })
      expect(status.tilesDone).toBeGreaterThan(0)
      expect(status.tilesDone).toBeLessThan(status.tilesTotal)
      expect(status.unreadableTiles).toBe(0)
      expect((await csvRows(engine, runId)).size).toBe(status.objects)
    })
  },
)

it('a slide that is deleted or renamed is read on while the system gives it, and said', async () => {
  const path = join(base, 'leaving.tif')
  await copyFile(slide, path)
  await withEngine(async (engine) => {
    const { runId, ended, when } = await begun(engine, path)
    await when(({ tilesDone }) => tilesDone > 0)
    await rename(path, `${path}.away`)
    const status = await ended
    // What OpenSlide has open it reads to the end; what it has not ends the run by the file's name.
    if (status.state === 'done') expect(status.warnings).toContainEqual(expect.stringContaining(`${path} is gone`))
    else
      expect(status).toMatchObject({
        state: 'failed',
        error: { code: 'SLIDE_UNREADABLE', message: expect.stringContaining(`${path} is gone`) as string },
      })
    expect(status.unreadableTiles).toBe(0)
    expect((await csvRows(engine, runId)).size).toBe(status.objects)
  })
})

it('verified: any part of it is what one window on the CPU finds, and a part that is not is told', async () => {
  await withEngine(async (engine) => {
    const { runId, ended } = await begun(engine)
    await expect(engine.invoke('run:verify', { runId, regions: [], random: 1 })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    await ended
    // Over the borders of tiles, blocks and the slide.
    const found = await engine.invoke('run:verify', {
      runId,
      regions: [
        { x: 900, y: 1000, width: 700, height: 90 },
        { x: 4000, y: 2000, width: 9000, height: 9000 },
      ],
      random: 2,
    })
    expect(found).toMatchObject({
      equal: true,
      parts: [
        { equal: true, difference: null, certain: true },
        { region: { x: 4000, y: 2000, width: 1120, height: 1072 } },
        {},
        {},
      ],
    })
    for (const { objects } of found.parts) expect(objects).toBeGreaterThan(5)
    await expect(
      engine.invoke('run:verify', { runId, regions: [{ x: 9000, y: 0, width: 5, height: 5 }], random: 0 }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/part of the run’s region/) as string })
    const directory = await mkdtemp(join(base, 'files-'))
    await engine.invoke('export:start', { runId, directory, files: ['run.json'] })
    const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as {
      verification: unknown
      timeline: { lane: number[]; stages: { stage: string }[] }
    }
    expect(record.verification).toEqual(found)
    expect(record.timeline.lane.length).toBe(15)
    expect(record.timeline.stages.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['read', 'pack']))
  })
})

it('a difference of one object is found: one missing, one too many, another outline, another figure', async () => {
  const { firstDifference } = await import('../../../main/run/verify')
  await withEngine(async (engine) => {
    const get = vi.spyOn(Runs.prototype, 'get')
    const { runId, ended } = await begun(engine)
    await ended
    await engine.invoke('run:status', { runId })
    const found = get.mock.results.at(-1)!.value as Run
    get.mockRestore()
    const objects = found.objects.inRect({ x: 0, y: 0, width: 1024, height: 1024 })
    expect(objects.length).toBeGreaterThan(100)
    expect(firstDifference(objects, objects)).toBeNull()
    expect(firstDifference(objects.toSpliced(7, 1), objects)).toMatchObject({
      words: 'an object is missing in the run',
      object: { firstX: objects[7]!.firstX },
    })
    expect(firstDifference(objects, objects.toSpliced(7, 1))).toMatchObject({ words: 'the run has an object too many' })
    expect(firstDifference(objects.slice(0, -1), objects)).toMatchObject({ object: { firstY: objects.at(-1)!.firstY } })
    const other = (change: object) =>
      objects.with(9, Object.create(objects[9]!, Object.getOwnPropertyDescriptors(change)) as (typeof objects)[number])
    expect(
      firstDifference(other({ runs: objects[9]!.runs.map((value, i) => (i === 2 ? value + 1 : value)) }), objects),
    ).toMatchObject({ words: expect.stringMatching(/another outline/) as string })
    expect(firstDifference(other({ solidity: objects[9]!.solidity + 1e-12 }), objects)).toMatchObject({
      words: expect.stringMatching(/solidity/) as string,
    })
    expect(firstDifference(other({ stain: () => 7 }), objects)).toMatchObject({
      words: expect.stringMatching(/channel/) as string,
    })
  })
})
