// A pyramid whose pieces fail while its levels are compared: what fails once is read again, and what stays away makes its pixels uncertain.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtScript } from '../../built'
import { canFailReads } from '../../stress/failingReadsIn'
import { deepTiff } from './deepTiff'
import type { OpenedLevels } from './unsteadyLevels'

const root = join(import.meta.dirname, '../../..')
let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'unsteady-levels-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const side = 1024

/** Spots on glass, in tiles of 12 KiB, and a second level of half the size, which may show nothing. */
async function pyramid(name: string, isWhite: boolean): Promise<string> {
  const page = (px: number, spots: boolean) => ({
    ...({ samples: 3, bits: 8, format: 'uint', photometric: 2, tilePx: 64, mpp: [0.5, 0.5] } as const),
    width: px,
    height: px,
    values: Uint8Array.from({ length: px * px * 3 }, (_, i) => {
      const [x, y] = [Math.floor(i / 3) % px, Math.floor(i / 3 / px)].map((at) => Math.floor((at * side) / px / 64))
      return spots && (x! + y!) % 2 === 0 ? 80 : 240
    }),
  })
  const path = join(folder, name)
  await writeFile(path, deepTiff([{ ...page(side, true), children: [page(side / 2, !isWhite)] }]))
  return path
}

it.skipIf(!canFailReads)(
  'judges its levels as the intact file’s, or says that its pixels are uncertain',
  async () => {
    const files = [await pyramid('same.tif', false), await pyramid('other.tif', true)]
    const script = await builtScript('test/main/slide/unsteadyLevels.ts')
    try {
      const shim = join(folder, 'failReads.so')
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/failReads.c'), '-ldl', '-lpthread'])
      const env = { ...process.env, LD_PRELOAD: shim, FAIL_FILE: '.tif', FAIL_SEED: '' }
      const { stdout } = await promisify(execFile)(process.execPath, [script, '0,1,1000', ...files], { env })
      const [same, other] = JSON.parse(stdout) as [OpenedLevels[], OpenedLevels[]]
      for (const [levels, opened] of [
        [2, same],
        [1, other],
      ] as const) {
        // oxfmt-ignore
        const [intact, once, lost] = opened as [OpenedLevels, OpenedLevels, OpenedLevels]
        expect(intact).toEqual({ levels, uncertainPixels: null })
        expect(once).toEqual(intact)
        expect(lost.levels).toBe(2)
        expect(lost.uncertainPixels).toContain('whether level 1 (512 × 512 px) shows the same picture')
      }
    } finally {
      await rm(script, { force: true })
    }
  },
  120_000,
)
