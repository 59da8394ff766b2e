// When to ask: the first change of a burst almost at once, the rest collected into one request, at once when the user lets go.
export const previewDelayMs = 120
/** A long drag is answered while it lasts. */
export const longestDelayMs = 360
export const settleDelayMs = 220
/** Enough to catch what one gesture changes together, too short to be felt. */
export const leadMs = 16

export class Debounced {
  private timer: ReturnType<typeof setTimeout> | undefined
  private since: number | null = null
  private askedAt = Number.NEGATIVE_INFINITY
  private leading = false

  constructor(
    private readonly action: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  soon(ms: number, longestMs = Number.POSITIVE_INFINITY): void {
    clearTimeout(this.timer)
    this.askedAt = this.now()
    this.since ??= this.now()
    this.timer = setTimeout(() => this.fire(), Math.max(0, Math.min(ms, this.since + longestMs - this.now())))
  }
  /** The same, but the first call after a pause of `ms` is answered after `leadMs`: a newer answer replaces it anyway. */
  eager(ms: number, longestMs = Number.POSITIVE_INFINITY): void {
    // About to be answered, and with the newest values.
    if (this.leading && this.waiting) return void (this.askedAt = this.now())
    this.leading = !this.waiting && this.now() - this.askedAt >= ms
    if (this.leading) this.soon(leadMs)
    else this.soon(ms, longestMs)
  }
  fire(): void {
    this.cancel()
    this.action()
  }
  cancel(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.since = null
  }
  get waiting(): boolean {
    return this.timer !== undefined
  }
}
