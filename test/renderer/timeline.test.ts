// The timeline's bars: no stage without a colour, none outside its window, idle time as it is, and a key for every window.
import { expect, it } from 'vitest'
import type { RunTimeline } from '../../app/contract'
import {
  barsOf,
  deviceLooks,
  entryAt,
  neighbour,
  rest,
  restColour,
  stageColours,
  stageLooks,
  standsOf,
} from '../../renderer/arithmetic/timeline'
import { timelineCsv, timelineJson, timelineSvg } from '../../renderer/store/runs/timelineFile'
import { stageName } from '../../renderer/store/runs/timelineWords'

const stages = ['measure', 'read', 'pack', 'a', 'b', 'c', 'd', 'e', 'f']
const timeline: RunTimeline = {
  startedAt: '2026-01-01T00:00:00.000Z',
  endedMs: 100,
  stages: stages.map((stage) => ({ stage, device: 'cpu', variant: 'auto' })),
  lanes: [{ device: 'cpu' }, { device: 'cpu' }, { device: 'gpu0' }],
  lane: [0, 1, 0, 2],
  x: [0, 4, 8, 12],
  y: [0, 0, 0, 0],
  tiles: [16, 16, 16, 16],
  windows: [1, 1, 1, 1],
  from: [0, 10, 60, 0],
  to: [40, 50, 100, 100],
  // The last overlaps its copies with its kernels: 150 ms of stages in 100.
  stageMs: [[20, 20, 20, 100], [10, 10, 10, 50], ...stages.slice(2).map((_, i) => [i === 0 ? 1 : 0.1, 0, 0, 0])],
  pauses: [{ from: 45, to: 55 }],
  writes: { from: [], to: [], bytes: [] },
}

it('has a colour for the longest stages and one for the rest', () => {
  const looks = stageLooks(timeline)
  expect(looks.slice(0, 3).map(({ name }) => name)).toEqual(['measure', 'read', 'pack'])
  expect(looks).toHaveLength(stageColours.length + 1)
  expect(looks.at(-1)).toMatchObject({ name: rest, colour: restColour })
  expect(new Set(looks.map(({ colour }) => colour)).size).toBe(looks.length)
  expect(looks.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(timeline.stageMs.flat().reduce((sum, ms) => sum + ms, 0))
})

it('keeps a window’s bars in it: reading first, then what it waited, packing last', () => {
  const bars = barsOf(timeline, 0, new Map(stageLooks(timeline).map(({ name, colour }) => [name, colour])))
  expect(bars[0]).toMatchObject({ from: 0, to: 10, colour: stageColours[1] })
  // 40 ms, of which 31.6 are told.
  expect(bars[1]!.from).toBeCloseTo(18.4)
  expect(bars.at(-1)).toMatchObject({ colour: stageColours[2] })
  expect(bars.at(-1)!.to).toBeCloseTo(40)
  bars.forEach(({ from, to }, i) => expect(from >= (bars[i - 1]?.to ?? 0) && to > from).toBe(true))
  expect(barsOf(timeline, 3, new Map()).at(-1)!.to).toBeCloseTo(100)
})

it('counts the time in which the slide’s background was found as nobody’s', () => {
  const before = { ...timeline, ground: { from: 0, to: 10 } }
  expect(standsOf(before)).toEqual([
    { from: 0, to: 10, why: 'background' },
    { from: 45, to: 55, why: 'paused' },
  ])
  expect(deviceLooks({ ...timeline, ground: { from: 40, to: 45 } })[0]!.busy).toBe(120 / 170)
  // A run that was paused meanwhile stood still once.
  expect(standsOf({ ...timeline, ground: { from: 40, to: 60 } })).toEqual([{ from: 40, to: 60, why: 'background' }])
  expect(timelineSvg({ name: 'Run', elapsedMs: 100, objects: 0, tilesDone: 1, tilesTotal: 1, timings: [] }, before)).toContain(
    '#d3dae2',
  )
})

it('tells how busy a device was, pauses apart', () => {
  expect(deviceLooks(timeline)).toEqual([
    // 120 ms of windows on two lanes of 90; from 40 to 60, 10 of it paused.
    { device: 'cpu', lanes: 2, busy: 120 / 180, longestGap: 10 },
    { device: 'gpu0', lanes: 1, busy: 1, longestGap: 0 },
  ])
})

it('finds windows by place and by key', () => {
  expect([entryAt(timeline, 0, 20), entryAt(timeline, 0, 50), entryAt(timeline, 2, 99)]).toEqual([0, null, 3])
  expect(neighbour(timeline, null, 'ArrowRight')).toBe(0)
  expect(neighbour(timeline, 0, 'ArrowRight')).toBe(2)
  expect(neighbour(timeline, 2, 'ArrowLeft')).toBe(0)
  expect(neighbour(timeline, 2, 'ArrowRight')).toBe(2)
  expect(neighbour(timeline, 2, 'ArrowDown')).toBe(1)
  expect(neighbour(timeline, 0, 'ArrowUp')).toBe(0)
})

it('is a table, all that is known, and a picture as files', () => {
  const rows = timelineCsv(timeline).split('\r\n')
  expect(rows[0]).toMatch(/^device,lane,tile_x,tile_y,tiles,windows,from_ms,to_ms,measure ms \(cpu auto\),read ms/)
  expect(rows[2]).toMatch(/^cpu,1,4,0,16,1,10,50,20,10,/)
  expect(rows.length).toBe(6)
  const run = { name: 'Whole\u0001<slide> & "more"', elapsedMs: 100, tilesDone: 64, tilesTotal: 64, objects: 7, timings: [] }
  expect(JSON.parse(timelineJson(run, timeline))).toMatchObject({ name: run.name, objects: 7, timeline: { endedMs: 100 } })
  const svg = timelineSvg(run, timeline)
  expect(svg).toContain('Whole &lt;slide&gt; &amp; &quot;more&quot;: 100 ms, 64 of 64 tiles')
  expect(svg).not.toMatch(/NaN|Infinity|<slide>/)
  for (const { colour, name } of stageLooks(timeline))
    expect([svg.includes(`fill="${colour}"/>`), svg.includes(`>${stageName(name)} `)]).toEqual([true, true])
  expect(svg).toContain('cpu: 2 windows at once, busy')
  expect(svg).toMatch(/gpu0/)
  // Nothing yet: a picture all the same.
  const none = { ...timeline, lane: [], lanes: [], from: [], to: [], stages: [], stageMs: [], pauses: [], endedMs: 0 }
  expect(timelineSvg(run, none)).toContain('Nothing was computed for this run.')
})
