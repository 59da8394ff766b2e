// A run's windows: given to the workers, and what becomes of each, while the run goes on.
import { tokenOf } from '../../native/index'
import type { Analysis } from './analysis/analysis'
import { MemoryWatch } from './analysis/memory'
import type { Expected, Workload } from './analysis/workload'
import type { Plan } from './plan/plan'
import type { RunOrder } from './request/order'
import type { Throughput } from './request/throughput'
import type { TileCommitter } from './result/tileCommitter'
import { priorities } from './schedule/schedule'
import type { JobHandle, Scheduler } from './schedule/schedule'
import { emptyTile } from './tiles/computeTile'
import type { TileResults } from './tiles/tileResults'
import { TileWork } from './tiles/tileWork'
import type { TileSink } from './tiles/tileWork'

/** The run, as what computes it knows it. */
export interface WindowsRun {
  readonly over: boolean
  readonly signal: AbortSignal
  isHeld(): boolean
  /** Something to tell. */
  moved(): void
  note(words: string): void
}
export interface WindowsTools {
  readonly scheduler: Scheduler
  readonly tiles: TileResults
  readonly throughput: Throughput
}

export class Windows {
  readonly #order: RunOrder
  readonly #plan: Plan
  readonly #run: WindowsRun
  readonly #workload: Workload
  readonly #committer: TileCommitter
  readonly #tools: WindowsTools
  readonly #memory: MemoryWatch
  #job: JobHandle | undefined

  constructor(order: RunOrder, plan: Plan, run: WindowsRun, workload: Workload, committer: TileCommitter, tools: WindowsTools) {
    this.#order = order
    this.#plan = plan
    this.#run = run
    this.#workload = workload
    this.#committer = committer
    this.#tools = tools
    this.#memory = new MemoryWatch(order.memory, (windows) => this.#job?.limit(windows))
  }

  /** They are given to workers. Until then there is nothing that could stand still or be cancelled. */
  get begun(): boolean {
    return this.#job !== undefined
  }

  /** Resolves when the last has ended. */
  begin(analysis: Analysis): Promise<void> {
    this.#job = this.#scheduled(analysis)
    return this.#job.finished
  }

  /** Resolves when those under way have ended. */
  async pause(): Promise<void> {
    await this.#job?.pause()
  }

  resume(): void {
    this.#job?.resume()
  }

  cancel(): void {
    this.#job?.cancel()
  }

  #scheduled(analysis: Analysis): JobHandle {
    const { scheduler, throughput, tiles } = this.#tools
    const [order, plan, run] = [this.#order, this.#plan, this.#run]
    const { draft, threads, purpose } = order
    const { windowsAtOnce } = order.memory
    const expected = (cost: number): Expected | null => throughput.expected(draft, cost, windowsAtOnce)
    const wanted = order.layers ? 'planes' : 'overlapping'
    const [workload, { isDone }] = [this.#workload, this.#committer]
    const asked = {
      analysis,
      plan,
      threads,
      windowsAtOnce,
      largerAtOnce: order.largerAtOnce,
      token: tokenOf(run.signal),
      workload,
      wanted,
      expected,
      isDone,
    } as const
    const work = new TileWork(asked, tiles, this.#sink())
    const how = {
      paused: run.isHeld(),
      priority: priorities[order.lane === 'long' ? 'run' : order.lane],
      maxWorkers: windowsAtOnce,
    }
    const told = async (done: Promise<void>): Promise<void> => {
      await done
      run.moved()
    }
    if (purpose === 'preview') return scheduler.add({ ...how, tiles: work.preview(), work: (step) => told(step()) })
    void work.measure()
    return scheduler.add({ ...how, tiles: plan.blocks(), work: (block) => told(work.block(block)) })
  }

  /** Takes what is computed while the run goes on. */
  #sink(): TileSink {
    const [run, committer] = [this.#run, this.#committer]
    return {
      isOver: () => run.over,
      reuse: (tile, result) => committer.add({ tiles: [tile], results: [result], window: 'reused' }),
      glass: (tiles) => committer.add({ tiles, results: tiles.map(() => emptyTile), window: 'glass' }),
      done: (tiles, results, window, share) => {
        this.#memory.look()
        this.#tools.throughput.addWindow(this.#order.draft, window.timings, share)
        for (const why of window.givenUp ?? []) run.note(`A device failed, and others computed its part. ${why}`)
        committer.add({ tiles, results, window })
      },
      failed: (tile, failure) => committer.add({ tile, failure }),
      note: (words) => run.note(words),
      narrowed: () => {
        this.#memory.stop()
        this.#job?.limit(1)
        run.note('Memory was short: parts of the run were computed one at a time, which takes longer.')
      },
    }
  }
}
