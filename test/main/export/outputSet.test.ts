// Output files under bad conditions: a full disk, a failing rename, leftovers.
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutputFile, OutputSet } from '../../../main/export/outputSet'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-output-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

describe('OutputSet', () => {
  it.skipIf(process.platform !== 'linux')('says that the disk is full, and for which file', async () => {
    const file = new OutputFile('/slides/out/labels.ome.tif', join(directory, 'none'), await open('/dev/full', 'w'))
    await expect(file.append(new Uint8Array(10))).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/labels\.ome\.tif.*disk is full.*ENOSPC/) as unknown,
    })
    await file.discard()
  })

  // A system reports a failed sync once, to whoever asked: the sync at the end would succeed, and the file be taken for whole.
  it('ends with the failure of a sync that went on while it was written', async () => {
    const path = join(directory, 'large.bin')
    const handle = await open(path, 'wx')
    let syncs = 0
    handle.datasync = () => {
      syncs++
      return Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' }))
    }
    const file = new OutputFile(path, path, handle)
    const part = new Uint8Array(32 * 2 ** 20)
    for (let i = 0; i < 7; i++) await file.append(part)
    expect(syncs).toBe(0)
    await file.append(part)
    expect(syncs).toBe(1)
    await expect(file.finish()).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('large.bin') as unknown,
    })
    await file.discard()
  })

  it('shows nothing under its name before the commit', async () => {
    await writeFile(join(directory, 'a.txt'), 'old')
    const set = await OutputSet.in(directory)
    const file = await set.create('a.txt')
    await file.append('new')
    expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('old')
    await set.commit()
    expect(await readdir(directory)).toEqual(['a.txt'])
    expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('new')
  })

  it('fails where a folder has taken the name meanwhile, and cleans up', async () => {
    const set = await OutputSet.in(directory)
    await (await set.create('a.txt')).append('new')
    await mkdir(join(directory, 'a.txt', 'b'), { recursive: true })
    await expect(set.commit()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    await set.discard()
    expect(await readdir(directory)).toEqual(['a.txt'])
  })

  it('keeps a folder that somebody else has used meanwhile', async () => {
    const set = await OutputSet.in(join(directory, 'x', 'y'))
    await writeFile(join(directory, 'x', 'theirs'), '')
    await set.discard()
    expect(await readdir(directory, { recursive: true })).toEqual(['x', join('x', 'theirs')])
  })

  it('counts bytes of text as UTF-8 and patches in place', async () => {
    const set = await OutputSet.in(directory)
    const file = await set.create('a.txt')
    await file.append('µm')
    expect(file.bytes).toBe(3)
    expect(await file.append('xyz')).toBe(3)
    await file.patch(Buffer.from('Y'), 4)
    await set.commit()
    expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('µmxYz')
  })
})
