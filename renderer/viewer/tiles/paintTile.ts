// Result tiles as pictures: outlines with a dark rim, fills, density, intermediate images through a colour scale. Pure: numbers in, RGBA out.
import {
  densityCells,
  objectColumns,
  objectMarginPx,
  unreadableId,
  valuesPerObject,
  type DensityTile,
  placeInTile,
  type ColourColumn,
  type ObjectsTile,
  type PlaneTile,
  type ResultTile,
} from '../../../app/contract'
import { labelColours, placeOn, tableOf, type ColourScale, type Rgb } from '../../arithmetic/colours'
import { bordersOf } from './borders'

export interface Range {
  readonly low: number
  readonly high: number
}
/** How everything is drawn that tiles hold; two looks with the same `key` give the same pictures. */
export interface Look {
  readonly key: string
  readonly style: 'outline' | 'filled'
  /** Whether the glass beside an object is dark. */
  readonly hasRim: boolean
  readonly ink: Rgb
  /** Of what is filled, 0 … 1. */
  readonly opacity: number
  /** What objects are coloured by; null: their class, and where there is none the ink. */
  readonly column: ColourColumn | null
  readonly range: Range
  readonly scale: ColourScale
  readonly layerRange: Range
  readonly layerScale: ColourScale
  /** Objects a mm² (or Mpx) that the scale of density ends at. */
  readonly densityTop: number
}
export interface Painted {
  readonly rgba: Uint8ClampedArray<ArrayBuffer>
  readonly sidePx: number
}

/**
 * Where pictures are made before they are copied to a canvas, the same memory for each: a tile on a screen four times as fine takes 10 MB,
 * and a page that is given so much anew with each tile grows by hundreds of MB before it is cleaned up.
 */
export class Scratch {
  private bytes = new ArrayBuffer(0)
  private used = 0
  /** All that was taken before may be overwritten. */
  begin(bytes: number): void {
    if (this.bytes.byteLength < bytes) this.bytes = new ArrayBuffer(bytes)
    this.used = 0
  }
  /** Zeros. */
  take(bytes: number): Uint8ClampedArray<ArrayBuffer> {
    const taken = new Uint8ClampedArray(this.bytes, this.used, bytes).fill(0)
    this.used += (bytes + 3) & ~3
    return taken
  }
}

/** Fills show that density is drawn; the most crowded places still show what is under them. */
const densityOpacity = 0.78
const rim = 150
/** Scales begin here for objects: what is darker is not seen on hematoxylin. */
export const darkest = 72
const hatch = [200, 30, 90, 200]

/**
 * `factor`: px of the picture per px of the tile, so that outlines stay fine when tiles are enlarged. `widthPx`: of outlines, in the picture.
 * What is painted lies in `scratch`, until the next tile is.
 */
export function paintTile(tile: ResultTile, look: Look, factor: number, widthPx: number, scratch = new Scratch()): Painted {
  const side = tile.sidePx * factor
  const wide = side + 2 * objectMarginPx * factor
  // RGBA, and of objects depths or distances of a byte.
  scratch.begin(4 * side ** 2 + (tile.kind === 'objects' ? wide ** 2 + 8 : 0))
  if (tile.kind === 'objects') {
    const painted = paintObjects(tile, look, factor, widthPx, scratch)
    if (tile.cells) layUnder(painted.rgba, paintCells(tile, tile.cells, look, factor, widthPx).rgba)
    return painted
  }
  return tile.kind === 'density' ? paintDensity(tile, look, scratch) : paintPlane(tile, look, scratch)
}

/** A finer line than its nucleus has, and nothing within. */
function paintCells(tile: ObjectsTile, cells: Int32Array, look: Look, factor: number, widthPx: number): Painted {
  const thin = { ...look, style: 'outline', hasRim: false } as const
  return paintTile({ ...tile, ids: cells, cells: undefined }, thin, factor, Math.max(1, 0.6 * widthPx))
}

/** Pictures of straight alpha: `under` shows where `over` does not hide it. */
function layUnder(over: Uint8ClampedArray, under: Uint8ClampedArray): void {
  for (let at = 0; at < over.length; at += 4) {
    const below = under[at + 3]!
    const above = over[at + 3]!
    if (below === 0 || above === 255) continue
    const rest = (below * (255 - above)) / 255
    const all = above + rest
    for (let c = 0; c < 3; c++) over[at + c] = (over[at + c]! * above + under[at + c]! * rest) / all
    over[at + 3] = all
  }
}

