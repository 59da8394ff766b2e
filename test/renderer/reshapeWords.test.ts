// What is said of outlines that were changed.
import { expect, it } from 'vitest'
import { firstAmount, reshapedWords } from '../../renderer/store/reshapeWords'

it('names the step, and says what became of the others', () => {
  const done = { name: 'Shrink 3 objects by 0.5 µm', objects: 3, made: 3, first: 9, gone: 0, severed: 0, asTheyAre: 0 }
  expect(reshapedWords(done)).toBe('Shrink 3 objects by 0.5 µm')
  expect(reshapedWords({ ...done, made: 5, severed: 1, gone: 1 })).toBe(
    'Shrink 3 objects by 0.5 µm; 1 fell into 3 parts, each an object; nothing would be left of 1, which stays as it is',
  )
  expect(reshapedWords({ ...done, gone: 2, asTheyAre: 12 })).toBe(
    'Shrink 3 objects by 0.5 µm; nothing would be left of 2, which stay as they are; nothing to change on 12',
  )
  expect([firstAmount(0.25), firstAmount(null)]).toEqual([0.5, 1])
})
