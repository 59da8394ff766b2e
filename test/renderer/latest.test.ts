// What is asked for anew makes void what was asked for before, whichever answer comes first.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latest } from '../../renderer/store/base/latest'

test('one that begins makes the one before void, and itself goes on', () => {
  const newest = latest()
  const first = newest.begin()
  expect(first.aborted).toBe(false)
  const second = newest.begin()
  expect([first.aborted, second.aborted]).toEqual([true, false])
})

test('stopped, nothing goes on, until another begins', () => {
  const newest = latest()
  newest.stop()
  const first = newest.begin()
  newest.stop()
  newest.stop()
  expect(first.aborted).toBe(true)
  expect(newest.begin().aborted).toBe(false)
})

test('two of them know nothing of each other', () => {
  const [one, other] = [latest(), latest()]
  const signal = one.begin()
  other.begin()
  other.stop()
  expect(signal.aborted).toBe(false)
})

test('of answers in any order, the last question alone is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 12 }), async (scheduler, count) => {
      const newest = latest()
      const shown: number[] = []
      const ask = async (question: number): Promise<void> => {
        const signal = newest.begin()
        await scheduler.schedule(Promise.resolve())
        if (!signal.aborted) shown.push(question)
      }
      const all = Array.from({ length: count }, (_, question) => ask(question))
      await scheduler.waitFor(Promise.all(all))
      expect(shown).toEqual([count - 1])
    }),
  )
})
