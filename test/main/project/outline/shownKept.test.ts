// What is shown is what is kept, through the real engine: 200 seeded wands, merges, splits and strokes, by pieces, area and perimeter.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ObjectDetails, Recipe, Ring, RunStatus, Shape } from '../../../../app/contract'
import { partsOfOutline } from '../../../../main/base/planar/outline'
import { areaOfShape } from '../../../../main/base/shapes'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { realEngine, sample } from '../../realEngine'

let dir: string
let engine: Engine
let slideId: string
let recipe: Recipe
let run: RunStatus
const found: ObjectDetails[] = []
const region = { x: 300, y: 300, width: 700, height: 600 }
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shown-'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  ;({ slideId } = await engine.invoke('slide:open', { path: sample }))
  recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
  const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', name: 'shown' })
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId })).state === 'done', 60_000)
  run = await engine.invoke('run:status', { runId })
  for (let id = 1; id <= run.objects; id++) found.push(await numbered(id))
}, 90_000)
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

let seed = 36
const random = (): number => (seed = (seed * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32
/** A point of an object, and how far to walk from it. */
const pointed = (): { points: [number, number][]; walk: number } => {
  const { x, y } = found[Math.floor(random() * found.length)]!.centroid
  return { points: [[x, y]], walk: Math.floor(random() * 16) }
}
/** Rings in an order and from a point that say nothing. */
const known = (parts: readonly (readonly Ring[])[]): string[] =>
  parts
    .flat()
    .map((ring) =>
      ring
        .map((point) => point.map((value) => value.toFixed(6)).join(','))
        .sort()
        .join(' '),
    ) // oxfmt-ignore
    .sort()
const numbered = (id: number): Promise<ObjectDetails> => engine.invoke('object:numbered', { runId: run.runId, id })
type Bounds = ObjectDetails['bounds']
const gapOf = (a: Bounds, b: Bounds): number =>
  Math.max(a.x - b.x - b.width, b.x - a.x - a.width, a.y - b.y - b.height, b.y - a.y - a.height)
/** Level-0 px of a pixel that the recipe looks at, and a little more. */
const scale = 2
interface Written {
  pieces: number
  area: number
}
/** Of each object of objects.geojson its number, pieces and area. */
async function written(): Promise<Map<number, Written>> {
  const directory = join(dir, 'out')
  await engine.invoke('export:start', { runId: run.runId, directory, files: ['objects.geojson'], overwrite: true })
  const { features } = JSON.parse(await readFile(join(directory, 'objects.geojson'), 'utf8')) as {
    features: { geometry: { type: string; coordinates: unknown }; properties: { name: string } }[]
  }
  return new Map(
    features.map(({ geometry, properties }) => {
      const parts = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Ring[][]
      return [Number(/\d+/.exec(properties.name)?.[0]), { pieces: parts.length, area: areaOfShape({ kind: 'polygon', parts }) }]
    }),
  )
}

it('40 wands, ragged ones among them: the region, its area and its file are what was shown, all pieces of it', async () => {
  let [ragged, kept] = [0, 0]
  for (let n = 0; kept < 40 && n < 200; n++) {
    const node = await engine.invoke('field:wand', { slideId, recipe, layer: '', ...pointed() })
    if (!node || node.parts.length === 0 || node.parts.flat(2).length > 20_000) continue
    kept += 1
    const shape: Shape = { kind: 'polygon', parts: node.parts }
    const { slide } = await engine.invoke('project:state', { slideId })
    const id = crypto.randomUUID()
    const createdAt = new Date().toISOString()
    const one = { id, slide: slide!, name: '', classId: null, locked: false, shape, createdAt, madeBy: 'hand' as const }
    await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [one] } })
    const { regions } = await engine.invoke('project:state', { slideId })
    const there = regions.find((each) => each.id === id)!.shape as Extract<Shape, { kind: 'polygon' }>
    expect(there.parts).toHaveLength(node.parts.length)
    ragged += Number(node.parts.length > 1)
    const [measured] = (await engine.invoke('project:measure', { key: slide!, runIds: [] })).filter((each) => each.id === id)
    expect(areaOfShape(there)).toBeCloseTo(areaOfShape(shape), 6)
    expect(measured!.areaMm2! * 1e6).toBeCloseTo(node.area, 4)
    const file = JSON.parse(await engine.invoke('project:export', { key: slide!, ids: [id] })) as {
      features: { geometry: { type: string; coordinates: unknown } }[]
    }
    const { type, coordinates } = file.features[0]!.geometry
    expect(type === 'Polygon' ? 1 : (coordinates as unknown[]).length).toBe(node.parts.length)
    await engine.invoke('project:undo', undefined)
  }
  expect(kept).toBe(40)
  expect(ragged).toBeGreaterThan(10)
}, 60_000)

