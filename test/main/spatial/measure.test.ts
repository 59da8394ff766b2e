// Spatial measures: cases that can be checked by hand, and seeded ones against a look at every pair.
import { describe, expect, it } from 'vitest'
import { noSpatial } from '../../../app/contract'
import type { Shape, SpatialMeasures } from '../../../app/contract'
import { holderOf } from '../../../main/base/shapes'
import { bordersOf } from '../../../main/spatial/border'
import { measureSpatial } from '../../../main/spatial/measure'
import type { SpatialValues } from '../../../main/spatial/measure'
import { seeded } from '../../stress/seeded'

const all: SpatialMeasures = {
  border: true,
  nearest: true,
  densityRadiusUm: 10,
  nearestCount: 2,
  neighbours: true,
  neighboursWithinUm: null,
  bands: null,
  map: null,
}
type Point = readonly [x: number, y: number, of?: number]
interface Scene {
  readonly points: readonly Point[]
  readonly classes?: number
  readonly regions?: readonly (readonly Shape[])[]
  readonly umPerPx?: { x: number; y: number } | null
  readonly measures?: Partial<SpatialMeasures>
}
const square = (x: number, y: number, side: number): Shape => ({ kind: 'rectangle', x, y, width: side, height: side })
const polygon = (...rings: [number, number][][]): Shape => ({ kind: 'polygon', parts: [rings] })

function measured({ points, classes = 0, regions = [], umPerPx = { x: 1, y: 1 }, measures = {} }: Scene): SpatialValues {
  const column = (at: 0 | 1): Float64Array<ArrayBuffer> => Float64Array.from(points, (point) => point[at])
  return measureSpatial(
    {
      measures: { ...all, ...measures },
      xs: column(0),
      ys: column(1),
      classAt: Uint8Array.from(points, ([, , of = 255]) => of),
      classes,
      ids: Uint32Array.from(points, (_, i) => i),
      endOfIds: points.length,
      umPerPx,
      regions,
    },
    () => undefined,
  )
}
const list = (values: Float64Array | null | undefined): number[] => [...values!]
const lists = (values: readonly Float64Array[]): number[][] => values.map(list)

describe('by hand', () => {
  // Corners of a unit cell of 3, 4, 5.
  const points: Point[] = [
    [0, 0, 0],
    [3, 0, 1],
    [0, 4, 1],
  ]

  it('measures the distance to the nearest other object of each class', () => {
    expect(lists(measured({ points, classes: 2 }).nearest)).toEqual([
      [NaN, 3, 4],
      [3, 5, 5],
    ])
  })

  it('is empty for a class without objects, and where there are fewer than so many others', () => {
    const found = measured({ points, classes: 3, measures: { nearestCount: 3 } })
    expect(list(found.nearest[2])).toEqual([NaN, NaN, NaN])
    expect(list(found.neighboursByClass[2])).toEqual([0, 0, 0])
    expect(list(found.meanOfNearest)).toEqual([NaN, NaN, NaN])
  })

  it('takes the mean of the nearest', () => {
    expect(list(measured({ points }).meanOfNearest)).toEqual([3.5, 4, 4.5])
  })

  it('counts others within the radius, the rim included, for each mm² of its circle', () => {
    const within = (radius: number): number[] => {
      const counts = list(measured({ points, measures: { densityRadiusUm: radius } }).density)
      return counts.map((each) => Math.round(each * Math.PI * radius * radius) / 1e6)
    }
    expect(within(3)).toEqual([1, 1, 0])
    expect(within(4)).toEqual([2, 1, 1])
    expect(within(5)).toEqual([2, 2, 2])
  })

  it('goes by µm along each axis', () => {
    const umPerPx = { x: 1 / 3, y: 0.5 }
    const found = measured({ points, classes: 2, umPerPx, regions: [[square(-3, -100, 3)]] })
    expect(list(found.nearest[0])).toEqual([NaN, 1, 2])
    expect(list(found.nearest[1])).toEqual([1, Math.sqrt(5), Math.sqrt(5)])
    // The square's lower right corner is (0, -97) px: 48.5 µm above the first.
    expect(list(found.border[0])[0]).toBe(48.5)
    expect(list(found.border[0])[1]).toBeCloseTo(Math.hypot(1, 48.5), 12)
  })

  it('measures in px where the pixel size is not known', () => {
    const found = measured({ points, classes: 2, umPerPx: null, regions: [[square(1, -50, 100)]] })
    expect(list(found.nearest[1])).toEqual([3, 5, 5])
    expect(list(found.border[0])).toEqual([1, -2, 1])
  })

  it('says nothing of no object, and of a single one what there is', () => {
    const none = measured({ points: [], classes: 1, regions: [[square(0, 0, 9)]] })
    expect([none.border[0]!.length, none.neighbours!.length, none.density!.length]).toEqual([0, 0, 0])
    const one = measured({ points: [[3, 4, 0]], classes: 1, regions: [[square(0, 0, 9)]] })
    expect(
      [one.border, one.nearest, [one.density!], [one.meanOfNearest!], [one.neighbours!], one.neighboursByClass].map(lists),
    ).toEqual([[[-3]], [[NaN]], [[0]], [[NaN]], [[0]], [[0]]])
  })

  it('puts each value to its object by its id', () => {
    const input = { measures: { ...noSpatial, nearestCount: 1 }, classes: 0, umPerPx: null, regions: [] }
    const [xs, ys, classAt] = [Float64Array.of(0, 1, 5), Float64Array.of(0, 0, 0), new Uint8Array(3)]
    const found = measureSpatial({ ...input, xs, ys, classAt, ids: Uint32Array.of(4, 0, 2), endOfIds: 6 }, () => undefined)
    expect(list(found.meanOfNearest)).toEqual([1, NaN, 4, NaN, 1, NaN])
    expect([found.density, found.neighbours]).toEqual([null, null])
  })
})

