// A picture with a colour profile: every reader analyses the same samples, the file's own, and looks converted where that is wanted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withProfile } from '../../../main/slide/colorProfile'
import { Slides } from '../../../main/slide/slides'
import type { OpenSlide } from '../../../main/slide/slides'
import { SlideTiles } from '../../../main/slide/slideTiles'
import { iccOf, scanners } from '../../scannerProfiles'
import { dicomOf } from './dicomWriter'
import { tiffOf } from './tiffWriter'
import type { Field } from './tiffWriter'

let folder: string
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const tiles = new SlideTiles()
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-profile-'))))
afterAll(async () => {
  slides.closeAll()
  await rm(folder, { recursive: true, force: true })
})

const side = 256
const raw = { width: side, height: side, channels: 3 } as const
/** Smooth, so that JPEG tiles keep it, and of many colours. */
const samples = Uint8Array.from({ length: 3 * side * side }, (_, i) => {
  const [x, y] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side)]
  return [60 + x * 0.7, 40 + y * 0.7, 230 - (x + y) * 0.3][i % 3]!
})
const profileA = iccOf(scanners[0]!)

const icc = (bytes: Uint8Array): Field => ({ tag: 34_675, type: 7, values: [...bytes] })
const tiff = (profile: Uint8Array | null, tilePx?: number): Buffer =>
  tiffOf([
    {
      ...{ width: side, height: side, samplesPerPixel: 3, samples, fields: profile ? [icc(profile)] : [] },
      ...(tilePx && { tilePx }),
    },
  ])
async function png(profile: Uint8Array | null): Promise<Buffer> {
  // Keeps the samples: a TIFF's are taken as they are, and its profile stands beside them.
  const source = sharp(profile ? withProfile(rgba(), side, side, profile) : tiff(null), { ignoreIcc: true })
  return (profile ? source.keepIccProfile() : source).png().toBuffer()
}
const rgba = (): Uint8Array =>
  Uint8Array.from({ length: 4 * side * side }, (_, i) => (i % 4 === 3 ? 255 : samples[3 * Math.floor(i / 4) + (i % 4)]!))

let files = 0
async function opened(bytes: Uint8Array, ending = 'tif'): Promise<OpenSlide> {
  // A folder each: DICOM files of one folder would be one slide.
  const path = join(await mkdtemp(join(folder, 'one-')), `${(files += 1)}.${ending}`)
  await writeFile(path, bytes)
  return slides.open(path)
}
async function analysed({ native }: OpenSlide): Promise<Uint8Array> {
  const read = await native.readScaled(1, 0, 0, side, side)
  return read.rgba.filter((_, i) => i % 4 < 3)
}
const shown = async ({ body }: { body: Uint8Array }): Promise<Buffer> => sharp(body).removeAlpha().raw().toBuffer()
/** The mean of the differences. */
const apart = (a: Uint8Array, b: Uint8Array): number => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length

describe('a picture with a colour profile', () => {
  it('has the same samples for every reader, with the profile and without', async () => {
    const files: [string, Uint8Array, string][] = [
      ['a flat TIFF', tiff(profileA), 'tif'],
      ['a tiled TIFF', tiff(profileA, 128), 'tif'],
      ['a PNG', await png(profileA), 'png'],
      ['a DICOM slide', dicomOf(samples, side, profileA), 'dcm'],
      ['a flat TIFF without', tiff(null), 'tif'],
      ['a tiled TIFF without', tiff(null, 128), 'tif'],
      ['a DICOM slide without', dicomOf(samples, side, null), 'dcm'],
    ]
    const readers = new Set<string>()
    for (const [name, bytes, ending] of files) {
      const slide = await opened(bytes, ending)
      readers.add(slide.info.reader.split(' ')[0]!)
      expect(Buffer.compare(await analysed(slide), samples), name).toBe(0)
      expect(slide.info.icc, name).toBe(name.endsWith('without') ? undefined : 'Made scanner A')
    }
    // Two at least: what they agree on is no accident of one.
    expect(readers.size).toBeGreaterThan(1)
  })

  it('looks converted where that is wanted, the same for every reader', async () => {
    const expected = await sharp(await png(profileA))
      .removeAlpha()
      .raw()
      .toBuffer()
    expect(apart(expected, samples)).toBeGreaterThan(4)
    for (const slide of [
      await opened(tiff(profileA)),
      await opened(tiff(profileA, 128)),
      await opened(await png(profileA), 'png'),
      await opened(dicomOf(samples, side, profileA), 'dcm'),
    ]) {
      const { maxLevel, tileSizePx } = slide.info.viewer
      expect(
        apart(await shown(await tiles.converted(slide, maxLevel, 0, 0)), await shown(await tiles.picture(slide, maxLevel, 0, 0))),
      ).toBeGreaterThan(3)
      const across = Math.ceil(side / tileSizePx)
      for (let at = 0; at < across ** 2; at++) {
        const [x, y] = [at % across, Math.floor(at / across)]
        const part = {
          left: x * tileSizePx,
          top: y * tileSizePx,
          width: Math.min(side, tileSizePx),
          height: Math.min(side, tileSizePx),
        }
        const wanted = await sharp(expected, { raw }).extract(part).raw().toBuffer()
        const plain = await sharp(samples, { raw }).extract(part).raw().toBuffer()
        expect(apart(await shown(await tiles.converted(slide, 0, x, y)), wanted)).toBeLessThan(1.5)
        expect(apart(await shown(await tiles.picture(slide, 0, x, y)), plain)).toBeLessThan(1.5)
      }
    }
  })

  it('of 16 bits keeps its samples, flat as tiled', async () => {
    const deep = await sharp(samples, { raw })
      .toColourspace('rgb16')
      .withIccProfile('p3')
      .tiff({ compression: 'none' })
      .toBuffer()
    const deepTiled = await sharp(deep, { ignoreIcc: true })
      .pipelineColourspace('rgb16')
      .toColourspace('rgb16')
      .keepIccProfile()
      .tiff({ compression: 'none', tile: true, tileWidth: 128, tileHeight: 128 })
      .toBuffer()
    const [flat, tiled] = [await opened(deep), await opened(deepTiled)]
    expect(flat.info.icc).toBe(tiled.info.icc)
    expect(flat.info.icc).toMatch(/P3/i)
    expect(Buffer.compare(await analysed(flat), await analysed(tiled))).toBe(0)
  })

  it('that is no profile of red, green and blue is shown as it is analysed', async () => {
    const grey = Buffer.from(profileA)
    grey.write('GRAY', 16, 'latin1')
    const longName = Buffer.from(profileA)
    longName.writeUInt32BE(0xffff_fff0, longName.indexOf('desc', 140) + 4)
    const far = Buffer.from(profileA)
    far.writeUInt32BE(0xffff_fff0, 132 + 4)
    for (const [bytes, name] of [
      [grey, undefined],
      [profileA.subarray(0, 100), undefined],
      [Buffer.from('no profile at all'), undefined],
      [far, 'without a name'],
    ] as const) {
      const slide = await opened(tiff(bytes, 128))
      expect(slide.info.icc).toBe(name)
      expect(Buffer.compare(await analysed(slide), samples)).toBe(0)
      // Where the library takes it for none, the picture is what it was.
      expect(
        apart(await shown(await tiles.converted(slide, 0, 0, 0)), await shown(await tiles.picture(slide, 0, 0, 0))),
      ).toBeLessThan(20)
    }
    const inks = await sharp(samples, { raw }).toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer()
    expect((await opened(inks)).info.widthPx).toBe(side)
  })
})
