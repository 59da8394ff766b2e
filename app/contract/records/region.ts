// A region of interest: the record, how many there can be, what of it can change, and what lists call it.
import { RegionId, SlideKey } from '../base/ids'
import * as z from '../zod'
import { CorePlace } from './core'
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
  /** It is a place of a tissue microarray; absent: it is none. */
  core: CorePlace.optional(),
})
export type RegionOfInterest = z.infer<typeof RegionOfInterest>

const kindOf = (shape: RegionShape): 'area' | 'points' | 'line' =>
  isArea(shape) ? 'area' : shape.kind === 'points' ? 'points' : 'line'

type Titled = Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>

/** Numbers of a list's regions without a name, among those that are alike by class and kind. */
interface Numbered {
  /** The list that was counted; this one is the same but for what is deleted of it. */
  readonly counted: readonly Titled[]
  /** Of that list: by class and kind, then by id. */
  readonly numbers: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** By class and kind the numbers of those that are deleted since; they rise. */
  readonly gone: ReadonlyMap<string, readonly number[]>
}
const numbered = new WeakMap<readonly Titled[], Numbered>()
/** The list before, as long as somebody has it: most changes count nothing anew. */
let latest: WeakRef<Numbered> | null = null
/** Of a list that is counted once. */
const mostGone = 200

const groupOf = ({ classId, shape }: Titled): string => `${kindOf(shape)} ${classId ?? ''}`

/** O(regions) once for a list, which is not changed any more, and small where it is one before with a few deleted; then O(1). */
function numbersOf(all: readonly Titled[]): Numbered {
  const known = numbered.get(all)
  if (known) return known
  const before = latest?.deref()
  return kept(all, (before && carried(before, all)) ?? { counted: all, numbers: count(all, 0, all.length), gone: new Map() })
}

function kept(all: readonly Titled[], made: Numbered): Numbered {
  numbered.set(all, made)
  latest = new WeakRef(made)
  return made
}

/** So many are counted in one step. */
const countedAtOnce = 500

/** What titles of a list's regions need, made in small steps: the first title does it at once else. */
export function* numberingRegions(all: readonly Titled[]): Generator<void, void, void> {
  if (numbered.has(all)) return
  const numbers: Groups = new Map()
  for (let from = 0; from < all.length; from += countedAtOnce) {
    count(all, from, Math.min(from + countedAtOnce, all.length), numbers)
    yield
  }
  kept(all, { counted: all, numbers, gone: new Map() })
}

type Groups = Map<string, Map<string, number>>

/** Of those in [from, to), behind those that the groups have. */
function count(all: readonly Titled[], from: number, to: number, groups: Groups = new Map()): Groups {
  for (let place = from; place < to; place++) {
    const region = all[place]!
    if (region.name !== '') continue
    const key = groupOf(region)
    let group = groups.get(key)
    if (!group) groups.set(key, (group = new Map<string, number>()))
    group.set(region.id, group.size + 1)
  }
  return groups
}

/** null: more is another than a few that are deleted, or back. */
function carried({ counted, numbers }: Numbered, all: readonly Titled[]): Numbered | null {
  const gone = new Map<string, number[]>()
  let [place, count] = [0, 0]
  for (const was of counted) {
    const is = all[place]
    if (is?.id === was.id) {
      place++
      if (is !== was && ((was.name === '') !== (is.name === '') || groupOf(was) !== groupOf(is))) return null
      continue
    }
    if (++count > mostGone) return null
    if (was.name !== '') continue
    const key = groupOf(was)
    gone.set(key, [...(gone.get(key) ?? []), numbers.get(key)!.get(was.id)!])
  }
  return place === all.length ? { counted, numbers, gone } : null
}

/** 0: it has a name, or is not among them. */
function numberOf(region: Titled, all: readonly Titled[]): { number: number; alike: number } {
  const { numbers, gone } = numbersOf(all)
  const key = groupOf(region)
  const [counted, deleted] = [numbers.get(key), gone.get(key) ?? []]
  const number = counted?.get(region.id) ?? 0
  return { number: number - deleted.filter((each) => each < number).length, alike: (counted?.size ?? 0) - deleted.length }
}

/** What lists call a region: its name, else its class, else its number among those of the slide without either; points and lines are called so. */
export function regionTitle(region: Titled, all: readonly Titled[], classes: readonly RegionClass[]): string {
  if (region.name !== '') return region.name
  const known = classes.find(({ id }) => id === region.classId)
  const kind = kindOf(region.shape)
  const { number: own, alike } = numberOf(region, all)
  const number = alike > 1 || (!known && kind === 'area') ? ` ${own}` : ''
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
  /** null: it is no place of an array. */
  core: CorePlace.nullable().optional(),
})
export type RegionChange = z.infer<typeof RegionChange>
