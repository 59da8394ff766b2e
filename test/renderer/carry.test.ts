// Which earlier result's corrections a new one is offered, and how they are told.
import { describe, expect, it } from 'vitest'
import type { CarriedCorrections, RunStatus } from '../../app/contract'
import { carriedRows, carryOffer, carrySource, correctionWords } from '../../renderer/store/slices/carrySlice'
import { emptyRuns, type RunState } from '../../renderer/store/slices/runSlice'
import { status } from './windowFixture'

const run = (runId: string, more: Partial<RunStatus> = {}): RunStatus =>
  status({
    ...{ runId, purpose: 'run', state: 'done', region: { x: 0, y: 0, width: 100, height: 100 } },
    ...{ grid: { tileSizePx: 512, scale: 1, maxLevel: 0 }, ...more },
  })
const runsOf = (activeId: string, ...all: RunStatus[]): RunState => ({
  ...emptyRuns,
  ...{ byId: Object.fromEntries(all.map((each) => [each.runId, each])), stack: all.map(({ runId }) => runId), activeId },
})

describe('what a result is offered', () => {
  const corrected = { deleted: 2 }
  it('is the newest earlier one with corrections, of the same pixels and place', () => {
    const all = [
      run('first', corrected),
      run('second', { byHand: 1 }),
      run('coarse', { ...corrected, grid: { tileSizePx: 512, scale: 2, maxLevel: 0 } }),
      run('beside', { ...corrected, region: { x: 100, y: 0, width: 50, height: 50 } }),
      run('stopped', { ...corrected, state: 'cancelled' }),
      run('now'),
      run('later', corrected),
    ]
    expect(carryOffer(runsOf('now', ...all))?.runId).toBe('second')
    expect(carryOffer(runsOf('first', ...all))).toBeNull()
    expect(carryOffer(runsOf('now', run('now')))).toBeNull()
  })
  it('is not offered where it was corrected itself, and can be asked for there', () => {
    const runs = runsOf('now', run('first', corrected), run('now', { deleted: 1 }))
    expect(carryOffer(runs)).toBeNull()
    expect(carrySource(runs)?.runId).toBe('first')
    expect(carrySource(runsOf('first', run('first', corrected)))).toBeNull()
  })
  it('is told in words, without what there is none of', () => {
    const rule = { column: 'area', limits: [1] }
    expect(correctionWords(run('a', { deleted: 1200, byHand: 2, rule }))).toMatch(
      /^1.200 deleted, 2 with a class by hand and limits of classes$/u,
    )
    expect(correctionWords(run('a', { byHand: 1 }))).toBe('1 with a class by hand')
    const found: CarriedCorrections = {
      ...{
        from: 'a',
        step: null,
        deleted: 3,
        classified: 0,
        made: 4,
        already: 1,
        otherwise: 0,
        rule: false,
        unfit: 2,
        outside: 0,
      },
      places: [],
    }
    expect(carriedRows(found).map(({ count }) => count)).toEqual([3, 4, 1, 2])
  })
})
