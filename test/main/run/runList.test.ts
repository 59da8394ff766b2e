// What a page that comes back finds: runs are listed, named and queued, outlive the page that started them, and end when they are deleted.
import { copyFile, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppEvent, calls } from '../../../app/contract'
import type { Recipe, Result, RunStatus, SlideInfo, TileRef } from '../../../app/contract'
import { callRoutes } from '../../../main/callRoutes'
import type { Engine } from '../../../main/engine'
import { makeParts } from '../../../main/parts'
import { assetsDir, firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
let engine: Engine
let slide: SlideInfo
let recipe: Recipe
const events: AppEvent[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'runs-'))
  engine = realEngine(join(dir, 'settings'))
  engine.onEvent((event) => events.push(AppEvent.parse(event)))
  slide = await engine.invoke('slide:open', { path: sample })
  recipe = await firstRecipe(engine)
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

type Request = Parameters<typeof engine.invoke<'run:start'>>[1]
const small = { x: 600, y: 600, width: 300, height: 300 }
const start = (more: Partial<Request> = {}): Promise<RunStatus> =>
  engine.invoke('run:start', { slideId: slide.slideId, region: small, recipe, purpose: 'run', ...more })
const list = async () => calls['run:list'].value.parse(await engine.invoke('run:list', undefined))
const stateOf = async (runId: string) => (await engine.invoke('run:status', { runId })).state
const ended = (runId: string): Promise<RunStatus> =>
  new Promise((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'run:end' || event.status.runId !== runId) return
      off()
      resolve(event.status)
    })
  })
const codeOf = async (name: string, arg: unknown): Promise<string> => {
  const result = await engine.call(name, arg)
  return result.ok ? 'ok' : result.error.code
}

describe('runs', () => {
  it('wait for each other, are all listed, and have their turn in order', async () => {
    const first = await start({ region: 'whole' })
    const second = await start({ name: 'Rectangle' })
    const third = await start({ name: 'Rectangle' })
    expect([first, second, third].map(({ state }) => state)).toEqual(['running', 'queued', 'queued'])
    expect([first, second, third].map(({ name }) => name)).toEqual(['Whole slide', 'Rectangle', 'Rectangle, run 2'])
    expect((await list()).map(({ status }) => status.runId)).toEqual([first, second, third].map(({ runId }) => runId))
    expect((await list())[0]).toMatchObject({
      recipeName: 'H&E nuclei',
      slideName: slide.name,
      slidePath: slide.path,
      recipe: { spec: recipe.spec },
    })
    // A preview does not wait.
    const preview = await start({ purpose: 'preview' })
    expect(preview.state).toBe('running')
    await ended(preview.runId)

    const secondEnd = ended(second.runId)
    const thirdEnd = ended(third.runId)
    expect((await engine.invoke('run:cancel', { runId: first.runId })).state).toBe('cancelled')
    expect((await secondEnd).state).toBe('done')
    expect((await thirdEnd).state).toBe('done')
    const order = events.flatMap((event) => (event.type === 'run:end' ? [event.status.runId] : []))
    expect(order.indexOf(second.runId)).toBeLessThan(order.indexOf(third.runId))
    expect(events.some(({ type }) => type === 'runs:changed')).toBe(true)
    // Nothing replaced anything.
    expect((await list()).map(({ status }) => status.name)).toEqual(['Whole slide', 'Rectangle', 'Rectangle, run 2', 'Preview'])
  })

  it('that wait can be cancelled and deleted, and what follows has its turn', async () => {
    const long = await start({ region: 'whole', mpp: 0.3 })
    const waiting = await start()
    const gone = await start()
    const last = await start()
    expect((await engine.invoke('run:cancel', { runId: waiting.runId })).state).toBe('cancelled')
    await engine.invoke('run:delete', { runId: gone.runId })
    expect(await codeOf('run:status', { runId: gone.runId })).toBe('NOT_FOUND')
    expect(await codeOf('run:delete', { runId: gone.runId })).toBe('NOT_FOUND')
    const end = ended(last.runId)
    await engine.invoke('run:delete', { runId: long.runId })
    expect((await end).state).toBe('done')
    expect((await list()).map(({ status }) => status.runId)).not.toContain(long.runId)
  })

  it('tell every announced tile to a page that was not there', async () => {
    const run = await start({ region: { x: 300, y: 900, width: 700, height: 700 } })
    await ended(run.runId)
    const told = new Map<string, TileRef>()
    for (const event of events) {
      if (event.type !== 'run:tiles' || event.runId !== run.runId) continue
      for (const tile of event.tiles) told.set(`${tile.level}/${tile.x}_${tile.y}`, tile)
    }
    const known = await engine.invoke('run:tiles', { runId: run.runId })
    expect(known.length).toBeGreaterThan(9)
    expect(new Map(known.map((tile) => [`${tile.level}/${tile.x}_${tile.y}`, tile]))).toEqual(told)
  })
})

