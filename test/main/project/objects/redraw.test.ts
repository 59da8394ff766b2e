// Objects that a person adds, and outlines redrawn by a brush: exact pixels, measured as found ones are, taken back, exported, carried, there after a start.
import fc from 'fast-check'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ObjectDetails, Recipe, RunStatus, Shape } from '../../../../app/contract'
import { tilePaths, unpackRows } from '../../../../app/contract'
import { holderOf } from '../../../../main/base/shapes'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { freePart, painted, pixelCount, pixelsIn, rubbed } from '../../../../main/project/objects/drawnPixels'
import { realEngine, sample } from '../../realEngine'

const extent = { widthPx: 40, heightPx: 30 }
const square = (x: number, y: number, size: number): Int32Array =>
  Int32Array.from(Array.from({ length: size }, (_, row) => [y + row, x, x + size]).flat())

it('holds the pixels whose centres the shape holds, by the contract’s rule', () => {
  const coordinate = fc.double({ min: -20, max: 100, noNaN: true })
  const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 7 })
  const parts = fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => rings.map((each) => [each]))
  fc.assert(
    fc.property(parts, fc.constantFrom(1, 2, 2.0032), (some, scale) => {
      const shape: Shape = { kind: 'polygon', parts: some }
      const holds = holderOf(shape)
      const runs = pixelsIn(shape, scale, extent)
      if (runs === 'large') throw new Error('it is not')
      const own = new Set<string>()
      for (let r = 0; r < runs.length; r += 3) for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) own.add(`${x} ${runs[r]}`)
      let others = 0
      for (let y = 0; y < extent.heightPx; y++)
        for (let x = 0; x < extent.widthPx; x++)
          if (own.has(`${x} ${y}`) !== holds((x + 0.5) * scale, (y + 0.5) * scale)) others++
      // A centre on an edge may fall to either side by the last digit of a division.
      expect(others).toBeLessThanOrEqual(1)
    }),
  )
})

it('adds what is connected and nobody else’s, rubs out into parts, and says where nothing is left', () => {
  const own = square(10, 10, 6)
  expect(painted(own, square(15, 10, 4), [])).toHaveLength(18)
  expect(pixelCount(painted(own, square(15, 10, 4), []) as Int32Array)).toBe(36 + 12)
  // Of the neighbour's pixels none, and of what lies behind it none either.
  expect(painted(own, square(16, 10, 6), [Int32Array.from([9, 16, 17, 10, 16, 17, 11, 16, 17, 12, 16, 17, 13, 16, 17, 14, 16, 17, 15, 16, 17, 16, 16, 17])])).toBeNull() // oxfmt-ignore
  expect(painted(own, square(25, 20, 4), [])).toBeNull()
  expect(rubbed(own, Int32Array.from([12, 0, 40])) as Int32Array[]).toHaveLength(2)
  expect(rubbed(own, square(0, 0, 40))).toEqual([])
  expect(rubbed(own, square(30, 10, 4))).toBeNull()
  expect(freePart(own, [Int32Array.from([12, 0, 40])])).toEqual(Int32Array.from([13, 10, 16, 14, 10, 16, 15, 10, 16]))
  expect(pixelCount(freePart(own, [square(0, 0, 40)]) as Int32Array)).toBe(0)
})

let dir: string
let engine: Engine
let slideId: string
let recipe: Recipe
let found: RunStatus

async function start(): Promise<void> {
  engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
  ;({ slideId } = await engine.invoke('slide:open', { path: sample }))
  await engine.invoke('project:state', { slideId })
}
async function run(name: string, values = recipe): Promise<RunStatus> {
  const region = { x: 300, y: 300, width: 700, height: 600 }
  const { runId } = await engine.invoke('run:start', { slideId, region, recipe: values, purpose: 'run', name })
  await vi.waitUntil(async () => (await engine.invoke('run:status', { runId })).state === 'done', 30_000)
  return engine.invoke('run:status', { runId })
}
/** Of what people make, whose surroundings nobody measures. */
const unscored = { contrast: null, score: null, scoreParts: null }
const numbered = (id: number, runId = found.runId): Promise<ObjectDetails> => engine.invoke('object:numbered', { runId, id })
const refused = async (call: Promise<unknown>, words: RegExp): Promise<void> =>
  expect(call).rejects.toMatchObject({ code: 'INVALID_PARAMETER', message: expect.stringMatching(words) as string })
