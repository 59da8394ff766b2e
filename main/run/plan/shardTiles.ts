// Which tiles of a run a shard of it computes. Every tile is in one shard; what decides is the grid, the region and the number of shards.
import type { ShardRef } from '../../../app/contract'
import type { PixelRect } from '../../base/rect'
import type { Cell } from './nearestFirst'

/**
 * Tiles across the squares that are dealt out: as many as a run's large window has, so that sharding adds no halo, and fewer where there would be
 * too few squares.
 */
const squareSides = [8, 4] as const
/** Squares that a slide of any size is cut into, at most: they grow with it. */
const mostSquares = 2 ** 20
/** Tissue fills a third of most slides: a shard has its part of it by taking so many stretches from all over the slide. */
const stretchesPerShard = 8

/**
 * The squares of the region stand in Hilbert's order, in which neighbours stay together. The order is cut into stretches of equal length, and
 * these are dealt to the shards in turn. O(squares) to make, O(1) to ask.
 */
export class ShardTiles {
  /** Tiles across a square. */
  readonly side: number
  /** Of the region, in this shard. */
  readonly tileCount: number
  readonly #corner: Cell
  readonly #across: number
  readonly #down: number
  readonly #own: Uint8Array
  readonly #last: Cell
  readonly #first: Cell

  constructor(grid: { readonly tileSizePx: number }, region: PixelRect, { shard, of }: ShardRef) {
    const tile = (px: number): number => Math.floor(px / grid.tileSizePx)
    this.#first = { x: tile(region.x), y: tile(region.y) }
    this.#last = { x: tile(region.x + region.width - 1), y: tile(region.y + region.height - 1) }
    const squaresOf = (side: number): number =>
      (Math.floor(this.#last.x / side) - Math.floor(this.#first.x / side) + 1) *
      (Math.floor(this.#last.y / side) - Math.floor(this.#first.y / side) + 1)
    let side: number = squareSides.find((each) => squaresOf(each) >= stretchesPerShard * of) ?? squareSides.at(-1)!
    while (squaresOf(side) > mostSquares) side *= 2
    this.side = side
    this.#corner = { x: Math.floor(this.#first.x / side), y: Math.floor(this.#first.y / side) }
    this.#across = Math.floor(this.#last.x / side) - this.#corner.x + 1
    this.#down = Math.floor(this.#last.y / side) - this.#corner.y + 1
    this.#own = this.#dealt(shard - 1, of)
    this.tileCount = this.#counted()
  }

  /** Of a tile of the region. */
  has({ x, y }: Cell): boolean {
    if (x < this.#first.x || x > this.#last.x || y < this.#first.y || y > this.#last.y) return false
    const [column, row] = [Math.floor(x / this.side) - this.#corner.x, Math.floor(y / this.side) - this.#corner.y]
    return this.#own[row * this.#across + column] === 1
  }

  #dealt(shard: number, of: number): Uint8Array {
    const count = this.#across * this.#down
    const own = new Uint8Array(count)
    const stretches = of * Math.max(1, Math.min(stretchesPerShard, Math.floor(count / of)))
    let place = 0
    for (const { x, y } of hilbert(this.#across, this.#down)) {
      if (Math.floor((place * stretches) / count) % of === shard) own[y * this.#across + x] = 1
      place += 1
    }
    return own
  }

  #counted(): number {
    const within = (k: number, corner: number, first: number, last: number): number =>
      Math.min(last, (corner + k + 1) * this.side - 1) - Math.max(first, (corner + k) * this.side) + 1
    let tiles = 0
    for (let y = 0; y < this.#down; y++)
      for (let x = 0; x < this.#across; x++)
        if (this.#own[y * this.#across + x] === 1)
          tiles += within(x, this.#corner.x, this.#first.x, this.#last.x) * within(y, this.#corner.y, this.#first.y, this.#last.y)
    return tiles
  }
}

/** The cells of a rectangle in the order of Hilbert's curve through the square around it: of two that follow each other inside, the sides touch. */
export function* hilbert(across: number, down: number): Generator<Cell> {
  let size = 1
  while (size < Math.max(across, down)) size *= 2
  for (let place = 0; place < size * size; place++) {
    const cell = cellAt(size, place)
    if (cell.x < across && cell.y < down) yield cell
  }
}

/** Quarter by quarter from the smallest, each turned as the curve enters it. */
function cellAt(size: number, place: number): Cell {
  let [x, y, rest] = [0, 0, place]
  for (let side = 1; side < size; side *= 2) {
    const quarter = rest % 4
    rest = Math.floor(rest / 4)
    const [right, below] = [quarter >> 1, (quarter ^ (quarter >> 1)) & 1]
    if (below === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y]
      ;[x, y] = [y, x]
    }
    x += side * right
    y += side * below
  }
  return { x, y }
}
