// Which pixels of an analysed image are somebody's: a bit each, of the tiles that hold some.

const tilePx = 256
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

  /** The runs (y, x0, x1 by threes) without what is somebody's: they themselves where nothing is. O(pixels). */
  free(runs: Int32Array): Int32Array {
    let isFree = true
    for (let r = 0; isFree && r < runs.length; r += 3)
      for (let x = runs[r + 1]!; x < runs[r + 2]!; x++)
        if (this.#has(x, runs[r]!)) {
          isFree = false
          break
        }
    if (isFree) return runs
    const left: number[] = []
    for (let r = 0; r < runs.length; r += 3)
      for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) {
        const from = x
        while (x < runs[r + 2]! && !this.#has(x, runs[r]!)) x++
        if (x > from) left.push(runs[r]!, from, x)
      }
    return Int32Array.from(left)
  }

  take(runs: Int32Array): void {
    for (let r = 0; r < runs.length; r += 3) {
      const y = runs[r]!
      for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) {
        const key = Math.floor(y / tilePx) * 2 ** 26 + Math.floor(x / tilePx)
        let tile = this.#tiles.get(key)
        if (!tile) this.#tiles.set(key, (tile = new Uint32Array(wordsPerRow * tilePx)))
        const row = (y % tilePx) * wordsPerRow
        const end = Math.min(runs[r + 2]!, (Math.floor(x / tilePx) + 1) * tilePx)
        for (; x < end; x++) tile[row + ((x % tilePx) >> 5)]! |= 1 << (x & 31)
        x -= 1
      }
    }
  }

  #last = -1
  #lastTile: Uint32Array | undefined

  #has(x: number, y: number): boolean {
    const key = Math.floor(y / tilePx) * 2 ** 26 + Math.floor(x / tilePx)
    // Of a tile that is not there yet it is asked again.
    if (key !== this.#last || !this.#lastTile) {
      this.#last = key
      this.#lastTile = this.#tiles.get(key)
    }
    const tile = this.#lastTile
    return tile !== undefined && ((tile[(y % tilePx) * wordsPerRow + ((x % tilePx) >> 5)]! >> (x & 31)) & 1) === 1
  }
}
