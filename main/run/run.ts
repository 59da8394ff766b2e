// One run from its turn to its end, which comes exactly once: what it does, how it stands, and who is told.
import type {
  ClassCuts,
  AppError,
  AppEvent,
  ObjectDetails,
  ObjectRule,
  Region,
  RunStatus,
  RunTimeline,
  RunVerification,
  ShardRecord,
} from '../../app/contract'
import { keepDecodedTiles, tokenOf, trimMemory } from '../../native/index'
import { isCancelled, toAppError } from '../base/errors'
import type { Log } from '../base/log'
import type { SlideComparison } from '../slide/identity'
import type { Analysis, Draft } from './analysis/analysis'
import { requireOwnChannel } from './analysis/channel'
import { tooManyObjects } from './schedule/budget'
import type { Budget } from './schedule/budget'
import type { ChangedTiles } from './result/changedTiles'
import type { UnreadablePart } from './tiles/trust'
import { ResultCollector } from './result/resultCollector'
import { GroundWait } from './result/groundWait'
import type { Waiting } from './result/groundWait'
import { TileCommitter } from './result/tileCommitter'
import type { CommittingRun } from './result/tileCommitter'
import { RunTold } from './runTold'
import { Windows } from './windows'
import type { WindowsRun } from './windows'
import { keepRun } from './journal/kept'
import type { RankedMarks } from './objects/marks'
import type { Journals } from './journal/journals'
import type { LookedAt } from './result/lookedAt'
import { forPreview } from './analysis/previewReach'
import { fitCaches, giveBackIdle, peakRssBytes } from './analysis/memory'
import { cutsOf } from './objects/objectClasses'
import { objectDetails, placeOf } from './point/objectDetails'
import type { ObjectStore } from './objects/objectStore'
import type { RunOrder } from './request/order'
import type { Overviews } from './analysis/overviews'
import { Plan } from './plan/plan'
import type { RunResult } from './objects/result'
import { requireSameBits } from './journal/journal'
import { RunState } from './schedule/runState'
import type { Scheduler } from './schedule/schedule'
import { Throttle } from './schedule/throttle'
import type { Throughput } from './request/throughput'
import type { TileResults } from './tiles/tileResults'
import { requireVerifiable, verifiedRun } from './verify'
import type { Lane } from './schedule/turns'

export interface RunTools {
  readonly scheduler: Scheduler
  readonly tiles: TileResults
  readonly overviews: Overviews
  readonly throughput: Throughput
  readonly budget: Pick<Budget, 'runBytes' | 'runObjects'>
  /** Where full runs leave what is final; null: nowhere. */
  readonly journals: Journals | null
  readonly emit: (event: AppEvent) => void
  readonly log: Log
}
const progressMs = 100

export class Run {
  readonly runId: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  readonly page: string | undefined
  /** Its place among all runs that were asked for. */
  readonly asked: number
  readonly lane: Lane
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  readonly unreadable: readonly UnreadablePart[]
  readonly uncertain: readonly UnreadablePart[]
  /** Resolves when the run has ended, however it ended. */
  readonly ended: Promise<void>
  private readonly state = new RunState()
  readonly order: RunOrder
  private readonly tools: RunTools
  private readonly plan: Plan
  private readonly abort = new AbortController()
  private readonly found: ResultCollector
  private readonly progress: Throttle
  private readonly told: RunTold
  private readonly windows: Windows
  /** Where its tiles go, and its journal. */
  readonly tileCommitter: TileCommitter
  private readonly ground: GroundWait
  private standing: Promise<void> = Promise.resolve()
  /** What had become of the slide's files when the run ended, however it did. */
  slideAtEnd: Promise<SlideComparison> | undefined
  private settle: () => void = () => undefined

