// Which pixels of an overview are tissue, and what that means for rectangles: glass of any tint, pale stroma, ink, slides without glass, light.
import { describe, expect, it } from 'vitest'
import { Tissue, tissueIn, tissuePx, unknownPx } from '../../../main/slide/tissue'
import { seeded } from '../../stress/seeded'

type Rgb = readonly [number, number, number]
const stained = { shines: false, level: 8 }
const pixels = (...colors: Rgb[]): Uint8Array => Uint8Array.from(colors.flatMap((color) => [...color, 255]))
const many = (count: number, color: Rgb): Rgb[] => Array.from({ length: count }, () => color)

describe('tissueIn', () => {
  it.each([
    ['white', [251, 251, 251]],
    ['warm', [240, 236, 226]],
    ['grey', [212, 214, 216]],
  ] as const)('leaves %s glass out with its noise, and keeps the palest stroma', (_, glass) => {
    const near = glass.map((v, c) => v + (c === 1 ? 4 : -4)) as unknown as Rgb
    const pale = [glass[0] - 4, glass[1] - 11, glass[2] - 4] as const
    const mask = tissueIn(pixels(...many(40, glass), near, pale, [92, 60, 130], [150, 168, 200], [120, 80, 50]), stained)
    expect([...mask]).toEqual([...many(41, glass).map(() => 0), 1, 1, 1, 1])
  })

  it('takes ink of pens for glass', () => {
    const mask = tissueIn(pixels(...many(20, [245, 245, 245]), [40, 140, 70], [50, 70, 190], [92, 60, 130]), stained)
    expect([...mask.subarray(20)]).toEqual([0, 0, 1])
  })

  it('takes all for tissue where there is no glass to compare with', () => {
    expect(tissueIn(pixels(...many(30, [205, 150, 190]), [150, 90, 160]), stained).every((value) => value === 1)).toBe(true)
  })

  it('finds light on black', () => {
    const mask = tissueIn(pixels(...many(30, [1, 0, 3]), [2, 1, 5], [3, 2, 40], [0, 0, 255]), { shines: true, level: 3 })
    expect([...mask.subarray(30)]).toEqual([0, 1, 1])
  })
})

describe('tissueIn, where parts could not be read', () => {
  const random = seeded(5)
  const value = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  /** Glass of two near values, tissue, and some of anything: which of the two is commonest a few pixels decide. */
  const overview = (shines: boolean): Uint8Array =>
    pixels(
      ...Array.from({ length: 300 }, (): Rgb => {
        const kind = random()
        const base = shines ? value(0, 3) : random() < 0.5 ? 240 : 244
        if (kind < 0.7) return [base, base, base]
        return kind < 0.9 ? [value(80, 160), value(40, 90), value(100, 170)] : [value(0, 255), value(0, 255), value(0, 255)]
      }),
    )

  it.each([true, false])('is sure of what no pixel there could change (shines: %s)', (shines) => {
    const rule = { shines, level: shines ? 2 : 3 }
    let sure = 0
    let unsure = 0
    for (let n = 0; n < 60; n++) {
      const rgba = overview(shines)
      const lost = value(1, 30)
      const unread = Uint8Array.from({ length: 300 }, (_, i) => (i < lost ? 1 : 0))
      const mask = tissueIn(rgba, rule, unread)
      for (let k = 0; k < 40; k++) {
        // One colour for all of them sways most.
        const one = [value(0, 255), value(0, 255), value(0, 255)]
        const grey = value(shines ? 0 : 236, shines ? 6 : 250)
        const full = rgba.map((v, i) => (i >= 4 * lost || i % 4 === 3 ? v : k % 2 ? one[i % 4]! : grey))
        const of = tissueIn(full, rule)
        for (let i = 0; i < 300; i++) {
          if (mask[i] === unknownPx) unsure += 1
          else if (mask[i] === of[i]) sure += 1
          else expect.fail(`${i} of ${n} is ${of[i]}, and was said to be ${mask[i]}`)
        }
        expect(mask.subarray(0, lost).every((each) => each === unknownPx)).toBe(true)
      }
      expect(tissueIn(rgba, rule, new Uint8Array(300))).toEqual(tissueIn(rgba, rule))
    }
    expect(sure).toBeGreaterThan(unsure / 4)
  })

  it('knows all the rest where glass is plain', () => {
    const mask = tissueIn(
      pixels(...many(40, [243, 243, 243]), [92, 60, 130], [90, 60, 130]),
      stained,
      Uint8Array.from({ length: 42 }, (_, i) => (i < 5 ? 1 : 0)),
    )
    expect([...mask]).toEqual([
      ...many(5, [0, 0, 0]).map(() => unknownPx),
      ...many(35, [0, 0, 0]).map(() => 0),
      tissuePx,
      tissuePx,
    ])
  })
})

describe('Tissue', () => {
  const mask = Uint8Array.from({ length: 20 * 10 }, (_, i) => (i % 20 >= 4 && i % 20 < 9 && i >= 40 && i < 120 ? 1 : 0))
  const tissue = new Tissue(mask, 20, 10, 16)

  it('tells of every rectangle what its pixels tell', () => {
    for (let n = 0; n < 400; n++) {
      const rect = { x: (n * 37) % 330, y: (n * 53) % 170, width: 1 + ((n * 11) % 90), height: 1 + ((n * 17) % 70) }
      let expected = false
      for (let y = Math.floor(rect.y / 16); y < Math.min(10, Math.ceil((rect.y + rect.height) / 16)); y++)
        for (let x = Math.floor(rect.x / 16); x < Math.min(20, Math.ceil((rect.x + rect.width) / 16)); x++)
          if (mask[20 * y + x] === 1) expected = true
      expect([rect, tissue.touches(rect, 0)]).toEqual([rect, expected])
    }
  })

  it('reaches as far as the margin, and has its area', () => {
    const beside = { x: 9 * 16 + 40, y: 48, width: 10, height: 10 }
    expect([0, 30, 41].map((margin) => tissue.touches(beside, margin))).toEqual([false, false, true])
    expect(tissue.areaIn({ x: 0, y: 0, width: 320, height: 160 })).toBe(5 * 4 * 256)
    expect(tissue.areaIn({ x: 64, y: 32, width: 8, height: 8 })).toBe(64)
    expect(tissue.areaIn({ x: 0, y: 0, width: 60, height: 30 })).toBe(0)
  })

  it('has its area within shapes, of any form', () => {
    const place = { x: 64, y: 32, width: 40, height: 64 }
    expect(tissue.areaWithin([{ kind: 'rectangle', ...place }])).toBeCloseTo(40 * 64, 6)
    // Half of it lies beyond the tissue's left side.
    expect(tissue.areaWithin([{ kind: 'rectangle', ...place, x: 44 }])).toBeCloseTo(20 * 64, 6)
    expect(tissue.areaWithin([{ kind: 'rectangle', ...place, x: 200 }])).toBe(0)
    const round = tissue.areaWithin([{ kind: 'ellipse', ...place, x: 44 }])
    expect(round / ((Math.PI / 8) * 40 * 64)).toBeCloseTo(1, 1)
    const ring: [number, number][] = [
      [70, 40],
      [100, 40],
      [70, 70],
    ]
    const triangle = { kind: 'polygon' as const, parts: [[ring]] }
    expect(tissue.areaWithin([triangle])).toBeCloseTo(450, 6)
    expect(tissue.areaWithin([triangle, triangle])).toBeCloseTo(900, 6)
    expect(tissue.areaWithin(Array.from({ length: 5000 }, () => triangle))).toBeCloseTo(450 * 5000, 3)
  })
})
