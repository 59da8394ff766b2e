// How the channels of slides are shown: which, in what colour, over which contrast. Pure. By the slide's path; the document keeps them.
// Of the picture on the screen alone: what is computed reads the file, and never what is shown.
import {
  firstLooks,
  isBlended,
  sampleScale,
  type ChannelLook as LookOfRecord,
  type ChannelTile,
  type SlideChannel,
  type SlideInfo,
} from '../../../app/contract'

export type ChannelLook = Readonly<LookOfRecord>

/** Of a channel's samples as the slide's overview has them. */
export interface ChannelHistogram {
  readonly from: number
  readonly to: number
  readonly counts: readonly number[]
  /** What Auto takes. */
  readonly low: number
  readonly high: number
}

export interface ChannelsState {
  readonly looks: Readonly<Record<string, readonly ChannelLook[]>>
  readonly histograms: Readonly<Record<string, Readonly<Record<number, ChannelHistogram>>>>
  /** The card. */
  readonly opened: boolean
  /** The channel whose contrast the card shows. */
  readonly chosen: number
}

export const noChannels: ChannelsState = { looks: {}, histograms: {}, opened: false, chosen: 0 }

const first = new WeakMap<SlideInfo, readonly ChannelLook[]>()
/** The same object until something is changed. */
export function looksOf({ looks }: ChannelsState, info: SlideInfo): readonly ChannelLook[] {
  const own = looks[info.path]
  if (own?.length === info.channels.length) return own
  if (!first.has(info)) first.set(info, firstLooks(info))
  return first.get(info)!
}

export function withLook(state: ChannelsState, info: SlideInfo, channel: number, part: Partial<ChannelLook>): ChannelsState {
  const looks = looksOf(state, info).map((look, i) => (i === channel ? { ...look, ...part } : look))
  return { ...state, looks: { ...state.looks, [info.path]: looks } }
}

const bins = 96
/** Of the samples that are told apart, so many thousandths are darker or brighter than Auto's ends. */
const [darker, brighter] = [0.01, 0.998]

/** null: there is nothing in it. */
export function histogramOf(tile: ChannelTile, channel: SlideChannel): ChannelHistogram | null {
  const { first: zero, step } = sampleScale(channel)
  const sorted = tile.samples.slice().sort()
  if (sorted.length === 0) return null
  const value = (part: number): number => zero + step * sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
  const from = Math.min(value(0), channel.low)
  const to = Math.max(value(1), channel.high, from + step)
  const counts = Array.from({ length: bins }, () => 0)
  for (const sample of sorted) {
    const at = Math.floor(((zero + step * sample - from) / (to - from)) * bins)
    counts[Math.min(bins - 1, Math.max(0, at))]! += 1
  }
  const low = value(darker)
  const high = value(brighter)
  // A few bright cells on much that is empty: what holds all of them.
  return { from, to, counts, low, high: high > low ? high : Math.max(value(1), low + step) }
}

/** The slide is shown as channels: that is a card's and a legend's business. */
export const blendedSlide = (info: SlideInfo | null): info is SlideInfo => info !== null && isBlended(info)
