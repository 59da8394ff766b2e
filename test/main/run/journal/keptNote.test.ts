// What a kept result says of its run is judged before it is written: what could not be read again is refused, and leaves no file.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepRun } from '../../../../main/run/journal/kept'
import type { Keepable } from '../../../../main/run/journal/kept'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'kept-note-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const part = { x: 0, y: 0, width: 1, height: 1, reason: 'a read failed' }
const none = {
  ...{ checkedMegapixels: 0, certainMegapixels: 0, checkedWindows: 0, certainAtOnce: 0, leftUncertain: 0 },
  ...{ grownWindows: 0, grownMegapixels: 0 },
}
const status = {
  ...{ name: 'Run 1', state: 'done', purpose: 'run', tilesDone: 1, cutObjects: 0, unreadableTiles: 0, elapsedMs: 12 },
  ...{ certainty: none, timings: [], warnings: [], error: null },
}
/** How far it comes: whether the head was asked for, which is written next. */
async function kept(other: object, more: Partial<Keepable> = {}): Promise<{ wrote: boolean; error: unknown }> {
  let wrote = false
  const head = (): never => {
    wrote = true
    throw new Error('judged, and to be written')
  }
  const run = { status: { ...status, ...other }, objects: { count: 3 }, unreadable: [], uncertain: [], tiles: [], head, ...more }
  const error = await keepRun(join(dir, 'kept'), run as unknown as Keepable).catch((each: unknown) => each)
  return { wrote, error }
}

it('a note is written where it can be read again, and nothing of one that cannot', async () => {
  expect(await kept({})).toMatchObject({ wrote: true, error: { message: 'judged, and to be written' } })
  const refused = { wrote: false, error: { code: 'INVALID_PARAMETER', message: expect.stringContaining('Run 1') as string } }
  // JSON has no such numbers: they would be read as null.
  for (const number of [Number.NaN, Infinity]) {
    expect(await kept({ elapsedMs: number })).toMatchObject(refused)
    expect(await kept({ cutObjects: number })).toMatchObject(refused)
    expect(await kept({}, { unreadable: [{ ...part, width: number }] })).toMatchObject(refused)
  }
  expect(await kept({ error: { code: 'NO_SUCH_CODE', message: '' } })).toMatchObject(refused)
  expect(await kept({}, { unreadable: Array.from({ length: 1_000_001 }, () => part) })).toMatchObject(refused)
  expect(await readdir(dir)).toEqual([])
})
