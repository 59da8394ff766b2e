// What the window says of times and ranges: no more than is known.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RecipeSpec, type ParamSpec, type StageTiming } from '../../app/contract'
import { previewCost, timingWords } from '../../renderer/panels/dialogs/Timings'
import { estimateWords, memoryWords, roundDuration } from '../../renderer/store/runs/estimate'
import { adviceForNone } from '../../renderer/store/runs/noObjects'
import { nearestValue, problemOf } from '../../renderer/store/slices/recipeSlice'
import { firstState } from '../../renderer/store/store'
import { sampledOnScreen } from '../../renderer/viewer/legends/HatchLegend'
import { isDark } from '../../renderer/viewer/slideLook'
import { entryProblem } from '../../renderer/widgets/NumberEntry'
import { noteOf } from '../../renderer/widgets/NumberField'
import { slide, status } from './windowFixture'

describe('an estimate', () => {
  it('says what it rests on, and that there is none', () => {
    expect(estimateWords({ ms: 91_300, basis: 'measured' })).toBe('about 1 min 30 s, from this recipe’s runs on this slide')
    expect(estimateWords({ ms: 5_200, basis: 'sampled' })).toMatch(/^about 5 s, from this recipe’s runs on other slides/)
    expect(estimateWords({ ms: null, basis: 'none' })).toMatch(/^not known before the first run/)
    const memory = { budgetBytes: 4 * 2 ** 30, needBytes: 1.26 * 2 ** 30, windowsAtOnce: 2 }
    expect(memoryWords(memory)).toBe('about 1.3 of 4.0 GiB that it may hold')
    expect(memoryWords({ ...memory, budgetBytes: 2 ** 30 })).toMatch(/of 1\.0 GiB that it may hold, which it may exceed$/)
  })
  it('is rounded as people round', () => {
    expect([300, 91_300, 1_860_000 + 20_000, 7_514_000].map(roundDuration)).toEqual([1000, 90_000, 1_860_000, 7_500_000])
  })
})

describe('the timings', () => {
  const computed: StageTiming = { stage: 'split', device: 'cpu', variant: 'flooding', ms: 141, megapixels: 2 }
  const kept: StageTiming = {
    ...{ stage: 'kept from earlier runs', device: 'cache', variant: '', ms: 0, megapixels: 12, kept: true },
  }
  it('tell the time that passed apart from what was kept', () => {
    expect(timingWords({ elapsedMs: 96, keptMegapixels: 12, timings: [computed, kept] })).toBe(
      '96 ms passed; 12 Mpx were taken from earlier runs.',
    )
    expect(timingWords({ elapsedMs: 96, keptMegapixels: 12, timings: [kept] })).toContain('all of it, 12 Mpx')
    expect(timingWords({ elapsedMs: 5100, keptMegapixels: 0, timings: [computed] })).toBe('5.1 s passed.')
  })
  it('name the computed stages in the recipe’s order, whichever window was done first', () => {
    const stage = (name: string, ms: number): StageTiming => ({ ...computed, stage: name, ms, ...(ms === 0 && { kept: true }) })
    // An interrupted preview had left the first window's objects.
    const first = [stage('split', 0), stage('objects', 0), stage('measure', 5)]
    const second = [stage('objects', 7), stage('measure', 6)]
    expect(previewCost({ elapsedMs: 43, timings: [...first, ...second] })).toBe('Last preview 43 ms: objects, measure')
    expect(previewCost({ elapsedMs: 43, timings: [stage('split', 0), kept] })).toBe('Last preview 43 ms: kept')
  })
})

describe('a number typed in a dialog', () => {
  it('is refused with its range, and taken as it is within it', () => {
    const range = { min: 0, max: 100 }
    expect(entryProblem(200, range)).toBe('200 is outside 0 to 100.')
    expect(entryProblem(null, range)).toContain('from 0 to 100')
    expect(entryProblem(null, { ...range, optional: true })).toBeNull()
    expect(entryProblem(Number.NaN, range)).toContain('not a number')
    expect(entryProblem(1.5, { ...range, integer: true })).toContain('whole')
    expect(entryProblem(100, range)).toBeNull()
  })
})

describe('a view from afar', () => {
  const seen = (zoom: number, slideId = slide.slideId) =>
    sampledOnScreen(
      {
        slide: { ...firstState.slide, info: slide },
        ui: {
          ...firstState.ui,
          view: { center: { x: 0, y: 0 }, zoom, rotation: 0, flipped: false, width: 800, height: 600 },
          sampled: { slideId, everyByLevel: { 3: 2, 4: 4 } },
        },
      },
      1,
    )
  it('is called coarse where the level on screen is, and nowhere else', () => {
    expect([1 / 64, 1 / 32, 1 / 16, 1 / 8, 1].map((zoom) => seen(zoom))).toEqual([4, 4, 2, 1, 1])
    expect(seen(1 / 32, 'of another slide')).toBe(1)
  })
})

describe('a run that found nothing', () => {
  const spec = RecipeSpec.parse(JSON.parse(readFileSync('assets/recipes/he-nuclei.json', 'utf8')))
  const none = status({ state: 'done', objects: 0, tilesDone: 4, tilesTotal: 4 })

  it('says that fluorescence is not what the recipe is for', () => {
    expect(adviceForNone(none, spec, true)?.text).toMatch(/as in fluorescence.*“H&E nuclei” looks for dark nuclei/)
  })
  it('says elsewhere what may be wrong, and which step to look at', () => {
    const advice = adviceForNone(none, spec, false)
    expect(advice?.text).toMatch(/glass without tissue.*“Threshold”/)
    expect(advice?.layer?.id).toBe('mask')
    expect(adviceForNone({ ...none, analysedMpp: null }, spec, false)?.text).toContain('no pixel size')
    expect(adviceForNone({ ...none, unreadableTiles: 4 }, spec, false)?.text).toContain('could be read')
  })
  it('has nothing to say while it runs, where it failed, and where there are objects', () => {
    for (const part of [{ state: 'running' }, { state: 'failed' }, { objects: 1 }] as const)
      expect(adviceForNone({ ...none, ...part }, spec, true)).toBeNull()
  })
  it('takes a picture for dark by what most of it is', () => {
    const picture = (background: number) =>
      Array.from({ length: 400 }, (_, i) => (i % 4 === 3 ? 255 : i < 120 ? 140 : background))
    expect(isDark(picture(12))).toBe(true)
    expect(isDark(picture(240))).toBe(false)
  })
})

describe('a number that cannot be used', () => {
  const param: ParamSpec = { kind: 'number', key: 'k', label: '', help: '', unit: 'um', min: 1, max: 20, step: 1, default: 5 }
  it('is replaced by the nearest that can, and both are named', () => {
    const problem = problemOf(param, 500)!
    expect(noteOf('500', problem, nearestValue(param, 500), '5')).toBe('500 cannot be used (expected 1 to 20): 20 was taken.')
    expect(nearestValue({ ...param, integer: true }, 2.6)).toBe(3)
  })
  it('is named where it is no number at all', () => {
    expect(nearestValue(param, Number.NaN)).toBeNull()
    expect(noteOf('abc', problemOf(param, Number.NaN)!, null, '5')).toBe('“abc” is no number: 5 is kept.')
  })
})
