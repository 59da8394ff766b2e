// What a run did when: its windows on lanes by time, what each stage of them took, and when it stood still. Bounded, however long the run.
import { performance } from 'node:perf_hooks'
import { timingKey } from '../../../app/contract'
import type { RunTimeline } from '../../../app/contract'
import type { StageTiming } from '../../../native/index'
import type { WindowSpan } from '../tiles/computeTile'
import { variantsOf } from './timings'

/** Beyond, neighbours on a lane become one: some 10 to 20 numbers an entry, in run.json some 60 bytes. */
const defaultEntries = 8192
const maxWrites = 4096
/** Two clocks' looks at one moment, on their way through the event loop. */
const toleranceMs = 1

type TimelineStage = RunTimeline['stages'][number]

interface Entry {
  readonly lane: number
  readonly x: number
  readonly y: number
  tiles: number
  windows: number
  readonly from: number
  to: number
  readonly stageMs: number[]
}

const tenth = (ms: number): number => Math.round(ms * 10) / 10

export class Timeline {
  private entries: Entry[] = []
  private readonly stages: RunTimeline['stages'] = []
  private readonly stageAt = new Map<string, number>()
  private readonly lanes: { device: string; until: number }[] = []
  private readonly pauses: { from: number; to: number | null }[] = []
  private ground: { readonly from: number; readonly to: number } | undefined
  private writes: { from: number; to: number; bytes: number }[] = []
  private startedAt: { readonly clock: number; readonly iso: string } | undefined
  private endedAt: number | undefined
  private readonly maxEntries: number

  constructor(maxEntries = defaultEntries) {
    this.maxEntries = maxEntries
  }

  /** The time 0. */
  start(): void {
    this.startedAt ??= { clock: performance.now(), iso: new Date().toISOString() }
  }

  end(): void {
    this.endedAt ??= performance.now()
    this.resume()
  }

  pause(): void {
    this.pauses.push({ from: performance.now(), to: null })
  }

  resume(): void {
    const last = this.pauses.at(-1)
    if (last) last.to ??= performance.now()
  }

  /** A window that has ended: such come in the order of their ends. O(lanes and stages). */
  add(timings: readonly StageTiming[], { from, computedMs, packedMs, tile, tiles, device }: WindowSpan): void {
    this.start()
    const stageMs: number[] = []
    const took = (at: number, ms: number): void => void (stageMs[at] = (stageMs[at] ?? 0) + ms)
    for (const timing of timings) took(this.placeOf(timing), timing.ms)
    took(this.placeOf({ stage: 'pack', device: 'cpu', variant: '' }), packedMs)
    const to = from + computedMs + packedMs
    this.entries.push({ lane: this.laneFor(device, from, to), ...tile, tiles, windows: 1, from, to, stageMs })
    if (this.entries.length > this.maxEntries) this.entries = halved(this.entries)
  }

  /** Before the first window, on all devices at once. */
  stoodOn(from: number, to: number): void {
    this.ground = { from, to }
  }

  wrote(from: number, to: number, bytes: number): void {
    const last = this.writes.at(-1)
    // Writes that touch are one.
    if (last && from - last.to < 1) {
      last.to = to
      last.bytes += bytes
    } else this.writes.push({ from, to, bytes })
    if (this.writes.length > maxWrites)
      this.writes = this.writes.flatMap((write, i, all) =>
        i % 2 === 1 ? [] : [{ from: write.from, to: (all[i + 1] ?? write).to, bytes: write.bytes + (all[i + 1]?.bytes ?? 0) }],
      )
  }

  get(): RunTimeline {
    const zero = this.startedAt?.clock ?? performance.now()
    const at = (ms: number): number => tenth(ms - zero)
    const of = <K extends keyof Entry>(key: K): Entry[K][] => this.entries.map((entry) => entry[key])
    const end = this.endedAt ?? performance.now()
    return {
      startedAt: this.startedAt?.iso ?? new Date().toISOString(),
      endedMs: at(end),
      stages: this.stages.map((stage) => ({ ...stage })),
      lanes: this.lanes.map(({ device }) => ({ device })),
      lane: of('lane'),
      x: of('x'),
      y: of('y'),
      tiles: of('tiles'),
      windows: of('windows'),
      from: of('from').map(at),
      to: of('to').map(at),
      stageMs: this.stages.map((_, stage) => this.entries.map(({ stageMs }) => tenth(stageMs[stage] ?? 0))),
      pauses: this.pauses.map(({ from, to }) => ({ from: at(from), to: at(to ?? end) })),
      ...(this.ground && { ground: { from: at(this.ground.from), to: at(this.ground.to) } }),
      writes: {
        from: this.writes.map(({ from }) => at(from)),
        to: this.writes.map(({ to }) => at(to)),
        bytes: this.writes.map(({ bytes }) => bytes),
      },
    }
  }

  private placeOf({ stage, device, variant, part, reader, memory, kept }: TimelineStage): number {
    const key = timingKey({ stage, device, part, reader, memory, kept })
    const known = this.stageAt.get(key)
    if (known !== undefined) {
      const entry = this.stages[known]!
      entry.variant = variantsOf(entry.variant, variant)
      return known
    }
    this.stageAt.set(key, this.stages.length)
    const parts = {
      ...(part !== undefined && { part }),
      ...(reader !== undefined && { reader }),
      ...(memory !== undefined && { memory }),
      ...(kept !== undefined && { kept }),
    }
    return this.stages.push({ stage, device, variant, ...parts }) - 1
  }

  /** The first of the device's that was free then. */
  private laneFor(device: string, from: number, to: number): number {
    let at = this.lanes.findIndex((lane) => lane.device === device && lane.until <= from + toleranceMs)
    if (at < 0) at = this.lanes.push({ device, until: to }) - 1
    this.lanes[at]!.until = to
    return at
  }
}

/** Two neighbours on a lane are one from then on: what it did between them it waited. */
function halved(entries: readonly Entry[]): Entry[] {
  const open = new Map<number, Entry>()
  const kept: Entry[] = []
  for (const entry of entries) {
    const first = open.get(entry.lane)
    if (!first) {
      const copy = { ...entry, stageMs: [...entry.stageMs] }
      open.set(entry.lane, copy)
      kept.push(copy)
      continue
    }
    first.to = entry.to
    first.tiles += entry.tiles
    first.windows += entry.windows
    entry.stageMs.forEach((ms, stage) => (first.stageMs[stage] = (first.stageMs[stage] ?? 0) + ms))
    open.delete(entry.lane)
  }
  return kept
}
