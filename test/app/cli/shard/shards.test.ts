// A slide's run in shards: the files of the whole run to the byte, whatever the number of shards, their order and what ends them; and what is refused.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { writeTissueSlide } from '../../../main/run/hugeSlide'
import { noLimit, seeded } from '../../../stress/seeded'
import { cli } from '../inProcess'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
/** In full (every recipe in 1, 3, 7 and 16 shards of the whole slide): MORPHOSCOPE_STRESS=1 npx vitest run test/app/cli/shard/shards.test.ts */
const full = process.env['MORPHOSCOPE_STRESS'] === '1'
if (full) vi.setConfig({ testTimeout: noLimit })
const files = ['objects.csv', 'objects.geojson', 'labels.ome.tif']
const recipes = readdirSync(join(root, 'assets/recipes')).flatMap((name) => (name.endsWith('.json') ? name.slice(0, -5) : []))

let base: string
let slide: string
const folder = (): Promise<string> => mkdtemp(join(base, 'out-'))
async function hashOf(at: string): Promise<string> {
  const sum = createHash('sha256')
  for (const name of files) sum.update(await readFile(join(at, name)))
  return sum.digest('hex')
}
async function ok(...args: string[]): Promise<{ out: string; err: string }> {
  const { code, out, err } = await cli(...args)
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return { out, err }
}
const written = ['--files', [...files, 'run.json'].join(',')]
/** Of one run on one machine. */
async function wholeRun(at: string, ...asked: string[]): Promise<string> {
  const out = await folder()
  await ok('run', at, '--out', out, ...asked, ...written)
  return hashOf(out)
}
async function merged(...folders: string[]): Promise<string> {
  const out = await folder()
  await ok('merge', ...folders, '--out', out, ...written)
  return hashOf(out)
}
function shuffled(of: number, random: () => number): number[] {
  const order = Array.from({ length: of }, (_, k) => k + 1)
  for (let k = of - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    ;[order[k], order[other]] = [order[other]!, order[k]!]
  }
  return order
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-shards-'))
  slide = join(base, 'slide.tif')
  await writeTissueSlide(slide, 3072, 2560)
})
afterAll(() => rm(base, { recursive: true, force: true }))

