// One run from its turn to its end, which comes exactly once: what it does, how it stands, and who is told.
import { performance } from 'node:perf_hooks'
import { isOver } from '../../app/contract'
import type { AppError, AppEvent, ObjectDetails, Region, RunStatus } from '../../app/contract'
import { tokenOf } from '../../native/index'
import { EngineError, isCancelled, toAppError } from '../base/errors'
import type { Log } from '../base/log'
import type { SlideComparison } from '../slide/identity'
import type { Analysis, Draft } from './analysis'
import type { Budget } from './budget'
import type { ChangedTiles } from './changedTiles'
import type { UnreadablePart } from './computeTile'
import { Gathered } from './gathered'
import { fitCaches, MemoryWatch, peakRssBytes } from './memory'
import { objectDetails } from './objectDetails'
import type { ObjectStore } from './objectStore'
import type { RunOrder } from './order'
import type { Overviews } from './overviews'
import { Plan, regionOnSlide } from './plan'
import type { TileIndex } from './plan'
import type { RunResult } from './result'
import { priorities } from './schedule'
import type { JobHandle, Scheduler } from './schedule'
import { Throttle } from './throttle'
import type { Throughput } from './throughput'
import type { TileResults } from './tileResults'
import { TileWork } from './tileWork'
import type { TileSink } from './tileWork'
import type { Lane } from './turns'

export interface RunTools {
  readonly scheduler: Scheduler
  readonly tiles: TileResults
  readonly overviews: Overviews
  readonly throughput: Throughput
  readonly budget: Pick<Budget, 'runBytes' | 'runObjects'>
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
  /** Resolves when the run has ended, however it ended. */
  readonly ended: Promise<void>
  private analysis_: Analysis | undefined
  private state: RunStatus['state'] = 'queued'
  private error: AppError | null = null
  private readonly order: RunOrder
  private readonly tools: RunTools
  private readonly plan: Plan
  private readonly memory: MemoryWatch
  private readonly abort = new AbortController()
  private readonly token = tokenOf(this.abort.signal)
  private readonly found: Gathered
  private readonly notes = new Set<string>()
  private readonly progress: Throttle
  private readonly askedAt = new Date().toISOString()
  private startedAt: number | undefined
  private computingSince: number | undefined
  private endedAt: number | undefined
  private peakRssBytes: number | undefined
  private job: JobHandle | undefined
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
    this.lane = order.lane
    this.memory = new MemoryWatch(order.memory, (windows) => this.job?.limit(windows))
    this.plan = new Plan(order.draft.grid, order.region, order.focus)
    this.found = new Gathered(order, this.plan, (tiles) => tools.emit({ type: 'run:tiles', runId: this.runId, tiles }))
    this.objects = this.found.objects
    this.changed = this.found.changed
    this.unreadable = this.found.unreadable
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

  get over(): boolean {
    return isOver({ state: this.state })
  }

