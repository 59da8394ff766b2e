// Cuts the tiles of a preview into few windows, chosen by what they cost: each tile in its own reads and computes its halo again.
import { areaOf } from '../../base/rect'
import { around, coreOf } from './plan'
import type { Block, Grid, TileIndex } from './plan'

/** Tiles of a preview that one window computes, and on how many threads. */
export interface Piece extends Block {
  readonly threads: number
}

/** Some 0.4 s of a thread, so that a large field comes piece by piece and holds no more than a run's windows do. */
const maxWindowPixels = 5_000_000
/** What so many threads inside of one window are worth, a tenth of whose work is one thread's (measured on two cores: 1.8 to 1.9). */
const speedOf = (threads: number): number => threads / (1 + 0.1 * (threads - 1))
/** Beyond so many times a tile's window the first answer would be late: the tile at the focus is computed alone before the others. */
const lateFactor = 3

const threadsFor = (workers: number, windows: number): number => Math.max(1, Math.floor(workers / windows))

export interface Cut {
  readonly columns: number
  readonly rows: number
}

/**
 * How to cut a rectangle of so many tiles for `workers` threads: the cut that is done first, and of such the one with the fewest pixels.
 * Of each window counts its halo; windows fewer than threads share them. O(across · down).
 */
export function cutOf(across: number, down: number, tileSizePx: number, haloPx: number, workers: number): Cut {
  let best: Cut = { columns: across, rows: down }
  let bestCost = [Infinity, Infinity]
  for (let columns = 1; columns <= across; columns++) {
    for (let rows = 1; rows <= down; rows++) {
      const windows = columns * rows
      const width = Math.ceil(across / columns) * tileSizePx + 2 * haloPx
      const height = Math.ceil(down / rows) * tileSizePx + 2 * haloPx
      if (width * height > maxWindowPixels && windows < across * down) continue
      const speed = speedOf(threadsFor(workers, windows))
      const cost = [(Math.ceil(windows / workers) * width * height) / speed, windows * width * height]
      if (cost[0]! < bestCost[0]! || (cost[0] === bestCost[0] && cost[1]! < bestCost[1]!)) {
        best = { columns, rows }
        bestCost = cost
      }
    }
  }
  return best
}

/**
 * Windows for `tiles`, which come nearest to the focus first: the one nearest to the focus first, each tile once. Where such a window takes
 * long, the first tile is a window of its own before all others.
 */
export function piecesOf(grid: Grid, tiles: readonly TileIndex[], haloPx: number, workers: number): Piece[] {
  const first = tiles[0]
  if (!first) return []
  const whole = cut(grid, tiles, haloPx, workers)
  const alone = (grid.tileSizePx + 2 * haloPx) ** 2
  const late = whole.some(
    ({ core }) => areaOf({ ...core, width: core.width + 2 * haloPx, height: core.height + 2 * haloPx }) > lateFactor * alone,
  )
  if (!late) return whole
  const others = cut(grid, tiles.slice(1), haloPx, workers)
  return [{ tiles: [first], core: coreOf(grid, first), threads: 1 }, ...others]
}

/**
 * Windows for those of a field's tiles that `isMissing` names. Where an interrupted preview of this field has left whole windows, the others
 * stay where they were: there a slider's next value finds what their earlier stages left (native/engine/window/stage_memo.hpp).
 */
export function missingPieces(
  grid: Grid,
  tiles: readonly TileIndex[],
  isMissing: (tile: TileIndex) => boolean,
  haloPx: number,
  workers: number,
): Piece[] {
  const left = piecesOf(grid, tiles, haloPx, workers).filter((piece) => piece.tiles.some(isMissing))
  if (!left.every((piece) => piece.tiles.every(isMissing))) return piecesOf(grid, tiles.filter(isMissing), haloPx, workers)
  return left.map((piece) => ({ ...piece, threads: Math.max(piece.threads, threadsFor(workers, left.length)) }))
}

function cut(grid: Grid, tiles: readonly TileIndex[], haloPx: number, workers: number): Piece[] {
  const x0 = Math.min(...tiles.map(({ x }) => x))
  const y0 = Math.min(...tiles.map(({ y }) => y))
  const across = Math.max(...tiles.map(({ x }) => x)) + 1 - x0
  const down = Math.max(...tiles.map(({ y }) => y)) + 1 - y0
  const { columns, rows } = cutOf(across, down, grid.tileSizePx, haloPx, workers)
  const parts = new Map<number, TileIndex[]>()
  for (const tile of tiles) {
    const column = Math.floor(((tile.x - x0) * columns) / across)
    const row = Math.floor(((tile.y - y0) * rows) / down)
    const part = parts.get(row * columns + column)
    if (part) part.push(tile)
    else parts.set(row * columns + column, [tile])
  }
  // A map keeps the order in which its parts came, which is that of their nearest tiles.
  const threads = threadsFor(workers, parts.size)
  return [...parts.values()].map((part) => ({ tiles: part, core: around(grid, part), threads }))
}
