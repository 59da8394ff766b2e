// The figures of objects in classes, by hand and against sums that say them another way.
import { describe, expect, it } from 'vitest'
import { allredOf, hScoreOf, intensityClasses, intervalText, positiveShareOf, shareIntervalOf } from '../../app/contract'
import type { ClassCuts } from '../../app/contract'

const graded: ClassCuts = { column: 'stain2Mean', title: 'DAB mean', unit: 'od', limits: [0.2, 0.4, 0.6], ofStain: true }
const grades = (...counts: number[]) => intensityClasses.map(({ id }, i) => ({ id, objects: counts[i] ?? 0 }))
const counted = (negative: number, positive: number) => [
  { id: 'negative', objects: negative },
  { id: 'positive', objects: positive },
]

/** Wilson's interval is where the score test at 95 % just does not refuse a share: found here by halving, not by its formula. */
function byHalving(positive: number, all: number): [number, number] {
  const z = 1.959963984540054
  const isRefused = (share: number): boolean => (positive / all - share) ** 2 > (z * z * share * (1 - share)) / all
  const turn = (inside: number, outside: number): number => {
    let [a, b] = [inside, outside]
    for (let i = 0; i < 200; i++) {
      const middle = (a + b) / 2
      if (isRefused(middle)) b = middle
      else a = middle
    }
    return a
  }
  return [positive === 0 ? 0 : turn(positive / all, 0), positive === all ? 1 : turn(positive / all, 1)]
}

describe('the interval of a positive share', () => {
  it('is Wilson’s: 10 of 100 are 5.5 to 17.4 %', () => {
    expect(intervalText(shareIntervalOf(counted(90, 10))!)).toBe('5.5 to 17.4 %')
    expect(intervalText(shareIntervalOf(counted(19, 1))!)).toBe('0.9 to 23.6 %')
  })
  it('is where the score test turns, for any counts', () => {
    for (const all of [1, 2, 7, 40, 333, 100_000]) {
      for (const positive of [0, 1, Math.floor(all / 3), all - 1, all]) {
        if (positive < 0 || positive > all) continue
        const [low, high] = shareIntervalOf(counted(all - positive, positive))!
        const [from, to] = byHalving(positive, all)
        expect(low).toBeCloseTo(from, 9)
        expect(high).toBeCloseTo(to, 9)
        const share = positiveShareOf(counted(all - positive, positive))!
        expect(low).toBeLessThanOrEqual(share)
        expect(high).toBeGreaterThanOrEqual(share)
      }
    }
  })
  it('counts every grade as positive, and leaves other classes out', () => {
    expect(shareIntervalOf(grades(90, 4, 3, 3))).toEqual(shareIntervalOf(counted(90, 10)))
    expect(shareIntervalOf([...counted(90, 10), { id: 'tumor', objects: 50 }])).toEqual(shareIntervalOf(counted(90, 10)))
    expect(shareIntervalOf([{ id: 'tumor', objects: 5 }])).toBeNull()
    expect(shareIntervalOf([])).toBeNull()
  })
})

describe('the Allred score', () => {
  it('adds the share’s score to the mean grade’s', () => {
    expect(allredOf(grades(0, 0, 0, 10), graded)).toEqual({ proportion: 5, intensity: 3, score: 8 })
    expect(allredOf(grades(10), graded)).toEqual({ proportion: 0, intensity: 0, score: 0 })
    expect(allredOf(grades(199, 1), graded)).toEqual({ proportion: 1, intensity: 1, score: 2 })
    // A tenth, a third and two thirds are the upper ends of 2, 3 and 4.
    expect(allredOf(grades(90, 0, 10), graded)).toEqual({ proportion: 2, intensity: 2, score: 4 })
    expect(allredOf(grades(20, 10), graded)).toMatchObject({ proportion: 3 })
    expect(allredOf(grades(10, 20), graded)).toMatchObject({ proportion: 4 })
    expect(allredOf(grades(10, 21), graded)).toMatchObject({ proportion: 5 })
    // Mean grades of 1.5 and 1.4.
    expect(allredOf(grades(0, 1, 1), graded)).toMatchObject({ intensity: 2 })
    expect(allredOf(grades(0, 3, 2), graded)).toMatchObject({ intensity: 1 })
  })
  it('is of three cut-offs on a stain alone, as the H-score is', () => {
    for (const cuts of [null, undefined, { ...graded, ofStain: false }, { ...graded, limits: [0.2] }]) {
      expect(allredOf(grades(1, 1), cuts)).toBeNull()
      expect(hScoreOf(grades(1, 1), cuts)).toBeNull()
    }
    expect(allredOf(grades(), graded)).toBeNull()
    expect(hScoreOf(grades(10, 10, 10, 10), graded)).toBe(150)
  })
})
