// Objects that people make of a run with cells have cells too: of the same pixels among the same nuclei the recipe's own, to the last bit.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ObjectDetails, Recipe } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { realEngine, sample } from '../../realEngine'

let dir: string
let engine: Engine
let runId: string
let recipe: Recipe

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'made-cells-'))
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  await engine.invoke('project:state', { slideId })
  const plain = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
  recipe = { ...plain, params: { ...plain.params, cells: { ...plain.params['cells'], expansion: 6 } } }
  const region = { x: 300, y: 300, width: 700, height: 600 }
  ;({ runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' }))
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId })).state === 'done', 30_000)
}, 60_000)
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

const numbered = (id: number): Promise<ObjectDetails> => engine.invoke('object:numbered', { runId, id })
const unscored = { contrast: null, score: null, scoreParts: null }

it('are those that the recipe gave the same pixels, to the last bit', async () => {
  const { objects } = await engine.invoke('run:status', { runId })
  let same = 0
  for (let id = 5; id <= objects; id += 3) {
    const object = await numbered(id)
    expect(object.cell).toBeTruthy()
    await engine.invoke('object:edit', { runId, choice: { ids: [id] }, edit: { type: 'delete' } })
    const added = await engine.invoke('object:add', { runId, what: { at: object.centroid, recipe } }).catch(() => null)
    const again = added && (await numbered(added.object))
    // At the rim of the region a click finds more of it than the run has.
    if (again?.area === object.area) {
      expect(again).toEqual({ ...object, ...unscored, id: again.id })
      same += 1
    }
    for (let n = 0; n < (added ? 2 : 1); n++) await engine.invoke('project:undo', undefined)
  }
  expect(same).toBeGreaterThan(5)
})

it('share the cell of an object that is split', async () => {
  const { objects } = await engine.invoke('run:status', { runId })
  let largest = await numbered(1)
  for (let id = 2; id <= objects; id++) {
    const each = await numbered(id)
    if (each.area > largest.area) largest = each
  }
  const { x, y } = largest.centroid
  const line: [number, number][] = [
    [x, y - 30],
    [x, y + 30],
  ]
  const { objects: split } = await engine.invoke('object:split', { runId, line })
  expect(split).toBe(1)
  const parts: ObjectDetails[] = []
  for (let id = objects + 1; ; id++) {
    const part = await numbered(id).catch(() => null)
    if (!part) break
    parts.push(part)
  }
  expect(parts.length).toBeGreaterThan(1)
  const sumOf = (at: number): number => parts.reduce((sum, { cell }) => sum + cell![at]!.value, 0)
  expect(sumOf(0)).toBeCloseTo(largest.cell![0]!.value, 6)
  // A new border between them, with its membranes.
  expect(sumOf(1)).toBeLessThan(largest.cell![1]!.value)
})
