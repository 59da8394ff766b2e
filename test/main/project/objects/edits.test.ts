// What people did to objects, as steps and as bytes: what is made stands behind all that was found, and comes and goes exactly.
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { KeptRun, MadeObjects } from '../../../../app/contract'
import { applyEdit, maskOf, noEdits, rankSetOf } from '../../../../main/project/objects/edits'
import type { ObjectCommand, ObjectEdits } from '../../../../main/project/objects/edits'
import { editBytes, editsFrom } from '../../../../main/project/records/corrections'

const run: KeptRun = { id: 'k0123456789abcdef', slide: '0'.repeat(32), name: 'Run', recipeName: 'R', startedAt: '', objects: 11 }
const made = (objects: number, ...of: number[]): MadeObjects => ({ objects, of, record: 'AAAA' })
const ranks = (n: number, ...set: number[]): string =>
  rankSetOf(Uint8Array.from({ length: n }, (_, i) => Number(set.includes(i))))

it('reads what was written before anything could be made', () => {
  const head = Buffer.from(JSON.stringify({ ids: ['tumour'], rule: null }))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(head.length)
  const [deleted, byHand] = [Buffer.alloc(11), Buffer.alloc(11)]
  deleted[3] = 1
  byHand[10] = 1
  const before = editsFrom(deflateRawSync(Buffer.concat([size, head, deleted, byHand])), run)
  expect(before).toEqual({
    deleted: Uint8Array.from(deleted),
    byHand: Uint8Array.from(byHand),
    ids: ['tumour'],
    rule: null,
    made: [],
  })
  expect(editsFrom(editBytes(before), run)).toEqual(before)
})

it('goes back and forth over a thousand steps, and over bytes at each end', () => {
  const states: ObjectEdits[] = [noEdits(run)]
  const done: { forward: ObjectCommand; inverse: ObjectCommand }[] = []
  const step = (command: ObjectCommand): void => {
    const { edits, forward, inverse } = applyEdit(states.at(-1)!, command, [], false)
    states.push(edits)
    done.push({ forward, inverse })
  }
  for (let i = 0; i < 250; i++) {
    const n = states.at(-1)!.deleted.length
    step({ type: 'objects:make', run: run.id, made: made(1 + (i % 3), n - 1) })
    const now = states.at(-1)!.deleted.length
    step({ type: 'objects:delete', run: run.id, ranks: ranks(now, n - 1) })
    step({ type: 'objects:classify', run: run.id, sets: [{ classId: 'tumour', ranks: ranks(now, now - 1) }] })
    step({ type: 'objects:classify', run: run.id, sets: [{ classId: null, ranks: ranks(now, now - 1) }] })
  }
  const last = states.at(-1)!
  expect(last.deleted).toHaveLength(11 + last.made.reduce((sum, { objects }) => sum + objects, 0))
  expect(editsFrom(editBytes(last), run)).toEqual(last)
  let now = editsFrom(editBytes(last), run)
  for (let i = done.length - 1; i >= 0; i--) {
    now = applyEdit(now, done[i]!.inverse, [], true).edits
    // A class that was given once stays known.
    expect({ ...now, ids: [] }).toEqual({ ...states[i]!, ids: [] })
  }
  for (const [i, { forward }] of done.entries()) {
    now = applyEdit(now, forward, [], true).edits
    expect({ ...now, ids: [] }).toEqual({ ...states[i + 1]!, ids: [] })
  }
})

it('takes back a classification whose sets name an object twice', () => {
  const all = (...classIds: string[]): ObjectCommand => ({
    ...{ type: 'objects:classify', run: run.id },
    sets: classIds.map((classId) => ({ classId, ranks: ranks(11, 4) })),
  })
  const before = applyEdit(noEdits(run), all('other'), [], false).edits
  const { edits, inverse } = applyEdit(before, all('tumour', 'stroma'), [], false)
  const classOf = ({ byHand, ids }: ObjectEdits): string | undefined => ids[byHand[4]! - 1]
  expect(classOf(edits)).toBe('stroma')
  expect(classOf(applyEdit(edits, inverse, [], true).edits)).toBe('other')
})

it('refuses what is made of objects that are not there, and bytes of another length', () => {
  const none = noEdits(run)
  const make = (each: MadeObjects) => () => applyEdit(none, { type: 'objects:make', run: run.id, made: each }, [], false)
  expect(make(made(1, 11))).toThrow(/the rank of one of 11 objects/)
  const { edits } = make(made(2, 3))()
  expect(() => editsFrom(editBytes({ ...edits, made: [made(1, 3)] }), run)).toThrow(/length of 12 objects/)
  expect(() => maskOf(ranks(11), 13 + 8)).toThrow(/bytes of ranks/)
  expect(() => applyEdit(edits, { type: 'objects:unmake', run: run.id }, [], false)).toThrow(/a step of history/)
})
