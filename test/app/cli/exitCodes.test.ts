// What the exit code says where a disk, a limit or the system ends the work: try again, or an error of input and output, and never a bad slide.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCliError, exitCodeOf } from '../../../app/cli/exitCodes'
import { afterSignal, notStarted } from '../../../app/cli/guard'
import { writeImageFiles } from '../../../main/ops'
import { toAppError } from '../../../main/base/errors'
import { realEngine, sample } from '../../main/realEngine'
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

it('tells a disk that fails while a file is read from a file that is not there', () => {
  expect(exitCodeOf({ code: 'NOT_FOUND', message: '/a/b.npy cannot be read (Input/output error)' })).toBe(74)
  expect(exitCodeOf({ code: 'NOT_FOUND', message: '/a/b.npy cannot be read (No such file or directory)' })).toBe(66)
  expect(exitCodeOf({ code: 'SLIDE_UNREADABLE', message: '/a/b.npy cannot be read any more (Input/output error)' })).toBe(74)
  expect(exitCodeOf({ code: 'SLIDE_UNREADABLE', message: '/a/b.svs is damaged' })).toBe(65)
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

/** 200 blocks of 512 bytes. */
const mostBytes = 102_400
/** The real command, which may write no longer file. */
const limited = (...args: string[]): Promise<{ code: number | null; err: string }> =>
  new Promise((resolve) => {
    const child = execFile('sh', ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, entry, ...args], (_, __, err) =>
      resolve({ code: child.exitCode, err }),
    )
  })

describe.skipIf(process.platform === 'win32' || !built)('below a limit of file sizes', () => {
  let folder: string
  /** A project with so many regions, which lie side by side. */
  async function ellipses(name: string, count: number): Promise<string> {
    const path = join(folder, name)
    const engine = realEngine(join(folder, `${name}-settings`), { shell: 'serve' })
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    const { slide } = await engine.invoke('project:state', { slideId })
    const regions = Array.from({ length: count }, (_, i) => ({
      ...{ id: randomUUID(), slide: slide!, name: '', classId: null, locked: false, madeBy: 'hand' as const },
      ...{ createdAt: '2026-11-26T00:00:00Z', shape: { kind: 'ellipse' as const, x: 3 * i, y: 0, width: 2, height: 1 } },
    }))
    await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
    await engine.invoke('project:save', { path })
    await engine.close()
    return path
  }
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
    // An ellipse is four numbers in the project and 97 points in GeoJSON: the one fits, the other does not.
    const project = await ellipses('p.morphoscope', 60)
    const out = join(folder, 'regions')
    const file = (await cli('project', 'export', project, '--out', out)).out
    const before = await readFile(file, 'utf8')
    expect((await stat(join(project, 'project.sqlite'))).size).toBeLessThan(mostBytes)
    expect(before.length).toBeGreaterThan(mostBytes)
    const { code, err } = await limited('project', 'export', project, '--out', out, '--overwrite')
    expect([code, err]).toEqual([74, expect.stringMatching(/Could not write .*\.geojson: .*EFBIG.*ulimit -f/)])
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(out)).toHaveLength(1)
  })

  it('a project that does not fit ends with its name and 74', async () => {
    const project = await ellipses('q.morphoscope', 600)
    expect((await stat(join(project, 'project.sqlite'))).size).toBeGreaterThan(mostBytes)
    // The copy in which it is read is the first that is too long.
    const { code, err } = await limited('project', 'export', project, '--out', join(folder, 'none'))
    expect([code, err]).toEqual([74, expect.stringMatching(/q\.morphoscope cannot be opened: .*EFBIG/)])
  })
})
