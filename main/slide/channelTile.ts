// One channel of a part of the slide: the mean of the samples that lie under each px of the picture, in the file's own numbers.
import { sampleScale, type ChannelTile, type SlideInfo } from '../../app/contract'
import { tokenOf } from '../../native/index'
import type { CancelToken, SampleArray, Slide, Unreadable } from '../../native/index'
import type { PixelRect } from '../base/rect'
import type { OpenSlide } from './slides'

/** Of the level that is read, a side, for one px of the picture: above, a slide without small levels is sampled, not read whole. */
const mostPxPerPx = 16
/** Read at once. */
const bandPx = 2 ** 21

export interface ChannelTileRead {
  readonly tile: ChannelTile
  readonly unreadable: readonly Unreadable[]
  readonly sampledEvery: number
}

/** The smallest level that still has a px for each px of `scale` level-0 px. */
export function levelFor({ levels }: Pick<SlideInfo, 'levels'>, scale: number): number {
  let best = 0
  levels.forEach(({ downsample }, i) => {
    // A level's size is rounded, and its factor with it.
    if (downsample <= scale * 1.01 && downsample > levels[best]!.downsample) best = i
  })
  return best
}

/** Where px `at` begins among `of`, `per` of which lie under one. */
const edge = (at: number, per: number, of: number): number => Math.min(of, Math.floor(at * per + 1e-6))

interface Plan {
  readonly native: Slide
  readonly level: number
  readonly channel: number
  readonly token: CancelToken
  /** Px of the file's level under one of the picture's. */
  readonly per: { readonly x: number; readonly y: number }
  readonly whole: { readonly widthPx: number; readonly heightPx: number }
}

/** Means of `rect`, px of the picture's scale. */
async function means(plan: Plan, rect: PixelRect, unreadable: Unreadable[]): Promise<Float64Array> {
  const { native, level, channel, token, per, whole } = plan
  const columns = Array.from({ length: rect.width + 1 }, (_, i) => edge(rect.x + i, per.x, whole.widthPx))
  const rows = Array.from({ length: rect.height + 1 }, (_, i) => edge(rect.y + i, per.y, whole.heightPx))
  const [left, top] = [Math.min(columns[0]!, whole.widthPx - 1), Math.min(rows[0]!, whole.heightPx - 1)]
  const width = Math.max(1, columns.at(-1)! - left)
  const height = Math.max(1, rows.at(-1)! - top)
  const read = await native.readChannel(level, channel, left, top, width, height, token)
  unreadable.push(...read.unreadable)
  return reduce(read.samples, width, {
    columns: columns.map((x) => x - left),
    rows: rows.map((y) => y - top),
  })
}

function reduce(
  samples: SampleArray,
  stride: number,
  { columns, rows }: { readonly columns: readonly number[]; readonly rows: readonly number[] },
): Float64Array {
  const wide = columns.length - 1
  const found = new Float64Array(wide * (rows.length - 1))
  for (let j = 0; j + 1 < rows.length; j++)
    for (let i = 0; i < wide; i++) {
      const [x, y] = [columns[i]!, rows[j]!]
      let sum = 0
      let count = 0
      for (let b = y; b < Math.max(y + 1, rows[j + 1]!); b++)
        for (let a = x; a < Math.max(x + 1, columns[i + 1]!); a++) {
          const value = samples[b * stride + a]!
          if (!Number.isFinite(value)) continue
          sum += value
          count++
        }
      found[j * wide + i] = count > 0 ? sum / count : NaN
    }
  return found
}

/** `area`: px of `scale` level-0 px, all inside the slide. */
export async function readChannelTile(
  { info, native }: OpenSlide,
  channel: number,
  scale: number,
  area: PixelRect,
  stop: AbortSignal,
): Promise<ChannelTileRead> {
  const level = levelFor(info, scale)
  const whole = info.levels[level]!
  const per = { x: (scale * whole.widthPx) / info.widthPx, y: (scale * whole.heightPx) / info.heightPx }
  const plan = { native, level, channel, token: tokenOf(stop), per, whole }
  const perPx = Math.max(1, scale / whole.downsample)
  const every = perPx <= mostPxPerPx ? 1 : Math.ceil(perPx / mostPxPerPx)
  const values = new Float64Array(area.width * area.height)
  const unreadable: Unreadable[] = []
  // Squares of the file's own pieces where it is sampled, else bands as wide as the picture.
  const side = Math.max(1, Math.ceil(Math.max(whole.tileWidthPx, whole.tileHeightPx, 1) / perPx))
  const wide = every === 1 ? area.width : side
  const high = every === 1 ? Math.max(side, Math.floor(bandPx / (area.width * perPx * perPx)) || 1) : side
  for (let y = 0; y < area.height; y += high * every)
    for (let x = 0; x < area.width; x += wide * every) {
      stop.throwIfAborted()
      const rect = {
        x: area.x + x,
        y: area.y + y,
        width: Math.min(wide, area.width - x),
        height: Math.min(high, area.height - y),
      }
      const found = await means(plan, rect, unreadable)
      if (every === 1) values.set(found, y * area.width)
      else fill(values, area, { x, y, width: wide * every, height: high * every }, middle(found))
    }
  return { tile: tileOf(info, channel, values, area, scale, unreadable), unreadable, sampledEvery: every }
}

function middle(found: Float64Array): number {
  const known = found.filter((value) => Number.isFinite(value))
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

function fill(values: Float64Array, area: PixelRect, part: PixelRect, value: number): void {
  for (let y = part.y; y < Math.min(area.height, part.y + part.height); y++)
    values.fill(value, y * area.width + part.x, y * area.width + Math.min(area.width, part.x + part.width))
}

function tileOf(
  info: SlideInfo,
  channel: number,
  values: Float64Array,
  { x, y, width, height }: PixelRect,
  scale: number,
  unreadable: readonly Unreadable[],
): ChannelTile {
  const { first, step, most } = sampleScale(info.channels[channel]!)
  const samples = new (most === 255 ? Uint8Array : Uint16Array)(values.length)
  values.forEach((value, i) => {
    samples[i] = Number.isFinite(value) ? Math.min(most, Math.max(0, Math.round((value - first) / step))) : 0
  })
  const holes = unreadable.map(({ region }) => {
    const left = Math.max(0, Math.floor(region.x / scale) - x)
    const top = Math.max(0, Math.floor(region.y / scale) - y)
    const right = Math.min(width, Math.ceil((region.x + region.width) / scale) - x)
    const bottom = Math.min(height, Math.ceil((region.y + region.height) / scale) - y)
    return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }
  })
  return { width, height, samples, holes }
}
