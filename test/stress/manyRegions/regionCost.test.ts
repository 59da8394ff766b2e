// What 100,000 regions cost the engine: their import by the real door, one edit of them, what it tells, and how long the thread is taken at once. By hand:
//   REGIONS=100000 OBJECTS=1000000 npx vitest run --config test/stress/vitest.config.ts regionCost
// OBJECTS: beside so many objects of a run, on a slide that is made for it; MADE=FOLDER: that has been made there. RUNTIME=FILE: Electron's program, in place
// of Node. TURNS=3: as often; the least of each counts. PROFILE=1: also what the longest turns of the loop were spent on.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { builtScript } from '../../built'
import { makesMany } from '../../e2e/makesMany'
import { assetsDir } from '../../main/realEngine'

const count = Number(process.env['REGIONS'] ?? 100_000)
const objects = Number(process.env['OBJECTS'] ?? 0)
const turns = Number(process.env['TURNS'] ?? 1)
const runtime = process.env['RUNTIME'] ?? process.execPath
/** Issue 39: the engine's thread is taken no longer at once, ms. */
const aimMs = 20

interface Figures {
  readonly ms: number
  readonly longest: number
  readonly longestCpu: number
  readonly gcOfIt: number
  readonly turns: number
  readonly told: number
}

async function measured(script: string): Promise<Record<string, Figures>> {
  const folder = await mkdtemp(join(tmpdir(), 'regions-'))
  try {
    if (objects > 0) await makesMany(folder, objects)
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
    const args = [script, folder, String(count), String(objects), assetsDir]
    const { stdout, stderr } = await promisify(execFile)(runtime, args, { env, maxBuffer: 2 ** 24 })
    if (stderr !== '') console.log(stderr)
    return JSON.parse(stdout) as Record<string, Figures>
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

it('regions', { timeout: 3_600_000 }, async () => {
  const script = await builtScript('test/stress/manyRegions/engineTurns.ts')
  const all: Record<string, Figures>[] = []
  try {
    for (let turn = 0; turn < turns; turn++) all.push(await measured(script))
  } finally {
    await rm(script, { force: true })
  }
  const names = Object.keys(all[0]!)
  expect(names).toContain('stroke')
  const least = (name: string, key: keyof Figures): number => Math.min(...all.map((each) => each[name]![key]))
  console.log(
    `${count} regions, ${objects} objects, ${turns} turns: ms, the least of the turns. "thread": of this thread's own time`,
  )
  console.table(
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          'in all': least(name, 'ms'),
          longest: least(name, 'longest'),
          'longest, thread': least(name, 'longestCpu'),
          'of it garbage': least(name, 'gcOfIt'),
          'over 15 ms': least(name, 'turns'),
          aim: aimMs,
          told: least(name, 'told'),
        },
      ]),
    ),
  )
})
