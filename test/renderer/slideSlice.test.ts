// How much there is to analyse, before the engine is asked.
import { describe, expect, it } from 'vitest'
import { RecipeSpec, runMm2, type SlideInfo } from '../../app/contract'
import {
  analysisScale,
  horizontalMpp,
  megapixels,
  mppWords,
  nominalMpp,
  regionMm2,
  slideMpp,
} from '../../renderer/store/slices/slideSlice'

const slide = (part: Partial<SlideInfo>): SlideInfo => ({
  slideId: 's1',
  name: 'a.svs',
  path: '/a.svs',
  vendor: '',
  reader: '',
  readerVersion: '',
  widthPx: 1000,
  heightPx: 1000,
  levels: [],
  mppX: 0.5,
  mppY: 0.5,
  mppSource: 'vendor',
  objectivePower: 20,
  bounds: { x: 0, y: 0, width: 1000, height: 1000 },
  background: '#fff',
  channels: [],
  associatedImages: [],
  properties: {},
  warnings: [],
  viewer: { tileSizePx: 256, maxLevel: 2 },
  ...part,
})
const spec = RecipeSpec.parse({
  format: 'morphoscope-recipe-spec',
  version: 1,
  id: 'one',
  name: '',
  description: '',
  pipeline: 'one',
  stainSet: 'h-e',
  layers: [],
  stages: [
    {
      id: 'image',
      label: '',
      help: '',
      params: [{ kind: 'number', key: 'pixelSizeUm', label: '', help: '', unit: 'none', min: 0, max: 4, step: 0.05, default: 0 }],
    },
  ],
})
const at = (pixelSizeUm: number) => ({ image: { pixelSizeUm } })

describe('analysed size', () => {
  it('is the slide’s own at 0, coarser or closer at the pixel size asked for', () => {
    expect(analysisScale(slide({}), spec, {})).toBe(1)
    expect(analysisScale(slide({}), spec, at(1))).toBe(2)
    expect(analysisScale(slide({}), spec, at(0.1))).toBeCloseTo(0.2)
    expect(megapixels({ x: 0, y: 0, width: 1000, height: 1000 }, 2)).toBe(0.25)
  })
  it('reads uncalibrated slides at their objective’s pixel, else at 0.25 µm', () => {
    const none = { mppX: null, mppY: null }
    expect(slideMpp(slide(none))).toBeNull()
    expect(nominalMpp(slide(none))).toBe(0.5)
    expect(nominalMpp(slide({ ...none, objectivePower: null }))).toBe(0.25)
  })
})

describe('pixels that are not square', () => {
  const tall = slide({ mppX: 0.25, mppY: 1 })
  it('have one number for lengths whose square is their area', () => {
    expect(slideMpp(tall)).toBe(0.5)
    expect(regionMm2({ width: 4000, height: 1000 }, slideMpp(tall)!)).toBeCloseTo(4000 * 0.25e-3 * (1000 * 1e-3), 12)
    expect(slideMpp(slide({}))).toBe(0.5)
    // As the engine does: main/recipe/resolve.ts.
    expect(nominalMpp(tall)).toBe(0.5)
  })
  it('have a scale bar of the direction that it lies in', () => {
    expect(horizontalMpp(tall, 0)).toBe(0.25)
    expect(horizontalMpp(tall, 90)).toBeCloseTo(1, 12)
    expect(horizontalMpp(tall, 180)).toBeCloseTo(0.25, 12)
    expect(horizontalMpp(slide({}), 37)).toBeCloseTo(0.5, 12)
    expect(horizontalMpp(slide({ mppX: null, mppY: null }), 0)).toBeNull()
  })
  it('are told as two numbers', () => {
    expect(mppWords(tall)).toBe('0.25 × 1 µm/px')
    expect(mppWords(slide({ mppX: 0.499, mppY: 0.49900001 }))).toBe('0.499 µm/px')
    expect(mppWords(slide({ mppX: null, mppY: null }))).toBeNull()
  })
})

describe('the area of a run', () => {
  const grid = { tileSizePx: 256, scale: 2, maxLevel: 3 }
  it('is of the calibration that its objects were measured with, whatever the slide is calibrated to now', () => {
    const region = { x: 0, y: 0, width: 1000, height: 2000 }
    expect(runMm2({ region, grid, analysedMpp: 1 })).toBeCloseTo(0.5, 12)
    expect(runMm2({ region, grid, analysedMpp: null })).toBeNull()
  })
})
