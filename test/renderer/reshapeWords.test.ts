// What is said of outlines that were changed.
import { expect, it } from 'vitest'
import { drawnWords, firstAmount, reshapedWords } from '../../renderer/store/objects/reshapeWords'

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

it('says how much of what was drawn another object has, and what that parts from it', () => {
  const leftOut = { others: { px: 48, um2: 12, objects: 1 }, apart: { px: 0, um2: 0 } }
  const name = 'Add an object'
  expect(drawnWords({ name, leftOut })).toBe('Add an object; 12 µm² belong to another object and were left out')
  const more = { others: { px: 1480, um2: 370.2, objects: 2 }, apart: { px: 3, um2: 0.75 } }
  expect(drawnWords({ name, leftOut: more })).toBe(
    'Add an object; 370 µm² belong to other objects and were left out; 0.75 µm² are not connected with the rest and were left out',
  )
  const px = { others: { px: 48, um2: null, objects: 1 }, apart: { px: 0, um2: null } }
  expect(drawnWords({ name, leftOut: px })).toBe('Add an object; 48 px belong to another object and were left out')
  const none = { others: { px: 0, um2: 0, objects: 0 }, apart: { px: 0, um2: 0 } }
  expect([drawnWords({ name, leftOut: none }), drawnWords({ name })]).toEqual([name, name])
})
