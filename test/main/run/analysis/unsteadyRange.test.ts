// A deep TIFF whose pieces fail while it is opened: its range, and with it all its pixels, are then not the file's. What fails once is read again; what
// stays away makes nothing certain.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtScript } from '../../../built'
import { canFailReads } from '../../../stress/failingReadsIn'
import { sample } from '../../realEngine'
import { openNative } from '../../../../main/slide/slides'
import { deepTiff } from '../../slide/deepTiff'
import type { OfRange, UnsteadyRange } from './unsteadyRange'

const root = join(import.meta.dirname, '../../../..')
let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'unsteady-range-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A part of the sample in 12 of 16 bits, in tiles of 8 KiB a plane. */
async function deepSlide(): Promise<string> {
  const side = 512
  const slide = await openNative(sample)
  const { rgba } = await slide.readScaled(1, 900, 900, side, side)
  slide.close()
  const values = await sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
    .removeAlpha()
    .raw()
    .toBuffer()
  const deep = { samples: 3, bits: 16, format: 'uint', photometric: 2, tilePx: 64, planar: true, mpp: [0.5, 0.5] } as const
  const path = join(folder, 'deep.tif')
  await writeFile(path, deepTiff([{ ...deep, width: side, height: side, values: Array.from(values, (value) => value * 16) }]))
  return path
}

async function found(): Promise<OfRange> {
  const slide = await deepSlide()
  const script = await builtScript('test/main/run/analysis/unsteadyRange.ts')
  try {
    const shim = join(folder, 'failReads.so')
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/failReads.c'), '-ldl', '-lpthread'])
    const env = { ...process.env, LD_PRELOAD: shim, FAIL_FILE: 'deep.tif', FAIL_SEED: '' }
    const arg = JSON.stringify({ root, slide, folder } satisfies UnsteadyRange)
    const { stdout } = await promisify(execFile)(process.execPath, [script, arg], { env, maxBuffer: 2 ** 26 })
    return JSON.parse(stdout) as OfRange
  } finally {
    await rm(script, { force: true })
  }
}

it.skipIf(!canFailReads)(
  'is read again, and where it stays away nothing is certain until it can be read',
  async () => {
    const { intact, once, lost, healed, refused, wentOn } = await found()
    expect(intact).toMatchObject({ uncertainPixels: null, status: { state: 'done', error: null }, journals: 0 })
    expect(intact.csv!.split('\n').length).toBeGreaterThan(50)
    expect(intact.status.certainty.certainMegapixels).toBeGreaterThan(0.2)
    expect(once).toMatchObject({ high: intact.high, uncertainPixels: null, status: { resumedTiles: 0 } })
    expect(once.csv).toBe(intact.csv)
    expect(once.status.valuesUncertain).toBeUndefined()

    expect(lost.high).not.toBe(intact.high)
    expect(lost.csv).not.toBe(intact.csv)
    expect(lost.uncertainPixels).toContain('may be darker or brighter')
    expect(lost.status).toMatchObject({ state: 'done', valuesUncertain: true, certainty: { certainMegapixels: 0 } })
    expect(lost.status.warnings.filter((words) => words.includes('nothing of this result is certain'))).toHaveLength(1)
    expect(lost.journals).toBe(1)
    expect(healed.csv).toBe(intact.csv)
    expect(healed.status.valuesUncertain).toBeUndefined()
    expect(healed).toMatchObject({ status: { resumedTiles: 0, certainty: intact.status.certainty }, journals: 0 })

    // Tiles of two ranges are never one run's.
    expect(refused).toMatchObject({ status: { state: 'failed', error: { code: 'SLIDE_UNREADABLE' } }, journals: 1 })
    expect(wentOn.csv).toBe(intact.csv)
    expect(wentOn.status.resumedTiles).toBe(wentOn.status.tilesTotal)
  },
  120_000,
)
