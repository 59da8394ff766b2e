// Time that counts: it stands still while it is stopped.
import { performance } from 'node:perf_hooks'

export class Stopwatch {
  private since: number | undefined
  private before = 0

  /** Goes on; nothing where it goes. */
  start(): void {
    this.since ??= performance.now()
  }

  stop(): void {
    this.before = this.ms
    this.since = undefined
  }

  get goes(): boolean {
    return this.since !== undefined
  }

  get ms(): number {
    return this.before + (this.since === undefined ? 0 : performance.now() - this.since)
  }
}
