// Numbers as people read them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decimalsOf,
  formatBytes,
  formatCount,
  formatDuration,
  formatArea,
  formatMeasure,
  formatParam,
  formatPercent,
  formatUm,
  magnification,
  scaleBar,
} from '../../renderer/arithmetic/format'

describe('scale bar', () => {
  it('is 1, 2 or 5 × 10ⁿ and fits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.0005, max: 40, noNaN: true }),
        fc.double({ min: 0.05, max: 10, noNaN: true }),
        (zoom, mpp) => {
          const bar = scaleBar(zoom, mpp, 140)
          const um = (bar.widthPx / zoom) * mpp
          const digit = Math.round(um / 10 ** Math.floor(Math.log10(um * 1.0000001)))
          return bar.widthPx <= 140.001 && bar.widthPx > 140 / 2.6 && [1, 2, 5].includes(digit)
        },
      ),
    )
  })
  it('reads µm, mm and nm', () => {
    expect(scaleBar(1, 0.5, 140).label).toBe('50 µm')
    expect(scaleBar(1, 0.5, 140).widthPx).toBe(100)
    expect(formatUm(2000)).toBe('2 mm')
    expect(formatUm(0.5)).toBe('500 nm')
  })
  it('counts pixels where the slide is uncalibrated', () => {
    expect(scaleBar(0.1, null, 140)).toEqual({ widthPx: 100, label: '1000 px' })
  })
})

describe('magnification', () => {
  it('follows the objective, else the pixel size, else says per cent', () => {
    expect(magnification(1, 0.499, 20)).toBe('20×')
    expect(magnification(0.1, 0.499, 20)).toBe('2.0×')
    expect(magnification(1, 0.25, null)).toBe('40×')
    expect(magnification(0.5, null, null)).toBe('50 %')
  })
})

describe('values', () => {
  it('formats times', () => {
    expect([999, 1500, 59_900, 61_000, 3_700_000].map(formatDuration)).toEqual([
      '999 ms',
      '1.5 s',
      '60 s',
      '1 min 01 s',
      '1 h 01 min',
    ])
  })
  it('formats counts, bytes, per cent, measures', () => {
    expect(formatCount(1234567)).toBe('1\u202f234\u202f567')
    expect([10, 2048, 300 * 2 ** 20].map(formatBytes)).toEqual(['10 B', '2.0 KiB', '300 MiB'])
    expect([1, 0.05, 0.004].map(formatPercent)).toEqual(['100 %', '5.0 %', '0.40 %'])
    expect([0.1234, 12.345, 123.45, Number.NaN].map(formatMeasure)).toEqual(['0.123', '12.35', '123.5', '–'])
  })
  it('shows as many decimals as the step has, and never less than the value', () => {
    expect([1, 0.5, 0.05, 1e-7].map(decimalsOf)).toEqual([0, 1, 2, 7])
    expect(formatParam(2, 0.05)).toBe('2.00')
    expect(formatParam(0.123, 0.05)).toBe('0.123')
  })
})

it('areas are in mm², small ones in µm², and in Mpx where nobody knows how large a pixel is', () => {
  expect([1.5, 0.0598, 0.01, 0.00999, 0.0000241, 0].map((mm2) => formatArea(mm2, 1))).toEqual([
    '1.500 mm²',
    '0.060 mm²',
    '0.010 mm²',
    '9\u202f990 µm²',
    '24 µm²',
    '0 µm²',
  ])
  expect(formatArea(null, 2.5)).toBe('2.500 Mpx')
})
