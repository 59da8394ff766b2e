// How fast this machine runs a recipe: learnt from what it computes, so that a run's time can be told before it starts.
import type { RunEstimate } from '../../../app/contract'
import type { StageTiming } from '../../../native/index'
import { digest } from '../../base/digest'
import type { Draft } from '../analysis/analysis'
import type { Share } from '../tiles/tileWork'
import { fullCost } from '../analysis/workload'
import type { Expected } from '../analysis/workload'

interface Rate {
  /** Of windows (workload.ts). */
  cost: number
  ms: number
}
type Rates = Record<string, Rate>
/** What outlives the program (main/pace.ts). */
export interface Learnt {
  readonly ran: Rates
  readonly windows: Rates
}

/** Some 4 Mpx of tissue: less says more about the start of a run than about its pace. */
const telling = 4_000_000 * fullCost

/** Slides and recipes of which a pace is kept: the ones met last. */
const most = 100

export class Throughput {
  /** Of the wall clock, by full runs. */
  private readonly ran = new Map<string, Rate>()
  /** Of a thread, by windows of any kind. */
  private readonly windows = new Map<string, Rate>()
  private readonly onRun: () => void

  /** `onRun`: a run has told how fast it was. */
  constructor(onRun: () => void = () => undefined) {
    this.onRun = onRun
  }

  learnt(): Learnt {
    return { ran: Object.fromEntries(this.ran), windows: Object.fromEntries(this.windows) }
  }

  /** What an earlier start of the program has learnt: what this one has learnt itself counts more. */
  remember({ ran, windows }: Learnt): void {
    for (const [key, rate] of Object.entries(ran)) if (!this.ran.has(key)) put(this.ran, key, rate)
    for (const [key, rate] of Object.entries(windows)) if (!this.windows.has(key)) put(this.windows, key, rate)
  }

  /** What a run computed, reading included and without what it took from earlier ones, and how long that took. */
  addRun(draft: Draft, cost: number, ms: number): void {
    if (cost < telling || ms <= 0) return
    for (const key of keysOf(draft)) put(this.ran, key, { cost, ms })
    this.onRun()
  }

  /** A window: a preview's tile says how fast a run would be. */
  addWindow(draft: Draft, timings: readonly StageTiming[], { cost, threads }: Share): void {
    // What a GPU computes is not the thread's time.
    if (timings.length === 0 || draft.device !== 'cpu') return
    // Of a slider's window the first stages were there already: a run computes all.
    if (timings.some(({ kept }) => kept)) return
    const ms = threads * timings.reduce((sum, timing) => sum + timing.ms, 0)
    for (const key of keysOf(draft)) {
      const rate = this.windows.get(key) ?? { cost: 0, ms: 0 }
      // The newest count most: another program may have had the cores before.
      put(this.windows, key, { cost: rate.cost * 0.95 + cost, ms: rate.ms * 0.95 + ms })
    }
  }

  /** `cost`: of all its windows (costOfPlan). `threads`: how many of them are computed at once. */
  estimate(draft: Draft, cost: number, threads: number): Pick<RunEstimate, 'ms' | 'basis'> {
    const [own, any] = keysOf(draft)
    const at = (rate: Rate): number => (cost / rate.cost) * rate.ms
    const measured = this.ran.get(own)
    if (measured) return { ms: at(measured), basis: 'measured' }
    const thread = this.windows.get(own)
    const other = this.ran.get(any)
    if (thread && !(other && thread.cost < telling)) return { ms: at(thread) / threads, basis: 'sampled' }
    return other ? { ms: at(other), basis: 'sampled' } : { ms: null, basis: 'none' }
  }

  /** The same for the run itself: null where nobody knows. */
  expected(draft: Draft, cost: number, threads: number): Expected | null {
    const { ms, basis } = this.estimate(draft, cost, threads)
    return ms === null || basis === 'none' ? null : { ms, basis }
  }
}

function put(rates: Map<string, Rate>, key: string, rate: Rate): void {
  // Anew at the end: what has not been met for longest is forgotten first.
  rates.delete(key)
  rates.set(key, rate)
  for (const oldest of rates.keys()) if (rates.size > most) rates.delete(oldest)
}

/** This slide's at this resolution, and any slide's. Written down, it must not tell the slide's name. */
function keysOf(draft: Draft): [own: string, any: string] {
  const known = keys.get(draft)
  if (known) return known
  const { spec, device, grid, slide } = draft
  const recipe = `${spec.id}/${device}`
  const made: [string, string] = [`${recipe}/${grid.scale}/${digest(slide.info.path)}`, recipe]
  keys.set(draft, made)
  return made
}
/** Every window asks. */
const keys = new WeakMap<Draft, [own: string, any: string]>()
