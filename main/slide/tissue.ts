// Where a slide has tissue, told from its overview: what differs from the slide's own glass, pen marks apart. Integers, so the same everywhere.
import type { Shape } from '../../app/contract'
import { tokenOf } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { dimTop, spreadTo } from './dimSamples'
import { patientReads } from './patientReads'
import type { OpenSlide } from './slides'
import { maskInRect, maskInShape } from './tissueArea'
import type { MaskSums } from './tissueArea'

/** What counts as tissue. */
export interface TissueRule {
  /** Nuclei shine on black; else they are dark on bright glass. */
  readonly shines: boolean
  /** How far a pixel must be from the glass in some channel, grey levels. */
  readonly level: number
}

/** µm of a px of the overview: a nucleus still shows in one. Levels of the file between these are taken as they are. */
const finestUm = 6
const coarsestUm = 34
const wantedUm = 8
/** Of the overview: beyond, its px are larger (16 µm for 98304 × 81920 px at 0.5 µm, where a nucleus is a quarter of one). */
const mostPixels = 8_000_000
/** Of the file: beyond, looking for tissue would take longer than it saves. */
const mostFilePixels = 400_000_000
/** Glass is bright and has no colour. */
const glassFrom = 200
const glassChroma = 24
/** Ink of pens, which no stain here looks like: green above all, or a blue far above all. */
const greenInk = 28
const blueInk = 90

/** Of a pixel of the overview. */
export const tissuePx = 1
/** It could not be read, or what counts as glass depends on what could not be: nobody knows. */
export const unknownPx = 2

/** tissuePx where a pixel is tissue, whatever those show that could not be read (`unread`, 1 each); unknownPx where that decides. */
export function tissueIn(
  rgba: Uint8Array,
  { shines, level }: TissueRule,
  unread: Uint8Array | null = null,
): Uint8Array<ArrayBuffer> {
  const mask = new Uint8Array(rgba.length / 4)
  const glass = shines ? darkest(rgba, unread) : glassOf(rgba, unread)
  const [r0, g0, b0] = glass.map(({ low }) => low) as [number, number, number]
  const [r1, g1, b1] = glass.map(({ high }) => high) as [number, number, number]
  const isKnown = glass.every(({ low, high }) => low === high)
  /** How far a value is from the glass, at least. */
  const off = (value: number, low: number, high: number): number => Math.max(value - high, shines ? -Infinity : low - value)
  const mostOff = (value: number, low: number, high: number): number =>
    shines ? value - low : Math.max(Math.abs(value - low), Math.abs(value - high))
  for (let i = 0, at = 0; at < mask.length; at++, i += 4) {
    if (unread?.[at]) {
      mask[at] = unknownPx
      continue
    }
    const r = rgba[i]!
    const g = rgba[i + 1]!
    const b = rgba[i + 2]!
    if (!shines && (g - Math.max(r, b) >= greenInk || b - Math.max(r, g) >= blueInk)) continue
    if (Math.max(off(r, r0, r1), off(g, g0, g1), off(b, b0, b1)) > level) mask[at] = tissuePx
    else if (!isKnown && Math.max(mostOff(r, r0, r1), mostOff(g, g0, g1), mostOff(b, b0, b1)) > level) mask[at] = unknownPx
  }
  return mask
}

/** Of a channel: from what to what the glass may be, whatever the pixels show that could not be read. */
interface Glass {
  readonly low: number
  readonly high: number
}
const isWhite: Glass = { low: 255, high: 255 }

