// The objects of a run as they come in, found by place and listed in raster order.
import type { PixelRect } from '../base/rect'
import type { Grid, TileIndex } from './plan'
import type { TileObjects } from './tileObjects'
import type { RunObject } from './result'

/** An entry, its places in the lists and its object when they are listed (measured). */
const bytesPerEntry = 180

interface Entry {
  readonly tile: TileObjects
  readonly row: number
  /** Of its first pixel in raster order. */
  readonly order: number
}

/** Tiles per grid level that an object touches are few: a map from tile to objects answers every question of place. */
export class ObjectStore {
  private readonly grid: Grid
  private readonly byTile = new Map<number, Entry[]>()
  private readonly entries: Entry[] = []
  /** Place of each entry's first pixel in raster order, beside `entries`: sorting and ranking touch nothing else. */
  private readonly order: number[] = []
  private sorted: RunObject[] | undefined
  private tileBytes = 0

  constructor(grid: Grid) {
    this.grid = grid
  }

  get count(): number {
    return this.entries.length
  }

  /** About what it holds, the columns of its objects included: they may be shared with what is kept of tiles. */
  get bytes(): number {
    return this.tileBytes + this.entries.length * bytesPerEntry
  }

  /** Takes the rows that `keep` picks; gives the grid tiles that they touch. */
  add(tile: TileObjects, keep: (row: number) => boolean): TileIndex[] {
    const touched = new Map<number, TileIndex>()
    const t = this.grid.tileSizePx
    for (let row = 0; row < tile.count; row++) {
      if (!keep(row)) continue
      const order = rasterOrder(tile.value(row, 'firstX'), tile.value(row, 'firstY'))
      const entry: Entry = { tile, row, order }
      this.entries.push(entry)
      this.order.push(order)
      for (let y = Math.floor(tile.value(row, 'minY') / t); y <= Math.floor(tile.value(row, 'maxY') / t); y++) {
        for (let x = Math.floor(tile.value(row, 'minX') / t); x <= Math.floor(tile.value(row, 'maxX') / t); x++) {
          const key = this.key(x, y)
          const list = this.byTile.get(key)
          if (list) list.push(entry)
          else this.byTile.set(key, [entry])
          if (!touched.has(key)) touched.set(key, { x, y })
        }
      }
    }
    if (touched.size > 0) this.tileBytes += tile.bytes
    this.sorted = undefined
    return [...touched.values()]
  }

  /** The object that holds a pixel; the id is its place in raster order, 1-based. */
  at(x: number, y: number): { object: RunObject; id: number } | null {
    const t = this.grid.tileSizePx
    for (const { tile, row } of this.byTile.get(this.key(Math.floor(x / t), Math.floor(y / t))) ?? []) {
      if (!tile.holds(row, x, y)) continue
      const object = tile.object(row)
      return { object, id: this.rankOf(object) }
    }
    return null
  }

  /** Every object whose bounding box meets the rectangle, once, in raster order of first pixels. */
  inRect(rect: PixelRect): RunObject[] {
    const t = this.grid.tileSizePx
    const found: Entry[] = []
    const left = Math.floor(rect.x / t)
    const top = Math.floor(rect.y / t)
    for (let y = top; y <= Math.floor((rect.y + rect.height - 1) / t); y++) {
      for (let x = left; x <= Math.floor((rect.x + rect.width - 1) / t); x++) {
        for (const entry of this.byTile.get(this.key(x, y)) ?? []) {
          const { tile, row } = entry
          const minX = tile.value(row, 'minX')
          const minY = tile.value(row, 'minY')
          if (tile.value(row, 'maxX') < rect.x || minX >= rect.x + rect.width) continue
          if (tile.value(row, 'maxY') < rect.y || minY >= rect.y + rect.height) continue
          // Of the tiles that it touches, the first that is looked at has it.
          if (x === Math.max(left, Math.floor(minX / t)) && y === Math.max(top, Math.floor(minY / t))) found.push(entry)
        }
      }
    }
    return found.sort((a, b) => a.order - b.order).map(({ tile, row }) => tile.object(row))
  }

  /** In raster order of their first pixels. The list is kept until the next object comes in. */
  all(): readonly RunObject[] {
    if (!this.sorted) {
      const { entries, order } = this
      const indices = Uint32Array.from(entries, (_, i) => i).sort((a, b) => order[a]! - order[b]!)
      this.sorted = Array.from(indices, (i) => entries[i]!.tile.object(entries[i]!.row))
    }
    return this.sorted
  }

  /** Counting is enough for one object: a click on a running slide must not sort a million. */
  private rankOf(object: RunObject): number {
    const own = rasterOrder(object.firstX, object.firstY)
    let before = 0
    for (const other of this.order) if (other < own) before += 1
    return before + 1
  }

  private key(x: number, y: number): number {
    // An object at the slide's left or top edge never reaches below 0, so keys do not collide.
    return rasterOrder(x, y)
  }
}

/** One number a pixel that ascends in raster order; exact up to 2^26 px a side. */
function rasterOrder(x: number, y: number): number {
  return y * 2 ** 26 + x
}
