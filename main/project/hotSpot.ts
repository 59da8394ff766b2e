// Finds a run's hot spot: the circle of a stated size with the highest share of positive objects.
import { isPositive, type HotSpot, type HotSpotField, type Shape } from '../../app/contract'
import { noClass } from '../../native/index'
import { breather, inSteps } from '../base/breather'
import { gradeOf } from '../run/objects/objectClasses'
import type { Run } from '../run/run'
import { classesIn, measuring } from './measure'
import { regionResults } from './regionResults'

/** Squares a radius. */
const squares = 5

interface Square {
  readonly column: number
  readonly row: number
  positive: number
  all: number
}
/** Rows and columns are below this: a slide is narrower than 10⁶ squares of 10 µm. */
const rowStep = 2 ** 26
const keyOf = (column: number, row: number): number => row * rowStep + column

const around = Array.from({ length: 2 * squares + 1 }, (_, i) => i - squares)
  .flatMap((dy, _, offsets) => offsets.map((dx) => ({ dx, dy })))
  .map(({ dx, dy }) => ({
    step: keyOf(dx, dy),
    weight: squares ** 2 - dx ** 2 - dy ** 2,
    isInside: (Math.abs(dx) + 0.5) ** 2 + (Math.abs(dy) + 0.5) ** 2 <= squares ** 2,
  }))
  .filter(({ weight }) => weight > 0)

/** Squares may be negative by a rounding at the slide's rim; keys are not. */
const shift = squares + 1

/** A square by its objects, and which are positive. Integers alone, so that the order of objects shows nowhere. */
export class HotSquares {
  readonly #squares = new Map<number, Square>()

  add(column: number, row: number, positive: boolean): void {
    const key = keyOf(column + shift, row + shift)
    let square = this.#squares.get(key)
    if (!square) this.#squares.set(key, (square = { column, row, positive: 0, all: 0 }))
    square.all += 1
    if (positive) square.positive += 1
  }

  /** null: no circle holds so many. O(squares with objects), in steps. */
  *best(leastObjects: number): Generator<void, { column: number; row: number } | null, void> {
    let best: { square: Square; positive: number; all: number } | null = null
    for (const [key, square] of this.#squares) {
      let [positive, all, inside] = [0, 0, 0]
      for (const { step, weight, isInside } of around) {
        const near = this.#squares.get(key + step)
        if (!near) continue
        positive += weight * near.positive
        all += weight * near.all
        if (isInside) inside += near.all
      }
      if (inside >= leastObjects && (best === null || isBetter({ square, positive, all }, best))) best = { square, positive, all }
      yield
    }
    return best && best.square
  }
}

interface Candidate {
  readonly square: Square
  readonly positive: number
  readonly all: number
}
function isBetter(a: Candidate, b: Candidate): boolean {
  const [shareA, shareB] = [a.positive / a.all, b.positive / b.all]
  if (shareA !== shareB) return shareA > shareB
  if (a.all !== b.all) return a.all > b.all
  return a.square.row !== b.square.row ? a.square.row < b.square.row : a.square.column < b.square.column
}

/**
 * null: the slide's pixel size is not known, the run's objects are not positive or negative, or no circle holds enough of them. Cost: one look at each
 * object, then at the 69 squares around each that holds some.
 */
export async function findHotSpot(run: Run, field: HotSpotField, signal?: AbortSignal): Promise<HotSpot | null> {
  const { info } = run.draft.slide
  const { mppX, mppY } = info
  const { marks } = run.objects
  const rule = classesIn(run)
  const classes = marks?.classAt ? marks.classes : (rule?.classes ?? [])
  const signs = classes.map(({ id }) => isPositive(id))
  if (mppX === null || mppY === null || !signs.some((sign) => sign !== null)) return null
  const { scale } = run.draft.grid
  const side = field.diameterUm / (2 * squares)
  const [across, down] = [(scale * mppX) / side, (scale * mppY) / side]
  const found = new HotSquares()
  const breathe = breather(signal)
  await inSteps(
    run.objects.centroids((x, y, batch, row, id) => {
      const at = marks?.classAt ? marks.classAt[id]! : rule ? gradeOf(rule.limits, batch.value(row, rule.field)) : noClass
      const sign = signs[at] ?? null
      if (sign !== null) found.add(Math.floor(x * across), Math.floor(y * down), sign)
    }),
    breathe,
  )
  const best = await inSteps(found.best(field.leastObjects), breathe)
  if (!best) return null
  const [width, height] = [field.diameterUm / mppX, field.diameterUm / mppY]
  const middle = { x: ((best.column + 0.5) * side) / mppX, y: ((best.row + 0.5) * side) / mppY }
  const shape: Shape = { kind: 'ellipse', x: middle.x - width / 2, y: middle.y - height / 2, width, height }
  const region = { id: '', shape, madeBy: 'program' } as const
  const [counted] = await inSteps(measuring([region], info, regionResults([run], run)), breathe)
  const { id: _, ...measure } = counted!
  return { ...field, shape, measure }
}
