// Adds up what every stage cost, by what computed it.
import type { StageTiming, StageWork } from '../../app/contract'
import type { StageTiming as NativeTiming } from '../../native/index'

export class Timings {
  private readonly sums = new Map<string, StageTiming>()

  add(timings: readonly NativeTiming[]): void {
    for (const { stage, device, variant, ms, pixels, work } of timings)
      this.sum({ stage, device, variant, ms, megapixels: pixels / 1e6, ...(work.length > 0 && { work }) })
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
      if (timing.work) known.work = worksOf([...(known.work ?? []), ...timing.work])
    }
  }
}

/** Those of one operation and algorithm are one. O(all × what is different). */
function worksOf(all: readonly StageWork[]): StageWork[] {
  const sums: StageWork[] = []
  for (const work of all) {
    const known = sums.find(({ op, variant }) => op === work.op && variant === work.variant)
    if (!known) {
      sums.push({ ...work })
      continue
    }
    known.calls += work.calls
    known.rounds += work.rounds
    known.queued += work.queued
    known.longest = Math.max(known.longest, work.longest)
  }
  return sums
}
