// Changes how the channels of the open slide are shown.
import { analysedChannel, firstLooks, type ChannelTile, type SlideInfo } from '../../../app/contract'
import { blendedSlide, histogramOf, looksOf, withLook, type ChannelLook } from '../slices/channelsSlice'
import { getState, patch, update } from '../store'
import { keepLooksSoon } from './keptLooks'
import { openSlide } from './slideActions'

const shownSlide = (): SlideInfo | null => {
  const { info } = getState().slide
  return blendedSlide(info) ? info : null
}

export function setLook(channel: number, part: Partial<ChannelLook>): void {
  const info = shownSlide()
  if (!info || channel >= info.channels.length) return
  update('channels', (state) => withLook(state, info, channel, part))
  keepLooksSoon(info)
}

export function toggleChannel(channel: number): void {
  const info = shownSlide()
  const look = info && looksOf(getState().channels, info)[channel]
  if (look) setLook(channel, { shown: !look.shown })
}

export function toggleChannels(): void {
  if (shownSlide()) update('channels', (state) => ({ ...state, opened: !state.opened }))
}

/** It is analysed from now on, in this window and wherever the document is open; what was found in another one stays where it is. */
export async function segmentIn(channel: number): Promise<void> {
  const { info, mppGiven } = getState().slide
  if (info && blendedSlide(info) && channel !== analysedChannel(info))
    await openSlide(info.path, mppGiven ?? undefined, null, channel)
}

/** By the overview; nothing where it has not been read yet. */
export function autoContrast(channel: number): void {
  const info = shownSlide()
  const found = info && getState().channels.histograms[info.path]?.[channel]
  if (found) setLook(channel, { low: found.low, high: found.high })
}

export function autoAll(): void {
  shownSlide()?.channels.forEach((_, channel) => autoContrast(channel))
}

/** Colour, contrast, gamma and what is shown, as when the slide was opened. */
export function resetChannels(): void {
  const info = shownSlide()
  if (!info) return
  update('channels', (state) => ({ ...state, looks: { ...state.looks, [info.path]: firstLooks(info) } }))
  autoAll()
  keepLooksSoon(info)
}

/** Reads the overview of each channel, and sets the contrasts of a slide that is opened for the first time. */
export async function channelsSeen(info: SlideInfo, read: (channel: number) => Promise<ChannelTile>): Promise<void> {
  const isNew = getState().channels.looks[info.path] === undefined
  const first = firstLooks(info)
  if (getState().slide.info === info) patch('channels', { opened: true, chosen: 0 })
  for (const [channel, about] of info.channels.entries()) {
    // What cannot be read has the range that the file's reader found, and no histogram.
    const tile = await read(channel).catch(() => null)
    const found = tile && histogramOf(tile, about)
    if (!found) continue
    update('channels', (state) => {
      const histograms = { ...state.histograms, [info.path]: { ...state.histograms[info.path], [channel]: found } }
      const next = { ...state, histograms }
      // Whoever was faster than the overview keeps what they set.
      const { low, high } = looksOf(state, info)[channel]!
      const isUntouched = isNew && low === first[channel]!.low && high === first[channel]!.high
      return isUntouched ? withLook(next, info, channel, { low: found.low, high: found.high }) : next
    })
  }
}