describe('shards of a run', () => {
  const inFull = full ? recipes : ['he-nuclei', 'iwpp-nuclei']
  // The two take long wherever they run, and what shards do with them is the same.
  const quick = recipes.filter((recipe) => recipe !== 'ihc-nuclei' && recipe !== 'fluorescence-nuclei')
  it.each(full ? recipes : quick)(
    'of %s are the whole run to the byte, in any number and order, prepared or not',
    async (recipe) => {
      const random = seeded(7)
      const how = ['--recipe', recipe, ...(inFull.includes(recipe) ? [] : ['--region', '900,900,250,250'])]
      const one = await wholeRun(sample, ...how)
      for (const of of full ? [1, 3, 7, 16] : inFull.includes(recipe) ? [1, 3] : [3]) {
        const at = await folder()
        const isPrepared = of !== 3 || recipe === 'cell-detection'
        const asked = isPrepared ? [] : how
        if (isPrepared) await ok('prepare', sample, ...how, '--out', at)
        for (const shard of shuffled(of, random)) {
          const threads = String(1 + Math.floor(random() * 3))
          await ok('run', sample, '--shard', `${shard}/${of}`, '--out', at, '--threads', threads, ...asked)
        }
        expect(await merged(at)).toBe(one)
      }
    },
  )

  it('of a region, in two folders and from the slide’s other place, are that run’s', async () => {
    const asked = ['--region', '300,500,1500,1900', '--mpp', '0.5']
    const one = await wholeRun(slide, ...asked)
    const [here, there] = [await folder(), await folder()]
    for (const shard of [1, 2, 3, 4, 5, 6, 7])
      await ok('run', slide, '--shard', `${shard}/7`, '--out', shard % 2 ? here : there, ...asked)
    expect(await merged(here, there)).toBe(one)
    const moved = join(await folder(), 'slide.tif')
    await copyFile(slide, moved)
    const out = await folder()
    await ok('merge', here, there, '--slide', moved, '--out', out, ...written)
    expect(await hashOf(out)).toBe(one)
  })

  it('that are there are not computed again, and say who computed them in run.json', async () => {
    const at = await folder()
    await ok('prepare', slide, '--mpp', '0.5', '--out', at)
    await ok('run', '--shard', '1/2', '--out', at)
    const file = join(at, 'shard-00001-of-00002', 'shard.run')
    const before = (await stat(file)).mtimeMs
    expect((await ok('run', '--shard', '1/2', '--out', at)).err).toContain('shard 1 of 2 is there already')
    expect((await stat(file)).mtimeMs).toBe(before)
    await ok('run', '--shard', '2/2', '--out', at)
    const { out } = await ok('merge', at, ...written)
    expect(out).toContain(join(at, 'objects.csv'))
    const record = JSON.parse(await readFile(join(at, 'run.json'), 'utf8')) as {
      counts: { objects: number; tiles: number; tilesDone: number }
      shards: { shard: number; of: number; node: string; tiles: number; objects: number; device: string; cpuMs: number }[]
      timeline: { lanes: { device: string }[]; lane: number[]; tiles: number[]; from: number[]; to: number[] }
    }
    expect(record.shards.map(({ shard, of }) => [shard, of])).toEqual([
      [1, 2],
      [2, 2],
    ])
    expect(record.shards.every(({ node, device, cpuMs }) => node !== '' && device === 'cpu' && cpuMs > 0)).toBe(true)
    expect(record.shards.reduce((sum, { objects }) => sum + objects, 0)).toBe(record.counts.objects)
    expect(record.shards.reduce((sum, { tiles }) => sum + tiles, 0)).toBe(record.counts.tiles)
    expect(record.counts.tilesDone).toBe(record.counts.tiles)
    const { lanes, lane, tiles, from, to } = record.timeline
    expect(lanes).toEqual([{ device: `${hostname()} cpu` }])
    expect([lane, tiles.reduce((sum, count) => sum + count, 0)]).toEqual([[0, 0], record.counts.tiles])
    expect(from[0]).toBe(0)
    expect(from[1]).toBeGreaterThanOrEqual(to[0]!)
  })

  it('are classed, hold the hot spot and are deidentified as one run is', async () => {
    const [at, one, out] = [await folder(), await folder(), await folder()]
    const named = 'objects.csv,run.json'
    const map = ['--density-map', '100']
    await ok('run', sample, '--out', one, '--files', named, '--class-by', 'Hematoxylin mean > 0.5', '--deidentify', ...map)
    await ok('run', sample, '--shard', '1/1', '--out', at, '--deidentify')
    const nameless = await cli('merge', at, '--out', out)
    expect([nameless.code, nameless.err]).toEqual([ExitCode.usage, expect.stringContaining('name it with --slide')])
    const how = ['--class-by', 'Hematoxylin mean > 0.5', '--deidentify', '--files', named, ...map]
    await ok('merge', at, '--slide', sample, '--out', out, ...how)
    for (const name of ['objects.csv', 'density.ome.tif'])
      expect((await readFile(join(out, name))).equals(await readFile(join(one, name)))).toBe(true)
    for (const name of ['run.json', '../' + at.split('/').at(-1) + '/shard-00001-of-00001/shard.run'])
      expect((await readFile(join(out, name), 'latin1')).includes('CMU-1')).toBe(false)
  })

  describe.skipIf(!existsSync(program))('that are killed', () => {
    const start = (...args: string[]) => spawn(process.execPath, [program, 'run', ...args], { stdio: 'ignore' })

    it('go on where they were, and are the whole run in the end', async () => {
      const one = await wholeRun(slide, '--mpp', '0.5')
      const random = seeded(3)
      const at = await folder()
      await ok('prepare', slide, '--mpp', '0.5', '--out', at)
      let resumed = 0
      for (const shard of [2, 1]) {
        const own = join(at, `shard-0000${shard}-of-00002`)
        const child = start('--shard', `${shard}/2`, '--out', at, '--threads', '1')
        const journal = async (): Promise<number> => {
          const [name] = (await readdir(own).catch(() => [])).filter((each) => each.endsWith('.journal'))
          return name === undefined ? 0 : (await stat(join(own, name))).size
        }
        await vi.waitFor(async () => expect(await journal()).toBeGreaterThan(20_000 * (1 + random())), {
          interval: 5,
          timeout: 20_000,
        })
        child.kill('SIGKILL')
        await new Promise((resolve) => child.on('close', resolve))
        // The state of one that was killed says nothing for long.
        expect((await ok('status', at, '--json')).out).toContain('"state": "running"')
        const { err } = await ok('run', '--shard', `${shard}/2`, '--out', at)
        if (err.includes('resuming: ')) resumed += 1
        expect((await readdir(own)).sort()).toEqual(['shard.run', 'state-shard.json'])
      }
      expect(resumed).toBe(2)
      expect(await merged(at)).toBe(one)
    })
  })
})

