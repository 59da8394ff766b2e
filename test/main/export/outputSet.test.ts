// Output files under bad conditions: a full disk, a failing rename, leftovers.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutputFile, OutputSet } from '../../../main/export/output/outputSet'

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

  describe('a file whose checksum has a thread of its own', () => {
    /** Of different bytes in every part, past the size from which that is so. */
    async function large(): Promise<{ file: OutputFile; path: string; sum: string }> {
      const path = join(directory, 'large.bin')
      const file = new OutputFile(path, path, await open(path, 'wx'))
      const sum = createHash('sha256')
      for (let i = 0; i < 9; i++) {
        const part = new Uint8Array(8 * 2 ** 20 + i).fill(i + 1)
        sum.update(part)
        await file.append(part)
      }
      return { file, path, sum: sum.digest('hex') }
    }
    it('has that of all its bytes', async () => {
      const { file, sum } = await large()
      await file.finish()
      expect(file.sha256).toBe(sum)
    })
    it('has that of what it is after a patch', async () => {
      const { file, path, sum } = await large()
      await file.patch(new Uint8Array([255]), 1000)
      await file.append(new Uint8Array([7]))
      await file.finish()
      expect(file.sha256).not.toBe(sum)
      expect(file.sha256).toBe(
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      )
    })
    it('is no file of the set where somebody cut it meanwhile', async () => {
      const { file, path } = await large()
      await truncate(path, 1000)
      await file.append(new Uint8Array(10))
      await truncate(path, 1000)
      await expect(file.finish()).rejects.toMatchObject({
        code: 'OUTPUT_FAILED',
        message: expect.stringContaining('large.bin') as unknown,
      })
      await file.discard()
    })
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
