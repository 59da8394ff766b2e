// Which result a figure of a region, or of a slide, comes from: the one rule that rows, labels, summary and lists follow. Pure.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isOver } from '../../../app/contract'
import type { KeptRun, Recipe, RunStatus, Shape } from '../../../app/contract'
import { boxOf } from '../../base/shapes'
import type { Run } from '../../run/run'

const isImported = ({ order }: Run): boolean => order.kept?.head.imported !== undefined

/** Found by the same recipe with the same values: only such results stand side by side. */
export const isAlike = (a: Run, b: Run): boolean =>
  !isImported(a) && !isImported(b) && isSameRecipe(a.draft.recipe, b.draft.recipe)
const isSameRecipe = (a: Recipe, b: Recipe): boolean => a.spec === b.spec && isDeepStrictEqual(a.params, b.params)

export interface Results {
  /** The chosen result, else the newest; null: there is none. */
  readonly lead: Run | null
  /** Of a region. */
  of(shape: Shape): Run | null
  /** Of the whole slide. */
  readonly whole: Run | null
}

/**
 * The rule: the chosen result (`chosen`; where none is chosen the newest) where it has looked at the region; else the newest result of the same
 * recipe with the same values that has; else none. A result of another recipe, or of other values, never stands in. One that was
 * cancelled stands for what it looked at in full; where it is the chosen one, for what it has.
 */
export function regionResults(runs: readonly Run[], chosen: Run | null): Results {
  const newestFirst = [...runs].sort((a, b) => (startOf(a) < startOf(b) ? 1 : startOf(a) > startOf(b) ? -1 : 0))
  const lead = chosen ?? newestFirst[0] ?? null
  const same = lead === null ? [] : newestFirst.filter((run) => run !== lead && isAlike(run, lead))
  const candidates = lead === null ? [] : [lead, ...same]
  return {
    lead,
    of: (shape) => candidates.find((run) => covers(run, shape) && (run === lead || isFull(run, shape))) ?? null,
    whole: candidates.find((run) => isWhole(run) && (run === lead || isFull(run))) ?? null,
  }
}

const startOf = (run: Run): string => run.status().startedAt

/** All of the slide was asked for. */
export const isWhole = ({ order }: Run): boolean => order.request.region === 'whole' && order.request.within === undefined

/** What goes on counts as it is; what was ended before its end where it had looked at all of the shape. */
function isFull(run: Run, shape?: Shape): boolean {
  const { state } = run.status()
  if (!isOver({ state }) || state === 'done') return true
  return shape ? run.lookedAt.areaOf(shape) > 0 && !run.lookedAt.lacks(shape) : run.lookedAt.isWhole
}

/** Whether the run was asked for all that lies there: in its rectangle, or in a shape that is this one. */
export function covers({ order, draft, region }: Run, shape: Shape): boolean {
  const { within } = order.request
  if (within) return within.some((each) => isDeepStrictEqual(each, shape))
  const { minX, minY, maxX, maxY } = boxOf(shape)
  const { info } = draft.slide
  // What lies beyond the slide's edge nobody can look at.
  return (
    region.x <= Math.max(0, minX) &&
    region.y <= Math.max(0, minY) &&
    region.x + region.width >= Math.min(info.widthPx, maxX) &&
    region.y + region.height >= Math.min(info.heightPx, maxY)
  )
}

/** What a kept run says of a shape that it ran within: short, however many points that has. */
export function shapeDigest(shape: Shape): string {
  let digest = digests.get(shape)
  if (digest === undefined) {
    const told = shape.kind === 'polygon' ? shape.parts : [shape.kind, shape.x, shape.y, shape.width, shape.height]
    digest = createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32)
    digests.set(shape, digest)
  }
  return digest
}
/** Shapes are never changed, and lists ask for those of all regions after every step. */
const digests = new WeakMap<Shape, string>()

/** What the document says of a run that it keeps, beside its names. */
export function aboutKept(run: Run): Pick<KeptRun, 'asked' | 'tissueMm2' | 'analysedPx' | 'lacks' | 'cancelled'> {
  const { within, recipe, channel } = run.order.request
  const { channelGiven } = run.draft.slide.info
  const status = run.status()
  const lacks = lacksOf(status)
  return {
    asked: {
      ...{ recipe, whole: isWhole(run) },
      ...(within && { within: [...new Set(within.map(shapeDigest))] }),
      ...(channel !== undefined && { channel, ...(channelGiven && { channelGiven }) }),
    },
    tissueMm2: status.tissue?.mm2 ?? null,
    ...(status.analysedPx !== undefined && { analysedPx: status.analysedPx }),
    ...(lacks !== null && { lacks }),
    ...(status.state === 'cancelled' && { cancelled: true as const }),
  }
}

/** What of a run is missing, in words; null: nothing. */
export function lacksOf(
  status: Pick<RunStatus, 'state' | 'tilesDone' | 'tilesTotal' | 'unreadableTiles' | 'uncertainTiles' | 'valuesUncertain'>,
): string | null {
  const { state, tilesDone, tilesTotal, unreadableTiles, uncertainTiles = 0, valuesUncertain } = status
  const words = [
    ...(unreadableTiles > 0 ? [`${unreadableTiles} of ${tilesTotal} tiles could not be read in full`] : []),
    ...(uncertainTiles > 0
      ? [`${uncertainTiles} of ${tilesTotal} tiles may be wrong because of parts that could not be read`]
      : []),
    ...(valuesUncertain ? ['the values that adapt to the slide are not certain'] : []),
    ...(state === 'cancelled' ? [`cancelled after ${tilesDone} of ${tilesTotal} tiles`] : []),
  ]
  return words.length > 0 ? words.join('; ') : null
}
