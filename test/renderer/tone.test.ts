// How the picture is shown: curves, channels and their colours; and the grid's lengths.
import { describe, expect, it } from 'vitest'
import type { View } from '../../renderer/arithmetic/geometry'
import { gridLines } from '../../renderer/arithmetic/gridLines'
import type { SlideInfo } from '../../app/contract'
import { getState, patch } from '../../renderer/store/store'
import { autoTone, resetTone, stretchFound } from '../../renderer/store/slide/toneActions'
import { stretchOf } from '../../renderer/viewer/slideLook'
import { curveOf, isOnlyStretched, isPlain, mixOf, plainTone, toned, type ToneState } from '../../renderer/store/slices/toneSlice'

const of = (part: Partial<ToneState>): ToneState => ({ ...plainTone, ...part })
const pixel = (tone: ToneState, ...rgb: number[]): number[] => {
  const data = Uint8ClampedArray.from([...rgb, 255])
  toned(tone, data)
  return [...data.subarray(0, 3)]
}

describe('the tone', () => {
  it('is the file’s own where nothing was chosen', () => {
    expect(isPlain(plainTone)).toBe(true)
    expect(mixOf(plainTone)).toBeNull()
    for (const value of [0, 1, 100, 254, 255]) expect(pixel(plainTone, value, value, value)).toEqual([value, value, value])
  })
  it('is stretched before anything else, from what is black to what is as bright as can be', () => {
    const stretched = of({ stretch: { low: 10, high: 15 } })
    expect(pixel(stretched, 10, 12, 15)).toEqual([0, 102, 255])
    expect(pixel(stretched, 0, 11, 200)).toEqual([0, 51, 255])
    expect([isPlain(stretched), isOnlyStretched(stretched)]).toEqual([false, true])
    expect(isOnlyStretched(of({ stretch: { low: 10, high: 15 }, all: { ...plainTone.all, gamma: 2 } }))).toBe(false)
  })
  it('is stretched by itself where the picture would be almost black, and once', () => {
    const places = (counts: readonly (readonly [value: number, count: number])[]) =>
      counts.flatMap(([value, count]) => Array.from({ length: count }, () => [value, 0, 0, 255]).flat())
    // Twelve bits of sixteen: all of it in the first sixteenth.
    const dim = stretchOf(places([[1, 900], [8, 80], [15, 19], [255, 1]])) // oxfmt-ignore
    expect(dim).toEqual({ stretch: { low: 1, high: 15 }, needed: true })
    expect(stretchOf(places([[30, 500], [240, 500]])).needed).toBe(false) // oxfmt-ignore
    // Nothing but noise stays dark.
    expect(stretchOf(places([[2, 999], [3, 1]])).stretch).toEqual({ low: 2, high: 6 }) // oxfmt-ignore
    patch('slide', { info: { path: '/a.tif' } as SlideInfo })
    stretchFound('/a.tif', dim.stretch, true)
    expect(getState().tone.stretch).toEqual(dim.stretch)
    resetTone()
    // The same file in a new engine: who has set it back keeps that.
    stretchFound('/a.tif', dim.stretch, true)
    expect(getState().tone.stretch).toBeNull()
    autoTone()
    expect(getState().tone.stretch).toEqual(dim.stretch)
    patch('slide', { info: { path: '/b.tif' } as SlideInfo })
    expect(getState().tone.stretch).toBeNull()
  })
  it('adds brightness, steepens about the middle, and bends; of all channels, then of each', () => {
    expect(pixel(of({ all: { brightness: 0.2, contrast: 0, gamma: 1 } }), 100, 250, 0)).toEqual([151, 255, 51])
    expect(pixel(of({ all: { brightness: 0, contrast: 0.5, gamma: 1 } }), 100, 0, 255)).toEqual([73, 0, 255])
    expect(pixel(of({ all: { brightness: 0, contrast: 0, gamma: 2 } }), 128, 255, 0)).toEqual([64, 255, 0])
    const own = { ...plainTone.own, green: { brightness: 0, contrast: 0, gamma: 2 } }
    expect(pixel(of({ own }), 128, 128, 128)).toEqual([128, 64, 128])
    expect(curveOf(of({ own }), 'green')).toHaveLength(256)
  })
  it('hides channels and gives them colours, which add up', () => {
    expect(pixel(of({ shown: { red: true, green: false, blue: true } }), 10, 20, 30)).toEqual([10, 0, 30])
    const tint = { red: 'magenta', green: 'own', blue: 'white' } as const
    expect(pixel(of({ tint, shown: { red: true, green: true, blue: false } }), 100, 50, 99)).toEqual([100, 50, 100])
    expect(pixel(of({ tint }), 100, 50, 200)).toEqual([255, 250, 255])
    expect(isPlain(of({ tint }))).toBe(false)
  })
})

describe('the grid', () => {
  const view: View = { center: { x: 1000, y: 1000 }, zoom: 1, rotation: 0, flipped: false, width: 800, height: 600 }
  const slide = { widthPx: 4000, heightPx: 3000, mppX: 0.25, mppY: 0.25 }
  it('has squares of a round length, far enough apart to be told apart, on the slide alone', () => {
    const { label, stepX, xs, ys } = gridLines(view, slide)
    expect([label, stepX]).toEqual(['50 µm', 200])
    expect(xs).toEqual([600, 800, 1000, 1200, 1400])
    expect(ys).toEqual([800, 1000, 1200])
    expect(gridLines({ ...view, center: { x: 0, y: 0 } }, slide).xs).toEqual([0, 200, 400])
    for (const zoom of [0.003, 0.1, 0.77, 3, 24]) {
      const px = gridLines({ ...view, zoom }, slide).stepX * zoom
      expect(px).toBeGreaterThanOrEqual(89.9)
      expect(px).toBeLessThan(250)
    }
  })
  it('is as long both ways where pixels are not square, and says px where nobody knows', () => {
    const oblong = gridLines(view, { ...slide, mppY: 0.5 })
    expect(oblong.stepX / oblong.stepY).toBe(2)
    expect(gridLines(view, { ...slide, mppX: null, mppY: null }).label).toBe('100 px')
  })
})
