// Two exported runs of one slide held against each other: whether they can be, and what is told of them beside their objects.
import { noun, variantWords } from '../../app/contract'
import type { RecipeSpec, RunComparison, StageTiming } from '../../app/contract'
import { EngineError } from '../base/errors'
import { differingValues, notesOn } from './comparisons'
import { compareLabels } from './labelImages'
import type { ComparedLabels, LabelImage } from './labelImages'
import { iouOf, matchingOf } from './matching'
import type { Matching } from './matching'
import type { RunRecord } from './runRecord'

/** What a stage took in each run; null: it had none such. */
export interface StageTimes {
  readonly stage: string
  readonly a: StageTime | null
  readonly b: StageTime | null
}
export interface StageTime {
  /** Summed over all that computed it. */
  readonly ms: number
  readonly megapixels: number
  /** What computed it: "cpu sweeps + queue". */
  readonly by: readonly string[]
}
export interface ExportedComparison {
  readonly found: Omit<RunComparison, 'comparison'>
  readonly stages: readonly StageTimes[]
  readonly labels: ComparedLabels
  readonly matching: Matching
}

/** Throws INVALID_PARAMETER, by the folder and the value. */
export function requireComparableRecords(a: RunRecord, b: RunRecord): void {
  const refuse = (why: string): EngineError => new EngineError('INVALID_PARAMETER', why)
  for (const { directory, state, counts, slide } of [a, b]) {
    if (state !== 'done')
      throw refuse(
        `Only runs that are done can be compared, and that in ${directory} is ${state} (${counts.tilesDone} of ${counts.tiles} ${noun(counts.tiles, 'tile')}).`,
      )
    if (slide.sha256 === null)
      throw refuse(
        `${directory} does not say which slide it is of: its run.json has no checksum (${slide.reason ?? 'and no reason'}).`,
      )
  }
  if (a.slide.sha256 !== b.slide.sha256)
    throw refuse(
      `The two runs are of different slides: ${a.slide.name} (SHA-256 ${a.slide.sha256}) and ${b.slide.name} (${b.slide.sha256}).`,
    )
  const [own, other] = [a.resolution.scale, b.resolution.scale]
  if (own !== other)
    throw refuse(
      `The two runs looked at the slide at different resolutions, so their objects share no pixels: ${own} and ${other} px of the slide per px.`,
    )
}

/** `specs`: the recipes of this build. A value of a recipe that is not among them is told by its key. */
export async function compareExported(
  a: { readonly record: RunRecord; readonly labels: LabelImage },
  b: { readonly record: RunRecord; readonly labels: LabelImage },
  specs: readonly RecipeSpec[],
  options: Parameters<typeof compareLabels>[3],
): Promise<ExportedComparison> {
  requireComparableRecords(a.record, b.record)
  const { scale } = a.record.resolution
  const labels = await compareLabels(a.labels, b.labels, scale, options)
  const { overlap } = labels
  const matching = matchingOf(overlap)
  const both = matching.pairs.length
  const [objectsA, objectsB] = [overlap.areas.a.length, overlap.areas.b.length]
  const sideOf = ({ directory, recipe, recipeSpec, elapsedMs }: RunRecord, objects: number, areaPx: number) => ({
    name: directory,
    recipeName: recipe.name === recipeSpec.name ? recipe.name : `${recipe.name} (${recipeSpec.name})`,
    objects,
    areaPx,
    elapsedMs,
  })
  const stagesOf = ({ recipe }: RunRecord) => specs.find(({ id }) => id === recipe.spec) ?? { stages: [] }
  return {
    found: {
      a: sideOf(a.record, objectsA, overlap.covered.a),
      b: sideOf(b.record, objectsB, overlap.covered.b),
      region: labels.region,
      both,
      onlyA: objectsA - both,
      onlyB: objectsB - both,
      overlapPx: overlap.covered.both,
      dice: matching.dice,
      meanIou: matching.meanIou,
      values: differingValues([stagesOf(a.record), a.record.recipe], [stagesOf(b.record), b.record.recipe]),
      notes: recordNotes(a.record, b.record),
    },
    stages: stageTimes(a.record.timings, b.record.timings),
    labels,
    matching,
  }
}