  constructor(order: RunOrder, tools: RunTools) {
    this.order = order
    this.tools = tools
    this.runId = order.runId
    this.draft = order.draft
    this.purpose = order.purpose
    this.page = order.page
    this.asked = order.asked ?? 0
    this.lane = order.lane
    this.plan = new Plan(order.draft.grid, order.region, order.focus, order.blockSize, order.shard)
    this.found = new ResultCollector(order, this.plan, (tiles) => tools.emit({ type: 'run:tiles', runId: this.runId, tiles }))
    this.objects = this.found.objects
    this.changed = this.found.changed
    this.unreadable = this.found.unreadable
    this.uncertain = this.found.uncertain
    const known = this.known()
    this.ground = new GroundWait(order, this.found, known)
    this.told = new RunTold(order, this.plan, this.found, this.state, this.ground)
    this.tileCommitter = new TileCommitter(order, this.plan, this.found, known, tools)
    this.windows = new Windows(order, this.plan, known, this.told.workload, this.tileCommitter, tools)
    this.progress = new Throttle(progressMs, () => tools.emit({ type: 'run:progress', status: this.status() }))
    this.ended = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  /** With the overview's values: undefined until they are known. */
  get analysis(): Analysis | undefined {
    return this.told.analysis
  }

  /** In the document, where that holds its objects. */
  get keptId(): string | null {
    return this.told.keptId
  }

  set keptId(keptId: string | null) {
    this.told.keptId = keptId
  }

  get region(): Region {
    return this.told.region
  }

  /** It holds something, and every tile of it was computed before the slide's files were last seen as they were opened. */
  get onlyFinal(): boolean {
    return this.purpose === 'run' && this.found.tilesDone > 0
  }

  /** What of its region it has looked at, so far. */
  get lookedAt(): LookedAt {
    return this.found.lookedAt()
  }

  /** What the classes of its objects stand on. */
  get cuts(): ClassCuts | null {
    return cutsOf(this.draft, this.told.rule)
  }

  get over(): boolean {
    return this.state.over
  }

  /** Works until the end, and until what is under way then has ended. Never rejects: how it went is in the status. */
  async begin(): Promise<void> {
    if (!this.state.to('begin')) return
    if (this.state.runs) this.told.elapsed.start()
    // The caller learns the run's id before the first event about it.
    await new Promise((resolve) => setImmediate(resolve))
    if (this.over) return
    this.poke()
    await this.execute()
  }

  private async execute(): Promise<void> {
    try {
      // Tiles of two files would be counted together.
      await this.checkSlide()
      const { threads } = this.order
      const { kept } = this.order
      const begun = this.order.journal?.begun ?? this.order.base?.head
      const looking = this.tools.overviews.complete(this.draft, threads, this.abort.signal, begun, this.purpose === 'run')
      // The slide's overview is read beside the file, which does not need it: what waits for the one has the other.
      const [complete] = await Promise.all([looking, kept ? this.tileCommitter.takeKept(kept) : null])
      if (this.over) return
      const analysis = this.purpose === 'preview' ? forPreview(complete, threads) : complete
      this.told.analysis = analysis
      this.found.setTissue(analysis.tissue)
      this.found.valuesUncertain = kept ? kept.head.valuesUncertain === true : analysis.unread !== null
      fitCaches(this.order.memory.budgetBytes, this.tools.tiles)
      for (const warning of analysis.warnings) this.told.notes.add(warning)
      if (kept) return this.end(kept.note.state ?? 'done')
      await this.tileCommitter.resume(analysis)
      if (this.order.base) await this.tileCommitter.takeBase(this.order.base, analysis)
      if (this.over) return
      this.found.timeline.start()
      await this.ground.take(analysis.ground)
      if (this.over) return
      const done = this.windows.begin(analysis)
      if (!this.state.paused) this.told.computing.start()
      await done
      await this.tileCommitter.drained()
      if (this.over) return
      await this.checkSlide()
      if (this.over) return
      const { nothing, lastFailure } = this.found
      if (nothing && lastFailure) this.end('failed', lastFailure)
      else this.end('done')
    } catch (error) {
      if (isCancelled(error)) this.end('cancelled')
      else this.fail(error)
    }
  }

  /** Throws SLIDE_CHANGED; a slide that is gone is told of, and what could be read of it counts. */
  private async checkSlide(): Promise<void> {
    const gone = await this.draft.slide.identity.check()
    if (gone !== null) this.told.notes.add(gone)
  }

  /** What is done stays: it can be looked at and exported. */
  cancel(): void {
    if (this.over) return
    this.abort.abort()
    this.windows.cancel()
    this.end('cancelled')
  }

  /** No new tile is begun; what is under way comes to its end, and then memory for the next tiles is given back, and the promise resolves. */
  pause(): Promise<void> {
    if (this.over) return Promise.resolve()
    if (this.state.to('pause')) {
      this.standing = this.stand()
      this.tell()
    }
    return this.standing
  }

  /** Goes on where it stands. */
  goOn(): void {
    if (!this.state.to('goOn')) return
    if (this.state.runs) this.told.elapsed.start()
    if (this.windows.begun) {
      this.told.computing.start()
      this.found.timeline.resume()
      fitCaches(this.order.memory.budgetBytes, this.tools.tiles)
      this.windows.resume()
    }
    this.tell()
  }

  /** Resolves when nothing of it is under way, or it goes on. */
  private async stand(): Promise<void> {
    if (this.windows.begun) {
      await this.windows.pause()
      if (!this.state.settling) return
      await this.tileCommitter.drained()
      await this.tileCommitter.sync()
      if (!this.state.settling) return
    }
    this.state.to('settle')
    this.told.elapsed.stop()
    if (!this.windows.begun) return
    this.told.computing.stop()
    this.found.timeline.pause()
    if (this.tools.scheduler.idle) {
      keepDecodedTiles(0)
      trimMemory()
    }
    this.tell()
  }

  /** What was done to its objects since; null: nothing. Of a run that is over. Everybody is told. O(objects). */
  mark(marks: RankedMarks | null, rule: ObjectRule | null): void {
    const tiles = this.objects.mark(marks)
    this.told.rule = rule
    this.told.edits += 1
    this.changed.mark(tiles)
    this.changed.flush()
    this.tools.emit({ type: 'run:progress', status: this.status() })
  }

  /** Its objects as a file. Throws INVALID_PARAMETER where it is neither done nor cancelled with a part done, OUTPUT_FAILED. */
  keep(path: string, program: string, shard?: ShardRecord): Promise<void> {
    const { objects, unreadable, uncertain } = this
    const head = (note: unknown) => this.tileCommitter.headFor(program, note)
    return keepRun(path, { status: this.status(), objects, unreadable, uncertain, tiles: this.found.doneTiles(), head, shard })
  }

  /** How it stands, at once. */
  private tell(): void {
    this.progress.poke()
    this.tools.emit({ type: 'runs:changed' })
  }

  status(): RunStatus {
    return this.told.status()
  }

  /** `x`, `y` in level-0 px. */
  async objectAt(x: number, y: number): Promise<ObjectDetails | null> {
    const { scale } = this.draft.grid
    const found = this.objects.at(Math.floor(x / scale), Math.floor(y / scale))
    return found && objectDetails(found.object, found.id, placeOf(this.draft, this.objects.marks))
  }

  /** What the native pipeline is given: px and levels, with the slide's "overview.*" values once they are known. */
  get resolved(): RunResult['resolved'] {
    return this.told.resolved
  }

  /** So far. */
  timeline(): RunTimeline {
    return this.found.timeline.get()
  }

  /** Parts of it once more, each in one window on the CPU. Throws INVALID_PARAMETER. */
  async verify(regions: readonly Region[], random: number, signal: AbortSignal): Promise<RunVerification> {
    const analysis = requireVerifiable(this.status(), this.told.analysis)
    requireOwnChannel(this.order)
    requireSameBits(this.resolved, analysis, 'Run it again.')
    await this.checkSlide()
    const unread = [...this.unreadable, ...this.uncertain]
    this.told.verification = await verifiedRun(analysis, this.objects, this.order, { regions, random }, tokenOf(signal), unread)
    return this.told.verification
  }

  result(): RunResult {
    return this.told.result()
  }

  /** The run, as what works for it knows it. */
  private known(): CommittingRun & Waiting & WindowsRun {
    const [isOver, startedAt] = [() => this.over, () => this.told.askedAt]
    return {
      runId: this.runId,
      get over() {
        return isOver()
      },
      get startedAt() {
        return startedAt()
      },
      signal: this.abort.signal,
      isHeld: () => this.state.paused,
      began: () => this.tools.emit({ type: 'run:progress', status: this.status() }),
      grew: () => this.checkBudget(),
      moved: () => this.poke(),
      note: (words) => this.told.notes.add(words),
      fail: (error) => this.fail(error),
    }
  }

  /** A listener may have cancelled the run meanwhile: nothing is told after its end. */
  private poke(): void {
    if (!this.over) this.progress.poke()
  }

  private checkBudget(): void {
    const error = tooManyObjects(this.objects, this.tools.budget)
    if (error) this.fail(error)
  }

  private fail(error: unknown): void {
    if (this.over) return
    const failure = toAppError(error)
    this.tools.log({
      level: 'error',
      message: `${this.runId} failed: ${failure.message}`,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
    this.abort.abort()
    this.windows.cancel()
    this.end('failed', failure)
    // No slide that is opened again is the one that it was begun on.
    if (failure.code === 'SLIDE_CHANGED') void this.tileCommitter.dropJournal()
  }

  private end(state: 'done' | 'cancelled' | 'failed', error: AppError | null = null): void {
    if (!this.state.to(state)) return
    this.told.error = error
    this.ground.letGo()
    this.slideAtEnd = this.draft.slide.identity.compare()
    this.told.elapsed.stop()
    this.told.computing.stop()
    this.told.peakRssBytes = peakRssBytes()
    this.progress.stop()
    this.found.timeline.end()
    this.changed.flush()
    this.objects.trim()
    if (this.purpose === 'run' && this.told.computing.ms > 0)
      this.tools.throughput.addRun(this.draft, this.told.workload.computed, this.told.computing.ms)
    void this.tileCommitter.sync()
    if (this.purpose === 'run' && this.tools.scheduler.idle) giveBackIdle(this.order.memory.budgetBytes)
    this.tools.emit({ type: 'run:end', status: this.status() })
    this.settle()
  }
}
