// Maps of density: cells that a hand can count, and any objects against a look at every one of them.
import { expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import { holderOf } from '../../../main/base/shapes'
import { beside, counted, gridOf, mapDensity } from '../../../main/spatial/densityMap'
import type { MapInput } from '../../../main/spatial/densityMap'
import { seeded } from '../../stress/seeded'

const whole = { bounds: { x: 0, y: 0, width: 640, height: 480 }, shapes: null, missing: [] }
const mapOf = (points: readonly (readonly [number, number, number?])[], more: Partial<MapInput> = {}) =>
  mapDensity(
    {
      xs: Float64Array.from(points, ([x]) => x),
      ys: Float64Array.from(points, ([, y]) => y),
      counts: Uint8Array.from(points, ([, , kind = counted]) => kind),
      ...{ isShare: false, radius: 64, umPerPx: null, ground: whole, regions: [] },
      ...more,
    },
    () => undefined,
  )

it('counts what a hand counts', () => {
  const { cellPx, width, height, values, highest } = mapOf([[320, 240], [324, 240], [600, 100]]) // oxfmt-ignore
  expect([cellPx, width, height]).toEqual([8, 80, 60])
  const circle = (Math.PI * 64 * 64) / 1e6
  const at = (x: number, y: number): number => values[Math.floor(y / 8) * 80 + Math.floor(x / 8)]!
  expect(at(320, 240)).toBe(Math.fround(2 / circle))
  expect(highest).toBe(Math.fround(2 / circle))
  // The middle of the cell at 256 lies 64 from 320 along x, but half a cell aside: beyond.
  expect(at(250, 240)).toBe(0)
  expect(at(264, 240)).toBe(Math.fround(2 / circle))
  expect(at(600, 40)).toBe(Math.fround(1 / circle))
  expect(at(100, 100)).toBe(0)
})

it('tells a share where it has something to be of, and nothing beside what was looked at', () => {
  const ground = {
    bounds: { x: 100, y: 0, width: 540, height: 480 },
    shapes: null,
    missing: [{ x: 300, y: 0, width: 40, height: 480 }],
  }
  const { left, width, values, highest } = mapOf([[200, 200, counted], [200, 208, beside], [208, 200, beside], [200, 192, beside], [200, 201, 0]], { isShare: true, ground }) // oxfmt-ignore
  expect(left).toBe(12)
  const at = (x: number, y: number): number => values[Math.floor(y / 8) * width + Math.floor(x / 8) - left]!
  expect(at(200, 200)).toBe(0.25)
  expect(highest).toBe(0.5)
  for (const [x, y] of [[500, 300], [97, 200], [320, 200]] as const) expect(at(x, y)).toBeNaN() // oxfmt-ignore
})

it.each([1, 2, 3, 4])('is what a look at every object gives (seed %i)', (seed) => {
  const random = seeded(seed)
  const scale = seed % 2 ? null : { x: 0.5, y: 0.6 }
  const shapes: Shape[] = [{ kind: 'ellipse', x: 20.3, y: 10.1, width: 301, height: 200 }, { kind: 'rectangle', x: 350, y: 50, width: 155, height: 333 }] // oxfmt-ignore
  const ground = { ...whole, shapes: seed > 2 ? shapes : null, missing: [{ x: 64, y: 64, width: 96, height: 50 }] }
  const points = Array.from({ length: 700 }, (): [number, number, number] => {
    const isGrid = random() < 0.3
    const place = (size: number): number => (isGrid ? 8 * Math.floor((random() * size) / 8) + 4 : random() * size)
    return [place(640), place(480), Math.floor(random() * 3)]
  })
  const radius = scale ? 30 : 64
  const isShare = seed === 2 || seed === 3
  const { cellPx, left, top, width, height, values } = mapOf(points, { umPerPx: scale, ground, radius, isShare })
  const { x: sx, y: sy } = scale ?? { x: 1, y: 1 }
  expect(cellPx * Math.max(sx, sy)).toBeLessThanOrEqual(radius / 8)
  const holds = shapes.map((shape) => holderOf(shape))
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + left + 0.5) * cellPx, (row + top + 0.5) * cellPx]
      const near = points.filter(([px, py]) => {
        const [dx, dy] = [x * sx - px * sx, y * sy - py * sy]
        return dx * dx + dy * dy <= radius * radius
      })
      const of = (kind: number): number => near.filter(([, , own]) => own === kind).length
      const isMissing = x >= 64 && x < 160 && y >= 64 && y < 114
      const isLooked = !isMissing && (seed <= 2 || holds.some((each) => each(x, y)))
      const value = isShare ? of(counted) / (of(counted) + of(beside)) : of(counted) / ((Math.PI * radius * radius) / 1e6)
      expect(values[row * width + column]).toBe(isLooked ? Math.fround(value) : NaN)
    }
})

it('keeps to its memory, whatever the slide', () => {
  const grid = gridOf({ bounds: { x: 0, y: 0, width: 300_000, height: 300_000 }, shapes: null, missing: [] }, 10, {
    x: 0.25,
    y: 0.25,
  })
  expect(grid.width * grid.height).toBeLessThanOrEqual(2 ** 24)
  expect(grid.cellPx).toBe(128)
})
