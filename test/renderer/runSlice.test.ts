// Which runs are on screen and in the list.
import { describe, expect, it } from 'vitest'
import type { Region, RunEntry, RunStatus } from '../../app/contract'
import { wouldLose } from '../../renderer/store/engine/leaving'
import * as runs from '../../renderer/store/slices/runSlice'
import { status } from './windowFixture'

const box = (x: number, size: number): Region => ({ x, y: 0, width: size, height: size })
const run = (runId: string, part: Partial<RunStatus> = {}): RunStatus =>
  status({ runId, purpose: 'preview', region: box(0, 100), analysedMpp: 0.5, nominalMpp: 0.5, ...part })
const begin = (state: runs.RunState, run: RunStatus, key = 'k') => runs.beginRun(state, run, key)
const finish = (state: runs.RunState, id: string) => {
  const found = state.byId[id]
  if (!found) throw new Error(`expected a run ${id}`)
  return runs.settleStack(runs.upsertStatus(state, { ...found, state: 'done', tilesDone: found.tilesTotal }), id)
}
const kept = (runId: string, part: Partial<RunStatus> = {}) => run(runId, { purpose: 'run', ...part })
const ids = (list: readonly RunStatus[]) => list.map(({ runId }) => runId)
const entry = (status: RunStatus, slideName = 'a.svs'): RunEntry => ({
  status,
  recipe: { format: 'morphoscope-recipe', version: 1, spec: 'k', name: 'K', params: {} },
  recipeName: 'K',
  slideName,
  slidePath: `/${slideName}`,
})
const sync = (state: runs.RunState, entries: readonly RunEntry[], asked: readonly string[] = state.stack) =>
  runs.syncList(state, entries, 's1', new Set(asked), () => 'k')

