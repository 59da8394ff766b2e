// Gives a view the painter of its slide's channels, and has it painted anew when a look changes.
import { useEffect, useMemo, type RefObject } from 'react'
import type { SlideInfo } from '../../../app/contract'
import { channelsSeen } from '../../store/slide/channelActions'
import { bringLooks } from '../../store/slide/keptLooks'
import { blendedSlide, looksOf } from '../../store/slices/channelsSlice'
import { getState, useStore } from '../../store/store'
import { ChannelPainter, loadChannel } from './channelPainter'
import type { OsdViewer } from '../osd/osdViewer'

/** null: the slide is one picture. */
export function useChannelPainter(info: SlideInfo | null, osd: RefObject<OsdViewer | null>): ChannelPainter | null {
  const painter = useMemo(
    () => (blendedSlide(info) ? new ChannelPainter(info, () => looksOf(getState().channels, info)) : null),
    [info],
  )
  const looks = useStore(({ channels }) => (blendedSlide(info) ? looksOf(channels, info) : null))
  useEffect(() => {
    if (looks) osd.current?.repaint()
  }, [looks, osd])
  useEffect(() => {
    if (!blendedSlide(info)) return
    const abort = new AbortController()
    const { slideId, viewer } = info
    const read = async (channel: number) => (await loadChannel(slideId, channel, [viewer.maxLevel, 0, 0], abort.signal)).tile
    void bringLooks(info).then(() => channelsSeen(info, read))
    return () => abort.abort()
  }, [info])
  return painter
}
