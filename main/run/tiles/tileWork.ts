// How a run's tiles are computed: what is cached is taken, blocks go in one window, and tile by tile what does not.
import type { AppError } from '../../../app/contract'
import { NativeError } from '../../../native/index'
import type { CancelToken } from '../../../native/index'
import { CancelledError, isCancelled, toAppError } from '../../base/errors'
import type { Analysis } from '../analysis/analysis'
import type { BlockResult, TileResult, Wanted, WindowTook } from './computeTile'
import { MemoryGate, isShortOfMemory } from '../schedule/memoryGate'
import { missingPieces } from '../plan/pieces'
import { coreOf } from '../plan/plan'
import type { Plan, RunBlock, TileIndex } from '../plan/plan'
import type { BlockOptions, TileResults } from './tileResults'
import { coreToCompute, costOf, costOfPlan } from '../analysis/workload'
import type { Expected, Workload } from '../analysis/workload'

/** What cannot be computed for the file's sake concerns its tile alone. All else, a bug or want of memory above all, ends the run as what it is. */
const aboutReading = new Set<string>(['SLIDE_UNREADABLE'])

/** Whoever the work is for. */
export interface TileSink {
  /** Nothing that is computed after the end counts. */
  isOver(): boolean
  /** Computed by an earlier run. */
  reuse(tile: TileIndex, result: TileResult): void
  /** Without tissue: nothing is in them, and nothing was computed. */
  glass(tiles: readonly TileIndex[]): void
  /** A window's tiles, and what it took. */
  done(tiles: readonly TileIndex[], results: readonly TileResult[], window: WindowTook, share: Share): void
  failed(tile: TileIndex, failure: AppError): void
  /** For the run's warnings. */
  note(words: string): void
  /** Windows go on one at a time. */
  narrowed(): void
}

/** What a window is of its run's work (costOf), and on how many threads. */
export interface Share {
  readonly cost: number
  readonly threads: number
}

export interface TileWorkOrder {
  readonly analysis: Analysis
  readonly plan: Plan
  readonly threads: number
  /** As memory allows: they share the threads. */
  readonly windowsAtOnce: number
  /** Of windows that grow, as memory allows. */
  readonly largerAtOnce: number
  readonly token: CancelToken | undefined
  /** Is told what there is to compute, and what has been. */
  readonly workload: Workload
  /** Of a preview's tiles. */
  readonly wanted: Exclude<Wanted, 'objects'>
  /** What so much is expected to take, by what the machine did before; null: nobody knows. */
  readonly expected: (cost: number) => Expected | null
  /** Tiles that need no computing: a journal had them. */
  readonly isDone?: ((tile: TileIndex) => boolean) | undefined
}

export class TileWork {
  private readonly order: TileWorkOrder
  private readonly tiles: TileResults
  private readonly sink: TileSink
  private readonly gate: MemoryGate

  constructor(order: TileWorkOrder, tiles: TileResults, sink: TileSink) {
    this.order = order
    this.tiles = tiles
    this.sink = sink
    this.gate = new MemoryGate(() => sink.narrowed())
  }

  /**
   * A preview's steps, each to be done by a worker: the tiles that are cached, then the others in few windows, nearest to the
   * focus first. A step throws what ends the whole run.
   */
  *preview(): Generator<() => Promise<void>> {
    const { analysis, plan, threads, wanted } = this.order
    const tissue: TileIndex[] = []
    const cached: (() => void)[] = []
    const missing = new Set<TileIndex>()
    for (const tile of plan.tiles()) {
      if (this.isGlass(tile)) {
        cached.push(() => this.sink.glass([tile]))
        continue
      }
      tissue.push(tile)
      const known = this.tiles.cached(analysis, tile, wanted)
      if (known) cached.push(() => this.sink.reuse(tile, known))
      else missing.add(tile)
    }
    if (cached.length > 0) yield async () => cached.forEach((reuse) => reuse())
    const pieces = missingPieces(analysis.grid, tissue, (tile) => missing.has(tile), analysis.haloPx, threads)
    this.order.workload.set(pieces.reduce((sum, { core }) => sum + costOf(analysis, core), 0))
    for (const piece of pieces)
      yield () => {
        const cost = costOf(analysis, piece.core)
        const ended = this.order.workload.begin(cost)
        const found = (how: BlockOptions) => this.tiles.getPiece(analysis, piece, { ...how, wanted })
        return this.computeBlock(piece.tiles, wanted, { cost, threads: piece.threads }, found).finally(() => ended())
      }
  }

