// What a run has found so far: its objects, what could not be read, the tiles that changed, and how far it is.
import { noCertainty } from '../../../app/contract'
import type { AppError, RunStatus, TileRef } from '../../../app/contract'
import type { Ground } from '../../../native/index'
import { areaOf, contains, holds } from '../../base/rect'
import { ChangedTiles } from './changedTiles'
import type { TileResult, WindowTook } from '../tiles/computeTile'
import type { KeptNote } from '../journal/kept'
import { ClassCount } from '../objects/objectClasses'
import { keyOf } from '../objects/madeObjects'
import { objectsRoom } from '../analysis/memory'
import { LookedAt } from './lookedAt'
import { ObjectStore } from '../objects/objectStore'
import type { RunOrder } from '../request/order'
import { coreOf, regionOnSlide } from '../plan/plan'
import type { Plan, TileIndex } from '../plan/plan'
import type { TileObjects } from '../objects/tileObjects'
import { Timeline } from './timeline'
import { Timings } from './timings'
import { hasTissueFigure, tissueFigure } from '../analysis/tissueOfRun'
import type { TissueOfRun } from '../analysis/tissueOfRun'
import { isWhole, wholeTile } from '../tiles/trust'
import type { UnreadablePart } from '../tiles/trust'
import { cutWarning, tissueWarning, uncertainWarning, unreadableWarning } from './warnings'

export class ResultCollector {
  readonly objects: ObjectStore
  readonly changed: ChangedTiles
  /** How many objects are of which class; null where the recipe has none. */
  readonly classes: ClassCount | null
  readonly unreadable: UnreadablePart[] = []
  /** What these could change beside them: it was read, and is not to be relied on. */
  readonly uncertain: UnreadablePart[] = []
  readonly timings = new Timings()
  readonly timeline = new Timeline()
  tilesDone = 0
  /** Of the analysed image, of which some were taken from earlier runs. */
  pixelsDone = 0
  pixelsReused = 0
  /** Of `tilesDone` and `pixelsDone`: a journal had them. */
  tilesResumed = 0
  pixelsResumed = 0
  /** Without tissue. */
  private glassTiles = 0
  /** Level-0 px²; null where nobody asked, or the slide's overview does not tell. */
  private tissuePx: number | null = null
  private tissue: TissueOfRun | null = null
  private looked: { readonly at: LookedAt; readonly tilesDone: number } | null = null
  cutObjects = 0
  unreadableTiles = 0
  /** Others, with something uncertain. */
  uncertainTiles = 0
  /** See RunStatus. */
  valuesUncertain = false
  /** Of tiles of which nothing could be computed. */
  lastFailure: AppError | undefined
  /** Of windows that were computed for it and could be checked. */
  private readonly certainty = { ...noCertainty }
  private failedTiles = 0
  private readonly order: RunOrder
  private readonly plan: Plan

  constructor(order: RunOrder, plan: Plan, tell: (tiles: TileRef[]) => void) {
    this.order = order
    this.plan = plan
    this.objects = new ObjectStore(order.draft.grid, objectsRoom(order.memory.budgetBytes))
    this.classes = order.draft.classes && new ClassCount(order.draft.classes)
    this.changed = new ChangedTiles(order.draft.grid, tell)
  }

  /** Nothing at all could be computed. */
  get nothing(): boolean {
    return this.failedTiles === this.plan.tileCount
  }

  addReused(tile: TileIndex): void {
    const pixels = this.pixelsOf(tile)
    this.timings.addReused(pixels)
    this.pixelsReused += pixels
  }

  /** Known once the slide's overview has been taken. */
  setTissue(tissue: TissueOfRun | null): void {
    const { draft, region, areas } = this.order
    this.tissue = tissue
    this.tissuePx = tissueFigure(draft, tissue, areas ?? region)
  }

  /** Those that were computed. */
  doneTiles(): Iterable<TileIndex> {
    return this.isWhole ? this.plan.tiles() : this.changed.marked()
  }

  private get isWhole(): boolean {
    return this.tilesDone >= this.plan.tileCount
  }

