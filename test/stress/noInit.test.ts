// Runs killed in a PID namespace whose first process takes notice of none: a zombie is not taken for a run that goes on, and a living run is not
// taken away from its process. As root alone, who may unshare; on Linux.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ExitCode } from '../../app/cli/exitCodes'
import { writeTissueSlide } from '../main/run/hugeSlide'
import { seed, times } from './seeded'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'dist', 'cli.mjs')
const namespace = ['-p', '-f', '--mount-proc', '--kill-child']
const canUnshare = (): boolean =>
  process.platform === 'linux' && existsSync(program) && spawnSync('unshare', [...namespace, 'true']).status === 0

interface Kill {
  readonly n: number
  readonly out: string
  readonly state: string
  readonly stillThere: boolean
  readonly left: number
  readonly code: number
  readonly err: string
  readonly beside: { readonly code: number; readonly err: string } | null
}

it.skipIf(!canUnshare())(
  'runs killed where nobody takes notice go on, each from its journal',
  { timeout: 3_600_000 },
  async () => {
    const kills = times('KILLS', 25)
    const base = await mkdtemp(join(tmpdir(), 'morphoscope-no-init-'))
    const hashOf = async (folder: string): Promise<string> =>
    createHash('sha256').update(await readFile(join(folder, 'objects.csv'))).digest('hex') // oxfmt-ignore
    try {
      const slide = join(base, 'slide.tif')
      await writeTissueSlide(slide, 5120, 4096)
      const args = [slide, '--mpp', '0.5', '--threads', '1', '--files', 'objects.csv,run.json']
      const begun = performance.now()
      await promisify(execFile)(process.execPath, [program, 'run', ...args, '--out', join(base, 'whole')])
      const wholeMs = Math.round(performance.now() - begun)
      const whole = await hashOf(join(base, 'whole'))
      const asked = JSON.stringify({ program, args, base, kills, wholeMs, seed })
      const { stdout } = await promisify(execFile)(
        'unshare',
        [...namespace, process.execPath, join(import.meta.dirname, 'noInit.mjs'), asked],
        { maxBuffer: 2 ** 26 },
      )
      const [first, ...lines] = stdout.trim().split('\n')
      expect(JSON.parse(first!)).toMatchObject({ first: 1 })
      const ended = lines.map((line) => JSON.parse(line) as Kill)
      expect(ended).toHaveLength(kills)
      let wentOn = 0
      for (const { out, n, beside, ...kill } of ended) {
        expect([n, kill]).toMatchObject([n, { state: 'Z', stillThere: true, code: 0 }])
        expect([n, await hashOf(out)]).toEqual([n, whole])
        expect([n, (await readdir(out)).sort()]).toEqual([n, ['objects.csv', 'run.json']])
        if (/resuming: \d+ % is there/.test(kill.err)) wentOn += 1
        if (beside)
          expect([n, beside]).toEqual([
            n,
            { code: ExitCode.tryAgain, err: expect.stringMatching(/Another run into .* is going on/) as string },
          ])
      }
      console.log(
        `${kills} kills, ${wentOn} went on from what was final, ${ended.filter(({ beside }) => beside).length} asked beside a living run; ${wholeMs} ms whole`,
      )
      expect(wentOn).toBeGreaterThan(kills / 3)
      expect(ended.some(({ beside }) => beside !== null)).toBe(true)
    } finally {
      await rm(base, { recursive: true, force: true })
    }
  },
)
