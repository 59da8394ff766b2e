// How much tissue a slide has at low power, as a small map of shares, and what is asked of it: sums in discs, the centre of what is there. Pure.

/** Of each px the share of tissue, 0 to 255; row after row. */
export interface CoverMap {
  readonly width: number
  readonly height: number
  readonly share: Uint8Array
}

export interface Place {
  readonly x: number
  readonly y: number
}

/** Answers sums of a map in discs in O(diameter) each: a row's sums up to each px are known. */
export class Discs {
  private readonly sums: Float64Array
  private readonly across: number

  constructor(readonly map: CoverMap) {
    const { width, height, share } = map
    this.across = width + 1
    this.sums = new Float64Array(this.across * height)
    for (let y = 0; y < height; y++) {
      let sum = 0
      for (let x = 0; x < width; x++) {
        sum += share[y * width + x]!
        this.sums[y * this.across + x + 1] = sum
      }
    }
  }

  /** Px of tissue in a disc around a place; what lies beyond the map is none. */
  mass({ x, y }: Place, radius: number): number {
    let sum = 0
    this.rows(x, y, radius, (row, from, to) => {
      sum += this.sums[row * this.across + to]! - this.sums[row * this.across + from]!
    })
    return sum / 255
  }

  /** The centre of the tissue in a disc; null where it has none. */
  centre(place: Place, radius: number): Place | null {
    const { width, share } = this.map
    let [sum, sumX, sumY] = [0, 0, 0]
    this.rows(place.x, place.y, radius, (row, from, to) => {
      for (let at = from; at < to; at++) {
        const value = share[row * width + at]!
        sum += value
        sumX += value * (at + 0.5)
        sumY += value * (row + 0.5)
      }
    })
    return sum === 0 ? null : { x: sumX / sum, y: sumY / sum }
  }

  /** The same without what lies in these discs. */
  without(places: readonly Place[], radius: number): Discs {
    const { width, height, share } = this.map
    const rest = share.slice()
    for (const { x, y } of places) this.rows(x, y, radius, (row, from, to) => rest.fill(0, row * width + from, row * width + to))
    return new Discs({ width, height, share: rest })
  }

  /** The px of each row whose centres lie in the disc: from one, to before another. */
  private rows(x: number, y: number, radius: number, each: (row: number, from: number, to: number) => void): void {
    const { width, height } = this.map
    const last = Math.min(height - 1, Math.floor(y + radius - 0.5))
    for (let row = Math.max(0, Math.ceil(y - radius - 0.5)); row <= last; row++) {
      const half = Math.sqrt(Math.max(0, radius ** 2 - (row + 0.5 - y) ** 2))
      const from = Math.max(0, Math.ceil(x - half - 0.5))
      const to = Math.min(width, Math.floor(x + half - 0.5) + 1)
      if (to > from) each(row, from, to)
    }
  }
}

export const distance = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y)

/** The middle one, of an even number the lower of both; 0 of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0
}
