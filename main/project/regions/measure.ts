// What lies in each region of a slide: its area, and the objects of a run whose centroids it holds.
import { isArea, isPoints } from '../../../app/contract'
import type { DocumentSlide, RegionMeasure, RegionOfInterest, Shape } from '../../../app/contract'
import { noClass } from '../../../native/index'
import { finished } from '../../base/breather'
import { areaOfShape, boxOf, lengthOfLine } from '../../base/shapes'
import { areaInside } from '../../base/clippedArea'
import { classesOf, gradeOf } from '../../run/objects/objectClasses'
import { hasTissueFigure } from '../../run/analysis/tissueOfRun'
import type { Classes } from '../../run/objects/objectClasses'
import type { PackedObjects } from '../../run/objects/packedObjects'
import type { Run } from '../../run/run'
import { heldAs } from './combine'
import { Holders, scaled } from '../../base/planar/holders'
import type { Results } from './regionResults'

/** What is asked of a region. */
type Measured = Pick<RegionOfInterest, 'id' | 'shape' | 'madeBy' | 'core'>
/** And of its slide. */
type Placed = Pick<DocumentSlide, 'widthPx' | 'heightPx' | 'mppX' | 'mppY'>

/** At once. */
export const measureRegions = (...args: Parameters<typeof measuring>): RegionMeasure[] => finished(measuring(...args))

/**
 * Regions that overlap each count what they hold. Cost: one look at each object of the runs that are asked, and at the regions near it. In steps of a
 * region, or of some objects: what changes between two of them is told as a change, and measured again.
 */
export function* measuring(
  regions: readonly Measured[],
  slide: Placed | null,
  results: Results | null,
): Generator<void, RegionMeasure[], void> {
  const runOf: (Run | null)[] = []
  for (const { shape, core } of regions) {
    // Points hold nothing, and neither do cores whose tissue is lost.
    runOf.push(isArea(shape) && !core?.missing ? runIn(results, shape) : null)
    yield
  }
  const counts = regions.map(() => 0)
  /** Of each region the objects of each class of its run. */
  const byClass = regions.map((): number[] => [])
  for (const run of new Set(runOf)) {
    if (!run) continue
    const { scale } = run.draft.grid
    const classOf = classOfEach(run)
    const holders = new Holders<number>()
    for (const [i, { shape }] of regions.entries()) {
      if (runOf[i] !== run || !isArea(shape)) continue
      holders.add(shape, i)
      yield
    }
    yield* holders.built()
    const visiting = run.objects.centroids((x, y, batch, row, id) => {
      holders.at(x * scale, y * scale, (i) => {
        counts[i]! += 1
        const at = classOf(batch, row, id)
        if (at !== noClass) byClass[i]![at] = (byClass[i]![at] ?? 0) + 1
      })
    })
    for (const box of visiting) {
      holders.narrow(scaled(box, scale))
      yield
    }
  }
  const umPerPx = slide?.mppX && slide.mppY ? slide.mppX * slide.mppY : null
  const figuresOf = ({ id, shape, madeBy }: Measured, i: number): RegionMeasure => {
    if (!isArea(shape)) {
      const none = { id, areaPx: 0, areaMm2: null, objects: null, runId: null }
      if (isPoints(shape)) return { ...none, points: shape.points.length }
      const lengthUm = slide?.mppX && slide.mppY ? lengthOfLine(shape.points, { x: slide.mppX, y: slide.mppY }) : null
      return { ...none, lengthPx: lengthOfLine(shape.points), lengthUm }
    }
    const areaPx = areaOnSlide(shape, slide, madeBy === 'import')
    const mm2Of = (px: number): number | null => (umPerPx === null ? null : (px * umPerPx) / 1e6)
    const run = runOf[i] ?? null
    return {
      id,
      areaPx,
      areaMm2: mm2Of(areaPx),
      ...(run && analysedOf(run, shape, mm2Of)),
      objects: run ? counts[i]! : null,
      ...classCounts(run, byClass[i]!),
      runId: run?.runId ?? null,
    }
  }
  const measures: RegionMeasure[] = []
  for (const [i, region] of regions.entries()) {
    measures.push(figuresOf(region, i))
    yield
  }
  return measures
}

/** Of a shape what its run has looked at and could read. */
function analysedOf(
  { lookedAt, draft, analysis }: Run,
  shape: Shape,
  mm2Of: (px: number) => number | null,
): Pick<RegionMeasure, 'analysedPx' | 'analysedMm2' | 'tissueMm2' | 'partial'> {
  const analysedPx = lookedAt.areaOf(shape)
  const tissue = analysis && hasTissueFigure(draft) ? analysis.tissue : null
  const tissueMm2 = tissue?.knows([shape]) ? mm2Of(lookedAt.tissueIn(tissue, shape)) : null
  return {
    ...{ analysedPx, analysedMm2: mm2Of(analysedPx) },
    ...(tissueMm2 !== null && { tissueMm2 }),
    ...(lookedAt.lacks(shape) && { partial: true }),
  }
}

/** The result that counts there; null: there is none, or it has seen nothing of the shape, which may lie beyond the slide. */
function runIn(results: Results | null, shape: Shape): Run | null {
  const run = results?.of(shape) ?? null
  return run && run.lookedAt.areaOf(shape) > 0 ? run : null
}

/** The recipe's rule, by the values that the run has. */
export const classesIn = ({ analysis, draft }: Run): Classes | null => classesOf(draft.spec, analysis?.params ?? draft.params)

/** Of an object as `centroids` visits it: the place of its class, given by hand or by the recipe's rule, as they stand now; noClass: it has none. */
export function classOfEach(run: Run): (batch: PackedObjects, row: number, id: number) => number {
  const classed = run.objects.marks?.classAt
  if (classed) return (_batch, _row, id) => classed[id]!
  const rule = classesIn(run)
  return rule ? (batch, row) => gradeOf(rule.limits, batch.value(row, rule.field)) : () => noClass
}

/** Those of the rule from the weakest on, then others where there are any. */
export function classCounts(run: Run | null, counts: readonly number[]): Pick<RegionMeasure, 'classes' | 'cuts'> {
  const { marks } = run?.objects ?? {}
  const count = (at: number): number => counts[at] ?? 0
  if (marks?.classAt)
    return {
      classes: marks.classes.flatMap((each, at) => (at < marks.always || count(at) > 0 ? [{ ...each, objects: count(at) }] : [])),
      ...(run?.cuts && { cuts: run.cuts }),
    }
  const rule = run && classesIn(run)
  if (!rule) return {}
  return { classes: rule.classes.map((each, at) => ({ ...each, objects: count(at) })), ...(run.cuts && { cuts: run.cuts }) }
}

/** As far as it lies on the slide. What an earlier version imported may cross itself, and counts as it holds objects. */
function areaOnSlide(shape: Shape, slide: Placed | null, foreign: boolean): number {
  const simple = foreign ? simpleOf(shape) : shape
  if (!simple) return 0
  const { minX, minY, maxX, maxY } = boxOf(simple)
  const isInside = !slide || (minX >= 0 && minY >= 0 && maxX <= slide.widthPx && maxY <= slide.heightPx)
  return isInside ? areaOfShape(simple) : areaInside(simple, { x: 0, y: 0, width: slide.widthPx, height: slide.heightPx })
}

function simpleOf(shape: Shape): Shape | null {
  try {
    return heldAs(shape).shape
  } catch {
    return shape
  }
}
