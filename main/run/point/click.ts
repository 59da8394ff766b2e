// A click on a nucleus: the recipe's object there, and where another outline fits the image better, that one too.
import { performance } from 'node:perf_hooks'
import type { ClickOutline, ObjectDetails, ParamValue, Recipe, RecipeSpec } from '../../../app/contract'
import { keptPlane, measureRuns, planOf, tokenOf } from '../../../native/index'
import { numberAt } from '../../recipe/validate'
import type { OpenSlide } from '../../slide/slides'
import { draftAnalysis } from '../analysis/analysis'
import type { Analysis } from '../analysis/analysis'
import { closedPath } from './closedPath'
import type { GreyPlane, PathScale } from './closedPath'
import { objectDetails, placeOf } from './objectDetails'
import type { Overviews } from '../analysis/overviews'
import { PackedObjects } from '../objects/packedObjects'
import type { RunObject } from '../objects/result'
import { foundAt, segmentAt } from './segment'
import type { Found } from './segment'
import type { TileResults } from '../tiles/tileResults'

/** The plane in which nuclei are bright, of the recipes that have it. */
const channel = 'channel'
/** What else a click tries: the recipe's own values times these. Other levels find rims that are paler, or part what is darker; contrast is asked less of what somebody points at. */
const others: readonly Readonly<Record<string, number>>[] = [
  { 'threshold.level': 0.7, 'objects.minContrast': 0.375 },
  { 'threshold.level': 1.5, 'objects.minContrast': 0.375 },
]
/** How far an object and the paths around the click and around its own centre must agree (IoU, the mean of both): for the recipe's object to stand, and for any. */
const recipeStands = 0.7
const anyStands = 0.5
/** A path falls off by so much of the slide's level (1/360), or there is no nucleus: 0.36. A seventh of the points that lie in none pass, four fifths of the nuclei that need it. */
const leastStrength = 130
/** Of the recipe's pixel, in µm and in px: a ray's step; how far around the click the plane is looked at. */
const stepUm = 0.25
const lookUm = 18

interface Clicked {
  readonly object: ObjectDetails | null
  readonly outlined: ClickOutline | null
  readonly elapsedMs: number
}

/** `x`, `y` in level-0 px. A point off the slide has no object. */
export async function clickAt(
  slide: OpenSlide,
  spec: RecipeSpec,
  recipe: Recipe,
  { x, y, mpp }: { x: number; y: number; mpp: number | undefined },
  threads: number,
  tools: { overviews: Overviews; tiles: TileResults },
  signal?: AbortSignal,
): Promise<Clicked> {
  const started = performance.now()
  const under = (values: Recipe): Promise<Found> =>
    foundAt(draftAnalysis(slide, spec, values, mpp), { x, y }, threads, tools, signal)
  const own = await under(recipe)
  const { analysis, px, py } = own
  const detailsOf = (object: RunObject): Promise<ObjectDetails> => objectDetails(object, 1, placeOf(analysis))
  const object = own.object && (await detailsOf(own.object))
  const answer = (outlined: ClickOutline | null): Clicked => ({ object, outlined, elapsedMs: performance.now() - started })

  const scale = scaleOf(analysis)
  const plane = scale && (await planeAround(analysis, px, py, threads, signal))
  if (!scale || !plane) return answer(null)
  const here = closedPath(plane, px * 1024 + 512, py * 1024 + 512, scale)
  const agreement = (of: RunObject): number => {
    const runs = of.runs
    const { xK, yK } = centreOf(runs)
    return (iou(runs, here.runs) + iou(runs, closedPath(plane, xK, yK, scale).runs)) / 2
  }
  let best = own.object ? { agrees: agreement(own.object), found: null as null | { object: RunObject; values: Recipe } } : null
  if (best && best.agrees >= recipeStands) return answer(null)
  for (const factors of others) {
    const values = scaledValues(spec, analysis.recipe, factors)
    const found = values && (await under(values)).object
    if (!found) continue
    const agrees = agreement(found)
    if (!best || agrees > best.agrees) best = { agrees, found: { object: found, values } }
  }
  if (best && best.agrees >= anyStands) {
    if (!best.found) return answer(null)
    const changes = changesOf(analysis.recipe, best.found.values, others)
    return answer({ object: await detailsOf(best.found.object), by: 'values', changes })
  }
  if (here.strength < leastStrength || here.runs.length === 0) return answer(null)
  const drawn = await measured(analysis, here.runs, signal)
  return answer({ object: await detailsOf(drawn), by: 'path', changes: [] })
}

/** What is added by a point: under values that were asked for their object, else what a click shows there. */
export async function pointedAt(
  slide: OpenSlide,
  spec: RecipeSpec,
  recipe: Recipe,
  { x, y, mpp, asked }: { x: number; y: number; mpp: number | undefined; asked: boolean },
  threads: number,
  tools: { overviews: Overviews; tiles: TileResults },
  signal?: AbortSignal,
): Promise<ObjectDetails | null> {
  if (asked) return (await segmentAt(draftAnalysis(slide, spec, recipe, mpp), { x, y }, threads, tools, signal)).object
  const { object, outlined } = await clickAt(slide, spec, recipe, { x, y, mpp }, threads, tools, signal)
  return outlined?.object ?? object
}

