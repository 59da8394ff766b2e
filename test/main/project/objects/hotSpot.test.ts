// The hot spot: found as the definition says, counted as any region is, and the same in every file, whatever the tiles and threads.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  positiveShareOf,
  shareIntervalOf,
  usualHotSpot,
  type HotSpot,
  type Recipe,
  type Region,
  type Shape,
} from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { finished } from '../../../../main/base/breather'
import { HotSquares } from '../../../../main/project/objects/hotSquares'
import { cli } from '../../../app/cli/inProcess'
import { hot, hotSpotNuclei, paintsHotSpot } from '../../../hotSpotPicture'
import { seeded } from '../../../stress/seeded'
import { realEngine } from '../../realEngine'

interface Place {
  readonly column: number
  readonly row: number
  readonly positive: boolean
}

/** By the definition's words, from each object alone. */
function bestOf(places: readonly Place[], least: number): { column: number; row: number } | null {
  const found = places.map(({ column, row }) => {
    let [positive, all, inside] = [0, 0, 0]
    for (const other of places) {
      const [dx, dy] = [Math.abs(other.column - column), Math.abs(other.row - row)]
      const weight = Math.max(0, 25 - dx * dx - dy * dy)
      all += weight
      if (other.positive) positive += weight
      if (Math.hypot(dx + 0.5, dy + 0.5) <= 5) inside += 1
    }
    return { column, row, share: positive / all, all, inside }
  })
  const enough = found.filter(({ inside }) => inside >= least)
  enough.sort((a, b) => b.share - a.share || b.all - a.all || a.row - b.row || a.column - b.column)
  return enough[0] ? { column: enough[0].column, row: enough[0].row } : null
}

it('lies where the definition has it, in 200 clouds of objects, in whatever order they come', () => {
  const next = seeded(20261127)
  let without = 0
  for (let n = 0; n < 200; n++) {
    const wide = 3 + Math.floor(40 * next())
    const places = Array.from({ length: 1 + Math.floor(300 * next()) }, () => ({
      column: Math.floor(wide * next()) - 1,
      row: Math.floor(wide * next()) - 1,
      positive: next() < 0.3,
    }))
    const least = 1 + Math.floor(25 * next())
    const expected = bestOf(places, least)
    if (expected === null) without += 1
    for (const order of [places, places.toReversed()]) {
      const squares = new HotSquares()
      for (const { column, row, positive } of order) squares.add(column, row, positive)
      const best = finished(squares.best(least))
      expect(best && { column: best.column, row: best.row }).toEqual(expected)
    }
  }
  expect(without).toBeGreaterThan(5)
})

let folder: string
let slide: string
const engines: Engine[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-hot-spot-'))
  slide = join(folder, 'ki67.tif')
  await paintsHotSpot(slide)
})
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await rm(folder, { recursive: true, force: true })
})

const whole: Region | 'whole' = 'whole'
async function ranOn(name: string, { path = slide, threads = 2, by = 'positive', region = whole } = {}) {
  const engine = realEngine(join(folder, name), { shell: 'serve' })
  engines.push(engine)
  const { slideId } = await engine.invoke('slide:open', { path })
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!
  const plain = defaultRecipe(spec)
  const recipe: Recipe = { ...plain, params: { ...plain.params, classes: { ...plain.params['classes'], by } } }
  const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', threads })
  await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 100_000 }).toBe('done')
  return { engine, runId, slideId }
}
const field = { diameterUm: 200, leastObjects: 30 }

