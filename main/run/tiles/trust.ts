// What of a tile stands on parts of the slide that could not be read: what every question of "is this whole?" asks.
import type { WindowTrust } from '../../../native/index'
import { scaled } from '../../base/rect'
import type { PixelRect } from '../../base/rect'

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
