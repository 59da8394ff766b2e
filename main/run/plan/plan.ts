// What a run has to compute: its region on the slide's tile grid, in the order in which a viewer wants to see it. Nothing about threads.
import type { Region, ShardRef } from '../../../app/contract'
import type { PixelRect } from '../../base/rect'
import { nearestFirst } from './nearestFirst'
import type { Cell, CellRange } from './nearestFirst'
import { ShardTiles } from './shardTiles'

/** All in px of the analysed image unless said otherwise. */
export interface TileIndex {
  x: number
  y: number
}
/** The analysed image of a slide, cut into tiles from its corner: no result depends on the region that asked for it. */
export interface Grid {
  /** Of the whole slide. */
  widthPx: number
  heightPx: number
  tileSizePx: number
  /** Level-0 px per analysed px. */
  scale: number
  /** How often the grid must be halved until one tile holds the slide. */
  maxLevel: number
}
export interface Window extends PixelRect {
  /** Relative to the window: the tile itself, without its halo. */
  core: PixelRect
}

/** Small enough that a click answers at once and a preview comes piece by piece. Whole runs take several in one window: see blocksOf. */
const defaultTilePx = 256

export function gridOf(widthPx: number, heightPx: number, scale: number, tileSizePx = defaultTilePx): Grid {
  let maxLevel = 0
  while (Math.ceil(Math.max(widthPx, heightPx) / (tileSizePx * 2 ** maxLevel)) > 1) maxLevel += 1
  return { widthPx, heightPx, tileSizePx, scale, maxLevel }
}

/**
 * The analysed pixels whose level-0 corner lies in a level-0 region, clipped to the slide; null where there are none.
 * Half-open on both sides, so that regions side by side share the slide without gap or overlap.
 */
export function regionInGrid(grid: Grid, region: Region): PixelRect | null {
  const first = (start: number): number => Math.max(0, ceil(start / grid.scale))
  const x = first(region.x)
  const y = first(region.y)
  const width = Math.min(grid.widthPx, ceil((region.x + region.width) / grid.scale)) - x
  const height = Math.min(grid.heightPx, ceil((region.y + region.height) / grid.scale)) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}

/** Division by a downsample such as 2.0007 must not push a whole number over the edge. */
function ceil(value: number): number {
  const nearest = Math.round(value)
  return Math.abs(value - nearest) < 1e-7 ? nearest : Math.ceil(value)
}

/** The level-0 rectangle that holds an analysed one. */
export function regionOnSlide(grid: Pick<Grid, 'scale'>, rect: PixelRect): Region {
  const x = Math.floor(rect.x * grid.scale + 1e-6)
  const y = Math.floor(rect.y * grid.scale + 1e-6)
  return {
    x,
    y,
    width: Math.max(1, Math.ceil((rect.x + rect.width) * grid.scale - 1e-6) - x),
    height: Math.max(1, Math.ceil((rect.y + rect.height) * grid.scale - 1e-6) - y),
  }
}

/** At most `maxPixels` of the region, around the focus; the region itself where it is small enough. */
export function fieldAround(region: PixelRect, focus: { x: number; y: number }, maxPixels: number): PixelRect {
  if (region.width * region.height <= maxPixels) return region
  const side = Math.sqrt(maxPixels)
  const width = Math.floor(Math.min(region.width, Math.max(side, maxPixels / region.height)))
  const height = Math.floor(Math.min(region.height, maxPixels / width))
  const place = (center: number, size: number, start: number, all: number): number =>
    Math.round(Math.min(Math.max(center - size / 2, start), start + all - size))
  return { x: place(focus.x, width, region.x, region.width), y: place(focus.y, height, region.y, region.height), width, height }
}

/**
 * Tiles across a block. Four: a window is 1.3 times its block, takes 0.05 to 0.1 s on a thread, and some 120 MB more than a tile's there
 * (measured: test/bench/results/notes-app.md). Eight, of regions with work enough for every thread: 1.15 times, so that a run takes an eighth less.
 */
export const blockSizes = { usual: 4, large: 8 } as const
export type BlockSize = (typeof blockSizes)[keyof typeof blockSizes]
/** Large blocks are for runs that have so many of them for each thread: the last ones would keep the others waiting. */
const largeBlocksPerThread = 4

export function hasLargeBlocks(pixels: number, threads: number): boolean {
  return pixels >= largeBlocksPerThread * threads * sidePx(blockSizes.large) ** 2
}