/** null: the recipe has no such plane, or its slide no level. */
function scaleOf({ spec, params, resolution }: Analysis): PathScale | null {
  if (!spec.layers.some(({ id }) => id === channel) || !others.every((one) => Object.keys(one).every((name) => name in params)))
    return null
  // Light is counted in multiples of the slide's level: so much of 255 is one.
  const level = spec.stainSet === 'rgb' ? Math.round(255 / Number(params['channel.strongest'])) : Number(params['overview.level'])
  return level >= 1
    ? { level: Math.min(255, level), stepK: Math.max(1, Math.round((1024 * stepUm) / resolution.nominalMpp)) }
    : null
}

async function planeAround(
  { grid, slide, spec, params, resolution }: Analysis,
  px: number,
  py: number,
  threads: number,
  signal: AbortSignal | undefined,
): Promise<GreyPlane | null> {
  if (px < 0 || py < 0 || px >= grid.widthPx || py >= grid.heightPx) return null
  const look = Math.ceil(lookUm / resolution.nominalMpp)
  const [x, y] = [Math.max(0, px - look), Math.max(0, py - look)]
  const core = { x, y, width: Math.min(grid.widthPx, px + look + 1) - x, height: Math.min(grid.heightPx, py + look + 1) - y }
  const found = await keptPlane(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      x,
      y,
      fieldWidth: core.width,
      fieldHeight: core.height,
      plan: planOf(spec.pipeline, params),
      threads,
      plane: channel,
    },
    tokenOf(signal),
  )
  return found?.kind === 'gray' ? { ...core, data: found.data } : null
}

/** null: a limit of the recipe leaves them as they are. */
function scaledValues(spec: RecipeSpec, recipe: Recipe, factors: Readonly<Record<string, number>>): Recipe | null {
  const params: Record<string, Record<string, ParamValue>> = { ...recipe.params }
  let differs = false
  for (const [name, factor] of Object.entries(factors)) {
    const [stage = '', key = ''] = name.split('.')
    const number = numberAt(spec, stage, key)
    const value = params[stage]?.[key]
    if (!number || typeof value !== 'number') return null
    const scaled = Math.min(number.max, Math.max(number.min, Math.round(value * factor * 1000) / 1000))
    differs ||= scaled !== value
    params[stage] = { ...params[stage], [key]: scaled }
  }
  return differs ? { ...recipe, params } : null
}

function changesOf(from: Recipe, to: Recipe, of: typeof others): ClickOutline['changes'] {
  return Object.keys(of[0]!).flatMap((name) => {
    const [stage = '', param = ''] = name.split('.')
    const value = to.params[stage]?.[param]
    return value === undefined || value === from.params[stage]?.[param] ? [] : [{ stage, param, value }]
  })
}

/** What the recipe would have measured of these pixels. */
async function measured(
  { grid, slide, spec, params }: Analysis,
  runs: Int32Array,
  signal: AbortSignal | undefined,
): Promise<RunObject> {
  const rows = Array.from({ length: runs.length / 3 }, (_, i) => i * 3)
  const y = runs[0]!
  const x = Math.min(...rows.map((i) => runs[i + 1]!))
  const found = await measureRuns(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      ...{ x, y, fieldWidth: Math.max(...rows.map((i) => runs[i + 2]!)) - x, fieldHeight: runs.at(-3)! + 1 - y },
      plan: planOf(spec.pipeline, params),
      runs: Int32Array.from(runs),
      runOffsets: Int32Array.of(0, runs.length / 3),
    },
    tokenOf(signal),
  )
  return PackedObjects.of(found).object(0)
}

/** In 1/1024 px. */
function centreOf(runs: Int32Array): { xK: number; yK: number } {
  let [area, x2, y2] = [0, 0, 0]
  for (let i = 0; i < runs.length; i += 3) {
    const [y, x0, x1] = [runs[i]!, runs[i + 1]!, runs[i + 2]!]
    area += x1 - x0
    x2 += (x1 - x0) * (x0 + x1)
    y2 += (x1 - x0) * (2 * y + 1)
  }
  return { xK: Math.floor((512 * x2) / area), yK: Math.floor((512 * y2) / area) }
}

/** Of pixels; both in raster order. */
export function iou(a: Int32Array, b: Int32Array): number {
  let both = 0
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] === b[k]) both += Math.max(0, Math.min(a[i + 2]!, b[k + 2]!) - Math.max(a[i + 1]!, b[k + 1]!))
    const aIsFirst = a[i]! < b[k]! || (a[i] === b[k] && a[i + 2]! <= b[k + 2]!)
    if (aIsFirst) i += 3
    else k += 3
  }
  const either = pixels(a) + pixels(b) - both
  return either === 0 ? 0 : both / either
}
function pixels(runs: Int32Array): number {
  let area = 0
  for (let i = 0; i < runs.length; i += 3) area += runs[i + 2]! - runs[i + 1]!
  return area
}