describe('what is no shard of this run', () => {
  const fails = async (code: number, words: RegExp, ...args: string[]): Promise<void> => {
    const end = await cli(...args)
    expect([end.code, end.err]).toEqual([code, expect.stringMatching(words)])
  }

  it('is refused in words: missing ones, one twice, another division, recipe, slide, version, torn ones', async () => {
    const [at, other, out] = [await folder(), await folder(), await folder()]
    const how = ['--mpp', '0.5']
    for (const shard of [1, 2, 3, 5]) await ok('run', slide, '--shard', `${shard}/8`, '--out', at, ...how)
    await fails(ExitCode.usage, /Shards 4, 6 to 8 are of 8 missing\. Run them/, 'merge', at, '--out', out)
    for (const shard of [4, 6, 7, 8]) await ok('run', slide, '--shard', `${shard}/8`, '--out', at, ...how)
    await ok('run', slide, '--shard', '3/8', '--out', other, ...how)
    await fails(ExitCode.usage, /Shard 3 is there twice: .* and .*/, 'merge', at, other, '--out', out)
    await rm(join(other, 'shard-00003-of-00008'), { recursive: true })
    await ok('run', slide, '--shard', '3/4', '--out', other, ...how)
    await fails(ExitCode.usage, /one of 8 shards, and .* one of 4/, 'merge', at, other, '--out', out)
    await rm(join(other, 'shard-00003-of-00004'), { recursive: true })

    const third = join(at, 'shard-00003-of-00008')
    const kept = join(base, 'kept')
    const whole = await readFile(join(third, 'shard.run'))
    await rename(third, kept)
    await ok('run', slide, '--shard', '3/8', '--out', at, ...how, '--set', 'objects.minArea=50')
    await fails(ExitCode.usage, /was run with another recipe/, 'merge', at, '--out', out)
    await fails(
      ExitCode.usage,
      /another slide, with another recipe or region.*--overwrite/,
      'run',
      slide,
      '--shard',
      '3/8',
      '--out',
      at,
      ...how,
    )
    await rm(third, { recursive: true })
    await rename(kept, third)
    await fails(ExitCode.usage, /is of another slide/, 'merge', at, '--slide', sample, '--out', out)
    for (const damage of [
      whole.subarray(0, whole.length - 100),
      Buffer.concat([whole, Buffer.from('x')]),
      Buffer.from('nothing'),
    ]) {
      await writeFile(join(third, 'shard.run'), damage)
      await fails(ExitCode.usage, /holds no|cannot be trusted/, 'merge', at, '--out', out)
    }
    await writeFile(join(third, 'shard.run'), whole)
    expect(await merged(at)).toBe(await wholeRun(slide, ...how))
    await fails(ExitCode.usage, /no finished shard/, 'merge', other, '--out', out)
  })

  it('nor are shards of one folder named as another’s', async () => {
    const at = await folder()
    for (const shard of [1, 2]) await ok('run', slide, '--shard', `${shard}/2`, '--out', at, '--mpp', '0.5')
    const [one, two] = ['shard-00001-of-00002', 'shard-00002-of-00002'].map((name) => join(at, name, 'shard.run'))
    await copyFile(one!, two!)
    await fails(ExitCode.usage, /Shard 1 is there twice/, 'merge', at, '--out', await folder())
  })

  it('nor is what was prepared for another slide, or with other options', async () => {
    const at = await folder()
    await ok('prepare', slide, '--mpp', '0.5', '--out', at)
    await fails(ExitCode.usage, /another slide’s than/, 'run', sample, '--shard', '1/2', '--out', at)
    await fails(ExitCode.usage, /leave out --set/, 'run', slide, '--shard', '2/2', '--out', at, '--set', 'objects.minArea=50')
    await fails(ExitCode.usage, /--files is for the files/, 'run', slide, '--shard', '2/2', '--out', at, '--files', 'objects.csv')
    await fails(ExitCode.usage, /--resume is not needed/, 'run', slide, '--shard', '2/2', '--out', at, '--resume')
    // Nothing is written of a command that is refused for its options.
    expect((await readdir(at)).sort()).toEqual(['prepared.json', 'shard-00001-of-00002', 'state-prepare.json'])
    for (const wrong of ['0/2', '3/2', '1', 'a/b', '1/20000'])
      await fails(ExitCode.usage, /expected I\/N/, 'run', slide, '--shard', wrong, '--out', at)
    await writeFile(join(at, 'prepared.json'), '{"format":"morphoscope-prepared"}')
    await fails(ExitCode.usage, /was not made by morphoscope prepare/, 'run', slide, '--shard', '1/2', '--out', at)
  })

  it('nor is a prepared background that is gone or cut off', async () => {
    const at = await folder()
    await ok('prepare', slide, '--mpp', '0.5', '--recipe', 'iwpp-nuclei', '--out', at)
    const name = (await readdir(at)).find((each) => each.startsWith('ground-'))!
    const bytes = await readFile(join(at, name))
    await writeFile(join(at, name), bytes.subarray(1))
    await fails(ExitCode.noInput, /is shorter than/, 'run', slide, '--shard', '1/2', '--out', at)
    await rm(join(at, name))
    await fails(ExitCode.noInput, /cannot be read/, 'run', slide, '--shard', '1/2', '--out', at)
    // Prepared again, nothing of the time before is left.
    for (let n = 0; n < 2; n++) await ok('prepare', slide, '--mpp', '0.5', '--recipe', 'iwpp-nuclei', '--out', at)
    expect((await readdir(at)).filter((each) => each.startsWith('ground-'))).toHaveLength(1)
  })
})

