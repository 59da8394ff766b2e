// A document as projects.ts leads it, on a database in memory: what is stored is held against what is there.
import type { Database } from 'libsql'
import type { DocumentCommand, DocumentSlide, KeptRun } from '../../../app/contract'
import { scriptOf } from '../../../main/project/disk/draft'
import { loadedFrom } from '../../../main/project/disk/load'
import { RecordStore } from '../../../main/project/disk/recordStore'
import { apply, emptyContent } from '../../../main/project/document'
import type { Content } from '../../../main/project/document'
import { openDatabase } from '../../../main/project/lock'
import { newestSchema } from '../../../main/project/schema'
import type { Loaded, Step } from '../../../main/project/store'

export const [slideA, slideB] = ['a'.repeat(32), 'b'.repeat(32)] as const
export const runIds = ['k0000000000000001', 'k0000000000000002', 'k0000000000000003'] as const
export const regionIds = Array.from({ length: 9 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`)

export const slideOf = (key: string): DocumentSlide => ({
  ...{
    key,
    name: `${key.slice(0, 3)}.svs`,
    path: `/${key.slice(0, 3)}.svs`,
    widthPx: 2 ** 40,
    heightPx: 0.5,
    mppX: 1e-9,
    mppY: null,
  },
})
export const runOf = (id: string, objects: number, cancelled = false): KeptRun => ({
  ...{ id, slide: slideA, name: 'Run', recipeName: 'R', startedAt: '', objects },
  ...(cancelled && { cancelled: true as const }),
})

/** What a document says, whichever way it came there. */
export function told({ regions, classes, runs, edits }: Content): string {
  const placed = [...regions.values()].sort((a, b) => a.place - b.place || (a.region.id < b.region.id ? -1 : 1))
  const corrected = [...edits]
    .map(([run, { deleted, byHand, ids, rule, made }]) => ({
      run,
      deleted: [...deleted],
      hand: [...byHand].map((n) => ids[n - 1] ?? null),
      rule,
      made,
    }))
    .filter(
      ({ deleted, hand, rule, made }) =>
        rule !== null || made.length > 0 || deleted.includes(1) || hand.some((each) => each !== null),
    )
    .sort((a, b) => (a.run < b.run ? -1 : 1))
  return JSON.stringify({ placed, classes, runs: [...runs.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), corrected })
}
const toldSteps = (steps: readonly Step[]): string =>
  JSON.stringify(steps.map(({ at, name, undone, run }) => ({ at, name, undone, run })))

export class Model {
  content: Content = emptyContent
  steps: Step[] = []
  slides = new Map<string, DocumentSlide>()
  revision = 0
  db: Database
  store: RecordStore

  constructor(runs: readonly KeptRun[]) {
    const begun = [
      { kind: 'points' as const, points: [[1, 2] as [number, number]] },
      { kind: 'rectangle' as const, x: 0, y: 0, width: 40, height: 30 },
    ]
    const placed = begun.map((shape, i) => ({
      region: {
        id: regionIds[8 - i]!,
        slide: slideA,
        name: '',
        classId: null,
        locked: false,
        shape,
        createdAt: '2026-11-26T00:00:00.000Z',
        madeBy: 'hand' as const,
      },
      place: i,
    }))
    const content = {
      ...emptyContent,
      regions: new Map(placed.map((each) => [each.region.id, each])),
      runs: new Map(runs.map((run) => [run.id, run])),
    }
    const slides = new Map([slideA, slideB].map((key) => [key, slideOf(key)]))
    ;[this.db, this.store] = this.filled(scriptOf({ content, slides, steps: [], revision: 0 }, []))
  }

  /** Another database takes the place of the one that is open. */
  filled(script: string): [Database, RecordStore] {
    const db = openDatabase(':memory:')
    db.exec(newestSchema)
    db.exec(script)
    return [db, this.read(db)]
  }

  private read(db: Database): RecordStore {
    const { content, slides, steps, revision, room } = loadedFrom(db, 'memory')
    Object.assign(this, { content, slides: new Map(slides), steps: [...steps], revision })
    return new RecordStore(db, room, 'memory')
  }

  /** As projects.ts has it. */
  take(command: DocumentCommand): void {
    const { next, forward, inverse, name, written } = apply(this.content, command)
    const step = this.store.commit(written, null, { at: 1, name, forward, inverse }, this.revision + 1)
    this.steps = [...this.steps.filter(({ undone }) => !undone), step]
    this.revision += 1
    this.content = next
  }

  move(undone: boolean): boolean {
    const step = undone ? this.steps.findLast((each) => !each.undone) : this.steps.find((each) => each.undone)
    if (!step) return false
    const { next, written } = apply(this.content, this.store.commandOf(step.seq, undone ? 'inverse' : 'forward'), true)
    this.store.move(written, step.seq, undone, this.revision + 1)
    this.revision += 1
    this.steps = this.steps.map((each) => (each === step ? { ...step, undone } : each))
    this.content = next
    return true
  }

  drop(run: string): void {
    if (!this.content.runs.has(run)) return
    this.steps = this.store.drop([run], null, this.revision + 1)
    this.revision += 1
    const isLeft = ([each]: [string, unknown]): boolean => each !== run
    this.content = {
      ...this.content,
      runs: new Map([...this.content.runs].filter(isLeft)),
      edits: new Map([...this.content.edits].filter(isLeft)),
    }
  }

  get loaded(): Loaded {
    const { content, slides, steps, revision } = this
    return { content, slides, steps, revision }
  }

  /** What lies in the file is what is in memory. */
  reopen(): void {
    const before = [told(this.content), toldSteps(this.steps), this.revision, JSON.stringify([...this.slides])]
    this.store = this.read(this.db)
    same([told(this.content), toldSteps(this.steps), this.revision, JSON.stringify([...this.slides])], before, 'read again')
  }

  saveAs(): void {
    const before = [told(this.content), toldSteps(this.steps)]
    const script = scriptOf(this.loaded, this.store.steps())
    this.db.close()
    ;[this.db, this.store] = this.filled(script)
    same([told(this.content), toldSteps(this.steps)], before, 'saved as')
  }
}

export function same(now: unknown, before: unknown, when: string): void {
  const [a, b] = [JSON.stringify(now), JSON.stringify(before)]
  if (a !== b) throw new Error(`${when} it is another:\n${a}\n${b}`)
}