describe('the border', () => {
  const far = (regions: Shape[], ...points: Point[]): number[] => list(measured({ points, regions: [regions] }).border[0])

  it('is at 0, whichever side an object counts to', () => {
    const found = far([square(0, 0, 10)], [0, 5], [10, 5], [0, 0], [10, 10], [5, 0])
    expect(found).toEqual([0, 0, 0, 0, 0])
    expect(found.every((each) => Object.is(each, 0))).toBe(true)
  })

  it('is that of a hole, too', () => {
    const ring = (from: number, to: number): [number, number][] => [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
    ]
    expect(far([polygon(ring(0, 30), ring(10, 20))], [15, 14], [5, 15], [33, 34], [9, 15])).toEqual([4, -5, 5, -1])
  })

  it('is around regions of one class that overlap, share a side, or hold another', () => {
    // Their common part is no border, and neither is the side between them.
    expect(far([square(0, 0, 10), square(6, 0, 10)], [8, 5], [7, 4], [-2, 5])).toEqual([-5, -4, 2])
    expect(far([square(0, 0, 10), square(10, 0, 10)], [10, 5], [9, 2])).toEqual([-5, -2])
    expect(far([square(0, 0, 30), square(10, 10, 3)], [11, 11])).toEqual([-11])
    // Corners that touch leave both borders.
    expect(far([square(0, 0, 10), square(10, 10, 10)], [10, 10], [12, 12])).toEqual([0, -2])
  })

  it('is that of each class alone, and none where it has no region', () => {
    const found = measured({ points: [[5, 5]], regions: [[square(0, 0, 10)], [square(20, 5, 10)], []] }).border
    expect(lists(found)).toEqual([[-5], [15], [NaN]])
  })

  it('is an ellipse’s rim, to a 30,000th of its radius', () => {
    const ellipse: Shape = { kind: 'ellipse', x: 0, y: 0, width: 2000, height: 2000 }
    const [middle, inside, outside] = far(
      [ellipse],
      [1000, 1000],
      [1500, 1000],
      [1000 + 1200 * Math.SQRT1_2, 1000 + 1200 * Math.SQRT1_2],
    )
    expect(Math.abs(middle! + 1000)).toBeLessThan(1 / 30)
    expect(Math.abs(inside! + 500)).toBeLessThan(1 / 30)
    expect(Math.abs(outside! - 200)).toBeLessThan(1 / 30)
  })

  it('counts a shape that crosses itself as what it holds', () => {
    // Two triangles that meet at (10, 10).
    const bow = polygon([
      [0, 0],
      [20, 20],
      [20, 0],
      [0, 20],
    ])
    const [left, above, right] = far([bow], [2, 10], [10, 2], [18, 10])
    expect([left, right]).toEqual([-2, -2])
    expect(above).toBeCloseTo(8 * Math.SQRT1_2, 9)
    expect(far([bow], [10, 4])[0]).toBeGreaterThan(0)
  })
})

