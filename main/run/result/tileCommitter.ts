// What becomes of a run's tiles once they are computed: final when the slide has been seen unchanged since, then collected, and written in the journal.
import { randomBytes } from 'node:crypto'
import type { AppError } from '../../../app/contract'
import { breather } from '../../base/breather'
import { EngineError } from '../../base/errors'
import { intersects } from '../../base/rect'
import type { Log } from '../../base/log'
import { slideChanged } from '../../slide/identity'
import type { SlideComparison } from '../../slide/identity'
import type { Analysis } from '../analysis/analysis'
import type { TileResult, WindowTook } from '../tiles/computeTile'
import { SlideCheckQueue } from './slideCheckQueue'
import type { ResultCollector } from './resultCollector'
import { analysedHead, headRecord, sameAnalysis } from '../journal/journal'
import type { AnalysedHead, JournalHead, NewHead, RunJournal } from '../journal/journal'
import { readNote } from '../journal/journalNote'
import type { KeptFile, KeptObjects } from '../journal/kept'
import { keyOf } from '../objects/madeObjects'
import type { Journals } from '../journal/journals'
import type { RunOrder } from '../request/order'
import { coreOf, regionOnSlide } from '../plan/plan'
import type { Plan, TileIndex } from '../plan/plan'
import { isWhole } from '../tiles/trust'

/** What was computed, until the slide has been seen unchanged since. */
type Computed =
  | {
      readonly tiles: readonly TileIndex[]
      readonly results: readonly TileResult[]
      readonly window: WindowTook | 'reused' | 'glass'
    }
  | { readonly tile: TileIndex; readonly failure: AppError }

/** The run that it is for. */
export interface CommittingRun {
  readonly runId: string
  readonly over: boolean
  readonly startedAt: string
  /** Objects came in: is there room for them? */
  grew(): void
  /** Something to tell. */
  moved(): void
  note(words: string): void
  fail(error: unknown): void
}

export interface CommitterTools {
  readonly journals: Journals | null
  readonly log: Log
}

export class TileCommitter {
  private readonly order: RunOrder
  private readonly plan: Plan
  private readonly found: ResultCollector
  private readonly run: CommittingRun
  private readonly tools: CommitterTools
  private readonly checks: SlideCheckQueue<Computed>
  private readonly journal: RunJournal | null
  private analysis: Analysis | undefined
  /** Of the slide, for the journal: asked for before the first tile, as its drive may be away when that is final. */
  private fingerprint: Promise<string> | null = null
  /** Of the journal that the run goes on with. */
  private readonly resumed = new Set<number>()

  constructor(order: RunOrder, plan: Plan, found: ResultCollector, run: CommittingRun, tools: CommitterTools) {
    this.order = order
    this.plan = plan
    this.found = found
    this.run = run
    this.tools = tools
    this.checks = new SlideCheckQueue(
      () => order.draft.slide.identity.compare(),
      (items, slide) => this.release(items, slide),
      (error) => run.fail(error),
    )
    this.journal = this.journalOf()
  }

  /** Did the journal have it? */
  readonly isDone = ({ x, y }: TileIndex): boolean => this.resumed.has(keyOf(x, y))

  /** Of a preview at once: it is looked at, and gone with the next. */
  add(item: Computed): void {
    if (this.run.over) return
    if (this.order.purpose === 'run') this.checks.add(item)
    else this.take(item)
  }

  /** Resolves when all that was added is final, or the run is over. */
  async drained(): Promise<void> {
    await this.checks.drained()
  }

  /** Before anything is computed: what the journal holds is the run's, as if it had just been. Throws what ends the run. */
  async resume(analysis: Analysis): Promise<void> {
    this.analysis = analysis
    const { journal, found, run } = this
    if (!journal) return
    if (!journal.begun) {
      this.fingerprint = this.order.draft.slide.identity.fingerprint()
      this.fingerprint.catch(() => undefined)
      return
    }
    for await (const { tiles, objects, note } of journal.windows(analysis)) {
      if (run.over) return
      for (const { x, y } of tiles) {
        if (this.isDone({ x, y }) || !this.plan.has({ x, y })) throw new EngineError('INVALID_PARAMETER', badJournal)
        this.resumed.add(keyOf(x, y))
      }
      const window = readNote(note)
      if (window) found.addWindow(window)
      found.addResumed(tiles, objects)
      run.grew()
      run.moved()
    }
    if (journal.anew) run.note(otherValues)
    if (journal.torn)
      run.note('The end of the run’s journal is missing, because the run was interrupted. That part was computed again.')
  }