  /** So far. O(tiles that were computed, and rows of tiles) where it has grown since. */
  lookedAt(): LookedAt {
    if (this.looked?.tilesDone !== this.tilesDone) {
      const undone = this.isWhole && !this.order.shard ? [] : this.plan.without(this.changed.marked())
      this.looked = { at: new LookedAt(this.order, this.unreadable, undone), tilesDone: this.tilesDone }
    }
    return this.looked.at
  }

  /** Of a run that is over: how much it was, without what is missing of it. */
  areas(): Pick<RunStatus, 'analysedPx' | 'tissue'> {
    const looked = this.lookedAt()
    const { tissue, tissuePx } = this
    return {
      analysedPx: looked.areaPx,
      ...(tissue && tissuePx !== null && { tissue: this.tissueFound(looked.tissueOf(tissue, tissuePx)) }),
    }
  }

  /** Nothing is computed of it: it counts as done at once, as it would be in the next run. */
  addGlass(): void {
    this.glassTiles += 1
  }

  /** What the whole slide's background took, in which no window had a share; where it was there already: nothing. */
  addGround({ timings }: Ground, wasThere: boolean): void {
    const stage = 'slide-background'
    if (!wasThere) return this.timings.add(timings.map((timing) => ({ ...timing, stage })))
    const pixels = Math.max(0, ...timings.map((timing) => timing.pixels))
    this.timings.add([{ stage, device: 'cache', variant: '', ms: 0, pixels, work: [], kept: true }])
  }

  /** What a window took, and how much of it is certain. */
  addWindow({ timings, certainty, span }: WindowTook): void {
    this.timings.add(timings)
    if (span) this.timeline.add(timings, span)
    if (!certainty) return
    this.certainty.checkedMegapixels += certainty.corePixels / 1e6
    this.certainty.certainMegapixels += certainty.certainPixels / 1e6
    this.certainty.checkedWindows += 1
    if (!certainty.certified) this.certainty.leftUncertain += 1
    else if (certainty.grownWindows === 0) this.certainty.certainAtOnce += 1
    this.certainty.grownWindows += certainty.grownWindows
    this.certainty.grownMegapixels += certainty.grownPixels / 1e6
  }

  /** Of a run that died: it had computed them. */
  addResumed(tiles: readonly TileIndex[], objects: readonly TileObjects[]): void {
    for (const tile of tiles) {
      this.pixelsResumed += this.pixelsOf(tile)
      if (this.tissue?.has(tile) === false) this.glassTiles += 1
    }
    this.tilesResumed += tiles.length
    this.add(
      tiles,
      objects.map((owned) => ({ owned, overlapping: null, planes: null, trust: wholeTile })),
    )
  }

  /** What its file says of a run whose objects it holds: they are its own, not another's. */
  setKept({ cutObjects, unreadableTiles, uncertainTiles, unreadable, uncertain, certainty, timings }: KeptNote): void {
    this.cutObjects = cutObjects
    this.unreadableTiles = unreadableTiles
    this.uncertainTiles = uncertainTiles ?? 0
    this.unreadable.push(...unreadable)
    this.uncertain.push(...(uncertain ?? []))
    Object.assign(this.certainty, certainty)
    this.timings.set(timings)
    this.tilesResumed = 0
  }

  /** As a status has it. */
  counts() {
    return {
      tilesDone: this.tilesDone,
      objects: this.objects.standingCount,
      ...this.marked(),
      ...(this.tissuePx !== null && { tissue: this.tissueFound(this.tissuePx) }),
      cutObjects: this.cutObjects,
      certainty: this.valuesUncertain ? nothingCertain(this.certainty) : { ...this.certainty },
      unreadableTiles: this.unreadableTiles,
      ...(this.uncertainTiles > 0 && { uncertainTiles: this.uncertainTiles }),
      ...(this.valuesUncertain && { valuesUncertain: true as const }),
      keptMegapixels: this.pixelsReused / 1e6,
      resumedTiles: this.tilesResumed,
      timings: this.timings.list(),
    }
  }

