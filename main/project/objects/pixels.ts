// Pixels of objects in a box, numbered by their pieces, and an object cut along a line. Analysed px, exact. Pure.

/** Triples y, x0, x1 (x1 exclusive), raster order. */
export type Runs = Int32Array

/** Of pixels that are looked at together. */
export const mostPx = 2 ** 24
/** Parts of a cut below so many px go to the part beside them: what a line leaves at a rim is no object. */
export const leastPartPx = 5

/** A pixel of an object that it loses. */
const takenOut = -1

/** A number for each pixel of a box: 0 for those of nobody. */
export class Box {
  readonly data: Int32Array<ArrayBuffer>
  constructor(
    readonly x: number,
    readonly y: number,
    readonly width: number,
    readonly height: number,
  ) {
    this.data = new Int32Array(width * height)
  }

  /** Around all of them and so much more; null: it would have too many pixels. */
  static around(objects: readonly Runs[], margin: number): Box | null {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const runs of objects)
      for (let r = 0; r < runs.length; r += 3) {
        y0 = Math.min(y0, runs[r]!)
        y1 = Math.max(y1, runs[r]! + 1)
        x0 = Math.min(x0, runs[r + 1]!)
        x1 = Math.max(x1, runs[r + 2]!)
      }
    const [width, height] = [x1 - x0 + 2 * margin, y1 - y0 + 2 * margin]
    return width * height <= mostPx ? new Box(x0 - margin, y0 - margin, width, height) : null
  }

  /** What of the runs lies in the box. */
  paint(runs: Runs, value: number): void {
    for (let r = 0; r < runs.length; r += 3) {
      const y = runs[r]! - this.y
      if (y < 0 || y >= this.height) continue
      const from = Math.max(0, runs[r + 1]! - this.x)
      const to = Math.min(this.width, runs[r + 2]! - this.x)
      if (from < to) this.data.fill(value, y * this.width + from, y * this.width + to)
    }
  }

  /** Marks what of the runs is somebody's, as taken out. */
  take(runs: Runs): void {
    for (let r = 0; r < runs.length; r += 3) {
      const y = runs[r]! - this.y
      if (y < 0 || y >= this.height) continue
      const to = y * this.width + Math.min(this.width, runs[r + 2]! - this.x)
      for (let place = y * this.width + Math.max(0, runs[r + 1]! - this.x); place < to; place++)
        if (this.data[place]! > 0) this.data[place] = takenOut
    }
  }

  /** The place of a pixel in `data`; -1: outside. */
  at(x: number, y: number): number {
    const [px, py] = [x - this.x, y - this.y]
    return px < 0 || py < 0 || px >= this.width || py >= this.height ? -1 : py * this.width + px
  }

  /** Places of the eight around one, those inside the box, nearest first. */
  *around(place: number): Generator<number> {
    const x = place % this.width
    const y = (place - x) / this.width
    for (const [dx, dy] of eight) {
      const [px, py] = [x + dx, y + dy]
      if (px >= 0 && py >= 0 && px < this.width && py < this.height) yield py * this.width + px
    }
  }

  /** Places of the four that share a side with one, those inside the box. */
  *sides(place: number): Generator<number> {
    const x = place % this.width
    if (place >= this.width) yield place - this.width
    if (x > 0) yield place - 1
    if (x + 1 < this.width) yield place + 1
    if (place + this.width < this.data.length) yield place + this.width
  }

  runsOf(isIn: (value: number) => boolean): Runs {
    const runs: number[] = []
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++) {
        const from = x
        while (x < this.width && isIn(this.data[y * this.width + x]!)) x++
        if (x > from) runs.push(y + this.y, from + this.x, x + this.x)
      }
    return Int32Array.from(runs)
  }

  /** Numbers the parts of what `isIn` says, 8-connected as objects are: from `first` on, in raster order. How many pixels each has. */
  number(isIn: (value: number) => boolean, first: number): number[] {
    return this.#numbered(isIn, first, (place) => this.around(place))
  }

  /** The same, 4-connected: pixels that touch at a corner only are parts of their own. */
  numberSides(isIn: (value: number) => boolean, first: number): number[] {
    return this.#numbered(isIn, first, (place) => this.sides(place))
  }

  /**
   * Numbers what `isIn` says of what was left of an object, 4-connected, and across those corners alone that held the object together: between
   * places of different `pieces`, its numbers before anything was taken out.
   */
  numberLeft(isIn: (value: number) => boolean, first: number, pieces: Int32Array): number[] {
    return this.#numbered(isIn, first, (place) => [
      ...this.sides(place),
      ...[...this.around(place)].filter((next) => pieces[next] !== pieces[place]),
    ])
  }

  /** The 4-connected pieces of what is 1, by their numbers from 2 on. */
  pieces(): Int32Array {
    const copy = new Box(this.x, this.y, this.width, this.height)
    copy.data.set(this.data)
    copy.numberSides((value) => value === 1, 2)
    return copy.data
  }

  #numbered(isIn: (value: number) => boolean, first: number, beside: (place: number) => Iterable<number>): number[] {
    const sizes: number[] = []
    for (let start = 0; start < this.data.length; start++) {
      if (!isIn(this.data[start]!)) continue
      const own = first + sizes.length
      this.data[start] = own
      const open = [start] // grows as it is walked
      for (const each of open)
        for (const next of beside(each))
          if (isIn(this.data[next]!)) {
            this.data[next] = own
            open.push(next)
          }
      sizes.push(open.length)
    }
    return sizes
  }
}

