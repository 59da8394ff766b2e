// How much more than their halo a run's windows have, by how far those before had to grow. No result depends on it.

/** Px, one step after the other. Of 2048² px of IHC at 0.25 µm/px windows with 192 more took 0.56 of the time, with 320 more 0.63. */
const steps = [0, 96, 192] as const
/** Windows that grow by more than this share of themselves are better larger from the start. */
const mostGrowth = 0.5

export class WindowMargin {
  private step = 0
  private isOff = false
  /** Nobody can tell what is certain, whatever the window. */
  isUntold = false

  get px(): number {
    return this.isOff ? 0 : steps[this.step]!
  }

  /** What a window of so many pixels with this margin had to be given in further ones. */
  grew(px: number, grownPixels: number, windowPixels: number): void {
    // One step for the windows that were under way at once.
    if (px === this.px && grownPixels > mostGrowth * windowPixels) this.step = Math.min(this.step + 1, steps.length - 1)
  }

  /** Something stayed uncertain. That depends on the window, which is the usual one from now on. */
  turnOff(): void {
    this.isOff = true
  }
}
