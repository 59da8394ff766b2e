// How objects are judged against outlined truth: on cases counted by hand, against a count pixel by pixel, and what the picture shows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, compareByClass } from '../../../main/evaluate/compare'
import { objectColors, pictureOf, truthColors } from '../../../main/evaluate/picture'

const row = (text: string) => [...text].map((each) => (each === '.' ? 0 : Number(each)))

describe('compare', () => {
  it('counts by hand: one hit of two thirds, one miss, one false object', () => {
    //                 hit    missed  false
    const truth = row('1111..2222......')
    const found = row('.555555.......66')
    const got = compare(truth, found)
    // 3 px of truth 1 and 1 of truth 2 lie in object 5 (6 px): IoU 3/7 and 1/9.
    expect(got).toMatchObject({
      dice: (2 * 4) / (8 + 8),
      aji: (3 + 1) / (7 + 9 + 2),
      pq: 0,
      f1: 0,
      truths: { hit: 0, split: 0, merged: 0, missed: 2 },
      objects: { hit: 0, piece: 0, over: 0, false: 2 },
    })
    const nearer = compare(row('1111..2222......'), row('.111..........66'))
    expect(nearer).toMatchObject({ dice: 6 / 13, aji: 3 / (4 + 4 + 2), pq: (2 * 3) / 4 / 4, f1: 2 / 4 })
    expect(nearer.truths).toEqual({ hit: 1, split: 0, merged: 0, missed: 1 })
    expect(nearer.objects).toEqual({ hit: 1, piece: 0, over: 0, false: 1 })
  })
  it('tells splits from merges, and a hit from both', () => {
    const split = compare(row('111111....'), row('222333....'))
    expect([split.truths.split, split.objects.piece, split.truths.missed]).toEqual([1, 2, 0])
    const merged = compare(row('111222....'), row('444444....'))
    expect([merged.truths.merged, merged.objects.over, merged.objects.false]).toEqual([2, 1, 0])
    // The large one is hit though a crumb of it is an object of its own.
    const crumb = compare(row('1111111...'), row('222222.3..'))
    expect(crumb.truths).toMatchObject({ hit: 1, split: 0 })
    expect(crumb.objects).toMatchObject({ hit: 1, false: 1 })
  })
  it('finds nothing wrong with nothing, and everything wrong with an answer to nothing', () => {
    expect(compare([0, 0], [0, 0])).toMatchObject({ dice: 1, aji: 1, pq: 1, f1: 1 })
    expect(compare([0, 0], [0, 3])).toMatchObject({ dice: 0, aji: 0, pq: 0, f1: 0 })
    expect(() => compare([0], [0, 0])).toThrow(/one size/)
  })
  it('agrees with a count of sets, whatever the labels are called', () => {
    const labels = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(labels, labels, (truth, objects) => {
        const sets = (image: number[]) =>
          [...new Set(image.filter((v) => v > 0))]
            .sort((a, b) => a - b)
            .map((v) => new Set(image.flatMap((w, p) => (w === v ? [p] : []))))
        const [A, B] = [sets(truth), sets(objects)]
        const iou = (a: Set<number>, b: Set<number>) => {
          const both = [...a].filter((p) => b.has(p)).length
          return both / (a.size + b.size - both)
        }
        const used = new Set<Set<number>>()
        let [inside, all, hits, quality] = [0, 0, 0, 0]
        for (const a of A) {
          let best: Set<number> | undefined
          for (const b of B) {
            if (iou(a, b) > 0 && (!best || iou(a, b) >= iou(a, best))) best = b
            if (iou(a, b) > 0.5) [hits, quality] = [hits + 1, quality + iou(a, b)]
          }
          if (best) used.add(best)
          inside += best ? [...a].filter((p) => best.has(p)).length : 0
          all += best ? new Set([...a, ...best]).size : a.size
        }
        for (const b of B) if (!used.has(b)) all += b.size
        const got = compare(
          truth.map((v) => v * 1000),
          objects.map((v) => v * 7),
        )
        expect(got.aji).toBeCloseTo(all > 0 ? inside / all : 1, 12)
        expect(got.f1).toBeCloseTo(A.length + B.length > 0 ? (2 * hits) / (A.length + B.length) : 1, 12)
        expect(got.pq).toBeCloseTo(A.length + B.length > 0 ? (2 * quality) / (A.length + B.length) : 1, 12)
        const fates = Object.values(got.truths).reduce((a, b) => a + b)
        expect([fates, got.truths.hit]).toEqual([A.length, hits])
      }),
    )
  })
})

describe('compareByClass', () => {
  it('gives an object to the class that it overlaps most, and one that overlaps none to no class', () => {
    const truth = row('111222...3')
    const types = row('112222...1')
    const found = row('444.55.66.')
    const got = compareByClass(truth, types, found)
    expect([...got.keys()]).toEqual([1, 2])
    expect(got.get(1)).toMatchObject({ f1: 2 / 3, truths: { hit: 1, missed: 1 }, objects: { hit: 1, false: 0 } })
    expect(got.get(2)).toMatchObject({ f1: 1, pq: 2 / 3 })
  })
})

describe('pictureOf', () => {
  it('draws truth over objects, and false objects where no truth is', () => {
    const [width, height] = [5, 3]
    const truth = row('111..111..111..')
    const found = row('....2....2....2')
    const rgba = new Uint8Array(4 * 15).fill(101)
    const shown = pictureOf({ width, height, rgba }, truth, found, compare(truth, found))
    const at = (x: number, y: number) => [...shown.slice(4 * (y * width + x), 4 * (y * width + x) + 3)]
    expect(at(2, 1)).toEqual(truthColors.missed)
    expect(at(4, 1)).toEqual(objectColors.false)
    // Inside, at the image's edge, and outside: the image, half white, and opaque.
    expect([at(0, 1), at(3, 1), shown[4 * 8 + 3]]).toEqual([[178, 178, 178], [178, 178, 178], 255])
  })
})
