// Objects that people made of those that a run found: in batches of their own, whose places and ids follow the run's.
import { batchRows, PackedObjects } from './packedObjects'
import type { TileIndex } from '../plan/plan'

/** Never changed: another step makes others. */
export class MadeObjects {
  readonly batches: readonly PackedObjects[]
  readonly count: number
  /** Their ids are those from here on, one after the other. */
  readonly firstId: number
  private readonly given: readonly PackedObjects[]
  private readonly byTile = new Map<number, number[]>()
  private readonly tileSizePx: number

  /** `place`: of the first batch. */
  constructor(given: readonly PackedObjects[], place: number, tileSizePx: number) {
    const batches: PackedObjects[] = []
    let count = 0
    this.given = given
    this.tileSizePx = tileSizePx
    this.firstId = place * batchRows
    for (const objects of given)
      for (let row = 0; row < objects.count; row++, count++) {
        if (count % batchRows === 0) batches.push(new PackedObjects(16))
        const last = batches.at(-1)!
        last.place = place + batches.length - 1
        last.addRows(objects, row, row + 1)
        eachTile(objects, row, tileSizePx, (key) => {
          const ids = this.byTile.get(key)
          if (ids) ids.push(this.firstId + count)
          else this.byTile.set(key, [this.firstId + count])
        })
      }
    this.batches = batches
    this.count = count
  }

  get bytes(): number {
    return this.batches.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  *ids(): Generator<number> {
    for (let i = 0; i < this.count; i++) yield this.firstId + i
  }

  in(key: number): readonly number[] {
    return this.byTile.get(key) ?? []
  }

  /** The tiles of those that only one of the two has: what both begin with is the same. */
  eachTileOfOthers(other: MadeObjects, visit: (key: number, tile: TileIndex) => void): void {
    let same = 0
    while (same < this.given.length && this.given[same] === other.given[same]) same++
    for (const objects of [...this.given.slice(same), ...other.given.slice(same)])
      for (let row = 0; row < objects.count; row++) eachShownTile(objects, row, this.tileSizePx, visit)
  }
}

/** The tiles that an object's box meets. */
export function eachTile(
  batch: PackedObjects,
  row: number,
  tileSizePx: number,
  visit: (key: number, tile: TileIndex) => void,
): void {
  const at = (field: 'minX' | 'minY' | 'maxX' | 'maxY'): number => Math.floor(batch.value(row, field) / tileSizePx)
  const [x0, y0, x1, y1] = [at('minX'), at('minY'), at('maxX'), at('maxY')]
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) visit(keyOf(x, y), { x, y })
}

/** The tiles that show something of it: its cell may reach into more. */
export function eachShownTile(
  batch: PackedObjects,
  row: number,
  tileSizePx: number,
  visit: (key: number, tile: TileIndex) => void,
): void {
  const cell = batch.cellRunsOf(row)
  if (!cell?.length) return eachTile(batch, row, tileSizePx, visit)
  const tile = (px: number): number => Math.floor(px / tileSizePx)
  let [x0, x1] = [Infinity, -Infinity]
  for (let r = 0; r < cell.length; r += 3) [x0, x1] = [Math.min(x0, cell[r + 1]!), Math.max(x1, cell[r + 2]! - 1)]
  for (let y = tile(cell[0]!); y <= tile(cell.at(-3)!); y++)
    for (let x = tile(x0); x <= tile(x1); x++) visit(keyOf(x, y), { x, y })
}

/** One number a pixel (or tile) that ascends in raster order; exact up to 2^26 a side, of which none is below 0. */
export function keyOf(x: number, y: number): number {
  return y * 2 ** 26 + x
}

/** Whose `keyOf` it is. */
export const tileOf = (key: number): TileIndex => ({ x: key % 2 ** 26, y: Math.floor(key / 2 ** 26) })