function coloursOf(tile: ObjectsTile, look: Look): Uint8Array {
  const colours = new Uint8Array((tile.count + 1) * 3)
  const column = look.column === null ? null : placeInTile(tile, look.column)
  const table = tableOf(look.scale)
  for (let n = 1; n <= tile.count; n++) {
    const own = (n - 1) * valuesPerObject
    // What was not measured is as without a scale.
    const value = column ? column.values[column.first + (n - 1) * column.step]! : NaN
    if (Number.isNaN(value)) {
      const rgb = tile.values[own + objectColumns.length]!
      colours.set(rgb < 0 ? look.ink : [rgb >> 16, (rgb >> 8) & 255, rgb & 255], n * 3)
    } else {
      const { low, high } = look.range
      // Where all have one value it is neither end: the darkest colour would be lost on a dark slide.
      const place = low === high && value === low ? 128 : placeOn(value, low, high)
      const at = Math.round(darkest + (place * (255 - darkest)) / 255) * 3
      colours.set(table.subarray(at, at + 3), n * 3)
    }
  }
  return colours
}

/** Seen at less than half as many px again as the tile has, pixels' own edges are what there is to see: fine lines along them are crisp. */
function paintObjects(tile: ObjectsTile, look: Look, factor: number, widthPx: number, scratch: Scratch): Painted {
  return factor === 1 ? paintAlongPixels(tile, look, widthPx, scratch) : paintSmooth(tile, look, factor, widthPx, scratch)
}

/**
 * An outline lies inside its object, `widthPx` deep, and where two objects touch in one of them alone, so that it is no wider there. A pixel of
 * glass beside it is dark, so that it is seen on glass and on stain alike. O(picture · widthPx).
 */
function paintAlongPixels(tile: ObjectsTile, look: Look, widthPx: number, scratch: Scratch): Painted {
  const { sidePx, ids } = tile
  const margin = objectMarginPx
  const wide = sidePx + 2 * margin
  const depth = depths(ids, wide, scratch, Math.max(1, Math.min(margin - 1, Math.round(widthPx))))
  const colours = coloursOf(tile, look)
  const rgba = scratch.take(sidePx * sidePx * 4)
  const fill = look.style === 'filled' ? Math.round(look.opacity * 255) : 0
  for (let y = 0; y < sidePx; y++) {
    let at = (y + margin) * wide + margin
    let to = y * sidePx * 4
    for (let x = 0; x < sidePx; x++, at++, to += 4) {
      const id = ids[at]!
      if (id === 0) {
        if (!look.hasRim) continue
        const near = ids[at - 1]! | ids[at + 1]! | ids[at - wide]! | ids[at + wide]!
        if (near !== 0) rgba[to + 3] = rim
      } else if (id === unreadableId) {
        if ((x + y) % 12 < 3) rgba.set(hatch, to)
      } else {
        const alpha = depth[at] ? 255 : fill
        if (alpha === 0) continue
        rgba[to] = colours[id * 3]!
        rgba[to + 1] = colours[id * 3 + 1]!
        rgba[to + 2] = colours[id * 3 + 2]!
        rgba[to + 3] = alpha
      }
    }
  }
  return { rgba, sidePx }
}

/** Distances from a line, in px of the picture, are kept in steps of so much. */
const nearSteps = 32

/**
 * A smooth line `widthPx` wide along each border (borders.ts), half of it on either side, with a dark rim beside it: of a border between two
 * objects each half has the colour of its own. O(picture + border · width).
 */
