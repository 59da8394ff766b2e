// What a density is of: of a region that reaches beyond its slide what lies on it, of one beyond it nothing, and tissue is what the Tissue layer shows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RegionOfInterest, Shape } from '../../../app/contract'
import { hasTissueFigure, tissueFigure } from '../../../main/run/analysis/tissueOfRun'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'areas-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const square = (x0: number, y0: number, x1: number, y1: number): Shape => ({
  kind: 'polygon',
  parts: [[[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]]],
}) // oxfmt-ignore
/** The bundled slide has 2220 × 2967 px. */
const shapes = {
  'corner beyond': square(1500, 2000, 2320, 3067),
  corner: square(1500, 2000, 2220, 2967),
  outside: square(3000, 3000, 3100, 3100),
}

it('regions that reach beyond the slide have the figures of what lies on it; where nothing was looked at is a blank', async () => {
  const engine = realEngine(join(dir, 'desk'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const key = (await engine.invoke('project:state', { slideId })).slide!
  const regions = Object.entries(shapes).map(([name, shape], i): RegionOfInterest => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${i}`, slide: key, name, locked: false, shape },
    ...{ classId: null, madeBy: 'import', createdAt: '2026-11-22T00:00:00Z' },
  }))
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
  const recipe = await firstRecipe(engine)
  const region = { x: 1400, y: 1900, width: 820, height: 1067 }
  const { runId } = await engine.invoke('run:start', { slideId, region, recipe, purpose: 'run' })
  const status = () => engine.invoke('run:status', { runId })
  await expect.poll(async () => (await status()).state, { timeout: 60_000, interval: 50 }).toBe('done')

  const [beyond, corner, outside] = await engine.invoke('project:measure', { runIds: [runId], key, chosen: runId })
  expect(corner!.objects).toBeGreaterThan(100)
  // At 803bda9 the first had 820 × 1067 px, and so two thirds of the density.
  expect(beyond).toEqual({ ...corner, id: beyond!.id })
  expect(beyond).toMatchObject({ areaPx: 720 * 967, analysedPx: 720 * 967 })
  expect(beyond!.tissueMm2).toBeLessThan(beyond!.areaMm2!)
  expect(outside).toMatchObject({ areaPx: 0, areaMm2: 0, objects: null, runId: null })

  await engine.invoke('project:keep', { runId })
  const { rows, csv } = await engine.invoke('project:summary', { runIds: [runId] })
  const of = (name: string) => rows.find((row) => row.region === name)!
  const { perMm2, perMm2Tissue, tissueMm2, analysedMm2, objects } = of('corner beyond')
  expect([perMm2, perMm2Tissue]).toEqual([objects! / analysedMm2!, objects! / tissueMm2!])
  expect(perMm2Tissue).toBeGreaterThan(perMm2!)
  expect(of('outside')).toMatchObject({ objects: null, perMm2: null, positiveShare: null, why: 'it lies beyond the slide' })
  const [header, ...lines] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const blank = lines.find((cells) => cells[1] === 'outside')!
  for (const column of ['objects', 'objects_per_mm2_area', 'objects_per_mm2_tissue', 'positive_share', 'h_score'])
    expect(blank[header!.indexOf(column)], column).toBe('')

  // The table of the run's objects by region says the same.
  const { view } = await engine.invoke('table:view', { runId, filter: '', brush: null, sort: null, describe: 'area' })
  const groups = await engine.invoke('table:groups', { runId, view, column: 'area', regionsOf: key })
  expect(groups.map(({ name, rows: n, perMm2: density }) => [name, n, density])).toEqual([
    ['corner beyond', objects, perMm2],
    ['corner', objects, perMm2],
    ['outside', null, null],
  ])
  await engine.close()
}, 120_000)

it('fluorescence has no figure of tissue: what shines is the nuclei themselves', () => {
  type Draft = Parameters<typeof tissueFigure>[0]
  type Tissue = Parameters<typeof tissueFigure>[1]
  const draft = (stainSet: string) => ({ spec: { stainSet } }) as Draft
  const tissue = { areaIn: () => 5, knows: () => true } as unknown as Tissue
  const rect = { x: 0, y: 0, width: 3, height: 3 }
  expect([hasTissueFigure(draft('rgb')), tissueFigure(draft('rgb'), tissue, rect)]).toEqual([false, null])
  expect([tissueFigure(draft('h-e'), tissue, rect), tissueFigure(draft('h-e'), null, rect)]).toEqual([5, null])
  const hidden = { areaIn: () => 5, knows: () => false } as unknown as Tissue
  expect(tissueFigure(draft('h-e'), hidden, rect)).toBeNull()
})
