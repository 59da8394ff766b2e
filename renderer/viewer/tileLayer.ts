// Draws the result tiles of a stack of runs over the slide: newest on top, older ones until the newer have loaded.
import type { RunStatus } from '../../app/contract'
import { intersect, levelForZoom, tileSpan, tilesIn, visibleBox, type TileIndex, type View } from '../arithmetic/geometry'
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
  clear(left: number, top: number, width: number, height: number): void
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

export const tileKey = (runId: string, plane: Plane, tile: TileIndex): string =>
  `${runId}|${plane}|${tile.level}/${tile.x}_${tile.y}`

/** A coarse tile changes with every fine one below it: while its run goes on, it is loaded again at most this often. */
export const reloadMs = 500

/** How far up or down the pyramid a stand-in is looked for. */
const standInLevels = 4

export class TileLayer<B extends Sized> {
  constructor(private readonly options: TileLayerOptions<B>) {}

  /** Draws into a surface whose px are device px of the view's unrotated box; asks the cache for what is missing. */
  draw(surface: Surface<B>, view: View, deviceRatio: number, runs: readonly RunStatus[], plane: Plane): Drawn {
    const box = visibleBox(view)
    const s = view.zoom * deviceRatio
    const missing: { key: string; url: string; revision: number }[] = []
    const drawnRuns = new Set<string>()
    const complete = new Set<string>()
    let count = 0
    let later = false
    for (const run of runs) {
      const region = intersect(box, run.region)
      if (!region) continue
      const level = levelForZoom(s, run.grid.scale, run.grid.maxLevel)
      const span = tileSpan(run.grid, level)
      let waiting = 0
      for (const tile of tilesIn(run.grid, level, region)) {
        const revision = this.options.revision(run.runId, level, tile.x, tile.y)
        if (revision === undefined) continue
        const key = tileKey(run.runId, plane, tile)
        const cached = this.options.cache.get(key)
        if (cached?.revision !== revision && !this.options.cache.isFailed(key, revision)) {
          waiting++
          const tooSoon =
            run.state === 'running' && level > 0 && cached !== undefined && performance.now() - cached.loadedAtMs < reloadMs
          if (tooSoon) later = true
          else missing.push({ key, revision, url: this.options.url(run.runId, plane, revision, level, tile.x, tile.y) })
        }
        const whole = { x: tile.x * span, y: tile.y * span, width: span, height: span }
        const part = intersect(whole, run.region)
        if (!part) continue
        const place = { surface, box, s, smooth: s * run.grid.scale * 2 ** level < 1 }
        if (cached) {
          this.paint(place, cached, whole, part)
          drawnRuns.add(run.runId)
          count++
        } else this.standIn(place, run, plane, tile, part)
      }
      if (waiting === 0) complete.add(run.runId)
    }
    // The newest run is what the user waits for; within a run the order is nearest to the middle first.
    this.options.cache.want(missing.sort((a, b) => order(runs, b.key) - order(runs, a.key)))
    return { tiles: count, runs: drawnRuns, complete, later }
  }

  private paint(
    place: { surface: Surface<B>; box: Box; s: number; smooth: boolean },
    cached: CachedTile<B>,
    whole: Box,
    part: Box,
  ): void {
    const target = toDevice(place.box, place.s, part)
    if (target.width <= 0 || target.height <= 0) return
    place.surface.clear(target.x, target.y, target.width, target.height)
    if (!cached.bitmap) return
    const perPx = cached.bitmap.width / whole.width
    place.surface.draw(
      cached.bitmap,
      { x: (part.x - whole.x) * perPx, y: (part.y - whole.y) * perPx, width: part.width * perPx, height: part.height * perPx },
      target,
      place.smooth,
    )
  }

  /** While a tile loads, the same place from a coarser or finer level that is already here. */
  private standIn(
    place: { surface: Surface<B>; box: Box; s: number; smooth: boolean },
    run: RunStatus,
    plane: Plane,
    tile: TileIndex,
    part: Box,
  ): void {
    for (let up = 1; up <= standInLevels && tile.level + up <= run.grid.maxLevel; up++) {
      const coarse = { level: tile.level + up, x: Math.floor(tile.x / 2 ** up), y: Math.floor(tile.y / 2 ** up) }
      const cached = this.options.cache.get(tileKey(run.runId, plane, coarse))
      if (!cached) continue
      const span = tileSpan(run.grid, coarse.level)
      return this.paint(place, cached, { x: coarse.x * span, y: coarse.y * span, width: span, height: span }, part)
    }
    for (let dy = 0; dy < 2; dy++) {
      for (let dx = 0; dx < 2 && tile.level > 0; dx++) {
        const fine = { level: tile.level - 1, x: tile.x * 2 + dx, y: tile.y * 2 + dy }
        const cached = this.options.cache.get(tileKey(run.runId, plane, fine))
        const span = tileSpan(run.grid, fine.level)
        const whole = { x: fine.x * span, y: fine.y * span, width: span, height: span }
        const finePart = intersect(whole, part)
        if (cached && finePart) this.paint({ ...place, smooth: true }, cached, whole, finePart)
      }
    }
  }
}

const order = (runs: readonly RunStatus[], key: string): number => runs.findIndex((run) => key.startsWith(`${run.runId}|`))

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
