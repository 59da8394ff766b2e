// What one change of the document put and removed, as pages are told of it: enough to come from the revision before it to its own.
import { KeptId, RegionId, SlideKey } from '../base/ids'
import { DocumentStep, RegionMeasure } from './project'
import { KeptRun } from '../records/keptRun'
import { RegionOfInterest, RegionPlace } from '../records/region'
import { RegionClass } from '../records/regionClass'
import * as z from '../zod'

/** A region, and its place among the others: they lie over each other in this order, and by id where places are the same. */
export const PlacedRegion = z.object({ record: RegionOfInterest, place: RegionPlace })
export type PlacedRegion = z.infer<typeof PlacedRegion>

/** What was held of an answer: regions of a document's state, measures, or pieces of a text. `from` counts these. */
export const FurtherPart = z.object({
  regions: z.array(PlacedRegion),
  measures: z.array(RegionMeasure),
  texts: z.array(z.string()),
  isLast: z.boolean(),
})
export type FurtherPart = z.infer<typeof FurtherPart>

export const byPlace = (a: PlacedRegion, b: PlacedRegion): number => a.place - b.place || (a.record.id < b.record.id ? -1 : 1)

/** A region of more points is told by its key; who shows its slide asks `project:regions`. Some 40 kB. */
export const mostToldPoints = 2000
/** Of one call of `project:regions`. */
export const mostAskedRegions = 1000

export const PutRecord = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('region'), ...PlacedRegion.shape }),
  z.object({ kind: z.literal('largeRegion'), key: RegionId, slide: SlideKey }),
  /** All that there are. */
  z.object({ kind: z.literal('classes'), records: z.array(RegionClass) }),
  z.object({ kind: z.literal('run'), record: KeptRun }),
  /** What was done by hand to a run's objects: its figures are others. */
  z.object({ kind: z.literal('corrections'), key: KeptId, slide: SlideKey }),
  /** Something on it is another: what `project:slides` says of it, and how many regions it has. */
  z.object({ kind: z.literal('slide'), key: SlideKey, regions: z.number() }),
])
export type PutRecord = z.infer<typeof PutRecord>

export const RemovedRecord = z.object({ kind: z.enum(['region', 'run']), key: z.string() })
export type RemovedRecord = z.infer<typeof RemovedRecord>

export const DocumentChange = z.object({
  put: z.array(PutRecord),
  removed: z.array(RemovedRecord),
  undo: DocumentStep.nullable(),
  redo: DocumentStep.nullable(),
})
export type DocumentChange = z.infer<typeof DocumentChange>
