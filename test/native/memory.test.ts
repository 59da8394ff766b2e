// Working memory between calls: kept for the next one, given back when it is asked for.
import { describe, expect, test } from 'vitest'
import * as native from '../../native/index'

describe('working memory', () => {
  test('is kept after a call, and given back once', async () => {
    const side = 1500
    const slide = native.memorySlide({ path: 'a' }, new Uint8Array(side * side * 4).fill(200), side, side)
    // The second call finds what the first one grew to.
    for (let call = 0; call < 2; call++) await slide.readScaled(2.5, 0, 0, side / 2.5, side / 2.5)
    expect(native.trimMemory()).toBeGreaterThan(1e6)
    expect(native.trimMemory()).toBe(0)
    // Calls go on, and of many of any size no more is kept than the largest needs.
    for (let call = 0; call < 60; call++) {
      const part = 100 + ((call * 37) % 500)
      await slide.readScaled(2.5, 0, 0, part, part)
    }
    expect(native.trimMemory()).toBeLessThan(40e6)
    slide.close()
  })
})
