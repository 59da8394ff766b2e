// Spans of a line: put together, cut with others, measured. Memory is kept from line to line. Pure.

/** From, to, from, to …, rising, none touching the next. */
export interface Settled {
  readonly ends: Float64Array
  /** Of the ends. */
  readonly count: number
}

/** Where spans begin and where they end, in any order, until they are settled. */
export class Spans implements Settled {
  ends = new Float64Array(64)
  count = 0
  #begins = new Float64Array(32)
  #stops = new Float64Array(32)
  #begun = 0
  #stopped = 0

  clear(): void {
    this.#begun = 0
    this.#stopped = 0
    this.count = 0
  }

  add(from: number, to: number): void {
    this.begin(from)
    this.end(to)
  }

  begin(at: number): void {
    if (this.#begun === this.#begins.length) this.#begins = doubled(this.#begins)
    this.#begins[this.#begun++] = at
  }

  end(at: number): void {
    if (this.#stopped === this.#stops.length) this.#stops = doubled(this.#stops)
    this.#stops[this.#stopped++] = at
  }

  /** What some span holds. */
  settle(): this {
    const n = Math.min(this.#begun, this.#stopped)
    const begins = this.#begins.subarray(0, n).sort()
    const stops = this.#stops.subarray(0, n).sort()
    while (this.ends.length < 2 * n) this.ends = doubled(this.ends)
    let count = 0
    let open = 0
    let stop = 0
    for (let begin = 0; begin < n; begin++) {
      const at = begins[begin]!
      while (stop < n && stops[stop]! < at) {
        open--
        if (open === 0) this.ends[count++] = stops[stop]!
        stop++
      }
      if (open === 0) this.ends[count++] = at
      open++
    }
    if (open > 0) this.ends[count++] = stops[n - 1]!
    this.count = count
    return this
  }

  /** Of settled ones what lies between. */
  clip(from: number, to: number): void {
    let kept = 0
    for (let i = 0; i < this.count; i += 2) {
      const [low, high] = [Math.max(this.ends[i]!, from), Math.min(this.ends[i + 1]!, to)]
      if (low >= high) continue
      this.ends[kept++] = low
      this.ends[kept++] = high
    }
    this.count = kept
  }

  /** Of settled ones what does not lie between. */
  takeOut(from: number, to: number): void {
    const left: number[] = []
    for (let i = 0; i < this.count; i += 2) {
      const [low, high] = [this.ends[i]!, this.ends[i + 1]!]
      if (low < Math.min(high, from)) left.push(low, Math.min(high, from))
      if (Math.max(low, to) < high) left.push(Math.max(low, to), high)
    }
    while (this.ends.length < left.length) this.ends = doubled(this.ends)
    this.ends.set(left)
    this.count = left.length
  }
}

/** Spans that stay while others are made. */
export class Cut implements Settled {
  ends = new Float64Array(64)
  count = 0

  of({ ends, count }: Settled): this {
    while (this.ends.length < count) this.ends = doubled(this.ends)
    for (let i = 0; i < count; i++) this.ends[i] = ends[i]!
    this.count = count
    return this
  }

  /** What both hold. */
  between(a: Settled, b: Settled): this {
    while (this.ends.length < a.count + b.count) this.ends = doubled(this.ends)
    this.count = 0
    eachShared(a, b, (from, to) => {
      this.ends[this.count++] = from
      this.ends[this.count++] = to
    })
    return this
  }
}

export function lengthOf({ ends, count }: Settled): number {
  let sum = 0
  for (let i = 0; i < count; i += 2) sum += ends[i + 1]! - ends[i]!
  return sum
}

/** Of what both hold. */
export function sharedLength(a: Settled, b: Settled): number {
  let sum = 0
  eachShared(a, b, (from, to) => (sum += to - from))
  return sum
}

function eachShared(a: Settled, b: Settled, visit: (from: number, to: number) => void): void {
  let i = 0
  let j = 0
  while (i < a.count && j < b.count) {
    const from = Math.max(a.ends[i]!, b.ends[j]!)
    const to = Math.min(a.ends[i + 1]!, b.ends[j + 1]!)
    if (from < to) visit(from, to)
    if (a.ends[i + 1]! < b.ends[j + 1]!) i += 2
    else j += 2
  }
}

const doubled = (before: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  const more = new Float64Array(2 * before.length)
  more.set(before)
  return more
}
