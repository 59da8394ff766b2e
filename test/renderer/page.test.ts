// The page's store and actions against the real engine, as two processes would talk: what is kept, found again, ended, and not shown any more.
import { notificationsStore } from '@mantine/notifications'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isOver, tissueLayer, type AppEvent, type RunEntry, type RunStatus } from '../../app/contract'
import { createEngine, type Engine } from '../../main/engine'
import { setApi, type Api } from '../../renderer/api'
import { openAgain } from '../../renderer/store/engine/engineActions'
import { startExport } from '../../renderer/store/runs/exportActions'
import { listen } from '../../renderer/store/events'
import { setLayer } from '../../renderer/store/slide/overlayActions'
import { tellError } from '../../renderer/store/base/notify'
import { rememberSlide } from '../../renderer/store/base/persist'
import { answer } from '../../renderer/store/base/questions'
import { resetAll, setParam } from '../../renderer/store/recipe/recipeActions'
import { recipeOf } from '../../renderer/store/slices/recipeSlice'
import { resultTiles } from '../../renderer/store/runs/resultTiles'
import { previewNow } from '../../renderer/store/runs/previewActions'
import { runAgain, runWith, segment, segmentVisible } from '../../renderer/store/runs/runActions'
import { shown } from '../../renderer/store/runs/runEnds'
import {
  cancelRun,
  chooseRun,
  clearResults,
  deleteRun,
  escapeAsksAfterMs,
  showRun,
  tileIsGone,
} from '../../renderer/store/runs/runList'
import { activeRun, drawOrder, fullRuns, isStarting, runningRun, type RunState } from '../../renderer/store/slices/runSlice'
import { selectAt, showOtherOutline } from '../../renderer/store/selection/selectionActions'
import { openSlide } from '../../renderer/store/slide/slideActions'
import { firstState, getState, patch, update, useStore } from '../../renderer/store/store'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
const sample = join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const fieldA = { x: 600, y: 600, width: 600, height: 500 }
const fieldB = { x: 1100, y: 1100, width: 300, height: 300 }
let dir: string
let other: string
let engine: Engine
/** An event that no engine of this process can send: its own death. */
let tellPage: (event: AppEvent) => void = () => undefined
/** Answers to this call wait until they are let go. */
let hold: string | null = null
const held: (() => void)[] = []
let leave: () => void = () => undefined

/** A window that is loaded, or loaded again: nothing is left of the page before but what its tab remembers. */
async function loads(): Promise<void> {
  leave()
  const api: Api = {
    async call(name, arg, signal) {
      const result = await engine.call(name, arg, signal)
      if (hold === name) await new Promise<void>((resolve) => held.push(resolve))
      return result as never
    },
    onEvent(listener) {
      tellPage = listener
      return engine.onEvent(listener)
    },
    onConnection(listener) {
      listener('online')
      return () => undefined
    },
    tileUrl: (path) => path,
    pathOfFile: () => null,
  }
  setApi(api)
  resultTiles.clear()
  useStore.setState(firstState, true)
  const forget = rememberSlide()
  const off = listen()
  leave = () => {
    off()
    forget()
  }
  await expect.poll(() => getState().slide.info?.name).toBeTruthy()
}

const kept = (): RunStatus[] => fullRuns(getState().runs)
const listed = (): Promise<RunEntry[]> => engine.invoke('run:list', undefined)
const question = (): string | null => (getState().ui.dialog === 'question' ? (getState().ui.question?.title ?? null) : null)
const notices = (): string => JSON.stringify(notificationsStore.getState().notifications.map(({ message }) => message))
async function done(count: number): Promise<void> {
  await expect.poll(() => kept().filter((run) => run.state === 'done').length).toBe(count)
}
/** The whole slide at a hundred times its pixels: minutes. */
async function startsLong(): Promise<string> {
  setParam('image', 'pixelSizeUm', 0.05, true)
  segment('whole', true)
  await expect.poll(() => runningRun(getState().runs)?.tilesDone ?? 0).toBeGreaterThan(0)
  return runningRun(getState().runs)!.runId
}
const takes = (runId: string, elapsedMs: number) =>
  update('runs', (runs) => ({ ...runs, byId: { ...runs.byId, [runId]: { ...runs.byId[runId]!, elapsedMs } } }))

