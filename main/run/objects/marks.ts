// What was done to a run's objects after it had found them: which are deleted, and of which class each is.
import type { ObjectClass } from '../../../app/contract'
import { noClass } from '../../../native/index'
import { classOf, gradeOf } from './objectClasses'
import type { Classes } from './objectClasses'
import type { ObjectList } from './objectList'
import { batchRows } from './packedObjects'
import type { RunObject } from './runObject'

/** By rank: an object's place in raster order of first pixels, from 0, whatever was deleted; made ones behind those. */
export interface RankedMarks {
  /** 1: deleted; null: none is. */
  readonly deleted: Uint8Array | null
  /** How many of the deleted went because others were made of them. */
  readonly replaced: number
  readonly classes: readonly ObjectClass[]
  /** So many of them, the first, are told of also where no object has them: those of the rule. */
  readonly always: number
  /** Numbers of `classes`, or `noClass`; null: the run's objects have no classes. */
  readonly classAt: Uint8Array | null
  /** How many that are not deleted have their class by hand. */
  readonly byHand: number
}

/** The same by id: an object's place in the order in which the run's store got them. */
export interface Marks extends RankedMarks {
  readonly deletedCount: number
  /** Of each class, those that are not deleted; as `classes`. */
  readonly counts: readonly number[]
}

/** `ids`: of each rank, all below `end`. O(objects). */
export function marksById(
  { deleted, replaced, classes, always, classAt, byHand }: RankedMarks,
  ids: Uint32Array,
  end: number,
): Marks {
  const counts = classes.map(() => 0)
  let deletedCount = 0
  const hidden = deleted && new Uint8Array(end)
  const own = classAt && new Uint8Array(end)
  for (let rank = 0; rank < ids.length; rank++) {
    const id = ids[rank]!
    const isDeleted = deleted?.[rank] === 1
    if (isDeleted) {
      hidden![id] = 1
      deletedCount += 1
    }
    if (!own) continue
    const at = classAt[rank]!
    own[id] = at
    if (!isDeleted && at !== noClass) counts[at]! += 1
  }
  return { deleted: hidden, replaced, classes, always, classAt: own, byHand, deletedCount, counts }
}

/** null: it has none. `rule`: the recipe's, which holds where nothing else was said. */
export function classIn(rule: Classes | null, marks: Marks | null, object: RunObject): ObjectClass | null {
  if (marks?.classAt && object.id !== undefined) return marks.classes[marks.classAt[object.id]!] ?? null
  return rule && classOf(rule, object)
}

/** Objects that are read with their marks. */
interface Marked {
  readonly marks: Marks | null
  readonly endOfIds: number
  all(): Pick<ObjectList, 'batches' | 'ids'>
}

/**
 * A run's marks as its files take them: writers part two classes by themselves, and are told of more. `own`: its recipe's rule. O(objects) where
 * that has more than one cut-off.
 */
export function gradedMarks(objects: Marked, own: Classes | null): Marks | null {
  const { marks, endOfIds } = objects
  if (!own || own.limits.length === 1 || marks?.classAt) return marks
  const { batches, ids } = objects.all()
  const classAt = Uint8Array.from(ids, (id) =>
    gradeOf(own.limits, batches[Math.floor(id / batchRows)]!.value(id % batchRows, own.field)),
  )
  const ranked = { deleted: null, replaced: 0, classes: own.classes, always: own.classes.length, classAt, byHand: 0 }
  return marksById(ranked, ids, endOfIds)
}
