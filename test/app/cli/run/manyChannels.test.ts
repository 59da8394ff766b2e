// A slide of forty channels whose samples do not fit into the memory that a run may hold: it is analysed and measured within it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { threeChannels } from '../../../main/slide/threeChannels'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const side = 3000
const others = Array.from({ length: 37 }, (_, c) => `Marker ${c + 4}`)
const givenMiB = 512

let directory: string
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'morphoscope-forty-'))))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it.skipIf(!existsSync(program) || process.platform === 'win32')(
  'forty channels are measured within --memory',
  async () => {
    const slide = await threeChannels(join(directory, 'forty.ome.tif'), side, others)
    expect(40 * side * side * 2).toBeGreaterThan(givenMiB * 2 ** 20)
    const out = join(directory, 'out')
    const args = ['run', slide, '--recipe', 'fluorescence-nuclei', '--memory', `${givenMiB}M`]
    const more = ['--files', 'objects.csv,run.json', '--out', out, '--json']
    // Below a shell: a process that a large one starts has that one's peak for its own.
    const told = execFileSync('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, program, ...args, ...more], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { objects, memory } = JSON.parse(told) as { objects: number; memory: { budgetBytes: number; peakRssBytes: number } }
    expect(objects).toBe((side / 50) ** 2)
    expect(memory.budgetBytes).toBe(givenMiB * 2 ** 20)
    expect(memory.peakRssBytes).toBeLessThan(givenMiB * 2 ** 20)
    // Each of them has its five columns.
    const [header] = readFileSync(join(out, 'objects.csv'), 'utf8').split('\r\n')
    expect(header!.split(',').filter((name) => name.startsWith('channel_'))).toHaveLength(200)
  },
  240_000,
)
