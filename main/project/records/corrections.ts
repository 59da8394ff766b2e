// What was done by hand to one run's objects, as a row: a head of JSON, and two bytes an object, deflated.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { CorrectionsHead, mostMade, mostRuns } from '../../../app/contract'
import type { KeptRun } from '../../../app/contract'
import { weightOf } from '../../base/jsonWeight'
import { editWeight } from '../objects/edits'
import type { ObjectEdits } from '../objects/edits'
import { checked, mostRecordBytes } from './check'
import type { Kind } from './kind'

/** Of a head: what people make by hand is some 200 bytes an object. */
const maxHeadBytes = 2 ** 26
/** Bytes of all corrections together: two an object, and what was made by hand. */
const mostWeight = 2 ** 28

export interface Corrected {
  readonly run: string
  readonly edits: ObjectEdits
}
const columns = { run: 'text', body: 'blob' } as const

/** `runOf`: the run of an id; it is asked when they are read. */
export const corrections = (runOf: (id: string) => KeptRun | undefined): Kind<Corrected, typeof columns> => ({
  table: 'edits',
  columns,
  key: 'run',
  most: mostRuns,
  mostBytes: mostRecordBytes,
  mostWeight,
  tooHeavy: 'its corrected results have too many objects',
  words: () => 'these corrections',
  row: ({ run, edits }) => ({ run, body: editBytes(edits) }),
  record: ({ run: id, body }) => {
    const run = runOf(id)
    if (!run) throw new Error('are of no run')
    return { run: id, edits: editsFrom(body, run) }
  },
  weight: ({ run }, record) => (record ? editWeight(record.edits) : 2 * (runOf(run)?.objects ?? 0)),
})

/** Throws an Error where it could not be read again. O(objects). */
export function editBytes({ deleted, byHand, ids, rule, made }: ObjectEdits): Buffer {
  const text = JSON.stringify(checked(CorrectionsHead, { ids, rule, made }))
  const head = Buffer.from(text)
  requireHead(head.length, text)
  requireBytes(deleted, byHand, ids)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(head.length)
  const body = deflateRawSync(Buffer.concat([size, head, deleted, byHand]), { level: 1 })
  if (body.length > mostRecordBytes) throw new Error('what was done by hand is too much for one result')
  return body
}

/** Throws an Error that says what is wrong. */
export function editsFrom(bytes: Buffer, { objects }: KeptRun): ObjectEdits {
  const all = inflateRawSync(bytes, { maxOutputLength: 2 * (objects + mostMade) + maxHeadBytes + 4 })
  const size = all.length < 4 ? -1 : all.readUInt32LE(0)
  if (size < 0 || all.length < 4 + size) throw new Error('are incomplete')
  const text = all.subarray(4, 4 + size).toString('utf8')
  requireHead(size, text)
  const { ids, rule, made } = checked(CorrectionsHead, JSON.parse(text))
  let n = objects
  for (const each of made) {
    if (each.of.some((rank) => rank >= n)) throw new Error('has objects that were made of none')
    n += each.objects
  }
  if (n - objects > mostMade) throw new Error(`has more than ${mostMade} objects that were made`)
  if (all.length !== 4 + size + 2 * n) throw new Error(`has not the length of ${n} objects`)
  const deleted = Uint8Array.from(all.subarray(4 + size, 4 + size + n))
  const byHand = Uint8Array.from(all.subarray(4 + size + n))
  requireBytes(deleted, byHand, ids)
  return { deleted, byHand, ids, rule, made }
}

function requireHead(bytes: number, text: string): void {
  if (bytes > maxHeadBytes || weightOf(text) > mostWeight) throw new Error('what was made by hand is too much for one result')
}

function requireBytes(deleted: Uint8Array, byHand: Uint8Array, ids: readonly string[]): void {
  if (deleted.length !== byHand.length) throw new Error('has classes of other objects')
  if (deleted.some((each) => each > 1) || byHand.some((each) => each > ids.length)) throw new Error('has objects of no class')
}
