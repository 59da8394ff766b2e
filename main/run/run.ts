// One run from its turn to its end, which comes exactly once: what it does, how it stands, and who is told.
import { withCuts } from '../../app/contract'
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
} from '../../app/contract'
import { keepDecodedTiles, tokenOf, trimMemory } from '../../native/index'
import { isCancelled, toAppError } from '../base/errors'
import type { Log } from '../base/log'
import type { SlideComparison } from '../slide/identity'
import { measuredChannels } from '../slide/measuredChannels'
import type { Analysis, Draft } from './analysis/analysis'
import { channelNamed, requireOwnChannel, slideOfRun } from './analysis/channel'
import { pixelDepth } from './analysis/draft'
import { tooManyObjects } from './schedule/budget'
import type { Budget } from './schedule/budget'
import type { ChangedTiles } from './result/changedTiles'
import { emptyTile } from './tiles/computeTile'
import type { UnreadablePart } from './tiles/trust'
import { ResultCollector } from './result/resultCollector'
import { GroundWait } from './result/groundWait'
import type { Waiting } from './result/groundWait'
import { TileCommitter } from './result/tileCommitter'
import type { CommittingRun } from './result/tileCommitter'
import { keepRun } from './journal/kept'
import { gradedMarks } from './objects/marks'
import type { RankedMarks } from './objects/marks'
import type { Journals } from './journal/journals'
import type { LookedAt } from './result/lookedAt'
import { forPreview } from './analysis/previewReach'
import { fitCaches, giveBackIdle, MemoryWatch, peakRssBytes } from './analysis/memory'
import { cutsIn, cutsOf } from './objects/objectClasses'
import { objectDetails, placeOf } from './point/objectDetails'
import type { ObjectStore } from './objects/objectStore'
import type { RunOrder } from './request/order'
import type { Overviews } from './analysis/overviews'
import { Plan, regionOnSlide } from './plan/plan'
import type { RunResult } from './objects/result'
import { RunState } from './schedule/runState'
import { priorities } from './schedule/schedule'
import type { JobHandle, Scheduler } from './schedule/schedule'
import { Stopwatch } from './schedule/stopwatch'
import { Throttle } from './schedule/throttle'
import type { Throughput } from './request/throughput'
import type { TileResults } from './tiles/tileResults'
import { requireVerifiable, verifiedRun } from './verify'
import { TileWork } from './tiles/tileWork'
import type { TileSink } from './tiles/tileWork'
import type { Lane } from './schedule/turns'
import { Workload } from './analysis/workload'
import type { Expected } from './analysis/workload'

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
  readonly lane: Lane
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  readonly unreadable: readonly UnreadablePart[]
  readonly uncertain: readonly UnreadablePart[]
  /** Resolves when the run has ended, however it ended. */
  readonly ended: Promise<void>
  private analysis_: Analysis | undefined
  private readonly state = new RunState()
  private error: AppError | null = null
  readonly order: RunOrder
  private readonly tools: RunTools
  private readonly plan: Plan
  private readonly memory: MemoryWatch
  private readonly abort = new AbortController()
  private readonly token = tokenOf(this.abort.signal)
  private readonly found: ResultCollector
  private readonly notes = new Set<string>()
  private readonly progress: Throttle
  private readonly askedAt = new Date().toISOString()
  private readonly elapsed = new Stopwatch()
  private readonly computing = new Stopwatch()
  private readonly workload = new Workload()
  /** Where its tiles go, and its journal. */
  readonly tileCommitter: TileCommitter
  private readonly ground: GroundWait
  /** In the document, where that holds its objects. */
  keptId: string | null
  private rule: ObjectRule | null = null
  private edits = 0
  private verification: RunVerification | null = null
  private standing: Promise<void> = Promise.resolve()
  private peakRssBytes: number | undefined
  private job: JobHandle | undefined
  /** What had become of the slide's files when the run ended, however it did. */
  slideAtEnd: Promise<SlideComparison> | undefined
  private areas_: ReturnType<ResultCollector['areas']> | undefined
  private settle: () => void = () => undefined

  constructor(order: RunOrder, tools: RunTools) {
    this.order = order
    this.tools = tools
    this.runId = order.runId
    this.draft = order.draft
    this.purpose = order.purpose
    this.page = order.page
    this.lane = order.lane
    this.keptId = order.kept?.keptId ?? null
    this.memory = new MemoryWatch(order.memory, (windows) => this.job?.limit(windows))
    this.plan = new Plan(order.draft.grid, order.region, order.focus, order.blockSize)
    this.found = new ResultCollector(order, this.plan, (tiles) => tools.emit({ type: 'run:tiles', runId: this.runId, tiles }))
    this.objects = this.found.objects
    this.changed = this.found.changed
    this.unreadable = this.found.unreadable
    this.uncertain = this.found.uncertain
    this.tileCommitter = new TileCommitter(order, this.plan, this.found, this.committingRun(), tools)
    this.ground = new GroundWait(order, this.found, this.waiting())
    this.progress = new Throttle(progressMs, () => tools.emit({ type: 'run:progress', status: this.status() }))
    this.ended = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  /** With the overview's values: undefined until they are known. */
  get analysis(): Analysis | undefined {
    return this.analysis_
  }

  get region(): Region {
    return regionOnSlide(this.draft.grid, this.order.region)
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
    return cutsOf(this.draft, this.rule)
  }

  get over(): boolean {
    return this.state.over
  }

  /** Works until the end, and until what is under way then has ended. Never rejects: how it went is in the status. */
  async begin(): Promise<void> {
    if (!this.state.to('begin')) return
    if (this.state.runs) this.elapsed.start()
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
      this.analysis_ = analysis
      this.found.setTissue(analysis.tissue)
      this.found.valuesUncertain = kept ? kept.head.valuesUncertain === true : analysis.unread !== null
      fitCaches(this.order.memory.budgetBytes, this.tools.tiles)
      for (const warning of analysis.warnings) this.notes.add(warning)
      if (kept) return this.end(kept.note.state ?? 'done')
      await this.tileCommitter.resume(analysis)
      if (this.order.base) await this.tileCommitter.takeBase(this.order.base, analysis)
      if (this.over) return
      this.found.timeline.start()
      await this.ground.take(analysis.ground)
      if (this.over) return
      this.job = this.schedule(analysis)
      if (!this.state.paused) this.computing.start()
      await this.job.finished
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
    if (gone !== null) this.notes.add(gone)
  }

  /** What is done stays: it can be looked at and exported. */
  cancel(): void {
    if (this.over) return
    this.abort.abort()
    this.job?.cancel()
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
    if (this.state.runs) this.elapsed.start()
    if (this.job) {
      this.computing.start()
      this.found.timeline.resume()
      fitCaches(this.order.memory.budgetBytes, this.tools.tiles)
      this.job.resume()
    }
    this.tell()
  }

  /** Resolves when nothing of it is under way, or it goes on. */
  private async stand(): Promise<void> {
    if (this.job) {
      await this.job.pause()
      if (!this.state.settling) return
      await this.tileCommitter.drained()
      await this.tileCommitter.sync()
      if (!this.state.settling) return
    }
    this.state.to('settle')
    this.elapsed.stop()
    if (!this.job) return
    this.computing.stop()
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
    this.rule = rule
    this.edits += 1
    this.changed.mark(tiles)
    this.changed.flush()
    this.tools.emit({ type: 'run:progress', status: this.status() })
  }

  /** Its objects as a file. Throws INVALID_PARAMETER where it is neither done nor cancelled with a part done, OUTPUT_FAILED. */
  keep(path: string, program: string): Promise<void> {
    const { objects, unreadable, uncertain } = this
    const head = (note: unknown) => this.tileCommitter.headFor(program, note)
    return keepRun(path, { status: this.status(), objects, unreadable, uncertain, tiles: this.found.doneTiles(), head })
  }

  /** How it stands, at once. */
  private tell(): void {
    this.progress.poke()
    this.tools.emit({ type: 'runs:changed' })
  }

  status(): RunStatus {
    const { grid, resolution } = this.draft
    const { found } = this
    const computingMs = this.computing.ms
    return {
      runId: this.runId,
      slideId: this.draft.slide.info.slideId,
      purpose: this.purpose,
      name: this.order.name,
      state: this.state.told,
      startedAt: this.order.kept?.head.startedAt ?? this.askedAt,
      ...(this.order.layers && { layers: true }),
      ...(this.keptId !== null && { keptId: this.keptId }),
      ...(this.edits > 0 && { edits: this.edits }),
      ...(this.rule && { rule: this.rule }),
      ...cutsIn(this.draft, this.rule),
      ...channelNamed(this.draft.slide.info, this.order.request),
      region: this.region,
      ...(this.order.withinPx === undefined ? {} : { withinPx: this.order.withinPx }),
      ...(this.order.withinBox && { withinBox: this.order.withinBox }),
      grid: { tileSizePx: grid.tileSizePx, scale: grid.scale, maxLevel: grid.maxLevel },
      analysedMpp: resolution.analysedMpp,
      nominalMpp: resolution.nominalMpp,
      ...(this.resolved[pixelDepth] === 16 && { analysedBits: 16 }),
      tilesTotal: this.plan.tileCount,
      ...found.counts(),
      ...(this.areas_ ??= this.over ? found.areas() : undefined),
      ...(this.ground.progress && !this.over && { ground: this.ground.progress }),
      settling: this.state.settling,
      elapsedMs: this.order.kept?.note.elapsedMs ?? this.elapsed.ms,
      etaMs: this.over ? 0 : this.state.paused ? null : this.workload.etaMs(computingMs),
      megapixelsPerSecond: computingMs > 0 ? (found.pixelsDone - found.pixelsResumed) / 1000 / computingMs : 0,
      warnings: this.order.kept?.note.warnings ?? [...this.order.warnings, ...this.notes, ...found.doubts()],
      error: this.error,
    }
  }

  /** `x`, `y` in level-0 px. */
  async objectAt(x: number, y: number): Promise<ObjectDetails | null> {
    const { scale } = this.draft.grid
    const found = this.objects.at(Math.floor(x / scale), Math.floor(y / scale))
    return found && objectDetails(found.object, found.id, placeOf(this.draft, this.objects.marks))
  }

  /** What the native pipeline is given: px and levels, with the slide's "overview.*" values once they are known. */
  get resolved(): RunResult['resolved'] {
    return this.order.kept?.head.resolved ?? this.analysis_?.params ?? this.draft.params
  }

  /** So far. */
  timeline(): RunTimeline {
    return this.found.timeline.get()
  }

  /** Parts of it once more, each in one window on the CPU. Throws INVALID_PARAMETER. */
  async verify(regions: readonly Region[], random: number, signal: AbortSignal): Promise<RunVerification> {
    const analysis = requireVerifiable(this.status(), this.analysis_)
    requireOwnChannel(this.order)
    await this.checkSlide()
    const unread = [...this.unreadable, ...this.uncertain]
    this.verification = await verifiedRun(analysis, this.objects, this.order, { regions, random }, tokenOf(signal), unread)
    return this.verification
  }

  result(): RunResult {
    return {
      status: this.status(),
      slide: slideOfRun(this.draft.slide.info, this.order.request),
      spec: this.draft.spec,
      recipe: withCuts(this.draft.recipe, this.draft.spec, this.rule) ?? this.draft.recipe,
      resolved: this.resolved,
      stainNames: this.draft.stainNames,
      channels: measuredChannels(this.draft.slide.info),
      classes: this.draft.classes,
      shapes: this.order.shapes,
      marks: gradedMarks(this.objects, this.draft.classes),
      scale: this.draft.grid.scale,
      unreadable: [...this.unreadable],
      uncertain: [...this.uncertain],
      objects: this.objects.left(),
      timeline: this.timeline(),
      verification: this.verification,
      memory: { ...this.order.memory, peakRssBytes: this.peakRssBytes ?? peakRssBytes() },
    }
  }

  private schedule(analysis: Analysis): JobHandle {
    const { order, plan, token, tools, workload } = this
    const { windowsAtOnce } = order.memory
    const { isDone } = this.tileCommitter
    const expected = (cost: number): Expected | null => tools.throughput.expected(this.draft, cost, windowsAtOnce)
    const wanted = order.layers ? 'planes' : 'overlapping'
    const asked = { analysis, plan, threads: order.threads, windowsAtOnce, token, workload, wanted, expected, isDone } as const
    const work = new TileWork(asked, tools.tiles, this.sink())
    const how = {
      paused: this.state.paused,
      priority: priorities[this.lane === 'long' ? 'run' : this.lane],
      maxWorkers: windowsAtOnce,
    }
    const told = async (done: Promise<void>): Promise<void> => {
      await done
      this.poke()
    }
    if (this.purpose === 'preview') return tools.scheduler.add({ ...how, tiles: work.preview(), work: (step) => told(step()) })
    void work.measure()
    return tools.scheduler.add({ ...how, tiles: plan.blocks(), work: (block) => told(work.block(block)) })
  }

  private committingRun(): CommittingRun {
    const isOver = (): boolean => this.over
    return {
      runId: this.runId,
      get over() {
        return isOver()
      },
      startedAt: this.askedAt,
      grew: () => this.checkBudget(),
      moved: () => this.poke(),
      note: (words) => this.notes.add(words),
      fail: (error) => this.fail(error),
    }
  }

  private waiting(): Waiting {
    return {
      signal: this.abort.signal,
      isHeld: () => this.state.paused,
      began: () => this.tools.emit({ type: 'run:progress', status: this.status() }),
      moved: () => this.poke(),
      note: (words) => this.notes.add(words),
    }
  }

  /** Takes what is computed while the run goes on. */
  private sink(): TileSink {
    return {
      isOver: () => this.over,
      reuse: (tile, result) => this.tileCommitter.add({ tiles: [tile], results: [result], window: 'reused' }),
      glass: (tiles) => this.tileCommitter.add({ tiles, results: tiles.map(() => emptyTile), window: 'glass' }),
      done: (tiles, results, window, share) => {
        this.memory.look()
        this.tools.throughput.addWindow(this.draft, window.timings, share)
        for (const why of window.givenUp ?? []) this.notes.add(`A device failed, and others computed its part. ${why}`)
        this.tileCommitter.add({ tiles, results, window })
      },
      failed: (tile, failure) => this.tileCommitter.add({ tile, failure }),
      note: (words) => this.notes.add(words),
      narrowed: () => {
        this.memory.stop()
        this.job?.limit(1)
        this.notes.add('Memory was short: parts of the run were computed one at a time, which takes longer.')
      },
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
    this.job?.cancel()
    this.end('failed', failure)
    // No slide that is opened again is the one that it was begun on.
    if (failure.code === 'SLIDE_CHANGED') void this.tileCommitter.dropJournal()
  }

  private end(state: 'done' | 'cancelled' | 'failed', error: AppError | null = null): void {
    if (!this.state.to(state)) return
    this.error = error
    this.ground.letGo()
    this.slideAtEnd = this.draft.slide.identity.compare()
    this.elapsed.stop()
    this.computing.stop()
    this.peakRssBytes = peakRssBytes()
    this.progress.stop()
    this.found.timeline.end()
    this.changed.flush()
    this.objects.trim()
    if (this.purpose === 'run' && this.computing.ms > 0)
      this.tools.throughput.addRun(this.draft, this.workload.computed, this.computing.ms)
    void this.tileCommitter.sync()
    if (this.purpose === 'run' && this.tools.scheduler.idle) giveBackIdle(this.order.memory.budgetBytes)
    this.tools.emit({ type: 'run:end', status: this.status() })
    this.settle()
  }
}
