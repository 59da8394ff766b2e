// One run: takes its tiles through the scheduler, gathers their objects, and keeps everybody told. It ends exactly once.
import { performance } from 'node:perf_hooks'
import { isOver } from '../../app/contract'
import type { AppError, AppEvent, ObjectDetails, Region, RunStatus } from '../../app/contract'
import { NativeError } from '../../native/index'
import { CancelledError, EngineError, isCancelled, toAppError } from '../base/errors'
import type { Log } from '../base/log'
import type { SlideComparison } from '../slide/identity'
import { tokenOf } from '../base/sharedWork'
import type { Analysis, Draft } from './analysis'
import type { Overviews } from './overviews'
import type { Budget } from './budget'
import { ChangedTiles } from './changedTiles'
import { MemoryGate, isShortOfMemory } from './memoryGate'
import { objectDetails } from './objectDetails'
import { ObjectStore } from './objectStore'
import { Plan, coreOf, regionOnSlide } from './plan'
import type { Block, TileIndex } from './plan'
import { contains } from '../base/rect'
import type { PixelRect } from '../base/rect'
import type { TileResult, UnreadablePart } from './computeTile'
import type { RunResult } from './result'
import { priorities } from './schedule'
import type { JobHandle, Scheduler } from './schedule'
import { Throttle } from './throttle'
import type { Throughput } from './throughput'
import type { BlockResult, TileResults } from './tileResults'
import { Timings } from './timings'
import type { Lane } from './turns'
import { cutWarning, unreadableWarning } from './warnings'

export interface RunTools {
  readonly scheduler: Scheduler
  readonly tiles: TileResults
  readonly overviews: Overviews
  readonly throughput: Throughput
  readonly budget: Pick<Budget, 'runBytes' | 'runObjects'>
  readonly emit: (event: AppEvent) => void
  readonly log: Log
}
export interface RunOrder {
  readonly runId: string
  readonly name: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  readonly lane: Lane
  /** Analysed px, inside the slide. */
  readonly region: PixelRect
  /** Analysed px. */
  readonly focus: { x: number; y: number } | undefined
  readonly threads: number
  readonly warnings: readonly string[]
}

const progressMs = 100
/** What the file could not give concerns its tile alone. All else, a bug or want of memory above all, ends the run as what it is. */
const aboutReading = new Set<string>(['SLIDE_UNREADABLE'])