beforeAll(async () => {
  const tab = new Map<string, string>()
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => void tab.set(key, value),
      removeItem: (key: string) => void tab.delete(key),
    },
  })
  dir = await mkdtemp(join(tmpdir(), 'page-'))
  other = join(dir, 'other.svs')
  await copyFile(sample, other)
  engine = createEngine({
    settingsDir: join(dir, 'settings'),
    assetsDir,
    initialSlide: sample,
    shell: 'serve',
    dialogs: false,
    version: '0.0.0',
    log: () => undefined,
  })
})
afterAll(async () => {
  leave()
  setApi(null)
  await engine.close()
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
beforeEach(async () => {
  sessionStorage.removeItem('morphoscope.tab.v1')
  notificationsStore.setState({ ...notificationsStore.getState(), notifications: [], queue: [] })
  await loads()
})
afterEach(async () => {
  hold = null
  for (const release of held.splice(0)) release()
  for (const { status } of await listed()) await engine.invoke('run:delete', { runId: status.runId })
})

describe('full runs', () => {
  it('run again by another algorithm find the same, and say which ran', async () => {
    segment(fieldA)
    await done(1)
    const [first] = kept()
    runWith(first!, { 'split/watershed': 'drop-of-water' })
    await done(2)
    const second = kept().find(({ runId }) => runId !== first!.runId)!
    expect([second.objects, second.region, second.name]).toEqual([first!.objects, first!.region, `${first!.name}, drop-of-water`])
    const ran = second.timings.flatMap(({ work = [] }) => work).filter(({ op }) => op === 'watershed')
    expect([ran.map(({ variant }) => variant), ran[0]!.calls > 0]).toEqual([['drop-of-water'], true])
  })
  it('are replaced by nothing, keep their names and figures, and are freed when they are deleted', async () => {
    segment(fieldA)
    await done(1)
    segment(fieldB)
    await done(2)
    patch('ui', { view: { center: { x: 750, y: 750 }, zoom: 4, rotation: 0, flipped: false, width: 800, height: 800 } })
    segmentVisible()
    await done(3)
    for (const { runId } of kept()) shown(runId)
    expect(kept().map(({ name }) => name.replace(/, run \d+$/, ''))).toEqual(['Rectangle', 'Rectangle', 'Visible field'])
    expect(new Set(kept().map(({ name }) => name)).size).toBe(3)
    expect(drawOrder(getState().runs).at(-1)?.name).toMatch(/^Visible field/)
    const first = kept()[0]!
    chooseRun(first.runId)
    expect(activeRun(getState().runs)?.objects).toBe(first.objects)
    deleteRun(first.runId)
    await expect.poll(() => kept().length).toBe(2)
    expect((await listed()).map(({ status }) => status.runId)).not.toContain(first.runId)
    expect(question()).toBeNull()
  })

  it('lie over what is previewed, and keep the headline, until a value is changed', async () => {
    segment(fieldA)
    await done(1)
    patch('ui', { view: { center: { x: 900, y: 900 }, zoom: 2, rotation: 0, flipped: false, width: 800, height: 800 } })
    previewNow()
    const preview = () => drawOrder(getState().runs).find(({ purpose }) => purpose === 'preview')
    await expect.poll(() => preview()?.state).toBe('done')
    expect(drawOrder(getState().runs).map(({ purpose }) => purpose)).toEqual(['preview', 'run'])
    expect(activeRun(getState().runs)?.purpose).toBe('run')
    setParam('threshold', 'level', 1.3, true)
    await expect.poll(() => activeRun(getState().runs)?.purpose).toBe('preview')
    await expect.poll(() => preview()?.state).toBe('done')
    expect(drawOrder(getState().runs).at(-1)?.purpose).toBe('preview')
    resetAll()
    await expect.poll(() => activeRun(getState().runs)?.purpose).toBe('run')
    expect(drawOrder(getState().runs).at(-1)?.purpose).toBe('run')
  })

  it('have layers where one is looked at, and are asked for anew where one is chosen', async () => {
    patch('ui', { view: { center: { x: 900, y: 900 }, zoom: 2, rotation: 0, flipped: false, width: 800, height: 800 } })
    let last: string | null = null
    const next = async (change: () => void) => {
      last = getState().runs.previewId
      change()
      const ended = ({ byId, previewId }: RunState) => (previewId === last ? undefined : byId[previewId!]?.state)
      await expect.poll(() => ended(getState().runs)).toBe('done')
      return getState().runs.byId[getState().runs.previewId!]!.layers === true
    }
    expect(await next(() => setParam('threshold', 'level', 1.4, true))).toBe(false)
    setLayer(`layer:${tissueLayer}`)
    expect(await next(() => setLayer('layer:mask'))).toBe(true)
    expect(await next(() => setParam('threshold', 'level', 1.5, true))).toBe(true)
    setLayer('slide')
    expect(await next(() => setParam('threshold', 'level', 1.6, true))).toBe(false)
    // Nothing of it goes on in the next test.
    expect(await next(resetAll)).toBe(false)
  })

  it('of more than a minute’s work are deleted by a question only, one by one and all together', async () => {
    segment(fieldA)
    await done(1)
    const { runId, name, objects } = kept()[0]!
    expect(objects).toBeGreaterThan(0)
    takes(runId, 61_000)
    deleteRun(runId)
    expect(question()).toBe(`Delete “${name}”?`)
    answer(false)
    takes(runId, 61_000)
    expect([question(), kept().length, (await listed()).length]).toEqual([null, 1, 1])
    clearResults()
    expect(question()).toBe('Delete the result of this slide?')
    answer(true)
    await expect.poll(async () => [kept().length, (await listed()).length]).toEqual([0, 0])
  })

  it('that go on are not started twice, are ended by a question only, and never go on unseen', async () => {
    const runId = await startsLong()
    segment('whole', true)
    segment('whole', true)
    expect(kept()).toHaveLength(1)
    takes(runId, escapeAsksAfterMs + 1)
    cancelRun(kept()[0], escapeAsksAfterMs)
    expect(question()).toMatch(/^End “Whole slide/)
    answer(false)
    takes(runId, escapeAsksAfterMs + 1)
    clearResults()
    expect(question()).toBe('Delete the result of this slide?')
    expect(getState().ui.question?.text).toContain('would be ended')
    expect(await engine.invoke('run:status', { runId })).toMatchObject({ state: 'running' })
    answer(true)
    await expect.poll(async () => (await listed()).length).toBe(0)
  })

  it('are found by a page that is loaded again, with their tiles, their end and how they were shown', async () => {
    segment(fieldA)
    segment(fieldB)
    await done(2)
    const [first, second] = kept()
    chooseRun(second!.runId)
    showRun(first!.runId, false)
    const runId = await startsLong()
    chooseRun(second!.runId)
    const tiles = resultTiles.count(runId)
    await loads()
    await expect.poll(() => kept().map(({ runId: id }) => id)).toEqual([first!.runId, second!.runId, runId])
    await expect.poll(() => resultTiles.count(runId)).toBeGreaterThanOrEqual(tiles)
    await expect.poll(() => [getState().runs.activeId, getState().runs.hidden]).toEqual([second!.runId, [first!.runId]])
    const before = getState().runs.byId[runId]!.tilesDone
    await expect.poll(() => getState().runs.byId[runId]!.tilesDone).toBeGreaterThan(before)
    cancelRun(getState().runs.byId[runId])
    await expect.poll(() => getState().runs.byId[runId]?.state).toBe('cancelled')
    // The frame encloses what was done.
    const box = resultTiles.box(runId, getState().runs.byId[runId]!.grid)!
    expect(box.width * box.height).toBeGreaterThan(0)
  })

  it('go on when another slide is opened, are seen there, and are there when one comes back', async () => {
    const runId = await startsLong()
    await openSlide(other)
    expect(kept()).toEqual([])
    expect(notices()).toContain('is still running on CMU-1-Small-Region.svs')
    await expect.poll(() => getState().runs.elsewhere.map(({ status }) => status.runId)).toEqual([runId])
    const before = getState().runs.elsewhere[0]!.status.tilesDone
    await expect.poll(() => getState().runs.elsewhere[0]!.status.tilesDone).toBeGreaterThan(before)
    // As large a run waits for it.
    segment('whole', true)
    await expect.poll(() => kept()[0]?.state).toBe('queued')
    expect(getState().runs.elsewhere).toHaveLength(1)
    cancelRun(getState().runs.elsewhere[0]!.status)
    await expect.poll(() => getState().runs.elsewhere).toEqual([])
    expect(notices()).toMatch(/Whole slide(, run \d+)? of CMU-1-Small-Region\.svs was cancelled/)
    await expect.poll(() => kept()[0]?.state).toBe('running')
    await openSlide(sample)
    await expect.poll(() => kept().map(({ runId: id, state }) => [id, state])).toEqual([[runId, 'cancelled']])
    expect((await listed()).filter(({ status }) => !isOver(status))).toHaveLength(1)
  })
})

describe('an export', () => {
  it('goes on when another slide is opened, and writes its files', async () => {
    segment(fieldA)
    await done(1)
    const directory = join(dir, 'exported')
    hold = 'export:start'
    const exported = startExport({ runId: kept()[0]!.runId, directory, files: ['run.json'] })
    await openSlide(other)
    expect(getState().exporting.running).toBe(true)
    await expect.poll(() => held.length).toBe(1)
    for (const release of held.splice(0)) release()
    await exported
    expect(getState().exporting.error).toBeNull()
    expect(await readdir(directory)).toEqual(['run.json'])
  })
})

describe('a click with two outlines', () => {
  it('shows the one that fits, and the recipe’s when asked', async () => {
    const { slideId } = getState().slide.info!
    const { recipe } = getState()
    const asked = recipeOf(recipe)!
    const points = Array.from({ length: 225 }, (_, k) => ({ x: 1000 + 17 * (k % 15), y: 1400 + 13 * Math.floor(k / 15) }))
    for (const at of points) {
      const { object, outlined } = await engine.invoke('object:segment', { slideId, recipe: asked, ...at })
      if (!object || !outlined) continue
      await selectAt(at)
      expect(getState().selection).toMatchObject({ state: 'found', source: 'click', object: outlined.object })
      showOtherOutline()
      expect(getState().selection.object).toEqual(object)
      showOtherOutline()
      expect(getState().selection.object).toEqual(outlined.object)
      return
    }
    expect.unreachable('no click had two outlines')
  })
})

describe('what is true no more', () => {
  it.each([
    ['another slide', () => openSlide(other)],
    ['another calibration', () => openSlide(sample, 0.25)],
  ])('an answer to a click that comes when %s is on screen is not shown', async (_, opens) => {
    hold = 'object:segment'
    const clicked = selectAt({ x: 750, y: 750 })
    await expect.poll(() => held.length).toBe(1)
    await opens()
    hold = null
    for (const release of held.splice(0)) release()
    await clicked
    expect(getState().selection.state).toBe('none')
  })

  it('a preview that the engine has let go covers nothing: it is asked for again where it is looked at', async () => {
    patch('ui', { view: { center: { x: 900, y: 900 }, zoom: 2, rotation: 0, flipped: false, width: 600, height: 600 } })
    previewNow()
    await expect.poll(() => activeRun(getState().runs)?.state).toBe('done')
    const first = activeRun(getState().runs)!.runId
    await engine.invoke('run:delete', { runId: first })
    tileIsGone(first)
    // Live preview asks by itself.
    await expect.poll(() => activeRun(getState().runs)?.state).toBe('done')
    await expect.poll(() => activeRun(getState().runs)?.runId ?? first).not.toBe(first)
    expect(getState().runs.byId[first]).toBeUndefined()
  })

  it('a notice goes with the slide that it is about, and one about its run with the run', async () => {
    tellError({ code: 'SLIDE_UNREADABLE', message: 'a tile of the first' }, 'Segment', { slidePath: sample })
    tellError({ code: 'SLIDE_UNREADABLE', message: 'of no slide' }, 'Export')
    await openSlide(other)
    expect(notices()).not.toContain('a tile of the first')
    expect(notices()).toContain('of no slide')
    segment(fieldA)
    await done(1)
    const { runId } = kept()[0]!
    tellError({ code: 'INTERNAL', message: 'about the run' }, 'Segment', { slidePath: other, runId })
    expect(notices()).toContain('about the run')
    deleteRun(runId)
    await expect.poll(notices).not.toContain('about the run')
    await openSlide(sample)
  })

  const lost = { type: 'engine:lost', message: 'The engine stopped.', restarted: true, canRestart: false } as const

  it('what an engine’s end offers belongs to its slide: it goes when another is opened', async () => {
    await startsLong()
    tellPage({ ...lost, reopen: true })
    const { banner } = getState().ui
    expect(banner).toMatchObject({ slidePath: sample, closed: false, again: [{ region: 'whole', slidePath: sample }] })
    await openSlide(other)
    expect(getState().ui.banner).toBeNull()
    // Even where somebody still holds it.
    runAgain(banner!.again[0]!)
    expect(isStarting(getState().runs)).toBe(false)
    expect(kept()).toEqual([])
  })

  it('a slide that may have ended the engine is closed, and opened when the user wants it', async () => {
    tellPage({ ...lost, reopen: false })
    expect(getState().slide.info).toBeNull()
    expect(getState().ui.banner).toMatchObject({ slidePath: sample, closed: true })
    // A page that is loaded again does not open it by itself either, unless the shell says so.
    expect(sessionStorage.getItem('morphoscope.tab.v1')).toBeNull()
    openAgain()
    await expect.poll(() => getState().slide.info?.path).toBe(sample)
    expect(getState().ui.banner).toBeNull()
  })
})
