// What a person did to one run's objects, for another run of the slide: which objects are the same, by place and overlap, and what becomes of them.
import { mostUnfitPlaces } from '../../../app/contract'
import type { CarriedCorrections, Region } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { contains } from '../../base/rect'
import { matchingOf } from '../../compare/matching'
import { overlapOf } from '../../compare/overlap'
import type { Outlines } from '../../compare/overlap'
import type { ObjectList } from '../../run/objects/objectList'
import { batchRows } from '../../run/objects/packedObjects'
import { regionOnSlide } from '../../run/plan/plan'
import type { Run } from '../../run/run'
import type { ObjectEdits } from './edits'

/** By ranks. Each that was corrected is in one of them. */
export interface Fits {
  readonly pairs: readonly (readonly [from: number, to: number])[]
  readonly unfit: readonly number[]
  /** Where the other run did not look. */
  readonly outside: number
}

/** What is to become of the objects of the other run, by rank; counts as the contract has them. */
export interface Carried {
  readonly deleted: Uint8Array
  /** By class. */
  readonly classified: ReadonlyMap<string, Uint8Array>
  readonly counts: Pick<CarriedCorrections, 'deleted' | 'classified' | 'already' | 'otherwise'>
}

/** Throws INVALID_PARAMETER where objects of the two runs share no pixels that could be counted. */
export function requireSameGrid(from: Run, to: Run): void {
  const refuse = (why: string) => new EngineError('INVALID_PARAMETER', why)
  if (from === to) throw refuse('The corrections are this run’s own: choose another.')
  for (const run of [from, to])
    // A cancelled one has its corrections too, which go over to the run that went on from it.
    if (!['done', 'cancelled'].includes(run.status().state))
      throw refuse(`Corrections go from one run that has ended to another, and ${run.status().name} has not.`)
  if (from.draft.slide.info.slideId !== to.draft.slide.info.slideId) throw refuse('The two runs are of different slides.')
  if (from.draft.grid.scale !== to.draft.grid.scale)
    throw refuse(
      'The two runs looked at the slide at different resolutions, so no object of one can be told to be one of the other.',
    )
}

/** Of those that were found, the ones of which a person said something: not those that others were made of. O(objects). */
export function correctedRanks({ deleted, byHand, made }: ObjectEdits): number[] {
  const found = deleted.length - made.reduce((sum, { objects }) => sum + objects, 0)
  const sources = new Set(made.flatMap(({ of }) => of))
  const ranks: number[] = []
  for (let rank = 0; rank < found; rank++) if ((deleted[rank] === 1 || byHand[rank] !== 0) && !sources.has(rank)) ranks.push(rank)
  return ranks
}

/** Those that were made by hand and are there. */
export function madeRanks({ deleted, made }: ObjectEdits): number[] {
  const ranks: number[] = []
  const found = deleted.length - made.reduce((sum, { objects }) => sum + objects, 0)
  for (let rank = found; rank < deleted.length; rank++) if (deleted[rank] === 0) ranks.push(rank)
  return ranks
}

/**
 * The same are those with an IoU of one half or more, of which there is one at most, as objects of a run share no px: what was split, swallowed
 * or lost does not fit. What is deleted of either run counts as any. O(objects, and the outlines of those near corrected ones).
 */
export async function fitsOf(from: Run, ranks: readonly number[], to: Run, signal: AbortSignal): Promise<Fits> {
  const old = from.objects.all()
  const { region, within } = to.order
  const seen = ranks.filter((rank) => {
    const { firstX, firstY, centroidX, centroidY } = old.at(rank)
    return contains(region, firstX, firstY) && (within?.(centroidX, centroidY) ?? true)
  })
  const all = to.objects.all()
  const near = nearby(old, seen, all)
  const { pairs } = matchingOf(await overlapOf(outlinesOf(old, seen), outlinesOf(all, near), signal))
  const fitting = pairs.map(({ a, b }) => [seen[a]!, near[b]!] as const).sort((p, q) => p[0] - q[0])
  const fit = new Set(fitting.map(([rank]) => rank))
  return { pairs: fitting, unfit: seen.filter((rank) => !fit.has(rank)), outside: ranks.length - seen.length }
}

const outlinesOf = (list: ObjectList, ranks: readonly number[]): Outlines => ({
  count: ranks.length,
  top: (index) => list.at(ranks[index]!).firstY,
  runs: (index) => list.at(ranks[index]!).runs,
})

/** Px of a cell by which far objects are told apart without their outlines. */
const cellPx = 128

/** Of `all` those whose boxes touch a cell that one of the ranks' boxes touches. */
function nearby(old: ObjectList, ranks: readonly number[], all: ObjectList): number[] {
  const cells = new Set<number>()
  const eachCell = (list: ObjectList, rank: number, visit: (cell: number) => boolean | void): boolean => {
    const id = list.ids[rank]!
    const batch = list.batches[Math.floor(id / batchRows)]!
    const at = (field: 'minX' | 'minY' | 'maxX' | 'maxY'): number => Math.floor(batch.value(id % batchRows, field) / cellPx)
    const [x0, y0, x1, y1] = [at('minX'), at('minY'), at('maxX'), at('maxY')]
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) if (visit(y * 2 ** 26 + x)) return true
    return false
  }
  for (const rank of ranks) eachCell(old, rank, (cell) => void cells.add(cell))
  const found: number[] = []
  for (let rank = 0; rank < all.found; rank++) if (eachCell(all, rank, (cell) => cells.has(cell))) found.push(rank)
  return found
}

/** What a person said of an object of the other run already stays as it is. `objects`: how many that run has. Pure. */
export function carriedTo(pairs: Fits['pairs'], did: ObjectEdits, own: ObjectEdits | undefined, objects: number): Carried {
  const deleted = new Uint8Array(objects)
  const classified = new Map<string, Uint8Array>()
  const counts = { deleted: 0, classified: 0, already: 0, otherwise: 0 }
  for (const [from, to] of pairs) {
    const classId = did.byHand[from] === 0 ? null : did.ids[did.byHand[from]! - 1]!
    const ownClass = own && own.byHand[to] !== 0 ? own.ids[own.byHand[to]! - 1]! : null
    const isNew = classId !== null && ownClass === null
    if (isNew) {
      if (!classified.has(classId)) classified.set(classId, new Uint8Array(objects))
      classified.get(classId)![to] = 1
    }
    if (did.deleted[from] === 1) {
      if (own?.deleted[to] === 1) counts.already += 1
      else {
        deleted[to] = 1
        counts.deleted += 1
      }
    } else if (isNew) counts.classified += 1
    else if (ownClass === classId) counts.already += 1
    else counts.otherwise += 1
  }
  return { deleted, classified, counts }
}

/** Where they lie, the first of them. */
export function placesOfUnfit(from: Run, unfit: readonly number[], did: ObjectEdits): CarriedCorrections['places'] {
  const list = from.objects.all()
  return unfit.slice(0, mostUnfitPlaces).map((rank) => {
    const { minX, minY, maxX, maxY } = list.at(rank)
    const box = { x: minX, y: minY, width: maxX - minX + 1, height: maxY - minY + 1 }
    const region: Region = regionOnSlide(from.draft.grid, box)
    const classId = did.deleted[rank] === 1 ? null : (did.ids[did.byHand[rank]! - 1] ?? null)
    return { ...region, classId, ...(rank >= list.found && { made: true }) }
  })
}
