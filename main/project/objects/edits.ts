// What was done to the objects of kept runs: deletions, classes by hand, rules. Commands on them, and their inverses. Pure.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { intensityClasses, mostHandClasses, mostMade, positiveClasses, noun } from '../../../app/contract'
import type { KeptRun, MadeObjects, ObjectRule, RegionClass, SingleCommand } from '../../../app/contract'
import { EngineError, invalid } from '../../base/errors'

/**
 * Of one run, by rank: an object's place in raster order of first pixels, whatever was deleted; those that were made stand behind all that were
 * found. Never changed: a step makes another.
 */
export interface ObjectEdits {
  /** A 1 for each that is deleted. */
  readonly deleted: Uint8Array
  /** Of each the number of its class by hand, from 1, in `ids`; 0: as the rule has it. */
  readonly byHand: Uint8Array
  readonly ids: readonly string[]
  /** null: as the recipe has it. */
  readonly rule: ObjectRule | null
  /** In the order in which they were made: history takes back only the last. */
  readonly made: readonly MadeObjects[]
}

export type ObjectCommand = Extract<SingleCommand, { type: `objects:${string}` }>

export interface AppliedEdit {
  readonly edits: ObjectEdits
  readonly forward: ObjectCommand
  readonly inverse: ObjectCommand
  readonly name: string
}

export const noEdits = ({ objects }: Pick<KeptRun, 'objects'>): ObjectEdits => ({
  deleted: new Uint8Array(objects),
  byHand: new Uint8Array(objects),
  ids: [],
  rule: null,
  made: [],
})

/** How many were made, deleted since or not. */
export const madeCount = ({ made }: ObjectEdits): number => made.reduce((sum, { objects }) => sum + objects, 0)

/** How many are deleted because others were made of them, found or made. */
export const replacedCount = ({ made, deleted }: ObjectEdits): number =>
  [...new Set(made.flatMap(({ of }) => of))].filter((rank) => deleted[rank] === 1).length

/** Deflated bits, as base64. O(objects). */
export function rankSetOf(mask: Uint8Array): string {
  const bits = new Uint8Array(Math.ceil(mask.length / 8))
  for (let rank = 0; rank < mask.length; rank++) if (mask[rank]) bits[rank >> 3]! |= 1 << (rank & 7)
  return deflateRawSync(bits, { level: 1 }).toString('base64')
}

/** A 1 for each of `objects`. Throws INVALID_PARAMETER where it is no such set. */
export function maskOf(set: string, objects: number): Uint8Array {
  const bytes = Math.ceil(objects / 8)
  let bits: Buffer
  try {
    bits = inflateRawSync(Buffer.from(set, 'base64'), { maxOutputLength: Math.max(1, bytes) })
  } catch {
    throw invalid('a set of ranks', 'ranks', set.slice(0, 40))
  }
  if (bits.length !== bytes) throw invalid(`${bytes} bytes of ranks`, 'ranks', `${bits.length} bytes`)
  const mask = new Uint8Array(objects)
  for (let rank = 0; rank < objects; rank++) mask[rank] = (bits[rank >> 3]! >> (rank & 7)) & 1
  return mask
}

function countOf(mask: Uint8Array): number {
  let n = 0
  for (const each of mask) n += each
  return n
}

const objectsText = (n: number): string => (n === 1 ? 'an object' : `${n.toLocaleString('en')} ${noun(n, 'object')}`)

/** `asIs`: a step of history, done again or taken back. Throws INVALID_PARAMETER. O(objects). */
export function applyEdit(
  edits: ObjectEdits,
  command: ObjectCommand,
  classes: readonly RegionClass[],
  asIs: boolean,
): AppliedEdit {
  const n = edits.deleted.length
  switch (command.type) {
    case 'objects:delete':
    case 'objects:restore': {
      const to = command.type === 'objects:delete' ? 1 : 0
      const mask = maskOf(command.ranks, n)
      const deleted = edits.deleted.slice()
      for (let rank = 0; rank < n; rank++) {
        if (!mask[rank]) continue
        // Those that are so already are no part of the step.
        if (deleted[rank] === to) mask[rank] = 0
        else deleted[rank] = to
      }
      const changed = countOf(mask)
      if (changed === 0 && !asIs)
        throw new EngineError('INVALID_PARAMETER', `There is no object to ${to ? 'delete' : 'restore'}.`)
      const ranks = rankSetOf(mask)
      const [deletes, restores] = [
        { type: 'objects:delete', run: command.run, ranks } as const,
        { type: 'objects:restore', run: command.run, ranks } as const,
      ]
      return {
        edits: { ...edits, deleted },
        forward: to ? deletes : restores,
        inverse: to ? restores : deletes,
        name: `${to ? 'Delete' : 'Restore'} ${objectsText(changed)}`,
      }
    }
    case 'objects:classify':
      return classify(edits, command, classes, asIs)
    case 'objects:make':
      return make(edits, command)
    case 'objects:unmake':
      return unmake(edits, command, asIs)
    case 'objects:rule': {
      const { run, rule } = command
      return {
        edits: { ...edits, rule },
        forward: { type: 'objects:rule', run, rule },
        inverse: { type: 'objects:rule', run, rule: edits.rule },
        name:
          rule === null
            ? 'Classify as the recipe has it'
            : `Classify by ${rule.and ? `limits on ${rule.and.length + 1} measurements` : rule.limits.length === 1 ? 'a limit' : 'three limits'}`,
      }
    }
  }
}