async function exported(to: string): Promise<string[]> {
  const directory = join(dir, to)
  const files = ['objects.csv', 'objects.geojson'] as const
  await engine.invoke('export:start', { runId: found.runId, directory, files: [...files] })
  return Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')))
}
/** The largest that is not at the region's edge. */
async function middle(among = ''): Promise<ObjectDetails> {
  const filter = `area > 12 and x > 340 and x < 960 and y > 340 and y < 860 ${among}`
  const { view, columns } = await engine.invoke('table:view', {
    ...{ runId: found.runId, filter, brush: null, describe: 'area' },
    sort: { column: 'area', descending: true },
  })
  const answer = await engine.tile(tilePaths.table(found.runId, view, 0))
  return numbered(unpackRows(answer.body.buffer, columns.length)[0]![0]!)
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'redraw-'))
  await start()
  recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
  found = await run('first')
}, 60_000)
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

it('an object that is added under a recipe is what that finds there, to the last bit; by a shape, what is free of it', async () => {
  const { runId } = found
  const plain = await exported('plain')
  const object = await middle()
  const at = object.centroid
  await refused(engine.invoke('object:add', { runId, what: { at } }), /an object already/)
  await refused(engine.invoke('object:add', { runId, what: { at: { x: 20, y: 20 } } }), /no object at that point|did not look/)
  await engine.invoke('object:edit', { runId, choice: { ids: [object.id] }, edit: { type: 'delete' } })
  const added = await engine.invoke('object:add', { runId, what: { at, recipe } })
  expect(added).toMatchObject({ name: 'Add an object', object: found.objects + 1 })
  // What is found there touches none of the others.
  expect(added.leftOut.others).toEqual({ px: 0, um2: 0, objects: 0 })
  expect(await numbered(added.object)).toEqual({ ...object, ...unscored, id: added.object })
  expect(await engine.invoke('run:status', { runId })).toMatchObject({ objects: found.objects, deleted: 1, made: 1 })
  const [csv, geojson] = await exported('added')
  expect(csv).toContain(',hand,')
  expect(geojson).toContain('"madeBy":"hand"')

  // A shape over it, and more: the pixels that are nobody's. It is told where the run did not look.
  const { x, y, width, height } = object.bounds
  const shape: Shape = { kind: 'rectangle', x, y, width, height }
  await refused(engine.invoke('object:add', { runId, what: { shape } }), /an object already/)
  await refused(engine.invoke('object:add', { runId, what: { shape: { ...shape, x: 1500 } } }), /did not look/)
  await refused(engine.invoke('object:add', { runId, what: { shape: { ...shape, width: 1, height: 1 } } }), /fewer than 5 px/)
  // What others have of a larger one is left out, and told: to the pixel.
  const around = { ...shape, x: x - width, y: y - height, width: 3 * width, height: 3 * height }
  const { object: wide, leftOut } = await engine.invoke('object:add', { runId, what: { shape: around } })
  const { grid, analysedMpp } = found
  const drawn = pixelCount(pixelsIn(around, grid.scale, { widthPx: 1e4, heightPx: 1e4 }) as Int32Array)
  const perPx = analysedMpp! ** 2
  expect(leftOut.others.um2).toBeGreaterThanOrEqual(object.area - 1e-6)
  expect(leftOut.others.objects).toBeGreaterThanOrEqual(1)
  expect((await numbered(wide)).area / perPx + leftOut.others.px + leftOut.apart.px).toBeCloseTo(drawn, 6)
  expect(leftOut.others.um2).toBeCloseTo(leftOut.others.px * perPx, 9)
  expect(await engine.invoke('project:undo', undefined)).toBe('Add an object')

  expect(await engine.invoke('project:undo', undefined)).toBe('Add an object')
  await engine.invoke('project:undo', undefined)
  expect(await exported('undone')).toEqual(plain)
  await engine.invoke('project:redo', undefined)
  await engine.invoke('project:redo', undefined)
  expect(await exported('redone')).toEqual([csv, geojson])
}, 60_000)

