// Merging and cutting pixels: what touches is its union, what lies near is bridged, and no pixel is lost along a line.
import { describe, expect, it } from 'vitest'
import { merged } from '../../../../main/project/outline/merge'
import { cutAlong, pixelsOnLine } from '../../../../main/project/objects/pixels'

/** Rows of text, '#' in. */
function runs(...rows: string[]): Int32Array {
  const found: number[] = []
  rows.forEach((row, y) => {
    for (const { index, 0: text } of row.matchAll(/#+/g)) found.push(y, index, index + text.length)
  })
  return Int32Array.from(found)
}
const set = (of: Int32Array | string): Set<string> => {
  if (typeof of === 'string') throw new Error(of)
  const pixels = new Set<string>()
  for (let r = 0; r < of.length; r += 3) for (let x = of[r + 1]!; x < of[r + 2]!; x++) pixels.add(`${x},${of[r]}`)
  return pixels
}

describe('several objects as one', () => {
  it('that touch, at a corner too, are their union and no pixel more', () => {
    expect(merged([runs('##..', '##..'), runs('....', '..##', '..#.')], [])).toEqual(runs('##..', '####', '..#.'))
  })
  it('that lie apart by one or two px have the px between, but not those of others', () => {
    expect(merged([runs('##...', '##...'), runs('...##', '...##')], [])).toEqual(runs('#####', '#####'))
    expect(merged([runs('##....', '##....'), runs('....##', '....##')], [])).toEqual(runs('######', '######'))
    expect(merged([runs('##..##')], [runs('..#...')])).toBe('apart')
    expect(merged([runs('##...', '##...'), runs('...##', '...##')], [runs('..#..')])).toEqual(runs('##.##', '#####'))
  })
  it('are refused farther apart', () => {
    expect(merged([runs('##...##')], [])).toBe('apart')
    expect(merged([runs('##'), Int32Array.of(9000, 9000, 9001)], [])).toBe('large')
  })
})

describe('an object cut along a line', () => {
  const block = runs('########', '########', '########', '########')
  it('has its parts, all of its pixels among them, the first pixel first', () => {
    const parts = cutAlong(block, pixelsOnLine([[4.5, -2], [4.5, 9]], 1000))! // oxfmt-ignore
    expect(parts).toHaveLength(2)
    expect(parts[0]![0]).toBe(0)
    const [a, b] = parts.map(set) as [Set<string>, Set<string>]
    expect(new Set([...a, ...b])).toEqual(set(block))
    expect(a.size + b.size).toBe(32)
    expect([...a].some((pixel) => b.has(pixel))).toBe(false)
  })
  it('at any slope: the line leaks nowhere', () => {
    for (let angle = 0; angle < 180; angle += 7) {
      const [dx, dy] = [9 * Math.cos((angle * Math.PI) / 180), 9 * Math.sin((angle * Math.PI) / 180)]
      const line = pixelsOnLine([[4.1 - dx, 2.1 - dy], [4.1 + dx, 2.1 + dy]], 1000) // oxfmt-ignore
      line.slice(1).forEach(([x, y], i) => expect(Math.abs(x - line[i]![0]) + Math.abs(y - line[i]![1])).toBe(1))
      const parts = cutAlong(block, line)!
      expect(parts.length, `${angle}`).toBe(2)
      expect(parts.reduce((sum, part) => sum + set(part).size, 0)).toBe(32)
    }
  })
  it('is whole where the line ends inside it, passes by, or leaves a few px only', () => {
    expect(cutAlong(block, pixelsOnLine([[4.5, -2], [4.5, 2.5]], 1000))).toBeNull() // oxfmt-ignore
    expect(cutAlong(block, pixelsOnLine([[40, -2], [40, 9]], 1000))).toBeNull() // oxfmt-ignore
    expect(cutAlong(block, pixelsOnLine([[-1, 2.5], [2.5, -1]], 1000))).toBeNull() // oxfmt-ignore
  })
})
