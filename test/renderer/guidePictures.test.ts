// The guide's pictures and those of values are found where they lie.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chapters, guidePicture } from '../../renderer/store/commands/guide'
import { effectOf } from '../../renderer/store/recipe/effects'

test('each chapter of the guide has its picture', () => {
  expect(chapters().filter(({ id }) => guidePicture(id) === undefined)).toEqual([])
})

test('each value that a picture was made of has it', () => {
  const made = JSON.parse(readFileSync(new URL('../../assets/guide/effects/effects.json', import.meta.url), 'utf8')) as object
  const names = Object.keys(made)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => effectOf(...(name.split('.') as [string, string, string])) === null)).toEqual([])
})
