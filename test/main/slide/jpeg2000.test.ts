// JPEG 2000 of any depth, grey or in colours, in TIFFs and DICOM slides: OpenJPEG's own samples, or refused in words.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Slide } from '../../../native/index'
import { openNative } from '../../../main/slide/slides'
import { deepTiff } from './deepTiff'
import type { Compression, DeepPage } from './deepTiff'
import { dicomOfFrame } from './dicomWriter'

const side = 32
/** A second tile that is cut by the slide's end. */
const width = 48

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-j2k-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const codestream = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '..', '..', 'fixtures', 'slides', 'jpeg2000', `${name}.j2k`))

interface Kind {
  readonly name: string
  readonly bits: 8 | 12 | 16
  readonly samples: 1 | 3
  readonly signed?: true
}
/** As makeFiles.py has it. */
function value({ bits, signed }: Kind, x: number, y: number, component: number): number {
  const least = signed ? 2 ** (bits - 1) : 0
  return ((x * 641 + y * 359 + component * 7919) % 2 ** bits) - least
}

const kinds: readonly Kind[] = [
  { name: 'gray-8', bits: 8, samples: 1 },
  { name: 'gray-12', bits: 12, samples: 1 },
  { name: 'gray-16', bits: 16, samples: 1 },
  { name: 'gray-16-signed', bits: 16, samples: 1, signed: true },
  { name: 'gray-16-tiles', bits: 16, samples: 1 },
  { name: 'rgb-8', bits: 8, samples: 3 },
  { name: 'rgb-16', bits: 16, samples: 3 },
]
const compressions: readonly Compression[] = ['aperioYcc', 'lossy2000', 'aperioRgb', 'jpeg2000']

async function tiff(name: string, page: Partial<DeepPage>, tiled = true): Promise<string> {
  const path = join(folder, `${name}.tif`)
  const shape = tiled ? { width, height: side, tilePx: side } : { width: side, height: side }
  const all = { ...shape, samples: 1, bits: 16, format: 'uint', values: [], compression: 'jpeg2000', ...page } as DeepPage
  await writeFile(path, deepTiff([all]))
  return path
}
/** Of level 0, by channel. */
async function samplesOf(slide: Slide): Promise<number[][]> {
  const { channels, levels } = slide.info()
  const { width: across, height: down } = levels[0]!
  const all: number[][] = []
  for (let c = 0; c < channels.length; c++) {
    const { samples, unreadable } = await slide.readChannel(0, c, 0, 0, across, down)
    expect(unreadable).toEqual([])
    all.push([...samples].map(Number))
  }
  return all
}
const expected = (kind: Kind, across: number): number[][] =>
  Array.from({ length: kind.samples }, (_, c) =>
    Array.from({ length: across * side }, (_each, i) => value(kind, (i % across) % side, Math.floor(i / across), c)),
  )
async function opened<T>(path: string, look: (slide: Slide) => Promise<T>): Promise<T> {
  const slide = await openNative(path)
  try {
    return await look(slide)
  } finally {
    slide.close()
  }
}

describe.each(kinds)('$name', (kind) => {
  it.each(compressions)('gives back every sample from a TIFF (%s)', async (compression) => {
    const bytes = await codestream(kind.name)
    for (const tiled of [true, false]) {
      const path = await tiff(
        `${kind.name}-${compression}-${tiled}`,
        {
          ...{ bits: kind.bits, samples: kind.samples, format: kind.signed ? 'int' : 'uint', compression },
          ...{ photometric: kind.samples === 3 ? 2 : 1, pieces: tiled ? [bytes, bytes] : [bytes] },
        },
        tiled,
      )
      await opened(path, async (slide) => {
        expect(slide.info().reader).toBe('Morphoscope TIFF')
        expect(await samplesOf(slide)).toEqual(expected(kind, tiled ? width : side))
      })
    }
  })

  it('gives back every sample from a DICOM slide', async () => {
    const path = join(folder, `${kind.name}.dcm`)
    const frame = await codestream(kind.name)
    const shape = { side, samples: kind.samples, bits: kind.bits, isSigned: kind.signed === true }
    await writeFile(path, dicomOfFrame(frame, { ...shape, photometric: kind.samples === 3 ? 'YBR_RCT' : 'MONOCHROME2' }))
    await opened(path, async (slide) => {
      expect(slide.info().reader).toBe('Morphoscope DICOM')
      expect(slide.info().depth).toBe(kind.samples === 1 && kind.bits > 8 ? 16 : 8)
      expect(await samplesOf(slide)).toEqual(expected(kind, side))
    })
  })
})

it('has of a lossy one what opj_decompress has', async () => {
  const bytes = await codestream('gray-16-lossy')
  await opened(await tiff('lossy', { pieces: [bytes, bytes] }), async (slide) => {
    const { samples } = await slide.readChannel(0, 0, 0, 0, side, side)
    const raw = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
    expect(createHash('sha256').update(raw).digest('hex')).toBe(
      '37b318ade36803ba9975c83faa5f11c41f4eb1f9265024b6e54f209e237c559f',
    )
  })
})

it('says of a part why it is not what the file states', async () => {
  const [deep, colors, plain, signed] = await Promise.all(
    ['gray-16', 'rgb-8', 'rgb-16-plain', 'gray-16-signed'].map((name) => codestream(name)),
  )
  const reasons = async (page: Partial<DeepPage>): Promise<string> =>
    opened(await tiff(`odd-${Math.random()}`, page), async (slide) => {
      const { unreadable } = await slide.readChannel(0, 0, 0, 0, width, side)
      return unreadable.map(({ reason }) => reason).join('; ')
    })
  expect(await reasons({ pieces: [deep!, deep!], bits: 12 })).toContain('has 16 bits a sample, and at most 12 were expected')
  expect(await reasons({ pieces: [colors!, colors!] })).toContain('has 3 components, and 1 were expected')
  expect(await reasons({ pieces: [signed!, signed!] })).toContain('has signs, and none were expected')
  expect(await reasons({ pieces: [deep!, Buffer.from('nothing of the kind, and long enough to look at')] })).toContain(
    'begins with no codestream’s header',
  )
  expect(await reasons({ pieces: [deep!.subarray(0, 200), deep!] })).toContain('cannot be decoded by OpenJPEG')
  // Aperio's YCbCr has 8 bits, and no codec says how others are meant.
  expect(await reasons({ pieces: [plain!, plain!], samples: 3, photometric: 2, compression: 'aperioYcc' })).toContain(
    'YCbCr of more than 8 bits',
  )
  await expect(opened(await tiff('wide', { pieces: [deep!, deep!], bits: 32 }), async () => null)).rejects.toThrow(
    /JPEG 2000 \(compression 34712\) of 32 bits a sample/,
  )
})
