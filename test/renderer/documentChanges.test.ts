// The page's document is the engine's, whatever is done to it and whichever events are lost, doubled or late.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppEvent, DocumentState } from '../../app/contract'
import { finished } from '../../main/base/breather'
import { changeOf } from '../../main/project/told'
import { placedOf, regionsOfSlide } from '../../main/project/regions/placed'
import { standing } from '../../main/project/slides/standing'
import { documentChanged, refreshProject } from '../../renderer/store/document/documentActions'
import { getState, patch } from '../../renderer/store/store'
import { deed, one, type Deed } from '../main/project/anyCommands'
import { Model, regionIds, runIds, runOf, slideA, slideB } from '../main/project/documentModel'
import { setUpWindow, slide } from './windowFixture'

type Changed = Extract<AppEvent, { type: 'document:changed' }>

/** As it is written for a page and in the file, which know no -0. */
const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** A document as the engine leads it, without its folders. */
class Engine {
  readonly model = new Model([runOf(runIds[0], 4), runOf(runIds[1], 3, true)])
  readonly #tally = { taken: new Map<string, number>(), refused: new Map<string, number>() }

  /** What it tells of it; null: nothing has changed. */
  do(what: Deed): Changed | null {
    const { content, revision, slides } = this.model
    const known = JSON.stringify([...slides])
    one(this.model, what, this.#tally)
    const now = this.model
    if (now.revision === revision) return null
    const isSame = JSON.stringify([...now.slides]) === known
    const change = isSame ? changeOf(content, now, now.store) : undefined
    return { type: 'document:changed', revision: now.revision, ...(change && { change }) }
  }

  state(key: string): DocumentState {
    const { content, slides, steps, store, revision } = this.model
    return {
      ...standing(content, slides, steps, null, store),
      ...{ revision, slide: key, ...finished(regionsOfSlide(content, key)), recovered: false, trouble: null },
    }
  }
}

function pageOf(engine: Engine, key: string) {
  const page = setUpWindow({
    'project:state': () => ({ ok: true, value: DocumentState.parse(written(engine.state(key))) }),
    'project:regions': (arg) => ({ ok: true, value: placedOf(engine.model.content, (arg as { ids: string[] }).ids) }),
    'project:measure': () => ({ ok: true, value: [] }),
    'project:measureAll': () => ({ ok: true, value: { measures: [] } }),
  })
  patch('slide', { info: slide })
  return page
}

/** Lists have no order but that of their keys. */
const sorted = (doc: DocumentState | null) =>
  doc &&
  written({
    ...doc,
    runs: doc.runs.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    slides: doc.slides.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  })

const settled = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 0))
}

const last: Deed = () => ({ type: 'classes:set', classes: [{ id: 'c-1', name: 'Last', color: '#00ff7f' }] })

const fate = fc.constantFrom('now', 'now', 'now', 'lost', 'twice', 'late')
const numRuns = Number(process.env['MORPHOSCOPE_STRESS_RECORDS'] ?? 60)

test('any commands, with events lost, doubled and late', { timeout: 3_600_000 }, async () => {
  const seen = { applied: 0, asked: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(slideA, slideB),
      fc.array(fc.tuple(deed, fate, fc.boolean()), { minLength: 1, maxLength: 12 }),
      async (key, deeds) => {
        const engine = new Engine()
        const page = pageOf(engine, key)
        try {
          await refreshProject()
          page.asked.length = 0
          const late: Changed[] = []
          const hear = (event: Changed): void => void documentChanged(AppEvent.parse(written(event)) as Changed)
          for (const [what, fate, waits] of deeds) {
            const event = engine.do(what)
            if (!event) continue
            if (fate === 'now' || fate === 'twice') hear(event)
            if (fate === 'twice') hear(event)
            for (const each of late.splice(0)) hear(each)
            if (fate === 'late') late.push(event)
            if (waits) await settled()
          }
          // What was lost is known by the next that is not.
          const event = engine.do(last)
          if (event) hear(event)
          await settled()
          seen.asked += page.asked.filter(({ name }) => name === 'project:state').length
          seen.applied += deeds.length
          const { project } = getState()
          if (event) expect(sorted(project.doc)).toEqual(sorted(engine.state(key)))
        } finally {
          engine.model.db.close()
        }
      },
    ),
    { numRuns },
  )
  // Most of it comes by changes alone.
  expect(seen.asked).toBeLessThan(seen.applied)
})

const line = (count: number): [number, number][] => Array.from({ length: count }, (_, i) => [i, i % 7])
const region = (id: string, points: [number, number][], key = slideA) => ({
  ...{ id, slide: key, name: '', classId: null, locked: false, shape: { kind: 'line' as const, points } },
  ...{ createdAt: '2026-11-26T00:00:00.000Z', madeBy: 'hand' as const },
})

test('a large region is told by its key, and asked for by it; of another slide it is not', async () => {
  const engine = new Engine()
  const page = pageOf(engine, slideA)
  await refreshProject()
  page.asked.length = 0
  const asked = () => page.asked.map(({ name }) => name).filter((name) => !name.startsWith('project:measure'))
  const add = (id: string, count: number, key = slideA) =>
    engine.do(() => ({ type: 'regions:add', regions: [region(id, line(count), key)] }))!

  const small = add(regionIds[0]!, 3)
  await documentChanged(small)
  expect(asked()).toEqual([])
  const large = add(regionIds[1]!, 2001)
  expect(JSON.stringify(large).length).toBeLessThan(1000)
  await documentChanged(large)
  expect(asked()).toEqual(['project:regions'])
  await documentChanged(add(regionIds[2]!, 2001, slideB))
  expect(asked()).toEqual(['project:regions'])
  expect(sorted(getState().project.doc)).toEqual(sorted(engine.state(slideA)))

  // Deleted before it was asked for.
  const another = add(regionIds[3]!, 5000)
  const gone = engine.do(() => ({ type: 'regions:delete', ids: [regionIds[3]!] }))!
  await documentChanged(another)
  await documentChanged(gone)
  await settled()
  expect(sorted(getState().project.doc)).toEqual(sorted(engine.state(slideA)))
  expect(asked()).not.toContain('project:state')
  engine.model.db.close()
})

test('what a step put is measured, and no other region', async () => {
  const engine = new Engine()
  const page = pageOf(engine, slideA)
  await refreshProject()
  await settled()
  page.asked.length = 0
  await documentChanged(engine.do(() => ({ type: 'regions:add', regions: [region(regionIds[0]!, line(3))] }))!)
  expect(page.asked.map(({ name, arg }) => [name, (arg as { ids?: string[] }).ids])).toEqual([
    ['project:measure', [regionIds[0]]],
  ])
  // Objects of a result are others: all of its slide's regions are.
  await settled()
  page.asked.length = 0
  await documentChanged(engine.do(() => ({ type: 'objects:rule', run: runIds[0], rule: { column: 'area', limits: [1] } }))!)
  expect(page.asked.map(({ name, arg }) => [name, 'ids' in (arg as object)])).toEqual([['project:measureAll', false]])
  engine.model.db.close()
})

test('the next change is applied where one that the page has already is told in the same moment', async () => {
  const engine = new Engine()
  pageOf(engine, slideA)
  const first = engine.do(() => ({ type: 'regions:add', regions: [region(regionIds[0]!, line(3))] }))!
  await refreshProject()
  await settled()
  const second = engine.do(last)!
  void documentChanged(first)
  void documentChanged(second)
  await settled()
  expect(sorted(getState().project.doc)).toEqual(sorted(engine.state(slideA)))
  engine.model.db.close()
})
