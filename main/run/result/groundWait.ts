// A run's wait for what its windows stand on, before the first of them: told, held by pause, ended by cancel, counted, and kept until the run ends.
import { performance } from 'node:perf_hooks'
import type { Ground } from '../../../native/index'
import type { ResultCollector } from './resultCollector'
import type { GroundProgress, GroundSource } from '../analysis/grounds'
import { groundRoom } from '../analysis/memory'
import type { RunOrder } from '../request/order'
import { groundNotes } from './warnings'

/** The run that waits. */
export interface Waiting {
  readonly signal: AbortSignal
  isHeld(): boolean
  /** The wait has begun: at once, and never where there was none. */
  began(): void
  moved(): void
  note(words: string): void
}

export class GroundWait {
  /** Held until the run's end, so that its windows need not compute it again. */
  private ground: Ground | null = null
  private progress_: GroundProgress | null = null
  private readonly order: RunOrder
  private readonly found: ResultCollector
  private readonly run: Waiting

  constructor(order: RunOrder, found: ResultCollector, run: Waiting) {
    this.order = order
    this.found = found
    this.run = run
  }

  /** null where nothing is waited for. */
  get progress(): GroundProgress | null {
    return this.progress_
  }

  /** Rejects as GroundSource.get. `source`: null where the recipe asks for no whole slide. */
  async take(source: GroundSource | null): Promise<void> {
    if (!source) return
    const wasThere = source.isWhole
    const from = performance.now()
    const { threads, memory } = this.order
    this.ground = await source.get({
      threads,
      memoryBytes: groundRoom(memory.budgetBytes),
      signal: this.run.signal,
      anew: true,
      isHeld: () => this.run.isHeld(),
      onProgress: (progress) => {
        const isNews = this.progress_ === null
        this.progress_ = progress
        // What a wait is for is told at its beginning, however short it turns out.
        if (isNews) this.run.began()
        else this.run.moved()
      },
    })
    this.progress_ = null
    if (!wasThere) this.found.timeline.stoodOn(from, performance.now())
    this.found.addGround(this.ground, wasThere)
    for (const note of groundNotes(this.ground)) this.run.note(note)
  }

  /** The run has ended: its windows need it no more, and from now on it is there only where others hold or keep it. */
  letGo(): void {
    this.ground = null
  }
}
