// What `morphoscope run --out` may replace: what an earlier run wrote and nobody has touched; else nothing unasked, and its slide never.
import { appendFile, copyFile, link, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../../app/cli/cli'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { outputDirectory } from '../../../../main/export/output/folder'
import { OutputSet } from '../../../../main/export/output/outputSet'

const sample = fileURLToPath(new URL('../../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-over-'))))
afterEach(async () => await rm(directory, { recursive: true }))

async function run(slide: string, out: string, ...more: string[]): Promise<{ code: number; err: string }> {
  const err: string[] = []
  const code = await main(
    ['run', slide, '--out', out, '--region', '600,600,128,128', ...more],
    { print: () => undefined, note: (text) => void err.push(text), progress: () => undefined, endProgress: () => undefined },
    new AbortController().signal,
  )
  return { code, err: err.join('\n') }
}

describe('run', () => {
  it('never writes over its slide, under whatever name it lies there', async () => {
    const original = await readFile(sample)
    const slide = join(directory, 'overlay.png')
    await copyFile(sample, slide)
    const hard = join(directory, 'hard')
    const soft = join(directory, 'soft')
    for (const folder of [hard, soft]) await mkdir(folder)
    await link(slide, join(hard, 'objects.csv'))
    await symlink(slide, join(soft, 'run.json'))
    await symlink(directory, join(directory, 'round'))
    for (const out of [directory, hard, soft, join(directory, 'round')]) {
      for (const more of [[], ['--overwrite']]) {
        const { code, err } = await run(slide, out, ...more)
        expect([code, err]).toEqual([ExitCode.cannotCreate, expect.stringContaining('is the slide itself')])
      }
    }
    // A disk that knows no case would take these for one.
    const shouting = join(directory, 'case', 'OVERLAY.PNG')
    await mkdir(join(directory, 'case'))
    await copyFile(sample, shouting)
    expect((await run(shouting, join(directory, 'case'))).err).toContain('is the slide itself')
    for (const path of [slide, shouting]) expect((await readFile(path)).equals(original)).toBe(true)
    expect((await readdir(directory)).sort()).toEqual(['case', 'hard', 'overlay.png', 'round', 'soft'])
  })

  it('replaces what an earlier run wrote, and asks for --overwrite where somebody has been at it', async () => {
    const out = join(directory, 'out')
    expect(await run(sample, out)).toEqual({ code: 0, err: expect.stringMatching(/^memory: [^\n]*$/) as string })
    // Again, with another recipe: all of it is the program's own.
    expect(await run(sample, out, '--recipe', 'max-tree-nuclei')).toEqual({
      code: 0,
      err: expect.stringMatching(/^memory: [^\n]*$/) as string,
    })
    expect((await readdir(out)).length).toBe(5)

    // A note in the table is work.
    await appendFile(join(out, 'objects.csv'), 'mine\r\n')
    const asks = await run(sample, out)
    expect(asks).toEqual({
      code: ExitCode.cannotCreate,
      err: expect.stringMatching(/objects\.csv is in .*out already/) as string,
    })
    expect(await readFile(join(out, 'objects.csv'), 'utf8')).toMatch(/mine\r\n$/)
    expect((await run(sample, out, '--overwrite')).code).toBe(0)
    expect(await readFile(join(out, 'objects.csv'), 'utf8')).not.toMatch(/mine/)

    // A record that somebody has edited vouches for nothing.
    const record = await readFile(join(out, 'run.json'), 'utf8')
    await writeFile(join(out, 'run.json'), record.replace('"objects": 0', '"objects": 1').replace('"elapsedMs"', '"elapsedMs2"'))
    expect((await run(sample, out)).err).toContain(
      'objects.geojson, objects.csv, labels.ome.tif, overlay.png and run.json are in',
    )

    // Nor may a part of a set be replaced beside the record of the old one.
    await writeFile(join(out, 'run.json'), record)
    expect((await run(sample, out, '--files', 'objects.csv')).code).toBe(ExitCode.cannotCreate)
    // What the new record does not name is told of.
    const fewer = await run(sample, out, '--files', 'objects.csv,run.json')
    expect(fewer).toEqual({
      code: 0,
      err: expect.stringContaining(
        'objects.geojson, labels.ome.tif, overlay.png in the folder are of an earlier export',
      ) as string,
    })
  })

  it('takes files that were always there for somebody’s', async () => {
    await writeFile(join(directory, 'run.json'), '{"mine": true}')
    const { code, err } = await run(sample, directory)
    expect([code, err]).toEqual([ExitCode.cannotCreate, expect.stringMatching(/run\.json is in .* already/)])
    expect(await readFile(join(directory, 'run.json'), 'utf8')).toBe('{"mine": true}')
  })

  it('makes no folder named "~", and takes no other for it', () => {
    expect(outputDirectory('~')).toBe(homedir())
    expect(outputDirectory('~/a/../b')).toBe(join(homedir(), 'b'))
    expect(outputDirectory('/a/~/b')).toBe('/a/~/b')
    for (const given of ['~somebody/out', 'out', './out', '..', ''])
      expect(() => outputDirectory(given)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
  })

  it('is alone in its folder: a second export waits for nobody, and says why', async () => {
    const first = await OutputSet.in(directory)
    await (await first.create('run.json')).append('{}')
    expect(await run(sample, directory)).toEqual({
      code: ExitCode.cannotCreate,
      err: expect.stringContaining('another export is writing there') as string,
    })
    await first.commit()
    expect(await readdir(directory)).toEqual(['run.json'])
    expect(basename(directory)).toMatch(/^morphoscope-over-/)
  })
})
