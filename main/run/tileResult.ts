// Tiles of an analysis: runs the native window, of one tile or of several, and keeps what is each tile's own, in the slide's coordinates.
import { createCancelToken, runWindow } from '../../native/index'
import type { CancelToken, ObjectColumns, Plane, StageTiming, WindowResult } from '../../native/index'
import { ByteCache } from '../byteCache'
import { SharedWork, tokenOf } from '../sharedWork'
import type { Shared } from '../sharedWork'
import { colorIndex, palette } from '../overlay/palette'
import type { Analysis } from './analysis'
import { ObjectBlock } from './objectBlock'
import { coreOf, intersects, tilesIn, windowOf } from './plan'
import type { Block, Grid, PixelRect, TileIndex, Window } from './plan'

/** An intermediate image of the core. colored: 0 = background, n = colour n - 1 of the palette. */
export interface KeptPlane {
  readonly name: string
  readonly kind: 'gray' | 'binary' | 'colored'
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
export interface UnreadablePart extends PixelRect {
  reason: string
}
export interface TileResult {
  /** Objects whose first pixel lies in the core. */
  readonly owned: ObjectBlock
  /** Objects of other tiles that reach into the core; null where nobody asked. */
  readonly guests: ObjectBlock | null
  /** null where nobody asked. */
  readonly planes: readonly KeptPlane[] | null
  /** Level-0 px. */
  readonly unreadable: readonly UnreadablePart[]
  readonly timings: readonly StageTiming[]
}

export interface BlockResult {
  readonly tiles: readonly TileResult[]
  /** Of the block's window. */
  readonly timings: readonly StageTiming[]
}

export interface TileOptions {
  /** Keep the intermediate images and the guests, for looking and clicking. */
  inspect: boolean
  threads: number
  token?: CancelToken | undefined
}

const cacheBytes = 512 * 1024 * 1024

export class TileResults {
  private readonly cache = new ByteCache<TileResult>(cacheBytes, bytesOf)
  /** Looks and clicks under way: a view asks for several layers and zooms of one tile at once. */
  private readonly looking = new SharedWork<TileResult>()

  /** What was computed in the tile's own window, with what an inspection keeps where that is wanted. */
  cached(analysis: Analysis, tile: TileIndex, inspect: boolean): TileResult | undefined {
    const result = this.cache.get(keyOf(analysis, tile))
    return result && inspect && !result.planes ? undefined : result
  }

  /** What was computed in the window of the tile's block. */
  cachedOfBlock(analysis: Analysis, tile: TileIndex): TileResult | undefined {
    return this.cache.get(keyOf(analysis, tile, 'block'))
  }

  /** The cached result or a new one. Rejects with the native error; CANCELLED where the token was pulled. */
  async get(analysis: Analysis, tile: TileIndex, options: TileOptions): Promise<TileResult> {
    const known = this.cached(analysis, tile, options.inspect)
    if (known) return known
    const result = await computeTile(analysis, tile, options)
    this.keep(keyOf(analysis, tile), result)
    return result
  }

  /**
   * The tiles of a block, in its order, computed in one window, and what that took; each tile has its share of it by its pixels. Tiles that
   * were not asked for are kept too. Without what an inspection keeps. Rejects as a whole.
   */
  async getBlock(analysis: Analysis, block: Block, options: Omit<TileOptions, 'inspect'>): Promise<BlockResult> {
    const { tiles, timings } = await computeBlock(analysis, block, options)
    const results = new Map<string, TileResult>()
    for (const { tile, result } of tiles) {
      const key = keyOf(analysis, tile, 'block')
      results.set(key, result)
      this.keep(key, result)
    }
    return { tiles: block.tiles.map((tile) => results.get(keyOf(analysis, tile, 'block'))!), timings }
  }

  /** For looking and clicking: with everything kept, computed once however many ask, and stopped when all their signals have aborted. */
  look(analysis: Analysis, tile: TileIndex, threads: number, signal?: AbortSignal): Promise<TileResult> {
    const compute = ({ signal: stop }: Shared): Promise<TileResult> =>
      this.get(analysis, tile, { inspect: true, threads, token: tokenOf(stop) })
    return this.looking.get(keyOf(analysis, tile), compute, signal)
  }

  forget(slideId: string): void {
    this.cache.deletePrefix(`${slideId}/`)
  }