function paintSmooth(tile: ObjectsTile, look: Look, factor: number, widthPx: number, scratch: Scratch): Painted {
  const sidePx = tile.sidePx * factor
  const wide = tile.sidePx + 2 * objectMarginPx
  const rgba = scratch.take(sidePx * sidePx * 4)
  const near = scratch.take(sidePx * sidePx)
  const colours = coloursOf(tile, look)
  const fill = look.style === 'filled' ? Math.round(look.opacity * 255) : 0
  paintFlat(tile, factor, colours, fill, rgba)
  const half = widthPx / 2
  const dark = look.hasRim ? Math.min(1.5, Math.max(0.6, half)) : 0
  // Of a fill the steps of pixels lie up to three quarters of a px beside the smooth line.
  const reach = Math.min(255 / nearSteps, Math.max(half + dark + 0.5, fill > 0 ? 0.75 * factor : 0))
  const reach2 = reach * reach
  const { count, ends, sides } = bordersOf(withoutUnreadable(tile.ids), wide)
  for (let s = 0; s < count; s++) {
    const x0 = (ends[4 * s]! - objectMarginPx) * factor
    const y0 = (ends[4 * s + 1]! - objectMarginPx) * factor
    const x1 = (ends[4 * s + 2]! - objectMarginPx) * factor
    const y1 = (ends[4 * s + 3]! - objectMarginPx) * factor
    const left = sides[2 * s]!
    const right = sides[2 * s + 1]!
    const dx = x1 - x0
    const dy = y1 - y0
    const perLength2 = 1 / (dx * dx + dy * dy || 1)
    const fromY = Math.max(0, Math.floor(Math.min(y0, y1) - reach))
    const toY = Math.min(sidePx - 1, Math.ceil(Math.max(y0, y1) + reach))
    const fromX = Math.max(0, Math.floor(Math.min(x0, x1) - reach))
    const toX = Math.min(sidePx - 1, Math.ceil(Math.max(x0, x1) + reach))
    for (let y = fromY; y <= toY; y++) {
      const py = y + 0.5 - y0
      for (let x = fromX; x <= toX; x++) {
        const px = x + 0.5 - x0
        const along = (px * dx + py * dy) * perLength2
        const t = along < 0 ? 0 : along > 1 ? 1 : along
        const qx = px - t * dx
        const qy = py - t * dy
        const distance2 = qx * qx + qy * qy
        if (distance2 >= reach2) continue
        const closeness = 255 - Math.floor(Math.sqrt(distance2) * nearSteps)
        const at = y * sidePx + x
        if (closeness <= near[at]!) continue
        near[at] = closeness
        const own = dx * py - dy * px < 0 ? left : right
        const id = own || left || right
        rgba[4 * at] = colours[id * 3]!
        rgba[4 * at + 1] = colours[id * 3 + 1]!
        rgba[4 * at + 2] = colours[id * 3 + 2]!
        rgba[4 * at + 3] = own ? fill : 0
      }
    }
  }
  lay(near, rgba, half, dark)
  return { rgba, sidePx }
}

const withoutUnreadable = (ids: Int32Array): Int32Array =>
  ids.includes(unreadableId) ? ids.map((id) => (id === unreadableId ? 0 : id)) : ids
const share = (value: number): number => Math.max(0, Math.min(1, value))

/** Line over rim over fill, by how near each pixel is to a line; antialiased. */
function lay(near: Uint8ClampedArray, rgba: Uint8ClampedArray, half: number, dark: number): void {
  const distances = Float64Array.from({ length: 256 }, (_, closeness) => (255 - closeness) / nearSteps)
  const lineOf = distances.map((distance) => share(half + 0.5 - distance))
  const shadeOf = distances.map((distance) => (dark > 0 ? share(half + dark + 0.5 - distance) * (rim / 255) : 0))
  for (let at = 0; at < near.length; at++) {
    const closeness = near[at]!
    if (closeness === 0) continue
    const line = lineOf[closeness]!
    if (line === 1) {
      rgba[4 * at + 3] = 255
      continue
    }
    const under = rgba[4 * at + 3]! / 255
    const shade = shadeOf[closeness]!
    const coloured = line + (1 - line) * (1 - shade) * under
    const all = line + (1 - line) * (shade + (1 - shade) * under)
    const part = all > 0 ? coloured / all : 0
    rgba[4 * at] = rgba[4 * at]! * part
    rgba[4 * at + 1] = rgba[4 * at + 1]! * part
    rgba[4 * at + 2] = rgba[4 * at + 2]! * part
    rgba[4 * at + 3] = 255 * all
  }
}

/** What lies in no outline's reach: fills, and the hatching of what could not be read. */
function paintFlat(tile: ObjectsTile, factor: number, colours: Uint8Array, fill: number, rgba: Uint8ClampedArray): void {
  const sidePx = tile.sidePx * factor
  const wide = tile.sidePx + 2 * objectMarginPx
  if (fill === 0 && !tile.ids.includes(unreadableId)) return
  for (let y = 0; y < sidePx; y++) {
    const row = (Math.floor(y / factor) + objectMarginPx) * wide + objectMarginPx
    for (let x = 0; x < sidePx; x++) {
      const id = tile.ids[row + Math.floor(x / factor)]!
      if (id === 0) continue
      const to = 4 * (y * sidePx + x)
      if (id === unreadableId) {
        if ((x + y) % (12 * factor) < 3 * factor) rgba.set(hatch, to)
      } else if (fill > 0) {
        rgba[to] = colours[id * 3]!
        rgba[to + 1] = colours[id * 3 + 1]!
        rgba[to + 2] = colours[id * 3 + 2]!
        rgba[to + 3] = fill
      }
    }
  }
}