it('a brush adds to an object and rubs out of it, takes nothing from others, and all of it is there after a start', async () => {
  const { runId } = found
  const object = await middle()
  const { x, y } = object.centroid
  const { bounds } = object
  const stroke: Shape = { kind: 'rectangle', x: bounds.x - 12, y: y - 4, width: 24, height: 8 }
  const before = await engine.invoke('run:status', { runId })
  const more = await engine.invoke('object:redraw', { runId, stroke: { id: object.id, how: 'add', shape: stroke } })
  expect(more).toMatchObject({ name: 'Redraw an object', made: 1 })
  const gained = (await numbered(more.object)).area - object.area
  expect(gained).toBeGreaterThan(0)
  // Of the stroke's px each became the object's, was its own, or is told.
  const { others, apart } = more.leftOut!
  expect(gained + others.um2! + apart.um2!).toBeLessThan(24 * 8 * 0.25)
  const larger = await numbered(more.object)
  expect(larger.area).toBeGreaterThan(object.area)
  expect(larger.bounds.x).toBeLessThan(bounds.x)
  await refused(
    engine.invoke('object:redraw', { runId, stroke: { id: more.object, how: 'add', shape: stroke } }),
    /Nothing to add/,
  )
  await refused(engine.invoke('object:redraw', { runId, stroke: { id: object.id, how: 'add', shape: stroke } }), /was deleted/)
  // Without what was added it has the figures that it had.
  await engine.invoke('project:undo', undefined)
  expect(await numbered(object.id)).toEqual(object)
  await engine.invoke('project:redo', undefined)
  const across: Shape = { kind: 'rectangle', x: x - 1, y: bounds.y - 5, width: 3, height: bounds.height + 10 }
  const cut = await engine.invoke('object:redraw', { runId, stroke: { id: more.object, how: 'subtract', shape: across } })
  expect(cut.made).toBeGreaterThanOrEqual(2)
  const whole: Shape = { kind: 'rectangle', x: x - 200, y: y - 200, width: 400, height: 400 }
  await refused(
    engine.invoke('object:redraw', { runId, stroke: { id: cut.object, how: 'subtract', shape: whole } }),
    /Nothing of the object would be left/,
  )
  const after = await engine.invoke('run:status', { runId })
  expect(after.objects).toBe(before.objects - 1 + cut.made)
  const state = await exported('redrawn')

  await engine.close()
  await start()
  await expect
    .poll(async () => {
      const [restored] = await engine.invoke('run:list', undefined)
      if (restored?.status.made === undefined) return 'coming'
      found = { ...restored.status, objects: found.objects }
      return restored.status.state
    })
    .toBe('done')
  expect(await exported('restarted')).toEqual(state)
}, 60_000)

it('what was added is carried to the next run, in place of what was deleted there; where the program found it by itself it is there already', async () => {
  const next = await run('second')
  const parts = (await engine.invoke('run:status', { runId: found.runId })).made!
  const report = await engine.invoke('object:carry', { from: found.runId, to: next.runId })
  expect(report).toMatchObject({ deleted: 1, made: parts, unfit: 0 })
  expect(await engine.invoke('object:carry', { from: found.runId, to: next.runId })).toMatchObject({
    step: null,
    already: 1 + parts,
  })

  // Of stricter values, and what other values find there added by a click.
  const object = await middle(`and id <= ${found.objects}`)
  const strict = await run('strict', { ...recipe, params: { ...recipe.params, objects: { minArea: 200 } } })
  const { runId } = strict
  const none = { ...recipe, params: { ...recipe.params, objects: { minArea: 200 } } }
  await refused(engine.invoke('object:add', { runId, what: { at: object.centroid, recipe: none } }), /no object at that point/)
  // By a click alone, what a click shows: the path around it, as no values that a click tries find one that is so small.
  const clicked = await engine.invoke('object:segment', { slideId: strict.slideId, recipe: none, ...object.centroid })
  expect(clicked).toMatchObject({ object: null, outlined: { by: 'path' } })
  const { object: path } = await engine.invoke('object:add', { runId, what: { at: object.centroid } })
  expect(await numbered(path, runId)).toMatchObject({
    area: clicked.outlined!.object.area,
    bounds: clicked.outlined!.object.bounds,
  })
  await engine.invoke('project:undo', undefined)
  await engine.invoke('object:add', { runId, what: { at: object.centroid, recipe } })
  const third = await run('third')
  expect(await engine.invoke('object:carry', { from: runId, to: third.runId })).toMatchObject({ step: null, made: 0, already: 1 })
}, 60_000)
