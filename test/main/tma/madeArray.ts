// Made maps of arrays with a known truth: seeded, so the same each time.
import type { CoverMap, Place } from '../../../main/tma/coverMap'

/** Numbers from 0 to 1, by a linear congruence. */
export function seeded(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export class MadeMap implements CoverMap {
  readonly share: Uint8Array
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.share = new Uint8Array(width * height)
  }

  /** `keep`: which px of it there are, by how far they are from its centre. */
  disc(at: Place, radius: number, value = 255, keep: (dx: number, dy: number) => boolean = () => true): void {
    for (let y = Math.max(0, Math.floor(at.y - radius)); y < Math.min(this.height, at.y + radius); y++)
      for (let x = Math.max(0, Math.floor(at.x - radius)); x < Math.min(this.width, at.x + radius); x++) {
        const [dx, dy] = [x + 0.5 - at.x, y + 0.5 - at.y]
        if (dx * dx + dy * dy <= radius * radius && keep(dx, dy)) this.share[y * this.width + x] = value
      }
  }
}

export interface Truth extends Place {
  readonly row: number
  readonly column: number
  readonly missing: boolean
}

export interface Made {
  readonly map: MadeMap
  readonly truth: readonly Truth[]
}

export interface Making {
  readonly seed: number
  readonly rows?: number
  readonly columns?: number
  readonly missing?: number
  readonly degrees?: number
  readonly shear?: number
  /** Of the step. */
  readonly jitter?: number
  readonly dust?: number
  readonly diameter?: number
  readonly step?: number
}

/** Rows × columns of cores, some missing at random places, each a little off, and dust. */
export function madeArray(making: Making): Made {
  const { seed, rows = 6, columns = 10, missing = 5, degrees = 0, shear = 0, jitter = 0.05, dust = 60 } = making
  const { diameter = 24, step = 34 } = making
  const random = seeded(seed)
  const [width, height] = [(columns + 3) * step, (rows + 4) * step]
  const map = new MadeMap(width, height)
  const gone = new Set<number>()
  // Corners stay: which row is the first cannot be told where it has none.
  while (gone.size < missing) {
    const at = Math.floor(random() * rows * columns)
    const [row, column] = [Math.floor(at / columns), at % columns]
    if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1) gone.add(at)
  }
  const angle = (degrees * Math.PI) / 180
  const truth: Truth[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [u, v] = [(column - (columns - 1) / 2) * step, (row - (rows - 1) / 2) * step]
      const x = width / 2 + u * Math.cos(angle) - v * Math.sin(angle) + shear * v
      const y = height / 2 + u * Math.sin(angle) + v * Math.cos(angle)
      const isMissing = gone.has(row * columns + column)
      const off = (): number => (random() - 0.5) * 2 * jitter * step
      const at = isMissing ? { x, y } : { x: x + off(), y: y + off() }
      if (!isMissing) map.disc(at, diameter / 2)
      truth.push({ row, column, ...at, missing: isMissing })
    }
  }
  for (let i = 0; i < dust; i++) map.disc({ x: random() * width, y: random() * height }, 0.5 + random() * 2)
  return { map, truth }
}
