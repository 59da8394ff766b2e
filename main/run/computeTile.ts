// Computes tiles of an analysis: runs the native window, of one tile or of a block of several, and takes what is each tile's own.
import { createCancelToken, runWindow } from '../../native/index'
import type { CancelToken, ObjectColumns, StageTiming, WindowResult } from '../../native/index'
import { areaOf, contains, intersects, scaled } from '../base/rect'
import type { PixelRect } from '../base/rect'
import type { Analysis } from './analysis'
import { planeKeeper } from './keptPlane'
import type { KeptPlane } from './keptPlane'
import { coreOf, windowOf } from './plan'
import type { Block, Grid, TileIndex, Window } from './plan'
import { TileObjects } from './tileObjects'

export interface UnreadablePart extends PixelRect {
  reason: string
}
export interface TileResult {
  /** Objects whose first pixel lies in the core. */
  readonly owned: TileObjects
  /** Objects of other tiles that reach into the core; null where nobody asked. */
  readonly guests: TileObjects | null
  /** null where nobody asked. */
  readonly planes: readonly KeptPlane[] | null
  /** Level-0 px. */
  readonly unreadable: readonly UnreadablePart[]
  readonly timings: readonly StageTiming[]
}

export interface TileOptions {
  /** Keep the intermediate images and the guests, for looking and clicking. */
  inspect: boolean
  threads: number
  token?: CancelToken | undefined
}

/** One tile in its own window. */
export async function computeTile(analysis: Analysis, tile: TileIndex, options: TileOptions): Promise<TileResult> {
  const alone = { core: coreOf(analysis.grid, tile), tiles: [tile] }
  return (await computeBlock(analysis, alone, options)).tiles[0]!.result
}

/** The tiles of a block, in its order, from one window around its core. What the window took is shared among them by their pixels. */
export async function computeBlock(
  analysis: Analysis,
  block: Block,
  options: TileOptions,
): Promise<{ tiles: { tile: TileIndex; result: TileResult }[]; timings: readonly StageTiming[] }> {
  const { grid } = analysis
  const window = windowOf(grid, block.core, analysis.haloPx)
  const found = await computeWindow(analysis, window, options)
  const { objects } = found
  const { firstX, firstY } = objects.columns
  const cut = cutIn(objects, grid, window)
  const keepPlane = options.inspect ? planeKeeper(objects, window) : null
  const cores = block.tiles.map((tile) => {
    const core = coreOf(grid, tile)
    return { ...core, x: core.x - window.x, y: core.y - window.y }
  })
  const owner = (row: number): number => cores.findIndex((core) => contains(core, firstX[row]!, firstY[row]!))
  const owned = TileObjects.split(objects, window.x, window.y, cores.length, owner, cut)
  const tiles = block.tiles.map((tile, i) => {
    const inWindow = cores[i]!
    const core = coreOf(grid, tile)
    const owns = (row: number): boolean => contains(inWindow, firstX[row]!, firstY[row]!)
    const visits = (row: number): boolean => !owns(row) && meetsCore(objects, row, inWindow)
    const inCore = { ...core, x: core.x - block.core.x, y: core.y - block.core.y }
    const share = areaOf(core) / areaOf(block.core)
    const result = {
      owned: owned[i]!,
      guests: options.inspect ? TileObjects.from(objects, window.x, window.y, visits, cut) : null,
      planes: keepPlane ? found.planes.map((plane) => keepPlane(plane, inCore)) : null,
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
  const onSlide = scaled(coreOf(grid, tile), grid.scale)
  return found.unreadable.filter(({ region }) => intersects(region, onSlide)).map(({ region, reason }) => ({ ...region, reason }))
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