function classify(
  edits: ObjectEdits,
  { run, sets }: Extract<ObjectCommand, { type: 'objects:classify' }>,
  classes: readonly RegionClass[],
  asIs: boolean,
): AppliedEdit {
  const n = edits.deleted.length
  const ids = [...edits.ids]
  const byHand = edits.byHand.slice()
  /** Of each earlier class those that have another now. */
  const before = new Map<number, Uint8Array>()
  const forward: { classId: string | null; ranks: string }[] = []
  let changed = 0
  for (const { classId, ranks } of sets) {
    let to = classId === null ? 0 : ids.indexOf(classId) + 1
    if (classId !== null && to === 0) {
      if (ids.length >= mostHandClasses)
        throw new EngineError('INVALID_PARAMETER', `A run's objects can be of ${mostHandClasses} classes.`)
      to = ids.push(classId)
    }
    const mask = maskOf(ranks, n)
    for (let rank = 0; rank < n; rank++) {
      if (!mask[rank]) continue
      const was = byHand[rank]!
      if (was === to) {
        mask[rank] = 0
        continue
      }
      byHand[rank] = to
      changed += 1
      // What it was before the step, also where an earlier set of it has changed it.
      const first = edits.byHand[rank]!
      let set = before.get(first)
      if (!set) before.set(first, (set = new Uint8Array(n)))
      set[rank] = 1
    }
    forward.push({ classId, ranks: rankSetOf(mask) })
  }
  if (changed === 0 && !asIs) throw new EngineError('INVALID_PARAMETER', 'They are of that class already.')
  const inverse = [...before].map(([was, mask]) => ({ classId: was === 0 ? null : ids[was - 1]!, ranks: rankSetOf(mask) }))
  const [first] = sets
  // The document's own, or one that rules give.
  const known =
    classes.find(({ id }) => id === first?.classId)?.name ??
    [...positiveClasses, ...intensityClasses].find(({ id }) => id === first?.classId)?.label ??
    (first?.classId?.startsWith('together-') ? 'what the limits tell' : first?.classId)
  return {
    edits: { ...edits, byHand, ids },
    forward: { type: 'objects:classify', run, sets: forward },
    inverse: { type: 'objects:classify', run, sets: inverse.length > 0 ? inverse : forward },
    name:
      first?.classId == null ? `Take ${objectsText(changed)} out of their class` : `Classify ${objectsText(changed)} as ${known}`,
  }
}

function make(edits: ObjectEdits, command: Extract<ObjectCommand, { type: 'objects:make' }>): AppliedEdit {
  const { run, made } = command
  const n = edits.deleted.length
  if (madeCount(edits) + made.objects > mostMade)
    throw new EngineError('INVALID_PARAMETER', `Of one result ${mostMade.toLocaleString('en')} objects can be made by hand.`)
  const stranger = made.of.find((rank) => rank >= n)
  if (stranger !== undefined) throw invalid(`the rank of one of ${n} objects`, 'made.of', stranger)
  return {
    edits: {
      ...edits,
      deleted: lengthened(edits.deleted, n + made.objects),
      byHand: lengthened(edits.byHand, n + made.objects),
      made: [...edits.made, made],
    },
    forward: command,
    inverse: { type: 'objects:unmake', run },
    name: `Make ${objectsText(made.objects)}`,
  }
}

function unmake(edits: ObjectEdits, command: Extract<ObjectCommand, { type: 'objects:unmake' }>, asIs: boolean): AppliedEdit {
  const made = edits.made.at(-1)
  if (!asIs || !made) throw invalid('a step of history', 'type', command.type)
  const n = edits.deleted.length - made.objects
  return {
    edits: { ...edits, deleted: edits.deleted.slice(0, n), byHand: edits.byHand.slice(0, n), made: edits.made.slice(0, -1) },
    forward: command,
    inverse: { type: 'objects:make', run: command.run, made },
    name: `Take back ${objectsText(made.objects)}`,
  }
}

function lengthened(from: Uint8Array, length: number): Uint8Array {
  const to = new Uint8Array(length)
  to.set(from)
  return to
}

/** Bytes that it takes in memory. */
export const editWeight = ({ deleted, made }: ObjectEdits): number =>
  made.reduce((sum, { of, record }) => sum + record.length + 8 * of.length, 2 * deleted.length)
