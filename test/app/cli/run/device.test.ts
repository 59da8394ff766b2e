// --device: what run and op say of one that is not there, what devices lists, and what op tells of the one that computed.
import { link, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../../app/cli/cli'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { gpus } from '../../../../native/index'

const there = await gpus()
const sample = fileURLToPath(new URL('../../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
const region = ['--region', '400,400,300,300']
let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-device-'))))
afterEach(async () => await rm(directory, { recursive: true }))

async function cli(args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = []
  const err: string[] = []
  const print = (text: string): void => void out.push(text)
  const note = (text: string): void => void err.push(text)
  const terminal = { print, note, progress: () => undefined, endProgress: () => undefined }
  const code = await main(args, terminal, new AbortController().signal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
/** A grey image as .npy: 0 and 1 in turns of three. */
function npyOf(width: number, height: number): Buffer {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${height}, ${width}), }`.padEnd(117) + '\n'
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8])
  return Buffer.concat([
    start,
    Buffer.from(header),
    Buffer.from(Array.from({ length: width * height }, (_, i) => Number(i % 3 > 0))),
  ])
}

describe('a device that is not there', () => {
  // No machine has so many.
  const device = 'gpu99'

  it.each([[device], ['gpu0']].filter(([name]) => name === device || there.devices.length === 0))(
    'is refused by run and op before anything is written: %s',
    async (name) => {
      const to = join(directory, 'new')
      const refused = new RegExp(
        `^error: ${name} is not there: (this program sees 0 GPUs, because .+ Choose cpu|this machine has )`,
        'm',
      )
      const asRun = await cli(['run', sample, '--out', to, ...region, '--device', name])
      expect([asRun.code, asRun.out]).toEqual([ExitCode.notThere, ''])
      expect(asRun.err).toMatch(refused)
      expect(await readdir(directory)).toEqual([])
      const image = join(directory, 'image.npy')
      await writeFile(image, npyOf(4, 3))
      const asOp = await cli(['op', 'label', '--image', image, '--out', join(directory, 'out.npy'), '--device', name])
      expect([asOp.code, asOp.out]).toEqual([ExitCode.notThere, ''])
      expect(asOp.err).toMatch(refused)
      expect(await readdir(directory)).toEqual(['image.npy'])
    },
  )

  it('is refused among several, and so is a list that is none', async () => {
    const to = join(directory, 'new')
    const among = await cli(['run', sample, '--out', to, ...region, '--devices', `cpu,${device}`])
    expect([among.code, among.err]).toEqual([ExitCode.notThere, expect.stringContaining(`${device} is not there`)])
    for (const list of ['cpu,cpu', 'cpu,', 'gpu0;gpu1']) {
      const refused = await cli(['run', sample, '--out', to, ...region, '--devices', list])
      expect([refused.code, refused.err]).toEqual([ExitCode.usage, expect.stringContaining(`received ${list}`)])
    }
    expect(await readdir(directory)).toEqual([])
    // All there are: without a GPU that is the CPU.
    const all = await cli(['run', sample, '--out', to, ...region, '--devices', 'all', '--files', 'objects.csv'])
    expect([all.code, await readdir(to)]).toEqual([0, ['objects.csv']])
  })

  it('says with its reason that there is none', async () => {
    const { out } = await cli(['devices'])
    if (there.devices.length === 0) expect(out).toMatch(/^no GPU +0 devices, because .{10,}/m)
    for (const each of there.devices)
      expect(out).toMatch(new RegExp(`^gpu${each.index} +.*MiB, compute capability [0-9.]+, [0-9]+ multi`, 'm'))
    expect(there.devices.length === 0).toBe(there.reason !== '')
  })
})

describe('op', () => {
  it('tells where a device is asked for what computed, by which algorithm, and how long each step took', async () => {
    const image = join(directory, 'image.npy')
    await writeFile(image, npyOf(7, 5))
    const args = ['op', 'distance', '--image', image, '--out', join(directory, 'out.npy'), '--variant', 'exact', '--overwrite']
    expect((await cli(args)).err).toBe('')
    const plain = await cli([...args, '--device', 'cpu'])
    expect(plain.code).toBe(0)
    expect(plain.err).toMatch(/^cpu, variant exact: compute [0-9.]+ ms$/)
    const report = JSON.parse((await cli([...args, '--json', '--device', 'cpu'])).out) as { ms: number }
    expect(report).toMatchObject({ device: 'cpu', variant: 'exact', steps: [{ name: 'compute', ms: report.ms }] })
  })

  it('writes over none of its inputs, under any name, and over no other file unasked', async () => {
    const image = join(directory, 'image.npy')
    await writeFile(image, npyOf(7, 5))
    await link(image, join(directory, 'same.npy'))
    await symlink(image, join(directory, 'linked.npy'))
    await writeFile(join(directory, 'other.npy'), 'precious')
    for (const name of ['image.npy', 'same.npy', 'linked.npy']) {
      const done = await cli(['op', 'distance', '--image', image, '--out', join(directory, name), '--overwrite'])
      expect([done.code, done.err]).toEqual([ExitCode.cannotCreate, expect.stringContaining('is one of the inputs')])
    }
    const other = ['op', 'distance', '--image', image, '--out', join(directory, 'other.npy')]
    expect(await cli(other)).toMatchObject({ code: ExitCode.cannotCreate, err: expect.stringContaining('--overwrite') as string })
    expect(await readFile(join(directory, 'other.npy'), 'utf8')).toBe('precious')
    expect(await readFile(image)).toEqual(Buffer.from(npyOf(7, 5)))
    expect((await cli([...other, '--overwrite'])).code).toBe(0)
    expect((await readdir(directory)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('offers the algorithms of a GPU, and refuses them by name on the CPU', async () => {
    const help = await cli(['op', 'reconstruct', '--help'])
    expect(help.out.replace(/\s+/g, ' ')).toMatch(
      /on a GPU only: naive-queue, prefix-queue, parallel-heap; on the CPU only: queue, downhill/,
    )
    const image = join(directory, 'image.npy')
    await writeFile(image, npyOf(7, 5))
    const files = ['--marker', image, '--mask', image, '--out', join(directory, 'out.npy')]
    const { code, err } = await cli(['op', 'reconstruct', ...files, '--variant', 'naive-queue'])
    expect(code).toBe(ExitCode.usage)
    expect(err).toMatch(/expected auto, raster-sweeps, .* for variant of reconstruct on cpu but received "naive-queue"/)
  })
})
