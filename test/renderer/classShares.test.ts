// Shares of classes: by limits, as counted, and in words.
import { expect, it } from 'vitest'
import { sharesByLimits, sharesCounted, shareWords } from '../../renderer/arithmetic/classShares'

const counted = (counts: Record<string, number>) =>
  Object.entries(counts).map(([id, objects]) => ({ id, label: id[0]!.toUpperCase() + id.slice(1), objects }))

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
  expect(shareWords(counted({ negative: 3, positive: 1 }), 4)).toBe('25.0 % positive')
  expect(shareWords(counted({ negative: 1, weak: 1, moderate: 1, strong: 1 }), 4)).toBe('H-score 150')
  expect(shareWords(counted({ lymphocyte: 1, stroma: 3 }), 4)).toBe('25.0 % lymphocyte')
  expect(shareWords(counted({ negative: 0, positive: 0 }), 0)).toBe('')
  expect(shareWords([], 4)).toBe('')
})
