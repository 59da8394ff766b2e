// Finds a run's hot spot: the circle of a stated size with the highest share of positive objects.
import { isPositive, type HotSpot, type HotSpotField, type Shape } from '../../../app/contract'
import { noClass } from '../../../native/index'
import { breather, inSteps } from '../../base/breather'
import type { Marks } from '../../run/objects/marks'
import { gradeOf } from '../../run/objects/objectClasses'
import type { Run } from '../../run/run'
import { classesIn, measuring } from '../regions/measure'

/** Squares a radius. */
const squares = 5

/** Of a row of squares near one: so many rows below it, and how far the circle reaches there to both sides. */
const nearRows = Array.from({ length: 2 * squares - 1 }, (_, i) => i - squares + 1).map((dy) => ({
  dy,
  reach: Math.ceil(Math.sqrt(squares ** 2 - dy ** 2)) - 1,
}))
/** Squares between two rests. */
const atOnce = 512

/** Rows and columns are below this: a slide is narrower than 10⁶ squares of 10 µm. */
const rowStep = 2 ** 26
/** A centroid may lie a px beyond the slide's rim; no part of a key is negative. */
const shift = 1

/** Objects by the square that they lie in, and which are positive. Integers alone, so that the order of objects shows nowhere. */
export class HotSquares {
  readonly #places = new Map<number, number>()
  readonly #all: number[] = []
  readonly #positive: number[] = []

  add(column: number, row: number, positive: boolean): void {
    const key = (row + shift) * rowStep + column + shift
    let place = this.#places.get(key)
    if (place === undefined) {
      place = this.#all.push(0) - 1
      this.#positive.push(0)
      this.#places.set(key, place)
    }
    this.#all[place]! += 1
    if (positive) this.#positive[place]! += 1
  }

  /** null: no circle holds so many. O(squares with objects · those near each), in steps that give the share that is done. */
  *best(leastObjects: number): Generator<number, Square | null, void> {
    const keys = Float64Array.from(this.#places.keys()).sort()
    const count = keys.length
    const [columns, rows, all, positive] = Array.from({ length: 4 }, () => new Int32Array(count)) as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ]
    const rowStarts = new Map<number, number>()
    for (let i = 0; i < count; i++) {
      const place = this.#places.get(keys[i]!)!
      rows[i] = Math.floor(keys[i]! / rowStep)
      columns[i] = keys[i]! - rows[i]! * rowStep
      all[i] = this.#all[place]!
      positive[i] = this.#positive[place]!
      if (!rowStarts.has(rows[i]!)) rowStarts.set(rows[i]!, i)
      if (i % atOnce === 0) yield 0
    }
    let best: Candidate | null = null
    // Of each row near the square, where the circle begins: squares come from the left.
    const starts = nearRows.map(() => 0)
    for (let i = 0; i < count; i++) {
      const [column, row] = [columns[i]!, rows[i]!]
      if (i === 0 || row !== rows[i - 1])
        for (const [k, { dy }] of nearRows.entries()) starts[k] = rowStarts.get(row + dy) ?? count
      const found = { column: column - shift, row: row - shift, positive: 0, all: 0 }
      let inside = 0
      for (let k = 0; k < nearRows.length; k++) {
        const { dy, reach } = nearRows[k]!
        let q = starts[k]!
        while (q < count && rows[q] === row + dy && columns[q]! < column - reach) q += 1
        starts[k] = q
        for (; q < count && rows[q] === row + dy && columns[q]! <= column + reach; q++) {
          const dx = Math.abs(columns[q]! - column)
          const weight = squares * squares - dx * dx - dy * dy
          found.positive += weight * positive[q]!
          found.all += weight * all[q]!
          const [farX, farY] = [dx + 0.5, Math.abs(dy) + 0.5]
          if (farX * farX + farY * farY <= squares * squares) inside += all[q]!
        }
      }
      if (inside >= leastObjects && (best === null || isBetter(found, best))) best = found
      if (i % atOnce === 0) yield i / count
    }
    return best
  }
}

