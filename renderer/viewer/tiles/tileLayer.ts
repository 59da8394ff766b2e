// Draws the result tiles of a stack of runs over the slide: newest on top, older ones until the newer have loaded.
import type { RunStatus } from '../../../app/contract'
import {
  containsRegion,
  intersect,
  levelForZoom,
  tileSpan,
  tilesIn,
  visibleBox,
  type TileIndex,
  type View,
} from '../../arithmetic/geometry'
import type { CachedTile, Sized, TileCache } from './tileCache'

/** 'objects', 'density' or 'layer:<id>'. */
export type Plane = string

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The part of a 2D context that the layer draws with: tests give a recorder. */
export interface Surface<B> {
  /** `within`: a run's id; only what lies in the shapes that it ran within. */
  clear(left: number, top: number, width: number, height: number, within: string | null): void
  draw(bitmap: B, source: Box, target: Box, smooth: boolean): void
}

export interface TileLayerOptions<B extends Sized> {
  readonly cache: TileCache<B>
  readonly revision: (runId: string, level: number, x: number, y: number) => number | undefined
  readonly url: (runId: string, plane: Plane, revision: number, level: number, x: number, y: number) => string
}

export interface Drawn {
  /** Tiles on screen. */
  readonly tiles: number
  /** Runs that drew at least one tile of their own. */
  readonly runs: ReadonlySet<string>
  /** Runs of which everything in view that exists has been drawn. */
  readonly complete: ReadonlySet<string>
  /** A newer revision of some tile waits for its time. */
  readonly later: boolean
}

interface Missing {
  readonly key: string
  readonly url: string
  readonly revision: number
}

/** A tile, or what stands in for it, and the part of it that is drawn; in level-0 px. */
interface Painted<B> {
  readonly cached: CachedTile<B>
  readonly whole: Box
  readonly part: Box
  readonly smooth: boolean
  /** The run, where it ran within shapes: it hides what is older in these, and nothing of its neighbours. */
  readonly within: string | null
}

export const tileKey = (runId: string, plane: Plane, tile: TileIndex): string =>
  `${runId}|${plane}|${tile.level}/${tile.x}_${tile.y}`

/** A coarse tile changes with every fine one below it: while its run goes on, it is loaded again at most this often. */
export const reloadMs = 500

/** How far up or down the pyramid a stand-in is looked for. */
const standInLevels = 4

export class TileLayer<B extends Sized> {
  constructor(private readonly options: TileLayerOptions<B>) {}

  /**
   * Draws into a surface whose px are device px of the view's unrotated box; asks the cache for what is missing. What a newer run's
   * tiles hide is neither drawn nor asked for: somebody who tries ten values over one field has ten results there, and sees one.
   */
  draw(surface: Surface<B>, view: View, deviceRatio: number, runs: readonly RunStatus[], plane: Plane): Drawn {
    const box = visibleBox(view)
    const s = view.zoom * deviceRatio
    const missing: Missing[] = []
    const painted: Painted<B>[] = []
    const hidden: Box[] = []
    /** Where a newer run's tile is on its way. */
    const coming: Box[] = []
    const drawnRuns = new Set<string>()
    const complete = new Set<string>()
    let count = 0
    let later = false
    // The newest run is what the user waits for; within a run the order is nearest to the middle first.
    for (const run of runs.toReversed()) {
      const region = intersect(box, run.region)
      if (!region) continue
      const level = levelForZoom(s, run.grid.scale, run.grid.maxLevel)
      const span = tileSpan(run.grid, level)
      const smooth = s * run.grid.scale * 2 ** level < 1
      const within = run.withinPx === undefined ? null : run.runId
      const covers: Box[] = []
      const awaited: Box[] = []
      let absent = 0
      for (const tile of tilesIn(run.grid, level, region)) {
        const revision = this.options.revision(run.runId, level, tile.x, tile.y)
        const whole = { x: tile.x * span, y: tile.y * span, width: span, height: span }
        const part = intersect(whole, run.region)
        const seen = part && intersect(part, box)
        if (revision === undefined) absent++
        if (revision === undefined || !seen || hidden.some((cover) => containsRegion(cover, seen))) continue
        const key = tileKey(run.runId, plane, tile)
        const cached = this.options.cache.get(key)
        if (cached?.revision !== revision && !this.options.cache.isFailed(key, revision)) {
          awaited.push(seen)
          const tooSoon =
            run.state === 'running' && level > 0 && cached !== undefined && performance.now() - cached.loadedAtMs < reloadMs
          if (tooSoon) later = true
          else if (!coming.some((cover) => containsRegion(cover, seen)))
            missing.push({ key, revision, url: this.options.url(run.runId, plane, revision, level, tile.x, tile.y) })
        }
        if (cached) {
          painted.push({ cached, whole, part, smooth, within })
          covers.push(seen)
          drawnRuns.add(run.runId)
          count++
        } else {
          absent++
          painted.push(...this.standIns(run, plane, tile, part, smooth).map((each) => ({ ...each, within })))
        }
      }
      if (awaited.length === 0) complete.add(run.runId)
      if (within !== null) continue
      if (absent === 0) hidden.push(region)
      else hidden.push(...covers)
      coming.push(...awaited)
    }
    for (const each of painted.reverse()) paint({ surface, box, s }, each)
    this.options.cache.want(missing)
    return { tiles: count, runs: drawnRuns, complete, later }
  }

