// Which runs are on screen.
import { describe, expect, it } from 'vitest'
import type { Region, RunStatus } from '../../app/contract'
import * as runs from '../../renderer/store/runSlice'

const box = (x: number, size: number): Region => ({ x, y: 0, width: size, height: size })
const run = (runId: string, part: Partial<RunStatus> = {}): RunStatus => ({
  runId,
  slideId: 's1',
  purpose: 'preview',
  state: 'running',
  region: box(0, 100),
  grid: { tileSizePx: 256, scale: 1, maxLevel: 3 },
  analysedMpp: 0.5,
  nominalMpp: 0.5,
  tilesDone: 0,
  tilesTotal: 4,
  objects: 0,
  elapsedMs: 0,
  etaMs: null,
  megapixelsPerSecond: 0,
  unreadableTiles: 0,
  timings: [],
  warnings: [],
  name: 'Whole slide',
  startedAt: '2026-11-22T00:00:00.000Z',
  cutObjects: 0,
  keptMegapixels: 0,
  error: null,
  ...part,
})
const begin = (state: runs.RunState, status: RunStatus, key = 'k') => runs.beginRun(state, status, key)
const finish = (state: runs.RunState, id: string) => {
  const status = state.byId[id]
  if (!status) throw new Error(`expected a run ${id}`)
  return runs.settleStack(runs.upsertStatus(state, { ...status, state: 'done', tilesDone: status.tilesTotal }), id)
}

describe('run slice', () => {
  it('does not let a late event undo a newer one', () => {
    let state = begin(runs.emptyRuns, run('r1', { tilesDone: 3 }))
    state = runs.upsertStatus(state, run('r1', { tilesDone: 1 }))
    expect(state.byId['r1']?.tilesDone).toBe(3)
    state = runs.upsertStatus(state, run('r1', { state: 'done', tilesDone: 4 }))
    expect(runs.upsertStatus(state, run('r1', { tilesDone: 4 })).byId['r1']?.state).toBe('done')
  })
  it('keeps the older preview until the newer is complete', () => {
    let state = finish(begin(runs.emptyRuns, run('r1'), 'a'), 'r1')
    state = begin(state, run('r2'), 'b')
    expect(state.stack).toEqual(['r1', 'r2'])
    expect(finish(state, 'r2').stack).toEqual(['r2'])
  })
  it('keeps a neighbouring preview of the same recipe', () => {
    let state = finish(begin(runs.emptyRuns, run('r1')), 'r1')
    state = finish(begin(state, run('r2', { region: box(80, 100) })), 'r2')
    expect(state.stack).toEqual(['r1', 'r2'])
    expect(finish(begin(state, run('r3', { region: box(0, 300) })), 'r3').stack).toEqual(['r3'])
  })
  it('keeps a run for keeps under a preview, and replaces it by the next one', () => {
    let state = finish(begin(runs.emptyRuns, run('r1', { purpose: 'run' }), 'a'), 'r1')
    state = finish(begin(state, run('r2'), 'b'), 'r2')
    expect(state.stack).toEqual(['r1', 'r2'])
    expect([state.keptId, state.activeId]).toEqual(['r1', 'r2'])
    state = finish(begin(state, run('r3', { purpose: 'run' }), 'b'), 'r3')
    expect(state.stack).toEqual(['r3'])
  })
  it('does not pile up the cancelled previews of a drag, and keeps the last complete one', () => {
    let state = finish(begin(runs.emptyRuns, run('r1'), 'k1'), 'r1')
    for (let i = 2; i < 20; i++) {
      state = begin(state, run(`r${i}`), `k${i}`)
      state = runs.upsertStatus(state, run(`r${i}`, { state: 'cancelled' }))
    }
    expect(state.stack[0]).toBe('r1')
    expect(state.stack.length).toBeLessThanOrEqual(6)
  })
  it('knows what is already on screen', () => {
    const state = finish(begin(runs.emptyRuns, run('r1', { purpose: 'run' })), 'r1')
    expect(runs.isCovered(state, box(10, 20), 'k', false)).toBe(true)
    expect(runs.isCovered(state, box(10, 20), 'k', true)).toBe(false)
    expect(runs.isCovered(state, box(10, 20), 'other', false)).toBe(false)
    expect(runs.isCovered(state, box(90, 20), 'k', false)).toBe(false)
  })
  it('cancels the run for keeps before a preview, and finds runs at a point topmost first', () => {
    let state = begin(runs.emptyRuns, run('r1', { purpose: 'run' }))
    state = begin(state, run('r2', { region: box(0, 10) }))
    expect(runs.runningRun(state)?.runId).toBe('r1')
    expect(runs.runsAt(state, 5, 5).map((r) => r.runId)).toEqual(['r2', 'r1'])
    expect(runs.runsAt(state, 50, 5).map((r) => r.runId)).toEqual(['r1'])
  })
  it('offers results that hold something for export, segmentations first', () => {
    let state = begin(runs.emptyRuns, run('r1', { purpose: 'run', state: 'cancelled', tilesDone: 2 }), 'a')
    state = begin(state, run('r2', { purpose: 'run', state: 'cancelled' }), 'a')
    state = begin(state, run('r3', { state: 'done', tilesDone: 4 }), 'a')
    expect(runs.exportableRuns(state).map((r) => r.runId)).toEqual(['r1', 'r3'])
  })
  it('drops a failed run and shows the one below', () => {
    let state = finish(begin(runs.emptyRuns, run('r1'), 'a'), 'r1')
    state = runs.dropRun(begin(state, run('r2'), 'b'), 'r2')
    expect(state.activeId).toBe('r1')
    expect(Object.keys(state.byId)).toEqual(['r1'])
  })
})
