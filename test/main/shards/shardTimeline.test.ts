// Shards on a timeline: lanes are machines and devices, and two at once on one device have a lane each.
import { expect, test } from 'vitest'
import { shardTimeline } from '../../../main/run/result/shardTimeline'

test('each shard lies on its machine’s lane, by when it was computed', () => {
  const record = (shard: number, node: string, from: number, to: number) => ({
    ...{ shard, of: 4, slideKey: 'a'.repeat(32), node, program: '0.1.0', device: 'gpu0', threads: 1 },
    ...{ startedAt: new Date(from).toISOString(), endedAt: new Date(to).toISOString() },
    ...{ elapsedMs: to - from - 5, cpuMs: 1, peakRssBytes: 1, tiles: shard, resumedTiles: 0, objects: 0 },
  })
  const shards = [
    record(1, 'n1', 1000, 1300),
    record(2, 'n2', 1100, 1200),
    record(3, 'n1', 1350, 1500),
    record(4, 'n1', 1200, 1600),
  ]
  const { startedAt, endedMs, lanes, lane, tiles, from, to, stageMs } = shardTimeline(shards)
  expect([startedAt, endedMs]).toEqual([new Date(1000).toISOString(), 600])
  expect(lanes.map(({ device }) => device)).toEqual(['n2 gpu0', 'n1 gpu0', 'n1 gpu0'])
  // In the order of their ends: 2, 1, 3, 4.
  expect(tiles).toEqual([2, 1, 3, 4])
  expect(lane).toEqual([0, 1, 1, 2])
  expect([from, to]).toEqual([
    [100, 0, 350, 200],
    [200, 300, 500, 600],
  ])
  expect(stageMs).toEqual([[95, 295, 145, 395]])
})