  /** While a tile loads, the same place from a coarser or finer level that is already here. */
  private standIns(run: RunStatus, plane: Plane, tile: TileIndex, part: Box, smooth: boolean): Omit<Painted<B>, 'within'>[] {
    for (let up = 1; up <= standInLevels && tile.level + up <= run.grid.maxLevel; up++) {
      const coarse = { level: tile.level + up, x: Math.floor(tile.x / 2 ** up), y: Math.floor(tile.y / 2 ** up) }
      const cached = this.options.cache.get(tileKey(run.runId, plane, coarse))
      if (!cached) continue
      const span = tileSpan(run.grid, coarse.level)
      return [{ cached, whole: { x: coarse.x * span, y: coarse.y * span, width: span, height: span }, part, smooth }]
    }
    const found: Omit<Painted<B>, 'within'>[] = []
    for (let dy = 0; dy < 2; dy++) {
      for (let dx = 0; dx < 2 && tile.level > 0; dx++) {
        const fine = { level: tile.level - 1, x: tile.x * 2 + dx, y: tile.y * 2 + dy }
        const cached = this.options.cache.get(tileKey(run.runId, plane, fine))
        const span = tileSpan(run.grid, fine.level)
        const whole = { x: fine.x * span, y: fine.y * span, width: span, height: span }
        const finePart = intersect(whole, part)
        if (cached && finePart) found.push({ cached, whole, part: finePart, smooth: true })
      }
    }
    return found
  }
}

function paint<B extends Sized>(
  { surface, box, s }: { surface: Surface<B>; box: Box; s: number },
  { cached, whole, part, smooth, within }: Painted<B>,
): void {
  const target = toDevice(box, s, part)
  if (target.width <= 0 || target.height <= 0) return
  surface.clear(target.x, target.y, target.width, target.height, within)
  if (!cached.bitmap) return
  const perPx = cached.bitmap.width / whole.width
  surface.draw(
    cached.bitmap,
    { x: (part.x - whole.x) * perPx, y: (part.y - whole.y) * perPx, width: part.width * perPx, height: part.height * perPx },
    target,
    smooth,
  )
}

/** Edges are rounded, not sizes: neighbours then share an edge, and no hairline shows between them. */
function toDevice(box: Box, s: number, part: Box): Box {
  const x = Math.round((part.x - box.x) * s)
  const y = Math.round((part.y - box.y) * s)
  return {
    x,
    y,
    width: Math.round((part.x + part.width - box.x) * s) - x,
    height: Math.round((part.y + part.height - box.y) * s) - y,
  }
}
