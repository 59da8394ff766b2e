// Every slide file of the data set beside the repository: opens or says clearly why not, never crashes, hangs or hides a bad part.
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as native from '../../native/index'
import type { NativeError, Slide } from '../../native/index'
import { comparePassThrough, dataFolder, filesOf } from './pixels'

const data = dataFolder()
const skipped = !data || !native.status().openslide.available
const folders = data
  ? [join(data, 'slides'), join(data, 'slides', 'synthetic'), join(data, 'slides', 'refused-by-openslide'), join(data, 'broken')]
  : []
const files = folders.flatMap((folder) =>
  filesOf(folder).map((path) => ({ name: `${basename(folder)}/${basename(path)}`, path })),
)
if (data) files.push({ name: 'hamamatsu-vms/synth.vms', path: join(data, 'slides', 'synthetic', 'hamamatsu-vms', 'synth.vms') })

/** What fails to open, and how: the detail tells main/ whether another decoder may try. */
const refused: Record<string, string> = {
  'slides/README.md': 'unsupported-format',
  'synthetic/mosaic-gt-4000.json': 'unsupported-format',
  'synthetic/mosaic-gt-4000_inst.png': 'unsupported-format',
  'synthetic/trestle-overlap.Full': 'unsupported-format',
  'refused-by-openslide/kidney-48-5.tif': 'unsupported-format',
  'broken/absurd-dimensions-2g.svs': 'damaged',
  'broken/expected_openslide_3.4.1.json': 'unsupported-format',
  'broken/generic-truncated.tif': 'damaged',
  'broken/ifd-loop.svs': 'damaged',
  'broken/mirax-no-directory.mrxs': 'incomplete',
  'broken/text-renamed.svs': 'unsupported-format',
  'broken/truncated-50pct.svs': 'damaged',
  'broken/zero-byte.svs': 'damaged',
}
/** Files that open and have parts that cannot be decoded: these, and only these, report unreadable regions. */
const partial: Record<string, true> = {
  'broken/level1-bad-tile-width.svs': true,
  'broken/ndpi-jpeg-zeroed-middle.ndpi': true,
  'broken/one-tile-garbage-jpeg.svs': true,
  'broken/one-tile-zero-length.svs': true,
}

/** Holds no lone surrogate: only then does it survive UTF-8. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text
}

/** Reads every level at its own scale, a few thousand px a side at most, and scales in between. */
async function readAll(slide: Slide): Promise<{ opaque: boolean; unreadable: number; reasons: Set<string> }> {
  let opaque = true
  let unreadable = 0
  const reasons = new Set<string>()
  const info = slide.info()
  const scales = [...info.levels.map((l) => l.downsample), 1.37, Math.max(info.bounds.width, info.bounds.height) / 300]
  for (const scale of scales) {
    const x = Math.floor(info.bounds.x / scale)
    const y = Math.floor(info.bounds.y / scale)
    const width = Math.max(1, Math.min(5000, Math.ceil(info.bounds.width / scale)))
    const height = Math.max(1, Math.min(5000, Math.ceil(info.bounds.height / scale)))
    const read = await slide.readScaled(Math.max(1 / 16, scale), x, y, width, height)
    for (let i = 3; i < read.rgba.length; i += 4) if (read.rgba[i] !== 255) opaque = false
    unreadable += read.unreadable.length
    for (const part of read.unreadable) {
      reasons.add(part.reason)
      expect(part.region.width * part.region.height).toBeGreaterThan(0)
      expect(part.region.x + part.region.width).toBeLessThanOrEqual(info.levels[0]?.width ?? 0)
    }
  }
  return { opaque, unreadable, reasons }
}

describe.skipIf(skipped)('the data set beside the repository (MORPHOSCOPE_DATA or ../shared/data, and OpenSlide)', () => {
  test.each(files)('$name', async ({ name, path }) => {
    let slide: Slide
    try {
      slide = await native.openSlide(path)
    } catch (error) {
      const { code, detail, message } = error as NativeError
      expect(error).toBeInstanceOf(native.NativeError)
      expect(code).toBe('SLIDE_UNREADABLE')
      expect(message).toContain(path)
      expect(message.length).toBeGreaterThan(path.length + 30)
      expect(detail).toBe(refused[name])
      return
    }
    expect(refused[name], 'it opened').toBeUndefined()
    const info = slide.info()
    expect(info.levels.length).toBeGreaterThan(0)
    expect(info.mppX > 0 ? info.warnings.length : info.warnings.length > 0 ? 0 : 1).toBe(0)
    // One is made of a photograph, and says so.
    const coarsest = name.endsWith('wsi2dcm-jpeg.dcm') ? 17 : 1
    expect(info.mppX === 0 || (info.mppX > 0.1 && info.mppX < coarsest)).toBe(true)
    for (const [key, value] of Object.entries(info.properties)) {
      expect(isWellFormed(key)).toBe(true)
      expect(isWellFormed(value)).toBe(true)
    }
    const { opaque, unreadable, reasons } = await readAll(slide)
    expect(opaque, 'pixels are opaque').toBe(true)
    expect(unreadable > 0, [...reasons].join('; ')).toBe(partial[name] ?? false)
    for (const image of info.associated) {
      const { rgba, width, height } = await slide.associated(image)
      expect(rgba.length).toBe(width * height * 4)
    }
    // Errors of one part must not have latched.
    const corner = await slide.readScaled(1, info.bounds.x, info.bounds.y, 64, 64)
    expect(corner.unreadable).toEqual([])
    slide.close()
  })

  test.each([
    'slides/HE_example_hamamatsu_LE.ome.tif',
    'synthetic/aperio-pyramid.svs',
    'synthetic/generic-pyramid-jpeg.tif',
    'synthetic/philips.tiff',
    'synthetic/mosaic-gt-4000.svs',
    'synthetic/huge-98304x81920-dedup.svs',
  ])('%s: pass-through tiles show the same pixels', async (name) => {
    const path = files.find((file) => file.name === name)?.path ?? ''
    const slide = await native.openSlide(path)
    let largest = 0
    const compared = await comparePassThrough(slide, 40, (tile, d) => {
      for (const c of d.shift) expect(Math.abs(c), tile).toBeLessThan(0.5)
      largest = Math.max(largest, d.largest)
    })
    expect(compared).toBeGreaterThan(10)
    expect(largest).toBeLessThanOrEqual(4)
  })
})
