// Holes filled, discs more and less: small cases by hand, and random ones against their definitions taken at their word, pixel by pixel.
import { describe, expect, it } from 'vitest'
import { filled, grown, reachOf, shrunk } from '../../../../main/project/objects/growth'
import { discOf } from '../../../../main/project/objects/resize'

/** Rows of text, '#' in. */
function runs(...rows: string[]): Int32Array {
  const found: number[] = []
  rows.forEach((row, y) => {
    for (const { index, 0: text } of row.matchAll(/#+/g)) found.push(y, index, index + text.length)
  })
  return Int32Array.from(found)
}
const alone = { before: [], after: [], others: [] }
const wide = { widthPx: 1000, heightPx: 1000 }
const down = (...rows: string[]): Int32Array => runs(...Array<string>(10).fill(''), ...rows.map((row) => ' '.repeat(10) + row))

describe('filling holes', () => {
  it('takes what is enclosed, also where the object is closed at corners only, and nothing of a bay', () => {
    expect(filled(runs('####', '#..#', '####'), [])).toEqual(runs('####', '####', '####'))
    expect(filled(runs('.#.', '#.#', '.#.'), [])).toEqual(runs('.#.', '###', '.#.'))
    expect(filled(runs('####', '#...', '####'), [])).toBeNull()
    expect(filled(runs('####', '####'), [])).toBeNull()
  })
  it('leaves what is another’s, and what that alone parts from it', () => {
    expect(filled(runs('####', '#..#', '####'), [runs('', '..#.')])).toEqual(runs('####', '##.#', '####'))
    expect(filled(runs('####', '#..#', '####'), [runs('', '.##.')])).toBeNull()
    const ring = runs('#######', '#.....#', '#.....#', '#.....#', '#.....#', '#.....#', '#######')
    const inner = runs('', '', '..###', '..#.#', '..###')
    expect(filled(ring, [inner])).toEqual(runs('#######', '#######', '##...##', '##...##', '##...##', '#######', '#######'))
  })
  it('refuses what reaches too far', () => expect(filled(Int32Array.of(0, 0, 1, 9000, 9000, 9001), [])).toBe('large'))
})

describe('what would hang on a corner alone', () => {
  it('is not grown into: others have both px beside the corner', () =>
    expect(grown(runs('', '.#'), { ...alone, others: [runs('.#', '#')] }, 2, wide)).toEqual(runs('..#', '.##', '###')))
  it('is not filled: others have all of the hole but one px, at a corner of the object', () => {
    const own = runs('#######', '#.....#', '###...#', '#.....#', '#.....#', '#######')
    expect(filled(own, [runs('', '.#####', '...###', '.##.##', '.#####')])).toBeNull()
    // One of its sides is nobody's too: both are the object's.
    expect(filled(own, [runs('', '.#####', '....##', '.##.##', '.#####')])).toEqual(
      runs('#######', '#.....#', '####..#', '#..#..#', '#.....#', '#######'),
    )
  })
  it('is an object of its own where one is shrunk', () => {
    const own = runs('#####', '#####', '#####', '########', '########', '...#####', '...#####', '...#####')
    expect(shrunk(own, 2)).toEqual([runs('', '.###', '.###', '.###'), runs('', '', '', '', '....###', '....###', '....###')])
  })
  it('stays where the object hung on that corner before', () => {
    const blocks = (from: number): string[] => Array<string>(4).fill(' '.repeat(from) + '####')
    expect(shrunk(runs(...blocks(0), ...blocks(4)), 0)).toHaveLength(1)
  })
})

describe('growing', () => {
  it('adds the disc: side by side for 1, corners for 2, two px for 4', () => {
    expect(grown(down('#'), alone, 1, wide)).toEqual(runs(...Array<string>(9).fill(''), ' '.repeat(10) + '#', ' '.repeat(9) + '###', ' '.repeat(10) + '#')) // oxfmt-ignore
    expect(grown(runs('', '.#'), alone, 2, wide)).toEqual(runs('###', '###', '###'))
    expect(grown(runs('', '', '..#'), alone, 4, wide)).toEqual(runs('..#', '.###', '#####', '.###', '..#'))
  })
  it('ends at the image’s edges', () => {
    expect(grown(runs('##', '##'), alone, 1, { widthPx: 3, heightPx: 2 })).toEqual(runs('###', '###'))
    expect(grown(runs('##', '##'), alone, 1, { widthPx: 2, heightPx: 2 })).toBeNull()
  })
  it('takes nothing of others, nor what lies behind them', () => {
    expect(grown(runs('#'), { ...alone, others: [runs('.#')] }, 4, { widthPx: 9, heightPx: 1 })).toBeNull()
    expect(grown(runs('#'), { ...alone, others: [runs('..#')] }, 9, { widthPx: 9, heightPx: 1 })).toEqual(runs('##'))
  })
  it('meets another that grows halfway, and of equally near pixels the one with the lower number has it', () => {
    const line = { widthPx: 5, heightPx: 1 }
    const [a, b] = [runs('#....'), runs('....#')]
    expect(grown(a, { ...alone, after: [b] }, 16, line)).toEqual(runs('###..'))
    expect(grown(b, { ...alone, before: [a] }, 16, line)).toEqual(runs('...##'))
  })
  it('refuses what reaches too far', () => expect(grown(Int32Array.of(0, 0, 9000), alone, 10 ** 6, wide)).toBe('large'))
})

describe('shrinking', () => {
  it('takes the disc away, from the image’s edge too', () => {
    expect(shrunk(runs('####', '####', '####', '####'), 1)).toEqual([runs('', '.##.', '.##.')])
    expect(shrunk(runs('#####', '#####', '#####', '#####', '#####'), 2)).toEqual([runs('', '.###.', '.###.', '.###.')])
    expect(shrunk(runs('..#..', '.###.', '#####', '.###.', '..#..'), 4)).toEqual([runs('', '', '..#')])
  })
  it('leaves nothing of what is thin', () => expect(shrunk(runs('####', '####'), 1)).toEqual([]))
  it('keeps each part of five px, and the largest however small', () => {
    const bell = runs('#####....#####', '#####....#####', '##############', '#####....#####', '#####....#####')
    expect(shrunk(bell, 1)).toEqual([
      runs('', '.###', '.####', '.###'),
      runs('', '..........###', '.........####', '..........###'),
    ])
    const uneven = runs('#####....###', '#####....###', '############', '#####....###', '#####....###')
    expect(shrunk(uneven, 1)).toEqual([runs('', '.###', '.####', '.###')])
    expect(shrunk(runs('###.###', '###.###', '#######', '###.###', '###.###'), 1)).toHaveLength(1)
  })
  it('refuses what reaches too far', () => expect(shrunk(Int32Array.of(0, 0, 1, 9000, 9000, 9001), 1)).toBe('large'))
})

it('rounds a radius so that a hair less than a pixel is one', () => {
  const grid = { analysedMpp: 0.502, scale: 2, aspect: 1 }
  const uncalibrated = { analysedMpp: null, scale: 2, aspect: 1 }
  expect(discOf({ type: 'grow', by: 0.5, unit: 'um' }, grid)).toEqual({ squared: 1, across: 1, down: 1 })
  expect(discOf({ type: 'grow', by: 1, unit: 'um' }, grid).squared).toBe(4)
  expect(discOf({ type: 'shrink', by: 3, unit: 'px' }, uncalibrated).squared).toBe(2)
  expect(() => discOf({ type: 'grow', by: 0.3, unit: 'um' }, grid)).toThrow(/less than a pixel .* 0\.502 µm/)
  expect(() => discOf({ type: 'grow', by: 1, unit: 'um' }, uncalibrated)).toThrow(/no pixel size/)
  expect(() => discOf({ type: 'grow', by: 2000, unit: 'px' }, grid)).toThrow(/at most 1000 px/)
})

describe('on pixels of 0.25 × 0.5 µm', () => {
  const flat = { analysedMpp: Math.sqrt(0.125), scale: 1, aspect: 0.5 }
  it('µm reach as far down as across', () => {
    const half = discOf({ type: 'grow', by: 0.5, unit: 'um' }, flat)
    expect([half.across, half.down, reachOf(half)]).toEqual([0.5, 2, 2])
    // 0.5 µm: two px across, one down, and no corner, as (0.25, 0.5) is 0.56 µm away.
    expect(grown(runs('', '..#'), alone, half, wide)).toEqual(runs('..#', '#####', '..#'))
    const block = runs('#######', '#######', '#######')
    expect(shrunk(block, half)).toEqual([runs('', '..###')])
    // The corner is in at 0.5625 µm.
    const more = discOf({ type: 'grow', by: 0.56, unit: 'um' }, flat)
    expect(grown(runs('', '..#'), alone, more, wide)).toEqual(runs('.###.', '#####', '.###.'))
  })
  it('of two that grow the nearer in µm has a pixel', () => {
    // Three px across are 0.75 µm, two down are 1 µm.
    const one = discOf({ type: 'grow', by: 1, unit: 'um' }, flat)
    const [above, left] = [runs('...#'), runs('', '', '#')]
    const now = grown(above, { ...alone, after: [left] }, one, { widthPx: 4, heightPx: 3 })
    expect(now).toEqual(runs('####', '..##'))
  })
  it('a number of px counts px', () =>
    expect(discOf({ type: 'grow', by: 1, unit: 'px' }, flat)).toEqual({ squared: 1, across: 1, down: 1 }))
  it('refuses less than the shorter side', () =>
    expect(() => discOf({ type: 'grow', by: 0.1, unit: 'um' }, flat)).toThrow(/0\.25 µm/))
})

// The definitions, pixel by pixel.
type Pixels = Set<string>
const key = (x: number, y: number): string => `${x},${y}`
const at = (pixel: string): [number, number] => pixel.split(',').map(Number) as [number, number]
function setOf(of: Int32Array): Pixels {
  const pixels: Pixels = new Set()
  for (let r = 0; r < of.length; r += 3) for (let x = of[r + 1]!; x < of[r + 2]!; x++) pixels.add(key(x, of[r]!))
  return pixels
}
function runsFrom(pixels: Pixels): Int32Array {
  const sorted = [...pixels].map(at).sort(([ax, ay], [bx, by]) => ay - by || ax - bx)
  const found: number[] = []
  for (const [x, y] of sorted)
    if (found.length > 0 && found.at(-3) === y && found.at(-1) === x) found[found.length - 1] = x + 1
    else found.push(y, x, x + 1)
  return Int32Array.from(found)
}
const squaredTo = ([x, y]: [number, number], pixels: Pixels): number =>
  Math.min(...[...pixels].map(at).map(([ox, oy]) => (ox - x) ** 2 + (oy - y) ** 2))
function reachable(
  from: Iterable<string>,
  inside: (pixel: string) => boolean,
  overCorner: (from: string, to: string) => boolean = () => false,
): Pixels {
  const seen: Pixels = new Set(from)
  for (const pixel of seen) {
    const [x, y] = at(pixel)
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++)
        if (inside(key(x + dx, y + dy)) && (dx === 0 || dy === 0 || overCorner(pixel, key(x + dx, y + dy))))
          seen.add(key(x + dx, y + dy))
  }
  return seen
}

it('is what it is defined to be, on random pixels', () => {
  let seed = 20261123
  const random = (): number => {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32
    return seed / 2 ** 32
  }
  const side = 14
  const met = { grown: 0, filled: 0, parts: 0 }
  for (let n = 0; n < 60; n++) {
    // Blots that share no pixel: 8-connected, as objects are.
    const owner = new Map<string, number>()
    for (let each = 0; each < 4; each++) {
      const start = key(Math.floor(random() * side), Math.floor(random() * side))
      if (owner.has(start)) continue
      const own = [start]
      owner.set(start, each)
      for (let more = 6 + random() * 30; more > 0; more--) {
        const [x, y] = at(own[Math.floor(random() * own.length)]!)
        const next = key(x + Math.floor(random() * 3) - 1, y + Math.floor(random() * 3) - 1)
        const [nx, ny] = at(next)
        if (nx < 0 || ny < 0 || nx >= side || ny >= side || owner.has(next)) continue
        owner.set(next, each)
        own.push(next)
      }
    }
    const objects = [0, 1, 2, 3].map(
      (each): Pixels => new Set([...owner].filter(([, id]) => id === each).map(([pixel]) => pixel)),
    )
    const there = [0, 1, 2, 3].filter((each) => objects[each]!.size > 0)
    const squared = 1 + Math.floor(random() * 12)
    // The last one never grows.
    const growing = there.filter((each) => each !== 3)
    for (const each of growing) {
      const own = objects[each]!
      const rest = there.filter((other) => other !== each)
      const others = rest.map((other) => runsFrom(objects[other]!))

      const wins: Pixels = new Set(own)
      for (let y = 0; y < side; y++)
        for (let x = 0; x < side; x++) {
          const distance = squaredTo([x, y], own)
          if (owner.has(key(x, y)) || distance > squared) continue
          const isBeaten = growing.some((rival) => {
            const its = rival === each ? Infinity : squaredTo([x, y], objects[rival]!)
            return its < distance || (its === distance && rival < each)
          })
          if (!isBeaten) wins.add(key(x, y))
        }
      const expected = reachable(own, (pixel) => wins.has(pixel))
      const rivals = (isBefore: boolean): Int32Array[] =>
        growing.filter((rival) => rival !== each && rival < each === isBefore).map((rival) => runsFrom(objects[rival]!))
      const fixed = there.includes(3) ? [runsFrom(objects[3]!)] : []
      const now = grown(runsFrom(own), { before: rivals(true), after: rivals(false), others: fixed }, squared, { widthPx: side, heightPx: side }) // oxfmt-ignore
      expect(now).toEqual(expected.size === own.size ? null : runsFrom(expected))
      met.grown += now ? 1 : 0

      const inFrame = (pixel: string): boolean => at(pixel).every((value) => value >= -1 && value <= side)
      const free = reachable([key(-1, -1)], (pixel) => inFrame(pixel) && !own.has(pixel))
      const enclosed = (pixel: string): boolean => inFrame(pixel) && !free.has(pixel) && !owner.has(pixel)
      const whole = reachable(own, (pixel) => own.has(pixel) || enclosed(pixel))
      const full = filled(runsFrom(own), others)
      expect(full).toEqual(whole.size === own.size ? null : runsFrom(whole))
      met.filled += full ? 1 : 0

      const small = 1 + Math.floor(random() * 2)
      const stays = new Set([...own].filter((pixel) => {
        const [x, y] = at(pixel)
        const reach = reachOf(small)
        for (let dy = -reach; dy <= reach; dy++)
          for (let dx = -reach; dx <= reach; dx++)
            if (dx * dx + dy * dy <= small && !own.has(key(x + dx, y + dy))) return false
        return true
      })) // oxfmt-ignore
      // By sides; over a corner where the object's own pieces held together over it.
      const pieceOf = new Map<string, string>()
      for (const pixel of own)
        if (!pieceOf.has(pixel)) for (const each of reachable([pixel], (next) => own.has(next))) pieceOf.set(each, pixel)
      const parts: Int32Array[] = []
      for (const rows = new Set(stays); rows.size > 0;) {
        const part = reachable(
          [rows.values().next().value!],
          (pixel) => stays.has(pixel),
          (a, b) => pieceOf.get(a) !== pieceOf.get(b),
        )
        parts.push(runsFrom(part))
        for (const pixel of part) rows.delete(pixel)
      }
      parts.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
      const sizes = parts.map((part) => setOf(part).size)
      const kept = parts.filter((_, i) => sizes[i]! >= 5 || i === sizes.indexOf(Math.max(...sizes)))
      expect(shrunk(runsFrom(own), small)).toEqual(kept)
      met.parts += kept.length
    }
  }
  expect([met.grown > 80, met.filled > 15, met.parts > 20], JSON.stringify(met)).toEqual([true, true, true])
}, 20_000)
