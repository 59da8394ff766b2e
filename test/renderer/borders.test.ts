// Smooth borders: each once, between the right objects, on the pixels' edges where those are straight, and a slope where they are a stair.
import { expect, it } from 'vitest'
import { bordersOf, smoothRing } from '../../renderer/viewer/tiles/borders'

function picture(...rows: string[]) {
  const side = rows.length
  const ids = Int32Array.from(rows.join(''), (letter) => (letter === '.' ? 0 : letter.charCodeAt(0) - 96))
  const { count, ends, sides } = bordersOf(ids, side)
  return Array.from({ length: count }, (_, s) => {
    const [x0, y0, x1, y1] = [...ends.subarray(4 * s, 4 * s + 4)] as [number, number, number, number]
    return { x0, y0, x1, y1, left: sides[2 * s]!, right: sides[2 * s + 1]! }
  })
}
type Segment = ReturnType<typeof picture>[number]

/** The object just left of a segment's middle, by the pixels. */
function pixelsBeside(rows: readonly string[], { x0, y0, x1, y1 }: Segment): [string, string] {
  const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2]
  const length = Math.hypot(x1 - x0, y1 - y0)
  const [nx, ny] = [((y1 - y0) / length) * 0.45, (-(x1 - x0) / length) * 0.45]
  const at = (x: number, y: number): string => rows[Math.floor(y)]![Math.floor(x)]!
  return [at(mx + nx, my + ny), at(mx - nx, my - ny)]
}

it('a straight border lies on the edge of the pixels, once, and knows what is left and right of it', () => {
  const rows = ['aabb', 'aabb', 'aabb', 'aabb']
  const segments = picture(...rows)
  expect(segments).toHaveLength(3)
  for (const each of segments) {
    expect([each.x0, each.x1]).toEqual([2, 2])
    const [left, right] = pixelsBeside(rows, each)
    expect([left, right].map((letter) => letter.charCodeAt(0) - 96)).toEqual([each.left, each.right])
  }
})

it('an object is inside of all of its border, which is closed', () => {
  const rows = ['........', '..aaa...', '.aaaaa..', '.aaaaaa.', '.aaaaaa.', '..aaaa..', '...aa...', '........']
  const segments = picture(...rows)
  const degree = new Map<string, number>()
  let doubled = 0
  for (const { x0, y0, x1, y1, left, right } of segments) {
    expect([left, right].sort()).toEqual([0, 1])
    for (const end of [`${x0},${y0}`, `${x1},${y1}`]) degree.set(end, (degree.get(end) ?? 0) + 1)
    // Shoelace: with the object to the left, and y pointing down, the area is negative.
    doubled += (left === 1 ? -1 : 1) * (x0 * y1 - x1 * y0)
  }
  expect([...degree.values()].every((count) => count === 2)).toBe(true)
  // Its 26 px, less its corners.
  expect(doubled / 2).toBeGreaterThan(22)
  expect(doubled / 2).toBeLessThan(26)
})

it('a stair of one px is a slope', () => {
  const rows = Array.from({ length: 24 }, (_, y) => 'a'.repeat(y + 1) + '.'.repeat(23 - y))
  const inner = picture(...rows).filter(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1].every((value) => value > 5 && value < 19))
  expect(inner.length).toBeGreaterThan(10)
  for (const { x0, y0, x1, y1 } of inner) expect([x1 - x0, y1 - y0].map(Math.abs)).toEqual([0.5, 0.5])
})

it('a gentle stair has no step of its own', () => {
  // One px down every four.
  const rows = Array.from({ length: 24 }, (_, y) => Array.from({ length: 24 }, (_, x) => (y > 4 + x / 4 ? 'a' : '.')).join(''))
  const inner = picture(...rows).filter(({ x0, x1 }) => Math.min(x0, x1) > 5 && Math.max(x0, x1) < 19)
  const slopes = inner.map(({ x0, y0, x1, y1 }) => Math.abs((y1 - y0) / (x1 - x0)))
  // The pixels' own edges go straight down there.
  expect(Math.max(...slopes)).toBeLessThan(0.75)
})

it('where three objects meet their borders meet in one place; an object that touches itself over a corner is one', () => {
  const meeting = picture('aabb', 'aabb', 'cccc', 'cccc').filter(
    ({ x0, y0, x1, y1 }) => (x0 === 2 && y0 === 2) || (x1 === 2 && y1 === 2),
  )
  expect(meeting).toHaveLength(3)
  const corner = picture('....', '.a..', '..a.', '....')
  expect(corner.some(({ x0, y0, x1, y1 }) => (x0 === 2 && y0 === 2) || (x1 === 2 && y1 === 2))).toBe(false)
  expect(corner.every(({ left, right }) => left + right === 1)).toBe(true)
})

it('a ring on corners is drawn as the border of its pixels is', () => {
  const ring: [number, number][] = [
    [10, 10],
    [40, 10],
    [40, 30],
    [10, 30],
  ]
  const smooth = smoothRing(ring, 10)
  const same = picture('.....', '.aaa.', '.aaa.', '.....', '.....').flatMap(({ x0, y0, x1, y1 }) => [
    `${x0 * 10},${y0 * 10}`,
    `${x1 * 10},${y1 * 10}`,
  ])
  const rounded = (point: string): string =>
    point
      .split(',')
      .map((value) => Number(value).toFixed(3))
      .join()
  expect(new Set(smooth.map(([x, y]) => rounded(`${x},${y}`)))).toEqual(new Set(same.map(rounded)))
})

it('an object of one pixel does not vanish', () => {
  const points = picture('...', '.a.', '...')
  expect(points).toHaveLength(4)
  // In the middle of each edge at first, half a px from the pixel's middle.
  for (const { x0, y0 } of points) expect(Math.hypot(x0 - 1.5, y0 - 1.5)).toBeCloseTo(0.2, 5)
})
