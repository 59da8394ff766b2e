// Image files: every value comes back as it went, and what cannot be kept is refused by name.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOneOf, commonType, imageFormat, readImageFile, writeImageFiles } from '../../main/imageFiles/index'
import type { FileImage } from '../../main/imageFiles/index'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-images-'))))
afterEach(async () => await rm(directory, { recursive: true }))

/** A .npy by hand. */
function npy(descr: string, shape: string, body: Buffer | Uint8Array, { version = 1, fortran = 'False' } = {}): Buffer {
  const header = Buffer.from(`{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`)
  const size = Buffer.alloc(version === 1 ? 2 : 4)
  if (version === 1) size.writeUInt16LE(header.length)
  else size.writeUInt32LE(header.length)
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]), size, header, body])
}
async function read(name: string, file: Uint8Array): Promise<FileImage> {
  const path = join(directory, name)
  await writeFile(path, file)
  return await readImageFile(path)
}
const bytesOf = (array: ArrayBufferView) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)

describe('.npy', () => {
  it.each([
    ['|u1', Uint8Array.of(0, 1, 255, 7, 8, 9), Uint8Array.of(0, 1, 255, 7, 8, 9)],
    ['|b1', Uint8Array.of(0, 1, 1, 0, 0, 1), Uint8Array.of(0, 1, 1, 0, 0, 1)],
    ['<u2', Uint16Array.of(0, 65535, 256, 1, 2, 3), Uint16Array.of(0, 65535, 256, 1, 2, 3)],
    ['|i1', Int8Array.of(-128, 127, 0, 1, 2, 3), Int32Array.of(-128, 127, 0, 1, 2, 3)],
    ['<i2', Int16Array.of(-32768, 32767, 0, 1, 2, 3), Int32Array.of(-32768, 32767, 0, 1, 2, 3)],
    ['<i4', Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1, 2, 3), Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1, 2, 3)],
    ['<u4', Uint32Array.of(2 ** 31 - 1, 0, 1, 2, 3, 4), Int32Array.of(2 ** 31 - 1, 0, 1, 2, 3, 4)],
    ['<i8', BigInt64Array.of(-5n, 2n ** 31n - 1n, 0n, 1n, 2n, 3n), Int32Array.of(-5, 2 ** 31 - 1, 0, 1, 2, 3)],
    ['<u8', BigUint64Array.of(5n, 0n, 0n, 1n, 2n, 3n), Int32Array.of(5, 0, 0, 1, 2, 3)],
  ])('reads %s', async (descr, raw, expected) => {
    for (const version of [1, 2, 3]) {
      expect(await read('a.npy', npy(descr, '(2, 3)', bytesOf(raw), { version }))).toEqual({
        width: 3,
        height: 2,
        channels: 1,
        data: expected,
      })
    }
  })
  it('reads colour as RGBA, and one channel as grey', async () => {
    expect(await read('a.npy', npy('|u1', '(1, 2, 3)', Uint8Array.of(1, 2, 3, 4, 5, 6)))).toEqual({
      width: 2,
      height: 1,
      channels: 4,
      data: Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255),
    })
    expect(await read('a.npy', npy('|u1', '(1, 1, 4)', Uint8Array.of(1, 2, 3, 4)))).toMatchObject({
      channels: 4,
      data: Uint8Array.of(1, 2, 3, 4),
    })
    expect(await read('a.npy', npy('<u2', '(2, 1, 1)', bytesOf(Uint16Array.of(1, 2))))).toMatchObject({
      channels: 1,
      width: 1,
      height: 2,
    })
  })
  it('reads one row or column in either order, and images without pixels', async () => {
    expect(await read('a.npy', npy('|u1', '(1, 3)', Uint8Array.of(1, 2, 3), { fortran: 'True' }))).toMatchObject({ width: 3 })
    expect(await read('a.npy', npy('|u1', '(0, 5)', Buffer.alloc(0)))).toMatchObject({ width: 5, height: 0 })
  })
  it.each([
    ['Fortran order', npy('|u1', '(2, 2)', Buffer.alloc(4), { fortran: 'True' }), /Fortran order.*ascontiguousarray/],
    ['floats', npy('<f4', '(1, 1)', Buffer.alloc(4)), /<f4: expected one of \|u1/],
    ['big endian', npy('>u2', '(1, 1)', Buffer.alloc(2)), />u2/],
    [
      'records',
      Buffer.from(npy('|u1', '(1, 1)', Buffer.alloc(1)).toString('latin1').replace("'|u1'", '[("a")]'), 'latin1'),
      /records/,
    ],
    ['values that do not fit', npy('<u4', '(1, 1)', bytesOf(Uint32Array.of(2 ** 31))), /2147483648/],
    ['large int64', npy('<i8', '(1, 1)', bytesOf(BigInt64Array.of(-(2n ** 40n)))), /-1099511627776/],
    ['one dimension', npy('|u1', '(3,)', Buffer.alloc(3)), /shape \(3\)/],
    ['two channels', npy('|u1', '(1, 1, 2)', Buffer.alloc(2)), /shape/],
    ['colour of 16 bits', npy('<u2', '(1, 1, 3)', Buffer.alloc(6)), /<u2/],
    ['missing pixels', npy('<i4', '(2, 2)', Buffer.alloc(15)), /incomplete: expected 16 bytes.*15/],
    ['a huge shape', npy('|u1', '(99999999, 99999999)', Buffer.alloc(1)), /2\^31/],
    ['another version', npy('|u1', '(1, 1)', Buffer.alloc(1), { version: 9 }), /version 9/],
    ['no magic', Buffer.from('hello world, this is text'), /not a \.npy/],
    ['nothing', Buffer.alloc(0), /not a \.npy/],
    ['half a header', npy('|u1', '(1, 1)', Buffer.alloc(1)).subarray(0, 20), /is incomplete/],
  ])('refuses %s', async (_, file, message) => {
    await expect(read('a.npy', file)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(message) as unknown,
    })
  })
})