describe('neighbours', () => {
  const joined = (points: Point[], more: Partial<Scene> = {}): number[] => list(measured({ points, ...more }).neighbours)

  it('are those of a Delaunay triangulation', () => {
    // A square with its middle: four corners know the middle and two others, the middle knows all.
    expect(joined([[0, 0], [10, 0], [10, 10], [0, 10], [5, 5]])).toEqual([3, 3, 3, 3, 4]) // oxfmt-ignore
  })

  it('are told by class, and are none beyond the longest', () => {
    const points: Point[] = [
      [0, 0, 0],
      [10, 0, 1],
      [10, 10, 1],
      [0, 10, 7],
      [5, 5, 0],
    ]
    const found = measured({ points, classes: 2 })
    expect(lists(found.neighboursByClass)).toEqual([
      [1, 2, 1, 2, 1],
      [1, 1, 1, 1, 2],
    ])
    expect(joined(points, { measures: { neighboursWithinUm: 7.1 } })).toEqual([1, 1, 1, 1, 4])
  })

  it('in one place are neighbours of each other, and have those of their place', () => {
    expect(joined([[0, 0], [0, 0], [5, 0], [5, 0], [5, 0]])).toEqual([4, 4, 4, 4, 4]) // oxfmt-ignore
    expect(joined([[3, 3], [3, 3], [3, 3]])).toEqual([2, 2, 2]) // oxfmt-ignore
    const points: Point[] = [
      [0, 0, 0],
      [-0, 0, 1],
      [9, 0, 0],
    ]
    const found = measured({ points, classes: 2 })
    expect(lists(found.neighboursByClass)).toEqual([
      [1, 2, 1],
      [1, 0, 1],
    ])
    expect(list(found.nearest[0])).toEqual([9, 0, 9])
  })

  it('on one line are those before and behind, whichever way it goes and in whichever order they come', () => {
    expect(joined([[5, 0], [0, 0], [9, 0], [2, 0]])).toEqual([2, 1, 1, 2]) // oxfmt-ignore
    expect(joined([[1, 7], [1, 2]])).toEqual([1, 1]) // oxfmt-ignore
    const slanted = Array.from({ length: 200 }, (_, i): Point => [0.1 * ((i * 77) % 200), 0.3 * ((i * 77) % 200)])
    const counts = joined(slanted, { umPerPx: { x: 0.2527, y: 0.2531 } })
    expect(counts.filter((each) => each === 1).length).toBe(2)
    expect(counts.filter((each) => each === 2).length).toBe(198)
  })
})

