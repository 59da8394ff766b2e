// How long the engine's thread is taken at once: each turn of its loop that takes longer than a few milliseconds, with what it was spent on.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'
import { PerformanceObserver, performance } from 'node:perf_hooks'

/** A turn of the loop that is told of. */
const leastMs = 5

export interface Turn {
  readonly from: number
  readonly to: number
  /** Of this thread: what others of the machine took is not in it. */
  readonly cpuMs: number
  gcMs: number
}

export interface Watched {
  /** The longest turn, by the clock and by this thread's own time, ms. They may be two. */
  readonly longest: number
  readonly longestCpu: number
  /** Of that turn, collecting garbage. */
  readonly gcOfIt: number
  readonly turns: number
  /** The longest, and what they were spent on; where it was asked for. */
  readonly stacks: string[]
}

interface WithThreadUsage {
  threadCpuUsage?: () => { readonly user: number; readonly system: number }
}

/** Milliseconds of this thread. Node 24 knows them; before it the kernel is asked, which knows them by its ticks. */
function threadMs(): number {
  const usage = (process as WithThreadUsage).threadCpuUsage?.()
  if (usage) return (usage.user + usage.system) / 1000
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}

/** From now until `end`. `profiled`: with what the longest turns were spent on, which costs time itself. */
export function watchedTurns(profiled: boolean): { end: () => Promise<Watched> } {
  const turns: Turn[] = []
  const collections: { readonly from: number; readonly to: number }[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) collections.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  const session = profiled ? new Session() : null
  if (session) {
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: 500 })
    session.post('Profiler.start')
  }
  let [last, lastCpu, over] = [performance.now(), threadMs(), false]
  const look = (): void => {
    const [now, cpu] = [performance.now(), threadMs()]
    if (now - last > leastMs) turns.push({ from: last, to: now, cpuMs: cpu - lastCpu, gcMs: 0 })
    ;[last, lastCpu] = [performance.now(), threadMs()]
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  return {
    end: async () => {
      // The observer hears of collections a little later.
      await new Promise((resolve) => setTimeout(resolve, 20))
      over = true
      const profile = session ? await stopped(session) : null
      for (const { startTime, duration } of observer.takeRecords())
        collections.push({ from: startTime, to: startTime + duration })
      observer.disconnect()
      for (const turn of turns)
        for (const { from, to } of collections) turn.gcMs += Math.max(0, Math.min(to, turn.to) - Math.max(from, turn.from))
      const byCpu = turns.toSorted((a, b) => b.cpuMs - a.cpuMs)
      return {
        longest: Math.round(Math.max(0, ...turns.map(({ from, to }) => to - from))),
        longestCpu: Math.round(byCpu[0]?.cpuMs ?? 0),
        gcOfIt: Math.round(byCpu[0]?.gcMs ?? 0),
        turns: turns.filter(({ cpuMs }) => cpuMs > 15).length,
        stacks: profile ? byCpu.slice(0, 6).map((turn) => spentOn(profile, turn)) : [],
      }
    },
  }
}

const stopped = (session: Session): Promise<Profiler.Profile> =>
  new Promise((resolve, reject) =>
    session.post('Profiler.stop', (error, { profile }) => {
      session.disconnect()
      if (error) reject(error)
      else resolve(profile)
    }),
  )

/** Of the profile's clock, which is the machine's in microseconds. */
const clockAt = (ms: number): number => Number(process.hrtime.bigint() / 1000n) + 1000 * (ms - performance.now())

/** The stacks of a turn that took most of it. */
function spentOn(profile: Profiler.Profile, turn: Turn): string {
  const { nodes, samples = [], timeDeltas = [] } = profile
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const above = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const [from, to] = [clockAt(turn.from), clockAt(turn.to)]
  const spent = new Map<string, number>()
  let at = profile.startTime
  samples.forEach((id, i) => {
    at += timeDeltas[i] ?? 0
    if (at < from || at > to) return
    const names: string[] = []
    for (let node: number | undefined = id; node !== undefined && names.length < 5; node = above.get(node)) {
      const { functionName, lineNumber } = byId.get(node)!.callFrame
      names.push(`${functionName || '(anonymous)'}:${lineNumber + 1}`)
    }
    const stack = names.join(' < ')
    spent.set(stack, (spent.get(stack) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  })
  const rows = [...spent].toSorted(([, a], [, b]) => b - a).slice(0, 6)
  const head = `${Math.round(turn.to - turn.from)} ms, ${Math.round(turn.cpuMs)} of this thread, ${Math.round(turn.gcMs)} of garbage`
  return [head, ...rows.map(([stack, ms]) => `    ${ms.toFixed(1)} ${stack}`)].join('\n')
}
