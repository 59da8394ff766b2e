// The viewer's picture tiles: the file's own JPEG where it fits, else read, scaled and encoded; stain channels and associated images.
import type { Sharp } from 'sharp'
import { isBlended, packChannelTile, type SlideInfo } from '../../app/contract'
import { stainChannel, tokenOf } from '../../native/index'
import type { ReadLimits, ReadReport, Unreadable } from '../../native/index'
import { ByteCache } from '../base/byteCache'
import { EngineError } from '../base/errors'
import type { PixelRect } from '../base/rect'
import { readShown } from './blendedRead'
import { readChannelTile } from './channelTile'
import type { ColorProfile } from './colorProfile'
import { hatchParts, missing } from './hatch'
import { ownBytes } from '../base/encoded'
import type { Encoded } from '../base/encoded'
import { sharp } from '../base/sharp'
import type { OpenSlide } from './slides'
import { viewerLevelSize } from './slideInfo'

const jpegQuality = 90
const cacheBytes = 192 * 1024 * 1024
/** The engine gives 100 grey values an OD; the eye wants the usual 0 … 1.5 OD over the whole range. */
const stainGain = 1.7
/** A picture that takes longer shows what was read and hatches the rest. */
const deadlineMs = 8000
/** Px of the file that one tile may cost: above, a coarse tile of a slide without small levels is sampled, not read whole. */
const tileBudgetPixels = 2 ** 28
const limitsOf = (info: SlideInfo): ReadLimits => ({
  deadlineMs,
  mostLevelPxPerPx: tileBudgetPixels / info.viewer.tileSizePx ** 2,
})

/**
 * The level of the file whose tiles are the viewer's tiles of level k: same tile size, and a size that differs from level 0
 * halved k times by rounding alone. -1 where there is none.
 */
export function passThroughLevel(slide: Pick<SlideInfo, 'widthPx' | 'heightPx' | 'levels' | 'viewer'>, k: number): number {
  const tile = slide.viewer.tileSizePx
  return slide.levels.findIndex(
    (level) =>
      level.tileWidthPx === tile &&
      level.tileHeightPx === tile &&
      Math.abs(level.widthPx - slide.widthPx / 2 ** k) <= 1 &&
      Math.abs(level.heightPx - slide.heightPx / 2 ** k) <= 1,
  )
}

/** The part of tile (x, y) that the level has; throws NOT_FOUND beyond its edge. */
function tileArea(info: SlideInfo, k: number, x: number, y: number): PixelRect {
  const size = viewerLevelSize(info, k)
  const tile = info.viewer.tileSizePx
  const area = {
    x: x * tile,
    y: y * tile,
    width: Math.min(tile, size.width - x * tile),
    height: Math.min(tile, size.height - y * tile),
  }
  if (k > info.viewer.maxLevel || area.width <= 0 || area.height <= 0) {
    throw new EngineError('NOT_FOUND', `The slide ${info.slideId} has no tile ${x}, ${y} at level ${k}.`)
  }
  return area
}

export class SlideTiles {
  private readonly cache = new ByteCache<Encoded>(cacheBytes, (tile) =>
    // Not kept where the time was up: another try gets further.
    tile.timedOut ? Infinity : tile.body.byteLength + 200,
  )

  /** Stopped when all that asked for it have gone. */
  picture(slide: OpenSlide, k: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    const area = tileArea(slide.info, k, x, y)
    const read = async (stop: AbortSignal): Promise<Encoded> =>
      (await passThrough(slide, k, x, y, area, stop)) ?? readPicture(slide, k, area, stop)
    return this.cache.getOrCompute(`${slide.info.slideId}/p/${k}/${x}_${y}`, read, { signal })
  }

  /** The same in the colours that the file's profile gives its samples; without a profile it is the same. */
  converted(slide: OpenSlide, k: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    if (!slide.profile) return this.picture(slide, k, x, y, signal)
    const area = tileArea(slide.info, k, x, y)
    const read = (stop: AbortSignal): Promise<Encoded> => readPicture(slide, k, area, stop, slide.profile)
    return this.cache.getOrCompute(`${slide.info.slideId}/v/${k}/${x}_${y}`, read, { signal })
  }

  stain(
    slide: OpenSlide,
    stains: string,
    channel: 0 | 1 | 2,
    k: number,
    x: number,
    y: number,
    signal?: AbortSignal,
  ): Promise<Encoded> {
    const area = tileArea(slide.info, k, x, y)
    const paint = async (stop: AbortSignal): Promise<Encoded> => {
      const { x: left, y: top, width, height } = area
      const scale = 2 ** k
      const read = await stainChannel(
        slide.native,
        stains,
        channel,
        scale,
        left,
        top,
        width,
        height,
        tokenOf(stop),
        limitsOf(slide.info),
      )
      const { gray } = read
      const gain = stains === 'rgb' ? 1 : stainGain
      for (let i = 0; i < gray.length; i++) gray[i] = Math.min(255, Math.round(gray[i]! * gain))
      const raw = { width, height, channels: 1 as const }
      const picture =
        read.unreadable.length === 0
          ? sharp()(gray, { raw }).toColourspace('b-w')
          : hatchedGray(gray, area, scale, read.unreadable)
      const png = await picture.png({ compressionLevel: 3 }).toBuffer()
      return { type: 'image/png', body: ownBytes(png), ...reportOf(read) }
    }
    return this.cache.getOrCompute(`${slide.info.slideId}/s/${stains}/${channel}/${k}/${x}_${y}`, paint, { signal })
  }

