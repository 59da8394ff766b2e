// What is done behind an answer: not begun once the engine closes, waited for where it has begun, told of where it fails.
import { expect, it } from 'vitest'
import { Afterwards } from '../../../main/base/afterwards'

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('waits at its end for what has begun, and begins nothing any more', async () => {
  const done: string[] = []
  const afterwards = new Afterwards(() => undefined)
  afterwards.now(async () => {
    await later(30)
    done.push('now')
  })
  afterwards.soon(async () => void done.push('soon'), 1)
  afterwards.soon(async () => void done.push('taken back'), 60)
  await later(10)
  await afterwards.close()
  expect(done).toEqual(['soon', 'now'])
  afterwards.now(async () => void done.push('too late'))
  afterwards.soon(async () => void done.push('too late'), 0)
  await later(80)
  expect(done).toEqual(['soon', 'now'])
})

it('tells of a failure, which is nobody’s, and waits for the others', async () => {
  const told: string[] = []
  const afterwards = new Afterwards(({ message }) => told.push(message))
  let done = false
  afterwards.now(() => Promise.reject(new Error('no space')))
  afterwards.now(async () => {
    await later(10)
    done = true
  })
  await afterwards.close()
  expect([done, told.length, told[0]]).toEqual([true, 1, expect.stringContaining('no space')])
})
