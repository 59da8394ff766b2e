// The path around a disk is its rim, wherever the disk lies and however fine its pixels are.
import { describe, expect, it } from 'vitest'
import { closedPath } from '../../../main/run/point/closedPath'

/** A disk with a rim of 4 px of `ink`, `inside` within, on `ground`. */
function disk(size: number, radius: number, { ink = 120, ground = 20, inside = 120, x = 0, y = 0 } = {}) {
  const data = new Uint8Array(size * size)
  for (let py = 0; py < size; py++)
    for (let px = 0; px < size; px++) {
      const far = Math.hypot(px + 0.5 - size / 2, py + 0.5 - size / 2)
      data[py * size + px] = far > radius ? ground : far > radius - 4 ? ink : inside
    }
  return { x, y, width: size, height: size, data }
}
const areaOf = (runs: Int32Array): number => {
  let area = 0
  for (let i = 0; i < runs.length; i += 3) area += runs[i + 2]! - runs[i + 1]!
  return area
}
const middle = { stepK: 1024, level: 100 }

describe('a closed path', () => {
  it.each([10, 16, 22])('around a disk of radius %i is its rim, wherever inside it began', (radius) => {
    const plane = disk(100, radius)
    for (const [dx, dy] of [
      [0, 0],
      [radius / 3, -radius / 4],
    ] as const) {
      const { runs, strength } = closedPath(plane, Math.floor((50 + dx) * 1024), Math.floor((50 + dy) * 1024), middle)
      const share = areaOf(runs) / (Math.PI * radius * radius)
      expect(share).toBeGreaterThan(0.9)
      expect(share).toBeLessThan(1.1)
      // A whole level, and the tenth for room.
      expect(strength).toBeGreaterThan(250)
    }
  })

  it('goes around a pale inside by the rim that shows', () => {
    const { runs } = closedPath(disk(100, 18, { inside: 60 }), 50 * 1024, 50 * 1024, middle)
    expect(areaOf(runs) / (Math.PI * 18 * 18)).toBeGreaterThan(0.9)
  })

  it('says how weak it is where there is nothing', () => {
    const flat = { x: 0, y: 0, width: 100, height: 100, data: new Uint8Array(10000).fill(77) }
    expect(closedPath(flat, 50 * 1024, 50 * 1024, middle).strength).toBeLessThan(40)
  })

  it('is the same path beside the corner of a slide of millions of px, and of pixels of half the size', () => {
    const far = 3_000_000
    const here = closedPath(disk(100, 16), 50 * 1024, 50 * 1024, middle).runs
    const there = closedPath(disk(100, 16, { x: far, y: 7 }), (far + 50) * 1024, 57 * 1024, middle).runs
    expect([...there]).toEqual([...here].map((value, i) => value + (i % 3 === 0 ? 7 : far)))
    const fine = closedPath(disk(200, 32), 100 * 1024, 100 * 1024, { stepK: 2048, level: 100 }).runs
    expect(areaOf(fine) / 4 / areaOf(here)).toBeCloseTo(1, 1)
  })

  it('stays in the image', () => {
    const { runs } = closedPath(disk(60, 20), 12 * 1024, 30 * 1024, middle)
    for (let i = 0; i < runs.length; i += 3) expect(runs[i + 1]).toBeGreaterThanOrEqual(0)
  })
})
