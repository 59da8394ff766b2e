// A section's tissue laid on another's: made outlines, turned, moved and mirrored by known maps.
import { describe, expect, it } from 'vitest'
import { applied, chained, described, inverted } from '../../../../main/project/sections/affine'
import { tissueFit } from '../../../../main/project/sections/tissueFit'
import type { TissueMask } from '../../../../main/project/sections/tissueFit'
import type { Affine } from '../../../../app/contract'

/** µm: a lobed piece and a small one beside it, with no symmetry. */
function isTissue(x: number, y: number): boolean {
  const [u, v] = [x - 5000, y - 4000]
  const angle = Math.atan2(v, u)
  const radius = 2600 + 500 * Math.cos(angle) + 350 * Math.sin(2 * angle + 1) + 200 * Math.cos(5 * angle)
  return Math.hypot(u, v) < radius || Math.hypot(x - 8900, y - 6800) < 700
}

/** `from`: where a place of the mask comes from in the piece above. */
function maskOf(
  width: number,
  height: number,
  side: number,
  from: (x: number, y: number) => readonly [number, number],
): TissueMask {
  const values = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      values[y * width + x] = isTissue(...(from((x + 0.5) * side, (y + 0.5) * side) as [number, number])) ? 1 : 0
  return { width, height, side, values }
}

const turn = (degrees: number, mirrored = false): Affine => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const flip = mirrored ? -1 : 1
  const about = { xx: flip * cos, xy: -sin, yx: flip * sin, yy: cos, dx: 0, dy: 0 }
  const [x, y] = applied(about, [5200, 4300])
  return { ...about, dx: 5600 - x, dy: 5100 - y }
}
const first = maskOf(400, 320, 32, (x, y) => [x, y])

describe('tissue laid on tissue', () => {
  it.each([
    ['as it lies', 0, false],
    ['turned by 3°', 3, false],
    ['turned by 37°', 37, false],
    ['turned by 171°', 171, false],
    ['turned by -90°', -90, false],
    ['mirrored and turned by 20°', 20, true],
  ])('is found %s, within a px', async (_, degrees, mirrored) => {
    const truth = turn(degrees, mirrored)
    const back = inverted(truth)
    const second = maskOf(360, 330, 32, (x, y) => applied(back, [x, y]))
    const found = await tissueFit(first, second)
    expect(described(found.map).mirrored).toBe(mirrored)
    for (const place of [
      [3000, 3000],
      [7000, 3000],
      [5000, 6000],
    ] as const) {
      const [[x, y], [tx, ty]] = [applied(found.map, place), applied(truth, place)]
      expect(Math.hypot(x - tx, y - ty)).toBeLessThan(32)
    }
    expect(found.medianUm).toBeLessThan(20)
    expect(found.overlap).toBeGreaterThan(0.98)
  })

  it('is found where masks have px of other sizes, dust, and a torn corner', async () => {
    const truth = turn(64)
    const back = inverted(truth)
    const torn = (x: number, y: number): readonly [number, number] => {
      const [u, v] = applied(back, [x, y])
      return u > 6800 && v < 3000 ? [0, 0] : [u, v]
    }
    const second = maskOf(500, 460, 24, torn)
    for (let i = 0; i < 40; i++) second.values[(i * 7919) % second.values.length] = 1
    const found = await tissueFit(first, second)
    for (const place of [
      [3000, 3000],
      [5000, 6000],
    ] as const) {
      const [[x, y], [tx, ty]] = [applied(found.map, place), applied(truth, place)]
      expect(Math.hypot(x - tx, y - ty)).toBeLessThan(60)
    }
  })

  it('is the same map both ways', async () => {
    const truth = turn(111)
    const back = inverted(truth)
    const second = maskOf(360, 330, 32, (x, y) => applied(back, [x, y]))
    const [there, again] = [await tissueFit(first, second), await tissueFit(second, first)]
    const [x, y] = applied(chained(there.map, again.map), [4000, 4000])
    expect(Math.hypot(x - 4000, y - 4000)).toBeLessThan(40)
  })

  it('is refused where there is no tissue', async () => {
    const none = { ...first, values: new Uint8Array(first.values.length) }
    await expect(tissueFit(first, none)).rejects.toThrow('No border of tissue was found on the second slide')
    await expect(tissueFit({ ...none, values: none.values.map(() => 1) }, first)).rejects.toThrow('first slide')
  })
})
