// Maps of density over a slide: what is asked for, what is told of one, and the regions that are made where it is high.
import { RunId } from '../base/ids'
import * as z from '../zod'

export const DensityMapAsk = z.strictObject({
  radiusUm: z
    .number()
    .min(1)
    .max(10_000)
    .describe('of the circle about each place; px of the slide where its pixel size is not known'),
  of: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('the class of objects, by its name; null: all, or of a share those that are positive'),
  share: z.boolean().describe('the share of positive objects among the positive and negative ones, in place of a density'),
})
export type DensityMapAsk = z.infer<typeof DensityMapAsk>
export const usualMap: DensityMapAsk = { radiusUm: 100, of: null, share: false }

export const DensityMapInfo = z.object({
  /** Its tiles are those of the run's layer of this name. */
  layer: z.string(),
  unit: z.enum(['um', 'px']),
  share: z.boolean(),
  /** For each mm², or 10⁶ px²; or a share from 0 to 1. Tiles hold 255 for it. */
  highest: z.number(),
  /** Level-0 px. */
  cellPx: z.number(),
  /** Cells that were looked at. */
  cells: z.number(),
  /** Below which 0, 1, … 100 of a hundred of these cells lie. */
  percentiles: z.array(z.number()),
})
export type DensityMapInfo = z.infer<typeof DensityMapInfo>

/** Where a map is at least so high, as regions: their outlines run along its cells. */
export const HotSpotsAsk = z.strictObject({
  runId: RunId,
  map: DensityMapAsk,
  /** In the map's own unit, or above which share of a hundred of its cells. */
  limit: z.union([
    z.strictObject({ atLeast: z.number().min(0).max(1e9) }),
    z.strictObject({ percentile: z.number().min(0).max(100) }),
  ]),
  leastMm2: z.number().min(0).max(1e6).describe('smaller ones are left out; 10⁶ px² where the pixel size is not known'),
})
export type HotSpotsAsk = z.infer<typeof HotSpotsAsk>
export const HotSpotsMade = z.object({
  /** The limit in the map's own unit. */
  limit: z.number(),
  made: z.number(),
  /** Too small. */
  leftOut: z.number(),
})
export type HotSpotsMade = z.infer<typeof HotSpotsMade>

const mapLayer = /^map\.\d{1,9}\.(r[0-9a-z-]+)$/
export const mapLayerOf = (map: number, runId: string): string => `map.${map}.${runId}`
/** Whose map a layer is; null: it is none. */
export const runOfMapLayer = (layer: string): string | null => mapLayer.exec(layer)?.[1] ?? null
export const mapOfLayer = (layer: string): number | null => (mapLayer.test(layer) ? Number(layer.split('.')[1]) : null)
