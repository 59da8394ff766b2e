// All measures that were asked for, of a list of objects, as columns by id. Pure: what a thread of its own runs.
import type { Shape, SpatialMeasures } from '../../app/contract'
import { TooTangled } from '../base/planar/noded'
import { signedDistances } from './border'
import { countsWithin, meanOfNearest, nearestOf, treeOf } from './points'
import { neighboursOf } from './triangulation'

/** Objects in the order of their list, which does not depend on how a run was tiled. */
export interface SpatialInput {
  readonly measures: SpatialMeasures
  /** Centroids, level-0 px. */
  readonly xs: Float64Array<ArrayBuffer>
  readonly ys: Float64Array<ArrayBuffer>
  /** Below `classes`; above: of no class. */
  readonly classAt: Uint8Array<ArrayBuffer>
  readonly classes: number
  readonly ids: Uint32Array<ArrayBuffer>
  /** Above every id. */
  readonly endOfIds: number
  /** µm of a level-0 px; null: not known, so lengths are px. */
  readonly umPerPx: { readonly x: number; readonly y: number } | null
  /** Of each region class that has some: its regions, level-0 px. */
  readonly regions: readonly (readonly Shape[])[]
}

/** NaN: there is nothing to measure, or no object has the id. What was not asked for is not there. */
export interface SpatialValues {
  /** Of each of `regions`. */
  readonly border: readonly Float64Array<ArrayBuffer>[]
  /** Of each class. */
  readonly nearest: readonly Float64Array<ArrayBuffer>[]
  /** For each mm², or 10⁶ px². */
  readonly density: Float64Array<ArrayBuffer> | null
  readonly meanOfNearest: Float64Array<ArrayBuffer> | null
  readonly neighbours: Float64Array<ArrayBuffer> | null
  readonly neighboursByClass: readonly Float64Array<ArrayBuffer>[]
}

/** Regions of one class that cannot be put together. */
export class TangledRegions extends Error {
  /** Which of the input's `regions`. */
  readonly of: number

  constructor(of: number, cause: TooTangled) {
    super(cause.message, { cause })
    this.of = of
  }
}

/** `progress` is told the share that is done. Throws TangledRegions. */
export function measureSpatial(input: SpatialInput, progress: (share: number) => void): SpatialValues {
  const { measures, xs, ys, classAt, classes, ids, endOfIds, umPerPx, regions } = input
  const { border, nearest, densityRadiusUm, nearestCount, neighbours, neighboursWithinUm } = measures
  const scale = umPerPx ?? { x: 1, y: 1 }
  const um = { xs: xs.map((x) => x * scale.x), ys: ys.map((y) => y * scale.y) }
  const steps =
    (border ? regions.length : 0) +
    (nearest ? classes : 0) +
    Number(densityRadiusUm !== null) +
    Number(nearestCount !== null) +
    Number(neighbours)
  let done = 0
  const step = <T>(work: (progress: (share: number) => void) => T): T => {
    const made = work((share) => progress((done + share) / steps))
    done += 1
    progress(done / steps)
    return made
  }
  const byId = (values: Float64Array): Float64Array<ArrayBuffer> => {
    const own = new Float64Array(endOfIds).fill(NaN)
    for (let i = 0; i < ids.length; i++) own[ids[i]!] = values[i]!
    return own
  }
  const all = treeOf(um)
  const membersOf = (of: number): Uint32Array => {
    let count = 0
    for (const each of classAt) if (each === of) count++
    const members = new Uint32Array(count)
    count = 0
    for (let i = 0; i < classAt.length; i++) if (classAt[i] === of) members[count++] = i
    return members
  }
  const of = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
  const perArea = (radius: number): number => (Math.PI * radius * radius) / 1e6
  const found = neighbours
    ? step(() =>
        neighboursOf(
          // In px, of which those on one line are so to the bit.
          { xs, ys: scale.x === scale.y ? ys : ys.map((y) => (y * scale.y) / scale.x) },
          classAt,
          classes,
          neighboursWithinUm === null ? Infinity : neighboursWithinUm / scale.x,
        ),
      )
    : null
  const distances = (shapes: readonly Shape[], at: number): Float64Array<ArrayBuffer> =>
    step((told) => {
      try {
        return byId(signedDistances(shapes, { xs, ys }, um, scale, all, told))
      } catch (cause) {
        throw cause instanceof TooTangled ? new TangledRegions(at, cause) : cause
      }
    })
  return {
    border: border ? regions.map(distances) : [],
    nearest: nearest ? of(classes).map((each) => step((told) => byId(nearestOf(um, all, membersOf(each), told)))) : [],
    density:
      densityRadiusUm === null
        ? null
        : step((told) => byId(countsWithin(um, all, densityRadiusUm, told).map((count) => count / perArea(densityRadiusUm)))),
    meanOfNearest: nearestCount === null ? null : step((told) => byId(meanOfNearest(um, all, nearestCount, told))),
    neighbours: found && byId(found.all),
    neighboursByClass: found ? found.byClass.map(byId) : [],
  }
}
