// When a run's tiles are final: once the slide's files have been seen as they were opened, after the tiles were computed. What came of another file never counts.
import { performance } from 'node:perf_hooks'
import type { SlideComparison } from '../../slide/identity'

/** A look asks the system for the marks of each file: microseconds, on a share of another machine some milliseconds. */
const lookEveryMs = 100

export class SlideCheckQueue<T> {
  private readonly look: () => Promise<SlideComparison>
  private readonly release: (items: readonly T[], slide: SlideComparison) => Promise<void>
  private readonly failed: (error: unknown) => void
  private waiting: T[] = []
  private going: Promise<void> | undefined
  private lookedAt = -Infinity
  private hurry: (() => void) | undefined
  private hurried = false

  /**
   * `release` is given what was computed before a look, and what the look saw; not while it is still at the last. `failed` is told where it rejects,
   * for want of memory above all, and ends the run.
   */
  constructor(
    look: () => Promise<SlideComparison>,
    release: (items: readonly T[], slide: SlideComparison) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.look = look
    this.release = release
    this.failed = failed
  }

  add(item: T): void {
    this.waiting.push(item)
    this.going ??= this.go()
  }

  /** Resolves when all that was added has been released, or told as failed. */
  async drained(): Promise<void> {
    this.hurried = true
    this.hurry?.()
    await this.going
  }

  private async go(): Promise<void> {
    while (this.waiting.length > 0) {
      const rest = this.lookedAt + lookEveryMs - performance.now()
      if (rest > 0 && !this.hurried) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, rest)
          this.hurry = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        this.hurry = undefined
      }
      const items = this.waiting
      this.waiting = []
      this.lookedAt = performance.now()
      try {
        await this.release(items, await this.look())
      } catch (error) {
        this.failed(error)
      }
    }
    this.going = undefined
  }
}
