// Tiled TIFFs of some hundred kB that claim very many pixels: what `info` says of them, and that what tells a stain gives up.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recogniseSlide } from '../../../main/slide/recognise'
import { openNative } from '../../../main/slide/slides'
import { toSlideInfo } from '../../../main/slide/slideInfo'
import type { Slide } from '../../../native/index'
import { cli } from '../../app/cli/inProcess'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'costly-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Claim {
  readonly width: number
  readonly height: number
  readonly tilePx: number
  /** Of each tile: all lie at one place. */
  readonly tile: Buffer
  readonly compression: number
}
/** One directory, whose tables are whole. */
async function file(name: string, { width, height, tilePx, tile, compression }: Claim): Promise<string> {
  const tiles = Math.ceil(width / tilePx) * Math.ceil(height / tilePx)
  const data = Buffer.concat([tile, Buffer.alloc(tile.length % 2)])
  const [at, bits] = [8, 8 + data.length]
  const offsets = bits + 6
  const sizes = offsets + 4 * tiles
  const table = Buffer.alloc(8 * tiles)
  for (let k = 0; k < tiles; k++) {
    table.writeUInt32LE(at, 4 * k)
    table.writeUInt32LE(tile.length, 4 * (tiles + k))
  }
  const entries = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 3, bits],
    [259, 3, 1, compression],
    [262, 3, 1, 2],
    [277, 3, 1, 3],
    [284, 3, 1, 1],
    [322, 4, 1, tilePx],
    [323, 4, 1, tilePx],
    [324, 4, tiles, offsets],
    [325, 4, tiles, sizes],
  ] as const
  const head = Buffer.alloc(8)
  head.write('II')
  head.writeUInt16LE(42, 2)
  head.writeUInt32LE(sizes + 4 * tiles, 4)
  const directory = Buffer.alloc(2 + 12 * entries.length + 4)
  directory.writeUInt16LE(entries.length, 0)
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * i)
    directory.writeUInt16LE(type, 4 + 12 * i)
    directory.writeUInt32LE(count, 6 + 12 * i)
    directory.writeUInt32LE(value, 10 + 12 * i)
  }
  const path = join(folder, name)
  await writeFile(path, Buffer.concat([head, data, Buffer.from([8, 0, 8, 0, 8, 0]), table, directory]))
  return path
}
const wide = { width: 227_767, height: 1484 }

describe('info', () => {
  it('tells from the header alone that a file has no picture', async () => {
    const { code, err } = await cli(
      'info',
      await file('none.tif', { ...wide, tilePx: 256, tile: Buffer.alloc(0), compression: 1 }),
    )
    expect(code).toBe(65)
    expect(err).toContain('claims 227767 × 1484 px and holds no data for any of its tiles')
  })

  it('says why it cannot tell the stain, after the first part that cannot be read', async () => {
    const tile = Buffer.from('\xff\xd8 no JPEG', 'latin1')
    const { code, out } = await cli('info', await file('wide.tif', { ...wide, tilePx: 256, tile, compression: 7 }))
    expect(code).toBe(0)
    expect(out).toContain('227767 × 1484 px')
    expect(out).toMatch(/looks like +unknown: The slide's overview could not be read \(.+\)\./)
  })
})

describe('what tells the stain', () => {
  it('asks for a whole picture or none', async () => {
    const tile = Buffer.from('\xff\xd8 no JPEG', 'latin1')
    const native = await openNative(await file('square.tif', { width: 8192, height: 8192, tilePx: 256, tile, compression: 7 }))
    try {
      const info = toSlideInfo('s1', native.info())
      const read = await native.readScaled(8, 0, 0, 1024, 1024, undefined, { whole: true })
      // All of it is told; what was not tried any more as what could not be read.
      expect(new Set(read.unreadable.map(({ reason }) => reason)).size).toBe(1)
      expect(read.timedOut).toBe(false)
      await expect(recogniseSlide({ info, native })).rejects.toMatchObject({
        code: 'SLIDE_UNREADABLE',
        message: `The slide's overview could not be read (${read.unreadable[0]!.reason}).`,
      })
    } finally {
      native.close()
    }
  })

  it('gives up where the overview takes too long', async () => {
    const info = { bounds: { x: 0, y: 0, width: 4096, height: 4096 } } as ReturnType<typeof toSlideInfo>
    // The reader looks at the token before each piece.
    const readScaled: Slide['readScaled'] = async (...[, , , , , token]) => {
      while (token?.cancelled !== true) await new Promise((resolve) => setTimeout(resolve, 5))
      throw new Error('cancelled')
    }
    await expect(recogniseSlide({ info, native: { readScaled } as Slide }, undefined, 50)).rejects.toThrow(
      'could not be read within 0.05 s',
    )
  })
})
