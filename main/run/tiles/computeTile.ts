// Computes tiles of an analysis: runs the native window, of one tile or of a block of several, and takes what is each tile's own.
import { createCancelToken, planOf, runWindow } from '../../../native/index'
import type { CancelToken, Certainty, Ground, StageTiming } from '../../../native/index'
import { CancelledError } from '../../base/errors'
import type { Analysis } from '../analysis/analysis'
import { planesOf } from './layerPlane'
import type { LayerPlane } from './layerPlane'
import { grownCore, windowOf } from '../plan/plan'
import type { Block, TileIndex } from '../plan/plan'
import { TileObjects } from '../objects/tileObjects'
import { besideGlass, certaintyBesideGlass, trustOfTile, wholeTile } from './trust'
import type { TileTrust } from './trust'

export interface TileResult {
  /** Objects whose first pixel lies in the core. */
  readonly owned: TileObjects
  /** Objects of other tiles that reach into the core; null where only the own were wanted. */
  readonly overlapping: TileObjects | null
  /** null where nobody looks. */
  readonly planes: readonly LayerPlane[] | null
  readonly trust: TileTrust
}
/** Of a tile without tissue. */
export const emptyTile: TileResult = { owned: TileObjects.empty, overlapping: null, planes: null, trust: wholeTile }
/** What a window took, and how sure its core is. */
export interface WindowTook {
  readonly timings: readonly StageTiming[]
  /** Of the block's core; null where the device or the recipe lets nobody tell. */
  readonly certainty: Certainty | null
  /** Devices among several that failed at it, and why. */
  readonly givenUp?: readonly string[]
  /** Absent where another process computed it. */
  readonly span?: WindowSpan
}
/** When a window was computed, on performance.now's clock. */
export interface WindowSpan {
  readonly from: number
  readonly computedMs: number
  readonly packedMs: number
  /** The tile at its upper left corner, and its tiles. */
  readonly tile: TileIndex
  readonly tiles: number
  readonly device: string
}
export interface BlockResult extends WindowTook {
  /** In the block's order. */
  readonly tiles: readonly TileResult[]
}

/** What is kept of a tile, each with what comes before: its own objects; for a click, overlapping objects of other tiles; for who looks, intermediate images. */
export type Wanted = 'objects' | 'overlapping' | 'planes'
export interface TileOptions {
  wanted: Wanted
  threads: number
  /** Of windows that grow; absent: 1. */
  largerAtOnce?: number | undefined
  token?: CancelToken | undefined
}

/** The tiles of a block from one window around its core; a tile alone is a block too. */
export async function computeBlock(analysis: Analysis, block: Block, options: TileOptions): Promise<BlockResult> {
  const { grid } = analysis
  const found = await computeWindow(analysis, block, options)
  const { computedMs, packedMs, agoMs } = found.span
  const from = performance.now() - agoMs - packedMs - computedMs
  const owned = TileObjects.split(found.objects)
  const overlapping = found.overlapping && TileObjects.split(found.overlapping)
  const tiles = block.tiles.map((tile, i) => {
    return {
      owned: owned[i]!,
      overlapping: overlapping?.[i] ?? null,
      planes: found.tilePlanes && planesOf(found.tilePlanes, i),
      trust: besideGlass(analysis, tile, trustOfTile(found.trust, i, grid.scale)),
    }
  })
  const t = grid.tileSizePx
  const span = {
    from,
    computedMs,
    packedMs,
    tile: { x: Math.floor(block.core.x / t), y: Math.floor(block.core.y / t) },
    tiles: block.tiles.length,
    // Of several, the one that took it: what comes last was computed there.
    device: found.timings.at(-1)?.device ?? analysis.device,
  }
  const certainty = certaintyBesideGlass(analysis, block, found.certainty)
  return { tiles, timings: found.timings, certainty, givenUp: found.givenUp, span }
}

async function computeWindow(analysis: Analysis, block: Block, options: TileOptions) {
  const { grid, slide, spec, params, haloPx, device, cells } = analysis
  const ground = await groundFor(analysis, options)
  return runWindow({
    slide: slide.native,
    scale: grid.scale,
    // What lies around its objects decides their cells: it belongs to what must be certain.
    ...(cells ? grownCore(windowOf(grid, block.core, haloPx), cells.marginPx) : windowOf(grid, block.core, haloPx)),
    cells,
    plan: planOf(spec.pipeline, params),
    ground,
    wantOverlapping: options.wanted !== 'objects',
    wantPlanes: options.wanted === 'planes',
    keepStages: options.wanted !== 'objects',
    grid: { tileSizePx: grid.tileSizePx, widthPx: grid.widthPx, heightPx: grid.heightPx, tiles: block.tiles },
    threads: options.threads,
    largerAtOnce: options.largerAtOnce,
    device,
    cancelToken: options.token ?? createCancelToken(),
  })
}

/** A run has it before its first window; who looks later may have to wait. */
async function groundFor({ ground }: Analysis, { threads, token }: TileOptions): Promise<Ground | null> {
  if (!ground) return null
  const abort = new AbortController()
  const look = (): void => {
    if (token?.cancelled) abort.abort(new CancelledError('nobody waits for this window any more'))
  }
  look()
  const looking = setInterval(look, 100)
  try {
    return await ground.get({ threads, signal: abort.signal })
  } finally {
    clearInterval(looking)
  }
}