  /** Its samples, not coloured: the page blends channels, so that another contrast asks for nothing. */
  channel(slide: OpenSlide, channel: number, k: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    const { slideId, channels } = slide.info
    const area = tileArea(slide.info, k, x, y)
    if (channel >= channels.length) throw new EngineError('NOT_FOUND', `The slide ${slideId} has no channel ${channel}.`)
    const read = async (stop: AbortSignal): Promise<Encoded> => {
      const { tile, unreadable, sampledEvery } = await readChannelTile(slide, channel, 2 ** k, area, stop)
      const body = packChannelTile(tile)
      return { type: 'application/octet-stream', body, ...reportOf({ unreadable, timedOut: false, sampledEvery }) }
    }
    return this.cache.getOrCompute(`${slideId}/c/${channel}/${k}/${x}_${y}`, read, { signal })
  }

  /** Never cached: it is shown only while the user asks for it. */
  async associated(slide: OpenSlide, name: string): Promise<Encoded> {
    if (!slide.info.associatedImages.includes(name)) {
      throw new EngineError('NOT_FOUND', `The slide ${slide.info.slideId} has no associated image of that name.`)
    }
    const { rgba, width, height } = await slide.native.associated(name)
    return { type: 'image/jpeg', body: await toJpeg(rgba, width, height) }
  }

  forget(slideId: string): void {
    this.cache.deletePrefix(`${slideId}/`)
  }
}

async function passThrough(
  slide: OpenSlide,
  k: number,
  x: number,
  y: number,
  area: PixelRect,
  stop: AbortSignal,
): Promise<Encoded | null> {
  // A file's tile of one channel is no picture of all.
  if (isBlended(slide.info)) return null
  const tile = slide.info.viewer.tileSizePx
  // Tiles at the right and bottom edge are padded in the file; the viewer wants them cut.
  if (area.width !== tile || area.height !== tile) return null
  const level = passThroughLevel(slide.info, k)
  const { widthPx = 0, heightPx = 0 } = slide.info.levels[level] ?? {}
  if ((x + 1) * tile > widthPx || (y + 1) * tile > heightPx) return null
  try {
    const body = await slide.native.tileJpeg(level, x, y, tokenOf(stop))
    return body && { type: 'image/jpeg', body }
  } catch {
    stop.throwIfAborted()
    // Not silent: the read that follows reports the same damage, hatched and counted.
    return null
  }
}

async function readPicture(
  slide: OpenSlide,
  k: number,
  area: PixelRect,
  stop: AbortSignal,
  profile: ColorProfile | null = null,
): Promise<Encoded> {
  const scale = 2 ** k
  const { width, height } = area
  const read = await readShown(slide, null, scale, area, stop, limitsOf(slide.info))
  return { type: 'image/jpeg', body: await toJpeg(read.rgba, width, height, profile), ...reportOf(read) }
}

function reportOf({
  unreadable,
  timedOut,
  sampledEvery,
}: Readonly<Omit<ReadReport, 'unreadable'>> & { readonly unreadable: readonly Unreadable[] }): Omit<Encoded, 'type' | 'body'> {
  const reason = unreadable[0]?.reason
  return { unreadable: unreadable.length, ...(reason ? { reason } : {}), timedOut, sampledEvery }
}

/** A grey picture in which what could not be read is hatched as everywhere else. */
function hatchedGray(gray: Uint8Array, area: PixelRect, scale: number, unreadable: readonly Unreadable[]): Sharp {
  const rgba = new Uint8Array(gray.length * 4)
  for (let i = 0; i < gray.length; i++) rgba.set([gray[i]!, gray[i]!, gray[i]!, 255], 4 * i)
  hatchParts(rgba, area, scale, missing(unreadable))
  return sharp()(rgba, { raw: { width: area.width, height: area.height, channels: 4 } }).removeAlpha()
}

async function toJpeg(
  rgba: Uint8Array,
  width: number,
  height: number,
  profile: ColorProfile | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = profile
    ? sharp()((await import('./colorProfile')).withProfile(rgba, width, height, profile.icc))
    : sharp()(rgba, { raw: { width, height, channels: 4 } })
  return ownBytes(await picture.removeAlpha().jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' }).toBuffer())
}
