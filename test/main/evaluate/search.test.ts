// The search for better values: it ends where no step is better, tries no point twice, and takes the same way each time.
import { expect, it } from 'vitest'
import { gridOf, patternSearch } from '../../../main/evaluate/search'
import type { Axis, Point } from '../../../main/evaluate/search'

const axes: Axis[] = [
  { name: 'x', kind: 'number', min: -5, max: 20, step: 0.1 },
  { name: 'y', kind: 'number', min: 0, max: 100, step: 1 },
  { name: 'way', kind: 'choice', values: ['slow', 'middle', 'fast'] },
]
const begin: Point = { x: 0.3, y: 90, way: 'slow' }
/** One hill: its top is at 7.2, 11, 'fast'. */
const hill = ({ x, y, way }: Point): number =>
  -Math.abs((x as number) - 7.2) - ((y as number) - 11) ** 2 / 50 + (way === 'fast' ? 3 : way === 'middle' ? 1 : 0)

async function searched(most = 10_000, score = hill) {
  const points: Point[] = []
  const states: { trials: number; score: number }[] = []
  const result = await patternSearch(
    axes,
    begin,
    (point) => (points.push(point), Promise.resolve(score(point))),
    most,
    ({ trials, best }) => states.push({ trials, score: best.score }),
  )
  return { points, states, result }
}

it('finds the top of a hill on its grid, the same way each time, and scores no point twice', async () => {
  const { points, states, result } = await searched()
  expect(result).toMatchObject({
    best: { point: { x: 7.2, y: 11, way: 'fast' }, score: 3 },
    begin: { point: begin },
    settled: true,
  })
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(points.length)
  expect(points.length).toBe(result.trials)
  // 250 × 100 × 3 points are there.
  expect(points.length).toBeLessThan(120)
  expect((await searched()).points).toEqual(points)
  expect(states.map(({ trials }) => trials)).toEqual(points.slice(1).map((_, k) => k + 2))
  expect(states.every(({ score }, k) => k === 0 || score >= states[k - 1]!.score)).toBe(true)
})

it('stays within bounds, begins where it is told, and keeps that where nothing is better', async () => {
  const { points, result } = await searched(10_000, () => 1)
  expect(points[0]).toEqual(begin)
  expect(result.best).toEqual({ point: begin, score: 1 })
  for (const { x, y } of points) {
    expect(x).toBeGreaterThanOrEqual(-5)
    expect(x).toBeLessThanOrEqual(20)
    expect(y).toBeLessThanOrEqual(100)
  }
  // On the grid of steps from 0.3 and 90, and not below.
  expect((await searched(10_000, ({ x, y }) => -(x as number) - (y as number))).result.best.point).toMatchObject({ x: -5, y: 0 })
})

it('ends after so many trials, and says that it has not settled', async () => {
  const { points, result } = await searched(7)
  expect(points).toHaveLength(7)
  expect(result).toMatchObject({ trials: 7, settled: false })
  expect(result.best.score).toBe(Math.max(...points.map(hill)))
  expect((await searched(1)).result).toMatchObject({ trials: 1, settled: false, best: { point: begin } })
})

it('tries every step of a short range and both of its ends, whatever rounding makes of the steps', async () => {
  const tried = async (min: number, max: number, step: number, from: number): Promise<number[]> => {
    const values: number[] = []
    const axis: Axis = { name: 'x', kind: 'number', min, max, step }
    const score = ({ x }: Point): Promise<number> => (values.push(x as number), Promise.resolve(1))
    await patternSearch([axis], { x: from }, score, 100)
    return values.sort((a, b) => a - b)
  }
  // The recipe's 0.25 is no step of the range: it is where the search begins, and the range is tried as it was asked for.
  expect(await tried(0.1, 0.5, 0.2, 0.25)).toEqual([0.1, 0.25, 0.3, 0.5])
  expect(await tried(0.1, 0.5, 0.2, 0.3)).toEqual([0.1, 0.3, 0.5])
  expect(await tried(0.1, 0.7, 0.1, 0.3)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
  // The far end is tried though no step ends there.
  expect(await tried(0, 1, 0.3, 0)).toEqual([0, 0.3, 0.6, 0.9, 1])
  expect(await tried(0, 1, 5, 0)).toEqual([0, 1])
})

it('has the ends and steps of every range of decimal numbers, each once', () => {
  for (let tenths = 1; tenths <= 40; ++tenths)
    for (let steps = 1; steps <= 40; ++steps) {
      const [step, min] = [tenths / 20, tenths / 10]
      const max = Number((min + step * steps).toFixed(2))
      const values = gridOf({ name: 'x', kind: 'number', min, max, step }, min)
      expect(values).toHaveLength(steps + 1)
      expect([values[0], values.at(-1)]).toEqual([min, max])
    }
})

it('rejects as the score does', async () => {
  await expect(patternSearch(axes, begin, () => Promise.reject(new Error('no slide')), 9)).rejects.toThrow('no slide')
})
