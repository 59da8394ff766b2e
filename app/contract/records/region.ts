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

type Titled = Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>

/** Of a list's regions without a name: their numbers among those that are alike, by class and kind, then by id. */
type Numbers = ReadonlyMap<string, ReadonlyMap<string, number>>
interface Numbered {
  readonly all: readonly Titled[]
  readonly numbers: Numbers
}
const numbered = new WeakMap<readonly Titled[], Numbered>()
/** The list before, as long as somebody has it: most changes of a region change no number. */
let latest: WeakRef<Numbered> | null = null

const groupOf = ({ classId, shape }: Titled): string => `${kindOf(shape)} ${classId ?? ''}`

/** O(regions) once for a list, which is not changed any more, then O(1). */
function numbersOf(all: readonly Titled[]): Numbers {
  const known = numbered.get(all)
  if (known) return known.numbers
  const before = latest?.deref()
  const made = { all, numbers: before && isNumberedAlike(before.all, all) ? before.numbers : count(all) }
  numbered.set(all, made)
  latest = new WeakRef(made)
  return made.numbers
}

function count(all: readonly Titled[]): Numbers {
  const groups = new Map<string, Map<string, number>>()
  for (const region of all) {
    if (region.name !== '') continue
    const key = groupOf(region)
    let group = groups.get(key)
    if (!group) groups.set(key, (group = new Map<string, number>()))
    group.set(region.id, group.size + 1)
  }
  return groups
}

const isNumberedAlike = (before: readonly Titled[], all: readonly Titled[]): boolean =>
  before.length === all.length &&
  all.every((region, i) => {
    const was = before[i]!
    if (was === region) return true
    return was.id === region.id && (was.name === '') === (region.name === '') && groupOf(was) === groupOf(region)
  })

/** What lists call a region: its name, else its class, else its number among those of the slide without either; points and lines are called so. */
export function regionTitle(region: Titled, all: readonly Titled[], classes: readonly RegionClass[]): string {
  if (region.name !== '') return region.name
  const known = classes.find(({ id }) => id === region.classId)
  const kind = kindOf(region.shape)
  const alike = numbersOf(all).get(groupOf(region))
  const number = (alike?.size ?? 0) > 1 || (!known && kind === 'area') ? ` ${alike?.get(region.id) ?? 0}` : ''
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
