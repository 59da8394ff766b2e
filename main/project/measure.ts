// What lies in each region of a slide: its area, and the objects of a run whose centroids it holds.
import { isArea, isPoints, regionTitle } from '../../app/contract'
import type { DocumentSlide, RegionMeasure, RegionOfInterest, Shape } from '../../app/contract'
import { noClass } from '../../native/index'
import { areaOfShape, boxOf, holderOf, lengthOfLine } from '../base/shapes'
import { classesOf, isAbove } from '../run/objectClasses'
import type { Classes } from '../run/objectClasses'
import type { Run } from '../run/run'
import type { NamedArea } from '../table/groups'
import { heldAs } from './combine'
import type { Projects } from './projects'
import type { Results } from './regionResults'

/**
 * Regions that overlap each count what they hold. Cost: one look at each object of the runs that are asked, and at the regions whose boxes it
 * lies in.
 */
export function measureRegions(
  regions: readonly RegionOfInterest[],
  slide: DocumentSlide | null,
  results: Results | null,
): RegionMeasure[] {
  // Points hold nothing.
  const runOf = regions.map(({ shape }) => (isArea(shape) && results?.of(shape)) || null)
  const counts = regions.map(() => 0)
  /** Of each region the objects of each class of its run. */
  const byClass = regions.map((): number[] => [])
  for (const run of new Set(runOf)) {
    if (!run) continue
    const { scale } = run.draft.grid
    const rule = classesIn(run)
    const holders = regions.flatMap(({ shape }, i) =>
      runOf[i] === run && isArea(shape) ? [{ ...boxOf(shape), holds: holderOf(shape), i }] : [],
    )
    const { marks } = run.objects
    const classed = marks?.classAt
    run.objects.forEachCentroid((x, y, batch, row, id) => {
      const [px, py] = [x * scale, y * scale]
      for (const { minX, minY, maxX, maxY, holds, i } of holders) {
        if (px < minX || px >= maxX || py < minY || py >= maxY) continue
        if (!holds(px, py)) continue
        counts[i]! += 1
        const at = classed ? classed[id]! : rule ? Number(isAbove(rule, batch.value(row, rule.field))) : noClass
        if (at !== noClass) byClass[i]![at] = (byClass[i]![at] ?? 0) + 1
      }
    })
  }
  const umPerPx = slide?.mppX && slide.mppY ? slide.mppX * slide.mppY : null
  return regions.map(({ id, shape, madeBy }, i) => {
    if (!isArea(shape)) {
      const none = { id, areaPx: 0, areaMm2: null, objects: null, runId: null }
      if (isPoints(shape)) return { ...none, points: shape.points.length }
      const lengthUm = slide?.mppX && slide.mppY ? lengthOfLine(shape.points, { x: slide.mppX, y: slide.mppY }) : null
      return { ...none, lengthPx: lengthOfLine(shape.points), lengthUm }
    }
    const areaPx = areaOf(shape, madeBy === 'import')
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
  })
}

/** Of a shape what its run has looked at and could read. */
function analysedOf(
  { lookedAt }: Run,
  shape: Shape,
  mm2Of: (px: number) => number | null,
): Pick<RegionMeasure, 'analysedPx' | 'analysedMm2' | 'partial'> {
  const analysedPx = lookedAt.areaOf(shape)
  return { analysedPx, analysedMm2: mm2Of(analysedPx), ...(lookedAt.lacks(shape) && { partial: true }) }
}

/** A slide's areas by what lists call them, with their sizes. */
export function namedAreas(projects: Projects, key: string): NamedArea[] {
  const regions = projects.regionsOn(key).map(({ region }) => region)
  const sizes = projects.measure(key, null)
  return regions.flatMap((region, i) =>
    isArea(region.shape)
      ? [{ name: regionTitle(region, regions, projects.content.classes), shape: region.shape, mm2: sizes[i]!.areaMm2 }]
      : [],
  )
}

const classesIn = ({ analysis, draft }: Run): Classes | null => classesOf(draft.spec, analysis?.params ?? draft.params)

/** The recipe's class above its limit first, as ever; those of another rule from the weakest on; others where there are any. */
function classCounts(run: Run | null, counts: readonly number[]): Pick<RegionMeasure, 'classes'> {
  const { marks } = run?.objects ?? {}
  const count = (at: number): number => counts[at] ?? 0
  if (marks?.classAt)
    return {
      classes: marks.classes.flatMap((each, at) => (at < marks.always || count(at) > 0 ? [{ ...each, objects: count(at) }] : [])),
    }
  const rule = run && classesIn(run)
  if (!rule) return {}
  return {
    classes: [
      { ...rule.above, objects: count(1) },
      { ...rule.below, objects: count(0) },
    ],
  }
}

/** What an earlier version imported may cross itself, and counts as it holds objects. */
function areaOf(shape: Shape, foreign: boolean): number {
  if (!foreign) return areaOfShape(shape)
  try {
    const { shape: simple } = heldAs(shape)
    return simple ? areaOfShape(simple) : 0
  } catch {
    return areaOfShape(shape)
  }
}
