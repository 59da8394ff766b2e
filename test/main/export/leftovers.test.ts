// Leftovers of exports: this program's own are put right, and a stranger's touch nothing. In full (10,000): test/stress/hostileLeftovers.test.ts.
import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OutputSet } from '../../../main/export/output/outputSet'
import { seed, seeded } from '../../stress/seeded'
import { ownLeftover, trialOf } from './plantedLeftovers'

let base: string
let out: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-leftovers-'))
  out = join(base, 'out')
  await mkdir(out)
})
afterEach(async () => await rm(base, { recursive: true, force: true }))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** As a version without signatures called it, of a process that is not there. */
const leftover = (): string => join(out, `.morphoscope-export-${sha256(hostname()).slice(0, 8)}-4194300-12345-0123456789ab`)
const journalOf = (name: string, text: string): string =>
  JSON.stringify({
    format: 'morphoscope-export-journal',
    version: 1,
    files: [{ name, sha256: sha256(text), bytes: text.length, was: null }],
  })
async function notes(): Promise<readonly string[]> {
  const set = await OutputSet.in(out)
  await set.discard()
  return set.notes
}

it('leaves the slide alone that a planted journal says an export has placed', async () => {
  await writeFile(join(out, 'slide.svs'), 'the slide')
  await mkdir(leftover())
  await writeFile(join(leftover(), 'journal.back'), journalOf('slide.svs', 'the slide'))
  expect(await notes()).toEqual([expect.stringMatching(/looks like a part of an interrupted export.*stays as it is/)])
  expect(await readFile(join(out, 'slide.svs'), 'utf8')).toBe('the slide')
  expect(await readdir(leftover())).toEqual(['journal.back'])
})

it('follows no link of a leftover’s name', async () => {
  await mkdir(join(base, 'elsewhere'))
  await writeFile(join(base, 'elsewhere', 'journal.json'), '{"diary": 1}')
  await symlink(join(base, 'elsewhere'), leftover())
  await notes()
  expect(await readdir(join(base, 'elsewhere'))).toEqual(['journal.json'])
  expect((await lstat(leftover())).isSymbolicLink()).toBe(true)
})

it('takes no ".." for a name', async () => {
  await mkdir(leftover())
  await writeFile(join(leftover(), '...old'), 'a file in place of the folder')
  await writeFile(join(leftover(), 'journal.back'), journalOf('..', ''))
  await notes()
  expect(await readdir(leftover())).toEqual(['...old', 'journal.back'])
})

it('ends what was begun by this user, in its own folder alone', async () => {
  for (let n = 0; n < 20; n++) {
    await ownLeftover(seeded(seed + n), out)
    expect(await notes()).toEqual([])
    expect((await readdir(out)).filter((name) => name.startsWith('.'))).toEqual([])
  }
  const staging = await ownLeftover(() => 0.1, out)
  const other = join(base, 'other')
  await mkdir(other)
  await rename(staging, join(other, staging.slice(out.length + 1)))
  const set = await OutputSet.in(other)
  await set.discard()
  expect(set.notes).toHaveLength(1)
  expect(await readdir(other)).toHaveLength(1)
})

it('touches nothing but its own files, whatever was planted', async () => {
  let refused = 0
  for (let n = 0; n < 40; n++) {
    const place = join(base, String(n))
    await mkdir(place)
    const trial = await trialOf(place, seeded(seed * 1_000_003 + n))
    expect(trial.touched, `variant ${n} of seed ${seed}`).toEqual([])
    if (trial.refused !== null) refused += 1
  }
  // What looks like another machine's living export is waited for, as before.
  expect(refused).toBeLessThan(15)
})
