// What of a run is still to be computed, by what its windows cost, and from that when it will be done.
import { performance } from 'node:perf_hooks'
import type { PixelRect } from '../../base/rect'
import type { Analysis } from './analysis'
import { windowOf } from '../plan/plan'
import type { Plan, TileIndex } from '../plan/plan'

/** What a px of tissue costs beside what any px of a window does: 1.4 (he-nuclei), 2.8 (max-tree-nuclei), 3.3 (cell-detection), fitted to windows of whole runs. */
const tissueCost = 2
/** Of what is all tissue, its halo apart. */
export const fullCost = 1 + tissueCost
/** Of a window under way so much is done at most, however long it has taken: its end is not known. */
const mostUnderWay = 0.9
/** What a window counts with each one that ends after it: the machine may have become slower, or the slide other. */
const fading = 0.97

/** A window's share of the work: what it computes, its halo among it. */
export function costOf({ grid, haloPx, tissue }: Pick<Analysis, 'grid' | 'haloPx' | 'tissue'>, core: PixelRect): number {
  const window = windowOf(grid, core, haloPx)
  const all = window.width * window.height
  return all + tissueCost * (tissue ? tissue.areaIn(window) / grid.scale ** 2 : all)
}

/** Of a block's core or square, what a window is around: all tiles of the grid that have tissue, whichever of them are asked for. */
export const coreToCompute = ({ tissue }: Pick<Analysis, 'tissue'>, part: PixelRect): PixelRect => tissue?.partOf(part) ?? part

/** Their cost is looked up at once: a millisecond or two. */
const blocksAtOnce = 64

/**
 * Of all blocks of a plan with a tile that is to be computed; null where `isOver` said so meanwhile: a slide of millions of tiles is asked for in
 * parts, and others have their turn between.
 */
export async function costOfPlan(
  analysis: Pick<Analysis, 'grid' | 'haloPx' | 'tissue'>,
  plan: Plan,
  isToDo: (tile: TileIndex) => boolean,
  isOver: () => boolean,
): Promise<number | null> {
  let cost = 0
  let blocks = 0
  for (const block of plan.blocks()) {
    if (block.tiles.some(isToDo)) cost += costOf(analysis, coreToCompute(analysis, block.core))
    if (++blocks % blocksAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    if (isOver()) return null
  }
  return cost
}

/**
 * What a run like this one took counts as windows of so large a part of it would that had ended; a preview's few windows, of new memory, told up to
 * twice of what runs took (test/bench/results/eta.md): they tell the time until one of the run's own has ended.
 */
const weightOf = { measured: 0.2, sampled: 0 } as const
/** When so much of the run is done, it tells its pace alone. */
const soonOver = 0.5

/** What the whole run was thought to take, by the clock. */
export interface Expected {
  readonly ms: number
  readonly basis: keyof typeof weightOf
}

interface UnderWay {
  readonly cost: number
  readonly from: number
  readonly isFirst: boolean
}

/**
 * Windows, not tiles: a tile without tissue costs nothing, and one alone in its block more than one of many. So the pace does not change where
 * tissue ends, as it would by tiles done of all tiles. The first two windows of each thread take two to three times as long as the next, as their
 * memory is new: once others are done they do not count. What was expected counts for less with each, and tells the time until one has ended.
 */
export class Workload {
  /** Of all windows; null until it is known. */
  private total: number | null = null
  private expected: Expected | null = null
  /** Of the windows that are not begun; null until it is known. */
  private left: number | null = null
  /** Begun or spared before that was known. */
  private ahead = 0
  /** Of the windows that tell the pace: their cost, and what they took, each by itself. */
  private pace = { cost: 0, ms: 0, isOfFirst: true }
  /** Of all of them. */
  private tookMs = 0
  /** The cost of the windows that have ended. */
  computed = 0
  private readonly underWay = new Set<UnderWay>()
  private begun = 0
  /** How many there were at once when the first ended; until then whatever begins is of the first. */
  private atFirst = Infinity

  /** All that is to be computed, of windows that have begun too. */
  set(cost: number, expected: Expected | null = null): void {
    this.left = cost - this.ahead
    this.total = cost
    this.expected = expected
  }

  /** It need not be computed: earlier runs have. */
  spare(cost: number): void {
    if (this.left === null) this.ahead += cost
    else this.left -= cost
  }

  /** From now on, until the answer is called. */
  begin(cost: number, from = performance.now()): (to?: number) => void {
    this.spare(cost)
    const window = { cost, from, isFirst: this.begun++ < 2 * this.atFirst }
    this.underWay.add(window)
    return (to = performance.now()) => {
      this.underWay.delete(window)
      this.ended(window, to - from)
    }
  }

  private ended({ cost, isFirst }: UnderWay, ms: number): void {
    this.tookMs += ms
    this.computed += cost
    if (this.atFirst === Infinity) this.atFirst = this.begun
    if (isFirst && !this.pace.isOfFirst) return
    if (!isFirst && this.pace.isOfFirst) this.pace = { cost: 0, ms: 0, isOfFirst: false }
    this.pace.cost = this.pace.cost * fading + cost
    this.pace.ms = this.pace.ms * fading + ms
  }

  /** `computingMs`: since the first window, pauses apart. null until a window is done, where nothing was expected. */
  etaMs(computingMs: number, now = performance.now()): number | null {
    if (this.left === null || computingMs <= 0) return null
    const { msPerCost, weight } = this.expectation()
    let left = Math.max(0, this.left)
    if (this.pace.ms <= 0) {
      for (const { cost } of this.underWay) left += cost
      return msPerCost === null ? null : Math.max(0, left * msPerCost - computingMs)
    }
    const ofOne = this.pace.cost / this.pace.ms
    let tookMs = this.tookMs
    for (const { cost, from } of this.underWay) {
      left += cost - Math.min(mostUnderWay * cost, ofOne * (now - from))
      tookMs += now - from
    }
    /** Windows at once, on average: what else has the threads, and what waits, is in it. */
    const atOnce = tookMs / computingMs
    const seen = 1 / (ofOne * atOnce)
    return left * (msPerCost === null ? seen : seen + weight * (msPerCost - seen))
  }

  /** What was expected, and how much it counts beside what has been seen since: 1 … 0. */
  private expectation(): { msPerCost: number | null; weight: number } {
    const { expected, total } = this
    if (!expected || !total) return { msPerCost: null, weight: 0 }
    const done = this.computed / total
    const counts = weightOf[expected.basis] * Math.max(0, 1 - done / soonOver)
    return { msPerCost: expected.ms / total, weight: counts === 0 ? 0 : counts / (counts + done) }
  }
}
