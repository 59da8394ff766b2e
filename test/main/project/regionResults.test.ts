// Which result a region's figures come from: one recipe with one set of values at a time, on rows, in the summary and in the list of slides.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Recipe, RegionOfInterest, RunStatus, Shape, SummaryRow } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import { groupsOf } from '../../../main/project/summary/summaryGroups'
import { sharedWords } from '../../../renderer/store/cohort/summaryWords'
import { realEngine } from '../realEngine'
import { writeTiled } from '../slide/halfMissing'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'region-results-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Of a square of 512 px its two halves along the diagonal, whose boxes are the same. */
const triangles: Shape[] = [
  [[256, 256], [768, 256], [256, 768]],
  [[768, 256], [768, 768], [256, 768]],
].map((ring) => ({ kind: 'polygon', parts: [[ring as [number, number][]]] })) // oxfmt-ignore

it('rows, summary and slides follow the chosen result, else the newest of its recipe and values, and name it', async () => {
  const path = join(dir, 'slide.tif')
  await writeTiled(path)
  const engine = realEngine(join(dir, 'desk'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path })
  const key = (await engine.invoke('project:state', { slideId })).slide!
  const regions = triangles.map((shape, i): RegionOfInterest => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${i}`, slide: key, name: ['Left', 'Right'][i]!, locked: false, shape },
    ...{ classId: ['tumour', 'stroma'][i]!, madeBy: 'hand', createdAt: '2026-11-22T00:00:00Z' },
  }))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
  const specs = await engine.invoke('recipe:list', undefined)
  const [he, ihc] = ['he-nuclei', 'ihc-nuclei'].map((id) => defaultRecipe(specs.find((spec) => spec.id === id)!)) as [
    Recipe,
    Recipe,
  ]
  const run = async (recipe: Recipe, shape: Shape): Promise<RunStatus> => {
    const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', within: [shape], recipe, purpose: 'run' })
    const status = () => engine.invoke('run:status', { runId })
    await expect.poll(async () => (await status()).state, { timeout: 20_000, interval: 20 }).toBe('done')
    return status()
  }
  // As "Segment in all" with one recipe, and then with another.
  const [a, b] = [await run(he, triangles[0]!), await run(he, triangles[1]!)]
  const [c, d] = [await run(ihc, triangles[0]!), await run(ihc, triangles[1]!)]
  const runIds = [a, b, c, d].map(({ runId }) => runId)
  const of = async (chosen?: RunStatus): Promise<(string | null)[]> =>
    (await engine.invoke('project:measure', { runIds, key, ...(chosen && { chosen: chosen.runId }) })).map(({ runId }) => runId)
  expect(await of(d)).toEqual([c.runId, d.runId])
  expect(await of(c)).toEqual([c.runId, d.runId])
  expect(await of(b)).toEqual([a.runId, b.runId])
  // None is chosen: the newest.
  expect(await of()).toEqual([c.runId, d.runId])
  // Other values are another recipe, and nothing stands in for what was not run.
  const other = await run({ ...ihc, params: { ...ihc.params, split: { ...ihc.params['split'], depth: 0.9 } } }, triangles[0]!)
  runIds.push(other.runId)
  expect(await of(other)).toEqual([other.runId, null])
  expect(await of(d)).toEqual([c.runId, d.runId])
  // A run in a triangle looked at the triangle, whatever the box around it.
  const [left] = await engine.invoke('project:measure', { runIds, key, chosen: d.runId })
  expect([d.withinPx, d.analysedPx, left!.areaPx, left!.analysedPx]).toEqual([131_072, 131_072, 131_072, 131_072])

  // Kept, they are what the summary and the list of slides tell of.
  for (const runId of runIds.slice(0, 4)) await engine.invoke('project:keep', { runId })
  const [listed] = await engine.invoke('project:slides', undefined)
  expect(listed).toMatchObject({ state: 'in regions', regions: 2, segmentedRegions: 2 })
  const summary = await engine.invoke('project:summary', {})
  expect(
    summary.rows.map(({ region, class: name, state, recipe, result, objects }) => [region, name, state, recipe, result, objects]),
  ).toEqual([
    [null, '', 'in regions', null, null, null],
    ['Left', 'Tumor', 'done', 'IHC nuclei', c.name, c.objects],
    ['Right', 'Stroma', 'done', 'IHC nuclei', d.name, d.objects],
  ])
  const mm2 = (131_072 * 0.25) / 1e6
  expect(summary.groups).toMatchObject([
    { slide: 'slide.tif', class: 'Stroma', regions: 1, slides: 1, objects: d.objects, perMm2: d.objects / mm2 },
    { slide: 'slide.tif', class: 'Tumor', regions: 1, slides: 1, objects: c.objects, perMm2: c.objects / mm2 },
  ])
  expect(summary.groupsCsv.split('\n')[1]).toMatch(/^slide\.tif,Stroma,IHC nuclei,[0-9a-f]{8},1,1,/)
  const followed = await engine.invoke('project:summary', { runIds: [a.runId] })
  expect(followed.rows.slice(1).map(({ recipe, result }) => [recipe, result])).toEqual([
    ['H&E nuclei', a.name],
    ['H&E nuclei', b.name],
  ])
  // A region that is another shape by now was not run.
  await engine.invoke('project:do', {
    ...{
      slideId,
      command: {
        type: 'regions:change',
        changes: [{ id: regions[0]!.id, shape: { kind: 'rectangle', x: 0, y: 0, width: 9, height: 9 } }],
      },
    },
  })
  expect((await engine.invoke('project:slides', undefined))[0]).toMatchObject({ state: 'in regions', segmentedRegions: 1 })
  await engine.close()
}, 60_000)

it('what regions of a class, or of a run, share counts once in its sums, and that is said', async () => {
  const path = join(dir, 'overlap.tif')
  await writeTiled(path)
  const engine = realEngine(join(dir, 'overlap'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path })
  const key = (await engine.invoke('project:state', { slideId })).slide!
  // A nucleus every 32 px, at 16 px of each: 16 × 8 of them in the first, as many in the second, and 8 × 8 in both. The third has them all.
  const shapes: Shape[] = [
    { kind: 'rectangle', x: 256, y: 256, width: 512, height: 256 },
    { kind: 'rectangle', x: 512, y: 256, width: 512, height: 256 },
    { kind: 'rectangle', x: 256, y: 256, width: 768, height: 256 },
  ]
  const regions = shapes.map((shape, i): RegionOfInterest => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${i}`, slide: key, name: ['A', 'B', 'C'][i]!, locked: false, shape },
    ...{ classId: ['tumour', 'tumour', 'stroma'][i]!, madeBy: 'hand', createdAt: '2026-11-22T00:00:00Z' },
  }))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
  const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!)
  const run = async (within: Shape[]): Promise<RunStatus> => {
    const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', within, recipe, purpose: 'run' })
    const status = () => engine.invoke('run:status', { runId })
    await expect.poll(async () => (await status()).state, { timeout: 20_000, interval: 20 }).toBe('done')
    return status()
  }
  // One run in both.
  const both = await run(shapes.slice(0, 2))
  expect([both.withinPx, both.analysedPx, both.objects]).toEqual([768 * 256, 768 * 256, 24 * 8])
  expect(both.warnings.join()).toContain('counts once')
  // A run in each, as the window makes them.
  const runIds: string[] = []
  for (const shape of shapes) runIds.push((await run([shape])).runId)
  for (const runId of runIds) await engine.invoke('project:keep', { runId })
  const { rows, groups, groupsCsv } = await engine.invoke('project:summary', { runIds: [runIds[2]!] })
  // Each row has all of its own.
  expect(rows.slice(1).map(({ region, objects }) => [region, objects])).toEqual([['A', 128], ['B', 128], ['C', 192]]) // oxfmt-ignore
  const mm2 = (768 * 256 * 0.25) / 1e6
  expect(groups).toMatchObject([
    { class: 'Stroma', regions: 1, objects: 192, analysedMm2: mm2, perMm2: 192 / mm2 },
    {
      class: 'Tumor',
      regions: 2,
      objects: 192,
      analysedMm2: mm2,
      perMm2: 192 / mm2,
      shared: { mm2: expect.closeTo(mm2 / 3, 9) as number, objects: 64 },
    },
  ])
  expect(groups[0]!.shared).toBeUndefined()
  const [head, stroma, tumour] = groupsCsv.trim().split(/\r?\n/)
  expect(head).toMatch(/,shared_mm2,shared_objects,positive_share_low,positive_share_high,allred$/)
  expect([stroma!.endsWith(',,,,,'), tumour!.endsWith(',64,,,')]).toEqual([true, true])
  expect(sharedWords(groups)).toBe(
    'Regions of one class overlap. Objects in several of them count once in the sums: Tumor on overlap.tif (0.016 mm² with 64 objects).',
  )
  await engine.close()
}, 60_000)

