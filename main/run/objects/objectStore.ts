// The objects of a run as they come in, found by place and listed in raster order.
import { finished } from '../../base/breather'
import type { PixelRect } from '../../base/rect'
import type { Box } from '../../base/shapes'
import { AwayBatches } from './awayBatches'
import { eachShownTile, keyOf, MadeObjects, tileOf } from './madeObjects'
import { marksById } from './marks'
import type { Marks, RankedMarks } from './marks'
import { ObjectList } from './objectList'
import { batchRows, PackedObjects } from './packedObjects'
import type { Grid, TileIndex } from '../plan/plan'
import { rasterOrder } from './rasterOrder'
import type { RunObject } from './runObject'
import { centroidsOf } from './centroids'
import type { VisitCentroid } from './centroids'
import type { TileObjects } from './tileObjects'

/** An object's place in the list of all and in the tiles that it touches, beside its columns (measured). */
const bytesPerEntry = 16

/** The objects of a tile, and which of them are meant, by their rows; null: all. */
export interface TileRows {
  readonly objects: TileObjects
  readonly keep: ((row: number) => boolean) | null
}

/**
 * An object's id is its place in the order in which objects came in: it stays while more come. Tiles per grid level that an object touches are
 * few: a map from tile to ids answers every question of place.
 */
export class ObjectStore {
  private readonly grid: Grid
  private readonly batches: PackedObjects[] = []
  /** Ids of the objects that touch a tile: first, end, first, end, … */
  private readonly byTile = new Map<number, number[]>()
  private sorted: ObjectList | undefined
  private standing: ObjectList | undefined
  private marks_: Marks | null = null
  /** What people made of objects, in batches that follow the others by their places. */
  private made: MadeObjects
  /** Tiles in which others were made since `mark`. */
  private readonly remade = new Map<number, TileIndex>()
  private count_ = 0
  /** Of all batches but the last. */
  private fullBytes = 0
  private mostBytes: number
  private readonly away: AwayBatches
  /** Batches that were put away: those before. */
  private awayCount = 0
  /** Of each of these where its objects begin: to list them all, none is read back. */
  private readonly firsts: Readonly<Record<'firstX' | 'firstY', Uint32Array>>[] = []

  /** `mostBytes`: of full batches in memory; what is more lies in a file in `folder`, of which as much again may be in memory while it is read. */
  constructor(grid: Grid, mostBytes = Infinity, folder?: string) {
    this.grid = grid
    this.mostBytes = mostBytes
    this.away = new AwayBatches(mostBytes, folder)
    this.made = new MadeObjects([], 0, grid.tileSizePx)
  }

  /** Of those that were found. */
  get count(): number {
    return this.count_
  }

  /** Without those that were deleted, with those that were made. */
  get standingCount(): number {
    return this.count_ + this.made.count - (this.marks_?.deletedCount ?? 0)
  }

  /** Of those that were made. */
  get standingMade(): number {
    let n = 0
    for (const id of this.made.ids()) if (!this.isDeleted(id)) n++
    return n
  }

  /** Above every id. */
  get endOfIds(): number {
    return this.made.count === 0 ? this.count_ : this.made.firstId + this.made.count
  }

  /**
   * What people made of objects, in place of what they had: it stands behind all that were found. Of those that stay the same the tiles do not
   * change; `mark` is to be called next, and tells of the others'. No object may come in from then on.
   */
  setMade(objects: readonly PackedObjects[]): void {
    const before = this.made
    this.made = new MadeObjects(objects, this.batches.length, this.grid.tileSizePx)
    this.made.eachTileOfOthers(before, (key, tile) => this.remade.set(key, tile))
    this.sorted = undefined
    this.standing = undefined
  }

  /** What was done to them; null: nothing. */
  get marks(): Marks | null {
    return this.marks_
  }

