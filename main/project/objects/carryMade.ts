// Objects that a person made of one run's, for another run of the slide: where those that they were made of are there, they are made of these again.
import type { RunObject } from '../../run/objects/result'
import type { Run } from '../../run/run'
import { contains } from '../../base/rect'
import { breather } from '../../base/breather'
import { fitsOf } from './carry'
import { freePart, pixelCount } from './drawnPixels'
import type { ObjectEdits } from './edits'
import type { Runs } from './pixels'
import { rectOf, refuse, runsOf } from '../outline/objects'

/** What was made of the same found objects, by one step or several on top of each other. By rank. */
export interface MadeGroup {
  /** Found by the program. */
  readonly sources: readonly number[]
  /** There at the end; none where all of it was deleted since. */
  readonly made: readonly number[]
}

/** By ranks: `from` of the run that was corrected, `of` of the other. `parts`: their pixels, as many as `from`. */
export interface Remade {
  readonly of: readonly number[]
  readonly from: readonly number[]
  readonly parts: readonly Runs[]
}
export interface MadeFits {
  readonly remade: readonly Remade[]
  /** What was made is there already: carried before, or found so. */
  readonly already: readonly number[]
  readonly unfit: readonly number[]
  readonly outside: readonly number[]
}

/** Pure; O(what was made). */
export function madeGroups({ deleted, made }: ObjectEdits): MadeGroup[] {
  const all = made.reduce((sum, { objects }) => sum + objects, 0)
  const firstMade = deleted.length - all
  /** Of each found source, and of each made one, the group that it is in: a list that is shared. */
  const groupOf = new Map<number, { sources: Set<number>; made: Set<number> }>()
  const groups = new Set<{ sources: Set<number>; made: Set<number> }>()
  let next = firstMade
  for (const { of, objects } of made) {
    const group = { sources: new Set(of.filter((rank) => rank < firstMade)), made: new Set<number>() }
    for (let i = 0; i < objects; i++) group.made.add(next++)
    for (const earlier of new Set(of.flatMap((rank) => groupOf.get(rank) ?? []))) {
      for (const rank of earlier.sources) group.sources.add(rank)
      for (const rank of earlier.made) group.made.add(rank)
      groups.delete(earlier)
    }
    for (const rank of [...group.sources, ...group.made]) groupOf.set(rank, group)
    groups.add(group)
  }
  const sorted = (ranks: Iterable<number>): number[] => [...ranks].sort((a, b) => a - b)
  return [...groups].map((group) => ({
    sources: sorted(group.sources),
    made: sorted(group.made).filter((rank) => deleted[rank] === 0),
  }))
}

/**
 * What was made fits where every object that it was made of has its like in the other run (an IoU of one half or more), of which a person said
 * nothing there. It keeps its own pixels but for those that are another object's there; of each more than half has to be left in one piece. Where
 * its sources have no like but each made object has, it is there already. `gone`: ranks there that are deleted in the same step, and are in nobody's
 * way. O(what was made, and what lies near).
 */
