// Of which class each object of a run is: by hand before the document's rule, and that before the recipe's.
import { classesOfCuts, intensityClasses, positiveClasses } from '../../../app/contract'
import type { ObjectClass, ObjectRule, RegionClass } from '../../../app/contract'
import { noClass } from '../../../native/index'
import type { RankedMarks } from '../../run/objects/marks'
import { cutsOf, gradeOf, togetherOf } from '../../run/objects/objectClasses'
import { placeOf } from '../../run/point/objectDetails'
import { batchRows } from '../../run/objects/packedObjects'
import type { Run } from '../../run/run'
import { Columns } from '../../table/columns'
import { replacedCount } from './edits'
import type { ObjectEdits } from './edits'

/** Of the classes that a rule parts. */
export function classesBy(run: Run, rule: ObjectRule): readonly ObjectClass[] {
  const cuts = cutsOf(run.draft, rule)
  return cuts ? classesOfCuts(cuts) : []
}

/** null: nothing was done to it. Throws INVALID_PARAMETER where the rule's column is not there. O(objects). */
export function marksOf(run: Run, edits: ObjectEdits | undefined, classes: readonly RegionClass[]): RankedMarks | null {
  if (!edits) return null
  const n = edits.deleted.length
  const own = run.draft.classes
  const ruled = edits.rule ? classesBy(run, edits.rule) : (own?.classes ?? [])
  const named = [...ruled]
  /** Of each class by hand its number in `named`. A class that the document has no more counts as none. */
  const places = edits.ids.map((id) => {
    const known = named.findIndex((each) => each.id === id)
    if (known >= 0) return known
    const found = classes.find((each) => each.id === id)
    const always = [...positiveClasses, ...intensityClasses].find((each) => each.id === id)
    const next = found ? objectClass(found) : always
    return next ? named.push(next) - 1 : -1
  })
  const deleted = edits.deleted.includes(1) ? edits.deleted : null
  const replaced = deleted ? replacedCount(edits) : 0
  if (named.length === 0) return { deleted, replaced, classes: [], always: 0, classAt: null, byHand: 0 }
  const classAt = new Uint8Array(n).fill(noClass)
  let byHand = 0
  if (edits.rule) {
    const columns = new Columns(run.objects.all(), placeOf(run.draft))
    const { column, limits, and = [] } = edits.rule
    const values = columns.values(column)
    const others = and.map((each) => columns.values(each.column))
    const all = [...limits, ...and.map(({ limit }) => limit)]
    for (let rank = 0; rank < n; rank++)
      classAt[rank] =
        others.length === 0
          ? gradeOf(limits, values[rank]!)
          : togetherOf(all, [values[rank]!, ...others.map((each) => each[rank]!)])
  } else if (own) {
    const { batches, ids } = run.objects.all()
    for (let rank = 0; rank < n; rank++) {
      const id = ids[rank]!
      classAt[rank] = gradeOf(own.limits, batches[Math.floor(id / batchRows)]!.value(id % batchRows, own.field))
    }
  }
  if (edits.ids.length > 0)
    for (let rank = 0; rank < n; rank++) {
      const place = edits.byHand[rank] === 0 ? -1 : places[edits.byHand[rank]! - 1]!
      if (place < 0) continue
      classAt[rank] = place
      if (edits.deleted[rank] !== 1) byHand += 1
    }
  return { deleted, replaced, classes: named, always: ruled.length, classAt, byHand }
}

/** A class of the document's, as objects have them. */
export function objectClass({ id, name, color }: RegionClass): ObjectClass {
  const number = Number.parseInt(color.slice(1), 16)
  return { id, label: name, color: [number >> 16, (number >> 8) & 255, number & 255] }
}