it('of a region smaller than the circle has the region’s own objects, and the area that was looked at', async () => {
  const region: Region = { x: hot.x - 150, y: hot.y - 100, width: 300, height: 260 }
  const { engine, runId } = await ranOn('small', { region })
  const { shape, measure } = (await engine.invoke('run:hotSpot', { runId, field }))!
  if (shape.kind !== 'ellipse') throw new Error(shape.kind)
  const [x, y] = [shape.x + 200, shape.y + 200]
  const own = hotSpotNuclei.filter(
    (at) => at.x > region.x && at.y > region.y && at.x < region.x + region.width && at.y < region.y + region.height,
  )
  const inside = own.filter((at) => Math.hypot(at.x - x, at.y - y) < 200)
  expect(inside.length).toBeGreaterThan(30)
  // Nuclei at the rim of the region and of the circle are its own or not by a px.
  expect(Math.abs(measure.objects! - inside.length)).toBeLessThanOrEqual(8)
  expect(positiveShareOf(measure.classes!)).toBeGreaterThan(0.7)
  // 0.5 µm a px.
  expect(measure.analysedMm2).toBeLessThanOrEqual((300 * 260 * 0.25) / 1e6)
  expect(measure.areaMm2).toBeCloseTo(Math.PI * 0.01, 9)
})

it('is where most nuclei are brown, and its figures are the truth’s', async () => {
  const { engine, runId } = await ranOn('one')
  const found = (await engine.invoke('run:hotSpot', { runId, field }))!
  const { shape, measure } = found
  if (shape.kind !== 'ellipse') throw new Error(shape.kind)
  // A circle of 200 µm is 400 px; it lies in the hot place, which is 520 px wide.
  expect([shape.width, shape.height]).toEqual([400, 400])
  const middle = { x: shape.x + 200, y: shape.y + 200 }
  expect(Math.hypot(middle.x - hot.x, middle.y - hot.y)).toBeLessThan(hot.radius - 150)
  const inside = hotSpotNuclei.filter(({ x, y }) => Math.hypot(x - middle.x, y - middle.y) < 200)
  // Nuclei at the rim may be counted by a px more or less.
  expect(Math.abs(measure.objects! - inside.length)).toBeLessThanOrEqual(4)
  const share = inside.filter(({ isBrown }) => isBrown).length / inside.length
  expect(Math.abs(positiveShareOf(measure.classes!)! - share)).toBeLessThan(0.03)
  expect(share).toBeGreaterThan(0.7)
  expect(positiveShareOf((await engine.invoke('run:status', { runId })).classes!)).toBeLessThan(0.3)
  expect(measure.areaMm2).toBeCloseTo(Math.PI * 0.01, 9)

  // As a region of that shape is measured.
  const status = await engine.invoke('run:status', { runId })
  const { slide: key } = await engine.invoke('project:state', { slideId: status.slideId })
  const region = {
    ...{ id: '00000000-0000-4000-8000-000000000001', slide: key!, name: 'Hot spot', classId: null, locked: false, shape },
    ...{ createdAt: '2026-11-27T00:00:00Z', madeBy: 'program' as const },
  }
  await engine.invoke('project:do', { slideId: status.slideId, command: { type: 'regions:add', regions: [region] } })
  const [asRegion] = await engine.invoke('project:measure', { key: key!, runIds: [runId] })
  expect(asRegion).toMatchObject({ objects: measure.objects, classes: measure.classes })

  // So does the project's summary.
  await engine.invoke('settings:set', { hotSpot: field })
  const { rows, csv } = await engine.invoke('project:summary', { runIds: [runId] })
  const counts = measure.classes!.map(({ id, label, objects }) => ({ id, label, objects }))
  expect(rows[0]!.hotSpot).toEqual({ ...field, ...middle, objects: measure.objects, classes: counts })
  // By its own objects, which are all in one circle of it.
  expect(rows[1]!.hotSpot).toMatchObject({ ...field, classes: counts.map(({ id }) => ({ id })) })
  const told = `${positiveShareOf(counts)},${shareIntervalOf(counts)!.join(',')},${measure.objects},200,${middle.x},${middle.y}`
  expect(csv.split('\n')[1]!.endsWith(`,${told},,,`)).toBe(true)

  // The files tell the same.
  const directory = join(folder, 'files')
  await engine.invoke('export:start', { runId, directory, files: ['run.json', 'report.html'], hotSpotField: field })
  const { hotSpot } = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as {
    hotSpot: HotSpot & { positiveShare: number }
  }
  expect(hotSpot).toMatchObject({ ...field, shape, objects: measure.objects, positiveShare: positiveShareOf(measure.classes!) })
  const report = await readFile(join(directory, 'report.html'), 'utf8')
  expect(report).toContain(`${(100 * hotSpot.positiveShare).toFixed(1)} % positive`)
  expect(report).toContain('The circle of 200 µm with the highest share')
  expect(report).toContain('The hot spot.')

  // Who cancels while it is looked for is heard: no file is begun.
  const files = new Set<string | null>()
  const off = engine.onEvent((event) => {
    if (event.type !== 'export:progress') return
    if (files.size === 0) void engine.invoke('export:cancel', { runId })
    files.add(event.file)
  })
  const to = { runId, directory: join(folder, 'cancelled'), files: ['run.json' as const] }
  expect(await engine.invoke('export:start', { ...to, hotSpotField: { ...field, leastObjects: 31 } })).toMatchObject({
    cancelled: true,
    files: [],
  })
  off()
  expect([...files]).toEqual([null])

  // It is searched once while nothing changes, and anew in another field or after a change.
  const again = await engine.invoke('run:hotSpot', { runId, field })
  expect(again).toEqual(found)
  expect(await engine.invoke('run:hotSpot', { runId, field: { ...field } })).toBe(again)
  // Without enough objects there is none; the settings' field is asked where none is given.
  expect(await engine.invoke('run:hotSpot', { runId, field: { ...field, leastObjects: 1000 } })).toBeNull()
  await engine.invoke('settings:set', { hotSpot: field })
  expect(await engine.invoke('run:hotSpot', { runId })).toEqual(found)
  expect((await engine.invoke('settings:set', { hotSpot: usualHotSpot })).hotSpot).toEqual(usualHotSpot)
})

