// What the window says of times and ranges: no more than is known.
import { describe, expect, it } from 'vitest'
import type { StageTiming } from '../../app/contract'
import { timingWords } from '../../renderer/panels/Timings'
import { estimateWords, roundDuration } from '../../renderer/store/estimate'
import { entryProblem } from '../../renderer/widgets/NumberEntry'

describe('an estimate', () => {
  it('says what it rests on, and that there is none', () => {
    expect(estimateWords({ ms: 91_300, basis: 'measured' })).toBe('about 1 min 30 s, from this recipe’s runs on this slide')
    expect(estimateWords({ ms: 5_200, basis: 'sampled' })).toMatch(/^about 5 s, from this recipe’s runs on other slides/)
    expect(estimateWords({ ms: null, basis: 'none' })).toMatch(/^no measurement yet/)
  })
  it('is rounded as people round', () => {
    expect([300, 91_300, 1_860_000 + 20_000, 7_514_000].map(roundDuration)).toEqual([1000, 90_000, 1_860_000, 7_500_000])
  })
})

describe('the timings', () => {
  const computed: StageTiming = { stage: 'split', device: 'cpu', variant: 'flooding', ms: 141, megapixels: 2 }
  const kept: StageTiming = { stage: 'kept from earlier runs', device: 'cache', variant: 'kept', ms: 0, megapixels: 12 }
  it('tell the time that passed apart from what was kept', () => {
    expect(timingWords({ elapsedMs: 96, keptMegapixels: 12, timings: [computed, kept] })).toBe(
      '96 ms passed; 12 Mpx were taken from earlier runs.',
    )
    expect(timingWords({ elapsedMs: 96, keptMegapixels: 12, timings: [kept] })).toContain('all of it, 12 Mpx')
    expect(timingWords({ elapsedMs: 5100, keptMegapixels: 0, timings: [computed] })).toBe('5.1 s passed.')
  })
})

describe('a number typed in a dialog', () => {
  it('is refused with its range, and taken as it is within it', () => {
    const range = { min: 0, max: 100 }
    expect(entryProblem(200, range)).toBe('200 is outside 0 to 100.')
    expect(entryProblem(null, range)).toContain('from 0 to 100')
    expect(entryProblem(null, { ...range, optional: true })).toBeNull()
    expect(entryProblem(Number.NaN, range)).toContain('no number')
    expect(entryProblem(1.5, { ...range, integer: true })).toContain('whole')
    expect(entryProblem(100, range)).toBeNull()
  })
})
