// Two runs of one slide held against each other, and whose each object is: kept while pages look at it.
import type { ComparedValue, Recipe, RecipeSpec, RunComparison } from '../../app/contract'
import { EngineError } from '../base/errors'
import { contains, intersection, type PixelRect } from '../base/rect'
import type { ObjectList } from '../run/objects/objectList'
import { regionOnSlide } from '../run/plan/plan'
import type { Run } from '../run/run'
import { matchingOf } from './matching'
import { overlapOf, type Outlines } from './overlap'

/** 0: it is not compared. */
export const onlyHere = 1
export const inBoth = 2

export interface Compared {
  readonly a: Run
  readonly b: Run
  /** `onlyHere` or `inBoth`, by an object's id. */
  readonly fates: { readonly a: Uint8Array; readonly b: Uint8Array }
  readonly answer: RunComparison
}

/** The last few stay: a page looks at one. */
const keptComparisons = 4

export class Comparisons {
  private readonly kept = new Map<number, Compared>()
  private last = 0

  /** Throws INVALID_PARAMETER where they cannot be compared. */
  async of(a: Run, b: Run, signal: AbortSignal): Promise<RunComparison> {
    requireComparable(a, b)
    const region = intersection(a.order.region, b.order.region)
    if (!region) throw new EngineError('INVALID_PARAMETER', 'The two runs looked at different parts of the slide.')
    const [own, other] = [chosen(a, b, region), chosen(b, a, region)]
    const overlap = await overlapOf(own.outlines, other.outlines, signal)
    const matching = matchingOf(overlap)
    const both = matching.pairs.length
    const comparison = ++this.last
    const answer: RunComparison = {
      comparison,
      a: sideOf(a, own.ids.length, overlap.covered.a),
      b: sideOf(b, other.ids.length, overlap.covered.b),
      region: regionOnSlide(a.draft.grid, region),
      both,
      onlyA: own.ids.length - both,
      onlyB: other.ids.length - both,
      overlapPx: overlap.covered.both,
      dice: matching.dice,
      meanIou: matching.meanIou,
      values: [a, b].some((run) => run.status().imported)
        ? []
        : differingValues([a.draft.spec, a.draft.recipe], [b.draft.spec, b.draft.recipe]),
      notes: notesOn(a.draft.spec.id === b.draft.spec.id, isPartly(a, b)),
    }
    const fates = { a: fatesOf(a, own.ids, matching.inBoth.a), b: fatesOf(b, other.ids, matching.inBoth.b) }
    this.kept.set(comparison, { a, b, fates, answer })
    for (const old of this.kept.keys()) if (old <= comparison - keptComparisons) this.kept.delete(old)
    return answer
  }

  /** NOT_FOUND. */
  get(comparison: number): Compared {
    const found = this.kept.get(comparison)
    if (!found) throw new EngineError('NOT_FOUND', 'This comparison is not there any more. Compare the runs again.')
    return found
  }

  forget(runId: string): void {
    for (const [key, { a, b }] of this.kept) if (a.runId === runId || b.runId === runId) this.kept.delete(key)
  }
}

function requireComparable(a: Run, b: Run): void {
  const refuse = (why: string) => new EngineError('INVALID_PARAMETER', why)
  if (a === b) throw refuse('A run is the same as itself: choose two.')
  for (const run of [a, b])
    if (run.status().state !== 'done') throw refuse(`Only runs that are done can be compared, and ${run.status().name} is not.`)
  if (a.draft.slide !== b.draft.slide) throw refuse('The two runs are of different slides.')
  if (a.draft.grid.scale !== b.draft.grid.scale)
    throw refuse('The two runs looked at the slide at different resolutions, so their objects share no pixels.')
}

/** The objects that both runs could have found, in raster order, and their ids. */
function chosen(run: Run, other: Run, region: PixelRect): { outlines: Outlines; ids: Uint32Array } {
  const list: ObjectList = run.objects.left()
  const within = [run.order.within, other.order.within].filter((each) => each !== undefined)
  const places: number[] = []
  for (let i = 0; i < list.length; i++) {
    const { firstX, firstY, centroidX, centroidY } = list.at(i)
    if (contains(region, firstX, firstY) && within.every((holds) => holds(centroidX, centroidY))) places.push(i)
  }
  // What people made stands behind what was found.
  if (list.found < list.length)
    places.sort((a, b) => list.at(a).firstY - list.at(b).firstY || list.at(a).firstX - list.at(b).firstX)
  return {
    outlines: {
      count: places.length,
      top: (index) => list.at(places[index]!).firstY,
      runs: (index) => list.at(places[index]!).runs,
    },
    ids: Uint32Array.from(places, (place) => list.ids[place]!),
  }
}

function fatesOf(run: Run, ids: Uint32Array, matched: Uint8Array): Uint8Array {
  const fates = new Uint8Array(run.objects.endOfIds)
  ids.forEach((id, i) => (fates[id] = matched[i] === 1 ? inBoth : onlyHere))
  return fates
}

function sideOf(run: Run, objects: number, areaPx: number): RunComparison['a'] {
  const { name, elapsedMs, imported } = run.status()
  return { name, recipeName: run.draft.spec.name, objects, areaPx, elapsedMs, ...(imported && { imported: true as const }) }
}

function isPartly(a: Run, b: Run): boolean {
  const [one, two] = [a.order.region, b.order.region]
  const isSame = (['x', 'y', 'width', 'height'] as const).every((side) => one[side] === two[side])
  return !isSame || a.order.within !== undefined || b.order.within !== undefined
}

/** What has to be known to read a comparison. */
export function notesOn(sameRecipe: boolean, partly: boolean): string[] {
  return [
    ...(sameRecipe ? [] : ['The two runs are of different recipes.']),
    ...(partly ? ['Only objects in the part that both runs looked at are compared.'] : []),
  ]
}

type Values = readonly [spec: Pick<RecipeSpec, 'stages'>, recipe: Recipe]

/** Those of either recipe whose values are not the same, in the order of the first; last what neither's form knows, by its key. */
export function differingValues(a: Values, b: Values): ComparedValue[] {
  const valueIn = ([spec, recipe]: Values, stage: string, param: string) => {
    const found = spec.stages.find(({ id }) => id === stage)?.params.find(({ key }) => key === param)
    const given = Object.hasOwn(recipe.params, stage) ? recipe.params[stage]! : {}
    return (Object.hasOwn(given, param) ? given[param] : found?.default) ?? null
  }
  const places = new Map<string, ComparedValue>()
  for (const [spec] of [a, b]) {
    for (const { id: stage, params } of spec.stages) {
      for (const param of params) {
        const [own, other] = [valueIn(a, stage, param.key), valueIn(b, stage, param.key)]
        if (own === other || places.has(`${stage}.${param.key}`)) continue
        const unit = param.kind === 'number' ? param.unit : 'none'
        places.set(`${stage}.${param.key}`, { stage, param: param.key, label: param.label, unit, a: own, b: other })
      }
    }
  }
  // Of another version of the program.
  for (const [, { params }] of [a, b]) {
    for (const [stage, values] of Object.entries(params)) {
      for (const param of Object.keys(values)) {
        const [own, other] = [valueIn(a, stage, param), valueIn(b, stage, param)]
        const place = `${stage}.${param}`
        if (own !== other && !places.has(place)) places.set(place, { stage, param, label: place, unit: 'none', a: own, b: other })
      }
    }
  }
  return [...places.values()]
}
