// Shares of classes: by limits, as counted, and in words.
import { expect, it } from 'vitest'
import { cutsOn, stainSets } from '../../app/contract'
import { sharesByLimits, sharesCounted } from '../../renderer/arithmetic/classShares'
import { shareWords } from '../../renderer/store/document/shareWords'

const counted = (counts: Record<string, number>) =>
  Object.entries(counts).map(([id, objects]) => ({ id, label: id[0]!.toUpperCase() + id.slice(1), objects }))

const place = { stainSet: 'h-dab', stainNames: stainSets['h-dab'].names, length: 'um' } as const
const onDab = (limits: readonly number[]) => cutsOn('stain2Mean', limits, place)

it('tells what limits would give, a bin in proportion', () => {
  expect(sharesByLimits([1, 2, 1, 0], [2])).toEqual([0.75, 0.25])
  expect(sharesByLimits([1, 2, 1, 0], [0.5, 1.5, 3])).toEqual([0.125, 0.375, 0.5, 0])
  expect(sharesByLimits([0, 0], [1])).toEqual([0, 0])
})

it('tells what was counted, with what the hand has set', () => {
  expect(sharesCounted(['negative', 'positive'], counted({ negative: 6, positive: 2, tumour: 2 }), 10)).toEqual([0.6, 0.2])
  expect(sharesCounted(['positive'], counted({ negative: 6 }), 6)).toEqual([0])
  expect(sharesCounted(['positive'], [], 0)).toEqual([0])
})

it('says the positive share or the H-score, not the share of whichever class is first', () => {
  expect(shareWords(counted({ negative: 3, positive: 1 }), 4, onDab([0.2]))).toBe('25.0 % positive (DAB mean above 0.2 OD)')
  expect(shareWords(counted({ negative: 3, positive: 1 }), 4)).toBe('25.0 % positive (by hand)')
  const four = counted({ negative: 1, weak: 1, moderate: 1, strong: 1 })
  expect(shareWords(four, 4, onDab([0.2, 0.4, 0.6]))).toBe('H-score 150 (DAB mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD)')
  // Neither of an area nor of nothing: no H-score.
  const onArea = cutsOn('area', [20, 40, 60], place)
  expect(shareWords(four, 4, onArea)).toBe('75.0 % positive (Area: 1+ above 20, 2+ above 40, 3+ above 60 µm²)')
  expect(shareWords(four, 4)).toBe('75.0 % positive (by hand)')
  expect(shareWords(counted({ lymphocyte: 1, stroma: 3 }), 4)).toBe('25.0 % lymphocyte')
  expect(shareWords(counted({ negative: 0, positive: 0 }), 0)).toBe('')
  expect(shareWords([], 4)).toBe('')
})
