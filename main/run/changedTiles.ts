// Which result tiles to fetch again: gathers changes, numbers them, and tells them in batches, coarse levels less often.
import type { TileRef } from '../../app/contract'
import type { Grid, TileIndex } from './plan'
import { Throttle } from './throttle'

const fineMs = 100
const coarseMs = 1000
/** From this level on a tile covers so many others that it would change all the time. */
const coarseLevel = 3

export class ChangedTiles {
  private readonly grid: Grid
  private readonly tell: (tiles: TileRef[]) => void
  private readonly revisions = new Map<string, number>()
  private readonly pending = [new Map<string, TileRef>(), new Map<string, TileRef>()] as const
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
        const key = keyOf(ref.level, ref.x, ref.y)
        this.revisions.set(key, ref.revision)
        this.pending[level < coarseLevel ? 0 : 1].set(key, ref)
      }
    }
    for (const throttle of this.throttles) throttle.poke()
  }

  /** When a tile changed last; 0 = never. */
  revisionOf(level: number, x: number, y: number): number {
    return this.revisions.get(keyOf(level, x, y)) ?? 0
  }

  /** Every tile that has changed, under its newest revision. */
  all(): TileRef[] {
    return [...this.revisions].map(([key, revision]) => {
      const [level, x, y] = key.split(/[/_]/).map(Number) as [number, number, number]
      return { level, x, y, revision }
    })
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

function keyOf(level: number, x: number, y: number): string {
  return `${level}/${x}_${y}`
}