/**
 * Tiles across a group of blocks that a run computes together, so that the tiles of the file that their halos share are still decoded
 * (native/slide): nearest first over a whole slide, its rings would be too long for that. Of 98304 × 81920 px each tile of the
 * file is decoded 1.12 times so, and was 2.05 times in one ring after the other.
 */
const tilesAcrossGroup = 32

const sidePx = (size: BlockSize): number => size * defaultTilePx

/** Of a block's window, with its halo. */
export function blockPixels(haloPx: number, size: BlockSize): number {
  return (sidePx(size) + 2 * haloPx) ** 2
}

/** Tiles that one window computes, so that its halo is read and computed once: a tile's window is 4 to 5 tiles. */
export interface Block {
  readonly tiles: readonly TileIndex[]
  /** Around them. */
  readonly core: PixelRect
}
/** Those of a run in one square of the grid. */
export interface RunBlock extends Block {
  /** All that the slide has of the square, whichever of its tiles are asked for: a window that no region has a say in. */
  readonly square: PixelRect
}

/** What a region needs, as geometry: it holds no list, so that a slide of any size can be planned. */
export class Plan {
  readonly region: PixelRect
  private readonly grid: Grid
  private readonly focus: { x: number; y: number }
  private readonly tileRange: CellRange
  private readonly blockRange: CellRange
  private readonly blockSize: number
  /** null: all of them. */
  private readonly shard: ShardTiles | null

  constructor(
    grid: Grid,
    region: PixelRect,
    focus?: { x: number; y: number },
    blockSize: BlockSize = blockSizes.usual,
    shard?: ShardRef,
  ) {
    this.grid = grid
    this.region = region
    this.focus = focus ?? { x: region.x + region.width / 2, y: region.y + region.height / 2 }
    this.tileRange = cellsOver(region, grid.tileSizePx)
    this.shard = shard ? new ShardTiles(grid, region, shard) : null
    // A block that two shards share would be computed by both.
    this.blockSize = Math.min(blockSize, this.shard?.side ?? blockSize)
    this.blockRange = cellsOver(region, grid.tileSizePx * this.blockSize)
  }

  get tileCount(): number {
    return this.shard?.tileCount ?? countOf(this.tileRange)
  }

  get blockCount(): number {
    return Math.min(countOf(this.blockRange), this.tileCount)
  }

  has(tile: TileIndex): boolean {
    const { x0, y0, x1, y1 } = this.tileRange
    const { x, y } = tile
    return x >= x0 && x <= x1 && y >= y0 && y <= y1 && (this.shard?.has(tile) ?? true)
  }

  /** Every grid tile that touches the region, nearest to the focus first; ties in raster order. */
  *tiles(): Generator<TileIndex> {
    for (const tile of nearestFirst(this.tileRange, this.inCells(this.grid.tileSizePx))) if (this.has(tile)) yield tile
  }

  /**
   * What the region's tiles, other shards' among them, hold besides `done`, which are in raster order: rectangles that share no pixel.
   * O(rows that have one, and `done`).
   */
  without(done: readonly TileIndex[]): PixelRect[] {
    const { x0, y0, x1, y1 } = this.tileRange
    const rest: PixelRect[] = []
    const add = (left: number, top: number, right: number, bottom: number): void => {
      if (left > right || top > bottom) return
      const [from, to] = [coreOf(this.grid, { x: left, y: top }), coreOf(this.grid, { x: right, y: bottom })]
      rest.push({ x: from.x, y: from.y, width: to.x + to.width - from.x, height: to.y + to.height - from.y })
    }
    // The first tile of which nothing is known yet.
    let x = x0
    let y = y0
    const untilRow = (row: number): void => {
      if (row === y) return
      if (x > x0) {
        add(x, y, x1, y)
        y += 1
      }
      add(x0, y, x1, row - 1)
      x = x0
      y = row
    }
    for (const tile of done) {
      if (!this.has(tile)) continue
      untilRow(tile.y)
      add(x, y, tile.x - 1, y)
      x = tile.x + 1
    }
    untilRow(y1 + 1)
    return rest
  }

  /** The blocks that hold those tiles: groups of them nearest first, and those in the group around the focus too. */
  *blocks(): Generator<RunBlock> {
    const side = this.blockSize * this.grid.tileSizePx
    for (const cell of this.groupedBlocks(this.inCells(side))) {
      const x = cell.x * side
      const y = cell.y * side
      const square = { x, y, width: Math.min(side, this.grid.widthPx - x), height: Math.min(side, this.grid.heightPx - y) }
      const tiles = tilesOver(square, this.grid.tileSizePx).filter((tile) => this.has(tile))
      if (tiles.length > 0) yield { core: around(this.grid, tiles), tiles, square }
    }
  }

