// What of a tile stands on parts of the slide that could not be read: what every question of "is this whole?" asks.
import type { Certainty, WindowTrust } from '../../../native/index'
import { areaOf, intersection, scaled } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import type { Analysis } from '../analysis/analysis'
import { coreOf, regionOnSlide } from '../plan/plan'
import type { Block, TileIndex } from '../plan/plan'

/** Level-0 px. */
export interface UnreadablePart extends PixelRect {
  reason: string
}
export interface TileTrust {
  /** Parts that the file could not give, with pixels in the tile. */
  readonly unreadable: readonly UnreadablePart[]
  /** What else of the tile such parts could change, wherever they lie. */
  readonly uncertain: readonly UnreadablePart[]
}
/** Of a tile for which everything was read. */
export const wholeTile: TileTrust = { unreadable: [], uncertain: [] }

/** Nothing of it stands on what could not be read: the same window gives the same the next time. */
export const isWhole = ({ unreadable, uncertain }: TileTrust): boolean => unreadable.length === 0 && uncertain.length === 0

/** Of the i-th tile of a window. `scale`: level-0 px per px of the analysed image. */
export function trustOfTile({ parts, tiles }: WindowTrust, i: number, scale: number): TileTrust {
  const tile = tiles[i]
  if (!tile) return wholeTile
  const reason = parts[0]?.reason ?? 'the background of the whole slide stands on parts that could not be read'
  return {
    unreadable: tile.parts.map((part) => ({ ...parts[part]!.region, reason: parts[part]!.reason })),
    uncertain: tile.squares.map((square) => ({
      ...scaled(square, scale),
      reason: `beside a part that could not be read: ${reason}`,
    })),
  }
}

type Looks = Pick<Analysis, 'grid' | 'tissue'>

/** The same where nobody knows whether the tile is one of glass, which holds nothing. */
export function besideGlass({ grid, tissue }: Looks, tile: TileIndex, trust: TileTrust): TileTrust {
  if (!tissue?.isUnknown(tile)) return trust
  const reason = `it may be glass: the slide’s overview could not be read there: ${tissue.unread}`
  return { ...trust, uncertain: [...trust.uncertain, { ...regionOnSlide(grid, coreOf(grid, tile)), reason }] }
}

/** The same of a window: nothing of such a tile is certain. */
export function certaintyBesideGlass(
  { grid, tissue }: Looks,
  { core, tiles }: Block,
  certainty: Certainty | null,
): Certainty | null {
  const unknown = certainty ? tiles.filter((tile) => tissue?.isUnknown(tile)) : []
  if (!certainty || unknown.length === 0) return certainty
  const area = unknown.reduce((sum, tile) => sum + areaOf(intersection(coreOf(grid, tile), core) ?? none), 0)
  return { ...certainty, certified: false, certainPixels: Math.max(0, certainty.certainPixels - area) }
}

const none: PixelRect = { x: 0, y: 0, width: 0, height: 0 }
