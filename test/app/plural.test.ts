// Counts as they are spoken: one is no more than one.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { noun } from '../../app/contract'

it('has one form for one and another for the rest', () => {
  expect([0, 1, 2].map((n) => `${n} ${noun(n, 'object')}`)).toEqual(['0 objects', '1 object', '2 objects'])
  expect([1, 2].map((n) => noun(n, 'nucleus', 'nuclei'))).toEqual(['nucleus', 'nuclei'])
})

it('is the one place that tells them apart', () => {
  // Forms side by side in a choice of one: "=== 1 ? 'tile' : 'tiles'".
  const form = "=== 1 \\? '([a-z]+)' : '\\1s'"
  const { status, stdout } = spawnSync('git', ['grep', '-nE', form, '--', 'app', 'main', 'renderer'], { encoding: 'utf8' })
  // git says 1 where nothing is found.
  expect([status, stdout]).toEqual([1, ''])
})
