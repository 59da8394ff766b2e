// Adds up what every stage cost, by what computed it.
import type { StageTiming } from '../../app/contract'
import type { StageTiming as NativeTiming } from '../../native/index'

export class Timings {
  private readonly sums = new Map<string, StageTiming>()

  add(timings: readonly NativeTiming[]): void {
    for (const { stage, device, variant, ms, pixels } of timings)
      this.sum({ stage, device, variant, ms, megapixels: pixels / 1e6 })
  }

  /** A tile that an earlier run had computed: none of it was spent now, and what it cost then is that run's. */
  addKept(pixels: number): void {
    this.sum({ stage: 'kept from earlier runs', device: 'cache', variant: 'kept', ms: 0, megapixels: pixels / 1e6 })
  }

  /** Of a run whose objects were kept. */
  set(timings: readonly StageTiming[]): void {
    this.sums.clear()
    for (const timing of timings) this.sum(timing)
  }

  list(): StageTiming[] {
    return [...this.sums.values()].map((timing) => ({ ...timing }))
  }

  private sum(timing: StageTiming): void {
    const key = [timing.stage, timing.device, timing.variant].join('\0')
    const known = this.sums.get(key)
    if (!known) this.sums.set(key, { ...timing })
    else {
      known.ms += timing.ms
      known.megapixels += timing.megapixels
    }
  }
}
