// Segments that scan lines meet, line by line downwards: what rings hold of a line, and what lies near them. Pure.
import type { Ring } from '../../app/contract'
import type { Scale } from './border'
import type { Spans } from './spans'

/** Segments of rings by their upper ends; those that a line may meet are kept as lines come, the higher first. */
export class Edges {
  readonly #a: Float64Array
  readonly #count: number
  readonly #reach: number
  /** Along the rings. */
  readonly #rank: Uint32Array
  /** By their ranks: what one has of a line mostly meets what the next has. */
  readonly #active: Uint32Array
  #actives = 0
  #next = 0

  /** `reach`: of the farthest that is looked for. Inside is to the right of a segment that goes up on the screen. */
  constructor(rings: readonly Ring[], scale: Scale, reach: number) {
    const edges: [number, number, number, number, number][] = []
    for (const ring of rings) {
      let [x0, y0] = ring.at(-1)!
      for (const [x1, y1] of ring) {
        if (x0 !== x1 || y0 !== y1) edges.push([x0 * scale.x, y0 * scale.y, x1 * scale.x, y1 * scale.y, edges.length])
        ;[x0, y0] = [x1, y1]
      }
    }
    edges.sort((a, b) => Math.min(a[1], a[3]) - Math.min(b[1], b[3]))
    this.#count = edges.length
    this.#reach = reach
    this.#a = Float64Array.from(edges.flatMap((edge) => edge.slice(0, 4)))
    this.#rank = Uint32Array.from(edges, ([, , , , rank]) => rank)
    this.#active = new Uint32Array(edges.length)
  }

  *heights(): Generator<number> {
    for (let i = 0; i < this.#count; i++) yield this.#a[4 * i + 1]!
  }

  /** Of those that lie level: there what a line has jumps. */
  *levels(): Generator<number> {
    for (let i = 0; i < this.#count; i++) if (this.#a[4 * i + 1] === this.#a[4 * i + 3]) yield this.#a[4 * i + 1]!
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
    // Of segments one behind the other, as long as what they have meets.
    let from = Infinity
    let to = -Infinity
    for (let k = 0; k < this.#actives; k++) {
      const at = 4 * this.#active[k]!
      const ax = a[at]!
      const ay = a[at + 1]!
      const dx = a[at + 2]! - ax
      const dy = a[at + 3]! - ay
      const py = y - ay
      if (dy >= 0 ? py < -reach || py > dy + reach : py < dy - reach || py > reach) continue
      let low: number
      let high: number
      if (dy === 0) {
        const half = Math.sqrt(Math.max(0, squared - py * py))
        low = Math.min(ax, ax + dx) - half
        high = Math.max(ax, ax + dx) + half
      } else {
        const aside = ((dy > 0 ? -dx : dx) * reach) / Math.sqrt(dx * dx + dy * dy)
        const right = Math.min(1, Math.max(0, (py - aside) / dy))
        const left = Math.min(1, Math.max(0, (py + aside) / dy))
        const rightOff = py - right * dy
        const leftOff = py - left * dy
        low = ax + left * dx - Math.sqrt(Math.max(0, squared - leftOff * leftOff))
        high = ax + right * dx + Math.sqrt(Math.max(0, squared - rightOff * rightOff))
      }
      if (low <= to && high >= from) {
        if (low < from) from = low
        if (high > to) to = high
      } else {
        if (from <= to) spans.add(from, to)
        from = low
        to = high
      }
    }
    if (from <= to) spans.add(from, to)
    return spans.settle()
  }

  #insert(edge: number): void {
    const [active, rank] = [this.#active, this.#rank]
    let [low, high] = [0, this.#actives]
    while (low < high) {
      const middle = (low + high) >> 1
      if (rank[active[middle]!]! < rank[edge]!) low = middle + 1
      else high = middle
    }
    active.copyWithin(low + 1, low, this.#actives++)
    active[low] = edge
  }

  #advance(y: number): void {
    const a = this.#a
    const reach = this.#reach
    while (this.#next < this.#count && Math.min(a[4 * this.#next + 1]!, a[4 * this.#next + 3]!) - reach <= y)
      this.#insert(this.#next++)
    let kept = 0
    for (let k = 0; k < this.#actives; k++) {
      const edge = this.#active[k]!
      if (Math.max(a[4 * edge + 1]!, a[4 * edge + 3]!) + reach >= y) this.#active[kept++] = edge
    }
    this.#actives = kept
  }
}
