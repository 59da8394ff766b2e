// Areas of bands about a border: figures that a hand can check, and any regions against their pixels.
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import { holderOf } from '../../../main/base/shapes'
import { bandAreas } from '../../../main/spatial/bandAreas'
import type { Ground } from '../../../main/spatial/ground'
import { bordersOf, signedDistances } from '../../../main/spatial/border'
import { treeOf } from '../../../main/spatial/points'
import { seeded } from '../../stress/seeded'

const box = (x: number, y: number, width: number, height: number): Shape => ({ kind: 'rectangle', x, y, width, height })
const whole: Ground = { bounds: { x: 0, y: 0, width: 1000, height: 800 }, shapes: null, missing: [] }
const areasOf = (shapes: readonly Shape[], limits: readonly number[], ground = whole, scale = { x: 1, y: 1 }) =>
  bandAreas(bordersOf(shapes), limits, scale, ground)

describe('areas of bands that a hand can check', () => {
  it('are those of a square: corners outside are quarters of a circle, inside there are none', () => {
    const { areas, errors } = areasOf([box(300, 300, 100, 100)], [-20, 0, 20])
    const ring = 4 * 100 * 20 + Math.PI * 400
    const truth = [60 * 60, 100 * 100 - 60 * 60, ring, 800_000 - 10_000 - ring]
    areas.forEach((area, i) => expect(Math.abs(area - truth[i]!)).toBeLessThan(0.01))
    errors.forEach((error) => expect(error).toBeLessThan(2))
  })

  it('are those of rings about a hole, and of what lies between two regions once', () => {
    const hole: Shape = {
      kind: 'polygon',
      parts: [
        [
          [[100, 100], [500, 100], [500, 500], [100, 500]], // oxfmt-ignore
          [[200, 200], [400, 200], [400, 400], [200, 400]], // oxfmt-ignore
        ],
      ],
    }
    const { areas } = areasOf([hole], [-30, 0, 30])
    const frame = 400 ** 2 - 200 ** 2
    const deep = 340 ** 2 - (200 ** 2 + 4 * 200 * 30 + Math.PI * 900)
    const outside = 4 * 400 * 30 + Math.PI * 900 + 200 ** 2 - 140 ** 2
    const truth = [deep, frame - deep, outside, 800_000 - frame - outside]
    areas.forEach((area, i) => expect(Math.abs(area - truth[i]!)).toBeLessThan(0.05))
    // Two squares 40 apart: bands of 30 share 20 of the gap.
    const two = areasOf([box(300, 300, 100, 100), box(440, 300, 100, 100)], [0, 30]).areas
    const lens = 100 * 20 + (2 * (2 * (900 * Math.acos(20 / 30) - 20 * Math.sqrt(500)))) / 2
    expect(Math.abs(two[1]! - (2 * (4 * 100 * 30 + Math.PI * 900) - lens))).toBeLessThan(0.1)
  })

  it('are those of a circle, of pixels that are not square, and beyond the rim of what was looked at', () => {
    const disc: Shape = { kind: 'ellipse', x: 100, y: 200, width: 400, height: 200 }
    // In µm a circle of radius 100 about (150, 300).
    const { areas } = areasOf([disc], [-50, 0, 50], whole, { x: 0.5, y: 1 })
    const truth = [Math.PI * 2500, Math.PI * 7500, Math.PI * 12_500, 400_000 - Math.PI * 22_500]
    areas.forEach((area, i) => expect(Math.abs(area / truth[i]! - 1)).toBeLessThan(1e-4))
    const half: Ground = { bounds: { x: 300, y: 0, width: 700, height: 800 }, shapes: null, missing: [] }
    const cut = areasOf([disc], [-50, 0, 50], half, { x: 0.5, y: 1 }).areas
    for (const band of [0, 1, 2]) expect(Math.abs(cut[band]! / (truth[band]! / 2) - 1)).toBeLessThan(1e-4)
  })

  it('leave out what was not looked at: beside shapes, and what could not be read', () => {
    const ground: Ground = {
      bounds: whole.bounds,
      shapes: [box(0, 0, 400, 400), { kind: 'ellipse', x: 500, y: 500, width: 100, height: 100 }],
      missing: [{ x: 0, y: 0, width: 400, height: 100 }],
    }
    const { areas } = areasOf([box(-100, -100, 300, 1000)], [-50, 0, 50], ground)
    const truth = [150 * 300, 50 * 300, 50 * 300, 150 * 300 + Math.PI * 2500]
    areas.forEach((area, i) => expect(Math.abs(area - truth[i]!)).toBeLessThan(0.05))
  })
})

it.each([1, 2, 3, 4, 5, 6])('are what counting pixels gives, whatever the regions are (seed %i)', (seed) => {
  const random = seeded(seed)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const star = (): Shape => {
    const [cx, cy, points] = [between(50, 350), between(50, 250), 3 + Math.floor(random() * 12)]
    const ring = Array.from({ length: points }, (_, i): [number, number] => {
      const [far, turn] = [between(15, 90), (2 * Math.PI * i) / points]
      return [cx + far * Math.cos(turn), cy + far * Math.sin(turn)]
    })
    return { kind: 'polygon', parts: [[ring]] }
  }
  const shapes: Shape[] = [
    star(),
    star(),
    star(),
    { kind: 'ellipse', x: between(0, 300), y: between(0, 200), width: 70, height: 40 },
  ]
  const ground: Ground = {
    bounds: { x: 10, y: 20, width: 370, height: 260 },
    shapes: seed % 2 ? null : [box(0, 0, 200, 300), box(200, 50, 90, 200)],
    missing: [{ x: 100, y: 100, width: 60, height: 30 }],
  }
  const limits = [-25, -10, 0, 10, 30, 60]
  const scale = { x: 1, y: seed % 3 ? 1 : 1.25 }
  const { areas, errors } = areasOf(shapes, limits, ground, scale)
  const step = 0.8
  const [xs, ys] = [[] as number[], [] as number[]]
  const holds = (ground.shapes ?? [box(0, 0, 400, 300)]).map((shape) => holderOf(shape))
  for (let y = 20 + step / 2; y < 280; y += step)
    for (let x = 10 + step / 2; x < 380; x += step) {
      const isMissing = x >= 100 && x < 160 && y >= 100 && y < 130
      if (isMissing || !holds.some((each) => each(x, y))) continue
      xs.push(x)
      ys.push(y)
    }
  const px = { xs: Float64Array.from(xs), ys: Float64Array.from(ys) }
  const um = { xs: px.xs.map((x) => x * scale.x), ys: px.ys.map((y) => y * scale.y) }
  const counts = new Float64Array(limits.length + 1)
  for (const far of signedDistances(shapes, px, um, scale, treeOf(um), () => undefined))
    counts[limits.filter((limit) => far >= limit).length]! += step * step * scale.x * scale.y
  areas.forEach((area, band) => {
    // A border cuts through some pixels; half of them come out wrong by half of themselves, and they even out.
    expect(Math.abs(area - counts[band]!)).toBeLessThan(0.005 * counts[band]! + 20)
    expect(errors[band]!).toBeLessThan(0.005 * area + 3)
  })
})
