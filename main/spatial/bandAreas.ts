// How much of what was looked at lies how far from a border: scan lines whose lengths are exact, summed over all heights. Pure.
import type { Ring, Shape } from '../../app/contract'
import type { PixelRect } from '../base/rect'
import { partsOf } from '../base/shapes'
import { oriented } from '../base/planar/simple'
import type { Scale } from './border'
import { Cut, lengthOf, sharedLength, Spans } from './spans'

/** What was looked at, level-0 px: of its box, or of the shapes in it where there are some, all but the rectangles, which share none. */
export interface Ground {
  readonly bounds: PixelRect
  /** They share no place. */
  readonly shapes: readonly Shape[] | null
  readonly missing: readonly PixelRect[]
}

/** Below the first limit, between each and the next, and from the last on; in the unit of `scale`, squared. */
export interface BandAreas {
  readonly areas: Float64Array<ArrayBuffer>
  /** How far each is from the sum by a third of the lines. */
  readonly errors: Float64Array<ArrayBuffer>
}

/** Spans that are looked at, some 100 ns each: with more of them on a line there are fewer lines. */
const mostSpans = 16_000_000
const [fewestLines, mostLines] = [900, 12_000]
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
  readonly #ground: Edges
  readonly #missing: readonly PixelRect[]
  readonly #bounds: PixelRect
  readonly #hasShapes: boolean
  readonly #ellipses: readonly PixelRect[]
  readonly #near = new Spans()
  readonly #looked = new Cut()
  readonly #inside = new Cut()
  readonly #gaps = new Spans()

  constructor(rings: readonly Ring[], limits: readonly number[], scale: Scale, { bounds, shapes, missing }: Ground) {
    const inUnit = ({ x, y, width, height }: PixelRect): PixelRect => ({
      x: x * scale.x,
      y: y * scale.y,
      width: width * scale.x,
      height: height * scale.y,
    })
    this.#limits = limits
    this.#reaches = [...new Set(limits.map(Math.abs))].filter((reach) => reach > 0)
    this.#border = new Edges(rings, scale, Math.max(0, ...this.#reaches))
    this.#bounds = inUnit(bounds)
    this.#missing = missing.map(inUnit).sort((a, b) => a.x - b.x)
    this.#hasShapes = shapes !== null
    const ellipses = (shapes ?? []).filter((shape) => shape.kind === 'ellipse')
    const others = (shapes ?? []).filter((shape) => shape.kind !== 'ellipse')
    this.#ellipses = ellipses.map(inUnit)
    this.#ground = new Edges(oriented(others.flatMap(partsOf)), scale, 0)
  }

  /** How many lines may be looked at. */
  get lines(): number {
    const spans = this.#reaches.reduce((sum, reach) => sum + this.#border.spansAt(reach, this.#bounds.height), 0)
    return Math.min(mostLines, Math.max(fewestLines, mostSpans / Math.max(1, spans)))
  }

  /** Heights between which lengths run smoothly, as far as there are not too many. */
  slabs(): number[] {
    const { y: top, height } = this.#bounds
    const heights = [top, top + height]
    for (const y of this.#border.heights()) for (const reach of [0, ...this.#reaches]) heights.push(y - reach, y, y + reach)
    for (const y of this.#ground.heights()) heights.push(y)
    for (const rect of [...this.#missing, ...this.#ellipses]) heights.push(rect.y, rect.y + rect.height)
    const least = height * 1e-9
    let last = -Infinity
    const rising = Float64Array.from(heights.filter((y) => y >= top && y <= top + height)).sort()
    const apart = [...rising].filter((y) => {
      if (y - last < least) return false
      last = y
      return true
    })
    if (apart.at(-1)! < top + height) apart[apart.length - 1] = top + height
    const each = Math.ceil((apart.length * fewestInSlab) / this.lines)
    return apart.filter((_, i) => i % each === 0 || i === apart.length - 1)
  }

  /** Of a line what lies in each band. */
  at(y: number, lengths: Float64Array): void {
    const looked = this.#looked.of(this.#groundAt(y))
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

  #groundAt(y: number): Spans {
    const spans = this.#gaps
    if (this.#hasShapes) {
      this.#ground.at(y, spans, false)
      for (const { x, y: top, width, height } of this.#ellipses) {
        const across = 1 - ((y - top) / (height / 2) - 1) ** 2
        if (across <= 0) continue
        const half = (width / 2) * Math.sqrt(across)
        spans.add(x + width / 2 - half, x + width / 2 + half)
      }
      spans.settle()
      spans.clip(this.#bounds.x, this.#bounds.x + this.#bounds.width)
    } else {
      spans.clear()
      spans.add(this.#bounds.x, this.#bounds.x + this.#bounds.width)
      spans.settle()
    }
    for (const { x, y: top, width, height } of this.#missing) if (y >= top && y < top + height) spans.takeOut(x, x + width)
    return spans
  }
}

/** Segments of rings by their upper ends; those that a line may meet are kept as lines come, the higher first. */
class Edges {
  readonly #a: Float64Array
  readonly #count: number
  readonly #reach: number
  readonly #active: Uint32Array
  #actives = 0
  #next = 0

  /** `reach`: of the farthest that is looked for. Inside is to the right of a segment that goes up on the screen. */
  constructor(rings: readonly Ring[], scale: Scale, reach: number) {
    const edges: [number, number, number, number][] = []
    for (const ring of rings) {
      let [x0, y0] = ring.at(-1)!
      for (const [x1, y1] of ring) {
        if (x0 !== x1 || y0 !== y1) edges.push([x0 * scale.x, y0 * scale.y, x1 * scale.x, y1 * scale.y])
        ;[x0, y0] = [x1, y1]
      }
    }
    edges.sort((a, b) => Math.min(a[1], a[3]) - Math.min(b[1], b[3]))
    this.#count = edges.length
    this.#reach = reach
    this.#a = Float64Array.from(edges.flat())
    this.#active = new Uint32Array(edges.length)
  }

  *heights(): Generator<number> {
    for (let i = 0; i < this.#count; i++) yield this.#a[4 * i + 1]!
  }

  /** How many of them a line meets on average, by so much more above and below. */
  spansAt(reach: number, height: number): number {
    let sum = 0
    for (let i = 0; i < this.#count; i++) sum += Math.abs(this.#a[4 * i + 3]! - this.#a[4 * i + 1]!) + 2 * reach
    return sum / height
  }

  /** What the rings hold of a line. */
  at(y: number, spans: Spans, settles = true): Spans {
    this.#advance(y)
    spans.clear()
    const a = this.#a
    for (let k = 0; k < this.#actives; k++) {
      const at = 4 * this.#active[k]!
      const [y0, y1] = [a[at + 1]!, a[at + 3]!]
      if (y0 < y1 ? y < y0 || y >= y1 : y < y1 || y >= y0) continue
      const x = a[at]! + ((y - y0) / (y1 - y0)) * (a[at + 2]! - a[at]!)
      if (y1 < y0) spans.begin(x)
      else spans.end(x)
    }
    if (settles) spans.settle()
    return spans
  }

  /** What of a line lies at most so far from some segment: of each the ends are found where its offset line runs, or a disc about an end. */
  near(y: number, reach: number, spans: Spans): Spans {
    spans.clear()
    const a = this.#a
    const squared = reach * reach
    for (let k = 0; k < this.#actives; k++) {
      const at = 4 * this.#active[k]!
      const [ax, ay] = [a[at]!, a[at + 1]!]
      const dx = a[at + 2]! - ax
      const dy = a[at + 3]! - ay
      if (y < Math.min(ay, ay + dy) - reach || y > Math.max(ay, ay + dy) + reach) continue
      if (dy === 0) {
        const half = Math.sqrt(Math.max(0, squared - (y - ay) * (y - ay)))
        spans.add(Math.min(ax, ax + dx) - half, Math.max(ax, ax + dx) + half)
        continue
      }
      const aside = (-dx * Math.sign(dy) * reach) / Math.sqrt(dx * dx + dy * dy)
      const right = Math.min(1, Math.max(0, (y - aside - ay) / dy))
      const left = Math.min(1, Math.max(0, (y + aside - ay) / dy))
      const rightOff = y - ay - right * dy
      const leftOff = y - ay - left * dy
      spans.add(
        ax + left * dx - Math.sqrt(Math.max(0, squared - leftOff * leftOff)),
        ax + right * dx + Math.sqrt(Math.max(0, squared - rightOff * rightOff)),
      )
    }
    return spans.settle()
  }

  #advance(y: number): void {
    const a = this.#a
    const reach = this.#reach
    while (this.#next < this.#count && Math.min(a[4 * this.#next + 1]!, a[4 * this.#next + 3]!) - reach <= y)
      this.#active[this.#actives++] = this.#next++
    let kept = 0
    for (let k = 0; k < this.#actives; k++) {
      const edge = this.#active[k]!
      if (Math.max(a[4 * edge + 1]!, a[4 * edge + 3]!) + reach >= y) this.#active[kept++] = edge
    }
    this.#actives = kept
  }
}
