// Snap rounding: by hand, and of random segments, held against every pair of what comes out.
import { expect, it } from 'vitest'
import { newEffort, side } from '../../../../main/base/planar/lines'
import { snapRounded } from '../../../../main/base/planar/snapRounding'
import { seeded } from '../../../stress/seeded'

type Line = readonly [number, number, number, number]
const snapped = (...lines: Line[]): Line[] => {
  const { xy, of } = snapRounded({ xy: Float64Array.from(lines.flat()), of: Uint32Array.from(lines, (_, n) => n) }, newEffort())
  return Array.from(of, (_, n) => [xy[n * 4]!, xy[n * 4 + 1]!, xy[n * 4 + 2]!, xy[n * 4 + 3]!])
}

/** They meet elsewhere than at ends of both, and are not one line. */
function wrongAt([ax, ay, bx, by]: Line, [cx, cy, dx, dy]: Line): boolean {
  const [c, d] = [side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)]
  const [e, f] = [side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)]
  const isInside = (px: number, py: number, x0: number, y0: number, x1: number, y1: number): boolean =>
    (px - x0) * (px - x1) + (py - y0) * (py - y1) < 0
  if (c * d < 0 && e * f < 0) return true
  if ((c === 0 && isInside(cx, cy, ax, ay, bx, by)) || (d === 0 && isInside(dx, dy, ax, ay, bx, by))) return true
  return (e === 0 && isInside(ax, ay, cx, cy, dx, dy)) || (f === 0 && isInside(bx, by, cx, cy, dx, dy))
}

const distance = ([ax, ay, bx, by]: Line, x: number, y: number): number => {
  const part = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
  const at = Math.min(1, Math.max(0, part))
  return Math.hypot(ax + at * (bx - ax) - x, ay + at * (by - ay) - y)
}

it('by hand: halves go up, and a line goes by way of each end that it passes', () => {
  // They cross at (1.5, 0.5).
  expect(snapped([0, 0, 3, 1], [0, 1, 3, 0])).toEqual([[0, 0, 2, 1], [2, 1, 3, 1], [0, 1, 2, 1], [2, 1, 3, 0]]) // oxfmt-ignore
  // At (-1.5, -0.5).
  expect(snapped([-3, -1, 0, 0], [-3, 0, 0, -1])[0]).toEqual([-3, -1, -1, 0])
  // (5, 1) lies 0.1 off the line, (5, 2) 1.1.
  expect(snapped([0, 0, 50, 9], [5, 1, 5, 2])).toEqual([[0, 0, 5, 1], [5, 1, 50, 9], [5, 1, 5, 2]]) // oxfmt-ignore
  // Through the corner that four squares share: it is the one's above on the right, which has a point here or not.
  expect(snapped([0, 0, 1, 1], [1, 0, 2, 0])).toEqual([[0, 0, 1, 1], [1, 0, 2, 0]]) // oxfmt-ignore
})

it('of random segments, pieces meet at their ends only, and lie within a step of their segment', () => {
  const random = seeded(39)
  for (let n = 0; n < 150; n++) {
    const size = [4, 12, 60, 2 ** 24][n % 4]!
    const whole = (): number => Math.floor(random() * size)
    const lines = Array.from({ length: 10 }, (): Line => [whole(), whole(), whole(), whole()]).filter(
      ([ax, ay, bx, by]) => ax !== bx || ay !== by,
    )
    const found = snapped(...lines)
    const wrong = found.flatMap((one, i) => found.slice(i + 1).filter((other) => wrongAt(one, other)))
    expect([n, wrong]).toEqual([n, []])
    for (const [x, y] of found) expect(Math.min(...lines.map((line) => distance(line, x, y)))).toBeLessThan(0.75)
  }
})
