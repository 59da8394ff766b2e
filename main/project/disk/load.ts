// A project's content, from the rows of its file: each checked, and all of them held to what a project can be.
import type { Database } from 'libsql'
import type * as z from 'zod'
import { DocumentSlide, KeptRun, RegionOfInterest } from '../../../app/contract'
import { describe, EngineError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import { weightOf } from '../../base/jsonWeight'
import type { Placed } from '../document'
import { maxRegions } from '../document'
import { editsFrom, editWeight } from '../edits'
import type { ObjectEdits } from '../edits'
import { fileName } from './look'
import * as records from './records'
import { rowsOf } from './rows'

/** Slides and runs of one project. */
const mostListed = 100_000
const { mostRecordBytes: mostBytes } = records

export const damaged = (folder: string, how: string): EngineError =>
  new EngineError('INVALID_PARAMETER', `The project ${folder} is damaged: ${fileName}, ${how}.`)

export interface Found extends records.Loaded {
  /** Of each region, by its id. */
  readonly weights: Map<string, number>
}

/** Throws INVALID_PARAMETER with the row that is wrong. O(content). */
export function loadedFrom(db: Database, folder: string): Found {
  const parsed = <T>(schema: z.ZodType<T>, text: string, place: string): T => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      throw damaged(folder, `${place} is no JSON (${messageOf(error)})`)
    }
    return within(folder, place, () => records.checked(schema, value))
  }
  return within(folder, '', () => {
    const classes = [...rowsOf(db, { table: 'classes', columns: { place: 'number', body: 'text' }, mostRows: 1000, mostBytes })]
      .sort((a, b) => a.place - b.place)
      .map(({ body }, i) => parsed(records.Classes.element, body, `classes ${i + 1}`))
    const classIds = new Set(classes.map(({ id }) => id))
    if (classIds.size !== classes.length) throw damaged(folder, 'classes: two have the same id')
    const { regions, weights } = regionsFrom(db, folder, classIds, parsed)
    const slides = new Map<string, DocumentSlide>()
    for (const { key, body } of listed(db, 'slides', 'key')) {
      const slide = parsed(DocumentSlide, body, `slides ${key}`)
      if (slide.key !== key) throw damaged(folder, `slides ${key} is another slide, ${slide.key}`)
      slides.set(slide.key, slide)
    }
    const runs = new Map<string, KeptRun>()
    for (const { key, body } of listed(db, 'runs', 'id')) {
      const run = parsed(KeptRun, body, `runs ${key}`)
      if (run.id !== key) throw damaged(folder, `runs ${key} is another run, ${run.id}`)
      runs.set(run.id, run)
    }
    const edits = editsOf(db, folder, runs)
    const steps = stepsOf(db, folder)
    return { content: { regions, classes, runs, edits }, slides, steps, revision: revisionOf(db, folder), weights }
  })
}

/** Rows of text by a key of text. */
function listed(db: Database, table: string, key: string): { key: string; body: string }[] {
  const columns = { [key]: 'text', body: 'text' } as Record<string, 'text'>
  const rows = [...rowsOf(db, { table, columns, mostRows: mostListed, mostBytes })]
  records.requireWeight(rows.reduce((sum, { body }) => sum + weightOf(body!), 0))
  return rows.map((row) => ({ key: row[key]!, body: row['body']! }))
}

function regionsFrom(
  db: Database,
  folder: string,
  classIds: ReadonlySet<string>,
  parsed: <T>(schema: z.ZodType<T>, text: string, place: string) => T,
): { regions: Map<string, Placed>; weights: Map<string, number> } {
  const found: Placed[] = []
  const weights = new Map<string, number>()
  let weight = 0
  const columns = { id: 'text', slide: 'text', place: 'number', body: 'text' } as const
  for (const { id, slide, place, body } of rowsOf(db, { table: 'regions', columns, mostRows: maxRegions, mostBytes })) {
    const what = `regions ${id}`
    weights.set(id, weightOf(body))
    weight += weights.get(id)!
    records.requireWeight(weight)
    const region = parsed(RegionOfInterest, body, what)
    if (region.id !== id) throw damaged(folder, `${what} is another region, ${region.id}`)
    if (region.slide !== slide) throw damaged(folder, `${what} is of two slides`)
    if (region.classId !== null && !classIds.has(region.classId))
      throw damaged(folder, `${what} has the class ${describe(region.classId)}, which is not there`)
    found.push({ region, place: within(folder, `${what} place`, () => records.checked(records.Place, place)) })
  }
  found.sort((a, b) => a.place - b.place)
  return { regions: new Map(found.map((placed) => [placed.region.id, placed])), weights }
}

function editsOf(db: Database, folder: string, runs: ReadonlyMap<string, KeptRun>): Map<string, ObjectEdits> {
  const edits = new Map<string, ObjectEdits>()
  const weights: number[] = []
  const columns = { run: 'text', body: 'blob' } as const
  for (const { run: id, body } of rowsOf(db, { table: 'edits', columns, mostRows: mostListed, mostBytes })) {
    const run = runs.get(id)
    if (!run) throw damaged(folder, `edits ${id} are of no run`)
    records.requireEdited([...weights, 2 * run.objects])
    const found = within(folder, `edits ${id}`, () => editsFrom(body, run))
    weights.push(editWeight(found))
    records.requireEdited(weights)
    edits.set(id, found)
  }
  return edits
}

/** In their order. Their commands are read when they are asked for. Throws INVALID_PARAMETER. */
export function stepsOf(db: Database, folder: string): records.Step[] {
  const columns = {
    seq: 'number',
    at: 'number',
    name: 'text',
    undone: 'number',
    run: 'text?',
    forward: 'size',
    inverse: 'size',
  } as const
  return within(folder, '', () => {
    const asked = { table: 'history', columns, mostRows: 2 * records.keptSteps, mostBytes: records.mostStepBytes }
    const steps = [...rowsOf(db, asked)].map((row) => {
      const step = within(folder, `history ${row.seq}`, () => records.checked(records.StepRow, row))
      return { ...step, undone: step.undone === 1 }
    })
    steps.sort((a, b) => a.seq - b.seq)
    // What was taken back is the newest.
    const first = steps.findIndex(({ undone }) => undone)
    if (first >= 0 && steps.slice(first).some(({ undone }) => !undone)) throw damaged(folder, 'history is out of order')
    return steps
  })
}

function revisionOf(db: Database, folder: string): number {
  const columns = { value: 'text' } as const
  const where = { sql: 'key = ?', value: 'revision' }
  const [row] = rowsOf(db, { table: 'meta', columns, mostRows: 1, mostBytes: 100, where })
  const revision = /^\d{1,16}$/.test(row?.value ?? '') ? Number(row!.value) : Number.NaN
  const found = records.Revision.safeParse(revision)
  if (!found.success) throw damaged(folder, `meta revision is ${describe(row?.value)}`)
  return found.data
}

/** What is wrong there is said with the file and the place. */
function within<T>(folder: string, place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw damaged(folder, `${place}${place === '' ? '' : ' '}${messageOf(error)}`)
  }
}
