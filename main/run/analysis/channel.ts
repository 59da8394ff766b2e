// Which of a slide's channels a run was made in: what goes on with it, or computes more of it, must be in the same.
import { analysedChannel } from '../../../app/contract'
import type { RunRequest, SlideInfo } from '../../../app/contract'
import { EngineError } from '../../base/errors'

/** Throws INVALID_PARAMETER where the slide is open with another channel. `what` was made in it: "Run 2 was found". */
export function requireChannel({ channel }: Pick<RunRequest, 'channel'>, slide: SlideInfo, what: string): void {
  const now = analysedChannel(slide)
  if (channel === undefined || channel === now) return
  const name = (at: number | null): string => (at === null ? 'one picture' : (slide.channels[at]?.name ?? `channel ${at + 1}`))
  throw new EngineError(
    'INVALID_PARAMETER',
    `${what} in ${name(channel)}, and the slide is open with ${name(now)} analysed. Open it with ${name(channel)} (--channel, or the card of channels).`,
  )
}

interface OfRun {
  readonly name: string
  readonly request: Pick<RunRequest, 'channel'>
  readonly draft: { readonly slide: { readonly info: SlideInfo } }
}
/** Of who reads the run's pixels once more. */
export const requireOwnChannel = ({ name, request, draft }: OfRun): void =>
  requireChannel(request, draft.slide.info, `${name} was found`)

/** As the run's status says it: nothing of a slide that is one picture. */
export function channelNamed({ channels }: SlideInfo, { channel }: Pick<RunRequest, 'channel'>): { channelName?: string } {
  const name = channel === undefined ? undefined : channels[channel]?.name
  return name === undefined ? {} : { channelName: name }
}

/** The slide as the run had it: the channel that was analysed then is called so. */
export function slideOfRun(slide: SlideInfo, { channel }: Pick<RunRequest, 'channel'>): SlideInfo {
  if (channel === undefined || channel === analysedChannel(slide)) return slide
  const channels = slide.channels.map((each, at) => ({ ...each, shown: at === channel ? ('gray' as const) : ('no' as const) }))
  return { ...slide, channels }
}
