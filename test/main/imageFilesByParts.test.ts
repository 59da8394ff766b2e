// Images that are not held in memory: every format and type comes out of its file, and goes into a TIFF, with the same values; what is refused.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openByParts, readImageFile, writeByParts, writeImageFiles } from '../../main/ops'
import type { PixelType } from '../../main/engine'
import type { FileImage, PartedImage } from '../../main/ops'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-by-parts-'))
const scratchFolder = mkdtempSync(join(tmpdir(), 'morphoscope-by-parts-scratch-'))
afterAll(() => [folder, scratchFolder].forEach((each) => rmSync(each, { recursive: true })))
const file = (name: string): string => join(folder, name)
const scratch = { folder: scratchFolder }

const [width, height] = [611, 397]
const values = (most: number): number[] =>
  Array.from({ length: width * height }, (_, i) => Math.abs(Math.imul(i ^ (i >> 7), 2654435761 | 0)) % most)
const image = (data: FileImage['data']): FileImage => ({ width, height, channels: 1, data })
const arrays = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array }

/** Its pixels, read where `callRegion` would. */
function pixelsOf(opened: PartedImage): number[] {
  if (!('path' in opened)) throw new Error('held in memory')
  const bytes = new Uint8Array(readFileSync(opened.path)).buffer
  return [...new arrays[opened.type](bytes, opened.offset, opened.width * opened.height)]
}

beforeAll(async () => {
  const bytes = image(Uint8Array.from(values(256)))
  const words = image(Uint16Array.from(values(65_536)))
  const labels = image(Int32Array.from(values(2 ** 31 - 1)))
  const of8 = () => sharp(bytes.data, { raw: { width, height, channels: 1 } }).toColourspace('b-w')
  await writeImageFiles([
    { path: file('strips.tif'), image: bytes },
    { path: file('words.tif'), image: words },
    { path: file('words.png'), image: words },
    { path: file('labels.tif'), image: labels },
  ])
  await of8()
    .tiff({ tile: true, tileWidth: 64, tileHeight: 48, compression: 'lzw', predictor: 'horizontal' })
    .toFile(file('lzw.tiff'))
  await of8().tiff({ bigtiff: true, compression: 'none' }).toFile(file('big.tif'))
  await of8().png({ progressive: true }).toFile(file('interlaced.png'))
  // The same labels, said to be without sign: tag 339 (SampleFormat), type 3 (short), one value.
  const unsigned = readFileSync(file('labels.tif'))
  const at = unsigned.indexOf(Buffer.from([0x53, 0x01, 3, 0, 1, 0, 0, 0, 2, 0]))
  unsigned[at + 8] = 1
  writeFileSync(file('unsigned.tif'), unsigned)
})

