// The last preview comes, whatever overtakes what: the window's own store, the real engine, and a line between them that is late by chance.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isOver, type Recipe, type SlideInfo } from '../../app/contract'
import type { Engine } from '../../main/engine'
import { setApi, type Api } from '../../renderer/api'
import { engineState } from '../../renderer/store/engine/engineState'
import { listen } from '../../renderer/store/events'
import { setParam } from '../../renderer/store/recipe/recipeActions'
import { previewPending, stopPreviews, viewSettled } from '../../renderer/store/runs/previewActions'
import { resultTiles } from '../../renderer/store/runs/resultTiles'
import { deleteRun } from '../../renderer/store/runs/runList'
import { segmentVisible } from '../../renderer/store/runs/runActions'
import { fullRuns, runsAt } from '../../renderer/store/slices/runSlice'
import { recipeKey, recipeOf, setSpecs } from '../../renderer/store/slices/recipeSlice'
import { firstState, getState, patch, update, useStore } from '../../renderer/store/store'
import { realEngine, sample } from '../main/realEngine'
import { seed, seeded, times } from '../stress/seeded'
import { cpu, machine, settings } from './windowFixture'

const rounds = times('PREVIEWS', 12)
const longestMs = 40

let dir: string
let engine: Engine
let slide: SlideInfo
let leave: () => void
const random = seeded(seed)
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!

/** As a socket or a port: nothing overtakes anything, and everything takes its time. */
function line(): (deliver: () => void) => void {
  let tail = Promise.resolve()
  return (deliver) => {
    const ms = random() < 0.2 ? random() * longestMs : 0
    // What waited behind a late one comes along with it.
    tail = tail.then(() => (ms > 0 ? sleep(ms) : undefined)).then(deliver)
  }
}

/** The real engine behind a slow line each way; answers and events share theirs. */
function lateApi(): Api {
  const [up, down] = [line(), line()]
  return {
    call: (name, arg) =>
      new Promise((resolve) => up(() => void engine.call(name, arg).then((result) => down(() => resolve(result as never))))),
    onEvent: (listener) => engine.onEvent((event) => down(() => listener(event))),
    onConnection: () => () => undefined,
    tileUrl: (path) => path,
    pathOfFile: () => null,
  }
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'previews-'))
  engine = realEngine(join(dir, 'settings'))
  await engine.invoke('settings:set', { threads: 1 })
  slide = await engine.invoke('slide:open', { path: sample })
  const specs = await engine.invoke('recipe:list', undefined)
  useStore.setState(firstState, true)
  setApi(lateApi())
  leave = listen()
  patch('slide', { info: slide })
  patch('ui', { app: machine([cpu]), connection: 'online', settings, livePreview: true })
  looksAt(900)
  update('recipe', (recipe) => setSpecs(recipe, specs, specs[0]!.id))
})
afterAll(async () => {
  stopPreviews()
  leave()
  await engine.close()
  useStore.setState(firstState, true)
  await rm(dir, { recursive: true, force: true })
})

function looksAt(y: number): void {
  patch('ui', { view: { center: { x: 1000, y }, zoom: 1, rotation: 0, flipped: false, width: 600, height: 400 } })
}
const recipe = (): Recipe => recipeOf(getState().recipe)!
const levels = [1.1, 1.2, 1.3, 1.4]

const steps = {
  step: () => setParam('threshold', 'level', oneOf(levels), true),
  drag: () => setParam('threshold', 'level', oneOf(levels), false),
  pan: () => {
    looksAt(oneOf([900, 950, 1500]))
    viewSettled()
  },
  run: segmentVisible,
}

async function tunes(): Promise<void> {
  const all = [...Array<keyof typeof steps>(5).fill('step'), ...Array<keyof typeof steps>(3).fill('drag'), 'pan', 'run'] as const
  for (let n = 0; n < 7; n++) {
    steps[oneOf(all)]()
    if (random() < 0.4) await sleep(random() * longestMs)
  }
  // The last word is a slider's: often what it was a moment ago.
  for (let n = 0; n < 3; n++) steps.step()
}

it('the preview of the newest values is there in the end, with all of its tiles, and nothing else goes on', async () => {
  for (let round = 0; round < rounds; round++) {
    await tunes()
    const about = `round ${round} of seed ${seed}`
    const runs = () => getState().runs
    await vi.waitFor(() => expect([previewPending(), fullRuns(runs()).every(isOver)], about).toEqual([false, true]))
    const { x, y } = getState().ui.view!.center
    const shown = runsAt(runs(), x, y)[0]
    expect(shown, about).toMatchObject({ state: 'done' })
    expect(runs().keyById[shown!.runId], about).toBe(recipeKey(recipe()))
    await vi.waitFor(() => expect(engineState(getState()), about).toBe('ready'), 2000)
    const tiles = await engine.invoke('run:tiles', { runId: shown!.runId })
    expect(tiles.length, about).toBeGreaterThan(0)
    expect(resultTiles.count(shown!.runId), about).toBe(tiles.length)
    const going = async () => (await engine.invoke('run:list', undefined)).filter(({ status }) => !isOver(status)).length
    await vi.waitFor(async () => expect(await going(), about).toBe(0), 2000)
    for (const { runId } of fullRuns(runs())) deleteRun(runId)
    await vi.waitFor(() => expect(fullRuns(runs()), about).toEqual([]))
  }
})
