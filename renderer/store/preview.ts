// When to ask: collects a burst of changes into one request, at once when the user lets go.
export const previewDelayMs = 120
/** A long drag is answered while it lasts. */
export const longestDelayMs = 360
export const settleDelayMs = 220

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
