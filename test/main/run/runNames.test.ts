// What a slide's runs are called: never a number that could be the region's own, and never more than a journal takes.
import { expect, it } from 'vitest'
import { RunRequest } from '../../../app/contract'
import { RunNames } from '../../../main/run/runNames'

const asks = (name?: string): RunRequest =>
  ({ purpose: 'run', region: { x: 0, y: 0, width: 9, height: 9 }, ...(name !== undefined && { name }) }) as RunRequest

it('calls the second run of a region its second run, on each slide by itself', () => {
  const names = new RunNames()
  const next = (name: string, slide = 'a') => names.next(asks(name), slide)
  expect(['Region 2', 'Region 2', 'Region 2', 'Region 22'].map((name) => next(name))).toEqual([
    'Region 2',
    'Region 2, run 2',
    'Region 2, run 3',
    'Region 22',
  ])
  expect(next('Region 2', 'b')).toBe('Region 2')
  names.forget('a')
  expect(next('Region 2')).toBe('Region 2')
})

it('leaves a run that comes back its number, and gives the next one a higher', () => {
  const names = new RunNames()
  // The first two were deleted before the program ended.
  expect(names.next(asks('Tumor, run 3'), 'a')).toBe('Tumor, run 3')
  expect(names.next(asks('Tumor'), 'a')).toBe('Tumor, run 4')
  expect(names.next(asks('Tumor, run 3'), 'a')).toBe('Tumor, run 5')
})

it('is a name that requests, journals and projects take, however long the region’s is', () => {
  for (const letter of ['x', '級', '🔬'])
    for (const length of [90, 99, 100]) {
      const names = new RunNames()
      const long = letter.repeat(Math.floor(length / letter.length))
      const made = Array.from({ length: 12 }, () => names.next(asks(long), 'a'))
      expect(new Set(made).size).toBe(12)
      for (const name of made) {
        expect(RunRequest.shape.name.safeParse(name).success, name).toBe(true)
        expect(Buffer.from(name).toString(), name).toBe(name)
        // As it comes back.
        expect(new RunNames().next(asks(name), 'a')).toBe(name)
      }
    }
})
