// What was computed of tiles, kept within a budget: by slide, values, kind of window and tile. Computes what is not there.
import { tokenOf } from '../../../native/index'
import { ByteCache } from '../../base/byteCache'
import { SharedWork } from '../../base/sharedWork'
import type { PixelRect } from '../../base/rect'
import type { Shared } from '../../base/sharedWork'
import type { Analysis } from '../analysis/analysis'
import { computeBlock } from './computeTile'
import type { BlockResult, TileOptions, TileResult, Wanted } from './computeTile'
import { cachesOf } from '../analysis/memory'
import { coreOf, tilesIn } from '../plan/plan'
import type { Block, RunBlock, TileIndex } from '../plan/plan'
import { isWhole } from './trust'

export type BlockOptions = Omit<TileOptions, 'wanted'>

/** Until a run says what there is room for. */
const first = cachesOf(Infinity)

export class TileResults {
  private readonly plain = new ByteCache<TileResult>(first.results, bytesOf)
  /** With intermediate images: some twenty times the bytes, and few are looked at. */
  private readonly looks = new ByteCache<TileResult>(first.looks, bytesOf)
  /** Looks and clicks under way: a view asks for several layers and zooms of one tile at once. */
  private readonly looking = new SharedWork<TileResult>()

  /** What was computed in the tile's own window or in a preview's, with all that is wanted. None of a tile that may be glass (`besideGlass`). */
  cached(analysis: Analysis, tile: TileIndex, wanted: Wanted): TileResult | undefined {
    if (analysis.tissue?.isUnknown(tile)) return undefined
    const key = keyOf(analysis, tile)
    const looked = this.looks.get(key)
    if (looked || wanted === 'planes') return looked
    const plain = this.plain.get(key)
    return plain && wanted === 'overlapping' && !plain.overlapping ? undefined : plain
  }

  /** What was computed in the window of the tile's block. */
  cachedOfBlock(analysis: Analysis, tile: TileIndex): TileResult | undefined {
    return analysis.tissue?.isUnknown(tile) ? undefined : this.plain.get(keyOf(analysis, tile, 'block'))
  }

  /** The cached result or a new one. Rejects with the native error; CANCELLED where the token was pulled. */
  async get(analysis: Analysis, tile: TileIndex, options: TileOptions): Promise<TileResult> {
    const known = this.cached(analysis, tile, options.wanted)
    return known ?? (await this.getPiece(analysis, { core: coreOf(analysis.grid, tile), tiles: [tile] }, options)).tiles[0]!
  }

  /**
   * The tiles of a block, in its order, computed in one window, and what that took. All that the slide has in its core are kept, asked for or
   * not. What is not certain there depends on the window: the block's whole square is computed then, as in every other region. Rejects as a
   * whole.
   */
  async getBlock(analysis: Analysis, block: RunBlock, options: BlockOptions): Promise<BlockResult> {
    const { core, square } = block
    let found = await this.allIn(analysis, core, options)
    const isWhole = core.width === square.width && core.height === square.height
    if (!isWhole && !found.took.certainty?.certified) {
      const whole = await this.allIn(analysis, square, options)
      const timings = [...found.took.timings, ...whole.took.timings]
      found = { ...whole, took: { ...whole.took, timings } }
    }
    for (const [key, result] of found.results) this.keep(key, result)
    return { tiles: block.tiles.map((tile) => found.results.get(keyOf(analysis, tile, 'block'))!), ...found.took }
  }

  private async allIn(analysis: Analysis, core: PixelRect, options: BlockOptions) {
    const all = tilesIn(analysis.grid, core)
    const { tiles, ...took } = await computeBlock(analysis, { core, tiles: all }, { ...options, wanted: 'objects' })
    return { results: new Map(tiles.map((result, i) => [keyOf(analysis, all[i]!, 'block'), result])), took }
  }

  /** The same of a preview's piece, or of one tile. Clicks and looks find its tiles as if each had had its own window. */
  async getPiece(analysis: Analysis, piece: Block, options: TileOptions): Promise<BlockResult> {
    const found = await computeBlock(analysis, piece, options)
    piece.tiles.forEach((tile, i) => this.keep(keyOf(analysis, tile), found.tiles[i]!))
    return found
  }

  /** For a click, or for who looks: computed once however many ask, and stopped when all their signals have aborted. */
  look(
    analysis: Analysis,
    tile: TileIndex,
    { wanted, threads }: Pick<TileOptions, 'wanted' | 'threads'>,
    signal?: AbortSignal,
  ): Promise<TileResult> {
    const compute = ({ signal: stop }: Shared): Promise<TileResult> =>
      this.get(analysis, tile, { wanted, threads, token: tokenOf(stop) })
    return this.looking.get(`${keyOf(analysis, tile)}/${wanted}`, compute, signal)
  }

  /** Keeps so many bytes from now on: of results, and of those with intermediate images. */
  setBudget({ results, looks }: { readonly results: number; readonly looks: number }): void {
    this.plain.setBudget(results)
    this.looks.setBudget(looks)
  }

  forget(slideId: string): void {
    this.plain.deletePrefix(`${slideId}/`)
    this.looks.deletePrefix(`${slideId}/`)
  }

  private keep(key: string, result: TileResult): void {
    // What could not be read may be readable the next time, e.g. on a network drive.
    if (!isWhole(result.trust)) return
    if (result.planes) this.looks.set(key, result)
    else this.plain.set(key, result)
  }
}

/** An object longer than the halo may depend on the window that it was seen in: a run's windows, which have fixed places, are kept apart. */
function keyOf(analysis: Analysis, tile: TileIndex, window: 'tile' | 'block' = 'tile'): string {
  return `${analysis.key}/${window}/${tile.x}_${tile.y}`
}

function bytesOf(result: TileResult): number {
  const planes = result.planes?.reduce((sum, plane) => sum + plane.data.byteLength, 0) ?? 0
  return result.owned.bytes + (result.overlapping?.bytes ?? 0) + planes + 500
}