/** The commonest value of each channel among bright pixels without colour; white where hardly any are. */
function glassOf(rgba: Uint8Array, unread: Uint8Array | null): readonly Glass[] {
  const counts = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)]
  let bright = 0
  let lost = 0
  for (let i = 0, at = 0; i < rgba.length; i += 4, at++) {
    if (unread?.[at]) {
      lost += 1
      continue
    }
    const least = Math.min(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!)
    if (least < glassFrom || Math.max(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!) - least > glassChroma) continue
    bright += 1
    for (let c = 0; c < 3; c++) counts[c]![rgba[i + c]!]! += 1
  }
  const hardlyAny = (count: number): boolean => count * 200 < rgba.length / 4
  if (hardlyAny(bright + lost)) return [isWhite, isWhite, isWhite]
  return counts.map((count) => {
    const commonest = count.indexOf(Math.max(...count))
    if (lost === 0) return { low: commonest, high: commonest }
    const may = Array.from(count, (_, value) => value).filter(
      (value) => value >= glassFrom && count[value]! + lost >= count[commonest]!,
    )
    return { low: may[0]!, high: hardlyAny(bright) ? 255 : may.at(-1)! }
  })
}

/** Of each channel the value that a twentieth of the pixels do not exceed: black, or what a camera takes for it. */
function darkest(rgba: Uint8Array, unread: Uint8Array | null): readonly Glass[] {
  return [0, 1, 2].map((c) => {
    const counts = new Uint32Array(256)
    let lost = 0
    for (let i = c, at = 0; i < rgba.length; i += 4, at++) {
      if (unread?.[at]) lost += 1
      else counts[rgba[i]!]! += 1
    }
    const reached = (before: number): number => {
      let value = 0
      for (let sum = before + counts[0]!; sum * 20 < rgba.length / 4 && value < 255;) sum += counts[++value]!
      return value
    }
    return { low: reached(lost), high: reached(0) }
  })
}

/** Where nobody knows whether there is tissue, and why. */
export interface Unknown {
  readonly where: Tissue
  readonly reason: string
}

/** A slide's tissue by rectangles. All in level-0 px. */
export class Tissue {
  /** Per px of the overview. */
  readonly scale: number
  private readonly width: number
  private readonly height: number
  /** sums[(y * (width + 1)) + x]: tissue px above and left of (x, y). */
  private readonly sums: Uint32Array
  /** Where it may be, and nobody knows; null: there is no such place. */
  readonly unknown: Unknown | null

  /** `end`: where the slide ends, where that is not with the mask. `reason`: why some of it is unknown. `of`: which px it is of. */
  constructor(
    mask: Uint8Array,
    width: number,
    height: number,
    scale: number,
    readonly end = { x: width * scale, y: height * scale },
    reason = '',
    of = tissuePx,
  ) {
    this.scale = scale
    this.width = width
    this.height = height
    const across = width + 1
    this.sums = new Uint32Array(across * (height + 1))
    for (let y = 0; y < height; y++) {
      let row = 0
      for (let x = 0; x < width; x++) {
        if (mask[y * width + x] === of) row += 1
        this.sums[(y + 1) * across + x + 1] = this.sums[y * across + x + 1]! + row
      }
    }
    const isUnknown = of === tissuePx && mask.includes(unknownPx)
    this.unknown = isUnknown ? { where: new Tissue(mask, width, height, scale, end, '', unknownPx), reason } : null
  }

  get bytes(): number {
    return this.sums.byteLength + (this.unknown?.where.bytes ?? 0)
  }

  /** Is there any within so far of a rectangle? */
  touches({ x, y, width, height }: PixelRect, margin: number): boolean {
    return this.count(x - margin, y - margin, x + width + margin, y + height + margin) > 0
  }

  /** Of what lies in a rectangle, exactly: parts of px of the overview count by their share. */
  areaIn(rect: PixelRect): number {
    return maskInRect(this.mask, rect)
  }

  /** The same within shapes of level-0 px. Shapes that overlap count twice: who asks sees to it that none do. */
  areaWithin(shapes: readonly Shape[]): number {
    return shapes.reduce((sum, shape) => sum + maskInShape(this.mask, shape), 0)
  }

