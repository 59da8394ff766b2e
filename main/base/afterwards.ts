// What is done behind a call's answer, for nobody who waits: a closing engine takes back what has not begun and waits for the rest, so that
// nothing is written behind it.
import type { Log } from './log'

export class Afterwards {
  readonly #log: Log
  readonly #waiting = new Set<NodeJS.Timeout>()
  readonly #under = new Set<Promise<void>>()
  #closed = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Begins at once. */
  now(work: () => Promise<unknown>): void {
    if (this.#closed) return
    const done = work()
      .then(
        () => undefined,
        (error: unknown) => this.#log({ level: 'warn', message: `What was to be done afterwards failed: ${String(error)}` }),
      )
      .finally(() => this.#under.delete(done))
    this.#under.add(done)
  }

  /** Begins in `afterMs`, and keeps no process for it. */
  soon(work: () => Promise<unknown>, afterMs: number): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      this.now(work)
    }, afterMs)
    timer.unref()
    this.#waiting.add(timer)
  }

  /** Nothing begins any more; ends when what has begun has ended. */
  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#waiting) clearTimeout(timer)
    this.#waiting.clear()
    await Promise.all(this.#under)
  }
}