/**
 * How far inside its object a pixel is, from 1, in 4-neighbour steps up to `most`; 0: farther, or in none. The picture's own rim is no end, and of
 * two objects that touch the one with the smaller number ends nowhere at the other.
 */
function depths(ids: Int32Array, wide: number, scratch: Scratch, most: number): Uint8ClampedArray {
  const depth = scratch.take(ids.length)
  let ring: number[] = []
  for (let y = 1; y < wide - 1; y++) {
    for (let at = y * wide + 1; at < (y + 1) * wide - 1; at++) {
      const id = ids[at]!
      if (id === 0) continue
      const endsAt = (beside: number): boolean => beside < id || beside === unreadableId
      if (!endsAt(ids[at - 1]!) && !endsAt(ids[at + 1]!) && !endsAt(ids[at - wide]!) && !endsAt(ids[at + wide]!)) continue
      depth[at] = 1
      ring.push(at)
    }
  }
  for (let step = 2; step <= most; step++) {
    const next: number[] = []
    for (const at of ring) {
      for (const beside of [at - 1, at + 1, at - wide, at + wide]) {
        if (ids[beside] !== ids[at] || depth[beside]) continue
        depth[beside] = step
        next.push(beside)
      }
    }
    ring = next
  }
  return depth
}

/** Between the middles of cells density is taken to change evenly, so that no square edge shows. */
function paintDensity(tile: DensityTile, look: Look, scratch: Scratch): Painted {
  const { sidePx, counts, cellArea } = tile
  const most = look.densityTop * cellArea
  const table = tableOf(look.scale)
  const rgba = scratch.take(sidePx * sidePx * 4)
  const side = densityCells + 2
  const cell = sidePx / densityCells
  for (let y = 0; y < sidePx; y++) {
    const v = (y + 0.5) / cell + 0.5
    const j = Math.floor(v)
    for (let x = 0; x < sidePx; x++) {
      const u = (x + 0.5) / cell + 0.5
      const i = Math.floor(u)
      const at = j * side + i
      const top = counts[at]! * (i + 1 - u) + counts[at + 1]! * (u - i)
      const bottom = counts[at + side]! * (i + 1 - u) + counts[at + side + 1]! * (u - i)
      const value = top * (j + 1 - v) + bottom * (v - j)
      if (value <= 0) continue
      const place = placeOn(value, 0, most)
      const to = (y * sidePx + x) * 4
      rgba[to] = table[place * 3]!
      rgba[to + 1] = table[place * 3 + 1]!
      rgba[to + 2] = table[place * 3 + 2]!
      // A few objects in a wide cell are still something.
      rgba[to + 3] = 255 * densityOpacity * Math.min(1, 0.15 + (2 * value) / most)
    }
  }
  return { rgba, sidePx }
}

function paintPlane({ kind, sidePx, values }: PlaneTile, look: Look, scratch: Scratch): Painted {
  const alpha = kind === 'map' ? 255 * densityOpacity : 255
  const colours = new Uint8Array(256 * 3)
  const table = tableOf(kind === 'binary' ? 'grey' : look.layerScale)
  for (let value = 0; value < 256; value++) {
    if (kind === 'colored') colours.set(value === 0 ? [0, 0, 0] : labelColours[(value - 1) % labelColours.length]!, value * 3)
    else {
      const at = (kind === 'binary' ? value : placeOn(value, look.layerRange.low, look.layerRange.high)) * 3
      colours.set(table.subarray(at, at + 3), value * 3)
    }
  }
  const rgba = scratch.take(sidePx * sidePx * 4)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value < 256) continue
    const from = (value - 256) * 3
    rgba[i * 4] = colours[from]!
    rgba[i * 4 + 1] = colours[from + 1]!
    rgba[i * 4 + 2] = colours[from + 2]!
    rgba[i * 4 + 3] = alpha
  }
  return { rgba, sidePx }
}
