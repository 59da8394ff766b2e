// Corrections carried over to another run of the slide: by what is the same, nothing that a person said there is overwritten, one step of history.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunStatus } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { carriedTo, correctedRanks } from '../../../../main/project/objects/carry'
import type { ObjectEdits } from '../../../../main/project/objects/edits'
import { firstRecipe, realEngine, sample } from '../../realEngine'

const edits = (deleted: number[], byHand: number[], ids: string[]): ObjectEdits => ({
  ...{ deleted: Uint8Array.from(deleted), byHand: Uint8Array.from(byHand) },
  ...{ ids, rule: null, made: [] },
})

describe('what becomes of the other run’s objects', () => {
  const did = edits([1, 0, 0, 1, 0], [0, 1, 2, 2, 0], ['tumour', 'stroma'])
  it('is what was said of the same ones, under their own numbers', () => {
    expect(correctedRanks(did)).toEqual([0, 1, 2, 3])
    const pairs = [
      [0, 2],
      [1, 0],
      [2, 5],
      [3, 4],
    ] as const
    const { deleted, classified, counts } = carriedTo(pairs, did, undefined, 6)
    expect([...deleted]).toEqual([0, 0, 1, 0, 1, 0])
    expect([...classified].map(([id, mask]) => [id, [...mask]])).toEqual([
      ['tumour', [1, 0, 0, 0, 0, 0]],
      // One that was deleted keeps its class, for whoever restores it.
      ['stroma', [0, 0, 0, 0, 1, 1]],
    ])
    expect(counts).toEqual({ deleted: 2, classified: 2, already: 0, otherwise: 0 })
  })
  it('leaves what a person said of them there', () => {
    const own = edits([1, 0, 0], [0, 1, 2], ['stroma', 'tumour'])
    const pairs = [
      [0, 0],
      [1, 1],
      [2, 2],
    ] as const
    const { deleted, classified, counts } = carriedTo(pairs, edits([1, 0, 0], [0, 1, 1], ['tumour']), own, 3)
    expect([deleted.includes(1), classified.size]).toEqual([false, 0])
    expect(counts).toEqual({ deleted: 0, classified: 0, already: 2, otherwise: 1 })
  })
})

describe('two runs of a slide', () => {
  let dir: string
  let engine: Engine
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'carry-'))
    engine = realEngine(dir, { shell: 'serve' })
  })
  afterAll(async () => {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  })

  it('take corrections over where an object is the same, and say which do not fit', async () => {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const recipe = await firstRecipe(engine)
    const whole = { x: 600, y: 800, width: 512, height: 512 }
    const done = async (minArea: number, region = whole, pixelSizeUm = 0): Promise<RunStatus> => {
      const params = {
        ...recipe.params,
        image: { pixelSizeUm },
        objects: { ...recipe.params['objects'], minArea },
      }
      const request = { slideId, region, recipe: { ...recipe, params }, purpose: 'run' as const }
      const { runId } = await engine.invoke('run:start', request)
      await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 20_000 }).toBe('done')
      return engine.invoke('run:status', { runId })
    }
    const status = (runId: string) => engine.invoke('run:status', { runId })
    const rows = async (runId: string, filter: string) =>
      engine.invoke('table:view', { runId, filter, brush: null, sort: null, describe: 'area' })
    const edit = async (runId: string, filter: string, what: { type: 'delete' } | { type: 'classify'; classId: string }) => {
      const { view, rows: objects } = await rows(runId, filter)
      await engine.invoke('object:edit', { runId, choice: { view }, edit: what })
      return objects
    }

    const [a, b] = [await done(12), await done(20)]
    await expect(engine.invoke('object:carry', { from: a.runId, to: b.runId })).rejects.toThrow('no corrections')
    // A larger smallest area takes objects away and changes none: what is too small now is what does not fit.
    const { min: least, median, upperQuartile } = (await rows(b.runId, '')).statistics!
    const deleted = await edit(a.runId, `area > ${upperQuartile}`, { type: 'delete' })
    const tumour = await edit(a.runId, `area > ${median}`, { type: 'classify', classId: 'tumour' })
    const small = await edit(a.runId, `area < ${least}`, { type: 'classify', classId: 'stroma' })
    expect(Math.min(deleted, tumour, small)).toBeGreaterThan(0)
    expect(await status(a.runId)).toMatchObject({ deleted, byHand: tumour + small })
    const sameObjects = (await rows(b.runId, `area > ${upperQuartile}`)).rows
    expect(sameObjects).toBe(deleted)

    const found = await engine.invoke('object:carry', { from: a.runId, to: b.runId })
    expect(found).toMatchObject({ from: a.name, step: `Carry corrections over from ${a.name}` })
    expect(found).toMatchObject({ deleted, classified: tumour, already: 0, otherwise: 0, rule: false, unfit: small, outside: 0 })
    expect(found.places).toHaveLength(small)
    for (const { x, y, width, height, classId } of found.places) {
      expect(classId).toBe('stroma')
      const at = await engine.invoke('object:at', { runId: b.runId, x: x + width / 2, y: y + height / 2 })
      if (at) expect(at.area).toBeGreaterThanOrEqual(least)
    }
    expect(await status(b.runId)).toMatchObject({ objects: b.objects - deleted, deleted, byHand: tumour })
    expect((await rows(b.runId, `area > ${upperQuartile}`)).rows).toBe(0)
    expect((await rows(b.runId, 'class = tumor')).rows).toBe(tumour)
    // Said of them already.
    const again = await engine.invoke('object:carry', { from: a.runId, to: b.runId })
    expect(again).toMatchObject({ step: null, deleted: 0, classified: 0, already: deleted + tumour, unfit: small })

    const directory = join(dir, 'files')
    await engine.invoke('export:start', { runId: b.runId, directory, files: ['run.json', 'objects.csv'] })
    const counts = (JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { counts: object }).counts
    expect(counts).toMatchObject({ objects: b.objects - deleted, deleted, classByHand: tumour })

    // One step, with limits of classes too.
    await engine.invoke('project:undo', undefined)
    expect(await status(b.runId)).toMatchObject({ objects: b.objects })
    expect((await status(b.runId)).byHand).toBeUndefined()
    await engine.invoke('object:rule', { runId: a.runId, rule: { column: 'area', limits: [50] } })
    expect(await engine.invoke('object:carry', { from: a.runId, to: b.runId })).toMatchObject({ rule: true, deleted })
    expect((await status(b.runId)).rule).toEqual({ column: 'area', limits: [50] })
    expect(await engine.invoke('project:undo', undefined)).toBe(found.step)
    expect((await status(b.runId)).rule).toBeUndefined()
    expect(await engine.invoke('project:redo', undefined)).toBe(found.step)

    // Half of the place: the rest lies where it did not look.
    const part = await done(12, { ...whole, width: 256 })
    const partly = await engine.invoke('object:carry', { from: a.runId, to: part.runId })
    expect(partly.outside).toBeGreaterThan(0)
    expect(partly.deleted + partly.classified + partly.unfit + partly.outside).toBe(deleted + tumour + small)

    const coarse = await done(12, whole, 1)
    for (const [to, why] of [
      [coarse.runId, 'different resolutions'],
      [a.runId, 'own'],
    ] as const)
      await expect(engine.invoke('object:carry', { from: a.runId, to })).rejects.toThrow(why)

    // A run that is let go of takes the step with it.
    await engine.invoke('run:delete', { runId: part.runId })
    await engine.invoke('run:delete', { runId: b.runId })
    expect(await engine.invoke('project:undo', undefined)).toMatch(/^Classify by/)
  }, 60_000)
})
