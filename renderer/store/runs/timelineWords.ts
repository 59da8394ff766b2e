// A run's timeline in words: what each device did, the names of stages, and what was taken from queues. Pure.
import type { RunTimeline, WorkRow } from '../../../app/contract'
import { deviceLooks, rest, shortMs } from '../../arithmetic/timeline'
import { words } from '../../words'
import { titled } from '../../words/named'

/** "cpu: 2 windows at once, busy 91 % of the time, longest gap 12 ms"; '' where nothing was computed. */
export const busyWords = (timeline: RunTimeline): string =>
  deviceLooks(timeline)
    .map(({ device, lanes, busy, longestGap }) => words.timeline.device(device, lanes, busy, shortMs(longestGap)))
    .join('; ')

/** "1 234 px, up to 56 at once" */
export function queueWords({ device, queued, longest }: WorkRow): string {
  if (queued === 0) return ''
  const entries = words.work.queued(queued, device === 'cpu')
  return longest > 0 ? words.work.queuedUpTo(entries, longest) : entries
}

export const stageName = (stage: string): string => (stage === rest ? words.timeline.rest : titled(stage))

/** Why no window was computed for a while. */
export const standWords = (why: 'paused' | 'background'): string =>
  why === 'paused' ? words.runStates.paused : words.timeline.background
