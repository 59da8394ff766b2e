// One run: takes its tiles through the scheduler, gathers their objects, and keeps everybody told. It ends exactly once.
import { performance } from 'node:perf_hooks'
import type { AppError, AppEvent, ObjectDetails, Region, RunStatus } from '../../app/contract'
import { NativeError, createCancelToken } from '../../native/index'
import { CancelledError, isCancelled, toAppError } from '../errors'
import type { Log } from '../log'
import type { Analysis, Draft, Overviews } from './analysis'
import { ChangedTiles } from './changedTiles'
import { objectDetails } from './objectDetails'
import { ObjectStore } from './objectStore'
import { blocksOf, contains, coreOf, planTiles, regionOnSlide } from './plan'
import type { PixelRect, TileIndex } from './plan'
import type { RunResult } from './result'
import { priorities } from './schedule'
import type { JobHandle, Scheduler } from './schedule'
import { Throttle } from './throttle'
import type { TileResult, TileResults, UnreadablePart } from './tileResult'
import { Timings } from './timings'

export interface RunTools {
  readonly scheduler: Scheduler
  readonly tiles: TileResults
  readonly overviews: Overviews
  readonly emit: (event: AppEvent) => void
  readonly log: Log
}
export interface RunOrder {
  readonly runId: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  /** Analysed px, inside the slide. */
  readonly region: PixelRect
  /** Analysed px. */
  readonly focus: { x: number; y: number } | undefined
  readonly threads: number
  readonly warnings: readonly string[]
}

const progressMs = 100
/** Errors that every tile would meet alike. All others concern the tile and never end a run. */
const fatal = new Set(['INVALID_PARAMETER', 'NATIVE_UNAVAILABLE', 'GPU_UNAVAILABLE', 'GPU_OUT_OF_MEMORY', 'GPU_LOST'])

export class Run {
  readonly runId: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  readonly unreadable: UnreadablePart[] = []
  /** Resolves when the run has ended, however it ended. */
  readonly ended: Promise<void>
  private analysis_: Analysis | undefined
  private state: RunStatus['state'] = 'running'
  private error: AppError | null = null
  private readonly order: RunOrder
  private readonly tools: RunTools
  private readonly plan: readonly TileIndex[]
  private readonly blocks: readonly (readonly TileIndex[])[]
  private readonly planned: ReadonlySet<string>
  private readonly announced = new Set<string>()
  private readonly token = createCancelToken()
  private readonly timings = new Timings()
  private readonly notes = new Set<string>()
  private readonly progress: Throttle
  private readonly started = performance.now()
  private computingSince = this.started
  private endedAt: number | undefined
  private tilesDone = 0
  private pixelsDone = 0
  private failedTiles = 0
  private unreadableTiles = 0
  private lastFailure: AppError | undefined
  private job: JobHandle | undefined
  private settle: () => void = () => undefined

