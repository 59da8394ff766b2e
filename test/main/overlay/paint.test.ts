// Painting: outlines, fills, edges between tiles, coarser levels, and planes, on pictures small enough to check by eye.
import { describe, expect, it } from 'vitest'
import { hatch } from '../../../main/slide/hatch'
import { halve, padded, paintObjects, paintPlane, paintedArea } from '../../../main/overlay/paint'
import { palette } from '../../../main/overlay/palette'
import { colorCount, colorIndex } from '../../../main/run/objectColor'
import type { RunObject } from '../../../main/run/result'
import { drawn } from '../objectsFixture'
import { tilesOf } from '../packing'

function objects(...rows: string[]): RunObject[] {
  return tilesOf(drawn(...rows)).flatMap((tile) => Array.from({ length: tile.count }, (_, row) => tile.object(row)))
}
/** '#' where a pixel is painted. */
function picture(rgba: Uint8Array, size: number): string[] {
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (rgba[(y * size + x) * 4 + 3] ? '#' : '.')).join(''),
  )
}

const blob = objects('....', '.aaa', '.aaa', '.aaa')

describe('paintObjects', () => {
  it('fills every pixel of an object with its colour', async () => {
    const rgba = await paintObjects(blob, 'filled', 4, 0, 0, 0)
    expect(picture(rgba, 4)).toEqual(['....', '.###', '.###', '.###'])
    expect([...rgba.subarray((4 + 1) * 4, (4 + 1) * 4 + 4)]).toEqual([...palette[colorIndex(1, 1)]!, 255])
  })

  it('outlines the pixels that have a 4-neighbour outside', async () => {
    expect(picture(await paintObjects(blob, 'outline', 4, 0, 0, 0), 4)).toEqual(['....', '.###', '.#.#', '.###'])
  })

  it('draws no line at the edge of a tile, only at the edge of an object', async () => {
    const wide = objects('........', 'aaaaaaaa', 'aaaaaaaa', 'aaaaaaaa', '........')
    expect(picture(await paintObjects(wide, 'outline', 4, 0, 0, 0), 4)).toEqual(['....', '####', '#...', '####'])
    expect(picture(await paintObjects(wide, 'outline', 4, 0, 1, 0), 4)).toEqual(['....', '####', '...#', '####'])
  })

  it('separates objects that touch', async () => {
    const pair = objects('aaab', 'aaab', 'aaab', '....')
    expect(picture(await paintObjects(pair, 'outline', 4, 0, 0, 0), 4)).toEqual(['####', '#.##', '####', '....'])
  })

  it('paints a coarser pixel where any of its pixels is painted', async () => {
    const dots = objects('........', '.a......', '........', '........', '......bb', '......bb')
    expect(picture(await paintObjects(dots, 'outline', 4, 1, 0, 0), 4)).toEqual(['#...', '....', '...#', '....'])
  })

  it('asks for one pixel more on each side', () => {
    expect(paintedArea(256, 0, 1, 0)).toEqual({ x: 255, y: -1, width: 258, height: 258 })
    expect(paintedArea(4, 2, 1, 1)).toEqual({ x: 12, y: 12, width: 24, height: 24 })
  })

  it('keeps an object its colour wherever it is seen from', async () => {
    const far = await paintObjects(blob, 'filled', 4, 1, 0, 0)
    expect([...far.subarray(0, 4)]).toEqual([...palette[colorIndex(1, 1)]!, 255])
  })
})

describe('colorIndex', () => {
  it('uses the whole palette about evenly', () => {
    const counts = new Array<number>(palette.length).fill(0)
    for (let y = 0; y < 100; y++) for (let x = 0; x < 100; x++) counts[colorIndex(x * 7, y * 3)]! += 1
    for (const count of counts) expect(count / 10_000).toBeCloseTo(1 / palette.length, 1)
  })
})

describe('halve', () => {
  it('averages colours by what they cover and thins them out', () => {
    const part = new Uint8Array(2 * 2 * 4)
    part.set([200, 100, 0, 255], 0)
    part.set([100, 100, 100, 255], 4)
    const rgba = halve([part, null, null, part], 2)
    expect([...rgba.subarray(0, 4)]).toEqual([150, 100, 50, 128])
    expect([...rgba.subarray(4, 12)]).toEqual(new Array(8).fill(0))
    expect([...rgba.subarray(12, 16)]).toEqual([150, 100, 50, 128])
  })
})

describe('planes', () => {
  it('show grey as it is, binary as black and white, labels in colours', () => {
    expect([...paintPlane('gray', Uint8Array.of(7))]).toEqual([7, 7, 7, 255])
    expect([...paintPlane('binary', Uint8Array.of(0, 1))]).toEqual([0, 0, 0, 255, 255, 255, 255, 255])
    expect([...paintPlane('colored', Uint8Array.of(0, 2))]).toEqual([0, 0, 0, 255, ...palette[1]!, 255])
  })

  it('are padded to a tile by nothing', () => {
    expect([...padded(Uint8Array.of(1, 2, 3, 255), 1, 1, 2)]).toEqual([1, 2, 3, 255, ...new Array<number>(12).fill(0)])
  })
})

describe('hatch', () => {
  it('stripes only the rectangle, and runs on across tiles', () => {
    const whole = new Uint8Array(24 * 4 * 4)
    hatch(whole, 24, 4, { x: -5, y: 1, width: 100, height: 2 }, { x: 0, y: 0 }, [9, 9, 9, 255])
    const right = new Uint8Array(12 * 4 * 4)
    hatch(right, 12, 4, { x: -5, y: 1, width: 100, height: 2 }, { x: 12, y: 0 }, [9, 9, 9, 255])
    const at = (rgba: Uint8Array, width: number, x: number, y: number): number => rgba[(y * width + x) * 4 + 3]!
    for (let x = 0; x < 12; x++) {
      for (let y = 0; y < 4; y++) expect(at(right, 12, x, y)).toBe(at(whole, 24, x + 12, y))
      expect(at(whole, 24, x, 0)).toBe(0)
      expect(at(whole, 24, x, 3)).toBe(0)
    }
    expect(whole.some((v) => v > 0)).toBe(true)
  })
})

it('has a colour for each that an object can have', () => expect(palette).toHaveLength(colorCount))
