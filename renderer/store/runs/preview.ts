// When to ask: the first change of a burst almost at once, the next as soon as that is answered, at once when the user lets go.
/** An answer that takes longer than this is no longer waited for: a newer one takes its place. */
export const longestDelayMs = 360
export const settleDelayMs = 220
/** Enough to catch what one gesture changes together, too short to be felt. */
export const leadMs = 4

export class Debounced {
  private timer: ReturnType<typeof setTimeout> | undefined
  private since: number | null = null

  constructor(
    private readonly action: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  soon(ms: number, longestMs = Number.POSITIVE_INFINITY): void {
    clearTimeout(this.timer)
    this.since ??= this.now()
    this.timer = setTimeout(() => this.fire(), Math.max(0, Math.min(ms, this.since + longestMs - this.now())))
  }
  /** While an earlier answer is on its way (`busy`), after it, or after `longestDelayMs`; else after `leadMs`. With the newest values each time. */
  eager(busy: boolean): void {
    const ms = busy ? longestDelayMs : leadMs
    this.soon(ms, ms)
  }
  /** The earlier answer has come. */
  free(): void {
    if (this.waiting) this.fire()
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