describe('against a look at every pair', () => {
  /** Of clusters, a grid with points in one place, and single ones far away. */
  function scene(seed: number, n: number): Point[] {
    const next = seeded(seed)
    return Array.from({ length: n }, (): Point => {
      const kind = next()
      const of = Math.floor(next() * 4)
      if (kind < 0.3) return [Math.floor(next() * 12), Math.floor(next() * 12), of]
      if (kind < 0.6) return [500 + next() * 3, 200 + next() * 3, of]
      if (kind < 0.98) return [next() * 600, next() * 400, of]
      return [next() * 1e6, next() * 1e6, of]
    })
  }
  const umPerPx = { x: 0.25, y: 0.5 }

  it.each([1, 2, 3, 4, 5, 6])('gives the same distances and counts (seed %i)', (seed) => {
    const points = scene(seed, 40 + 150 * seed)
    const measures = { densityRadiusUm: 4 + seed, nearestCount: seed }
    const found = measured({ points, classes: 3, umPerPx, measures })
    const squared = points.map(([ax, ay]) =>
      points.map(([bx, by]) => {
        const [dx, dy] = [bx * umPerPx.x - ax * umPerPx.x, by * umPerPx.y - ay * umPerPx.y]
        return dx * dx + dy * dy
      }),
    )
    const others = (i: number, of?: number): number[] =>
      squared[i]!.filter((_, j) => j !== i && (of === undefined || points[j]![2] === of)).sort((a, b) => a - b)
    for (const of of [0, 1, 2]) expect(list(found.nearest[of])).toEqual(points.map((_, i) => Math.sqrt(others(i, of)[0] ?? NaN)))
    const radius = measures.densityRadiusUm
    expect(list(found.density)).toEqual(
      points.map((_, i) => others(i).filter((each) => each <= radius * radius).length / ((Math.PI * radius * radius) / 1e6)),
    )
    expect(list(found.meanOfNearest)).toEqual(
      points.map((_, i) => others(i).slice(0, seed).reduce((sum, each) => sum + Math.sqrt(each), 0) / seed), // oxfmt-ignore
    )
  })

  it.each([11, 12, 13])('gives the same distances to borders (seed %i)', (seed) => {
    const next = seeded(seed)
    const shapes = Array.from({ length: 60 }, (): Shape => {
      const [x, y, size] = [next() * 600, next() * 400, 5 + next() * 60]
      if (next() < 0.4) return { kind: 'rectangle', x, y, width: size, height: 5 + next() * 60 }
      const corners = 3 + Math.floor(next() * 8)
      return polygon(
        Array.from({ length: corners }, (_, i): [number, number] => {
          const [turn, out] = [(2 * Math.PI * i) / corners, size * (0.4 + 0.6 * next())]
          return [x + out * Math.cos(turn), y + out * Math.sin(turn)]
        }),
      )
    })
    const points = scene(seed, 400)
    const found = list(measured({ points, umPerPx, regions: [shapes] }).border[0])
    const segments = bordersOf(shapes).flatMap((ring) => ring.map((to, i) => [ring.at(i - 1)!, to] as const))
    const holds = shapes.map(holderOf)
    points.forEach(([x, y], i) => {
      const least = Math.min(
        ...segments.map(([[ax, ay], [bx, by]]) => {
          const [dx, dy] = [(bx - ax) * umPerPx.x, (by - ay) * umPerPx.y]
          const [px, py] = [(x - ax) * umPerPx.x, (y - ay) * umPerPx.y]
          const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)))
          return Math.hypot(px - t * dx, py - t * dy)
        }),
      )
      const isInside = holds.some((each) => each(x, y))
      expect(found[i]).toBeCloseTo(isInside ? -least : least, 8)
    })
  })

  it.each([21, 22, 23])('joins points whose triangles hold no other in their circle (seed %i)', (seed) => {
    const next = seeded(seed)
    const points = Array.from({ length: 40 }, (): Point => [next() * 100, next() * 100])
    const counts = joinedByCircles(points)
    expect(list(measured({ points }).neighbours)).toEqual(counts)
  })

  /** By the definition: every triple whose circle holds no other point. */
  function joinedByCircles(points: readonly Point[]): number[] {
    const edges = new Set<string>()
    const n = points.length
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++)
        for (let c = b + 1; c < n; c++) {
          const [[ax, ay], [bx, by], [cx, cy]] = [points[a]!, points[b]!, points[c]!]
          const d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
          const [a2, b2, c2] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy]
          const x = (a2 * (by - cy) + b2 * (cy - ay) + c2 * (ay - by)) / d
          const y = (a2 * (cx - bx) + b2 * (ax - cx) + c2 * (bx - ax)) / d
          const r2 = (ax - x) ** 2 + (ay - y) ** 2
          if (points.some(([px, py], i) => i !== a && i !== b && i !== c && (px - x) ** 2 + (py - y) ** 2 < r2)) continue
          for (const edge of [`${a} ${b}`, `${b} ${c}`, `${a} ${c}`]) edges.add(edge)
        }
    const counts = points.map(() => 0)
    for (const edge of edges) for (const at of edge.split(' ')) counts[Number(at)]! += 1
    return counts
  }
})

it('gives the same for a list in another order, but for which two of four on one circle are joined', () => {
  const next = seeded(31)
  const points = Array.from({ length: 500 }, (): Point => [next() * 300, next() * 300, Math.floor(next() * 3)])
  const turned = points.toReversed()
  const [one, other] = [points, turned].map((each) => measured({ points: each, classes: 3, regions: [[square(50, 60, 70)]] }))
  const columns = ({ border, nearest, density, meanOfNearest, neighbours, neighboursByClass }: SpatialValues): number[][] =>
    lists([...border, ...nearest, density!, meanOfNearest!, neighbours!, ...neighboursByClass])
  expect(columns(other!).map((each) => each.toReversed())).toEqual(columns(one!))
})

it('takes any number of objects in one place in the time of others', () => {
  const n = 200_000
  const points = Array.from({ length: n }, (): Point => [7, 3, 0])
  // Every other for each would be 4 · 10^10 looks.
  const found = measured({ points, classes: 1, regions: [[square(0, 0, 20)]] })
  const { border, nearest, density, meanOfNearest, neighbours, neighboursByClass } = found
  const some = [...border, ...nearest, density!, meanOfNearest!, neighbours!, ...neighboursByClass].map((each) => each[n >> 1]!)
  expect(some).toEqual([-3, 0, (n - 1) / ((Math.PI * 100) / 1e6), 0, n - 1, n - 1])
})
