// What a threshold's histogram counts, and what is coloured above it.
import { expect, it } from 'vitest'
import { colourAbove, countsOf, shareAbove, silhouette, stepOf, stepsOf } from '../../renderer/store/slices/cutsSlice'

const slider = { min: 0.3, max: 2.5, step: 0.05 }

it('finds the step of every value that a slider has, whatever binary fractions do', () => {
  expect(stepsOf(slider)).toBe(44)
  for (let k = 0; k <= 44; k++) expect(stepOf(slider, Number((0.3 + k * 0.05).toFixed(6)))).toBe(k)
})
it('counts, and tells the share above a step', () => {
  const counts = countsOf(Uint8Array.of(0, 0, 3, 3, 7, 255))
  expect([counts[0], counts[3], counts[7], counts[255]]).toEqual([2, 2, 1, 1])
  // Above step 3 is what turns at a later one alone.
  expect(shareAbove(counts, 2)).toBeCloseTo(4 / 6)
  expect(shareAbove(counts, 3)).toBeCloseTo(2 / 6)
  expect(shareAbove([], 0)).toBe(0)
})
it('draws what turns between two values between them, and leaves out what none divides', () => {
  expect(silhouette([9, 0, 4, 1, 0, 0], 4, 0)).toBe('M1 1V0.0000H2V1ZM2 1V0.5000H3V1Z')
  expect(silhouette([9, 0, 4, 1, 0, 7], 4, 2)).toBe('M2 1V0.5000H3V1Z')
})
it('colours what is above and nothing else', () => {
  const rgba = new Uint8ClampedArray(12)
  colourAbove(Uint8Array.of(2, 3, 4), 3, rgba)
  expect([...rgba]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 255, 200, 0, 160])
})