  /** Gives the grid tiles that look otherwise now. No object may come in from then on. O(objects). */
  mark(ranked: RankedMarks | null): TileIndex[] {
    const before = this.marks_
    this.marks_ = ranked && marksById(ranked, this.all().ids, this.endOfIds)
    this.standing = undefined
    const [was, is] = [looks(before), looks(this.marks_)]
    const tiles = new Map(this.remade)
    this.remade.clear()
    // By tile, each up to the first that looks otherwise: a rule changes all of a million objects.
    for (const [key, ranges] of this.byTile) if (!tiles.has(key) && changes(ranges, was, is)) tiles.set(key, tileOf(key))
    for (const id of this.made.ids())
      if (was(id) !== is(id))
        eachShownTile(this.batchOf(id), id % batchRows, this.grid.tileSizePx, (key, tile) => tiles.set(key, tile))
    return [...tiles.values()]
  }

  /** No object comes in any more: the room for more goes back. */
  trim(): void {
    this.batches.at(-1)?.trim()
  }

  /** About what it holds. */
  get bytes(): number {
    return this.fullBytes + (this.batches.at(-1)?.bytes ?? 0) + this.count_ * bytesPerEntry + this.awayBytes + this.made.bytes
  }

  private get awayBytes(): number {
    return 2 * Uint32Array.BYTES_PER_ELEMENT * batchRows * this.awayCount
  }

  /** Gives the grid tiles that what it takes touches. O(tiles and objects that reach beyond their tile): columns are copied as they are. */
  add(tiles: readonly TileRows[]): TileIndex[] {
    const touched = new Map<number, TileIndex>()
    // Rows side by side, of one window as a rule, which are copied at once.
    let ahead = { packed: emptyRows, start: 0, end: 0 }
    let id = this.count_
    for (const { objects, keep } of tiles) {
      for (const [first, last] of rangesOf(objects.count, keep)) {
        this.enterRows(objects, first, last, id, touched)
        id += last - first
        const start = objects.start + first
        if (objects.packed !== ahead.packed || start !== ahead.end) {
          this.take(ahead.packed, ahead.start, ahead.end)
          ahead = { packed: objects.packed, start, end: start }
        }
        ahead.end = objects.start + last
      }
    }
    this.take(ahead.packed, ahead.start, ahead.end)
    this.sorted = undefined
    return [...touched.values()]
  }

  /** The object that holds a pixel; `id` is its number, its place in raster order, 1-based. */
  at(x: number, y: number): { object: RunObject; id: number } | null {
    const t = this.grid.tileSizePx
    for (const id of this.idsIn(keyOf(Math.floor(x / t), Math.floor(y / t)))) {
      const batch = this.batchOf(id)
      if (this.isDeleted(id) || !batch.holds(id % batchRows, x, y)) continue
      const object = batch.object(id % batchRows)
      return { object, id: this.numberOf(object, id) }
    }
    return null
  }

  /** Every object whose bounding box meets the rectangle, once, in raster order of first pixels. `asFound`: whatever was deleted or made. */
  inRect(rect: PixelRect, asFound = false): RunObject[] {
    const t = this.grid.tileSizePx
    const found: { order: number; object: RunObject }[] = []
    const left = Math.floor(rect.x / t)
    const top = Math.floor(rect.y / t)
    for (let y = top; y <= Math.floor((rect.y + rect.height - 1) / t); y++) {
      for (let x = left; x <= Math.floor((rect.x + rect.width - 1) / t); x++) {
        for (const id of this.idsIn(keyOf(x, y))) {
          const batch = this.batchOf(id)
          const row = id % batchRows
          const minX = batch.value(row, 'minX')
          const minY = batch.value(row, 'minY')
          if (asFound ? this.isMade(id) : this.isDeleted(id)) continue
          if (batch.value(row, 'maxX') < rect.x || minX >= rect.x + rect.width) continue
          if (batch.value(row, 'maxY') < rect.y || minY >= rect.y + rect.height) continue
          // Of the tiles that it touches, the first that is looked at has it.
          if (x !== Math.max(left, Math.floor(minX / t)) || y !== Math.max(top, Math.floor(minY / t))) continue
          found.push({ order: keyOf(batch.value(row, 'firstX'), minY), object: batch.object(row) })
        }
      }
    }
    return found.sort((a, b) => a.order - b.order).map(({ object }) => object)
  }