it('is told of each region by the objects alone that it holds, as the definition says of them', async () => {
  const { engine, runId, slideId } = await ranOn('regions')
  const directory = join(folder, 'table')
  await engine.invoke('export:start', { runId, directory, files: ['objects.csv'] })
  const [head = '', ...lines] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split('\n')
  const [x, y, className] = ['centroid_x_px', 'centroid_y_px', 'class'].map((name) => head.split(',').indexOf(name))
  const objects = lines.map((line) => {
    const cells = line.split(',')
    return { x: Number(cells[x!]), y: Number(cells[y!]), positive: cells[className!] === 'positive' }
  })
  const { slide: key } = await engine.invoke('project:state', { slideId })
  const triangle: [number, number][] = [
    [100, 1500],
    [1200, 100],
    [2300, 1500],
  ]
  const within: [Shape, (at: { x: number; y: number }) => boolean][] = [
    // Far from the hot place, across its middle, around it aslant, and too small for a circle of so many.
    [{ kind: 'rectangle', x: 0, y: 0, width: 1200, height: 1600 }, (at) => at.x < 1200],
    [{ kind: 'rectangle', x: hot.x, y: 0, width: 2400 - hot.x, height: 1600 }, (at) => at.x >= hot.x],
    [{ kind: 'polygon', parts: [[triangle]] }, (at) => at.y < 1500 && at.y - 100 > (1400 / 1100) * Math.abs(at.x - 1200)],
    [{ kind: 'rectangle', x: 40, y: 40, width: 200, height: 200 }, () => false],
  ]
  const regions = within.map(([shape], i) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${i}`, slide: key!, name: `R${i}`, classId: null, locked: false, shape },
    ...{ createdAt: '2026-11-27T00:00:00Z', madeBy: 'program' as const },
  }))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
  await engine.invoke('settings:set', { hotSpot: field })
  const { rows } = await engine.invoke('project:summary', { runIds: [runId] })
  const truth = within.map(([, holds]) => {
    const own = objects.filter(holds)
    // 20 µm a square, 0.5 µm a px.
    const best = bestOf(
      own.map((at) => ({ column: Math.floor(at.x / 40), row: Math.floor(at.y / 40), positive: at.positive })),
      field.leastObjects,
    )
    if (!best) return undefined
    const middle = { x: 40 * (best.column + 0.5), y: 40 * (best.row + 0.5) }
    const inside = own.filter((at) => Math.hypot(at.x - middle.x, at.y - middle.y) < 200)
    return { ...middle, objects: inside.length, positive: inside.filter(({ positive }) => positive).length }
  })
  const told = rows.slice(1).map(({ hotSpot }) => {
    if (!hotSpot) return undefined
    const positive = hotSpot.classes.find(({ id }) => id === 'positive')!.objects
    return { x: hotSpot.x, y: hotSpot.y, objects: hotSpot.objects, positive }
  })
  expect(told).toEqual(truth)
  expect(truth.map((each) => each !== undefined)).toEqual([true, true, true, false])
  // A report says the same of each.
  const reported = join(folder, 'reported')
  await engine.invoke('export:start', { runId, directory: reported, files: ['report.html'], hotSpotField: field })
  const report = (await readFile(join(reported, 'report.html'), 'utf8')).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  for (const each of truth)
    if (each)
      expect(report).toMatch(
        new RegExp(` ${((100 * each.positive) / each.objects).toFixed(1)} % \\([^)]*\\) of ${each.objects} `),
      )
  // What the circle holds beyond the region is not counted.
  const around = objects.filter((at) => Math.hypot(at.x - truth[1]!.x, at.y - truth[1]!.y) < 200)
  expect(truth[1]!.objects).toBeLessThan(around.length)
})

it('is the same with one thread, with grades, and is none of objects or slides of which nothing can be said', async () => {
  const [one, other] = [await ranOn('two'), await ranOn('three', { threads: 1, by: 'grades' })]
  const [a, b] = await Promise.all([one, other].map(({ engine, runId }) => engine.invoke('run:hotSpot', { runId, field })))
  expect(b!.shape).toEqual(a!.shape)
  expect(positiveShareOf(b!.measure.classes!)).toBe(positiveShareOf(a!.measure.classes!))
  expect(b!.measure.classes!.map(({ id }) => id)).toEqual(['negative', 'weak', 'moderate', 'strong'])
  // By hand: the brown ones of another corner, all positive, and all others negative.
  await one.engine.invoke('object:rule', { runId: one.runId, rule: { column: 'area', limits: [1e6] } })
  expect(positiveShareOf((await one.engine.invoke('run:hotSpot', { runId: one.runId, field }))!.measure.classes!)).toBe(0)
  const path = join(folder, 'uncalibrated.png')
  await sharp(slide).png().toFile(path)
  const uncalibrated = await ranOn('four', { path })
  expect(await uncalibrated.engine.invoke('run:hotSpot', { runId: uncalibrated.runId, field })).toBeNull()
})

it('is told by the command line, in its words, its JSON and run.json, in the field that was asked for', async () => {
  const out = join(folder, 'cli')
  const asked = ['run', slide, '--recipe', 'ihc-nuclei', '--hot-spot', '200,30', '--files', 'run.json', '--out', out]
  const run = await cli(...asked)
  expect(run.code, run.err).toBe(0)
  const [, share, counted] =
    /hot spot: ([\d.]+) % positive, 95 % interval [\d. to]+ %, of (\d+) objects in a circle of 200 µm/.exec(run.out)!
  const record = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as {
    hotSpot: { positiveShare: number; objects: number }
  }
  expect([share, Number(counted)]).toEqual([(100 * record.hotSpot.positiveShare).toFixed(1), record.hotSpot.objects])
  const told = JSON.parse((await cli(...asked, '--overwrite', '--json')).out) as { hotSpot: { classes: Record<string, number> } }
  const { positive, negative } = told.hotSpot.classes
  expect(positive! / (positive! + negative!)).toBe(record.hotSpot.positiveShare)
  for (const wrong of ['50', '200,0', '200,30,1', 'large', ','])
    expect(await cli('run', slide, '--hot-spot', wrong, '--out', out)).toMatchObject({ code: 2 })
})
