// A picture of a part of a slide as the window shows it: of channels their additive blend, of any other its own colours.
import { blend, brightnessTable, firstLooks, isBlended, type ChannelLook } from '../../app/contract'
import { tokenOf } from '../../native/index'
import type { ReadLimits, ReadReport, Unreadable } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { readChannelTile } from './channelTile'
import { readHatched } from './hatchedRead'
import type { OpenSlide } from './slides'

export interface ShownRead extends Readonly<Omit<ReadReport, 'unreadable'>> {
  readonly rgba: Uint8Array
  readonly unreadable: readonly Unreadable[]
}

/** `area` in px of `scale` level-0 px each. `looks`: one for each channel; null: nobody has changed them. */
export async function readShown(
  slide: OpenSlide,
  looks: readonly ChannelLook[] | null,
  scale: number,
  area: PixelRect,
  stop: AbortSignal,
  limits?: ReadLimits,
): Promise<ShownRead> {
  const { info, native } = slide
  if (!isBlended(info)) return readHatched(native, scale, area, tokenOf(stop), limits)
  const unreadable: Unreadable[] = []
  const layers = []
  let sampledEvery = 1
  // One after the other: each holds 8 bytes a px while it is read.
  for (const [channel, look] of (looks ?? firstLooks(info)).entries()) {
    if (!look.shown) continue
    const read = await readChannelTile(slide, channel, scale, area, stop)
    unreadable.push(...read.unreadable)
    sampledEvery = Math.max(sampledEvery, read.sampledEvery)
    layers.push({ tile: read.tile, table: brightnessTable(info.channels[channel]!, look), color: look.color })
  }
  const rgba = blend(layers, { width: area.width, height: area.height, left: area.x, top: area.y })
  return { rgba: new Uint8Array(rgba.buffer), unreadable, timedOut: false, sampledEvery }
}
