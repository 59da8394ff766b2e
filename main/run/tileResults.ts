// What was computed of tiles, kept within a budget: by slide, values, kind of window and tile. Computes what is not there.
import { tokenOf } from '../../native/index'
import { ByteCache } from '../base/byteCache'
import { SharedWork } from '../base/sharedWork'
import type { Shared } from '../base/sharedWork'
import type { Analysis } from './analysis'
import { computeBlock } from './computeTile'
import type { BlockResult, TileOptions, TileResult } from './computeTile'
import { coreOf, tilesIn } from './plan'
import type { Block, TileIndex } from './plan'

const cacheBytes = 512 * 1024 * 1024

export class TileResults {
  private readonly cache = new ByteCache<TileResult>(cacheBytes, bytesOf)
  /** Looks and clicks under way: a view asks for several layers and zooms of one tile at once. */
  private readonly looking = new SharedWork<TileResult>()

  /** What was computed in the tile's own window or in a preview's, with what an inspection keeps where that is wanted. */
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
    return known ?? (await this.getPiece(analysis, { core: coreOf(analysis.grid, tile), tiles: [tile] }, options)).tiles[0]!
  }

  /**
   * The tiles of a block, in its order, computed in one window, and what that took. All that the slide has there are kept, asked for or
   * not. Rejects as a whole.
   */
  async getBlock(analysis: Analysis, block: Block, options: Omit<TileOptions, 'inspect'>): Promise<BlockResult> {
    const all = tilesIn(analysis.grid, block)
    const { tiles, ...took } = await computeBlock(analysis, { core: block.core, tiles: all }, { ...options, inspect: false })
    const results = new Map<string, TileResult>()
    tiles.forEach((result, i) => {
      const key = keyOf(analysis, all[i]!, 'block')
      results.set(key, result)
      this.keep(key, result)
    })
    return { tiles: block.tiles.map((tile) => results.get(keyOf(analysis, tile, 'block'))!), ...took }
  }

  /** The same of a preview's piece, or of one tile. Clicks and looks find its tiles as if each had had its own window. */
  async getPiece(analysis: Analysis, piece: Block, options: TileOptions): Promise<BlockResult> {
    const found = await computeBlock(analysis, piece, options)
    piece.tiles.forEach((tile, i) => this.keep(keyOf(analysis, tile), found.tiles[i]!))
    return found
  }

  /** For looking and clicking: with everything kept, computed once however many ask, and stopped when all their signals have aborted. */
  look(analysis: Analysis, tile: TileIndex, threads: number, signal?: AbortSignal): Promise<TileResult> {
    const compute = ({ signal: stop }: Shared): Promise<TileResult> =>
      this.get(analysis, tile, { inspect: true, threads, token: tokenOf(stop) })
    return this.looking.get(keyOf(analysis, tile), compute, signal)
  }

  /** Keeps so many bytes from now on. */
  setBudget(bytes: number): void {
    this.cache.setBudget(bytes)
  }

  forget(slideId: string): void {
    this.cache.deletePrefix(`${slideId}/`)
  }

  private keep(key: string, result: TileResult): void {
    // What could not be read may be readable the next time, e.g. on a network drive.
    if (result.unreadable.length === 0) this.cache.set(key, result)
  }
}

/** An object longer than the halo may depend on the window that it was seen in: a run's windows, which have fixed places, are kept apart. */
function keyOf(analysis: Analysis, tile: TileIndex, window: 'tile' | 'block' = 'tile'): string {
  return `${analysis.key}/${window}/${tile.x}_${tile.y}`
}

function bytesOf(result: TileResult): number {
  const planes = result.planes?.reduce((sum, plane) => sum + plane.data.byteLength, 0) ?? 0
  return result.owned.bytes + (result.guests?.bytes ?? 0) + planes + 500
}
