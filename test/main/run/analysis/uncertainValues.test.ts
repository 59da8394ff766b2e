// Values that adapt to a slide whose sample could not be read in full: nothing that they give is certain, and whoever goes on once it can be read
// ends with the intact slide's.
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { isPartialRun } from '../../../../app/contract'
import type { RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { OverviewSamples } from '../../../../main/slide/overviewSamples'
import { firstRecipe, realEngine, sample } from '../../realEngine'

interface Ran {
  readonly status: RunStatus
  /** null where it was not exported. */
  readonly csv: string | null
  readonly record: { readonly valuesUncertain?: true; readonly warnings: string[] } | null
}
let base: string
let whole: Ran
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'uncertain-values-'))
  whole = await ran(join(base, 'none'))
})
afterAll(() => rm(base, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

/** Three of the sample's places cannot be read, and those in their place are darker. */
function loseSample(): void {
  const get = Reflect.get<OverviewSamples, 'get'>(OverviewSamples.prototype, 'get')
  vi.spyOn(OverviewSamples.prototype, 'get').mockImplementation(async function (this: OverviewSamples, ...asked) {
    const intact = await get.apply(this, asked)
    return { ...intact, rgba: intact.rgba.map((value, i) => (i % 4 === 3 ? value : value >> 1)), passedOver: 3 }
  })
}

let engines = 0
/** A run, or what its journal goes on with where there is one. */
async function ran(journals: string, { exports = true } = {}): Promise<Ran> {
  const settings = join(base, `settings-${++engines}`)
  const engine = realEngine(settings, { journal: { directory: journals, keepsOver: true } })
  try {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const [entry] = await engine.invoke('journal:list', undefined)
    const region = { x: 774, y: 774, width: 500, height: 500 }
    const recipe = await firstRecipe(engine)
    const status = await ended(engine, () =>
      entry
        ? engine.invoke('journal:resume', { journalId: entry.journalId, slideId })
        : engine.invoke('run:start', { slideId, region, recipe, purpose: 'run', threads: 2 }),
    )
    expect(status).toMatchObject({ state: 'done', unreadableTiles: 0 })
    if (!exports) return { status, csv: null, record: null }
    const directory = join(base, `files-${engines}`)
    await engine.invoke('export:start', { runId: status.runId, directory, files: ['objects.csv', 'run.json'] })
    return {
      status,
      csv: await readFile(join(directory, 'objects.csv'), 'utf8'),
      record: JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as Ran['record'],
    }
  } finally {
    await engine.close()
  }
}

async function ended(engine: Engine, begin: () => Promise<RunStatus>): Promise<RunStatus> {
  const over = new Promise<RunStatus>((resolve) =>
    engine.onEvent((event) => void (event.type === 'run:end' && resolve(event.status))),
  )
  await begin()
  return over
}

const saysSo = (words: string): boolean => words.includes('nothing of this result is certain')

it('make nothing certain, and the run is computed anew once the sample can be read', async () => {
  const journals = join(base, 'lost')
  loseSample()
  const lost = await ran(journals)
  expect(lost.csv).not.toBe(whole.csv)
  expect(lost.status.certainty).toMatchObject({ certainMegapixels: 0, certainAtOnce: 0 })
  expect(lost.status.certainty.checkedMegapixels).toBeCloseTo(whole.status.certainty.checkedMegapixels, 6)
  expect(whole.status.certainty.certainMegapixels).toBeGreaterThan(0)
  expect([isPartialRun(lost.status), isPartialRun(whole.status)]).toEqual([true, false])
  // No tile is called uncertain for it: what was computed is kept as it is.
  expect(lost.status.uncertainTiles).toBeUndefined()
  expect(lost.record).toMatchObject({ valuesUncertain: true, warnings: [expect.stringContaining('nothing of this result')] })
  expect(await readdir(journals)).toHaveLength(1)

  // While it still cannot be read the run keeps its values.
  const again = await ran(journals)
  expect(again.csv).toBe(lost.csv)
  expect(again.status).toMatchObject({ valuesUncertain: true, resumedTiles: lost.status.tilesTotal })
  expect(again.status.warnings.filter(saysSo)).toHaveLength(1)

  vi.restoreAllMocks()
  const healed = await ran(journals)
  expect(healed.csv).toBe(whole.csv)
  expect(healed.status.valuesUncertain).toBeUndefined()
  expect(healed.status).toMatchObject({ resumedTiles: 0, certainty: whole.status.certainty })
  expect(healed.status.warnings).toEqual([expect.stringContaining('the values differ, so that all was computed again')])
  expect(await readdir(journals).catch(() => [])).toEqual([])
})

it('give way to those that the run was begun with, where these came from all of the sample', async () => {
  const journals = join(base, 'begun')
  await ran(journals, { exports: false })
  const [name] = await readdir(journals)
  const path = join(journals, name!)
  // The last tiles are to be computed again.
  await truncate(path, (await stat(path)).size - 64)
  loseSample()
  const { csv, status } = await ran(journals)
  expect(csv).toBe(whole.csv)
  expect(status.resumedTiles).toBeLessThan(status.tilesTotal)
  expect(status.valuesUncertain).toBeUndefined()
  expect(status.warnings.filter(saysSo)).toEqual([])
})

it('are said by every answer that stands on them', async () => {
  const region = { x: 900, y: 900, width: 256, height: 256 }
  const answers = async (name: string) => {
    const engine = realEngine(join(base, name))
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const recipe = await firstRecipe(engine)
    const asked = { slideId, region, recipe, purpose: 'run', threads: 2 } as const
    const { runId } = await ended(engine, () => engine.invoke('run:start', asked))
    const why = await engine.invoke('object:why', { slideId, recipe, x: 1024, y: 1024, offers: false })
    const wand = await engine.invoke('field:wand', { slideId, recipe, layer: '', points: [[1024, 1024]], walk: 0 })
    const cuts = await engine.invoke('field:cuts', { slideId, recipe, region, stage: 'threshold', param: 'level' })
    const { parts } = await engine.invoke('run:verify', { runId, regions: [region], random: 0 })
    await engine.close()
    const { equal, certain } = parts[0]!
    return { why: [why?.certain, why?.unread], wand: wand?.unread, cuts: cuts?.unreadShare, verified: [equal, certain] }
  }
  expect(await answers('sure')).toEqual({ why: [true, undefined], verified: [true, true] })
  loseSample()
  expect(await answers('unsure')).toEqual({ why: [false, true], wand: true, cuts: 1, verified: [true, false] })
})

it('are known as such of a run whose objects a document holds', async () => {
  loseSample()
  const settings = join(base, 'kept')
  const desk = async () => {
    const engine = realEngine(settings, { shell: 'serve' })
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    await engine.invoke('project:state', { slideId })
    return { engine, slideId }
  }
  const one = await desk()
  const region = { x: 774, y: 774, width: 250, height: 250 }
  const asked = { slideId: one.slideId, region, recipe: await firstRecipe(one.engine), purpose: 'run', threads: 2 } as const
  const { runId } = await ended(one.engine, () => one.engine.invoke('run:start', asked))
  await one.engine.invoke('project:keep', { runId })
  await one.engine.close()
  // Whatever can be read by then: its objects are what they were.
  vi.restoreAllMocks()
  const two = await desk()
  const [kept] = await vi.waitFor(
    async () => {
      const all = (await two.engine.invoke('run:list', undefined)).map(({ status }) => status)
      expect(all.map(({ state }) => state)).toEqual(['done'])
      return all
    },
    { timeout: 10_000 },
  )
  expect(kept).toMatchObject({ valuesUncertain: true, certainty: { certainMegapixels: 0 } })
  expect(kept!.warnings.filter(saysSo)).toHaveLength(1)
  await two.engine.close()
})
