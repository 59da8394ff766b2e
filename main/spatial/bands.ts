// What lies in bands along the border of each class of regions: how many objects of each class, and how much of what was looked at. Pure.
import type { Shape } from '../../app/contract'
import { TooTangled } from '../base/planar/noded'
import { bandAreas } from './bandAreas'
import type { BandAreas } from './bandAreas'
import type { Ground } from './ground'
import { bordersOf, signedDistances } from './border'
import { TangledRegions } from './measure'
import type { SpatialInput } from './measure'
import { treeOf } from './points'

export interface BandsInput extends Omit<SpatialInput, 'measures' | 'ids' | 'endOfIds'> {
  /** Rising. */
  readonly limits: readonly number[]
  readonly ground: Ground
}
/** Of one class of regions. */
export interface BandValues extends BandAreas {
  /** Of each band all of its objects, then those of each class. */
  readonly counts: readonly Float64Array<ArrayBuffer>[]
}

/** `progress` is told the share that is done. Throws TangledRegions. */
export function measureBands(input: BandsInput, progress: (share: number) => void): BandValues[] {
  const { xs, ys, classAt, classes, umPerPx, regions, limits, ground } = input
  const scale = umPerPx ?? { x: 1, y: 1 }
  const um = { xs: xs.map((x) => x * scale.x), ys: ys.map((y) => y * scale.y) }
  const all = treeOf(um)
  return regions.map((shapes: readonly Shape[], of) => {
    const told = (share: number): void => progress((of + share) / regions.length)
    try {
      const rings = bordersOf(shapes)
      const distances = signedDistances(shapes, { xs, ys }, um, scale, all, (share) => told(share / 2), rings)
      const counts = Array.from({ length: limits.length + 1 }, () => new Float64Array(classes + 1))
      for (let i = 0; i < distances.length; i++) {
        const band = counts[bandOf(limits, distances[i]!)]!
        band[0]! += 1
        if (classAt[i]! < classes) band[classAt[i]! + 1]! += 1
      }
      told(1 / 2)
      return { counts, ...bandAreas(rings, limits, scale, ground) }
    } catch (cause) {
      throw cause instanceof TooTangled ? new TangledRegions(of, cause) : cause
    }
  })
}

/** Which of the bands holds a distance: a limit is the first of what follows it. */
export function bandOf(limits: readonly number[], distance: number): number {
  let band = 0
  while (band < limits.length && distance >= limits[band]!) band++
  return band
}
