// Which pixels of an analysed image are somebody's: a bit each, of the tiles that hold some.

const tileBits = 8
const tilePx = 2 ** tileBits
const wordsPerRow = tilePx / 32

/** Of 8 KB each: a GiB together. */
const usualTiles = 2 ** 17

export class TakenPixels {
  readonly #tiles = new Map<number, Uint32Array>()
  readonly #most: number

  constructor(most = usualTiles) {
    this.#most = most
  }

  /** No more is to be taken: memory is bounded, whatever a file says. */
  get isFull(): boolean {
    return this.#tiles.size >= this.#most
  }

  /** The runs (y, x0, x1 by threes) without what is somebody's: they themselves where nothing is. O(pixels), 32 at once where nothing is. */
  free(runs: Int32Array): Int32Array {
    let isFree = true
    for (let r = 0; isFree && r < runs.length; r += 3) isFree = this.#isFree(runs[r]!, runs[r + 1]!, runs[r + 2]!)
    if (isFree) return runs
    const left: number[] = []
    for (let r = 0; r < runs.length; r += 3)
      for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) {
        const from = x
        while (x < runs[r + 2]! && this.#isFree(runs[r]!, x, x + 1)) x++
        if (x > from) left.push(runs[r]!, from, x)
      }
    return Int32Array.from(left)
  }

  /** O(pixels), 32 at once. */
  take(runs: Int32Array): void {
    for (let r = 0; r < runs.length; r += 3) {
      const y = runs[r]!
      const to = runs[r + 2]!
      for (let x = runs[r + 1]!; x < to;) {
        const end = Math.min(to, (x | 31) + 1)
        const tile = this.#at(x, y) ?? this.#made(x, y)
        tile[wordOf(x, y)]! |= bits(x, end)
        x = end
      }
    }
  }

  #isFree(y: number, from: number, to: number): boolean {
    for (let x = from; x < to;) {
      const end = Math.min(to, (x | 31) + 1)
      const tile = this.#at(x, y)
      if (tile !== undefined && (tile[wordOf(x, y)]! & bits(x, end)) !== 0) return false
      x = end
    }
    return true
  }

  #lastKey = -1
  #lastTile: Uint32Array | undefined

  #at(x: number, y: number): Uint32Array | undefined {
    const key = keyOf(x, y)
    // Of a tile that is not there yet it is asked again.
    if (key === this.#lastKey && this.#lastTile) return this.#lastTile
    this.#lastKey = key
    return (this.#lastTile = this.#tiles.get(key))
  }

  #made(x: number, y: number): Uint32Array {
    const tile = new Uint32Array(wordsPerRow * tilePx)
    this.#tiles.set(keyOf(x, y), tile)
    return tile
  }
}

/** Places are below 2^31 px. */
const keyOf = (x: number, y: number): number => (y >> tileBits) * 2 ** 26 + (x >> tileBits)
const wordOf = (x: number, y: number): number => (y & (tilePx - 1)) * wordsPerRow + ((x & (tilePx - 1)) >> 5)
/** Of the word that holds both, from `x` to before `end`. */
const bits = (x: number, end: number): number => (0xffffffff >>> (32 - (end - x))) << (x & 31)