const images: Record<string, FileImage> = {
  uint8: { width: 3, height: 2, channels: 1, data: Uint8Array.of(0, 1, 2, 253, 254, 255) },
  uint16: { width: 3, height: 2, channels: 1, data: Uint16Array.of(0, 1, 255, 256, 40_000, 65_535) },
  int32: { width: 3, height: 2, channels: 1, data: Int32Array.of(-(2 ** 31), -1, 0, 16_777_217, 123_456_789, 2 ** 31 - 1) },
  rgba: { width: 2, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 128) },
  wide: { width: 2000, height: 900, channels: 1, data: Int32Array.from({ length: 1_800_000 }, (_, i) => (i * 7919) % 100_003) },
}

describe('writing', () => {
  for (const [name, image] of Object.entries(images)) {
    for (const ending of ['npy', 'tif', 'png']) {
      if (ending === 'png' && (name === 'int32' || name === 'wide')) continue
      it(`keeps ${name} in .${ending}`, async () => {
        const path = join(directory, 'new', `a.${ending}`)
        await writeImageFiles([{ path, image }])
        expect(await readImageFile(path)).toEqual(image)
      })
    }
  }
  it('puts labels up to 65535 into a PNG, and refuses others by their value', async () => {
    const path = join(directory, 'a.png')
    await writeImageFiles([{ path, image: { width: 2, height: 1, channels: 1, data: Int32Array.of(3, 65_535) } }])
    expect((await readImageFile(path)).data).toEqual(Uint16Array.of(3, 65_535))
    await expect(
      writeImageFiles([
        { path: join(directory, 'b.npy'), image: images['int32']! },
        { path, image: images['int32']! },
      ]),
    ).rejects.toThrow(/-2147483648.*\.npy or \.tif/)
    // All or none.
    expect(await readdir(directory)).toEqual(['a.png'])
  })
  it('refuses other endings', () => {
    expect(() => imageFormat('a.bmp')).toThrow(/\.npy, \.png, \.tif, \.tiff.*a\.bmp/)
    expect(imageFormat('A.TIF')).toBe('.tif')
  })
  it('writes what NumPy writes', async () => {
    await writeImageFiles([{ path: join(directory, 'a.npy'), image: images['uint8']! }])
    const file = await readFile(join(directory, 'a.npy'))
    expect(file.length % 64).toBe(6)
    expect(file.toString('latin1', 10, 10 + file.readUInt16LE(8))).toMatch(
      /^\{'descr': '\|u1', 'fortran_order': False, 'shape': \(2, 3\), \} *\n$/,
    )
  })
})

describe('reading pictures', () => {
  it('ignores colour profiles: values are values', async () => {
    const path = join(directory, 'p.png')
    const rgb = Uint8Array.of(10, 200, 30, 90, 90, 91)
    await sharp(rgb, { raw: { width: 2, height: 1, channels: 3 } })
      .withIccProfile('p3')
      .png()
      .toFile(path)
    const stored = await sharp(path, { ignoreIcc: true }).raw().toBuffer()
    expect([...(await readImageFile(path)).data]).toEqual([...stored.subarray(0, 3), 255, ...stored.subarray(3), 255])
  })
  it('refuses what is none, and says which file is not there', async () => {
    await expect(read('a.png', Buffer.from('no picture'))).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/a\.png cannot be read/) as unknown,
    })
    const cut = (
      await sharp(images['uint8']!.data, { raw: { width: 3, height: 2, channels: 1 } })
        .png()
        .toBuffer()
    ).subarray(0, 60)
    await expect(read('a.png', cut)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(readImageFile(join(directory, 'none.npy'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no file ${join(directory, 'none.npy')}.`,
    })
    await expect(readImageFile(directory + '.npy/x.npy')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('types', () => {
  const image = (data: FileImage['data']): FileImage => ({ width: data.length, height: 1, channels: 1, data })
  it('takes the narrowest type that holds every value', () => {
    expect(asOneOf(image(Int32Array.of(0, 255)), ['uint8', 'uint16'], 'x').data).toEqual(Uint8Array.of(0, 255))
    expect(asOneOf(image(Int32Array.of(0, 256)), ['uint8', 'uint16'], 'x').data).toEqual(Uint16Array.of(0, 256))
    expect(asOneOf(image(Uint8Array.of(3)), ['int32'], 'x').data).toEqual(Int32Array.of(3))
    expect(() => asOneOf(image(Int32Array.of(-1, 3)), ['uint8'], '--mask')).toThrow(
      'expected pixels of type uint8 for --mask but received int32 with values from -1 to 3',
    )
  })
  it('finds the type that two images share', () => {
    const types = ['uint8', 'uint16', 'int32'] as const
    expect(
      commonType([
        { image: image(Uint8Array.of(1)), types },
        { image: image(Uint16Array.of(1)), types },
      ]),
    ).toBe('uint16')
    expect(
      commonType([
        { image: image(Int32Array.of(1)), types },
        { image: image(Uint16Array.of(1)), types: ['uint8', 'uint16'] },
      ]),
    ).toBeUndefined()
  })
})