  /**
   * What a cancelled run had that the document holds: taken as from a journal, and written into this one's. Tiles that stand on parts
   * that could not be read are tried again. Throws what ends the run.
   */
  async takeBase(base: KeptObjects, analysis: Analysis): Promise<void> {
    if (!(await this.isOfThis(base, analysis))) return this.run.note(otherValues)
    const { grid } = this.order.draft
    const isRead = (tile: TileIndex): boolean => {
      const core = regionOnSlide(grid, coreOf(grid, tile))
      return ![...base.unreadable, ...base.uncertain].some((part) => intersects(part, core))
    }
    for await (const { tiles, objects } of base.windows(grid)) {
      if (this.run.over) return
      const whole = tiles.flatMap((tile, i) => (isRead(tile) && this.plan.has(tile) && !this.isDone(tile) ? [i] : []))
      const [taken, own] = [whole.map((i) => tiles[i]!), whole.map((i) => objects[i]!)]
      for (const { x, y } of taken) this.resumed.add(keyOf(x, y))
      this.found.addResumed(taken, own)
      await this.journal?.add(taken, own, null)
      this.run.grew()
      this.run.moved()
    }
    this.found.cutObjects += base.note.cutObjects
  }

  private async isOfThis(base: KeptObjects, analysis: Analysis): Promise<boolean> {
    let isSame = false
    try {
      isSame = sameAnalysis(base.head, analysis, 'Start the run again.') === 'same'
      return isSame
    } finally {
      if (!isSame) await base.close()
    }
  }

  /** What another run goes on with; null: there is no journal. */
  async handOver(): Promise<string | null> {
    await this.journal?.handOver()
    return this.journal?.journalId ?? null
  }

  /** All that a run found whose objects lie in a file: it computes nothing. Throws what ends it. */
  async takeKept(kept: KeptFile): Promise<void> {
    for await (const { tiles, objects } of kept.windows(this.order.draft.grid)) {
      if (this.run.over) return
      for (const { x, y } of tiles) {
        if (this.isDone({ x, y }) || !this.plan.has({ x, y })) throw new EngineError('INVALID_PARAMETER', badJournal)
        this.resumed.add(keyOf(x, y))
      }
      this.found.addResumed(tiles, objects)
      this.run.grew()
      this.run.moved()
    }
    if (kept.shards && this.resumed.size < this.plan.tileCount)
      throw new EngineError(
        'INVALID_PARAMETER',
        `The shards hold ${this.resumed.size} of the ${this.plan.tileCount} tiles of the run: they were not made of one run’s. Run them again.`,
      )
    this.found.setKept(kept.note)
  }

  /** As a file of this run's begins. */
  async headFor(program: string, note: unknown): Promise<JournalHead> {
    const journalId = `j${randomBytes(8).toString('hex')}`
    return {
      format: 'morphoscope-run-journal',
      version: 1,
      layout: headRecord.layout,
      ...(await this.head()),
      program,
      journalId,
      note,
    }
  }

  /** What is final is on the disk. */
  async sync(): Promise<void> {
    await this.journal?.sync()
  }

  /** It is nobody's to go on with any more. */
  dropJournal(): Promise<void> {
    return this.journal?.remove() ?? Promise.resolve()
  }

  /** Its files are written; only what could not be read is left to be gone on with. */
  markWritten(): Promise<void> {
    return this.journal?.markWritten() ?? Promise.resolve()
  }

  /** It stays for the next engine, which goes on with it. */
  closeJournal(): Promise<void> {
    return this.journal?.close() ?? Promise.resolve()
  }

  /** What was computed before the slide was seen as `slide` says. */
  private async release(items: readonly Computed[], slide: SlideComparison): Promise<void> {
    if (this.run.over) return
    if (slide.state === 'changed') return this.run.fail(slideChanged(slide.path))
    // A window that ends meanwhile is followed by the next one at once.
    const breathe = breather()
    for (const item of items) {
      await breathe()
      if (this.run.over) return
      // Of a file that is gone some parts are still there to be read: with the first that are not, the end has come.
      if (slide.state === 'gone' && !allWhole(item)) return this.run.fail(this.slideGone(slide.path))
      this.take(item)
      await this.keep(item)
    }
    this.run.moved()
  }