  constructor(order: RunOrder, tools: RunTools) {
    this.order = order
    this.tools = tools
    this.runId = order.runId
    this.draft = order.draft
    this.purpose = order.purpose
    this.plan = planTiles(order.draft.grid, order.region, order.focus).tiles
    // A preview keeps every intermediate image, tile by tile, and is to show something at once.
    this.blocks =
      order.purpose === 'preview'
        ? this.plan.map((tile) => [tile])
        : blocksOf(this.plan, order.threads, order.draft.device === 'cpu' ? 'cpu' : 'gpu')
    this.planned = new Set(this.plan.map(tileKey))
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

  get running(): boolean {
    return this.state === 'running'
  }

  /** Works until the end. Never rejects: how it went is in the status. */
  async execute(): Promise<void> {
    try {
      const analysis = await this.tools.overviews.complete(this.draft, this.order.threads, this.token)
      if (!this.running) return
      this.analysis_ = analysis
      this.computingSince = performance.now()
      this.job = this.tools.scheduler.add({
        priority: priorities[this.purpose],
        tiles: this.blocks,
        maxWorkers: this.order.threads,
        work: (block) => this.doBlock(analysis, block),
      })
      await this.job.finished
      if (!this.running) return
      if (this.failedTiles === this.plan.length && this.lastFailure) this.end('failed', this.lastFailure)
      else this.end('done')
    } catch (error) {
      if (isCancelled(error)) this.end('cancelled')
      else this.fail(error)
    }
  }

  /** What is done stays: it can be looked at and exported. */
  cancel(): void {
    if (!this.running) return
    this.token.cancel()
    this.job?.cancel()
    this.end('cancelled')
  }

  status(): RunStatus {
    const { grid, resolution } = this.draft
    const now = this.endedAt ?? performance.now()
    const computingMs = now - this.computingSince
    const left = this.plan.length - this.tilesDone
    return {
      runId: this.runId,
      slideId: this.draft.slide.info.slideId,
      purpose: this.purpose,
      state: this.state,
      region: this.region,
      grid: { tileSizePx: grid.tileSizePx, scale: grid.scale, maxLevel: grid.maxLevel },
      analysedMpp: resolution.analysedMpp,
      nominalMpp: resolution.nominalMpp,
      tilesDone: this.tilesDone,
      tilesTotal: this.plan.length,
      objects: this.objects.count,
      elapsedMs: now - this.started,
      etaMs: this.running ? (this.tilesDone > 0 ? (computingMs / this.tilesDone) * left : null) : 0,
      megapixelsPerSecond: computingMs > 0 ? this.pixelsDone / 1000 / computingMs : 0,
      unreadableTiles: this.unreadableTiles,
      timings: this.timings.list(),
      warnings: [...this.order.warnings, ...this.notes, ...this.unreadableWarning()],
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
    }
  }

  /** The tiles of a block that are kept from earlier runs, then the others in one window. */
  private async doBlock(analysis: Analysis, block: readonly TileIndex[]): Promise<void> {
    const inspect = this.purpose === 'preview'
    const left = block.filter((tile) => {
      const known = this.tools.tiles.cached(analysis, tile, inspect)
      if (!known) return true
      this.timings.addKept(known.timings, this.pixelsOf(tile))
      this.done(tile, known)
      return false
    })
    if (left.length > 1) await this.compute(analysis, left)
    else if (left[0]) await this.computeOne(analysis, left[0])
    // A listener may have cancelled the run meanwhile: nothing is told after its end.
    if (this.running) this.progress.poke()
  }

  private async compute(analysis: Analysis, tiles: readonly TileIndex[]): Promise<void> {
    try {
      const results = await this.tools.tiles.getBlock(analysis, tiles, { threads: this.threadsEach, token: this.token })
      tiles.forEach((tile, i) => {
        if (!this.running) return
        this.timings.add(results[i]!.timings)
        this.done(tile, results[i]!)
      })
    } catch (error) {
      if (!this.running) return
      if (error instanceof NativeError && error.code === 'GPU_OUT_OF_MEMORY') {
        this.notes.add(
          `${this.draft.device} had no memory left for a window of ${tiles.length} tiles: these were computed one by one.`,
        )
      } else this.endOn(error)
      // One by one, to lose no more than the tile that it is about.
      for (const tile of tiles) if (this.running) await this.computeOne(analysis, tile)
    }
  }

  private async computeOne(analysis: Analysis, tile: TileIndex): Promise<void> {
    const inspect = this.purpose === 'preview'
    try {
      const result = await this.tools.tiles.get(analysis, tile, { inspect, threads: this.threadsEach, token: this.token })
      if (!this.running) return
      this.timings.add(result.timings)
      this.done(tile, result)
    } catch (error) {
      if (!this.running) return
      this.endOn(error)
      this.count(this.pixelsOf(tile))
      this.markFailed(tile, toAppError(error))
    }
  }

  /** One window alone may use every core; many share them. */
  private get threadsEach(): number {
    return Math.max(1, Math.floor(this.order.threads / this.blocks.length))
  }

  /** Throws what ends the whole run. */
  private endOn(error: unknown): void {
    if (isCancelled(error)) throw new CancelledError('the run was cancelled')
    if (error instanceof NativeError && fatal.has(error.code)) throw error
  }

  private done(tile: TileIndex, result: TileResult): void {
    this.count(this.pixelsOf(tile))
    this.take(tile, result)
  }

  private pixelsOf(tile: TileIndex): number {
    return area(coreOf(this.draft.grid, tile))
  }

  /** Before the tile is announced: who hears of it finds it counted. */
  private count(pixels: number): void {
    this.tilesDone += 1
    this.pixelsDone += pixels
  }

  private take(tile: TileIndex, result: TileResult): void {
    const touched = this.objects.add(result.owned, (row) =>
      contains(this.order.region, result.owned.value(row, 'firstX'), result.owned.value(row, 'firstY')),
    )
    if (result.unreadable.length > 0) {
      this.unreadableTiles += 1
      this.unreadable.push(...result.unreadable)
    }
    this.announce(tile, touched)
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
    this.announced.add(tileKey(tile))
    const now = touched.filter((other) => this.announced.has(tileKey(other)) || !this.planned.has(tileKey(other)))
    this.changed.mark(now.some((other) => tileKey(other) === tileKey(tile)) ? now : [tile, ...now])
  }

  private unreadableWarning(): string[] {
    const first = this.unreadable[0]
    if (!first) return []
    return [
      `${this.unreadableTiles} of ${this.plan.length} tiles could not be read in full and are marked on the overlay: ${first.reason}`,
    ]
  }

  private fail(error: unknown): void {
    if (!this.running) return
    const failure = toAppError(error)
    this.tools.log({
      level: 'error',
      message: `${this.runId} failed: ${failure.message}`,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
    this.token.cancel()
    this.job?.cancel()
    this.end('failed', failure)
  }

  private end(state: 'done' | 'cancelled' | 'failed', error: AppError | null = null): void {
    if (!this.running) return
    this.state = state
    this.error = error
    this.endedAt = performance.now()
    this.progress.stop()
    this.changed.flush()
    this.tools.emit({ type: 'run:end', status: this.status() })
    this.settle()
  }
}

function tileKey({ x, y }: TileIndex): string {
  return `${x}_${y}`
}

function area(rect: PixelRect): number {
  return rect.width * rect.height
}