it('60 merges, splits and strokes: one piece each, and the file has what the window shows', async () => {
  const { runId } = run
  const done = { merged: 0, split: 0, drawn: 0 }
  const made = {
    add: async (id: number): Promise<void> => {
      alive.add(id)
      const now = await tried(numbered(id))
      if (now) boxes.set(id, now.bounds)
    },
  }
  const boxes = new Map<number, ObjectDetails['bounds']>()
  const tried = async <T>(call: Promise<T>): Promise<T | null> =>
    call.catch((error: { code?: string }) => {
      if (error.code !== 'INVALID_PARAMETER' && error.code !== 'NOT_FOUND') throw error as Error
      return null
    })
  const alive = new Set(found.map(({ id }) => id))
  for (const { id, bounds } of found) boxes.set(id, bounds)
  for (let n = 0; n < 250 && Object.values(done).some((each) => each < 20); n++) {
    const ids = [...alive]
    const id = ids[Math.floor(random() * ids.length)]!
    const one = await tried(numbered(id))
    if (!one) {
      alive.delete(id)
      continue
    }
    boxes.set(id, one.bounds)
    const { x, y } = one.centroid
    const length = 4 + Math.max(one.bounds.width, one.bounds.height)
    const turn = random() * Math.PI
    const [dx, dy] = [length * Math.cos(turn), length * Math.sin(turn)]
    const before = (await engine.invoke('run:status', { runId })).made ?? 0
    const first = found.length + before + 1
    if (n % 3 === 0 && done.split < 20) {
      const line: [number, number][] = [[x - dx, y - dy], [x + dx, y + dy]] // oxfmt-ignore
      const split = await tried(engine.invoke('object:split', { runId, line }))
      if (!split) continue
      done.split += 1
      const after = (await engine.invoke('run:status', { runId })).made!
      // Ids of deleted objects stay gaps: made ones stand behind them.
      for (let id = first; id <= found.length + after; id++) await made.add(id)
    } else if (n % 3 === 1 && done.merged < 20) {
      const near = ids.filter((each) => each !== id && boxes.has(each) && gapOf(one.bounds, boxes.get(each)!) <= 2 * scale)
      const other = near.length === 0 ? null : await tried(numbered(near[Math.floor(random() * near.length)]!))
      if (!other) continue
      const merged = await tried(engine.invoke('object:merge', { runId, choice: { ids: [one.id, other.id] } }))
      if (!merged) continue
      done.merged += 1
      await made.add(merged.object)
      const now = await numbered(merged.object)
      expect(partsOfOutline(now.outline)).toHaveLength(1)
      expect(now.area).toBeGreaterThanOrEqual(one.area + other.area - 1e-6)
    } else if (done.drawn < 20) {
      const shape: Shape = { kind: 'ellipse', x: x + dx / 3 - 5, y: y + dy / 3 - 5, width: 10, height: 10 }
      const how = random() < 0.5 ? 'add' : 'subtract'
      const redrawn = await tried(engine.invoke('object:redraw', { runId, stroke: { id: one.id, how, shape } }))
      if (!redrawn) continue
      done.drawn += 1
      for (let id = first; id < first + redrawn.made; id++) await made.add(id)
    }
  }
  expect(Math.min(...Object.values(done))).toBeGreaterThanOrEqual(5)
  expect(done.merged + done.split + done.drawn).toBeGreaterThanOrEqual(45)
  const file = await written()
  let looked = 0
  for (const [id, inFile] of file) {
    if (id <= found.length) continue
    looked += 1
    const shown = await numbered(id)
    const parts = partsOfOutline(shown.outline)
    expect([id, inFile.pieces]).toEqual([id, parts.length])
    expect(parts).toHaveLength(1)
    expect(inFile.area).toBeCloseTo(areaOfShape({ kind: 'polygon', parts }), 6)
  }
  expect(looked).toBeGreaterThan(20)
}, 60_000)

it('the wand’s object is what it showed, where no other object is', async () => {
  const { runId } = run
  await engine.invoke('object:edit', {
    runId,
    choice: { shape: { kind: 'rectangle', x: 0, y: 0, width: 3000, height: 3000 } },
    edit: { type: 'delete' },
  })
  let [kept, ragged] = [0, 0]
  for (let n = 0; kept < 20 && n < 200; n++) {
    const node = await engine.invoke('field:wand', { slideId, recipe, layer: '', ...pointed() })
    if (!node || node.parts.length === 0 || node.area > 3000) continue
    const shape: Shape = { kind: 'polygon', parts: node.parts }
    const added = await engine.invoke('object:add', { runId, what: { shape } }).catch((error: { message: string }) => {
      if (!/did not look|already|fewer/.test(error.message)) throw error as unknown as Error
      return null
    })
    if (!added) continue
    kept += 1
    ragged += Number(node.parts.length > 1)
    const object = await numbered(added.object)
    expect(known(partsOfOutline(object.outline))).toEqual(known(node.parts))
    expect(object.area).toBeCloseTo(node.area, 4)
    await engine.invoke('project:undo', undefined)
  }
  expect(kept).toBe(20)
  expect(ragged).toBeGreaterThan(3)
}, 60_000)
