// What a run has found so far: its objects, what could not be read, the tiles that changed, and how far it is.
import type { AppError, RunStatus, TileRef } from '../../app/contract'
import { areaOf, contains, holds } from '../base/rect'
import { ChangedTiles } from './changedTiles'
import type { BlockResult, TileResult, UnreadablePart } from './computeTile'
import { ObjectStore } from './objectStore'
import type { RunOrder } from './order'
import { coreOf, regionOnSlide } from './plan'
import type { Plan, TileIndex } from './plan'
import type { TileObjects } from './tileObjects'
import { Timings } from './timings'
import { cutWarning, unreadableWarning } from './warnings'

export class Gathered {
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  readonly unreadable: UnreadablePart[] = []
  readonly timings = new Timings()
  tilesDone = 0
  /** Of the analysed image, of which some were taken from earlier runs. */
  pixelsDone = 0
  pixelsKept = 0
  /** In windows that are being computed. */
  pixelsUnderWay = 0
  cutObjects = 0
  unreadableTiles = 0
  /** Of tiles of which nothing could be computed. */
  lastFailure: AppError | undefined
  /** Of windows that were computed for it and could be checked. */
  private readonly certainty = { checkedMegapixels: 0, certainMegapixels: 0, grownWindows: 0, grownMegapixels: 0 }
  private failedTiles = 0
  private readonly order: RunOrder
  private readonly plan: Plan

  constructor(order: RunOrder, plan: Plan, tell: (tiles: TileRef[]) => void) {
    this.order = order
    this.plan = plan
    this.objects = new ObjectStore(order.draft.grid)
    this.changed = new ChangedTiles(order.draft.grid, tell)
  }

  /** Nothing at all could be computed. */
  get nothing(): boolean {
    return this.failedTiles === this.plan.tileCount
  }

  addKept(tile: TileIndex): void {
    const pixels = this.pixelsOf(tile)
    this.timings.addKept(pixels)
    this.pixelsKept += pixels
  }

  /** What a window took, and how much of it is certain. */
  addWindow({ timings, certainty }: Omit<BlockResult, 'tiles'>): void {
    this.timings.add(timings)
    if (!certainty) return
    this.certainty.checkedMegapixels += certainty.corePixels / 1e6
    this.certainty.certainMegapixels += certainty.certainPixels / 1e6
    this.certainty.grownWindows += certainty.grownWindows
    this.certainty.grownMegapixels += certainty.grownPixels / 1e6
  }

  certain(): RunStatus['certainty'] {
    return { ...this.certainty }
  }

  /** Tiles of one window: what they hold is taken at once. */
  add(tiles: readonly TileIndex[], results: readonly TileResult[]): void {
    // Before the tiles are announced: who hears of them finds them counted.
    for (const tile of tiles) this.count(tile)
    const touched = this.objects.add(results.map(({ owned }, i) => ({ objects: owned, keep: this.keeps(tiles[i]!, owned) })))
    for (const { unreadable } of results) {
      if (unreadable.length === 0) continue
      this.unreadableTiles += 1
      this.unreadable.push(...unreadable)
    }
    this.announce(tiles, touched)
  }

  /** Which objects of a tile are the run's, by their rows; null: all. Counts those that are cut. */
  private keeps(tile: TileIndex, owned: TileObjects): ((row: number) => boolean) | null {
    const { region } = this.order
    const inRegion = (row: number): boolean => contains(region, owned.value(row, 'firstX'), owned.value(row, 'firstY'))
    const keep = holds(region, coreOf(this.order.draft.grid, tile)) ? null : inRegion
    this.cutObjects += owned.cutRows.filter((row) => !keep || keep(row)).length
    return keep
  }

  addFailed(tile: TileIndex, failure: AppError): void {
    const { grid } = this.order.draft
    this.count(tile)
    this.failedTiles += 1
    this.unreadableTiles += 1
    this.lastFailure = failure
    this.unreadable.push({ ...regionOnSlide(grid, coreOf(grid, tile)), reason: failure.message })
    this.announce([tile], [])
  }

  /** From what was computed, not from what was kept; of the windows under way half is done. null while unknown. */
  etaMs(computingMs: number): number | null {
    const computed = this.pixelsDone - this.pixelsKept
    if (this.tilesDone === 0 || this.plan.tileCount === 0) return null
    if (this.tilesDone === this.plan.tileCount) return 0
    const left = (this.pixelsDone / this.tilesDone) * (this.plan.tileCount - this.tilesDone)
    if (computed === 0) return null
    const underWay = Math.min(this.pixelsUnderWay, left) / 2
    return (computingMs / (computed + underWay)) * (left - underWay)
  }

  /** What is uncertain of it, in words. */
  doubts(): string[] {
    const parts = { tiles: this.unreadableTiles, of: this.plan.tileCount, reason: this.unreadable[0]?.reason }
    return [...cutWarning(this.cutObjects, this.order.draft.haloPx), ...unreadableWarning(parts)]
  }

  private count(tile: TileIndex): void {
    this.tilesDone += 1
    this.pixelsDone += this.pixelsOf(tile)
  }

  private pixelsOf(tile: TileIndex): number {
    return areaOf(coreOf(this.order.draft.grid, tile))
  }

  /** The tiles themselves, and those their objects reach into; of the latter those that are still to come will tell for themselves. */
  private announce(tiles: readonly TileIndex[], touched: readonly TileIndex[]): void {
    const others = touched.filter((other) => !tiles.some(({ x, y }) => other.x === x && other.y === y))
    // One of the plan's own has a revision when it has been announced.
    const now = others.filter((other) => !this.plan.has(other) || this.changed.revisionOf(0, other.x, other.y) > 0)
    this.changed.mark([...tiles, ...now])
  }
}
