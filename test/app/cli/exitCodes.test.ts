// What the exit code says where a disk, a limit or the system ends the work: try again, or an error of input and output, and never a bad slide.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCliError, exitCodeOf } from '../../../app/cli/exitCodes'
import { afterSignal, notStarted } from '../../../app/cli/guard'
import { writeImageFiles } from '../../../main/engine'
import { toAppError } from '../../../main/base/errors'
import { sample } from '../../main/realEngine'
import { cli } from './inProcess'

it('tells a full disk and a limit of file sizes from an output that cannot be made, whoever says it', () => {
  for (const message of [
    'Could not write a: the disk is full (ENOSPC): free some space',
    '/a/b.npy cannot be written: No space left on device',
    '/a/b.npy cannot be made 1048704 bytes long (File too large)',
    'The project /p could not be written (database or disk is full).',
    'The project /p could not be written (disk I/O error).',
  ])
    expect([message, exitCodeOf({ code: 'OUTPUT_FAILED', message })]).toEqual([message, 74])
  expect(exitCodeOf({ code: 'OUTPUT_FAILED', message: 'Could not write a: you may not write there (EACCES)' })).toBe(73)
})

it('says that another try may help where the system starts no thread or process', () => {
  const spawn = Object.assign(new Error('spawn node EAGAIN'), { code: 'EAGAIN', syscall: 'spawn node' })
  expect(notStarted(spawn)).toMatchObject({ code: 75, message: expect.stringContaining('limit of the system') as string })
  expect(notStarted(Object.assign(new Error('spawn node ENOENT'), { code: 'ENOENT' })).code).toBe(70)
  const thread = Object.assign(new Error('Worker initialization failure: EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
  for (const error of [spawn, thread]) {
    expect(asCliError(error)).toMatchObject({ exitCode: 75 })
    expect(toAppError(error)).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringContaining('starts no more threads') as string,
    })
  }
})

it('blames no slide for the size of a file that was written', () => {
  expect(afterSignal('run', 'SIGXFSZ', 'c.svs')).toMatchObject({
    code: 74,
    message: expect.stringMatching(/^(?!.*damaged).*ulimit -f/) as string,
  })
})

const root = fileURLToPath(new URL('../../../', import.meta.url))
const entry = join(root, 'app', 'cli', 'morphoscope.cjs')
const built = existsSync(join(root, 'dist', 'cli.mjs'))

/** The real command, which may write no file of more than 100 KiB. */
const limited = (...args: string[]): Promise<{ code: number | null; err: string }> =>
  new Promise((resolve) => {
    const child = execFile('sh', ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, entry, ...args], (_, __, err) =>
      resolve({ code: child.exitCode, err }),
    )
  })

describe.skipIf(process.platform === 'win32' || !built)('below a limit of file sizes', () => {
  let folder: string
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-limit-'))))
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  it('a run ends with the file’s name and 74', async () => {
    const { code, err } = await limited(
      'run',
      sample,
      '--region',
      '600,600,860,800',
      '--files',
      'objects.geojson',
      '--out',
      join(folder, 'run'),
    )
    expect([code, err]).toEqual([74, expect.stringMatching(/Could not write .*objects\.geojson: .*EFBIG.*ulimit -f/)])
  })

  it('an operation tile by tile ends with the file’s name and 74', async () => {
    const image = join(folder, 'image.npy')
    await writeImageFiles([{ path: image, image: { width: 512, height: 512, channels: 1, data: new Uint8Array(512 * 512) } }])
    const out = join(folder, 'filled.npy')
    const { code, err } = await limited('op', 'fill-holes', '--image', image, '--out', out, '--tile', '256', '--scratch', folder)
    expect([code, err]).toEqual([74, expect.stringContaining(`${out} cannot be made`)])
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('regions leave the file of before, whole', async () => {
    const project = join(folder, 'p.morphoscope')
    const ring = Array.from({ length: 12_000 }, (_, k) => {
      const angle = (2 * Math.PI * k) / 12_000
      return [1000 + 700.123456 * Math.cos(angle), 1200 + 700.123456 * Math.sin(angle)]
    })
    const feature = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } }
    await writeFile(join(folder, 'r.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
    expect(await cli('project', 'import', project, join(folder, 'r.geojson'), '--slide', sample)).toMatchObject({ code: 0 })
    const out = join(folder, 'regions')
    const file = (await cli('project', 'export', project, '--out', out)).out
    const before = await readFile(file, 'utf8')
    const { code, err } = await limited('project', 'export', project, '--out', out, '--overwrite')
    // The copy in which the project is read is the first that is too long.
    expect([code, err]).toEqual([74, expect.stringMatching(/p\.morphoscope cannot be opened: .*EFBIG/)])
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(out)).toHaveLength(1)
  })
})
