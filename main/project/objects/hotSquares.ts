// Counts objects in squares, and finds the circle of squares with the highest share of positive ones.

export const squaresARadius = 5

/** Of a row of squares near one: so many rows below it, and how far the circle reaches there to both sides. */
const nearRows = Array.from({ length: 2 * squaresARadius - 1 }, (_, i) => i - squaresARadius + 1).map((dy) => ({
  dy,
  reach: Math.ceil(Math.sqrt(squaresARadius ** 2 - dy ** 2)) - 1,
}))
/** Squares between two rests. */
const atOnce = 512

/** Rows and columns are below this: a slide is narrower than 10⁶ squares of 10 µm. */
const rowStep = 2 ** 26
/** A centroid may lie a px beyond the slide's rim; no part of a key is negative. */
const shift = 1

/** Objects by the square that they lie in, and which are positive. Integers alone, so that the order of objects shows nowhere. */
export class HotSquares {
  readonly #places = new Map<number, number>()
  readonly #all: number[] = []
  readonly #positive: number[] = []

  add(column: number, row: number, positive: boolean): void {
    const key = (row + shift) * rowStep + column + shift
    let place = this.#places.get(key)
    if (place === undefined) {
      place = this.#all.push(0) - 1
      this.#positive.push(0)
      this.#places.set(key, place)
    }
    this.#all[place]! += 1
    if (positive) this.#positive[place]! += 1
  }

  /** null: no circle holds so many. O(squares with objects · those near each), in steps that give the share that is done. */
  *best(leastObjects: number): Generator<number, Square | null, void> {
    const keys = Float64Array.from(this.#places.keys()).sort()
    const count = keys.length
    const [columns, rows, all, positive] = Array.from({ length: 4 }, () => new Int32Array(count)) as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ]
    const rowStarts = new Map<number, number>()
    for (let i = 0; i < count; i++) {
      const place = this.#places.get(keys[i]!)!
      rows[i] = Math.floor(keys[i]! / rowStep)
      columns[i] = keys[i]! - rows[i]! * rowStep
      all[i] = this.#all[place]!
      positive[i] = this.#positive[place]!
      if (!rowStarts.has(rows[i]!)) rowStarts.set(rows[i]!, i)
      if (i % atOnce === 0) yield 0
    }
    let best: Candidate | null = null
    // Of each row near the square, where the circle begins: squares come from the left.
    const starts = nearRows.map(() => 0)
    for (let i = 0; i < count; i++) {
      const [column, row] = [columns[i]!, rows[i]!]
      if (i === 0 || row !== rows[i - 1])
        for (const [k, { dy }] of nearRows.entries()) starts[k] = rowStarts.get(row + dy) ?? count
      const found = { column: column - shift, row: row - shift, positive: 0, all: 0 }
      let inside = 0
      for (let k = 0; k < nearRows.length; k++) {
        const { dy, reach } = nearRows[k]!
        let q = starts[k]!
        while (q < count && rows[q] === row + dy && columns[q]! < column - reach) q += 1
        starts[k] = q
        for (; q < count && rows[q] === row + dy && columns[q]! <= column + reach; q++) {
          const dx = Math.abs(columns[q]! - column)
          const weight = squaresARadius * squaresARadius - dx * dx - dy * dy
          found.positive += weight * positive[q]!
          found.all += weight * all[q]!
          const [farX, farY] = [dx + 0.5, Math.abs(dy) + 0.5]
          if (farX * farX + farY * farY <= squaresARadius * squaresARadius) inside += all[q]!
        }
      }
      if (inside >= leastObjects && (best === null || isBetter(found, best))) best = found
      if (i % atOnce === 0) yield i / count
    }
    return best
  }
}

/** By its place among the squares. */
export interface Square {
  readonly column: number
  readonly row: number
}
/** With its weighted counts. */
interface Candidate extends Square {
  readonly positive: number
  readonly all: number
}
function isBetter(a: Candidate, b: Candidate): boolean {
  const [shareA, shareB] = [a.positive / a.all, b.positive / b.all]
  if (shareA !== shareB) return shareA > shareB
  if (a.all !== b.all) return a.all > b.all
  return a.row !== b.row ? a.row < b.row : a.column < b.column
}