  /** The first pixels that lie in the rectangle, each once. O(objects that touch its tiles). */
  forEachFirstPixel(rect: PixelRect, each: (x: number, y: number, id: number) => void): void {
    const t = this.grid.tileSizePx
    const tile = (at: number): number => Math.floor(at / t)
    const last = {
      x: tile(Math.min(rect.x + rect.width, this.grid.widthPx) - 1),
      y: tile(Math.min(rect.y + rect.height, this.grid.heightPx) - 1),
    }
    for (let ty = Math.max(0, tile(rect.y)); ty <= last.y; ty++) {
      for (let tx = Math.max(0, tile(rect.x)); tx <= last.x; tx++) {
        for (const id of this.idsIn(keyOf(tx, ty))) {
          if (this.isDeleted(id)) continue
          const batch = this.batchOf(id)
          const row = id % batchRows
          const x = batch.value(row, 'firstX')
          const y = batch.value(row, 'firstY')
          // It is listed in every tile that it touches.
          if (tile(x) !== tx || tile(y) !== ty) continue
          if (x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height) each(x, y, id)
        }
      }
    }
  }

  /** Each object's centroid, its row and its id, in the order in which they came in, without those that were deleted: in steps. */
  centroids(visit: VisitCentroid): Generator<Box, void, void> {
    return centroidsOf([...this.batches, ...this.made.batches], (id) => this.isDeleted(id), visit)
  }

  /** Tile by tile, each once: the objects whose first pixels lie in it, as ids [first, end). Tiles without any are not among them. */
  *owned(): Generator<{ tile: TileIndex; first: number; end: number }> {
    const t = this.grid.tileSizePx
    const ownOf = (id: number): TileIndex => {
      const batch = this.batchOf(id)
      return {
        x: Math.floor(batch.value(id % batchRows, 'firstX') / t),
        y: Math.floor(batch.value(id % batchRows, 'firstY') / t),
      }
    }
    for (let first = 0; first < this.count_;) {
      const tile = ownOf(first)
      let end = first + 1
      for (let next; end < this.count_; end++) if ((next = ownOf(end)).x !== tile.x || next.y !== tile.y) break
      yield { tile, first, end }
      first = end
    }
  }

  /** Copies the objects of ids [first, end) behind those of `to`. */
  copyTo(to: PackedObjects, first: number, end: number): void {
    for (let id = first; id < end;) {
      const row = id % batchRows
      const rows = Math.min(end - id, batchRows - row)
      to.addRows(this.batchOf(id), row, row + rows)
      id += rows
    }
  }

  /** Without those that were deleted, which leave gaps in the numbers of the others. */
  left(): ObjectList {
    const deleted = this.marks_?.deleted
    return deleted ? (this.standing ??= this.all().without(deleted)) : this.all()
  }

  /** In raster order of their first pixels, deleted or not; made ones behind them. The list is kept until the next object comes in. */
  all(): ObjectList {
    this.sorted ??= this.listed()
    return this.sorted
  }

  /** The list of all is made in small steps, for who asks for it next. */
  *sorting(): Generator<void, void, void> {
    const { count_: count } = this
    const found = this.sorted ? null : yield* this.inRasterOrder()
    if (found && count === this.count_) this.sorted ??= this.listed(found)
  }

  private listed(found = finished(this.inRasterOrder())): ObjectList {
    if (this.made.count === 0) return new ObjectList([...this.batches], found)
    const ids = new Uint32Array(found.length + this.made.count)
    ids.set(found)
    ids.set([...this.made.ids()], found.length)
    return new ObjectList([...this.batches, ...this.made.batches], ids, null, found.length)
  }

  /** Copies the rows [start, end) into the batches. */
  private take(from: PackedObjects, start: number, end: number): void {
    while (start < end) {
      let last = this.batches.at(-1)
      if (!last || last.count === batchRows) {
        if (last) this.fill(last)
        // Most runs are previews of a few tiles.
        last = new PackedObjects(this.batches.length === 0 ? end - start : batchRows)
        last.place = this.batches.length
        this.batches.push(last)
      }
      const rows = Math.min(end - start, batchRows - last.count)
      last.addRows(from, start, start + rows)
      this.count_ += rows
      start += rows
    }
  }

