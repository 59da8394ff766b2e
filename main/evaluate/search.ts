// Looks for better values of a recipe's parameters by trying neighbours on a grid: the same trials in the same order, whoever runs it.

export type Value = number | boolean | string
export type Point = Readonly<Record<string, Value>>

/** What may change, by its name: a number by whole steps from where it begins, or one of a list. */
export type Axis =
  | { readonly name: string; readonly kind: 'number'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly name: string; readonly kind: 'choice'; readonly values: readonly Value[] }

/** How a search stands: `trials` were scored, the best of them is `best`; `left` are still to come in this round, at most. */
export interface SearchState {
  readonly trials: number
  readonly round: number
  readonly left: number
  readonly best: { readonly point: Point; readonly score: number }
}
export interface SearchResult extends SearchState {
  readonly begin: { readonly point: Point; readonly score: number }
  /** No neighbour on the grid is better. false: `most` trials were not enough. */
  readonly settled: boolean
}

/** A value's steps away from where it begins. Free of the noise of sums such as 0.1 + 0.2. */
const stepped = (from: number, step: number, times: number): number => Number((from + step * times).toPrecision(12))
/** One for each point, whatever the order of its names. */
export const keyOf = (point: Point): string => JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)))

/** In steps: an eighth of the axis, as a power of two. */
function firstStride(axis: Axis): number {
  if (axis.kind === 'choice') return 1
  return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, (axis.max - axis.min) / axis.step / 8))))
}

/** The values to try beside `value`: one stride to each side, the likelier first. */
function beside(axis: Axis, begin: Value, value: Value, stride: number, up: boolean): Value[] {
  if (axis.kind === 'choice') return axis.values.filter((each) => each !== value)
  const at = Math.round(((value as number) - (begin as number)) / axis.step)
  return [up ? stride : -stride, up ? -stride : stride]
    .map((by) => stepped(begin as number, axis.step, at + by))
    .filter((each) => each >= axis.min && each <= axis.max)
}

/** Every stride of the axis, the nearest to where it begins first. */
function along(axis: Axis, begin: Value, stride: number): Value[] {
  if (axis.kind === 'choice') return axis.values.filter((each) => each !== begin)
  const values: number[] = []
  const inside = (value: number): boolean => value >= axis.min && value <= axis.max
  for (let k = stride; ; k += stride) {
    const pair = [stepped(begin as number, axis.step, k), stepped(begin as number, axis.step, -k)].filter(inside)
    if (pair.length === 0) return values
    values.push(...pair)
  }
}

/**
 * First each parameter in turn takes the best of some nine to eighteen values over its whole range, as scores may be level around the beginning.
 * Then pattern search (Hooke and Jeeves 1961) without its pattern move: parameter after parameter takes the better of its two neighbours where
 * that scores higher than what is held; when a round over all of them gains nothing, strides are halved, down to one step. So it ends at a point
 * that no single step improves: a local optimum, which another beginning may exceed.
 *
 * `score` is asked once for each point and must be a function of it alone. At most `most` points are scored, the beginning among them. `told` hears
 * of every trial. Rejects as `score` does.
 */
export async function patternSearch(
  axes: readonly Axis[],
  begin: Point,
  score: (point: Point) => Promise<number>,
  most: number,
  told: (state: SearchState) => void = () => undefined,
): Promise<SearchResult> {
  const known = new Map<string, number>()
  const strides = new Map(axes.map((axis) => [axis.name, firstStride(axis)]))
  const ways = new Map(axes.map((axis) => [axis.name, true]))
  const scored = async (point: Point): Promise<number> => {
    const key = keyOf(point)
    const value = known.get(key) ?? (await score(point))
    known.set(key, value)
    return value
  }
  const valuesOf = (axis: Axis, from: Point, round: number): Value[] => {
    const start = begin[axis.name]!
    const stride = strides.get(axis.name)!
    return round === 1 ? along(axis, start, stride) : beside(axis, start, from[axis.name]!, stride, ways.get(axis.name)!)
  }
  const first = { point: begin, score: await scored(begin) }
  let best = first
  let round = 1
  for (; ; ++round) {
    let gained = false
    for (const [k, axis] of axes.entries()) {
      const from = best.point
      const values = valuesOf(axis, from, round)
      for (const [at, value] of values.entries()) {
        const point = { ...from, [axis.name]: value }
        const isNew = !known.has(keyOf(point))
        if (isNew && known.size >= most) return { trials: known.size, round, left: 0, best, begin: first, settled: false }
        const found = await scored(point)
        if (found > best.score) {
          best = { point, score: found }
          gained = true
          if (axis.kind === 'number') ways.set(axis.name, value > from[axis.name]!)
        }
        const later = axes.slice(k + 1).reduce((sum, each) => sum + valuesOf(each, best.point, round).length, 0)
        if (isNew) told({ trials: known.size, round, left: values.length - 1 - at + later, best })
      }
    }
    if (gained && round > 1) continue
    if ([...strides.values()].every((stride) => stride === 1))
      return { trials: known.size, round, left: 0, best, begin: first, settled: true }
    for (const [name, stride] of strides) strides.set(name, Math.max(1, stride / 2))
  }
}