  /** All that blocks will cost, and how long that is expected to take. */
  async measure(): Promise<void> {
    const { analysis, plan, workload, expected } = this.order
    const cost = await costOfPlan(
      analysis,
      plan,
      (tile) => this.isToDo(tile),
      () => this.sink.isOver(),
    )
    if (cost !== null) workload.set(cost, expected(cost))
  }

  private isToDo(tile: TileIndex): boolean {
    return !this.order.isDone?.(tile) && !this.isGlass(tile)
  }

  /** The tiles of a block that are cached from earlier runs, then the others in one window. Throws what ends the whole run. */
  async block(block: RunBlock): Promise<void> {
    const { analysis, isDone, plan, workload } = this.order
    const glass: TileIndex[] = []
    const tiles = block.tiles.filter((tile) => {
      if (isDone?.(tile)) return false
      if (this.isGlass(tile)) {
        glass.push(tile)
        return false
      }
      const known = this.tiles.cachedOfBlock(analysis, tile)
      if (known) this.sink.reuse(tile, known)
      return !known
    })
    if (glass.length > 0) this.sink.glass(glass)
    if (!block.tiles.some((tile) => this.isToDo(tile))) return
    const core = coreToCompute(analysis, block.core)
    const cost = costOf(analysis, core)
    if (tiles.length === 0) return workload.spare(cost)
    const ended = workload.begin(cost)
    const asked = { core, tiles, square: coreToCompute(analysis, block.square) }
    const share = { cost, threads: this.threadsFor(plan.blockCount) }
    const found = (how: BlockOptions) => this.tiles.getBlock(analysis, asked, how)
    await this.computeBlock(tiles, 'objects', share, found).finally(() => ended())
  }

  private isGlass(tile: TileIndex): boolean {
    const { tissue } = this.order.analysis
    return tissue !== null && !tissue.has(tile)
  }

  private async computeBlock(
    tiles: readonly TileIndex[],
    wanted: Wanted,
    share: Share,
    found: (how: BlockOptions) => Promise<BlockResult>,
  ): Promise<void> {
    const { analysis, largerAtOnce, token } = this.order
    let results: BlockResult
    try {
      results = await this.gate.run(() => found({ threads: share.threads, largerAtOnce, token }))
    } catch (error) {
      if (this.sink.isOver()) return
      const noMemory = isShortOfMemory(error) || (error instanceof NativeError && error.code === 'GPU_OUT_OF_MEMORY')
      if (!noMemory) endOn(error)
      this.sink.note(
        noMemory
          ? `${isShortOfMemory(error) ? 'This machine' : analysis.device} had not enough free memory for a block of tiles, which was computed tile by tile.`
          : `A block of tiles could not be computed at once, and was tile by tile: ${toAppError(error).message}`,
      )
      // To lose no more than the tile that it is about.
      for (const tile of tiles) if (!this.sink.isOver()) await this.compute(tile, wanted)
      return
    }
    this.sink.done(tiles, results.tiles, results, share)
  }

  private async compute(tile: TileIndex, wanted: Wanted): Promise<void> {
    const { analysis, largerAtOnce, plan, token } = this.order
    const piece = { core: coreOf(analysis.grid, tile), tiles: [tile] }
    const threads = this.threadsFor(plan.tileCount)
    let results: BlockResult
    try {
      results = await this.gate.run(() => this.tiles.getPiece(analysis, piece, { wanted, threads, largerAtOnce, token }))
    } catch (error) {
      if (this.sink.isOver()) return
      endOn(error)
      this.sink.failed(tile, toAppError(error))
      return
    }
    this.sink.done(piece.tiles, results.tiles, results, { cost: costOf(analysis, piece.core), threads })
  }

  /** One window alone may use every core; many share them. */
  private threadsFor(windows: number): number {
    const { threads, windowsAtOnce } = this.order
    return Math.max(1, Math.floor(threads / Math.min(windows, windowsAtOnce)))
  }
}

/** Throws what ends the whole run. */
function endOn(error: unknown): void {
  if (isCancelled(error)) throw new CancelledError('the run was cancelled')
  if (!aboutReading.has(toAppError(error).code)) throw error
}
