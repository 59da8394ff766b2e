// µm to px: the scale that a slide is analysed at, snapping to its levels, and uncalibrated slides.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolution, resolveParams } from '../../../main/recipe/resolve'
import type { Calibration } from '../../../main/recipe/resolve'
import { defaultRecipe } from '../../../main/recipe/validate'
import { spec } from '../recipeFixture'

const slide = (mpp: number | null, downsamples = [1], extra: Partial<Calibration> = {}): Calibration => ({
  mppX: mpp,
  mppY: mpp,
  objectivePower: null,
  widthPx: 4000,
  heightPx: 2000,
  levels: downsamples.map((downsample) => ({
    widthPx: Math.floor(4000 / downsample),
    heightPx: Math.floor(2000 / downsample),
    downsample,
  })),
  ...extra,
})

describe('resolution', () => {
  it("takes the slide's own pixels for 0 and for what is nearly theirs", () => {
    expect(resolution(slide(0.25), 0)).toMatchObject({ scale: 1, analysedMpp: 0.25, nominalMpp: 0.25, widthPx: 4000 })
    expect(resolution(slide(0.499), 0.5)).toMatchObject({ scale: 1, analysedMpp: 0.499 })
    expect(resolution(slide(0.46), 0.5).scale).toBe(1)
  })

  it("snaps to a level's own downsample and size", () => {
    const r = resolution(slide(0.25, [1, 2.0007, 4.002]), 0.5)
    expect(r.scale).toBe(2.0007)
    expect(r.widthPx).toBe(1999)
    expect(r.analysedMpp).toBeCloseTo(0.500175, 9)
  })

  it('resamples where no level is near', () => {
    expect(resolution(slide(0.25, [1, 4]), 0.5)).toMatchObject({ scale: 2, widthPx: 2000, heightPx: 1000, warnings: [] })
  })

  it('reads uncalibrated slides at the objective or at 40x, and says so', () => {
    const byObjective = resolution(slide(null, [1], { objectivePower: 20 }), 0.5)
    expect(byObjective).toMatchObject({ scale: 1, analysedMpp: null, nominalMpp: 0.5 })
    expect(byObjective.warnings[0]).toContain('objective of 20x')
    expect(resolution(slide(null), 0.5)).toMatchObject({ scale: 2, analysedMpp: null, nominalMpp: 0.5 })
  })

  it('prefers the calibration that the user gives', () => {
    expect(resolution(slide(0.25), 0.5, 0.5)).toMatchObject({ scale: 1, analysedMpp: 0.5, warnings: [] })
    expect(resolution(slide(null), 0, 0.3)).toMatchObject({ scale: 1, analysedMpp: 0.3, warnings: [] })
  })

  it('knows the form of a pixel, but where one size was given for both axes', () => {
    const tall = slide(null, [1], { mppX: 0.25, mppY: 0.5 })
    expect([resolution(tall, 0).aspect, resolution(tall, 0, 0.4).aspect, resolution(slide(0.25), 0).aspect]).toEqual([0.5, 1, 1])
    expect(resolution(tall, 0).analysedMpp! ** 2).toBeCloseTo(0.125, 12)
  })

  it('warns of pixels that are not square and of enlarging, and refuses what the reader cannot deliver', () => {
    expect(resolution(slide(null, [1], { mppX: 0.5, mppY: 0.25 }), 0).warnings[0]).toContain('not square')
    expect(resolution(slide(null, [1], { mppX: 0.25, mppY: 0.5 }), 0).warnings[0]).toContain(
      '10 µm reach 7.07 µm across and 14.1 µm down',
    )
    expect(resolution(slide(1), 0.5).warnings[0]).toContain('enlarged')
    expect(() => resolution(slide(10), 0.1)).toThrow('image.pixelSizeUm')
  })

  it('always keeps scale × own mpp = analysed mpp, and at least one pixel', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 5, noNaN: true }), fc.double({ min: 0.5, max: 10, noNaN: true }), (mpp, wanted) => {
        const r = resolution(slide(mpp, [1, 4, 16]), wanted)
        expect(r.analysedMpp).toBeCloseTo(mpp * r.scale, 9)
        expect(r.widthPx).toBeGreaterThanOrEqual(1)
        // Never further from what was asked than the snap allows.
        expect(Math.abs(wanted / (mpp * r.scale) - 1)).toBeLessThanOrEqual(0.1200001)
      }),
    )
  })
})

describe('resolveParams', () => {
  it('turns µm into px and µm² into px², and leaves the rest', () => {
    expect(resolveParams(spec, defaultRecipe(spec), 0.5)).toEqual({
      'image.pixelSizeUm': 0.5,
      'image.channel': 'hematoxylin',
      'objects.radius': 8,
      'objects.minArea': 40,
      'objects.count': 3,
      'objects.split': true,
    })
  })
})