  private marked(): Pick<RunStatus, 'classes' | 'deleted' | 'replaced' | 'byHand' | 'made'> {
    const { marks } = this.objects
    const classes = marks?.classAt
      ? marks.classes.flatMap((each, i) => {
          const objects = marks.counts[i]!
          return objects > 0 || i < marks.always ? [{ ...each, objects }] : []
        })
      : this.classes?.counts()
    return {
      ...(classes && { classes }),
      ...(marks && marks.deletedCount > marks.replaced && { deleted: marks.deletedCount - marks.replaced }),
      ...(marks?.replaced && { replaced: marks.replaced }),
      ...(marks?.byHand && { byHand: marks.byHand }),
      ...(this.objects.standingMade > 0 && { made: this.objects.standingMade }),
    }
  }

  private tissueFound(px: number): NonNullable<RunStatus['tissue']> {
    const { resolution } = this.order.draft
    const mpp = resolution.analysedMpp === null ? null : resolution.analysedMpp / resolution.scale
    return { megapixels: px / 1e6, mm2: mpp === null ? null : (px * mpp * mpp) / 1e6, glassTiles: this.glassTiles }
  }

  /** Tiles of one window: what they hold is taken at once. */
  add(tiles: readonly TileIndex[], results: readonly TileResult[]): void {
    // Before the tiles are announced: who hears of them finds them counted.
    for (const tile of tiles) this.count(tile)
    const kept = results.map(({ owned }, i) => ({ objects: owned, keep: this.keeps(tiles[i]!, owned) }))
    const touched = this.objects.add(kept)
    for (const { objects, keep } of kept) this.classes?.add(objects, keep)
    for (const { trust } of results) {
      if (isWhole(trust)) continue
      if (trust.unreadable.length > 0) this.unreadableTiles += 1
      else this.uncertainTiles += 1
      this.unreadable.push(...trust.unreadable)
      this.uncertain.push(...trust.uncertain)
    }
    this.announce(tiles, touched)
  }

  /** Which objects of a tile are the run's, by their rows; null: all. Counts those that are cut. */
  private keeps(tile: TileIndex, owned: TileObjects): ((row: number) => boolean) | null {
    const { region, within } = this.order
    const inRegion = (row: number): boolean => contains(region, owned.value(row, 'firstX'), owned.value(row, 'firstY'))
    const isWithin = !within
      ? null
      : (row: number): boolean => within(owned.value(row, 'centroidX'), owned.value(row, 'centroidY'))
    const allInRegion = holds(region, coreOf(this.order.draft.grid, tile))
    const keep = allInRegion ? isWithin : isWithin ? (row: number) => inRegion(row) && isWithin(row) : inRegion
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

  /** What is uncertain of it, in words. */
  doubts(): string[] {
    const parts = { tiles: this.unreadableTiles, of: this.plan.tileCount, reason: this.unreadable[0]?.reason }
    return [
      ...cutWarning(this.cutObjects, this.order.draft.haloPx),
      ...unreadableWarning(parts),
      ...uncertainWarning(this.uncertainTiles, this.plan.tileCount),
      ...tissueWarning(this.hiddenTissue),
    ]
  }

  /** Why it has no area of tissue, which it would have otherwise; null: it has, or never would. */
  private get hiddenTissue(): string | null {
    const { draft, region, areas } = this.order
    if (!this.tissue || !hasTissueFigure(draft) || this.tissue.knows(areas ?? region)) return null
    return this.tissue.unread
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
    const own = new Set(tiles.map(({ x, y }) => keyOf(x, y)))
    const others = touched.filter(({ x, y }) => !own.has(keyOf(x, y)))
    // One of the plan's own has a revision when it has been announced.
    const now = others.filter((other) => !this.plan.has(other) || this.changed.revisionOf(0, other.x, other.y) > 0)
    this.changed.mark([...tiles, ...now])
  }
}

/** Of windows whose values are not certain, however far they see. */
const nothingCertain = (of: RunStatus['certainty']): RunStatus['certainty'] => ({
  ...of,
  certainMegapixels: 0,
  certainAtOnce: 0,
  leftUncertain: of.checkedWindows,
})
