// Calls a function at once and then at most once an interval, never losing the last call.
export class Throttle {
  private timer: NodeJS.Timeout | undefined
  private wanted = false
  private readonly intervalMs: number
  private readonly run: () => void

  constructor(intervalMs: number, run: () => void) {
    this.intervalMs = intervalMs
    this.run = run
  }

  poke(): void {
    if (this.timer) {
      this.wanted = true
      return
    }
    this.timer = setTimeout(() => {
      this.timer = undefined
      if (!this.wanted) return
      this.wanted = false
      this.poke()
    }, this.intervalMs)
    this.run()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.wanted = false
  }
}
