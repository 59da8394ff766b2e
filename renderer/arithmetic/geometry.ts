// Where things are on screen: the view's transform, the visible field, result tiles. Pure: no DOM, no viewer.
import type { Region } from '../../app/contract'

export interface Point {
  readonly x: number
  readonly y: number
}

/** What the screen shows: `center` (level-0 px) in the middle of width × height CSS px. */
export interface View {
  readonly center: Point
  /** CSS px per level-0 px. */
  readonly zoom: number
  /** Clockwise degrees. */
  readonly rotation: number
  /** Left and right change places, after it was turned. */
  readonly flipped: boolean
  readonly width: number
  readonly height: number
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

export function toScreen(view: View, p: Point): Point {
  const a = radians(view.rotation)
  const dx = (p.x - view.center.x) * view.zoom
  const dy = (p.y - view.center.y) * view.zoom
  const right = dx * Math.cos(a) - dy * Math.sin(a)
  return { x: view.width / 2 + (view.flipped ? -right : right), y: view.height / 2 + dx * Math.sin(a) + dy * Math.cos(a) }
}

export function toImage(view: View, p: Point): Point {
  const a = radians(-view.rotation)
  const dx = ((view.flipped ? -1 : 1) * (p.x - view.width / 2)) / view.zoom
  const dy = (p.y - view.height / 2) / view.zoom
  return { x: view.center.x + dx * Math.cos(a) - dy * Math.sin(a), y: view.center.y + dx * Math.sin(a) + dy * Math.cos(a) }
}

/** The axis-aligned box of all that is on screen, level-0 px, not clipped to the slide. */
export function visibleBox(view: View): { x: number; y: number; width: number; height: number } {
  const a = radians(view.rotation)
  const c = Math.abs(Math.cos(a))
  const s = Math.abs(Math.sin(a))
  const width = (view.width * c + view.height * s) / view.zoom
  const height = (view.width * s + view.height * c) / view.zoom
  return { x: view.center.x - width / 2, y: view.center.y - height / 2, width, height }
}

export function clip(region: Region, width: number, height: number): Region | null {
  const x = Math.max(0, region.x)
  const y = Math.max(0, region.y)
  const right = Math.min(width, region.x + region.width)
  const bottom = Math.min(height, region.y + region.height)
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null
}

/** Outwards to a grid that is steady on screen, so that a small pan asks for the same region again. */
export function snapOutwards(box: { x: number; y: number; width: number; height: number }, zoom: number): Region {
  const step = 64 * 2 ** Math.max(0, Math.round(Math.log2(1 / zoom)))
  const x = Math.floor(box.x / step) * step
  const y = Math.floor(box.y / step) * step
  return {
    x,
    y,
    width: Math.ceil((box.x + box.width) / step) * step - x,
    height: Math.ceil((box.y + box.height) / step) * step - y,
  }
}

/** The visible part of a slide as a region to run, or null where none of it is on screen. */
export function visibleField(view: View, slideWidth: number, slideHeight: number): Region | null {
  return clip(snapOutwards(visibleBox(view), view.zoom), slideWidth, slideHeight)
}

/** The visible part of a slide, exactly (whole pixels). */
export function visibleExactly(view: View, slideWidth: number, slideHeight: number): Region | null {
  const box = visibleBox(view)
  const x = Math.floor(box.x)
  const y = Math.floor(box.y)
  return clip(
    { x, y, width: Math.max(1, Math.ceil(box.x + box.width) - x), height: Math.max(1, Math.ceil(box.y + box.height) - y) },
    slideWidth,
    slideHeight,
  )
}

export const containsRegion = (outer: Region, inner: Region): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

export const regionsMeet = (a: Region, b: Region): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

export const regionContains = (region: Region, x: number, y: number): boolean =>
  x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height

/** Two corners in any order, to whole pixels inside the slide. */
export function regionOfCorners(a: Point, b: Point, slideWidth: number, slideHeight: number): Region | null {
  const x = Math.floor(Math.min(a.x, b.x))
  const y = Math.floor(Math.min(a.y, b.y))
  return clip(
    { x, y, width: Math.max(1, Math.ceil(Math.max(a.x, b.x)) - x), height: Math.max(1, Math.ceil(Math.max(a.y, b.y)) - y) },
    slideWidth,
    slideHeight,
  )
}

/** The level (halvings) of the slide's pictures on screen: as the viewer chooses, the finest that is drawn at half its size or more. */
export function pictureLevel(deviceZoom: number, maxLevel: number): number {
  return Math.min(maxLevel, Math.max(0, Math.ceil(Math.log2(0.5 / deviceZoom))))
}

/** The result level whose px are nearest to a device px. `deviceZoom`: device px per level-0 px. */
export function levelForZoom(deviceZoom: number, scale: number, maxLevel: number): number {
  return Math.min(maxLevel, Math.max(0, Math.round(Math.log2(1 / (deviceZoom * scale)))))
}

export interface TileIndex {
  readonly level: number
  readonly x: number
  readonly y: number
}

/** Level-0 px on a side of a result tile. */
export const tileSpan = (grid: { tileSizePx: number; scale: number }, level: number): number =>
  grid.tileSizePx * 2 ** level * grid.scale

/** The tiles of a level that touch a box, those nearest to its middle first. */
export function tilesIn(
  grid: { tileSizePx: number; scale: number },
  level: number,
  box: { x: number; y: number; width: number; height: number },
): TileIndex[] {
  const span = tileSpan(grid, level)
  const left = Math.floor(box.x / span)
  const top = Math.floor(box.y / span)
  const right = Math.max(left, Math.ceil((box.x + box.width) / span) - 1)
  const bottom = Math.max(top, Math.ceil((box.y + box.height) / span) - 1)
  const cx = (box.x + box.width / 2) / span - 0.5
  const cy = (box.y + box.height / 2) / span - 0.5
  const tiles: TileIndex[] = []
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) tiles.push({ level, x, y })
  return tiles.sort((a, b) => Math.hypot(a.x - cx, a.y - cy) - Math.hypot(b.x - cx, b.y - cy))
}

export function intersect<R extends { x: number; y: number; width: number; height: number }>(
  a: R,
  b: R,
): { x: number; y: number; width: number; height: number } | null {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const right = Math.min(a.x + a.width, b.x + b.width)
  const bottom = Math.min(a.y + a.height, b.y + b.height)
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null
}

/** The part of the screen from a share of its width on, in level-0 px: its four corners, as the view is turned and flipped. */
export function rightOf(view: View, share: number): Point[] {
  const left = share * view.width
  const corners = [
    [left, 0],
    [view.width, 0],
    [view.width, view.height],
    [left, view.height],
  ] as const
  return corners.map(([x, y]) => toImage(view, { x, y }))
}
