// How much of what was looked at lies how far from a border: scan lines whose lengths are exact, summed over all heights. Pure.
import type { Ring } from '../../app/contract'
import type { Scale } from './border'
import { Edges } from './edges'
import { GroundLines } from './ground'
import type { Ground } from './ground'
import { Cut, lengthOf, sharedLength, Spans } from './spans'

/** Below the first limit, between each and the next, and from the last on; in the unit of `scale`, squared. */
export interface BandAreas {
  readonly areas: Float64Array<ArrayBuffer>
  /** How far each is from the sum by a third of the lines. */
  readonly errors: Float64Array<ArrayBuffer>
}

/** Spans that are looked at, some 100 ns each: with more of them on a line there are fewer lines. */
const mostSpans = 16_000_000
const [fewestLines, mostLines] = [900, 20_000]
/** Between two heights at which a line's length changes its course; a multiple of 3. */
const [fewestInSlab, mostInSlab] = [9, 243]

/**
 * `rings`: of bordersOf; `limits`: rising, below 0 inside. What a line has of a band is exact: of each segment all that lies within a distance is one
 * span of it. Heights where corners and arcs begin and end part the sum into slabs, whose ends are looked at the more closely as lengths bend there.
 */
export function bandAreas(rings: readonly Ring[], limits: readonly number[], scale: Scale, ground: Ground): BandAreas {
  const fields = new Fields(rings, limits, scale, ground)
  const slabs = fields.slabs()
  const fine = new Float64Array(limits.length + 1)
  const coarse = new Float64Array(limits.length + 1)
  const inSlab = 3 * Math.floor(Math.min(mostInSlab, Math.max(fewestInSlab, fields.lines / Math.max(1, slabs.length - 1))) / 3)
  const lengths = new Float64Array(limits.length + 1)
  // As t³(10 − 15t + 6t²): square roots at the ends of a slab do no harm.
  const steps = Array.from({ length: inSlab }, (_, line) => {
    const t = (line + 0.5) / inSlab
    return { at: t * t * t * (10 - 15 * t + 6 * t * t), weight: t * t * (1 - t) * (1 - t) }
  })
  const sumOf = (some: typeof steps): number => some.reduce((sum, { weight }) => sum + weight, 0)
  const [all, third] = [sumOf(steps), sumOf(steps.filter((_, line) => line % 3 === 1))]
  for (let slab = 0; slab + 1 < slabs.length; slab++) {
    const [top, height] = [slabs[slab]!, slabs[slab + 1]! - slabs[slab]!]
    for (const [line, { at, weight }] of steps.entries()) {
      fields.at(top + height * at, lengths)
      for (let band = 0; band < lengths.length; band++) {
        fine[band]! += ((height * weight) / all) * lengths[band]!
        if (line % 3 === 1) coarse[band]! += ((height * weight) / third) * lengths[band]!
      }
    }
  }
  return { areas: fine, errors: fine.map((area, band) => Math.abs(area - coarse[band]!)) }
}

/** All that a scan line crosses, in the unit of the scale. Heights are asked for rising. */
class Fields {
  readonly #limits: readonly number[]
  /** Without their signs, each once, above 0. */
  readonly #reaches: readonly number[]
  readonly #border: Edges
  readonly #ground: GroundLines
  readonly #near = new Spans()
  readonly #looked = new Cut()
  readonly #inside = new Cut()

  constructor(rings: readonly Ring[], limits: readonly number[], scale: Scale, ground: Ground) {
    this.#limits = limits
    this.#reaches = [...new Set(limits.map(Math.abs))].filter((reach) => reach > 0)
    this.#border = new Edges(rings, scale, Math.max(0, ...this.#reaches))
    this.#ground = new GroundLines(ground, scale)
  }

  /** How many lines may be looked at. */
  get lines(): number {
    const spans = this.#reaches.reduce((sum, reach) => sum + this.#border.spansAt(reach, this.#ground.bounds.height), 0)
    return Math.min(mostLines, Math.max(fewestLines, mostSpans / Math.max(1, spans)))
  }

  /** Heights between which lengths run smoothly: all at which they jump, and of the others as many as there are lines for. */
  slabs(): number[] {
    const { y: top, height } = this.#ground.bounds
    const around = (heights: Iterable<number>): number[] =>
      [...heights].flatMap((y) => [y, ...this.#reaches.flatMap((reach) => [y - reach, y + reach])])
    const apart = (heights: readonly number[]): number[] => {
      let last = -Infinity
      const rising = Float64Array.from(heights.filter((y) => y >= top && y <= top + height)).sort()
      return [...rising].filter((y) => {
        if (y - last < height * 1e-9) return false
        last = y
        return true
      })
    }
    const jumps = apart([...this.#ground.levels(), ...around(this.#border.levels())])
    const bends = apart([...this.#ground.heights(), ...around(this.#border.heights())])
    const most = Math.floor(this.lines / fewestInSlab)
    const each = Math.ceil(bends.length / Math.max(1, most - jumps.length, most / 2))
    return apart([...jumps, ...bends.filter((_, i) => i % each === 0)])
  }

  /** Of a line what lies in each band. */
  at(y: number, lengths: Float64Array): void {
    const looked = this.#looked.of(this.#ground.at(y))
    const inside = this.#inside.between(looked, this.#border.at(y, this.#near))
    const [all, within] = [lengthOf(looked), lengthOf(inside)]
    let before = 0
    for (const [i, limit] of this.#limits.entries()) {
      let below = within
      if (limit !== 0) {
        const near = this.#border.near(y, Math.abs(limit), this.#near)
        const nearInside = sharedLength(inside, near)
        below = limit < 0 ? within - nearInside : within - nearInside + sharedLength(looked, near)
      }
      lengths[i] = below - before
      before = below
    }
    lengths[this.#limits.length] = all - before
  }
}
