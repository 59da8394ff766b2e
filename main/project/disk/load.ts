// A project's content, from the rows of its file: each checked, and all of them held to what a project can be.
import type { Database } from 'libsql'
import { mostStepBytes, Revision } from '../../../app/contract'
import type { KeptRun } from '../../../app/contract'
import { describe, EngineError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import type { Content } from '../document'
import { corrections } from '../records/corrections'
import type { Kind } from '../records/kind'
import * as kinds from '../records/kinds'
import { Room } from '../records/room'
import { mostStepRows, stepColumns, stepOf } from '../records/steps'
import type { Loaded, Step } from '../records/steps'
import { fileName } from './look'
import { rowsOf } from '../records/rows'
import type { Columns } from '../records/rows'

export const damaged = (folder: string, how: string): EngineError =>
  new EngineError('INVALID_PARAMETER', `The project ${folder} is damaged: ${fileName}, ${how}.`)

export interface Found extends Loaded {
  /** How much of each kind there is. */
  readonly room: Room
}

/** Throws INVALID_PARAMETER with the row that is wrong. O(content). */
export function loadedFrom(db: Database, folder: string): Found {
  return within(folder, '', () => {
    const room = new Room()
    const all = <R, C extends Columns>(kind: Kind<R, C>): R[] => recordsOf(db, folder, kind, room)
    const classes = all(kinds.classes)
      .sort((a, b) => a.place - b.place)
      .map(({ each }) => each)
    const placed = all(kinds.regions).sort((a, b) => a.place - b.place)
    const slides = new Map(all(kinds.slides).map((slide) => [slide.key, slide]))
    const runs = new Map<string, KeptRun>(all(kinds.runs).map((run) => [run.id, run]))
    const edits = new Map(all(corrections((id) => runs.get(id))).map(({ run, edits }) => [run, edits]))
    const content: Content = { regions: new Map(placed.map((each) => [each.region.id, each])), classes, runs, edits }
    const wrong = whatIsWrong(content)
    if (wrong !== null) throw damaged(folder, wrong)
    return { content, slides, steps: stepsOf(db, folder), revision: revisionOf(db, folder), room }
  })
}

/** What each record says by itself, and the others do not bear out; null: nothing. O(content). */
export function whatIsWrong({ classes, regions }: Content): string | null {
  const classIds = new Set(classes.map(({ id }) => id))
  if (classIds.size !== classes.length) return 'classes: two have the same id'
  for (const { region } of regions.values())
    if (region.classId !== null && !classIds.has(region.classId))
      return `regions ${region.id} has the class ${describe(region.classId)}, which is not there`
  return null
}

function recordsOf<R, C extends Columns>(db: Database, folder: string, kind: Kind<R, C>, room: Room): R[] {
  const { table, columns, most: mostRows, mostBytes } = kind
  const records: R[] = []
  for (const row of rowsOf(db, { table, columns, mostRows, mostBytes })) {
    const key = String(row[kind.key])
    const counts = (weight: number): void => room.for([{ kind, key, weight }])()
    // Held to the limit before it is read, too: what is short can be very much.
    counts(kind.weight(row))
    const record = within(folder, `${table} ${key}`, () => kind.record(row))
    counts(kind.weight(row, record))
    records.push(record)
  }
  return records
}

/** In their order. Their commands are read when they are asked for. Throws INVALID_PARAMETER. */
export function stepsOf(db: Database, folder: string): Step[] {
  return within(folder, '', () => {
    const asked = { table: 'history', columns: stepColumns, mostRows: mostStepRows, mostBytes: mostStepBytes }
    const steps = [...rowsOf(db, asked)].map((row) => within(folder, `history ${row.seq}`, () => stepOf(row)))
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
  const found = Revision.safeParse(revision)
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