describe('files that are unpacked', () => {
  it.each(['strips.tif', 'lzw.tiff', 'big.tif', 'interlaced.png', 'words.tif', 'words.png', 'labels.tif', 'unsigned.tif'])(
    '%s: the values that reading it whole gives',
    async (name) => {
      const seen: string[] = []
      const opened = await openByParts(file(name), { ...scratch, progress: (doing) => seen.push(doing) }, 0)
      const whole = await readImageFile(file(name))
      expect(opened).toMatchObject({ width, height, type: { 1: 'uint8', 2: 'uint16', 4: 'int32' }[whole.data.BYTES_PER_ELEMENT] })
      expect(pixelsOf(opened)).toEqual([...whole.data])
      expect(readdirSync(scratchFolder)).toHaveLength(1)
      await opened.dispose!()
      expect(readdirSync(scratchFolder)).toEqual([])
    },
  )

  it('is damaged where a part of a TIFF cannot be unpacked, and not 0 there, whole or by parts', async () => {
    for (const name of ['strips.tif', 'labels.tif', 'lzw.tiff']) {
      const bytes = readFileSync(file(name))
      writeFileSync(file(`damaged-${name}`), bytes.fill(0x55, bytes.length >> 2, bytes.length >> 1))
      await expect(readImageFile(file(`damaged-${name}`))).rejects.toThrow('is damaged')
      await expect(openByParts(file(`damaged-${name}`), scratch, 0)).rejects.toThrow('is damaged')
    }
    expect(readdirSync(scratchFolder)).toEqual([])
  })

  it('holds a small one in memory', async () => {
    expect(await openByParts(file('strips.tif'), scratch)).toHaveProperty('image.width', width)
  })

  it('refuses by name, and leaves nothing', async () => {
    const refused = async (name: string, message: string): Promise<void> => {
      await expect(openByParts(file(name), scratch, 0)).rejects.toMatchObject({
        message: expect.stringContaining(message) as string,
      })
      expect(readdirSync(scratchFolder)).toEqual([])
    }
    const whole = readFileSync(file('big.tif'))
    writeFileSync(file('cut.tif'), whole.subarray(0, whole.length - 40_000))
    await refused('nothing.tif', 'There is no file')
    writeFileSync(file('words.tif.png'), 'no image')
    await refused('words.tif.png', 'cannot be read as an image')
    // Two bits of its lowest label's place: a label of 2^31 and more.
    const large = image(Int32Array.from(values(1000), (value, i) => (i === 500 ? -5 : value)))
    await writeImageFiles([{ path: file('large.tif'), image: large }])
    const bytes = readFileSync(file('large.tif'))
    bytes[bytes.indexOf(Buffer.from([0x53, 0x01, 3, 0, 1, 0, 0, 0, 2, 0])) + 8] = 1
    writeFileSync(file('large.tif'), bytes)
    await refused('large.tif', 'holds 4294967291: expected values below 2^31')
    await refused('cut.tif', 'cut.tif ')
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .tiff()
      .toFile(file('colour.tif'))
    await refused('colour.tif', 'expected a grey image')
  })

  it('says how much room a file needs that claims to be larger than the disk, before it reads it', async () => {
    const claims = readFileSync(file('strips.tif'))
    for (const tag of [0x100, 0x101])
      claims.writeUInt32LE(2 ** 24, claims.indexOf(Buffer.from([tag & 255, 1, 4, 0, 1, 0, 0, 0])) + 8)
    writeFileSync(file('claims.tif'), claims)
    await expect(openByParts(file('claims.tif'), scratch)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(readdirSync(scratchFolder)).toEqual([])
  })

  it('ends at once when it is cancelled', async () => {
    await expect(openByParts(file('strips.tif'), { ...scratch, signal: AbortSignal.abort() }, 0)).rejects.toThrow()
    const later = new AbortController()
    const opening = openByParts(file('strips.tif'), { ...scratch, signal: later.signal }, 0)
    setTimeout(() => later.abort(), 5)
    await expect(opening).rejects.toThrow()
    expect(readdirSync(scratchFolder)).toEqual([])
  })
})

describe('a TIFF that is written by parts', () => {
  it.each(['uint8', 'uint16', 'int32'] as const)('%s: the same values, in tiles', async (type: PixelType) => {
    const most = { uint8: 256, uint16: 65_536, int32: 2 ** 31 - 1 }[type]
    const data = arrays[type].from(values(most))
    const path = file(`tiled-${type}.tif`)
    const result = await writeByParts(
      path,
      'out',
      { width, height, type },
      scratch,
      async (output) => {
        if (!('path' in output)) throw new Error('held in memory')
        writeFileSync(output.path, Buffer.from(data.buffer))
        return await Promise.resolve(7)
      },
      0,
    )
    expect(result).toBe(7)
    expect((await readImageFile(path)).data).toEqual(data)
    // TileWidth, which strips have not.
    expect(readFileSync(path).includes(Buffer.from([0x42, 0x01, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0]))).toBe(true)
    expect(readdirSync(scratchFolder)).toEqual([])
  })

  it('leaves nothing where computing fails', async () => {
    const failing = writeByParts(
      file('failed.tif'),
      'out',
      { width, height, type: 'uint8' },
      scratch,
      () => Promise.reject(new Error('no')),
      0,
    )
    await expect(failing).rejects.toThrow('no')
    expect(readdirSync(folder)).not.toContain('failed.tif')
    expect(readdirSync(scratchFolder)).toEqual([])
  })
})
