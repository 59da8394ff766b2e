// Samples at 16 bits that 8 do not show: which are spread for looking after tissue, and which are left.
import { expect, it } from 'vitest'
import { dimTop, spreadTo } from '../../../main/slide/dimSamples'
import { seeded } from '../../stress/seeded'

const random = seeded(3)
/** Near `mean`, as noise is. */
const noisy = (mean: number): number => Math.max(0, Math.round(mean + (random() + random() + random() - 1.5) * mean * 0.2))
const values = (...parts: readonly [count: number, of: () => number][]): Uint16Array =>
  Uint16Array.from(parts.flatMap(([count, of]) => Array.from({ length: count }, of)))

it('spreads dim values of two kinds, and leaves what is bright beside them out', () => {
  const faint = values([9000, () => noisy(20)], [900, () => noisy(400)], [60, () => 65_000])
  const { top, isCertain } = dimTop(faint)
  expect(isCertain).toBe(true)
  expect(top).toBeGreaterThan(380)
  expect(top).toBeLessThan(520)
  const rgba = new Uint8Array(4 * 3)
  spreadTo(rgba, Uint16Array.of(0, top! / 2, 65_000), top!)
  expect([...rgba]).toEqual([0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255])
})

it('takes no noise for a picture', () => {
  expect(dimTop(values([20_000, () => noisy(300)]))).toEqual({ top: null, isCertain: true })
  expect(dimTop(values([20_000, () => noisy(300)], [150, () => 40_000]))).toEqual({ top: null, isCertain: true })
  expect(dimTop(new Uint16Array(1000))).toEqual({ top: null, isCertain: true })
})

it('leaves slides that are bright enough', () => {
  expect(dimTop(values([5000, () => noisy(100)], [5000, () => noisy(30_000)])).top).toBeNull()
})

it('says where it stands on values that could not be read', () => {
  const faint = values([9000, () => noisy(20)], [900, () => noisy(400)])
  const unread = new Uint8Array(faint.length)
  unread[7] = 1
  expect(dimTop(faint, unread).isCertain).toBe(false)
  expect(
    dimTop(values([500, () => noisy(100)], [9500, () => noisy(30_000)]), new Uint8Array(10_000).fill(1, 0, 20)).isCertain,
  ).toBe(true)
})
