// `morphoscope info` and `run` on the bundled slide: files, exit codes, reports, and a run that is stopped.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../../app/cli/cli'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { usualExportFiles } from '../../../../app/contract'
import type { Recipe } from '../../../../app/contract'
import { createEngine, defaultRecipe } from '../../../../main/engine'
import { paintsIhc } from '../../../ihcPicture'

const sample = fileURLToPath(new URL('../../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-run-'))))
afterEach(async () => await rm(directory, { recursive: true }))

interface Outcome {
  code: number
  out: string
  err: string
}
async function cli(
  args: string[],
  signal = new AbortController().signal,
  onProgress: (text: string) => void = () => undefined,
): Promise<Outcome> {
  const out: string[] = []
  const err: string[] = []
  const code = await main(
    args,
    {
      print: (text) => void out.push(text),
      note: (text) => void err.push(text),
      progress: onProgress,
      endProgress: () => undefined,
    },
    signal,
  )
  return { code, out: out.join('\n'), err: err.join('\n') }
}
/** What a run says where nothing is to be warned of. */
const onlyMemory = /^memory: about [^\n]*$/
const region = ['--region', '400,400,700,600']

it('finds a recipe that somebody keeps under a name, in whatever case it is written', async () => {
  const home = process.env['XDG_CONFIG_HOME']
  process.env['XDG_CONFIG_HOME'] = directory
  try {
    const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
    const settingsDir = join(directory, 'morphoscope')
    const engine = createEngine({ settingsDir, assetsDir: assets, version: '1', shell: 'desktop', dialogs: false })
    const [spec] = await engine.invoke('recipe:list', undefined)
    const usual = defaultRecipe(spec!)
    const recipe = { ...usual, params: { ...usual.params, threshold: { ...usual.params['threshold'], level: 1.4 } } }
    await engine.invoke('recipe:keep', { name: 'Ki-67, strict', recipe, replace: false })
    await engine.close()
    const out = join(directory, 'out')
    const run = await cli(['run', sample, ...region, '--recipe', 'ki-67, Strict', '--files', 'run.json', '--out', out])
    expect([run.code, run.err]).toEqual([0, expect.stringMatching(onlyMemory) as string])
    const written = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as { recipe: { params: object } }
    expect(written.recipe.params).toMatchObject({ threshold: { level: 1.4 } })
  } finally {
    if (home === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = home
  }
})

describe('info and devices', () => {
  it('says what the slide says, for people and programs', async () => {
    const text = await cli(['info', sample])
    expect([text.code, text.err]).toEqual([0, ''])
    expect(text.out).toMatch(/size +2220 × 2967 px/)
    expect(text.out).toMatch(/calibration +0\.499 × 0\.499 µm\/px/)
    const json = JSON.parse((await cli(['info', sample, '--json'])).out) as Record<string, unknown>
    expect(json).toMatchObject({ name: 'CMU-1-Small-Region.svs', widthPx: 2220, heightPx: 2967 })
    expect(json).not.toHaveProperty('slideId')
  })
  it('lists the CPU, and why there is no GPU', async () => {
    expect((await cli(['devices'])).out).toMatch(/^cpu +.*threads/m)
    expect(JSON.parse((await cli(['devices', '--json'])).out)).toMatchObject({
      devices: [{ id: 'cpu', kind: 'cpu' }],
      openslide: { available: true },
    })
  })
})

describe('run', () => {
  it('writes every file and reports', async () => {
    const to = join(directory, 'new')
    const { code, out, err } = await cli(['run', sample, '--out', to, ...region, '--threads', '2', '--json'])
    expect([code, err]).toEqual([0, expect.stringMatching(onlyMemory)])
    const report = JSON.parse(out) as { objects: number; state: string; files: { name: string }[] }
    expect(report).toMatchObject({
      state: 'done',
      partial: false,
      region: { x: 400, y: 400, width: 700, height: 600 },
      recipe: 'he-nuclei',
    })
    expect(report.objects).toBeGreaterThan(10)
    expect((await readdir(to)).sort()).toEqual([...usualExportFiles].sort())
    const rows = (await readFile(join(to, 'objects.csv'), 'utf8')).trim().split('\r\n')
    expect(rows.length).toBe(report.objects + 1)
    const { features } = JSON.parse(await readFile(join(to, 'objects.geojson'), 'utf8')) as { features: unknown[] }
    expect(features.length).toBe(report.objects)
    expect(JSON.parse(await readFile(join(to, 'run.json'), 'utf8'))).toMatchObject({
      state: 'done',
      slide: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
    })
  })

  it('writes timings.csv where it is asked for: the stages of run.json, each time once', async () => {
    const to = join(directory, 'timed')
    const { code } = await cli(['run', sample, ...region, '--files', 'timings.csv,run.json', '--out', to])
    expect([code, (await readdir(to)).sort()]).toEqual([0, ['run.json', 'timings.csv']])
    const record = JSON.parse(await readFile(join(to, 'run.json'), 'utf8')) as {
      timings: { stage: string; ms: number }[]
      files: object
    }
    const [head, ...rows] = (await readFile(join(to, 'timings.csv'), 'utf8')).trim().split('\r\n').map((line) => line.split(',')) // oxfmt-ignore
    expect(head!.slice(0, 4)).toEqual(['stage', 'device', 'variant', 'ms'])
    expect(new Set(rows.map(([stage]) => stage))).toEqual(new Set(record.timings.map(({ stage }) => stage)))
    const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
    expect(sum(rows.map((row) => Number(row[3])))).toBeCloseTo(sum(record.timings.map(({ ms }) => ms)), 1)
    expect(Object.keys(record.files)).toEqual(['timings.csv'])
  })

  it('gives the same objects for any number of threads, and for the recipe out of its own run.json', async () => {
    const file = async (name: string, ...args: string[]): Promise<Buffer> => {
      const { code, err } = await cli([
        'run',
        sample,
        '--out',
        join(directory, name),
        ...region,
        '--files',
        'objects.csv,labels.ome.tif,run.json',
        ...args,
      ])
      expect([code, err]).toEqual([0, expect.stringMatching(onlyMemory)])
      return Buffer.concat([
        await readFile(join(directory, name, 'objects.csv')),
        await readFile(join(directory, name, 'labels.ome.tif')),
      ])
    }
    const one = await file('one', '--threads', '1')
    expect((await file('two', '--threads', '2')).equals(one)).toBe(true)
    expect((await file('same', '--recipe', join(directory, 'one', 'run.json'))).equals(one)).toBe(true)
    const { recipe } = JSON.parse(await readFile(join(directory, 'one', 'run.json'), 'utf8')) as { recipe: unknown }
    await writeFile(join(directory, 'recipe.json'), JSON.stringify(recipe))
    expect((await file('again', '--recipe', join(directory, 'recipe.json'))).equals(one)).toBe(true)
  })

  it('says that a result is partial where the file is damaged, and writes what there is', async () => {
    const path = join(directory, 'damaged.svs')
    const bytes = await readFile(sample)
    // The headers lie at the end of this file: here there are JPEG tiles.
    bytes.fill(0, 300_000, 330_000)
    await writeFile(path, bytes)
    const { code, out, err } = await cli(['run', path, '--out', join(directory, 'out'), '--json'])
    expect([code, err]).toEqual([ExitCode.partial, expect.stringMatching(/partial: \d+ tiles? of the slide could not be read/)])
    expect(JSON.parse(out)).toMatchObject({ partial: true, state: 'done' })
    const record = JSON.parse(await readFile(join(directory, 'out', 'run.json'), 'utf8')) as {
      unreadable: unknown[]
      counts: object
    }
    expect(record.unreadable.length).toBeGreaterThan(0)
    expect(JSON.stringify(record)).not.toContain(directory)
  })

  it('writes nothing when it is stopped', async () => {
    const to = join(directory, 'new')
    const controller = new AbortController()
    const { code, out, err } = await cli(['run', sample, '--out', to], controller.signal, () => controller.abort())
    expect([code, out]).toEqual([ExitCode.interrupted, ''])
    expect(err).toContain('Cancelled: no file was written.')
    // What is finished is kept for --resume, which is said; where nothing is, not even the folder is there.
    const left = await readdir(to).catch(() => null)
    expect(left === null ? err : left).toEqual(
      left === null ? expect.not.stringContaining('--resume') : [expect.stringMatching(/\.journal$/)],
    )
    if (left !== null) expect(err).toContain(`--resume ${to} goes on with it`)
  })

  it('writes nothing when it is stopped while it writes', async () => {
    const controller = new AbortController()
    const { code } = await cli(
      ['run', sample, '--out', join(directory, 'new'), ...region],
      controller.signal,
      (text) => text.startsWith('writing') && controller.abort(),
    )
    expect(code).toBe(ExitCode.interrupted)
    // What was computed is kept for whoever goes on with it.
    expect(await readdir(join(directory, 'new'))).toEqual([expect.stringMatching(/^run-.*\.journal$/)])
  })

  it('takes the stains from a region where that is asked, and says what it does not tell', async () => {
    const asked = (...more: string[]) =>
      cli(['run', sample, ...region, '--files', 'run.json', '--out', join(directory, 'stained'), ...more])
    const told = await asked('--stains', 'macenko', '--stains-region', '600,700,600,500')
    expect([told.code, told.err]).toEqual([0, expect.stringMatching(/^stains: hematoxylinRed 0\.\d+, /) as string])
    const speck = await asked('--stains', 'macenko', '--stains-region', '600,700,12,12')
    expect([speck.code, speck.err]).toEqual([2, expect.stringContaining('The region does not tell the stains') as string])
    const alone = await asked('--stains-region', '600,700,600,500')
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--stains macenko') as string])
    const malformed = await asked('--stains', 'parts', '--stains-region', '600,700')
    expect([malformed.code, malformed.err]).toEqual([2, expect.stringContaining('--stains-region') as string])
  })

  it('takes the limit between classes from the slide where that is asked, and says what it cannot', async () => {
    const picture = join(directory, 'ki67.png')
    await paintsIhc(picture)
    const out = join(directory, 'limited')
    const asked = (...more: string[]) =>
      cli([
        'run',
        picture,
        '--mpp',
        '0.25',
        '--recipe',
        'ihc-nuclei',
        '--files',
        'run.json',
        '--out',
        out,
        '--overwrite',
        ...more,
      ])
    const told = await asked('--class-limit', 'otsu')
    expect(told.code).toBe(0)
    const [, limit] = /^classes\.positiveAbove (0\.\d+): above it 32 of 96 nuclei of a sample$/m.exec(told.err)!
    const { recipe } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as { recipe: Recipe }
    expect(recipe.params['classes']!['positiveAbove']).toBe(Number(limit))
    const few = await asked('--class-limit', 'otsu', '--class-limit-region', '0,0,200,200')
    expect([few.code, few.err]).toEqual([2, expect.stringContaining('The region has too few nuclei') as string])
    const twice = await asked('--class-limit', 'otsu', '--set', 'classes.positiveAbove=0.3')
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('both were given') as string])
    const byArea = await asked('--class-limit', 'otsu', '--set', 'classes.by=area')
    expect([byArea.code, byArea.err]).toEqual([2, expect.stringMatching(/classes by area.*classes\.by/) as string])
    const alone = await asked('--class-limit-region', '0,0,200,200')
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--class-limit otsu') as string])
    const other = await cli(['run', sample, ...region, '--out', out, '--class-limit', 'otsu'])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('has no classes') as string])
  })

  it('says where it cannot write', async () => {
    await writeFile(join(directory, 'file'), '')
    const { code, err } = await cli(['run', sample, '--out', join(directory, 'file'), ...region])
    expect(code).toBe(ExitCode.cannotCreate)
    expect(err).toMatch(/file.*choose another folder/)
  })

  it('names the stage and the parameter of a bad value', async () => {
    const { code, err } = await cli(['run', sample, '--out', directory, '--set', 'nothing.here=1'])
    expect(code).toBe(ExitCode.usage)
    expect(err).toContain('nothing')
  })
})

