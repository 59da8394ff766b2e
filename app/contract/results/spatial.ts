// Where objects lie among others and in regions: which measures of that are asked for, and by what their columns are known.
import { BandsAsk } from './bands'
import { DensityMapAsk } from './densityMaps'
import * as z from '../zod'

/** In px of the slide where its pixel size is not known. */
const lengthUm = z.number().min(1).max(10_000)

export const SpatialMeasures = z.strictObject({
  border: z.boolean().describe('signed distance to the border of the regions of each class, below 0 inside'),
  nearest: z.boolean().describe('distance to the nearest other object of each class'),
  densityRadiusUm: lengthUm
    .nullable()
    .describe('other objects within this radius, for each mm² of the circle; null: not asked for'),
  nearestCount: z
    .number()
    .int()
    .min(1)
    .max(100)
    .nullable()
    .describe('mean distance to so many nearest objects; null: not asked for'),
  neighbours: z.boolean().describe('neighbours in the Delaunay triangulation, of all and of each class'),
  neighboursWithinUm: lengthUm.nullable().describe('neighbours that are farther away do not count; null: all count'),
  /** Absent in settings of before there were any. */
  bands: BandsAsk.nullable().default(null).describe('what lies in bands along the border of regions; null: not asked for'),
  map: DensityMapAsk.nullable().default(null).describe('the map of density that files have; null: as usual'),
})
export type SpatialMeasures = z.infer<typeof SpatialMeasures>

export const noSpatial: SpatialMeasures = {
  border: false,
  nearest: false,
  densityRadiusUm: null,
  nearestCount: null,
  neighbours: false,
  neighboursWithinUm: null,
  bands: null,
  map: null,
}
/** What is offered where nobody has chosen yet. */
export const usualSpatial = { densityRadiusUm: 50, nearestCount: 5, neighboursWithinUm: 100 } as const

/** For columns of the table and of files. */
export const asksSpatial = ({ border, nearest, densityRadiusUm, nearestCount, neighbours }: SpatialMeasures): boolean =>
  border || nearest || densityRadiusUm !== null || nearestCount !== null || neighbours

/** Of the table: no measurement of the engine's, so no class stands on it. */
export const isSpatialColumn = (key: string): boolean => key.startsWith('spatial')
