// How a run goes on when memory is short: its windows then run one at a time, and what failed for want of memory is tried once more alone.
import { toAppError } from '../../base/errors'

export function isShortOfMemory(error: unknown): boolean {
  return toAppError(error).code === 'OUT_OF_MEMORY'
}

export class MemoryGate {
  private active = 0
  private narrow = false
  private readonly onNarrow: () => void
  /** Those that wait until they are alone, one after the other. */
  private line: Promise<unknown> = Promise.resolve()
  private onQuiet: (() => void) | undefined

  /** `onNarrow`: memory has been short for the first time. */
  constructor(onNarrow: () => void) {
    this.onNarrow = onNarrow
  }

  /** Rejects as the work does; with OUT_OF_MEMORY where it had no other beside it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.narrow) return this.alone(work)
    this.active += 1
    try {
      return await work()
    } catch (error) {
      if (!isShortOfMemory(error)) throw error
      if (!this.narrow) {
        this.narrow = true
        this.onNarrow()
      }
    } finally {
      this.active -= 1
      if (this.active === 0) this.onQuiet?.()
    }
    return this.alone(work)
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.line.then(async () => {
      if (this.active > 0) await new Promise<void>((resolve) => (this.onQuiet = resolve))
      return work()
    })
    this.line = turn.catch(() => undefined)
    return turn
  }
}