  /** The focus's block lies in the middle of its group. */
  private *groupedBlocks(focus: Cell): Generator<Cell> {
    const { x0, y0, x1, y1 } = this.blockRange
    const n = tilesAcrossGroup / this.blockSize
    const middle = { x: clamp(Math.floor(focus.x), x0, x1), y: clamp(Math.floor(focus.y), y0, y1) }
    const corner = { x: middle.x - n / 2, y: middle.y - n / 2 }
    const groupAt = (x: number, y: number): Cell => ({ x: Math.floor((x - corner.x) / n), y: Math.floor((y - corner.y) / n) })
    const first = groupAt(x0, y0)
    const last = groupAt(x1, y1)
    const groups = { x0: first.x, y0: first.y, x1: last.x, y1: last.y }
    for (const group of nearestFirst(groups, { x: (focus.x - corner.x) / n, y: (focus.y - corner.y) / n })) {
      const cells = {
        x0: Math.max(x0, corner.x + group.x * n),
        y0: Math.max(y0, corner.y + group.y * n),
        x1: Math.min(x1, corner.x + group.x * n + n - 1),
        y1: Math.min(y1, corner.y + group.y * n + n - 1),
      }
      if (group.x === 0 && group.y === 0) yield* nearestFirst(cells, focus)
      else for (let y = cells.y0; y <= cells.y1; y++) for (let x = cells.x0; x <= cells.x1; x++) yield { x, y }
    }
  }

  private inCells(sizePx: number): { x: number; y: number } {
    return { x: this.focus.x / sizePx, y: this.focus.y / sizePx }
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

function cellsOver(rect: PixelRect, sizePx: number): CellRange {
  return {
    x0: Math.floor(rect.x / sizePx),
    y0: Math.floor(rect.y / sizePx),
    x1: Math.floor((rect.x + rect.width - 1) / sizePx),
    y1: Math.floor((rect.y + rect.height - 1) / sizePx),
  }
}

function countOf({ x0, y0, x1, y1 }: CellRange): number {
  return (x1 - x0 + 1) * (y1 - y0 + 1)
}

export function tilesOver(rect: PixelRect, sizePx: number): TileIndex[] {
  const { x0, y0, x1, y1 } = cellsOver(rect, sizePx)
  const tiles: TileIndex[] = []
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) tiles.push({ x, y })
  return tiles
}

/** Every tile that a block's core or square touches, asked for or not, in raster order. */
export function tilesIn(grid: Grid, core: PixelRect): TileIndex[] {
  return tilesOver(core, grid.tileSizePx)
}

/** The pixels of a tile that the slide has. */
export function coreOf(grid: Grid, tile: TileIndex): PixelRect {
  const x = tile.x * grid.tileSizePx
  const y = tile.y * grid.tileSizePx
  return { x, y, width: Math.min(grid.tileSizePx, grid.widthPx - x), height: Math.min(grid.tileSizePx, grid.heightPx - y) }
}

/** The smallest rectangle of the slide that holds the tiles, of which there is one at least. */
export function around(grid: Grid, tiles: readonly TileIndex[]): PixelRect {
  const cores = tiles.map((tile) => coreOf(grid, tile))
  const x = Math.min(...cores.map((core) => core.x))
  const y = Math.min(...cores.map((core) => core.y))
  return {
    x,
    y,
    width: Math.max(...cores.map((core) => core.x + core.width)) - x,
    height: Math.max(...cores.map((core) => core.y + core.height)) - y,
  }
}

/** The window with a core that reaches farther, as far as the window does. */
export function grownCore(window: Window, px: number): Window {
  const { x, y, width, height } = window.core
  const [left, top] = [Math.max(0, x - px), Math.max(0, y - px)]
  const [right, bottom] = [Math.min(window.width, x + width + px), Math.min(window.height, y + height + px)]
  return { ...window, core: { x: left, y: top, width: right - left, height: bottom - top } }
}

/** A tile's or a block's core with its halo. The halo reaches beyond every region, up to the slide's edge. */
export function windowOf(grid: Grid, core: PixelRect, haloPx: number): Window {
  const x = Math.max(0, core.x - haloPx)
  const y = Math.max(0, core.y - haloPx)
  const right = Math.min(grid.widthPx, core.x + core.width + haloPx)
  const bottom = Math.min(grid.heightPx, core.y + core.height + haloPx)
  return {
    x,
    y,
    width: right - x,
    height: bottom - y,
    core: { x: core.x - x, y: core.y - y, width: core.width, height: core.height },
  }
}
