// When which machine computed which shard of a run, in the form of a run's timeline: a shard stands where a window does.
import type { RunTimeline, ShardRecord } from '../../../app/contract'

/** Lanes are machines and their devices. Times are by the machines' own clocks. O(shards · lanes). */
export function shardTimeline(shards: readonly ShardRecord[]): RunTimeline {
  const at = (iso: string): number => Date.parse(iso)
  const zero = Math.min(...shards.map(({ startedAt }) => at(startedAt)))
  const entries = [...shards].sort((a, b) => at(a.endedAt) - at(b.endedAt) || a.shard - b.shard)
  const lanes: { device: string; until: number }[] = []
  const lane = entries.map(({ node, device: own, startedAt, endedAt }) => {
    const device = `${node} ${own}`
    let free = lanes.findIndex((each) => each.device === device && each.until <= at(startedAt))
    if (free < 0) free = lanes.push({ device, until: 0 }) - 1
    lanes[free]!.until = at(endedAt)
    return free
  })
  return {
    startedAt: new Date(zero).toISOString(),
    endedMs: Math.max(...shards.map(({ endedAt }) => at(endedAt))) - zero,
    stages: [{ stage: 'shard', device: '', variant: '' }],
    lanes: lanes.map(({ device }) => ({ device })),
    lane,
    x: entries.map(() => 0),
    y: entries.map(() => 0),
    tiles: entries.map(({ tiles }) => tiles),
    windows: entries.map(() => 1),
    from: entries.map(({ startedAt }) => at(startedAt) - zero),
    to: entries.map(({ endedAt }) => at(endedAt) - zero),
    stageMs: [entries.map(({ elapsedMs }) => elapsedMs)],
    pauses: [],
    writes: { from: [], to: [], bytes: [] },
  }
}
