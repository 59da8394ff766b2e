// A run's timeline: one window at a time on a lane, all that was computed in it, and no more of it than a file bears.
import { expect, it } from 'vitest'
import { Timeline } from '../../../main/run/result/timeline'
import { seeded } from '../../stress/seeded'

const stage = (name: string, ms: number) => ({ stage: name, device: 'cpu', variant: 'auto', ms, pixels: 1, work: [] })

function filled(windows: number, lanes: number, most?: number): Timeline {
  const timeline = new Timeline(most)
  const random = seeded(5)
  const free = new Array<number>(lanes).fill(performance.now())
  timeline.start()
  for (let n = 0; n < windows; n++) {
    // The lane that is free first, as workers take what comes next.
    const lane = free.indexOf(Math.min(...free))
    const ms = 5 + random() * 10
    const from = free[lane]! + random()
    free[lane] = from + ms + 1
    timeline.add([stage('read', ms / 4), stage('measure', ms / 2)], {
      from,
      computedMs: ms,
      packedMs: 1,
      tile: { x: 4 * n, y: 8 },
      tiles: 16,
      device: n % 7 === 0 ? 'gpu0' : 'cpu',
    })
  }
  timeline.end()
  return timeline
}

it('has every window on a lane of its own device, one at a time', () => {
  const { lane, lanes, from, to, stages, stageMs, x, y, tiles, windows } = filled(200, 3).get()
  expect(stages.map(({ stage: name }) => name)).toEqual(['read', 'measure', 'pack'])
  expect([x[3], y[3], tiles[3], windows[3], lanes[lane[7]!]!.device, lanes[lane[8]!]!.device]).toEqual([
    12,
    8,
    16,
    1,
    'gpu0',
    'cpu',
  ])
  expect(lanes.length).toBeLessThanOrEqual(6)
  const until = new Map<number, number>()
  lane.forEach((at, i) => {
    expect(from[i]).toBeGreaterThanOrEqual((until.get(at) ?? -Infinity) - 1.11)
    expect(to[i]! - from[i]!).toBeGreaterThan(stageMs[0]![i]! + stageMs[1]![i]!)
    until.set(at, to[i]!)
  })
})

it('of 100,000 windows is at most 8192 entries, 2 MB as JSON, and none of the time is lost', () => {
  const few = filled(100_000, 8).get()
  expect(few.lane.length).toBeLessThanOrEqual(8192)
  expect(JSON.stringify(few).length).toBeLessThan(2_000_000)
  expect(few.windows.reduce((sum, n) => sum + n, 0)).toBe(100_000)
  expect(few.tiles.reduce((sum, n) => sum + n, 0)).toBe(1_600_000)
  const all = filled(100_000, 8, Infinity).get()
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  for (const at of [0, 1, 2]) expect(sum(few.stageMs[at]!) / sum(all.stageMs[at]!)).toBeCloseTo(1, 2)
  expect(few.endedMs).toBeDefined()
})

it('says when the run stood still, to its end where it was not told to go on', () => {
  const timeline = new Timeline()
  timeline.start()
  timeline.pause()
  timeline.resume()
  timeline.resume()
  timeline.pause()
  expect(timeline.get().pauses).toHaveLength(2)
  timeline.end()
  const { pauses, endedMs } = timeline.get()
  expect(pauses[1]!.to).toBe(endedMs)
})