const eight = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const

/** The pixels that a line goes through, each beside, above or below the one before, so that what touches at corners is cut. By their x and y. */
export function pixelsOnLine(line: readonly (readonly [number, number])[], most: number): [number, number][] {
  const found: [number, number][] = []
  for (let i = 0; i + 1 < line.length; i++) {
    const [[ax, ay], [bx, by]] = [line[i]!, line[i + 1]!]
    let [x, y] = [Math.floor(ax), Math.floor(ay)]
    const [endX, endY] = [Math.floor(bx), Math.floor(by)]
    const [stepX, stepY] = [Math.sign(bx - ax), Math.sign(by - ay)]
    // Of the way from a to b: where it next crosses a column's rim, or a row's.
    const [perX, perY] = [1 / Math.abs(bx - ax), 1 / Math.abs(by - ay)]
    let nextX = stepX === 0 ? Infinity : (stepX > 0 ? x + 1 - ax : ax - x) * perX
    let nextY = stepY === 0 ? Infinity : (stepY > 0 ? y + 1 - ay : ay - y) * perY
    const steps = Math.abs(endX - x) + Math.abs(endY - y)
    if (found.length + steps + 1 > most) return found
    found.push([x, y])
    for (let n = 0; n < steps; n++) {
      if (y === endY || (x !== endX && nextX <= nextY)) {
        x += stepX
        nextX += perX
      } else {
        y += stepY
        nextY += perY
      }
      found.push([x, y])
    }
  }
  return found
}

/**
 * The parts of an object that a line leaves, in raster order of their first pixels; what lies under the line goes to the nearest part, as do
 * parts of a few px. null: the line does not cut through it. O(box).
 */
export function cutAlong(object: Runs, pixels: readonly (readonly [number, number])[]): Runs[] | null {
  const box = Box.around([object], 0)
  if (!box) return null
  box.paint(object, 1)
  const pieces = box.pieces()
  let isMet = false
  for (const [x, y] of pixels) {
    const place = box.at(x, y)
    if (place < 0 || box.data[place] === 0) continue
    box.data[place] = takenOut
    isMet = true
  }
  if (!isMet) return null
  const sizes = box.numberLeft((value) => value === 1, 2, pieces)
  const large = sizes.flatMap((size, i) => (size >= leastPartPx ? [i + 2] : []))
  if (large.length < 2) return null
  const isLarge = new Set(large)
  box.data.forEach((value, place) => {
    if (value !== 0 && !isLarge.has(value)) box.data[place] = takenOut
  })
  // By sides first: no part hangs on a corner that the object did not hang on.
  spread(box, (place) => box.sides(place))
  spread(box, (place) => box.around(place))
  // What is connected to none of them, which no recipe's objects are.
  box.data.forEach((value, place) => value === takenOut && (box.data[place] = large[0]!))
  const parts = large.map((part) => box.runsOf((value) => value === part))
  return parts.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
}

/** Step by step from all parts at once into what was taken out: who comes first has a pixel. */
function spread(box: Box, beside: (place: number) => Iterable<number>): void {
  let rim: number[] = []
  box.data.forEach((value, place) => value > 0 && rim.push(place))
  while (rim.length > 0) {
    const next: number[] = []
    for (const place of rim)
      for (const other of beside(place))
        if (box.data[other] === takenOut) {
          box.data[other] = box.data[place]!
          next.push(other)
        }
    rim = next
  }
}
