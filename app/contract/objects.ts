// An object with its measurements.
import { Region } from './geometry'
import { z } from './zod'

/** Lengths in µm where the slide is calibrated, else in level-0 px (`unit` says which). */
export const ObjectDetails = z.object({
  /** Dense within its run, 1-based. */
  id: z.number().int(),
  unit: z.enum(['um', 'px']),
  area: z.number(),
  perimeter: z.number(),
  circularity: z.number(),
  eccentricity: z.number(),
  majorAxis: z.number(),
  minorAxis: z.number(),
  orientationDeg: z.number(),
  solidity: z.number(),
  /** Level-0 px. */
  centroid: z.object({ x: z.number(), y: z.number() }),
  bounds: Region,
  stains: z.array(z.object({ name: z.string(), mean: z.number(), std: z.number(), min: z.number(), max: z.number() })),
  /** Rings of level-0 px points, first outer ring, then holes and further parts. */
  outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
})
export type ObjectDetails = z.infer<typeof ObjectDetails>