describe('run --memory', () => {
  it('says before the run what it needs of what it may hold, and in run.json and the report what was held', async () => {
    const outDir = join(directory, 'out')
    const memory = ['--memory', '1.5G', '--threads', '2']
    const { code, out, err } = await cli(['run', sample, '--out', outDir, ...region, ...memory, '--files', 'run.json', '--json'])
    expect(code).toBe(0)
    expect(err).toMatch(/^memory: about \d\.\d GiB of 1\.5 GiB, 2 windows at once$/m)
    const report = JSON.parse(out) as { memory: Record<string, number> }
    const written = JSON.parse(await readFile(join(outDir, 'run.json'), 'utf8')) as { memory: Record<string, number> }
    expect(report.memory).toMatchObject({ budgetBytes: 1.5 * 2 ** 30, windowsAtOnce: 2 })
    for (const { memory: told } of [report, written]) {
      expect(Object.keys(told)).toEqual(['budgetBytes', 'needBytes', 'windowsAtOnce', 'peakRssBytes'])
      expect(told['budgetBytes']).toBe(1.5 * 2 ** 30)
      expect(told['needBytes']).toBeGreaterThan(50e6)
      expect(told['peakRssBytes']).toBeGreaterThan(50e6)
    }
  })

  it.each(['4', '100M', '-1G', '1X', 'much', '17T'])('refuses %s', async (size) => {
    const { code, err } = await cli(['run', sample, '--out', directory, `--memory=${size}`])
    expect([code, err]).toEqual([ExitCode.usage, expect.stringContaining('expected a size from 512M to 16T')])
  })
})
