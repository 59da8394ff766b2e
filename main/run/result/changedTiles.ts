// Which result tiles to fetch again: gathers changes, numbers them, and tells them in batches, coarse levels less often.
import type { TileRef } from '../../../app/contract'
import type { Grid, TileIndex } from '../plan/plan'
import { Throttle } from '../schedule/throttle'

const fineMs = 100
const coarseMs = 1000
/** From this level on a tile covers so many others that it would change all the time. */
const coarseLevel = 3

export class ChangedTiles {
  private readonly grid: Grid
  private readonly tell: (tiles: TileRef[]) => void
  private readonly revisions = new Revisions()
  private readonly pending = [new Map<number, TileRef>(), new Map<number, TileRef>()] as const
  private readonly throttles: readonly [Throttle, Throttle]
  private revision = 0

  constructor(grid: Grid, tell: (tiles: TileRef[]) => void) {
    this.grid = grid
    this.tell = tell
    this.throttles = [new Throttle(fineMs, () => this.tellPending(0)), new Throttle(coarseMs, () => this.tellPending(1))]
  }

  /** Marks level-0 tiles and every coarser tile over them. */
  mark(tiles: readonly TileIndex[]): void {
    if (tiles.length === 0) return
    this.revision += 1
    for (const tile of tiles) {
      for (let level = 0; level <= this.grid.maxLevel; level++) {
        const ref: TileRef = { level, x: tile.x >> level, y: tile.y >> level, revision: this.revision }
        // A tile beside it has marked this one, and all that lie over it.
        if (this.revisions.get(level, ref.x, ref.y) === this.revision) break
        this.revisions.set(ref)
        this.pending[level < coarseLevel ? 0 : 1].set(nameOf(ref), ref)
      }
    }
    for (const throttle of this.throttles) throttle.poke()
  }

  /** When a tile changed last; 0 = never. */
  revisionOf(level: number, x: number, y: number): number {
    return this.revisions.get(level, x, y)
  }

  /** Every tile that has changed, under its newest revision. */
  all(): TileRef[] {
    return [...this.revisions.all()]
  }

  /** The level-0 tiles that were ever marked, in raster order. */
  marked(): TileIndex[] {
    return this.all()
      .filter(({ level }) => level === 0)
      .sort((a, b) => a.y - b.y || a.x - b.x)
  }

  /** Tells what is still to be told. */
  flush(): void {
    for (const throttle of this.throttles) throttle.stop()
    this.tellPending(0)
    this.tellPending(1)
  }

  private tellPending(which: 0 | 1): void {
    const tiles = [...this.pending[which].values()]
    if (tiles.length === 0) return
    this.pending[which].clear()
    this.tell(tiles)
  }
}

/** One number a tile: fewer than 2^24 a side, and fewer than 32 levels. */
const nameOf = ({ level, x, y }: TileRef): number => (level * 2 ** 24 + y) * 2 ** 24 + x

const pageSide = 16

/** Four bytes a tile, in pages of 16 × 16 tiles: a map from names to numbers took some hundred bytes a tile. */
class Revisions {
  private readonly pages = new Map<number, Uint32Array>()

  get(level: number, x: number, y: number): number {
    return this.pages.get(pageKey(level, x, y))?.[placeIn(x, y)] ?? 0
  }

  set({ level, x, y, revision }: TileRef): void {
    const key = pageKey(level, x, y)
    let page = this.pages.get(key)
    if (!page) this.pages.set(key, (page = new Uint32Array(pageSide * pageSide)))
    page[placeIn(x, y)] = revision
  }

  *all(): Generator<TileRef> {
    for (const [key, page] of this.pages) {
      const level = Math.floor(key / 2 ** 40)
      const top = (Math.floor(key / 2 ** 20) % 2 ** 20) * pageSide
      const left = (key % 2 ** 20) * pageSide
      for (const [i, revision] of page.entries()) {
        if (revision > 0) yield { level, x: left + (i % pageSide), y: top + Math.floor(i / pageSide), revision }
      }
    }
  }
}

/** Sides of at most 2^20 pages: no slide has more than 2^32 px a side. */
function pageKey(level: number, x: number, y: number): number {
  return (level * 2 ** 20 + Math.floor(y / pageSide)) * 2 ** 20 + Math.floor(x / pageSide)
}

function placeIn(x: number, y: number): number {
  return (y % pageSide) * pageSide + (x % pageSide)
}