describe('the state of runs', () => {
  it('is a line for each slide: waiting, done, failed with its reason', async () => {
    const at = await folder()
    const [good, bad] = [join(at, 'good'), join(at, 'bad')]
    await ok('prepare', slide, '--mpp', '0.5', '--out', good)
    expect((await cli('prepare', join(at, 'nothing.svs'), '--out', bad)).code).toBe(ExitCode.noInput)
    await ok('run', '--shard', '2/2', '--out', good)
    const first = await cli('status', at)
    expect(first.code).toBe(ExitCode.partial)
    expect(first.out).toMatch(/failed +bad; .*prepare: .*nothing\.svs/)
    expect(first.out).toMatch(/waiting +good; 1 of 2 shards/)
    await ok('run', '--shard', '1/2', '--out', good)
    await ok('merge', good, '--files', 'objects.csv')
    const [{ state, shards, objects }] = JSON.parse((await ok('status', good, '--json')).out) as [
      { state: string; shards: { done: number; of: number }; objects: number },
    ]
    expect([state, shards]).toEqual(['done', { done: 2, of: 2 }])
    expect(objects).toBeGreaterThan(0)
    const none = await cli('status', join(root, 'assets'))
    expect([none.code, none.err]).toEqual([ExitCode.noInput, expect.stringContaining('holds no slide')])
  })
})
