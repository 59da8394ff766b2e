// Finds a run's hot spot: the circle of a stated size with the highest share of positive objects.
import { isPositive, type HotSpot, type HotSpotField, type Shape } from '../../../app/contract'
import { breather, inSteps } from '../../base/breather'
import type { Marks } from '../../run/objects/marks'
import type { Run } from '../../run/run'
import { classesIn, classOfEach, measuring } from '../regions/measure'
import { HotSquares, squaresARadius } from './hotSquares'
import type { Square } from './hotSquares'

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
  const { endOfIds } = run.objects
  const on = squaresOn(run, field)
  if (!on) return null
  const found = new HotSquares()
  const breathe = breather(signal)
  let seen = 0
  await inSteps(
    run.objects.centroids((x, y, batch, row, id) => {
      seen += 1
      const sign = on.signOf(batch, row, id)
      if (sign !== null) found.add(on.column(x), on.row(y), sign)
    }),
    breathe,
    () => onProgress((parts.seen * seen) / Math.max(1, endOfIds)),
  )
  const best = await inSteps(found.best(field.leastObjects), breathe, (share) => onProgress(parts.seen + parts.best * share))
  if (!best) return null
  const shape = on.circle(best)
  const region = { id: '', shape, madeBy: 'program' } as const
  // Its own objects count, also where it ran in a part of the circle alone.
  const results = { lead: run, whole: null, of: () => run }
  const [counted] = await inSteps(measuring([region], info, results), breathe)
  const { id: _, ...measure } = counted!
  return { ...field, shape, measure }
}

interface SquaresOn {
  readonly classOf: ReturnType<typeof classOfEach>
  /** Whether an object is positive; null: it is neither. */
  readonly signOf: (...object: Parameters<ReturnType<typeof classOfEach>>) => boolean | null
  /** Of a centroid in analysed px. */
  readonly column: (x: number) => number
  readonly row: (y: number) => number
  /** Around a square, in level-0 px. */
  readonly circle: (square: Square) => Extract<Shape, { kind: 'ellipse' }>
}

/** How a run's objects lie in squares; null: the slide's pixel size is not known, or the objects are not positive or negative. */
export function squaresOn(run: Run, { diameterUm }: HotSpotField): SquaresOn | null {
  const { mppX, mppY } = run.draft.slide.info
  const { marks } = run.objects
  const classes = marks?.classAt ? marks.classes : (classesIn(run)?.classes ?? [])
  const signs = classes.map(({ id }) => isPositive(id))
  if (mppX === null || mppY === null || !signs.some((sign) => sign !== null)) return null
  const classOf = classOfEach(run)
  const { scale } = run.draft.grid
  const side = diameterUm / (2 * squaresARadius)
  const [across, down] = [(scale * mppX) / side, (scale * mppY) / side]
  const [width, height] = [diameterUm / mppX, diameterUm / mppY]
  return {
    classOf,
    signOf: (...object) => signs[classOf(...object)] ?? null,
    column: (x) => Math.floor(x * across),
    row: (y) => Math.floor(y * down),
    circle: ({ column, row }) => {
      const middle = { x: ((column + 0.5) * side) / mppX, y: ((row + 0.5) * side) / mppY }
      return { kind: 'ellipse', x: middle.x - width / 2, y: middle.y - height / 2, width, height }
    },
  }
}
