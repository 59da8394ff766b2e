// Adds up what every stage cost, by what computed it.
import { timingKey } from '../../../app/contract'
import type { StageTiming, StageWork } from '../../../app/contract'
import type { StageTiming as NativeTiming } from '../../../native/index'

export class Timings {
  private readonly sums = new Map<string, StageTiming>()

  add(timings: readonly NativeTiming[]): void {
    for (const { pixels, work, ...timing } of timings)
      this.sum({ ...timing, megapixels: pixels / 1e6, ...(work.length > 0 && { work }) })
  }

  /** A tile that an earlier run had computed: none of it was spent now, and what it cost then is that run's. */
  addReused(pixels: number): void {
    this.sum({ stage: 'kept from earlier runs', device: 'cache', variant: '', ms: 0, megapixels: pixels / 1e6, kept: true })
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
    const key = timingKey(timing)
    const known = this.sums.get(key)
    if (!known) this.sums.set(key, { ...timing })
    else {
      known.ms += timing.ms
      known.megapixels += timing.megapixels
      if (timing.work) known.work = worksOf([...(known.work ?? []), ...timing.work])
      known.variant = variantsOf(known.variant, timing.variant)
    }
  }
}

/** What windows chose, each once: "sweeps; sweeps + queue". */
export function variantsOf(a: string, b: string): string {
  if (a === b || b === '') return a
  return [...new Set([...a.split('; '), ...b.split('; ')])].filter((each) => each !== '').join('; ')
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
