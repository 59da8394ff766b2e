// What is merged is one piece side by side, its bridge compact and nobody else's; what is cut or rubbed leaves no part that hangs on a corner.
import { describe, expect, it } from 'vitest'
import { merged } from '../../../../main/project/outline/merge'
import { painted, rubbed } from '../../../../main/project/objects/drawnPixels'
import { cutAlong, pixelsOnLine } from '../../../../main/project/objects/pixels'
import { fromRows, pixelsOf, sidePieces } from './pixelSets'

describe('a bridge', () => {
  it('has every free px of the gap, not every second one: slanting rims that face each other over one and two px', () => {
    const left = fromRows('###......', '####.....', '#####....', '######...')
    const right = fromRows('.....####', '......###', '.......##', '........#')
    const one = merged([left, right], [])
    expect(one).toEqual(fromRows('#########', '#########', '#########', '#########'))
  })
  it('between corners is a way side by side', () => {
    expect(merged([fromRows('##', '##'), fromRows('', '', '..##', '..##')], [])).toEqual(fromRows('##', '###', '..##', '..##'))
    const far = merged([fromRows('#'), fromRows('', '', '', '...#')], [])
    expect(sidePieces(pixelsOf(far))).toBe(1)
    expect(pixelsOf(far).size).toBe(7)
  })
  it('takes no px of others: refused where they have both px beside the only corner', () => {
    const [a, b] = [fromRows('##', '##'), fromRows('', '', '..##', '..##')]
    expect(merged([a, b], [fromRows('', '..#')])).toEqual(fromRows('##', '##', '.###', '..##'))
    expect(merged([a, b], [fromRows('', '..#'), fromRows('', '', '.#')])).toBe('corner')
  })
  it('an object that was found in two pieces at a corner may stay so where others lie beside it', () => {
    const own = fromRows('##..', '##..', '..##')
    const beside = fromRows('....#', '....#', '....#')
    expect(sidePieces(pixelsOf(merged([own, beside], [])))).toBe(1)
    expect(merged([own, beside], [fromRows('', '..#'), fromRows('', '', '.#')])).toEqual(fromRows('##..#', '##..#', '..###'))
  })
})

/** Deterministic: the same numbers in every run. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32
    return seed / 2 ** 32
  }
}
/** A ragged blot, side by side. */
function blot(random: () => number, x: number, y: number, size: number, isFree: (pixel: string) => boolean): Set<string> {
  const own = new Set<string>()
  if (!isFree(`${x},${y}`)) return own
  own.add(`${x},${y}`)
  const all = [`${x},${y}`]
  for (let n = 0; n < size * 8 && own.size < size; n++) {
    const [px, py] = all[Math.floor(random() * all.length)]!.split(',').map(Number) as [number, number]
    const [dx, dy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][Math.floor(random() * 4)] as [number, number] // oxfmt-ignore
    const next = `${px + dx},${py + dy}`
    if (own.has(next) || !isFree(next)) continue
    own.add(next)
    all.push(next)
  }
  return own
}
const runsFrom = (pixels: Set<string>): Int32Array => {
  const rows: string[] = []
  for (const pixel of pixels) {
    const [x, y] = pixel.split(',').map(Number) as [number, number]
    while (rows.length <= y) rows.push('')
    rows[y] = rows[y]!.padEnd(x + 1, '.')
    rows[y] = `${rows[y].slice(0, x)}#${rows[y].slice(x + 1)}`
  }
  return fromRows(...rows)
}

it('of 200 seeded pairs of ragged objects: one piece, all of both, nothing of a third, and no px farther than two from either', () => {
  const random = seeded(20261125)
  const met = { joined: 0, refused: 0, bridged: 0 }
  for (let n = 0; n < 200; n++) {
    const taken = new Set<string>()
    const isFree = (pixel: string): boolean => {
      const [x, y] = pixel.split(',').map(Number) as [number, number]
      return x >= 0 && y >= 0 && x < 40 && y < 40 && !taken.has(pixel)
    }
    const [a, b, c] = [0, 1, 2].map(() => {
      const own = blot(random, 12 + Math.floor(random() * 16), 12 + Math.floor(random() * 16), 60, isFree)
      for (const pixel of own) taken.add(pixel)
      return own
    }) as [Set<string>, Set<string>, Set<string>]
    if (a.size === 0 || b.size === 0) continue
    const one = merged([runsFrom(a), runsFrom(b)], [runsFrom(c)])
    if (typeof one === 'string') {
      met.refused += 1
      continue
    }
    met.joined += 1
    const pixels = pixelsOf(one)
    expect(sidePieces(pixels)).toBe(1)
    for (const pixel of [...a, ...b]) expect(pixels.has(pixel)).toBe(true)
    const added = [...pixels].filter((pixel) => !a.has(pixel) && !b.has(pixel))
    met.bridged += Number(added.length > 0)
    for (const pixel of added) {
      expect(c.has(pixel)).toBe(false)
      const [x, y] = pixel.split(',').map(Number) as [number, number]
      const far = (of: Set<string>): number =>
        Math.min(...[...of].map((each) => each.split(',').map(Number)).map(([px, py]) => Math.max(Math.abs(px! - x), Math.abs(py! - y)))) // oxfmt-ignore
      expect(Math.max(far(a), far(b))).toBeLessThanOrEqual(3)
    }
  }
  expect(met.joined).toBeGreaterThan(60)
  expect(met.bridged).toBeGreaterThan(20)
})

it('of 200 seeded cuts and 200 strokes that rub out or add: every part is one piece side by side', () => {
  const random = seeded(7)
  let parts = 0
  const all = (): boolean => true
  for (let n = 0; n < 200; n++) {
    const own = runsFrom(blot(random, 20, 20, 150, (pixel) => !pixel.includes('-')))
    const at = (): [number, number] => [random() * 40, random() * 40]
    for (const part of cutAlong(own, pixelsOnLine([at(), at(), at()], 1000)) ?? []) {
      expect(sidePieces(pixelsOf(part))).toBe(1)
      parts += 1
    }
    const stroke = runsFrom(blot(random, 16 + Math.floor(random() * 8), 16 + Math.floor(random() * 8), 40, all))
    for (const part of rubbed(own, stroke) ?? []) expect(sidePieces(pixelsOf(part as Int32Array))).toBe(1)
    const more = painted(own, stroke, [])
    if (more) expect(sidePieces(pixelsOf(more))).toBe(1)
  }
  expect(parts).toBeGreaterThan(100)
})
