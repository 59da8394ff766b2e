// HDF5 files read back by the HDF Group's own library: every kind of value, sizes at every edge, trees of several levels.
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutputFile } from '../../../../main/export/output/outputSet'
import { Chunks } from '../../../../main/export/hdf5/chunks'
import { Hdf5File } from '../../../../main/export/hdf5/hdf5File'
import type { Group } from '../../../../main/export/hdf5/hdf5File'
import { lookup3 } from '../../../../main/export/hdf5/lookup3'
import { python, readBack, readByPython } from './readBack'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-hdf5-'))))
afterEach(async () => await rm(folder, { recursive: true, force: true }))

let files = 0
async function written(fill: (file: Hdf5File, out: OutputFile) => Promise<Group>): Promise<string> {
  const path = join(folder, `${files++}.h5`)
  const out = new OutputFile(path, path, await open(path, 'wx'))
  try {
    const file = await Hdf5File.in(out)
    await file.finish(await fill(file, out))
    await out.finish()
    return path
  } finally {
    await out.discard()
  }
}
const group = (members: Group['members']): Group => ({ attributes: {}, members })

it('has the checksums that its author’s own test gives', () => {
  expect(lookup3(Buffer.from(''))).toBe(0xdeadbeef)
  expect(lookup3(Buffer.from('Four score and seven years ago'))).toBe(0x17770551)
})

describe('a file', () => {
  it('gives back attributes, values and lists, also empty ones', async () => {
    const path = await written(async () => ({
      attributes: { text: 'µm²', none: '', no: false, yes: true, list: ['a', '', '細胞'], empty: [] },
      members: {
        inner: group({ deep: group({}) }),
        word: { attributes: { of: 'word' }, data: { type: 'string', values: 'Größe “x”' } },
        words: { attributes: {}, data: { type: 'string', values: ['', 'a"b', 'a'] } },
        nothing: { attributes: {}, data: { type: 'string', values: [] } },
        number: { attributes: {}, data: { type: 'float64', values: -0.1 } },
        numbers: { attributes: {}, data: { type: 'float64', values: [NaN, 1e308, 5e-324] } },
      },
    }))
    const read = await readBack(path)
    expect(read.attributes).toEqual({ text: 'µm²', none: '', no: 0, yes: 1, list: ['a', '', '細胞'], empty: [] })
    const { inner, word, words, nothing, number, numbers } = read.members!
    expect(inner!.members).toEqual({ deep: { attributes: {}, members: {} } })
    expect(word).toEqual({ attributes: { of: 'word' }, shape: [], values: ['Größe “x”'] })
    expect(words!.values).toEqual(['', 'a"b', 'a'])
    expect([nothing!.shape, nothing!.values]).toEqual([[0], []])
    expect([number!.shape, number!.values, numbers!.values]).toEqual([[], [-0.1], [null, 1e308, 5e-324]])
    if (python) {
      const { attributes, members } = readByPython(path).tree
      expect(attributes).toEqual({ text: 'µm²', none: '', no: 0, yes: 1, list: ['a', '', '細胞'], empty: [] })
      expect([members!['words']!.values, members!['word']!.values]).toEqual([['', 'a"b', 'a'], ['Größe “x”']])
    }
  })

  // 64 chunks are one leaf, 65 two below a root, 4097 three levels.
  it.each([0, 1, 15, 16, 17, 1024, 1025, 65_536, 65_537])('finds each of %i rows in chunks of sixteen', async (count) => {
    const values = Int32Array.from({ length: count }, (_, i) => (i * 2654435761) | 0)
    const path = await written(async (_, out) => {
      const rows = new Chunks(out, 'int32', [count], 64)
      for (let at = 0; at < count; at += 1000) await rows.append(new Uint8Array(values.slice(at, at + 1000).buffer))
      return group({ rows: { attributes: {}, data: rows } })
    })
    const rows = (await readBack(path)).members!['rows']!
    expect(rows.shape).toEqual([count])
    expect(Buffer.compare(Buffer.from(Int32Array.from(rows.values as number[]).buffer), Buffer.from(values.buffer))).toBe(0)
  })

  it('keeps each type of number, and rows of several', async () => {
    const kinds = { int8: Int8Array, int16: Int16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array } as const
    const list = [-1, 0, 127, -128, 1, 5]
    const path = await written(async (file) => {
      const members: Record<string, Group['members'][string]> = {}
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
        const rows = file.rows('rows', kind, [3, 2])
        await rows.append(new Uint8Array(kinds[kind].from(list).buffer))
        members[kind] = { attributes: {}, data: rows }
      }
      return group(members)
    })
    const { members } = await readBack(path)
    for (const kind of Object.keys(kinds)) expect(members![kind]).toEqual({ attributes: {}, shape: [3, 2], values: list })
  })

  it('gives back any text, in lists around a heap’s size', async () => {
    const seed = 20261128
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !each.includes('\0'))
    for (const [n, count] of [0, 1, 4095, 4096, 4097, 9000].entries()) {
      const texts = fc.sample(text, { seed: seed + n, numRuns: Math.max(count, 1) }).slice(0, count)
      const path = await written(async (file) => {
        const rows = file.texts('rows', count)
        for (let at = 0; at < count; at += 3000) await rows.append(texts.slice(at, at + 3000))
        return group({ rows: { attributes: {}, data: rows.rows } })
      })
      expect((await readBack(path)).members!['rows']!.values).toEqual(texts)
      if (python && count === 4097) expect(readByPython(path).tree.members!['rows']!.values).toEqual(texts)
    }
  })

  it('is refused where other rows come than were announced', async () => {
    const made = written(async (file) => {
      const rows = file.rows('rows', 'int8', [3])
      await rows.append(new Uint8Array(2))
      return group({ rows: { attributes: {}, data: rows } })
    })
    await expect(made).rejects.toThrow('expected 3 rows but received 2')
  })
})
