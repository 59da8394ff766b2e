// How a slide's channels are shown before anybody has changed it: which, in what colour, over which contrast. Pure.
import type { ChannelLook } from '../records/slide'
import type { SlideChannel, SlideInfo } from '../slides'

/** More at once are one white haze. */
const mostShown = 6
const ownColours = ['#00ff00', '#ff0000', '#ff00ff', '#ffff00', '#00ffff', '#ff8000', '#ffffff'] as const
const nuclear = /dapi|hoechst|dna|nucle|draq/i

/** As the file has it; nuclear stains blue, others each a colour of its own, where it has none. */
function colourOf({ name, color }: SlideChannel, place: number, count: number): string {
  if (color !== null && color !== '#000000') return color
  if (count === 1) return '#ffffff'
  return nuclear.test(name) ? '#0040ff' : ownColours[place % ownColours.length]!
}

/** One for each of its channels. */
export function firstLooks({ channels }: Pick<SlideInfo, 'channels'>): ChannelLook[] {
  let others = 0
  return channels.map((channel, i) => {
    const color = colourOf(channel, others, channels.length)
    if (!nuclear.test(channel.name)) others++
    const { low, high, shown } = channel
    return { shown: i < mostShown || shown === 'gray', color, low, high: high > low ? high : low + 1, gamma: 1 }
  })
}