describe('run slice', () => {
  it('does not let a late event undo a newer one', () => {
    let state = begin(runs.emptyRuns, run('r1', { tilesDone: 3 }))
    state = runs.upsertStatus(state, run('r1', { tilesDone: 1 }))
    expect(state.byId['r1']?.tilesDone).toBe(3)
    state = runs.upsertStatus(state, run('r1', { state: 'done', tilesDone: 4 }))
    expect(runs.upsertStatus(state, run('r1', { tilesDone: 4 })).byId['r1']?.state).toBe('done')
    state = begin(state, kept('r2', { state: 'running' }))
    expect(runs.upsertStatus(state, kept('r2', { state: 'queued' })).byId['r2']?.state).toBe('running')
  })
  it('counts no preview as there that ends, as something else has been asked for', () => {
    const going = begin(runs.emptyRuns, run('r1'))
    const covering = (state: runs.RunState) => runs.coveredBy(state, box(0, 50), 'k', [])?.runId ?? null
    expect(covering(going)).toBe('r1')
    for (const purpose of ['preview', 'run'] as const) {
      const asked = runs.asking(going, { id: 7, purpose })
      expect([runs.isStarting(asked), runs.isStarting(asked, purpose), covering(asked)]).toEqual([true, true, null])
      expect(covering(finish(asked, 'r1'))).toBe('r1')
      expect(covering(runs.answered(asked, 7))).toBe('r1')
    }
  })
  it('counts no result as there that one of other values hides', () => {
    let state = finish(begin(runs.emptyRuns, kept('r1'), 'a'), 'r1')
    const covering = (key: string) => runs.coveredBy(state, box(0, 50), key, [])?.runId ?? null
    state = finish(begin(state, kept('r2', { region: box(60, 40) }), 'b'), 'r2')
    expect(covering('a')).toBe('r1')
    state = finish(begin(state, kept('r3', { region: box(40, 100) }), 'b'), 'r3')
    expect(covering('a')).toBeNull()
    expect(covering('b')).toBeNull()
  })
  it('leaves previews over a full run where the values have changed before it was answered', () => {
    const tuned = runs.tune(begin(runs.emptyRuns, run('r1'), 'b'))
    expect(runs.beginRun(tuned, kept('r2'), 'a', 'b').tuning).toBe(true)
    expect(runs.beginRun(tuned, kept('r2'), 'b', 'b').tuning).toBe(false)
    const untuned = runs.beginRun(tuned, kept('r2'), 'b', 'b')
    expect(runs.beginRun(untuned, kept('r3'), 'a', 'b').tuning).toBe(true)
  })
  it('has its own preview among nobody else’s, though a list came before the answer', () => {
    const listed = sync(runs.emptyRuns, [entry(run('r1')), entry(run('r2'))])
    expect(ids(listed.elsewhere.map(({ status }) => status))).toEqual(['r1', 'r2'])
    expect(ids(begin(listed, run('r1')).elsewhere.map(({ status }) => status))).toEqual(['r2'])
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
  it('shows the newest of a project’s results however they come back, unless another was chosen', () => {
    const [one, two, three] = ['r1', 'r2', 'r3'].map((id) => entry(kept(id, { state: 'done', keptId: `k${id}` }))) as [RunEntry, RunEntry, RunEntry] // oxfmt-ignore
    const both = sync(sync(runs.emptyRuns, [one]), [one, two])
    expect(runs.activeRun(both)?.runId).toBe('r2')
    // Another window's run is not this one's.
    expect(runs.activeRun(sync(both, [one, two, entry(kept('r4'))]))?.runId).toBe('r2')
    expect(runs.activeRun(sync(runs.choose(both, 'r2'), [one, two, three]))?.runId).toBe('r2')
  })
  it('replaces no full run by another, whatever its region and recipe, and draws the newest on top', () => {
    let state = finish(begin(runs.emptyRuns, kept('r1', { region: box(0, 1000) })), 'r1')
    state = finish(begin(state, kept('r2', { region: box(10, 100) })), 'r2')
    state = finish(begin(state, kept('r3', { region: box(0, 2000) }), 'other'), 'r3')
    expect(ids(runs.drawOrder(state))).toEqual(['r1', 'r2', 'r3'])
    expect(ids(runs.fullRuns(state))).toEqual(['r1', 'r2', 'r3'])
    expect(runs.activeRun(state)?.runId).toBe('r3')
    // The figures of any other are one click away, and it stays where it lies.
    state = runs.choose(state, 'r1')
    expect(runs.activeRun(state)?.runId).toBe('r1')
    expect(ids(runs.drawOrder(state))).toEqual(['r1', 'r2', 'r3'])
  })
  it('has rows for the newest results and the chosen one, for all where that is asked for', () => {
    let state = runs.emptyRuns
    for (let n = 1; n <= 45; n++) state = finish(begin(state, kept(`r${n}`)), `r${n}`)
    const rows = (isWhole: boolean) => runs.resultRows(state, isWhole)
    expect(ids(rows(false).rows)).toEqual(Array.from({ length: 40 }, (_, i) => `r${45 - i}`))
    expect(rows(false).older).toBe(5)
    state = runs.choose(state, 'r2')
    expect([ids(rows(false).rows).at(-1), rows(false).rows.length, rows(false).older]).toEqual(['r2', 41, 4])
    expect([rows(true).rows.length, rows(true).older]).toEqual([45, 0])
  })
  it('previews under the full runs, without their headline, until a value is changed', () => {
    let state = finish(begin(runs.emptyRuns, kept('r1'), 'a'), 'r1')
    state = finish(begin(state, run('r2', { region: box(50, 100) }), 'a'), 'r2')
    expect(ids(runs.drawOrder(state))).toEqual(['r2', 'r1'])
    expect(runs.activeRun(state)?.runId).toBe('r1')
    state = finish(begin(runs.tune(state), run('r3'), 'b'), 'r3')
    expect(ids(runs.drawOrder(state))).toEqual(['r1', 'r3'])
    expect([runs.activeRun(state)?.runId, runs.chosenRun(state)?.runId]).toEqual(['r3', 'r1'])
    // Back at its values, the run is what the recipe says: previews of others are untrue.
    state = runs.untune(state, 'a')
    expect(ids(runs.drawOrder(state))).toEqual(['r1'])
    expect(runs.activeRun(state)?.runId).toBe('r1')
  })
  it('ends the tuning where a full run begins or one is chosen', () => {
    let state = runs.tune(finish(begin(runs.emptyRuns, kept('r1'), 'a'), 'r1'))
    state = begin(state, kept('r2'), 'b')
    expect([state.tuning, runs.activeRun(state)?.runId]).toEqual([false, 'r2'])
    expect(runs.choose(runs.tune(state), 'r1').tuning).toBe(false)
  })
  it('hides a run from the slide, not from the list, and shows it when it is chosen', () => {
    let state = begin(begin(runs.emptyRuns, kept('r1')), kept('r2'))
    state = runs.setHidden(state, 'r2', true)
    expect(ids(runs.drawOrder(state))).toEqual(['r1'])
    expect(ids(runs.runsAt(state, 5, 5))).toEqual(['r1'])
    expect(ids(runs.fullRuns(state))).toEqual(['r1', 'r2'])
    expect(ids(runs.drawOrder(runs.choose(state, 'r2')))).toEqual(['r1', 'r2'])
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
    const state = finish(begin(runs.emptyRuns, kept('r1')), 'r1')
    const covers = (region: Region, key: string, layers: string[] = []) =>
      runs.coveredBy(state, region, key, layers)?.runId ?? null
    expect(covers(box(10, 20), 'k')).toBe('r1')
    expect(covers(box(10, 20), 'k', ['tissue'])).toBeNull()
    expect(covers(box(10, 20), 'other')).toBeNull()
    expect(covers(box(90, 20), 'k')).toBeNull()
    expect(runs.isUnderKept(state, box(10, 20))).toBe(true)
    expect(runs.isUnderKept(runs.tune(state), box(10, 20))).toBe(false)
    expect(runs.isUnderKept(runs.setHidden(state, 'r1', true), box(10, 20))).toBe(false)
  })
  it('shows the figures of the preview before while a new one has only begun', () => {
    const figures = () => runs.activeRun(state)?.runId
    let state = begin(runs.emptyRuns, run('r1'))
    expect(figures()).toBe('r1')
    state = begin(runs.upsertStatus(state, run('r1', { state: 'done' })), run('r2'))
    expect([figures(), runs.runningRun(state)?.runId]).toEqual(['r1', 'r2'])
    state = runs.upsertStatus(state, run('r2', { tilesDone: 1 }))
    expect(figures()).toBe('r1')
    // Another change ends it, and the third is done at once.
    state = begin(runs.upsertStatus(state, run('r2', { state: 'cancelled' })), run('r3'))
    expect(figures()).toBe('r1')
    state = runs.upsertStatus(state, run('r3', { state: 'done' }))
    expect(figures()).toBe('r3')
    // One that lasts, and one that fails, are told of; what is not the newest any more is not.
    state = begin(state, run('r4'))
    expect(runs.activeRun(runs.showFigures(state, 'r4'))?.runId).toBe('r4')
    state = runs.upsertStatus(begin(state, run('r5')), run('r4', { state: 'failed' }))
    expect(figures()).toBe('r3')
    expect(runs.activeRun(runs.upsertStatus(state, run('r5', { state: 'failed' })))?.runId).toBe('r5')
    // What the engine has let go of has no figures.
    expect(runs.activeRun(runs.dropRun(state, 'r3'))?.runId).toBe('r5')
  })
  it('shows a step of previews that were asked for with steps alone, and the tissue of all', () => {
    let state = finish(begin(runs.emptyRuns, run('r1')), 'r1')
    const covers = (...layers: string[]) => runs.coveredBy(state, box(10, 20), 'k', layers)?.runId ?? null
    expect([covers(), covers('tissue'), covers('channel'), covers('tissue', 'channel')]).toEqual(['r1', 'r1', null, null])
    state = runs.upsertStatus(begin(state, run('r2', { layers: true })), run('r2', { layers: true, state: 'done' }))
    state = begin(state, run('r3'))
    expect([covers(), covers('channel'), covers('tissue', 'channel')]).toEqual(['r3', 'r2', 'r2'])
  })
  it('cancels the full run before a preview, and the newest of them', () => {
    let state = begin(runs.emptyRuns, kept('r1'))
    state = begin(state, run('r2', { region: box(0, 10) }))
    expect(runs.runningRun(state)?.runId).toBe('r1')
    state = begin(state, kept('r3', { state: 'queued' }))
    expect(runs.runningRun(state)?.runId).toBe('r3')
    expect(runs.runningRun(runs.choose(state, 'r1'))?.runId).toBe('r1')
  })
  it('offers results that hold something for export, segmentations first', () => {
    let state = begin(runs.emptyRuns, kept('r1', { state: 'cancelled', tilesDone: 2 }), 'a')
    state = begin(state, kept('r2', { state: 'cancelled' }), 'a')
    state = begin(state, run('r3', { state: 'done', tilesDone: 4 }), 'a')
    expect(ids(runs.exportableRuns(state))).toEqual(['r1', 'r3'])
  })
  it('drops a failed run and shows the one below', () => {
    let state = finish(begin(runs.emptyRuns, kept('r1'), 'a'), 'r1')
    state = runs.dropRun(begin(state, kept('r2'), 'b'), 'r2')
    expect(state.activeId).toBe('r1')
    expect(Object.keys(state.byId)).toEqual(['r1'])
  })
})

describe('the engine’s list', () => {
  const other = run('r9', { slideId: 's2', purpose: 'run', name: 'Whole slide', tilesTotal: 40 })

  it('gives a page that comes back its runs, without the previews of the page before', () => {
    const state = sync(runs.emptyRuns, [entry(kept('r1', { state: 'done' })), entry(run('r2')), entry(kept('r3'))])
    expect(state.stack).toEqual(['r1', 'r3'])
    expect([state.activeId, state.keyById['r1'], state.recipeById['r3']]).toEqual(['r3', 'k', 'K'])
    expect(ids(state.elsewhere.map(({ status }) => status))).toEqual(['r2'])
  })
  it('takes away what the engine has let go of, but not what began since it was asked', () => {
    let state = finish(begin(runs.emptyRuns, kept('r1')), 'r1')
    state = finish(begin(state, run('r2', { region: box(200, 50) })), 'r2')
    const asked = state.stack
    state = begin(state, run('r3', { region: box(400, 50) }))
    state = sync(state, [entry(kept('r1', { state: 'done' }))], asked)
    expect(state.stack).toEqual(['r1', 'r3'])
    // What is gone covers nothing: it is computed again where it is looked at again.
    expect(runs.coveredBy(state, box(200, 50), 'k', [])).toBeNull()
  })
  it('puts what another window has started where it belongs', () => {
    const state = sync(begin(runs.emptyRuns, kept('r2')), [entry(kept('r1')), entry(kept('r2')), entry(kept('r3'))])
    expect(state.stack).toEqual(['r1', 'r2', 'r3'])
    expect(state.activeId).toBe('r2')
  })
  it('holds the unfinished runs of other slides, follows them, and lets them go at their end', () => {
    let state = sync(runs.emptyRuns, [entry(other, 'b.svs'), entry({ ...other, runId: 'r8', state: 'done' }, 'b.svs')])
    expect(state.elsewhere.map(({ status }) => status.runId)).toEqual(['r9'])
    expect(state.stack).toEqual([])
    state = runs.upsertElsewhere(state, { ...other, tilesDone: 3 })
    expect(state.elsewhere[0]?.status.tilesDone).toBe(3)
    expect(runs.upsertElsewhere(state, { ...other, state: 'done' }).elsewhere).toEqual([])
  })
  it('tells of another window’s preview only where it hangs', () => {
    const shown = (elapsedMs: number) =>
      runs.shownElsewhere(sync(runs.emptyRuns, [entry(run('r1', { elapsedMs })), entry(other, 'b.svs')])).length
    expect([shown(300), shown(9000)]).toEqual([1, 2])
  })
  it('knows what the end of the program would end or lose', () => {
    const saved = new Set(['r1'])
    const lose = (part: Partial<RunStatus>) => wouldLose([entry(kept('r1', part))], new Set())
    expect(lose({ state: 'running' })).toBe(true)
    expect(lose({ state: 'queued' })).toBe(true)
    expect(lose({ state: 'done', objects: 5, elapsedMs: 1000 })).toBe(false)
    const hour = { state: 'cancelled', objects: 5, elapsedMs: 3_600_000 } as const
    expect(lose(hour)).toBe(true)
    expect(wouldLose([entry(kept('r1', hour))], saved)).toBe(false)
    // The project holds it.
    expect(lose({ ...hour, keptId: 'k0123456789abcdef' })).toBe(false)
    expect(wouldLose([entry(run('r1', { state: 'running' }))], new Set())).toBe(false)
  })
  it('says what a queued run waits for: of those that compute the one of its own size', () => {
    const queued = kept('r3', { state: 'queued', tilesTotal: 50 })
    const state = sync(runs.emptyRuns, [
      entry(other, 'b.svs'),
      entry(kept('r2', { name: 'Rectangle', tilesTotal: 3 })),
      entry(queued),
    ])
    expect(runs.waitsFor(state, queued)).toBe('Whole slide of b.svs')
    expect(runs.waitsFor(state, { ...queued, tilesTotal: 4 })).toBe('Rectangle')
  })
})
