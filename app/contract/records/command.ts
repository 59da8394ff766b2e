// A change of the document: the record of a step of history, forward or back, and how much one can be.
import { KeptId, RegionId } from '../base/ids'
import * as z from '../zod'
import { MadeObjects, ObjectRule, RankSet } from './corrections'
import { text } from './primitives'
import { mostRegions, RegionChange, RegionOfInterest, RegionPlace } from './region'
import { ClassId, RegionClasses } from './regionClass'
import { mostPoints, Point, Shape } from './shapes'

/** Sets of one classification, and commands of one step. */
export const mostSets = 300
export const mostTogether = 1000

const ids = z.array(RegionId).min(1).max(mostRegions)
const SingleCommand = z.discriminatedUnion('type', [
  /** `places`: numbers by which regions lie over each other, one each; absent: on top, in their order. */
  z.strictObject({
    type: z.literal('regions:add'),
    regions: z.array(RegionOfInterest).min(1).max(mostRegions),
    places: z.array(RegionPlace).max(mostRegions).optional(),
  }),
  z.strictObject({ type: z.literal('regions:delete'), ids }),
  z.strictObject({ type: z.literal('regions:change'), changes: z.array(RegionChange).min(1).max(mostRegions) }),
  /** Adds to a region's shape, or cuts out of it: becomes a `regions:change`. */
  z.strictObject({ type: z.literal('regions:combine'), id: RegionId, how: z.enum(['add', 'subtract']), shape: Shape }),
  /** One point more in a region of points: before the one that is at that place, from 0; absent: behind all. */
  z.strictObject({
    type: z.literal('points:add'),
    id: RegionId,
    point: Point,
    at: z.number().int().min(0).max(mostPoints).optional(),
  }),
  /** The point at that place, which is `point`. With the last one goes the region. */
  z.strictObject({ type: z.literal('points:remove'), id: RegionId, point: Point, at: z.number().int().min(0).max(mostPoints) }),
  z.strictObject({ type: z.literal('objects:delete'), run: KeptId, ranks: RankSet }),
  z.strictObject({ type: z.literal('objects:restore'), run: KeptId, ranks: RankSet }),
  /** By hand. classId null: as the run's rule has it. */
  z.strictObject({
    type: z.literal('objects:classify'),
    run: KeptId,
    sets: z
      .array(z.strictObject({ classId: ClassId.nullable(), ranks: RankSet }))
      .min(1)
      .max(mostSets),
  }),
  z.strictObject({ type: z.literal('objects:make'), run: KeptId, made: MadeObjects }),
  /** Takes back what was made last: of history only. */
  z.strictObject({ type: z.literal('objects:unmake'), run: KeptId }),
  /** null: as its recipe has it. */
  z.strictObject({ type: z.literal('objects:rule'), run: KeptId, rule: ObjectRule.nullable() }),
  /** A cancelled run's part goes from lists and sums, as `whole` is what it was gone on with as; null: it comes back. */
  z.strictObject({ type: z.literal('runs:stand'), run: KeptId, whole: KeptId.nullable() }),
  /** An imported result comes in, or is taken back. */
  z.strictObject({ type: z.literal('runs:bring'), run: KeptId, in: z.boolean() }),
  /** All of them, in order. A region's class must stay among them. */
  z.strictObject({ type: z.literal('classes:set'), classes: RegionClasses }),
])
export type SingleCommand = z.infer<typeof SingleCommand>

/** Every change of the document is one of these; what takes it back is one too. `together`: several that are one step, all or none. */
export const DocumentCommand = z.union([
  SingleCommand,
  z.strictObject({
    type: z.literal('together'),
    name: text(200).min(1),
    commands: z.array(SingleCommand).min(1).max(mostTogether),
  }),
])
export type DocumentCommand = z.infer<typeof DocumentCommand>
