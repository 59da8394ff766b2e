// A run's timeline as bars: which stages have a colour, where each bar lies, what is idle, and which window a point or a key means.
import type { RunTimeline } from '../../app/contract'

/** Okabe and Ito's colours, told apart by every kind of eye, on dark; grey is what takes least. */
export const stageColours = ['#56b4e9', '#e69f00', '#009e73', '#f0e442', '#d55e00', '#cc79a7', '#3d8fd1'] as const
export const restColour = '#7d8793'
/** In place of a name: the stages that have no colour of their own. */
export const rest = ''

/** "340 ms", "1.25 s". */
export const shortMs = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`

/** A step of the axis: 1, 2 or 5 of a power of ten. */
export function stepOf(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(10, ms)) - 1)
  return [1, 2, 5, 10, 20].map((n) => n * power).find((step) => ms / step <= 8) ?? 50 * power
}

export interface StageLook {
  readonly name: string
  readonly colour: string
  readonly ms: number
}

/** By name, whatever computed it, the longest first; beyond the colours there are, together. */
export function stageLooks({ stages, stageMs }: RunTimeline): StageLook[] {
  const sums = new Map<string, number>()
  stages.forEach(({ stage }, i) => sums.set(stage, (sums.get(stage) ?? 0) + stageMs[i]!.reduce((sum, ms) => sum + ms, 0)))
  const sorted = [...sums].sort(([, a], [, b]) => b - a)
  const looks: StageLook[] = sorted.slice(0, stageColours.length).map(([name, ms], i) => ({ name, ms, colour: stageColours[i]! }))
  const others = sorted.slice(stageColours.length)
  if (others.length > 0) looks.push({ name: rest, ms: others.reduce((sum, [, ms]) => sum + ms, 0), colour: restColour })
  return looks
}

export interface Bar {
  /** ms. */
  readonly from: number
  readonly to: number
  readonly colour: string
}

/** A window's stages one after the other from its begin: reading, what it waited, the others, packing. */
export function barsOf(timeline: RunTimeline, entry: number, colours: ReadonlyMap<string, string>): Bar[] {
  const { stages, stageMs } = timeline
  const rank = (stage: string): number => (stage === 'read' ? 0 : stage === 'pack' ? 2 : 1)
  const order = stages.map((_, i) => i).sort((a, b) => rank(stages[a]!.stage) - rank(stages[b]!.stage) || a - b)
  const from = timeline.from[entry]!
  const length = timeline.to[entry]! - from
  const sum = order.reduce((total, i) => total + stageMs[i]![entry]!, 0)
  // Stages of copies that overlap others add up to more than the time that passed.
  const scale = sum > length && sum > 0 ? length / sum : 1
  const bars: Bar[] = []
  let at = from
  for (const i of order) {
    const ms = stageMs[i]![entry]! * scale
    const { stage } = stages[i]!
    if (ms > 0) bars.push({ from: at, to: at + ms, colour: colours.get(stage) ?? restColour })
    at += ms
    if (stage === 'read') at += Math.max(0, length - sum * scale)
  }
  return bars
}

interface Stand {
  readonly from: number
  readonly to: number
  readonly why: 'paused' | 'background'
}

/** When no window was to be computed, and why. A pause holds the background too: it is part of its time. */
export function standsOf({ pauses, ground }: RunTimeline): Stand[] {
  if (!ground) return pauses.map((pause) => ({ ...pause, why: 'paused' }))
  const others = pauses.filter(({ from }) => from < ground.from || from >= ground.to)
  return [{ ...ground, why: 'background' }, ...others.map((pause): Stand => ({ ...pause, why: 'paused' }))]
}

export interface DeviceLook {
  readonly device: string
  readonly lanes: number
  /** Of the time of its lanes, pauses and the slide's background apart, what windows filled: 0 to 1. */
  readonly busy: number
  /** ms, within a lane, pauses apart. */
  readonly longestGap: number
}

export function deviceLooks(timeline: RunTimeline): DeviceLook[] {
  const { lanes, lane, from, to, endedMs } = timeline
  const pausedIn = (begin: number, end: number): number =>
    standsOf(timeline).reduce((sum, pause) => sum + Math.max(0, Math.min(pause.to, end) - Math.max(pause.from, begin)), 0)
  const busy = lanes.map(() => 0)
  const gap = lanes.map(() => 0)
  const until = lanes.map(() => 0)
  lane.forEach((at, i) => {
    busy[at]! += to[i]! - from[i]!
    gap[at] = Math.max(gap[at]!, from[i]! - until[at]! - pausedIn(until[at]!, from[i]!))
    until[at] = to[i]!
  })
  const length = Math.max(1, endedMs - pausedIn(0, endedMs))
  const devices = [...new Set(lanes.map(({ device }) => device))]
  return devices.map((device) => {
    const own = lanes.flatMap((each, i) => (each.device === device ? [i] : []))
    const filled = own.reduce((sum, i) => sum + busy[i]!, 0)
    return {
      device,
      lanes: own.length,
      busy: Math.min(1, filled / (length * own.length)),
      longestGap: Math.max(...own.map((i) => gap[i]!)),
    }
  })
}

/** The window of a lane at a time; null between two. */
export function entryAt({ lane, from, to }: RunTimeline, wanted: number, ms: number): number | null {
  const at = lane.findIndex((each, i) => each === wanted && from[i]! <= ms && to[i]! >= ms)
  return at < 0 ? null : at
}

/** The next window of the same lane, or of the lane beside it at about the same time. */
export function neighbour(timeline: RunTimeline, entry: number | null, key: string): number | null {
  const { lane, from } = timeline
  if (entry === null) return lane.length > 0 ? 0 : null
  const own = lane[entry]!
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (step !== 0) {
    for (let i = entry + step; i >= 0 && i < lane.length; i += step) if (lane[i] === own) return i
    return entry
  }
  const other = own + (key === 'ArrowDown' ? 1 : -1)
  const there = lane.flatMap((each, i) => (each === other ? [i] : []))
  if (there.length === 0) return entry
  return there.reduce((best, i) => (Math.abs(from[i]! - from[entry]!) < Math.abs(from[best]! - from[entry]!) ? i : best))
}
