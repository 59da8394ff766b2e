// An import of many regions: others are answered before it ends, it can be taken back, and a document that is changed meanwhile is no loss.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AppEvent } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { CancelledError, isCancelled } from '../../../../main/base/errors'
import { emptyContent } from '../../../../main/project/document'
import { exportRegions } from '../../../../main/project/geojsonFile/exporting'
import type { Projects } from '../../../../main/project/projects'
import { importInSteps, importOf } from '../../../../main/project/geojsonFile/geojson'
import { realEngine, sample } from '../../realEngine'

let engine: Engine
let slideId: string
let folder: string
const events: AppEvent[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'importing-'))
  engine = realEngine(folder, { shell: 'serve' })
  engine.onEvent((event) => void events.push(event))
  slideId = (await engine.invoke('slide:open', { path: sample })).slideId
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** Octagons beside each other; every tenth crosses itself and is repaired. */
function fileOf(count: number): string {
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y] = [(i % 200) * 10, Math.floor(i / 200) * 10]
    const ring = [3, 0, 6, 0, 9, 3, 9, 6, 6, 9, 3, 9, 0, 6, 0, 3].flatMap((at, k, all) =>
      k % 2 ? [] : [[x + at, y + all[k + 1]!]],
    )
    if (i % 10 === 0) [ring[1], ring[4]] = [ring[4]!, ring[1]!]
    return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }, properties: {} }
  })
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const count = async (): Promise<number> => (await engine.invoke('project:state', { slideId })).regions.length

/** Resolves in the middle of an import: some features are read, and others are not. */
const underWay = (): Promise<void> =>
  new Promise((resolve) => {
    const off = engine.onEvent((event) => {
      if (event.type !== 'import:progress') return
      off()
      resolve()
    })
  })

it('answers others in the middle of it', async () => {
  const order: string[] = []
  const importing = engine.invoke('project:import', { slideId, text: fileOf(800) }).then((done) => {
    order.push('import')
    return done
  })
  await underWay()
  // Calls of the project as well.
  for (const name of ['app:info', 'settings:get'] as const) order.push((await engine.invoke(name, undefined)) && name)
  order.push((await engine.invoke('project:state', { slideId })) && 'project:state')
  const done = await importing
  expect(order).toEqual(['app:info', 'settings:get', 'project:state', 'import'])
  expect(done).toMatchObject({ added: 800, leftOut: [] })
  expect(done.repaired[0]).toMatch(/^80 features/)
  expect(await count()).toBe(800)
  const told = events.flatMap((event) => (event.type === 'import:progress' ? [event] : []))
  for (const { fraction, slideId: about } of told) {
    expect(about).toBe(slideId)
    expect(fraction).toBeGreaterThanOrEqual(0)
    expect(fraction).toBeLessThan(1)
  }
  await engine.invoke('project:undo', undefined)
})

it('is taken back as a whole', async () => {
  const stop = new AbortController()
  const importing = engine.invoke('project:import', { slideId, text: fileOf(800) }, stop.signal)
  await underWay()
  stop.abort()
  await expect(importing).rejects.toSatisfy(isCancelled)
  expect(await count()).toBe(0)
})

it('is taken back while it is written, as a whole', async () => {
  const stop = new AbortController()
  const importing = engine.invoke('project:import', { slideId, text: fileOf(3000) }, stop.signal)
  const off = engine.onEvent((event) => {
    // Reading is over.
    if (event.type === 'import:progress' && event.fraction > 0.5) stop.abort()
  })
  await expect(importing).rejects.toSatisfy(isCancelled)
  off()
  expect(await count()).toBe(0)
  // Nothing is half done: the next change is written.
  expect(await engine.invoke('project:import', { slideId, text: fileOf(1) })).toMatchObject({ added: 1 })
  await engine.invoke('project:undo', undefined)
})

it('is written again while others are answered, and that ends where nobody waits for it', async () => {
  // So many take some 100 ms to write: who stops does so in the middle of it.
  await engine.invoke('project:import', { slideId, text: fileOf(12_000) })
  const { slide } = await engine.invoke('project:state', { slideId })
  const ask = { key: slide!, ids: null }
  const order: string[] = []
  const exporting = engine.invoke('project:export', ask).then((text) => {
    order.push('export')
    return text
  })
  order.push((await engine.invoke('app:info', undefined)) && 'app:info')
  order.push((await engine.invoke('settings:get', undefined)) && 'settings:get')
  expect((JSON.parse(await exporting) as { features: unknown[] }).features).toHaveLength(12_000)
  expect(order).toEqual(['app:info', 'settings:get', 'export'])
  const stop = new AbortController()
  const stopped = engine.invoke('project:export', ask, stop.signal)
  setImmediate(() => stop.abort())
  await expect(stopped).rejects.toSatisfy(isCancelled)
  await engine.invoke('project:undo', undefined)
})

it('tells how far the writing is, where that takes longer than a moment', async () => {
  const placed = Array.from({ length: 300 }, (_, place) => ({
    place,
    region: {
      ...{
        id: `00000000-0000-4000-8000-${place.toString(16).padStart(12, '0')}`,
        slide: 'a'.repeat(32),
        name: '',
        classId: null,
      },
      ...{ locked: false, shape: { kind: 'rectangle', x: place, y: 0, width: 1, height: 1 } as const, madeBy: 'hand' as const },
      createdAt: '2026-11-27T00:00:00Z',
    },
  }))
  const projects = {
    content: { ...emptyContent, regions: new Map(placed.map((each) => [each.region.id, each])) },
  } as unknown as Projects
  const asked = { key: 'a'.repeat(32), ids: null, hidden: false, corner: null }
  const told = async (patienceMs: number): Promise<AppEvent[]> => {
    const heard: AppEvent[] = []
    const texts = await exportRegions(
      projects.content,
      asked,
      new AbortController().signal,
      (event) => heard.push(event),
      patienceMs,
    )
    expect((JSON.parse(texts.join('')) as { features: unknown[] }).features).toHaveLength(300)
    return heard
  }
  expect(await told(-1)).toContainEqual({ type: 'regions:written', key: asked.key, fraction: 1 / 300 })
  expect(await told(60_000)).toEqual([])
})

it('loses nothing of what is done meanwhile', async () => {
  const importing = engine.invoke('project:import', { slideId, text: fileOf(500) })
  await underWay()
  const own = { ...importOf(fileOf(1), (await engine.invoke('project:state', { slideId })).slide!, emptyContent).command! }
  await engine.invoke('project:do', { command: own, slideId })
  expect(await importing).toMatchObject({ added: 500 })
  expect(await count()).toBe(501)
})

it('reads the same in steps as at once', async () => {
  const text = fileOf(300)
  const fractions: number[] = []
  const inSteps = await importInSteps(text, 'c'.repeat(32), emptyContent, new AbortController().signal, (done) =>
    fractions.push(done),
  )
  const atOnce = importOf(text, 'c'.repeat(32), emptyContent)
  const shapes = ({ command }: typeof atOnce): unknown =>
    command?.type === 'regions:add' && command.regions.map(({ shape }) => shape)
  expect(shapes(inSteps)).toEqual(shapes(atOnce))
  expect({ ...inSteps, command: null }).toEqual({ ...atOnce, command: null })
  expect(fractions).toEqual(Array.from({ length: 300 }, (_, i) => i / 300))
  const gone = AbortSignal.abort(new CancelledError('gone'))
  await expect(importInSteps(fileOf(500), 'c'.repeat(32), emptyContent, gone, () => undefined)).rejects.toThrow('gone')
})