  private take(item: Computed): void {
    if ('failure' in item) return this.takeFailed(item.tile, item.failure)
    const { tiles, results, window } = item
    if (window === 'glass') tiles.forEach(() => this.found.addGlass())
    else if (window === 'reused') for (const tile of tiles) this.found.addReused(tile)
    else this.found.addWindow(window)
    this.found.add(tiles, results)
    this.run.grew()
  }

  private takeFailed(tile: TileIndex, failure: AppError): void {
    this.tools.log({
      level: failure.code === 'INTERNAL' ? 'error' : 'warn',
      message: `${this.run.runId}: tile ${tile.x}, ${tile.y} failed: ${failure.message}`,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
    this.found.addFailed(tile, failure)
  }

  /** In the journal: its tiles of which nothing stands on what could not be read. That may be readable the next time. */
  private async keep(item: Computed): Promise<void> {
    if (!this.journal || 'failure' in item) return
    const { tiles, results, window } = item
    const whole = results.flatMap(({ trust }, i) => (isWhole(trust) ? [i] : []))
    if (whole.length === 0) return
    // The rest of a window is computed again, and tells then what it took.
    const isTold = window !== 'reused' && window !== 'glass' && allWhole(item)
    const note = isTold ? { timings: window.timings, certainty: window.certainty } : null
    await this.journal.add(
      whole.map((i) => tiles[i]!),
      whole.map((i) => results[i]!.owned),
      note,
    )
  }

  private slideGone(path: string): EngineError {
    const { tilesDone } = this.found
    return new EngineError(
      'SLIDE_UNREADABLE',
      `${path} is gone since the slide was opened (deleted, moved, or its disk is away), and the rest of it cannot be read. The ${tilesDone} of ${this.plan.tileCount} tiles that were finished are kept, and can be exported.`,
    )
  }

  private journalOf(): RunJournal | null {
    if (this.order.purpose !== 'run' || !this.tools.journals || this.order.kept) return null
    const journal = this.order.journal ?? this.tools.journals.begin(() => this.head())
    journal.onWritten = (from, to, bytes) => this.found.timeline.wrote(from, to, bytes)
    journal.onGivenUp = (words) => {
      this.tools.log({ level: 'warn', message: `${this.run.runId}: ${words}` })
      this.run.note(words)
    }
    return journal
  }

  private async head(): Promise<Omit<NewHead, 'program' | 'journalId' | 'note'>> {
    const { draft, request, kept } = this.order
    const { path, name } = draft.slide.info
    const { identity } = draft.slide
    // Where it could not be read then, it may be now.
    const fingerprint = await (this.fingerprint ?? identity.fingerprint()).catch(() => identity.fingerprint())
    const shown = this.tools.journals?.place.nameless === true ? { path: null, name: null } : { path, name }
    return {
      startedAt: kept?.head.startedAt ?? this.run.startedAt,
      slide: { ...shown, fingerprint },
      request,
      recipeName: draft.spec.name,
      ...(this.order.part !== undefined && { part: this.order.part }),
      tilesTotal: this.plan.tileCount,
      ...(kept ? analysedPart(kept.head) : analysedHead(this.analysis!)),
    }
  }
}

const otherValues =
  'The run was begun when not all could be read that its values stand on. Now it can, and the values differ, so that all was computed again.'
const badJournal =
  'The run’s journal names a tile twice, or one that is not of the run: it cannot be trusted. Delete it, and start the run again.'

/** Of a run whose head was read. */
const analysedPart = ({ resolved, valuesUncertain, pixelsUncertain, grid, haloPx }: JournalHead): AnalysedHead => ({
  ...{ resolved, grid, haloPx },
  ...(valuesUncertain && { valuesUncertain }),
  ...(pixelsUncertain && { pixelsUncertain }),
})

function allWhole(item: Computed): boolean {
  return !('failure' in item) && item.results.every(({ trust }) => isWhole(trust))
}