function recordNotes(a: RunRecord, b: RunRecord): string[] {
  const isSame = (['x', 'y', 'width', 'height'] as const).every((each) => a.region[each] === b.region[each])
  const notes = notesOn(a.recipe.spec === b.recipe.spec, !isSame)
  for (const { directory, counts, withinPx, valuesUncertain } of [a, b]) {
    if (withinPx !== undefined) notes.push(`${directory} has only the objects in its regions of interest.`)
    if (counts.unreadableTiles > 0)
      notes.push(`${directory} lacks ${counts.unreadableTiles} ${noun(counts.unreadableTiles, 'tile')} that could not be read.`)
    const beside = counts.uncertainTiles ?? 0
    if (beside > 0)
      notes.push(`${directory} is uncertain in ${beside} more ${noun(beside, 'tile')}, because of parts that could not be read.`)
    if (valuesUncertain)
      notes.push(
        `${directory} has values that adapt to the slide and are not certain: not all could be read that they come from.`,
      )
    const byHand = (counts.deleted ?? 0) + (counts.made ?? 0)
    if (byHand > 0)
      notes.push(
        `${directory} was corrected by hand: ${counts.deleted ?? 0} ${noun(counts.deleted ?? 0, 'object')} deleted, ${counts.made ?? 0} made.`,
      )
  }
  if (a.versions.app !== b.versions.app)
    notes.push(`The two runs are of different versions of the program: ${a.versions.app} and ${b.versions.app}.`)
  if (a.resolution.scale < 1) notes.push('Areas are px of the slide: the runs looked at it finer than it is.')
  return notes
}

/** In the order of the first, then what only the second has. */
export function stageTimes(a: readonly StageTiming[], b: readonly StageTiming[]): StageTimes[] {
  const timeIn = (timings: readonly StageTiming[], stage: string): StageTime | null => {
    const own = timings.filter((each) => each.stage === stage)
    if (own.length === 0) return null
    const by = [...new Set(own.map((each) => [each.device, variantWords(each)].filter((word) => word !== '').join(' ')))]
    const sum = (key: 'ms' | 'megapixels'): number => own.reduce((all, each) => all + each[key], 0)
    return { ms: sum('ms'), megapixels: sum('megapixels'), by }
  }
  const stages = [...new Set([...a, ...b].map(({ stage }) => stage))]
  return stages.map((stage) => ({ stage, a: timeIn(a, stage), b: timeIn(b, stage) }))
}

export const comparedObjectsHeader = 'found_in,id_a,id_b,iou,centroid_x_px,centroid_y_px,area_a_px,area_b_px'

/** Objects of one run only, and pairs, a line each: those of A alone, those of B alone, those of both. */
export function* comparedObjectsCsv({ labels, matching }: ExportedComparison): Generator<string> {
  yield `${comparedObjectsHeader}\r\n`
  const { areas } = labels.overlap
  const place = ({ x, y }: ComparedLabels['a'], i: number): string => `${x[i]!.toFixed(1)},${y[i]!.toFixed(1)}`
  for (let i = 0; i < areas.a.length; i++)
    if (matching.inBoth.a[i] === 0) yield `A,${labels.a.ids[i]!},,,${place(labels.a, i)},${areas.a[i]!},\r\n`
  for (let i = 0; i < areas.b.length; i++)
    if (matching.inBoth.b[i] === 0) yield `B,,${labels.b.ids[i]!},,${place(labels.b, i)},,${areas.b[i]!}\r\n`
  for (const pair of [...matching.pairs].sort((p, q) => p.a - q.a)) {
    const [idA, idB, iou] = [labels.a.ids[pair.a]!, labels.b.ids[pair.b]!, iouOf(areas, pair).toFixed(4)]
    yield `both,${idA},${idB},${iou},${place(labels.a, pair.a)},${areas.a[pair.a]!},${areas.b[pair.b]!}\r\n`
  }
}
