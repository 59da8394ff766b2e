// Steps side by side: never more than there are lanes, begun in their order, and one that breaks down hides no other.
import { expect, test } from 'vitest'
import { inLanes } from '../../../app/setup/lanes.mjs'

const pause = () => new Promise((done) => setTimeout(done, 5))

test('two at a time, in order', async () => {
  const begun: number[] = []
  let now = 0
  let most = 0
  const task = (name: number) => async () => {
    begun.push(name)
    most = Math.max(most, ++now)
    for (let waited = 0; waited < name; ++waited) await pause()
    --now
  }
  await inLanes([task(6), task(1), task(2), task(1)], 2)
  expect(begun).toEqual([6, 1, 2, 1])
  expect(most).toBe(2)
  await inLanes([], 2)
})

test('what runs beside a step that breaks down is waited for', async () => {
  let ended = false
  const slow = async () => {
    await pause()
    ended = true
  }
  const broken = async () => {
    throw new Error('broke down')
  }
  await expect(inLanes([broken, slow], 2)).rejects.toThrow('broke down')
  expect(ended).toBe(true)
})