  /** No row comes to it any more. */
  private fill(batch: PackedObjects): void {
    batch.trim()
    this.fullBytes += batch.bytes
    while (this.fullBytes > this.mostBytes && this.awayCount < this.batches.length) {
      const oldest = this.batches[this.awayCount]!
      this.fullBytes -= oldest.bytes
      try {
        const firsts = { firstX: new Uint32Array(oldest.count), firstY: new Uint32Array(oldest.count) }
        oldest.copyValues('firstX', firsts.firstX)
        oldest.copyValues('firstY', firsts.firstY)
        oldest.putAway(this.away)
        this.firsts.push(firsts)
        this.awayCount += 1
      } catch {
        // A disk that is full: more memory than was meant is better than no result.
        this.mostBytes = Infinity
      }
      this.fullBytes += oldest.bytes
    }
  }

  /** The rows [first, last), from id `id` on: all in the tile that holds the first pixel of one, those that reach beyond it in others too. */
  private enterRows(objects: TileObjects, first: number, last: number, id: number, touched: Map<number, TileIndex>): void {
    const t = this.grid.tileSizePx
    const own = { x: Math.floor(objects.value(first, 'firstX') / t), y: Math.floor(objects.value(first, 'firstY') / t) }
    this.enter(own, id, id + last - first, touched)
    objects.forEachCrossing(first, last, (row, tile) => this.enter(tile, id + row - first, id + row - first + 1, touched))
  }

  private enter(tile: TileIndex, id: number, end: number, touched: Map<number, TileIndex>): void {
    const key = keyOf(tile.x, tile.y)
    if (!touched.has(key)) touched.set(key, tile)
    const ranges = this.byTile.get(key)
    if (!ranges) this.byTile.set(key, [id, end])
    else if (ranges[ranges.length - 1] === id) ranges[ranges.length - 1] = end
    else ranges.push(id, end)
  }

  private batchOf(id: number): PackedObjects {
    const place = Math.floor(id / batchRows)
    return this.batches[place] ?? this.made.batches[place - this.batches.length]!
  }

  private isMade(id: number): boolean {
    return this.made.count > 0 && id >= this.made.firstId
  }

  private isDeleted(id: number): boolean {
    return this.marks_?.deleted?.[id] === 1
  }

  private *idsIn(key: number): Iterable<number> {
    const ranges = this.byTile.get(key) ?? []
    for (let r = 0; r < ranges.length; r += 2) for (let id = ranges[r]!; id < ranges[r + 1]!; id++) yield id
    yield* this.made.in(key)
  }

  private inRasterOrder(): ReturnType<typeof rasterOrder> {
    return rasterOrder(this.count_, this.batches, this.firsts)
  }

  /** Counting is enough for one object: a click on a running slide must not sort a million. */
  private numberOf(object: RunObject, id: number): number {
    if (this.isMade(id)) return this.count_ + (id - this.made.firstId) + 1
    const own = keyOf(object.firstX, object.firstY)
    let before = 0
    for (const batch of this.batches)
      for (let row = 0; row < batch.count; row++)
        if (keyOf(batch.value(row, 'firstX'), batch.value(row, 'firstY')) < own) before += 1
    return before + 1
  }
}

/** How an object is painted, as a number or text that is the same where it looks the same: by id. */
function looks(marks: Marks | null): (id: number) => number | string {
  const { deleted, classAt } = marks ?? {}
  const colours = marks?.classes.map(({ color }) => color.join()) ?? []
  return (id) => (deleted?.[id] === 1 ? -1 : classAt ? (colours[classAt[id]!] ?? '') : 0)
}

/** Does any id of [first, end), [first, end), … look otherwise? */
function changes(ranges: readonly number[], was: (id: number) => unknown, is: (id: number) => unknown): boolean {
  for (let r = 0; r < ranges.length; r += 2)
    for (let id = ranges[r]!; id < ranges[r + 1]!; id++) if (was(id) !== is(id)) return true
  return false
}

const emptyRows = new PackedObjects(0)

/** [first, last) of the rows that are kept, one after the other. */
function* rangesOf(count: number, keep: ((row: number) => boolean) | null): Generator<[number, number]> {
  if (!keep) {
    if (count > 0) yield [0, count]
    return
  }
  for (let row = 0; row < count; row++) {
    const first = row
    while (row < count && keep(row)) row++
    if (row > first) yield [first, row]
  }
}
