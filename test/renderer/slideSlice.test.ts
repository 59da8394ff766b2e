// How much there is to analyse, before the engine is asked.
import { describe, expect, it } from 'vitest'
import { RecipeSpec, type SlideInfo } from '../../app/contract'
import { analysisScale, megapixels, nominalMpp, slideMpp } from '../../renderer/store/slideSlice'

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