  /** Works until the end, and until what is under way then has ended. Never rejects: how it went is in the status. */
  async begin(): Promise<void> {
    if (this.over) return
    this.state = 'running'
    this.startedAt = performance.now()
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
      const analysis = await this.tools.overviews.complete(this.draft, this.order.threads, this.abort.signal)
      if (this.over) return
      this.analysis_ = analysis
      fitCaches(this.order.memory.budgetBytes, this.tools.tiles)
      for (const warning of analysis.warnings) this.notes.add(warning)
      this.computingSince = performance.now()
      this.job = this.schedule(analysis)
      await this.job.finished
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

  status(): RunStatus {
    const { grid, resolution } = this.draft
    const { found } = this
    const now = this.endedAt ?? performance.now()
    const computingMs = this.computingSince === undefined ? 0 : now - this.computingSince
    return {
      runId: this.runId,
      slideId: this.draft.slide.info.slideId,
      purpose: this.purpose,
      name: this.order.name,
      state: this.state,
      startedAt: this.askedAt,
      region: this.region,
      grid: { tileSizePx: grid.tileSizePx, scale: grid.scale, maxLevel: grid.maxLevel },
      analysedMpp: resolution.analysedMpp,
      nominalMpp: resolution.nominalMpp,
      tilesDone: found.tilesDone,
      tilesTotal: this.plan.tileCount,
      objects: this.objects.count,
      cutObjects: found.cutObjects,
      certainty: found.certain(),
      elapsedMs: this.startedAt === undefined ? 0 : now - this.startedAt,
      etaMs: this.over ? 0 : found.etaMs(computingMs),
      megapixelsPerSecond: computingMs > 0 ? found.pixelsDone / 1000 / computingMs : 0,
      unreadableTiles: found.unreadableTiles,
      keptMegapixels: found.pixelsKept / 1e6,
      timings: found.timings.list(),
      warnings: [...this.order.warnings, ...this.notes, ...found.doubts()],
      error: this.error,
    }
  }

  /** `x`, `y` in level-0 px. */
  async objectAt(x: number, y: number): Promise<ObjectDetails | null> {
    const { scale } = this.draft.grid
    const found = this.objects.at(Math.floor(x / scale), Math.floor(y / scale))
    return found && objectDetails(found.object, found.id, { ...this.draft.resolution, stainNames: this.draft.stainNames })
  }

  result(): RunResult {
    return {
      status: this.status(),
      slide: this.draft.slide.info,
      spec: this.draft.spec,
      recipe: this.draft.recipe,
      resolved: this.analysis_?.params ?? this.draft.params,
      stainNames: this.draft.stainNames,
      scale: this.draft.grid.scale,
      unreadable: [...this.unreadable],
      objects: this.objects.all(),
      memory: { ...this.order.memory, peakRssBytes: this.peakRssBytes ?? peakRssBytes() },
    }
  }

  private schedule(analysis: Analysis): JobHandle {
    const { order, plan, token, tools } = this
    const { windowsAtOnce } = order.memory
    const work = new TileWork({ analysis, plan, threads: order.threads, windowsAtOnce, token }, tools.tiles, this.sink())
    const how = { priority: priorities[this.lane === 'long' ? 'run' : this.lane], maxWorkers: windowsAtOnce }
    const told = async (done: Promise<void>): Promise<void> => {
      await done
      this.poke()
    }
    if (this.purpose === 'preview') return tools.scheduler.add({ ...how, tiles: work.preview(), work: (step) => told(step()) })
    return tools.scheduler.add({ ...how, tiles: plan.blocks(), work: (block) => told(work.block(block)) })
  }

  /** Takes what is computed while the run goes on. */
  private sink(): TileSink {
    const { found } = this
    return {
      isOver: () => this.over,
      reuse: (tile, result) => {
        if (this.over) return
        found.addKept(tile)
        found.add([tile], [result])
        this.checkBudget()
      },
      done: (tiles, results) => {
        if (this.over) return
        found.add(tiles, results)
        this.checkBudget()
      },
      failed: (tile, failure) => this.tileFailed(tile, failure),
      took: (window) => {
        this.memory.look()
        this.tools.throughput.addWindow(this.draft, window.timings)
        if (!this.over) found.addWindow(window)
      },
      underWay: (pixels) => (found.pixelsUnderWay += pixels),
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
    const { runBytes, runObjects } = this.tools.budget
    if (this.objects.bytes <= runBytes && this.objects.count <= runObjects) return
    const found = this.objects.count.toLocaleString('en')
    this.fail(
      new EngineError(
        'OUT_OF_MEMORY',
        `The ${found} objects that were found so far take all the memory that a run may have here. Run the recipe on a smaller region, or with a larger least area.`,
      ),
    )
  }

  private tileFailed(tile: TileIndex, failure: AppError): void {
    this.tools.log({
      level: failure.code === 'INTERNAL' ? 'error' : 'warn',
      message: `${this.runId}: tile ${tile.x}, ${tile.y} failed: ${failure.message}`,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
    this.found.addFailed(tile, failure)
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
  }

  private end(state: 'done' | 'cancelled' | 'failed', error: AppError | null = null): void {
    if (this.over) return
    this.state = state
    this.error = error
    this.slideAtEnd = this.draft.slide.identity.compare()
    this.endedAt = performance.now()
    this.peakRssBytes = peakRssBytes()
    this.progress.stop()
    this.changed.flush()
    if (this.purpose === 'run' && this.computingSince !== undefined) {
      this.tools.throughput.addRun(this.draft, this.found.pixelsDone - this.found.pixelsKept, this.endedAt - this.computingSince)
    }
    this.tools.emit({ type: 'run:end', status: this.status() })
    this.settle()
  }
}