it('classes are added up over slides, and results that cannot be compared are not', () => {
  const row = (
    slide: string,
    name: string,
    values: string,
    objects: number,
    analysedMm2: number,
    positive: number,
  ): SummaryRow => ({
    ...{ slide, region: 'r', class: name, state: 'done', recipe: 'IHC nuclei', values, result: 'r', areaPx: 0, areaMm2: 9 },
    ...{ analysedMm2, tissueMm2: null, objects, perMm2: 0, perMm2Tissue: null, positiveShare: null, hScore: null, why: null },
    classes: [
      { id: 'positive', label: 'Positive', objects: positive },
      { id: 'negative', label: 'Negative', objects: objects - positive },
    ],
  })
  const groups = groupsOf([
    row('a', 'Tumor', 'v1', 100, 1, 50),
    row('a', 'Tumor', 'v1', 300, 1, 0),
    row('b', 'Tumor', 'v1', 100, 2, 100),
    row('b', 'Tumor', 'v2', 7, 1, 7),
    row('b', 'Stroma', 'v1', 10, 1, 1),
  ])
  // 500 objects on 4 mm², 150 of them positive.
  expect(groups.filter(({ slide }) => slide === null)).toMatchObject([
    { class: 'Stroma', slides: 1, regions: 1, objects: 10, perMm2: 10, positiveShare: 0.1 },
    { class: 'Tumor', values: 'v1', slides: 2, regions: 3, objects: 500, perMm2: 125, positiveShare: 0.3 },
    { class: 'Tumor', values: 'v2', slides: 1, regions: 1, objects: 7, perMm2: 7, positiveShare: 1 },
  ])
  expect(groups.filter(({ slide }) => slide === 'a')).toMatchObject([{ class: 'Tumor', regions: 2, objects: 400, perMm2: 200 }])
})
