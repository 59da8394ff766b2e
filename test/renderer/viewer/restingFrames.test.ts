// When a viewer's frames follow each other, and when they rest.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RestingFrames } from '../../../renderer/viewer/tiles/restingFrames'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A window of 50 frames a second, and a loop that asks for the next frame in each, as a viewer's does. */
function loop(): { frames: RestingFrames; seen: () => number; stop: () => void } {
  let count = 0
  const frames = new RestingFrames({
    requestAnimationFrame: (callback) => Number(setTimeout(() => callback(performance.now()), 20)),
    cancelAnimationFrame: (id) => clearTimeout(id),
    performance: { now: () => Date.now() },
  })
  let id = 0
  const next = (): void => {
    id = frames.requestAnimationFrame(() => {
      count++
      next()
    })
  }
  next()
  return { frames, seen: () => count, stop: () => frames.cancelAnimationFrame(id) }
}

test('frames follow each other for a second after a change, and then come seldom', () => {
  const { frames, seen } = loop()
  frames.rouse()
  vi.advanceTimersByTime(1000)
  expect(seen()).toBe(50)
  vi.advanceTimersByTime(1200)
  // One for each rest of 100 ms and its frame of 20.
  expect(seen()).toBe(60)
})

test('a change ends the rest: the next frame is the window’s next', () => {
  const { frames, seen } = loop()
  vi.advanceTimersByTime(50)
  expect(seen()).toBe(0)
  frames.rouse()
  vi.advanceTimersByTime(20)
  expect(seen()).toBe(1)
})

test.each([0, 110])('what is cancelled does not come: %i ms after it was asked for', (after) => {
  const { frames, seen, stop } = loop()
  vi.advanceTimersByTime(after)
  stop()
  frames.rouse()
  vi.advanceTimersByTime(2000)
  expect(seen()).toBe(0)
})
