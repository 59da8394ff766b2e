// Slides without pixels: the viewer's pyramid, pass-through, calibration from TIFF tags, foreign files, and the overview's patches.
import { describe, expect, it } from 'vitest'
import { foreignFormat } from '../../../main/slide/decodeImage'
import { choosePatches, tissuePixels } from '../../../main/slide/overviewSample'
import { maxLevel, toSlideInfo, viewerLevelSize, viewerTilePx } from '../../../main/slide/slideInfo'
import { passThroughLevel } from '../../../main/slide/slideTiles'
import type { SlideInfo as NativeSlideInfo } from '../../../native/index'

const native: NativeSlideInfo = {
  path: '/a/b/slide.svs',
  vendor: 'aperio',
  reader: 'OpenSlide',
  readerVersion: '3.4.1',
  levels: [
    { width: 2220, height: 2967, downsample: 1, tileWidth: 240, tileHeight: 240 },
    { width: 555, height: 741, downsample: 4.002, tileWidth: 240, tileHeight: 240 },
  ],
  mppX: 0.499,
  mppY: 0.499,
  mppSource: 'vendor',
  objectivePower: 20,
  bounds: { x: 0, y: 0, width: 2220, height: 2967 },
  background: { r: 255, g: 254, b: 3 },
  channels: [],
  depth: 8,
  associated: ['label'],
  properties: {},
  warnings: [],
}

describe('toSlideInfo', () => {
  it("takes the file's own square tiles for the viewer", () => {
    expect(toSlideInfo('s1', native)).toMatchObject({
      name: 'slide.svs',
      mppX: 0.499,
      mppSource: 'vendor',
      background: '#fffe03',
      viewer: { tileSizePx: 240, maxLevel: 4 },
    })
    expect(viewerTilePx({ tileWidth: 3968, tileHeight: 8 })).toBe(256)
    expect(viewerTilePx({ tileWidth: 64, tileHeight: 64 })).toBe(256)
    expect(viewerTilePx({ tileWidth: 0, tileHeight: 0 })).toBe(256)
  })

  it("lets the user's calibration win, and says uncalibrated as null", () => {
    expect(toSlideInfo('s1', native, 0.25)).toMatchObject({ mppX: 0.25, mppY: 0.25, mppSource: 'given' })
    expect(toSlideInfo('s1', { ...native, mppX: 0, mppY: 0, objectivePower: 0 })).toMatchObject({
      mppX: null,
      mppY: null,
      mppSource: 'none',
      objectivePower: null,
    })
  })
})

describe("the viewer's pyramid", () => {
  it('ends when one tile holds the slide', () => {
    expect(maxLevel(256, 256, 256)).toBe(0)
    expect(maxLevel(257, 1, 256)).toBe(1)
    expect(viewerLevelSize({ widthPx: 2220, heightPx: 2967 }, 2)).toEqual({ width: 555, height: 742 })
  })

  it('passes through a level that differs by rounding alone', () => {
    const info = toSlideInfo('s1', native)
    expect(passThroughLevel(info, 0)).toBe(0)
    expect(passThroughLevel(info, 1)).toBe(-1)
    expect(passThroughLevel(info, 2)).toBe(1)
    const shifted = { ...info, levels: info.levels.map((level, i) => (i === 1 ? { ...level, widthPx: 560 } : level)) }
    expect(passThroughLevel(shifted, 2)).toBe(-1)
  })
})

describe('decoding', () => {
  it('names formats that it cannot read, with a way out', () => {
    const dicom = new Uint8Array(132)
    dicom.set([0x44, 0x49, 0x43, 0x4d], 128)
    expect(foreignFormat(dicom)).toMatch(/DICOM.*export/)
    expect(foreignFormat(new TextEncoder().encode('%PDF-1.7'))).toContain('PDF')
    expect(foreignFormat(new Uint8Array(0))).toBeNull()
    expect(foreignFormat(Uint8Array.of(0x4d, 0x4d, 0, 42))).toBeNull()
  })
})

describe('the overview sample', () => {
  it('prefers tissue, takes no glass, and lists patches in raster order', () => {
    expect(choosePatches([0, 64, 10, 64, 0], 64, 2)).toEqual([1, 3])
    expect(choosePatches([0, 64, 10, 64, 0], 64, 9)).toEqual([1, 2, 3])
    expect(choosePatches([0, 0, 0], 64, 2)).toEqual([1])
    expect(choosePatches([], 64, 2)).toEqual([])
  })

  it('spreads patches that are equally good', () => {
    const chosen = choosePatches(new Array<number>(1000).fill(64), 64, 16)
    expect(chosen).toHaveLength(16)
    expect(chosen.at(-1)! - chosen[0]!).toBeGreaterThan(500)
  })

  it('tells tissue from glass and from black', () => {
    const rgba = Uint8Array.from([240, 238, 241, 255, 180, 90, 160, 255, 0, 0, 0, 255, 120, 120, 120, 255])
    expect([0, 1, 2, 3].map((x) => tissuePixels(rgba, 4, { x, y: 0, width: 1, height: 1 }))).toEqual([0, 1, 0, 1])
  })
})