interface Square {
  readonly column: number
  readonly row: number
}
/** With its weighted counts. */
interface Candidate extends Square {
  readonly positive: number
  readonly all: number
}
function isBetter(a: Candidate, b: Candidate): boolean {
  const [shareA, shareB] = [a.positive / a.all, b.positive / b.all]
  if (shareA !== shareB) return shareA > shareB
  if (a.all !== b.all) return a.all > b.all
  return a.row !== b.row ? a.row < b.row : a.column < b.column
}

/** Of a result what was found last, which holds while nothing of its objects changes: window, report and run.json ask one after the other. */
interface Known extends HotSpotField {
  readonly marks: Marks | null
  readonly endOfIds: number
  readonly found: HotSpot | null
}
const lastFound = new WeakMap<object, Known>()

/** null also while the run goes on. As searched, once for each state of its objects. */
export async function findHotSpot(
  run: Run,
  field: HotSpotField,
  signal?: AbortSignal,
  onProgress: (share: number) => void = () => undefined,
): Promise<HotSpot | null> {
  if (!run.over) return null
  const { marks, endOfIds } = run.objects
  const { diameterUm, leastObjects } = field
  const last = lastFound.get(run.objects)
  const isSame = last?.diameterUm === diameterUm && last.leastObjects === leastObjects
  if (isSame && last.marks === marks && last.endOfIds === endOfIds) return last.found
  const found = await searched(run, field, signal, onProgress)
  // Objects that changed meanwhile may be in it.
  if (run.objects.marks === marks) lastFound.set(run.objects, { marks, endOfIds, diameterUm, leastObjects, found })
  return found
}

/** Of the time that a search takes: objects put into squares, and circles compared; the rest is the count in the best one. */
const parts = { seen: 0.4, best: 0.4 }

/**
 * null: the slide's pixel size is not known, the run's objects are not positive or negative, or no circle holds enough of them. Cost: one look at each
 * object, then at the 69 squares around each that holds some.
 */
async function searched(
  run: Run,
  field: HotSpotField,
  signal: AbortSignal | undefined,
  onProgress: (share: number) => void,
): Promise<HotSpot | null> {
  const { info } = run.draft.slide
  const { mppX, mppY } = info
  const { marks, endOfIds } = run.objects
  const rule = classesIn(run)
  const classes = marks?.classAt ? marks.classes : (rule?.classes ?? [])
  const signs = classes.map(({ id }) => isPositive(id))
  if (mppX === null || mppY === null || !signs.some((sign) => sign !== null)) return null
  const { scale } = run.draft.grid
  const side = field.diameterUm / (2 * squares)
  const [across, down] = [(scale * mppX) / side, (scale * mppY) / side]
  const found = new HotSquares()
  const breathe = breather(signal)
  let seen = 0
  await inSteps(
    run.objects.centroids((x, y, batch, row, id) => {
      seen += 1
      const at = marks?.classAt ? marks.classAt[id]! : rule ? gradeOf(rule.limits, batch.value(row, rule.field)) : noClass
      const sign = signs[at] ?? null
      if (sign !== null) found.add(Math.floor(x * across), Math.floor(y * down), sign)
    }),
    breathe,
    () => onProgress((parts.seen * seen) / Math.max(1, endOfIds)),
  )
  const best = await inSteps(found.best(field.leastObjects), breathe, (share) => onProgress(parts.seen + parts.best * share))
  if (!best) return null
  const [width, height] = [field.diameterUm / mppX, field.diameterUm / mppY]
  const middle = { x: ((best.column + 0.5) * side) / mppX, y: ((best.row + 0.5) * side) / mppY }
  const shape: Shape = { kind: 'ellipse', x: middle.x - width / 2, y: middle.y - height / 2, width, height }
  const region = { id: '', shape, madeBy: 'program' } as const
  // Its own objects count, also where it ran in a part of the circle alone.
  const results = { lead: run, whole: null, of: () => run }
  const [counted] = await inSteps(measuring([region], info, results), breathe)
  const { id: _, ...measure } = counted!
  return { ...field, shape, measure }
}