export class Run {
  readonly runId: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  readonly lane: Lane
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  readonly unreadable: UnreadablePart[] = []
  /** Resolves when the run has ended, however it ended. */
  readonly ended: Promise<void>
  private analysis_: Analysis | undefined
  private state: RunStatus['state'] = 'queued'
  private error: AppError | null = null
  private readonly order: RunOrder
  private readonly tools: RunTools
  private readonly plan: Plan
  private readonly abort = new AbortController()
  private readonly token = tokenOf(this.abort.signal)
  private readonly gate = new MemoryGate(() => this.memoryIsShort())
  private readonly timings = new Timings()
  private readonly notes = new Set<string>()
  private readonly progress: Throttle
  private readonly askedAt = new Date().toISOString()
  private startedAt: number | undefined
  private computingSince: number | undefined
  private endedAt: number | undefined
  private tilesDone = 0
  private pixelsDone = 0
  private pixelsKept = 0
  private pixelsUnderWay = 0
  private cutObjects = 0
  private failedTiles = 0
  private unreadableTiles = 0
  private lastFailure: AppError | undefined
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
    this.lane = order.lane
    this.plan = new Plan(order.draft.grid, order.region, order.focus)
    this.objects = new ObjectStore(order.draft.grid)
    this.changed = new ChangedTiles(order.draft.grid, (tiles) => tools.emit({ type: 'run:tiles', runId: this.runId, tiles }))
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
      for (const warning of analysis.warnings) this.notes.add(warning)
      this.computingSince = performance.now()
      this.job = this.schedule(analysis)
      await this.job.finished
      if (this.over) return
      await this.checkSlide()
      if (this.over) return
      if (this.failedTiles === this.plan.tileCount && this.lastFailure) this.end('failed', this.lastFailure)
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
      tilesDone: this.tilesDone,
      tilesTotal: this.plan.tileCount,
      objects: this.objects.count,
      cutObjects: this.cutObjects,
      elapsedMs: this.startedAt === undefined ? 0 : now - this.startedAt,
      etaMs: this.over ? 0 : this.etaMs(computingMs),
      megapixelsPerSecond: computingMs > 0 ? this.pixelsDone / 1000 / computingMs : 0,
      unreadableTiles: this.unreadableTiles,
      keptMegapixels: this.pixelsKept / 1e6,
      timings: this.timings.list(),
      warnings: [...this.order.warnings, ...this.notes, ...this.doubts()],
      error: this.error,
    }
  }

  /** From what was computed, not from what was kept; of the windows under way half is done. */
  private etaMs(computingMs: number): number | null {
    const computed = this.pixelsDone - this.pixelsKept
    if (this.tilesDone === 0 || this.plan.tileCount === 0) return null
    if (this.tilesDone === this.plan.tileCount) return 0
    const left = (this.pixelsDone / this.tilesDone) * (this.plan.tileCount - this.tilesDone)
    if (computed === 0) return null
    const underWay = Math.min(this.pixelsUnderWay, left) / 2
    return (computingMs / (computed + underWay)) * (left - underWay)
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
    }
  }

  private schedule(analysis: Analysis): JobHandle {
    const how = { priority: priorities[this.lane === 'long' ? 'run' : this.lane], maxWorkers: this.order.threads }
    // A preview keeps every intermediate image, tile by tile, and is to show something at once.
    if (this.purpose === 'preview') {
      return this.tools.scheduler.add({ ...how, tiles: this.plan.tiles(), work: (tile) => this.preview(analysis, tile) })
    }
    return this.tools.scheduler.add({ ...how, tiles: this.plan.blocks(), work: (block) => this.doBlock(analysis, block) })
  }

  private async preview(analysis: Analysis, tile: TileIndex): Promise<void> {
    const known = this.tools.tiles.cached(analysis, tile, true)
    if (known) this.reuse(tile, known)
    else await this.compute(analysis, tile, true)
    this.poke()
  }

  /** The tiles of a block that are kept from earlier runs, then the others in one window. */
  private async doBlock(analysis: Analysis, block: Block): Promise<void> {
    const tiles = block.tiles.filter((tile) => {
      const known = this.tools.tiles.cachedOfBlock(analysis, tile)
      if (known) this.reuse(tile, known)
      return !known
    })
    const pixels = tiles.reduce((sum, tile) => sum + area(coreOf(this.draft.grid, tile)), 0)
    this.pixelsUnderWay += pixels
    if (tiles.length > 0) await this.computeBlock(analysis, { ...block, tiles }).finally(() => (this.pixelsUnderWay -= pixels))
    this.poke()
  }

  private async computeBlock(analysis: Analysis, block: Block): Promise<void> {
    const { tiles } = block
    let results: BlockResult
    try {
      const threads = this.threadsFor(this.plan.blockCount)
      results = await this.gate.run(() => this.tools.tiles.getBlock(analysis, block, { threads, token: this.token }))
    } catch (error) {
      if (this.over) return
      const noMemory = isShortOfMemory(error) || (error instanceof NativeError && error.code === 'GPU_OUT_OF_MEMORY')
      if (!noMemory) this.endOn(error)
      this.notes.add(
        noMemory
          ? `${isShortOfMemory(error) ? 'This machine' : this.draft.device} had not enough free memory for a block of tiles, which was computed tile by tile.`
          : `A block of tiles could not be computed at once, and was tile by tile: ${toAppError(error).message}`,
      )
      // To lose no more than the tile that it is about.
      for (const tile of tiles) if (!this.over) await this.compute(analysis, tile, false)
      return
    }
    this.tools.throughput.addWindow(this.draft, results.timings)
    if (!this.over) this.timings.add(results.timings)
    tiles.forEach((tile, i) => this.done(tile, results.tiles[i]!))
  }

  private async compute(analysis: Analysis, tile: TileIndex, inspect: boolean): Promise<void> {
    let result: TileResult
    try {
      const threads = this.threadsFor(this.plan.tileCount)
      result = await this.gate.run(() => this.tools.tiles.get(analysis, tile, { inspect, threads, token: this.token }))
    } catch (error) {
      if (this.over) return
      this.endOn(error)
      this.count(tile)
      this.markFailed(tile, toAppError(error))
      return
    }
    this.tools.throughput.addWindow(this.draft, result.timings)
    if (!this.over) this.timings.add(result.timings)
    this.done(tile, result)
  }

  /** One window alone may use every core; many share them. */
  private threadsFor(windows: number): number {
    return Math.max(1, Math.floor(this.order.threads / windows))
  }

  /** Throws what ends the whole run. */
  private endOn(error: unknown): void {
    if (isCancelled(error)) throw new CancelledError('the run was cancelled')
    if (!aboutReading.has(toAppError(error).code)) throw error
  }

  private memoryIsShort(): void {
    this.job?.limit(1)
    this.notes.add('Memory was short: parts of the run were computed one at a time, which takes longer.')
  }

  private reuse(tile: TileIndex, result: TileResult): void {
    if (!this.over) {
      const pixels = area(coreOf(this.draft.grid, tile))
      this.timings.addKept(pixels)
      this.pixelsKept += pixels
    }
    this.done(tile, result)
  }

  private done(tile: TileIndex, result: TileResult): void {
    if (this.over) return
    this.count(tile)
    this.take(tile, result)
  }

  /** A listener may have cancelled the run meanwhile: nothing is told after its end. */
  private poke(): void {
    if (!this.over) this.progress.poke()
  }

  /** Before the tile is announced: who hears of it finds it counted. */
  private count(tile: TileIndex): void {
    this.tilesDone += 1
    this.pixelsDone += area(coreOf(this.draft.grid, tile))
  }

  private take(tile: TileIndex, result: TileResult): void {
    const { owned } = result
    const touched = this.objects.add(owned, (row) => {
      if (!contains(this.order.region, owned.value(row, 'firstX'), owned.value(row, 'firstY'))) return false
      if (owned.isCut(row)) this.cutObjects += 1
      return true
    })
    if (result.unreadable.length > 0) {
      this.unreadableTiles += 1
      this.unreadable.push(...result.unreadable)
    }
    this.announce(tile, touched)
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

  private markFailed(tile: TileIndex, failure: AppError): void {
    this.failedTiles += 1
    this.unreadableTiles += 1
    this.lastFailure = failure
    this.unreadable.push({ ...regionOnSlide(this.draft.grid, coreOf(this.draft.grid, tile)), reason: failure.message })
    this.tools.log({
      level: failure.code === 'INTERNAL' ? 'error' : 'warn',
      message: `${this.runId}: tile ${tile.x}, ${tile.y} failed: ${failure.message}`,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
    this.announce(tile, [])
  }

  /** The tile itself, and those its objects reach into; of the latter those that are still to come will tell for themselves. */
  private announce(tile: TileIndex, touched: readonly TileIndex[]): void {
    const others = touched.filter((other) => other.x !== tile.x || other.y !== tile.y)
    // One of the plan's own has a revision when it has been announced.
    const now = others.filter((other) => !this.plan.has(other) || this.changed.revisionOf(0, other.x, other.y) > 0)
    this.changed.mark([tile, ...now])
  }

  private doubts(): string[] {
    const { unreadableTiles, unreadable } = this
    const parts = { tiles: unreadableTiles, of: this.plan.tileCount, reason: unreadable[0]?.reason }
    return [...cutWarning(this.cutObjects, this.draft.haloPx), ...unreadableWarning(parts)]
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
    this.progress.stop()
    this.changed.flush()
    if (this.purpose === 'run' && this.computingSince !== undefined) {
      this.tools.throughput.addRun(this.draft, this.pixelsDone - this.pixelsKept, this.endedAt - this.computingSince)
    }
    this.tools.emit({ type: 'run:end', status: this.status() })
    this.settle()
  }
}

function area(rect: PixelRect): number {
  return rect.width * rect.height
}