export async function madeFitsOf(
  from: Run,
  did: ObjectEdits,
  to: Run,
  own: ObjectEdits | undefined,
  gone: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<MadeFits> {
  const groups = madeGroups(did).filter(({ made }) => made.length > 0)
  const { pairs } = await fitsOf(
    from,
    groups.flatMap(({ sources }) => sources).sort((a, b) => a - b),
    to,
    signal,
  )
  const likeOf = new Map(pairs)
  const list = from.objects.all()
  const there = to.objects.all()
  const { ids } = there
  const byHand = new Set(ids.subarray(there.found))
  const goneIds = new Set([...gone].map((rank) => ids[rank]!))
  const near = (object: RunObject): RunObject[] => to.objects.inRect(rectOf([object], 0)).filter(({ id }) => !goneIds.has(id!))
  const { region, within } = to.order
  const isSeen = ({ firstX, firstY, centroidX, centroidY }: RunObject): boolean =>
    contains(region, firstX, firstY) && (within?.(centroidX, centroidY) ?? true)
  const found: { remade: Remade[]; already: number[]; unfit: number[]; outside: number[] } = {
    ...{ remade: [], already: [], unfit: [], outside: [] },
  }
  const breath = breather(signal)
  for (const { sources, made } of groups) {
    await breath()
    const objects = made.map((rank) => list.at(rank))
    if (!objects.every(isSeen)) found.outside.push(...made)
    else if (objects.every((object) => isThere(object, near(object), byHand))) found.already.push(...made)
    else {
      const likes = sources.flatMap((rank) => likeOf.get(rank) ?? [])
      const isFree = likes.length === sources.length && likes.every((rank) => !own || (!own.deleted[rank] && !own.byHand[rank]))
      const parts = isFree ? partsLeft(objects, near, new Set(likes.map((rank) => ids[rank]!))) : null
      if (parts) found.remade.push({ of: likes.sort((a, b) => a - b), from: made, parts })
      // Of an object that was added the program may have found its like here.
      else if ((likes.length < sources.length || sources.length === 0) && objects.every((object) => isLike(object, near(object))))
        found.already.push(...made)
      else found.unfit.push(...made)
    }
  }
  return found
}

/** Does an object that a person made there have half of what they cover together, or any the same pixels? */
const isThere = (object: RunObject, near: readonly RunObject[], byHand: ReadonlySet<number>): boolean =>
  near.some((other) => iou(object, other) >= (byHand.has(other.id!) ? 0.5 : 1))

const isLike = (object: RunObject, near: readonly RunObject[]): boolean => near.some((other) => iou(object, other) >= 0.5)

/** Of the pixels of each what is nobody else's, in one piece; null: of one not more than half is left. */
function partsLeft(
  objects: readonly RunObject[],
  near: (object: RunObject) => RunObject[],
  sources: ReadonlySet<number>,
): Runs[] | null {
  const parts: Runs[] = []
  for (const object of objects) {
    const others = near(object).filter(({ id }) => !sources.has(id!))
    const [runs] = runsOf([object])
    if (others.length === 0) {
      parts.push(runs!)
      continue
    }
    const left = freePart(
      runs!,
      others.map((other) => other.runs),
    )
    if (left === 'large') throw refuse('An object that was made by hand reaches too far to be looked at.')
    if (2 * pixelCount(left) <= pixelCount(runs!)) return null
    parts.push(left)
  }
  return parts
}

/** Intersection over union, in pixels. */
function iou(a: RunObject, b: RunObject): number {
  let both = 0
  for (let p = 0, q = 0; p < a.runs.length && q < b.runs.length;) {
    const [ya, yb] = [a.runs[p]!, b.runs[q]!]
    if (ya === yb) both += Math.max(0, Math.min(a.runs[p + 2]!, b.runs[q + 2]!) - Math.max(a.runs[p + 1]!, b.runs[q + 1]!))
    // Whichever ends first: the other may share pixels with what follows it.
    if (ya < yb || (ya === yb && a.runs[p + 2]! <= b.runs[q + 2]!)) p += 3
    else q += 3
  }
  return both / (pixelCount(a.runs) + pixelCount(b.runs) - both)
}

/** The classes by hand that the made ones have, for the other run's new ones: `first` is the rank of the first of these. */
export function classesOfMade(
  did: ObjectEdits,
  remade: readonly Remade[],
  first: number,
  length: number,
): Map<string, Uint8Array> {
  const classes = new Map<string, Uint8Array>()
  remade
    .flatMap(({ from }) => from)
    .forEach((rank, i) => {
      const byHand = did.byHand[rank]!
      if (byHand === 0) return
      const id = did.ids[byHand - 1]!
      if (!classes.has(id)) classes.set(id, new Uint8Array(length))
      classes.get(id)![first + i] = 1
    })
  return classes
}
