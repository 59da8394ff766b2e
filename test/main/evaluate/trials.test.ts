// A file of trials: gone on with after a cut, and never taken for another search's.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TrialFile } from '../../../main/evaluate/trials'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-trials-test-'))
  path = join(folder, 'best.trials.jsonl')
})
afterEach(async () => await rm(folder, { recursive: true }))

const head = { format: 'morphoscope-trials', version: 1, recipe: 'he-nuclei', images: { one: ['aa', 'bb'] } }
const scores = (aji: number) => ({ one: { dice: 0.8, aji, pq: 0.5, f1: 0.7 } })

it('keeps what was tried over a cut in the middle of a line', async () => {
  const first = await TrialFile.open(path, head)
  await first.add({ params: { 'split.depth': 1, 'channel.image': 'red' }, scores: scores(0.5) })
  await first.add({ params: { 'split.depth': 2, 'channel.image': 'red' }, scores: scores(0.6) })
  await first.close()
  await appendFile(path, '{"params":{"split.depth":3},"sco')
  const second = await TrialFile.open(path, head)
  expect(second.size).toBe(2)
  // The order of names is not a value's.
  expect(second.find({ 'channel.image': 'red', 'split.depth': 2 })?.scores.one?.aji).toBe(0.6)
  expect(second.find({ 'split.depth': 3 })).toBeUndefined()
  await second.add({ params: { 'split.depth': 3 }, scores: scores(0.7) })
  await second.close()
  expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(4)
  const third = await TrialFile.open(path, head)
  expect([third.size, third.find({ 'split.depth': 3 })?.scores.one?.aji]).toEqual([3, 0.7])
  await third.close()
})

it('begins anew where even the first line was cut', async () => {
  await writeFile(path, JSON.stringify(head).slice(0, 20))
  const file = await TrialFile.open(path, head)
  await file.add({ params: {}, scores: scores(0.1) })
  await file.close()
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  expect([lines.length, JSON.parse(lines[0]!)]).toEqual([2, head])
})

it('refuses, and leaves alone, what is another search, no search, or damaged', async () => {
  const refused = async (text: string, why: RegExp) => {
    await writeFile(path, text)
    await expect(TrialFile.open(path, head)).rejects.toMatchObject({
      code: 'OUTPUT_EXISTS',
      message: expect.stringMatching(why) as string,
    })
    expect(await readFile(path, 'utf8')).toBe(text)
  }
  await refused(`${JSON.stringify({ ...head, recipe: 'iwpp-nuclei', images: {} })}\n`, /another search \(other recipe, images\)/)
  await refused('a letter to a friend\n', /holds no trials/)
  await refused(`${JSON.stringify(head)}\n{"params":{},"scores":{"one":{"dice":7}}}\n`, /expected a trial in line 2/)
  await refused(`${JSON.stringify(head)}\n__proto__\n`, /expected a trial in line 2/)
  await expect(TrialFile.open(join(folder, 'nowhere', 'x'), head)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
})
