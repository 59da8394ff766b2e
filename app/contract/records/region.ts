// A region of interest: the record, how many there can be, what of it can change, and what lists call it.
import { RegionId, SlideKey } from '../ids'
import * as z from '../zod'
import { mostCounted, text } from './primitives'
import { ClassId } from './regionClass'
import type { RegionClass } from './regionClass'
import { isArea, RegionShape } from './shapes'

/** Of one document. */
export const mostRegions = 100_000
/** Regions lie over each other in the order of these. */
export const RegionPlace = z.number().min(-mostCounted).max(mostCounted)

export const RegionOfInterest = z.strictObject({
  id: RegionId,
  slide: SlideKey,
  /** '': it has none. */
  name: text(200),
  classId: ClassId.nullable(),
  /** Its shape stays, and it is not deleted. */
  locked: z.boolean(),
  shape: RegionShape,
  /** ISO. */
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/),
  madeBy: z.enum(['hand', 'import', 'program']),
})
export type RegionOfInterest = z.infer<typeof RegionOfInterest>

const kindOf = (shape: RegionShape): 'area' | 'points' | 'line' =>
  isArea(shape) ? 'area' : shape.kind === 'points' ? 'points' : 'line'

/** What lists call a region: its name, else its class, else its number among those of the slide without either; points and lines are called so. */
export function regionTitle(
  region: Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>,
  all: readonly Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>[],
  classes: readonly RegionClass[],
): string {
  if (region.name !== '') return region.name
  const known = classes.find(({ id }) => id === region.classId)
  const kind = kindOf(region.shape)
  const alike = all.filter(({ name, classId, shape }) => name === '' && classId === region.classId && kindOf(shape) === kind)
  const number = alike.length > 1 || (!known && kind === 'area') ? ` ${alike.findIndex(({ id }) => id === region.id) + 1}` : ''
  if (kind === 'area') return `${known?.name ?? 'Region'}${number}`
  return `${known ? `${known.name}: ${kind}` : kind === 'points' ? 'Points' : 'Line'}${number}`
}

/** What of a region is to become something else. */
export const RegionChange = z.strictObject({
  id: RegionId,
  name: RegionOfInterest.shape.name.optional(),
  classId: ClassId.nullable().optional(),
  locked: z.boolean().optional(),
  shape: RegionShape.optional(),
})
export type RegionChange = z.infer<typeof RegionChange>
