// Paints object ids into any window of the label image, at any level, from the objects' runs; nothing is kept but an index.
import Flatbush from 'flatbush'
import type { Region } from '../../../app/contract'
import { paintTile, tokenOf } from '../../../native/index'
import type { ObjectList } from '../../run/objects/objectList'
import { tableOf } from '../tables/objectText'

export interface LabelLevel {
  /** Pixels of level k stand for 2^k × 2^k of level 0. */
  readonly k: number
  readonly width: number
  readonly height: number
}

/** Objects of a tile whose outlines are read together: a tile of an upper level has more than need be in memory. */
const atOnce = 2 ** 16

/** Level 0 at the slide's level-0 resolution, then halves until one tile holds all. */
export function labelLevels(region: Region, tileSizePx: number): LabelLevel[] {
  const levels: LabelLevel[] = []
  for (let k = 0; ; k++) {
    const level = { k, width: Math.ceil(region.width / 2 ** k), height: Math.ceil(region.height / 2 ** k) }
    levels.push(level)
    if (level.width <= tileSizePx && level.height <= tileSizePx) return levels
  }
}

export class LabelPainter {
  readonly #objects: ObjectList
  readonly #region: Region
  readonly #scale: number
  readonly #index: Flatbush | null
  readonly #ofCells: boolean

  /** `cellReach`: analysed px that cells reach beyond their nuclei, to paint these; 0: nuclei are painted. */
  constructor(objects: ObjectList, region: Region, scale: number, cellReach = 0) {
    this.#objects = objects
    this.#ofCells = cellReach > 0
    this.#region = region
    this.#scale = scale
    if (objects.length === 0) {
      this.#index = null
      return
    }
    this.#index = new Flatbush(objects.length, 16, Int32Array)
    for (let i = 0; i < objects.length; i++) {
      const { minX, minY, maxX, maxY } = objects.at(i)
      this.#index.add(minX - cellReach, minY - cellReach, maxX + cellReach, maxY + cellReach)
    }
    this.#index.finish()
  }

  /** The analysed px under each of `count` pixels from `start` on, along one axis: ascending. */
  #analysed(start: number, count: number, k: number, origin: number, extent: number): Int32Array {
    const positions = new Int32Array(count)
    for (let i = 0; i < count; i++) {
      // Nearest neighbour: the level-0 pixel in the middle (below it, for even blocks) of what the pixel stands for.
      const level0 = origin + Math.min(Math.floor((start + i + 0.5) * 2 ** k), extent - 1)
      positions[i] = Math.floor((level0 + 0.5) / this.#scale)
    }
    return positions
  }

  /** Into a tile of size × size zeros, row after row; false where no object lies. Pixels outside the level stay 0. */
  async paint(
    level: LabelLevel,
    tileX: number,
    tileY: number,
    size: number,
    tile: Int32Array<ArrayBuffer>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const width = Math.min(size, level.width - tileX * size)
    const height = Math.min(size, level.height - tileY * size)
    const xs = this.#analysed(tileX * size, width, level.k, this.#region.x, this.#region.width)
    const ys = this.#analysed(tileY * size, height, level.k, this.#region.y, this.#region.height)
    const found = this.#index?.search(xs[0]!, ys[0]!, xs[width - 1]!, ys[height - 1]!) ?? []
    let any = false
    for (let from = 0; from < found.length; from += atOnce) {
      const { table } = tableOf(this.#objects, found.slice(from, from + atOnce))
      any = (await paintTile(table, { xs, ys }, tile, size, this.#ofCells, tokenOf(signal))) || any
    }
    return any
  }
}