describe('previews of one page', () => {
  it('that are asked for at once: the last one stays, whatever each waits for, and so does another page’s', async () => {
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 6 }, (_, at) =>
        engine.call('run:start', {
          ...{ slideId: slide.slideId, recipe, purpose: 'preview', page: at === 2 ? 'other' : 'page' },
          region: { ...small, width: small.width + 10 * round + at },
        }),
      )
      const answers = (await Promise.all(asked)) as Result<RunStatus>[]
      // An older one that was ready later has not begun.
      for (const answer of answers) if (!answer.ok) expect(answer.error.code).toBe('CANCELLED')
      const [other, last] = [answers[2], answers[5]]
      for (const one of [other, last]) {
        expect(one).toMatchObject({ ok: true })
        const { runId } = (one as { value: RunStatus }).value
        await expect.poll(() => stateOf(runId)).not.toBe('running')
        expect(await stateOf(runId)).toBe('done')
      }
    }
  })

  it('that wait for less the later they come: the last one stays', async () => {
    const waits = [120, 80, 40, 0]
    const log = () => undefined
    const parts = makeParts(
      {
        ...{ settingsDir: join(dir, 'late'), recipesDir: join(dir, 'late'), assetsDir, version: '0.0.0', remembers: false },
        ...{ budget: undefined, journal: null, roots: null, program: 'a test', print: undefined, opening: undefined },
      },
      log,
      log,
    )
    const late = { ...parts, means: async () => sleep(waits.shift(), await parts.means()) }
    const about = {
      shell: 'cli',
      version: '0.0.0',
      dialogs: false,
      prints: false,
      initialSlide: null,
      sampleSlide: null,
    } as const
    const call = callRoutes(late, about, log)
    const { signal } = new AbortController()
    const { slideId } = (await call('slide:open', { path: sample }, signal)) as SlideInfo
    const asked = waits.map(() => call('run:start', { slideId, recipe, region: small, purpose: 'preview', page: 'page' }, signal))
    const last = (await asked.pop()) as RunStatus
    for (const { reason } of (await Promise.allSettled(asked)) as { reason?: unknown }[])
      expect(reason).toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => parts.runs.get(last.runId).status().state).toBe('done')
    expect(parts.runs.all()).toHaveLength(1)
    parts.slides.closeAll()
  })
})

describe('the time of a run', () => {
  const estimate = (region: Request['region'], spec: string) =>
    engine.invoke('run:estimate', { slideId: slide.slideId, region, recipe: { ...recipe, spec, params: {} } })

  it('is told from previews, then from runs of the same, and not at all before anything has run', async () => {
    const spec = 'iwpp-nuclei'
    const other = { ...recipe, spec, params: {} }
    expect(await estimate('whole', spec)).toMatchObject({ ms: null, basis: 'none' })
    const preview = await start({ recipe: other, purpose: 'preview', region: { x: 300, y: 300, width: 500, height: 500 } })
    expect((await ended(preview.runId)).state).toBe('done')
    const sampled = await estimate('whole', spec)
    expect(sampled.basis).toBe('sampled')
    expect(sampled.ms).toBeGreaterThan(0)
    // The windows of its blocks, whatever is asked for of them: one of nine.
    const corner = await estimate({ x: 0, y: 0, width: 100, height: 100 }, spec)
    expect(corner.ms).toBeGreaterThan(0)
    expect(corner.ms).toBeLessThan(0.4 * sampled.ms!)

    const told: RunStatus[] = []
    const off = engine.onEvent((event) => void (event.type === 'run:progress' && told.push(event.status)))
    const run = await start({ recipe: other, region: 'whole' })
    const status = await ended(run.runId)
    off()
    const measured = await estimate('whole', spec)
    expect(measured.basis).toBe('measured')
    // The same again, but for the overview.
    expect(measured.ms).toBeGreaterThan(0)
    expect(measured.ms).toBeLessThanOrEqual(status.elapsedMs)
    expect(told.some(({ runId, etaMs }) => runId === run.runId && etaMs !== null && etaMs > 0)).toBe(true)
  })
})

describe('a slide', () => {
  it('that is opened twice is one until it changes', async () => {
    const path = join(dir, 'twice.svs')
    await copyFile(sample, path)
    const one = await engine.invoke('slide:open', { path })
    const [two, three] = await Promise.all([1, 2].map(() => engine.invoke('slide:open', { path })))
    expect([two!.slideId, three!.slideId]).toEqual([one.slideId, one.slideId])
    const other = await engine.invoke('slide:open', { path, mpp: 0.3 })
    expect(other.slideId).not.toBe(one.slideId)
    await engine.invoke('slide:close', { slideId: one.slideId })
    await engine.invoke('slide:close', { slideId: one.slideId })
    expect(await codeOf('run:estimate', { slideId: one.slideId, region: 'whole', recipe })).toBe('ok')
    await utimes(path, new Date(1e12), new Date(1e12))
    expect((await engine.invoke('slide:open', { path })).slideId).not.toBe(one.slideId)
    await engine.invoke('slide:close', { slideId: one.slideId })
    expect(await codeOf('slide:close', { slideId: one.slideId })).toBe('NOT_FOUND')
  })

  it('that is closed keeps its run going and its result, until that is deleted', async () => {
    const path = join(dir, 'kept.svs')
    await copyFile(sample, path)
    const opened = await engine.invoke('slide:open', { path })
    const run = await start({ slideId: opened.slideId, region: 'whole' })
    const end = ended(run.runId)
    await engine.invoke('slide:close', { slideId: opened.slideId })
    const status = await end
    expect(status).toMatchObject({ state: 'done', slideId: opened.slideId })
    expect(status.objects).toBeGreaterThan(1000)
    // Whoever opens it again finds the run, and can export it.
    const again = await engine.invoke('slide:open', { path })
    expect(again.slideId).toBe(opened.slideId)
    await engine.invoke('slide:close', { slideId: again.slideId })
    const directory = join(dir, 'out')
    await engine.invoke('export:start', { runId: run.runId, directory, files: ['objects.csv'] })
    expect(await readdir(directory)).toEqual(['objects.csv'])
    await engine.invoke('run:delete', { runId: run.runId })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await codeOf('slide:close', { slideId: opened.slideId })).toBe('NOT_FOUND')
    expect(await stateOf(status.runId).catch(() => 'gone')).toBe('gone')
  })
})
