// Looks for better values of a recipe's parameters by trying neighbours on a grid: the same trials in the same order, whoever runs it.

export type Value = number | boolean | string
export type Point = Readonly<Record<string, Value>>

/** What may change, by its name: a number from `min` by whole steps to `max`, which is tried whatever the step, or one of a list. */
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

/** Free of the noise of sums such as 0.1 + 0.2. */
const stepped = (from: number, step: number, times: number): number => Number((from + step * times).toPrecision(12))

/** How many steps of an axis there are at most. */
export const maxSteps = 1_000_000
/** How many whole steps lie between two values: 0.1 to 0.5 are two of 0.2, whatever rounding makes of it. */
export const stepsBetween = (min: number, max: number, step: number): number => Math.floor((max - min) / step + 1e-6)

/** The values of an axis in order: its steps, both ends, and where the search begins. */
export function gridOf({ min, max, step }: Extract<Axis, { kind: 'number' }>, begin: number): number[] {
  const steps = Array.from({ length: stepsBetween(min, max, step) + 1 }, (_, k) => stepped(min, step, k))
  const isNew = (value: number): boolean => steps.every((each) => Math.abs(each - value) > 1e-6 * step)
  // A step that is an end, or the beginning, but for rounding, stands as what was asked for.
  const exact = steps.map((value) => [begin, max].find((each) => Math.abs(each - value) <= 1e-6 * step) ?? value)
  return [...exact, ...[...new Set([begin, max])].filter(isNew)].sort((a, b) => a - b)
}

/** One for each point, whatever the order of its names. */
export const keyOf = (point: Point): string => JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)))

/** What a search knows of an axis: all its values, and where among them it begins. */
interface Line {
  readonly axis: Axis
  readonly values: readonly Value[]
  readonly begin: number
}

function lineOf(axis: Axis, begin: Value): Line {
  const values = axis.kind === 'choice' ? axis.values : gridOf(axis, begin as number)
  return { axis, values, begin: values.indexOf(begin) }
}

/** In places of the line: an eighth of it, as a power of two. */
function firstStride({ axis, values }: Line): number {
  return axis.kind === 'choice' ? 1 : 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, (values.length - 1) / 8))))
}

/** The values to try beside `value`: one stride to each side, the likelier first. */
function beside({ axis, values }: Line, value: Value, stride: number, up: boolean): Value[] {
  if (axis.kind === 'choice') return values.filter((each) => each !== value)
  const at = values.indexOf(value)
  return [up ? stride : -stride, up ? -stride : stride].flatMap((by) => values[at + by] ?? [])
}

/** Every stride of the axis, the nearest to where it begins first, and both of its ends. */
function along({ axis, values, begin }: Line, stride: number): Value[] {
  if (axis.kind === 'choice') return values.filter((_, k) => k !== begin)
  const last = values.length - 1
  const places: number[] = []
  for (let k = stride; begin + k <= last || begin - k >= 0; k += stride)
    places.push(...[begin + k, begin - k].filter((at) => at >= 0 && at <= last))
  return [...new Set([...places, last, 0])].flatMap((at) => (at === begin ? [] : values[at]!))
}

/**
 * First each parameter in turn takes the best of some nine to eighteen values over its whole range, its ends among them, as scores may be level around the beginning.
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
  const lines = axes.map((axis) => lineOf(axis, begin[axis.name]!))
  const strides = new Map(lines.map((line) => [line.axis.name, firstStride(line)]))
  const ways = new Map(axes.map((axis) => [axis.name, true]))
  const scored = async (point: Point): Promise<number> => {
    const key = keyOf(point)
    const value = known.get(key) ?? (await score(point))
    known.set(key, value)
    return value
  }
  const valuesOf = (line: Line, from: Point, round: number): Value[] => {
    const { name } = line.axis
    const stride = strides.get(name)!
    return round === 1 ? along(line, stride) : beside(line, from[name]!, stride, ways.get(name)!)
  }
  const first = { point: begin, score: await scored(begin) }
  let best = first
  let round = 1
  for (; ; ++round) {
    let gained = false
    for (const [k, line] of lines.entries()) {
      const { axis } = line
      const from = best.point
      const values = valuesOf(line, from, round)
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
        const later = lines.slice(k + 1).reduce((sum, each) => sum + valuesOf(each, best.point, round).length, 0)
        if (isNew) told({ trials: known.size, round, left: values.length - 1 - at + later, best })
      }
    }
    if (gained && round > 1) continue
    if ([...strides.values()].every((stride) => stride === 1))
      return { trials: known.size, round, left: 0, best, begin: first, settled: true }
    for (const [name, stride] of strides) strides.set(name, Math.max(1, stride / 2))
  }
}