  private get mask(): MaskSums {
    const { width, height, scale, end, sums } = this
    return { width, height, scaleX: scale, scaleY: scale, endX: end.x, endY: end.y, sums }
  }

  /** Is the px of the overview at a place of level 0 tissue? */
  at(x: number, y: number): boolean {
    const column = Math.floor(x / this.scale)
    const row = Math.floor(y / this.scale)
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return false
    const at = (i: number, j: number): number => this.sums[j * (this.width + 1) + i]!
    return at(column + 1, row + 1) - at(column, row + 1) - at(column + 1, row) + at(column, row) > 0
  }

  /** Overview px that a rectangle meets. */
  private count(left: number, top: number, right: number, bottom: number): number {
    const x0 = clamp(Math.floor(left / this.scale), this.width)
    const y0 = clamp(Math.floor(top / this.scale), this.height)
    const x1 = clamp(Math.ceil(right / this.scale), this.width)
    const y1 = clamp(Math.ceil(bottom / this.scale), this.height)
    if (x1 <= x0 || y1 <= y0) return 0
    const at = (x: number, y: number): number => this.sums[y * (this.width + 1) + x]!
    return at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0)
  }
}

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most)

/** null where the overview cannot be had at a fair price: then all of the slide may be tissue. `mpp`: µm of a level-0 px. */
export async function tissueOf(
  { info, native }: OpenSlide,
  mpp: number,
  rule: TissueRule,
  threads: number,
  signal: AbortSignal,
): Promise<Tissue | null> {
  const finest = finestUm / mpp
  const coarsest = coarsestUm / mpp
  const level = info.levels.find(({ downsample }) => downsample >= finest && downsample <= coarsest)
  const fewest = Math.sqrt((info.widthPx * info.heightPx) / mostPixels)
  const scale = Math.max(level?.downsample ?? wantedUm / mpp, fewest, 1)
  const from = Math.max(...info.levels.map(({ downsample }) => downsample).filter((d) => d <= scale * 1.01), 1)
  if ((info.widthPx / from) * (info.heightPx / from) > mostFilePixels) return null
  const width = Math.ceil(info.widthPx / scale)
  const height = Math.ceil(info.heightPx / scale)
  const rgba = new Uint8Array(width * height * 4)
  const deep = rule.shines && info.depth === 16 ? new Uint16Array(width * height) : null
  const rows = Math.ceil(height / Math.max(1, threads))
  const strips = Array.from({ length: Math.ceil(height / rows) }, (_, i) => i * rows)
  const token = tokenOf(signal)
  let unread: Uint8Array | null = null
  let reason = ''
  const read = async (y: number): Promise<void> => {
    const limits = deep && { deep: true }
    const strip = await patientReads(native).readScaled(scale, 0, y, width, Math.min(rows, height - y), token, limits ?? {})
    rgba.set(strip.rgba, y * width * 4)
    if (strip.deep) deep?.set(strip.deep, y * width)
    for (const { region, reason: why } of strip.unreadable) {
      unread ??= new Uint8Array(width * height)
      reason ||= why
      // A px that any part of it touches stands on it.
      const left = clamp(Math.floor(region.x / scale) - 1, width)
      const right = clamp(Math.ceil((region.x + region.width) / scale) + 1, width)
      const bottom = clamp(Math.ceil((region.y + region.height) / scale) + 1, height)
      for (let row = clamp(Math.floor(region.y / scale) - 1, height); row < bottom; row++)
        unread.fill(1, row * width + left, row * width + right)
    }
  }
  await Promise.all(strips.map(read))
  if (deep) {
    const { top, isCertain } = dimTop(deep, unread)
    if (top !== null) spreadTo(rgba, deep, top)
    // What is dim stands on what could not be read: nobody knows of any px.
    if (!isCertain) unread!.fill(1)
  }
  return new Tissue(tissueIn(rgba, rule, unread), width, height, scale, { x: info.widthPx, y: info.heightPx }, reason)
}
