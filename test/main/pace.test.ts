// The time of a run is told after a restart too, from what the start before has computed; the file that it rests on names no slide.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RunEstimate } from '../../app/contract'
import { defaultRecipe } from '../../main/engine'
import type { Engine } from '../../main/engine'
import type { Draft } from '../../main/run/analysis/analysis'
import { Throughput } from '../../main/run/request/throughput'
import type { StageTiming } from '../../native/index'
import { realEngine, sample } from './realEngine'

const path = sample
let dir: string
let engine: Engine | undefined
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pace-'))
})
afterEach(async () => {
  await engine?.close()
  await rm(dir, { recursive: true, force: true })
})

async function starts(): Promise<{ slideId: string; estimate: () => Promise<RunEstimate>; ran: () => Promise<void> }> {
  await engine?.close()
  const now = realEngine(dir, { shell: 'serve' })
  engine = now
  const { slideId } = await now.invoke('slide:open', { path })
  const recipe = defaultRecipe((await now.invoke('recipe:list', undefined))[0]!)
  return {
    slideId,
    estimate: () => now.invoke('run:estimate', { slideId, region: 'whole', recipe }),
    ran: async () => {
      const ended = new Promise((resolve) => now.onEvent((event) => event.type === 'run:end' && resolve(null)))
      await now.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run' })
      await ended
    },
  }
}

it('is known to the next start, as it was', async () => {
  const first = await starts()
  expect(await first.estimate()).toMatchObject({ ms: null, basis: 'none' })
  await first.ran()
  // What it needs of memory is the moment's.
  const { memory: _, ...told } = await first.estimate()
  expect(told).toMatchObject({ basis: 'measured', ms: expect.any(Number) as number })
  const second = await starts()
  expect(await second.estimate()).toMatchObject(told)
  const file = join(dir, 'pace.json')
  expect(await readFile(file, 'utf8')).not.toContain('CMU-1')
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it('of another machine, or of a damaged file, is not believed', async () => {
  await (await starts()).ran()
  await engine?.close()
  const file = join(dir, 'pace.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/"machine": ".*"/, '"machine": "elsewhere"'))
  expect((await (await starts()).estimate()).basis).toBe('none')
  await engine?.close()
  await writeFile(file, text.replace(/"ms": [\d.]+/, '"ms": -1'))
  expect((await (await starts()).estimate()).basis).toBe('none')
})

it('is kept of so many slides, the ones met last', () => {
  const draft = (name: string): Draft =>
    ({ spec: { id: 'x' }, device: 'cpu', grid: { scale: 1 }, slide: { info: { path: name } }, haloPx: 10 }) as Draft
  let runs = 0
  const throughput = new Throughput(() => runs++)
  for (let i = 0; i < 300; i++) throughput.addRun(draft(`${i}`), 15e6, 1000 + i)
  expect(runs).toBe(300)
  const { ran } = throughput.learnt()
  expect(Object.keys(ran)).toHaveLength(100)
  const next = new Throughput()
  next.addRun(draft('299'), 15e6, 7)
  next.remember({ ran, windows: {} })
  expect(next.estimate(draft('299'), 15e6, 1)).toMatchObject({ ms: 7, basis: 'measured' })
  expect(next.estimate(draft('298'), 15e6, 1)).toMatchObject({ ms: 1298, basis: 'measured' })
  expect(next.estimate(draft('0'), 15e6, 1).basis).toBe('sampled')
})

it('is told from windows by what they cost, a thread’s time each, until a run has told it', () => {
  const draft = { spec: { id: 'x' }, device: 'cpu', grid: { scale: 1 }, slide: { info: { path: 'a' } } } as Draft
  const timing = { stage: 'image', device: 'cpu', variant: 'cpu', ms: 30, pixels: 1e6, work: [] } as StageTiming
  const throughput = new Throughput()
  expect(throughput.estimate(draft, 8e6, 2)).toEqual({ ms: null, basis: 'none' })
  throughput.addWindow(draft, [timing, { ...timing, stage: 'channel', ms: 10 }], { cost: 1e6, threads: 2 })
  // 80 ms of a thread for each million: eight of them by two threads.
  expect(throughput.estimate(draft, 8e6, 2)).toEqual({ ms: 320, basis: 'sampled' })
  // Of a slider's window, and of a GPU's, nothing is learnt.
  throughput.addWindow(draft, [{ ...timing, kept: true }], { cost: 1e6, threads: 1 })
  throughput.addWindow({ ...draft, device: 'gpu:0' }, [timing], { cost: 1e6, threads: 1 })
  expect(throughput.estimate(draft, 8e6, 2).ms).toBe(320)
  throughput.addRun(draft, 20e6, 500)
  expect(throughput.estimate(draft, 8e6, 2)).toEqual({ ms: 200, basis: 'measured' })
})