  private keep(key: string, result: TileResult): void {
    // What could not be read may be readable the next time, e.g. on a network drive.
    if (result.unreadable.length === 0) this.cache.set(key, result)
  }
}

/** An object longer than the halo may depend on the window that it was seen in, so the two kinds of windows are kept apart. */
function keyOf(analysis: Analysis, tile: TileIndex, window: 'tile' | 'block' = 'tile'): string {
  return `${analysis.key}/${window}/${tile.x}_${tile.y}`
}

function bytesOf(result: TileResult): number {
  const planes = result.planes?.reduce((sum, plane) => sum + plane.data.byteLength, 0) ?? 0
  return result.owned.bytes + (result.guests?.bytes ?? 0) + planes + 500
}

async function computeTile(analysis: Analysis, tile: TileIndex, options: TileOptions): Promise<TileResult> {
  const window = windowOf(analysis.grid, coreOf(analysis.grid, tile), analysis.haloPx)
  const found = await computeWindow(analysis, window, options)
  const { columns } = found.objects
  const owns = (row: number): boolean => inCore(window.core, columns.firstX[row]!, columns.firstY[row]!)
  const cut = cutIn(found.objects, analysis.grid, window)
  const visits = (row: number): boolean => !owns(row) && meetsCore(found.objects, row, window.core)
  return {
    owned: ObjectBlock.from(found.objects, window.x, window.y, owns, cut),
    guests: options.inspect ? ObjectBlock.from(found.objects, window.x, window.y, visits, cut) : null,
    planes: options.inspect ? found.planes.map((plane) => keepPlane(plane, found.objects, window)) : null,
    unreadable: unreadableIn(found, analysis, tile),
    timings: found.timings,
  }
}

async function computeBlock(
  analysis: Analysis,
  block: Block,
  options: Omit<TileOptions, 'inspect'>,
): Promise<{ tiles: { tile: TileIndex; result: TileResult }[]; timings: readonly StageTiming[] }> {
  const { grid } = analysis
  const window = windowOf(grid, block.core, analysis.haloPx)
  const found = await computeWindow(analysis, window, { ...options, inspect: false })
  const { firstX, firstY } = found.objects.columns
  const cut = cutIn(found.objects, grid, window)
  const tiles = tilesIn(grid, block).map((tile) => {
    const core = coreOf(grid, tile)
    const inWindow = { ...core, x: core.x - window.x, y: core.y - window.y }
    const owns = (row: number): boolean => inCore(inWindow, firstX[row]!, firstY[row]!)
    const share = (core.width * core.height) / (block.core.width * block.core.height)
    const result = {
      owned: ObjectBlock.from(found.objects, window.x, window.y, owns, cut),
      guests: null,
      planes: null,
      unreadable: unreadableIn(found, analysis, tile),
      timings: found.timings.map((timing) => ({ ...timing, ms: timing.ms * share, pixels: timing.pixels * share })),
    }
    return { tile, result }
  })
  return { tiles, timings: found.timings }
}

function computeWindow(analysis: Analysis, window: Window, options: TileOptions): Promise<WindowResult> {
  const { grid, slide, spec, params } = analysis
  return runWindow({
    slide: slide.native,
    scale: grid.scale,
    x: window.x,
    y: window.y,
    width: window.width,
    height: window.height,
    core: window.core,
    pipeline: spec.pipeline,
    params,
    wantPlanes: options.inspect,
    threads: options.threads,
    device: analysis.device,
    cancelToken: options.token ?? createCancelToken(),
  })
}

/** The parts of a window that could not be read and that the tile's core has a share in. */
function unreadableIn(found: WindowResult, { grid }: Analysis, tile: TileIndex): UnreadablePart[] {
  const core = coreOf(grid, tile)
  const onSlide = {
    x: core.x * grid.scale,
    y: core.y * grid.scale,
    width: core.width * grid.scale,
    height: core.height * grid.scale,
  }
  return found.unreadable.filter(({ region }) => intersects(region, onSlide)).map(({ region, reason }) => ({ ...region, reason }))
}

function inCore(core: PixelRect, x: number, y: number): boolean {
  return x >= core.x && y >= core.y && x < core.x + core.width && y < core.y + core.height
}

/** By row: does the object touch the window's rim where the slide goes on beyond it? */
function cutIn({ columns }: ObjectColumns, grid: Grid, window: Window): (row: number) => boolean {
  const { minX, minY, maxX, maxY } = columns
  const right = window.x + window.width < grid.widthPx ? window.width - 1 : Infinity
  const bottom = window.y + window.height < grid.heightPx ? window.height - 1 : Infinity
  return (row) =>
    (window.x > 0 && minX[row]! <= 0) || (window.y > 0 && minY[row]! <= 0) || maxX[row]! >= right || maxY[row]! >= bottom
}

function meetsCore(objects: ObjectColumns, row: number, core: PixelRect): boolean {
  const { minX, minY, maxX, maxY } = objects.columns
  return intersects(core, {
    x: minX[row]!,
    y: minY[row]!,
    width: maxX[row]! - minX[row]! + 1,
    height: maxY[row]! - minY[row]! + 1,
  })
}

/** Labels become colours: of the object's first pixel where there is one, so that they match across tiles. */
function keepPlane(plane: Plane, objects: ObjectColumns, window: Window): KeptPlane {
  const { name, width, height } = plane
  if (plane.kind !== 'labels') return { name, kind: plane.kind, width, height, data: plane.data }
  const colors = new Map<number, number>()
  for (let row = 0; row < objects.count; row++) {
    const { label, firstX, firstY } = objects.columns
    colors.set(label[row]!, 1 + colorIndex(window.x + firstX[row]!, window.y + firstY[row]!))
  }
  const data = new Uint8Array(width * height)
  for (let i = 0; i < data.length; i++) {
    const label = plane.data[i]!
    if (label !== 0) data[i] = colors.get(label) ?? 1 + (label % palette.length)
  }
  return { name, kind: 'colored', width, height, data }
}
