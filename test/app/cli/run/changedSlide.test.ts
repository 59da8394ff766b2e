// `morphoscope run` on a slide that changes while it computes: no mix of two files is ever written.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-changed-'))))
afterEach(async () => await rm(directory, { recursive: true }))

/** Changes the slide as soon as the run tells of its progress. */
async function runWhile(slide: string, change: () => Promise<void>): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [program, 'run', slide, '--out', join(directory, 'out'), '--threads', '1'])
  let err = ''
  let changed: Promise<void> | undefined
  child.stderr.on('data', (text) => {
    err += String(text)
    if (/\d+\/\d+ tiles/.test(err)) changed ??= change()
  })
  child.stdout.resume()
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await changed
  return { code, err }
}

describe.skipIf(!existsSync(program))('a slide that changes during its run', () => {
  it.each([
    [
      'is replaced by rename',
      async (slide: string) => {
        await copyFile(sample, `${slide}.new`)
        await rename(`${slide}.new`, slide)
      },
    ],
    ['is overwritten in place', async (slide: string) => writeFile(slide, (await readFile(slide)).fill(0, 1_000_000, 1_200_000))],
    ['is truncated', (slide: string) => truncate(slide, 1_000_000)],
  ] as const)('and %s ends the run with its name, and nothing is written', async (_, change) => {
    const slide = join(directory, 'slide.svs')
    await copyFile(sample, slide)
    const { code, err } = await runWhile(slide, () => change(slide))
    expect([code, err]).toEqual([ExitCode.tryAgain, expect.stringContaining(`${slide} has changed since the slide was opened`)])
    expect(await readdir(directory)).toEqual(['slide.svs'])
  })

  it('and is deleted costs the checksum and the picture, not the result', async () => {
    const slide = join(directory, 'slide.svs')
    await copyFile(sample, slide)
    const { code, err } = await runWhile(slide, () => rm(slide))
    expect(err).toMatch(/slide\.svs is gone since the slide was opened/)
    expect(err).toMatch(/no checksum of the slide/)
    expect((await readdir(join(directory, 'out'))).sort()).toEqual([
      'labels.ome.tif',
      'objects.csv',
      'objects.geojson',
      'run.json',
    ])
    const text = await readFile(join(directory, 'out', 'run.json'), 'utf8')
    const { slide: told, counts } = JSON.parse(text) as { slide: object; counts: { unreadableTiles: number } }
    expect(told).toMatchObject({ sha256: null })
    expect(text).not.toContain(directory)
    // What OpenSlide had not opened yet is unreadable, and then the result is partial.
    expect(code).toBe(counts.unreadableTiles > 0 ? ExitCode.partial : 0)
  })
})
