// `morphoscope op NAME --tile`: the same bytes as without, from .npy by parts and from other files; what is refused; a cancelled call.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { flagOf } from '../../../../app/cli/op/opFlags'
import { runOpInTiles } from '../../../../app/cli/op/opTiles'
import type { TileReport } from '../../../../app/cli/op/opTiles'
import { ops, regionOps } from '../../../../main/engine'
import { readImageFile, writeImageFiles } from '../../../../main/ops'
import type { OpInfo, OpParam } from '../../../../main/engine'
import type { FileImage } from '../../../../main/ops'
import { cli } from '../inProcess'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-op-tiles-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string): string => join(folder, name)

const [width, height] = [151, 93]
const at = (value: (x: number, y: number) => number): number[] =>
  Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)))
const grey = (data: FileImage['data']): FileImage => ({ width, height, channels: 1, data })
// Rings about two places, so that levels, holes and components cross every border.
const rings = at((x, y) =>
  Math.round(100 + 90 * Math.sin(Math.hypot(x - 60, y - 40) / 5) * Math.cos(Math.hypot(x - 120, y - 80) / 9)),
)
const seeds = at((x, y) => ((x * 31 + y * 17) % 211 === 0 ? 255 : 0))

beforeAll(async () => {
  const images: Record<string, FileImage> = {
    'image.npy': grey(Uint8Array.from(rings)),
    'image.png': grey(Uint8Array.from(rings)),
    'binary.npy': grey(Uint8Array.from(rings, (v) => (v > 100 ? 1 : 0))),
    'marker.npy': grey(Uint8Array.from(rings, (v, i) => Math.min(v, seeds[i]!))),
    'wide.npy': grey(Int32Array.from(rings, (v) => v * 1000)),
    'colour.npy': { width, height, channels: 4, data: new Uint8Array(4 * width * height) },
  }
  await writeImageFiles(Object.entries(images).map(([name, image]) => ({ path: file(name), image })))
  writeFileSync(file('cut.npy'), readFileSync(file('image.npy')).subarray(0, 1000))
})

const binary = new Set(['distance', 'label', 'area-filter'])
const valueOf = ({ name, low, choices }: OpParam): string =>
  choices.length > 0 ? choices[0]! : name === 'at-least' ? '1.5' : String(Math.max(low, 12))
function line(info: OpInfo, image = 'image.npy'): string[] {
  const inputs = info.inputs
    .filter(({ optional }) => !optional)
    .flatMap(({ name }) => [
      `--${flagOf(name)}`,
      file(name === 'marker' ? 'marker.npy' : binary.has(info.name) ? 'binary.npy' : image),
    ])
  return [
    'op',
    info.name,
    ...inputs,
    ...info.params.filter(({ required }) => required).flatMap((p) => [`--${flagOf(p.name)}`, valueOf(p)]),
  ]
}
const tiled = ops().filter(({ name }) => regionOps().includes(name))

describe('op --tile', () => {
  it('knows the operations that the issue of tiling names', () => {
    expect(regionOps()).toEqual(
      expect.arrayContaining([
        'area-filter',
        'area-open',
        'attribute-filter',
        'distance',
        'fill-holes',
        'h-maxima',
        'label',
        'reconstruct',
        'watershed',
      ]),
    )
  })

  it.each(tiled.map((info) => [info.name, info] as const))('%s: the same bytes', async (name, info) => {
    const whole = await cli(...line(info), '--out', file('whole.npy'), '--overwrite')
    expect(whole.err).toBe('')
    for (const [tile, threads, cpu] of [
      [16, 1, 'cores'],
      [40, 3, 'cores'],
      [64, 2, 'group'],
      [1000, 2, 'cores'],
    ] as const) {
      const { code, out, err } = await cli(
        ...line(info),
        ...['--out', file('tiled.npy'), '--overwrite', '--tile', String(tile), '--threads', String(threads), '--cpu', cpu],
      )
      expect({ code, out: out.split('\n').slice(0, -1) }, err).toEqual({ code: 0, out: whole.out.split('\n').slice(0, -1) })
      expect(err).toContain(`tiles of ${tile} px`)
      expect(readFileSync(file('tiled.npy')).equals(readFileSync(file('whole.npy')))).toBe(true)
    }
    // From and to files that are not read by parts.
    if (binary.has(name) || name === 'reconstruct') return
    await cli(...line(info, 'image.png'), '--out', file('tiled.tif'), '--overwrite', '--tile', '33')
    const [a, b] = [await readImageFile(file('tiled.tif')), await readImageFile(file('whole.npy'))]
    expect([...a.data]).toEqual([...b.data])
  })

  it('reports tiles, hands and devices', async () => {
    const info = tiled.find(({ name }) => name === 'fill-holes')!
    const { out } = await cli(
      ...line(info),
      ...['--out', file('report.npy'), '--tile', '50', '--threads', '2', '--devices', 'all', '--json'],
    )
    const report = JSON.parse(out) as TileReport
    expect(report).toMatchObject({ op: 'fill-holes', tile: 50, notes: [] })
    const visits = Object.values(report.visits['reconstruct']!).reduce((sum, count) => sum + count, 0)
    expect(visits).toBeGreaterThanOrEqual(8)
    for (const { fromMs, readMs, computedMs, toMs } of report.timeline) {
      expect(readMs).toBeGreaterThanOrEqual(fromMs)
      expect(computedMs).toBeGreaterThanOrEqual(readMs)
      expect(toMs).toBeGreaterThanOrEqual(computedMs)
    }
  })

  it('refuses by name, and leaves no file', async () => {
    const refused = async (message: string, ...args: string[]): Promise<void> => {
      const { code, err } = await cli('op', 'fill-holes', ...args, '--out', file('refused.npy'))
      expect({ code, err }).toEqual({ code: ExitCode.usage, err: expect.stringContaining(message) as string })
      expect(existsSync(file('refused.npy'))).toBe(false)
    }
    const image = ['--image', file('image.npy')]
    await refused('from 16 to 46000 for --tile but received 15', ...image, '--tile', '15')
    await refused('uint8 or uint16 for image but received int32', '--image', file('wide.npy'), '--tile', '64')
    await refused('expected (height, width) for an image in tiles', '--image', file('colour.npy'), '--tile', '64')
    await refused('expected all, or cpu, gpu0, gpu1', ...image, '--devices', 'gpu0,tpu')
    await refused('is incomplete', '--image', file('cut.npy'), '--tile', '64')
    const missing = await cli('op', 'fill-holes', '--image', file('nothing.npy'), '--tile', '64', '--out', file('refused.npy'))
    expect(missing.code).toBe(ExitCode.noInput)
    const over = await cli('op', 'fill-holes', ...image, '--tile', '64', '--out', file('image.npy'))
    expect(over).toMatchObject({ code: ExitCode.cannotCreate, err: expect.stringContaining('one of the inputs') as string })
  })

  it('ends when it is cancelled, and leaves nothing', async () => {
    const info = tiled.find(({ name }) => name === 'fill-holes')!
    const terminal = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
    const stop = new AbortController()
    stop.abort()
    const before = readdirSync(folder)
    await expect(
      runOpInTiles(
        info,
        { inputs: { image: file('image.npy') }, outputs: { out: file('cancelled.npy') }, params: {}, threads: 1, device: 'cpu' },
        { tile: 16 },
        terminal,
        stop.signal,
      ),
    ).rejects.toMatchObject({ exitCode: ExitCode.interrupted })
    expect(readdirSync(folder)).toEqual(before)
  })
})
