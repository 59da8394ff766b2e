// How tiles become pictures: outlines with their rims, fills, scales, density without edges, on pictures small enough to check by eye.
import { describe, expect, it } from 'vitest'
import {
  densityCells,
  objectColumns,
  objectMarginPx,
  packTile,
  unpackTile,
  valuesPerObject,
  type ObjectsTile,
} from '../../app/contract'
import { inks, labelColours, placeOn, roundUp, spreadOf, tableOf } from '../../renderer/arithmetic/colours'
import { densityTopOf, lookOf, outlineWidth, planeRangeOf } from '../../renderer/viewer/look'
import { darkest, paintTile, Scratch } from '../../renderer/viewer/tiles/paintTile'
import { LoadedTile } from '../../renderer/viewer/tiles/tileCache'
import { firstOverlay, type OverlayState } from '../../renderer/store/slices/uiSlice'

/** Letters are objects, beyond the edge too: the first row and column is the tile's, what lies before it its margin. */
function tile(...rows: string[]): ObjectsTile {
  const sidePx = rows.length
  const side = sidePx + 2 * objectMarginPx
  const ids = new Int32Array(side * side)
  rows.forEach((row, y) =>
    [...row].forEach((letter, x) => {
      ids[(y + objectMarginPx) * side + x + objectMarginPx] = letter === '.' ? 0 : letter.charCodeAt(0) - 96
    }),
  )
  const count = Math.max(...ids)
  return {
    kind: 'objects',
    sidePx,
    ids,
    count,
    values: new Float32Array(count * valuesPerObject).fill(-1),
    channels: 0,
    means: new Float32Array(0),
  }
}
const look = (overlay: Partial<OverlayState>) => lookOf({ ...firstOverlay, ...overlay }, 0.25)
/** '#' whole, 'o' filled, ':' a rim. */
function seen(of: ReturnType<typeof paintTile>): string[] {
  const { rgba, sidePx } = of
  return Array.from({ length: sidePx }, (_, y) =>
    Array.from({ length: sidePx }, (_, x) => {
      const [r = 0, , b = 0, a = 0] = rgba.subarray((y * sidePx + x) * 4, (y * sidePx + x) * 4 + 4)
      if (a === 0) return '.'
      return a === 255 ? '#' : r + b === 0 ? ':' : 'o'
    }).join(''),
  )
}
const square = tile('.......', '.aaaaa.', '.aaaaa.', '.aaaaa.', '.aaaaa.', '.aaaaa.', '.......')

it('a picture in memory that others were made in is the same', () => {
  const scratch = new Scratch()
  const small = tile('.....', '.aab.', '.aab.', '.ccb.', '.....')
  for (const of of [square, small, square]) {
    for (const [factor, widthPx] of [
      [1, 1],
      [3, 2],
      [2, 4],
    ] as const) {
      const { rgba, sidePx } = paintTile(of, look({ style: 'filled' }), factor, widthPx, scratch)
      const alone = paintTile(of, look({ style: 'filled' }), factor, widthPx)
      expect([sidePx, rgba]).toEqual([of.sidePx * factor, alone.rgba])
    }
  }
})

describe('objects', () => {
  it('have an outline inside them and a dark rim outside', () => {
    expect(seen(paintTile(square, look({}), 1, 1))).toEqual([
      '.:::::.',
      ':#####:',
      ':#...#:',
      ':#...#:',
      ':#...#:',
      ':#####:',
      '.:::::.',
    ])
    expect(seen(paintTile(square, look({}), 1, 2))[3]).toBe(':##.##:')
    expect(seen(paintTile(square, lookOf(firstOverlay, 3), 1, 1))[0]).toBe('.......')
  })
  it('are filled as much as was chosen, their outlines whole', () => {
    const painted = paintTile(square, look({ style: 'filled', opacity: 0.4 }), 1, 1)
    expect(seen(painted)[3]).toBe(':#ooo#:')
    expect([...painted.rgba.subarray((3 * 7 + 3) * 4, (3 * 7 + 3) * 4 + 4)]).toEqual([...inks.lime, 102])
  })
  it('that touch are parted by one outline, as wide as any', () => {
    const two = tile('.......', '.aabbb.', '.aabbb.', '.aabbb.', '.aabbb.', '.aabbb.', '.......')
    expect(seen(paintTile(two, look({}), 1, 1))[3]).toBe(':#.#.#:')
  })
  it('have a smooth outline on their border where a pixel is large, half of it inside, with a dark rim on both sides', () => {
    const blank = '...........'
    const large = tile(blank, ...Array.from({ length: 9 }, () => '.aaaaaaaaa.'), blank)
    const { rgba, sidePx } = paintTile(large, look({}), 4, 2)
    const row = Array.from({ length: 12 }, (_, x) => [...rgba.subarray((22 * sidePx + x) * 4, (22 * sidePx + x) * 4 + 4)])
    // The border lies at x = 4: line from 3 to 5, rim a px on either side, and nothing beyond.
    expect(row.map(([, , , a]) => a)).toEqual([0, 0, 150, 255, 255, 150, 0, 0, 0, 0, 0, 0])
    expect(row[3]).toEqual([...inks.lime, 255])
    expect(row[5]!.slice(0, 3)).toEqual([0, 0, 0])
    // The corner of the square, at (4, 4), is cut off.
    expect(rgba[(4 * sidePx + 4) * 4 + 3]).toBeLessThan(255)
  })
  it('have outlines of one width where they touch, each half in the colour of its own', () => {
    const blank = '...........'
    const two = tile(blank, ...Array.from({ length: 9 }, () => '.aabbb.....'), blank)
    two.values.set([200 * 65536], objectColumns.length)
    two.values.set([90 * 256], valuesPerObject + objectColumns.length)
    const { rgba, sidePx } = paintTile(two, look({}), 4, 2)
    const row = Array.from({ length: 28 }, (_, x) => [...rgba.subarray((22 * sidePx + x) * 4, (22 * sidePx + x) * 4 + 4)])
    const whole = row.flatMap(([, , , a], x) => (a === 255 ? [x] : []))
    expect(whole).toEqual([3, 4, 11, 12, 23, 24])
    expect([row[11]!.slice(0, 3), row[12]!.slice(0, 3)]).toEqual([
      [200, 0, 0],
      [0, 90, 0],
    ])
  })
  it('are filled up to their smooth outline', () => {
    const painted = paintTile(square, look({ style: 'filled', opacity: 0.4 }), 4, 2)
    expect([...painted.rgba.subarray((14 * 28 + 14) * 4, (14 * 28 + 14) * 4 + 4)]).toEqual([...inks.lime, 102])
    expect(painted.rgba[(14 * 28 + 0) * 4 + 3]).toBe(0)
  })
  it('show a measurement on its scale', () => {
    const two = tile('a.b', '...', '...')
    two.values.set([10], 0)
    two.values.set([30], valuesPerObject)
    const { rgba } = paintTile(two, look({ column: 'area', range: { low: 10, high: 30, settled: true } }), 1, 1)
    const table = tableOf('viridis')
    expect([...rgba.subarray(0, 3)]).toEqual([...table.subarray(darkest * 3, darkest * 3 + 3)])
    expect([...rgba.subarray(8, 11)]).toEqual([...table.subarray(255 * 3)])
    // One value is neither end of the scale.
    two.values.set([10], valuesPerObject)
    const alike = paintTile(two, look({ column: 'area', range: { low: 10, high: 10, settled: true } }), 1, 1).rgba
    const middle = Math.round(darkest + (128 * (255 - darkest)) / 255) * 3
    expect([...alike.subarray(0, 3)]).toEqual([...table.subarray(middle, middle + 3)])
  })
  it('show a channel on its scale, and as without one where it was not measured', () => {
    const three = { ...tile('a.b', 'c..', '...'), channels: 2, means: Float32Array.of(0, 500, 0, 900, 0, NaN) }
    const by = (column: 'channel2Mean' | 'channel3Mean') =>
      paintTile(three, look({ column, range: { low: 500, high: 900, settled: true } }), 1, 1).rgba
    const table = tableOf('viridis')
    expect([...by('channel2Mean').subarray(0, 3)]).toEqual([...table.subarray(darkest * 3, darkest * 3 + 3)])
    expect([...by('channel2Mean').subarray(8, 11)]).toEqual([...table.subarray(255 * 3)])
    expect([...by('channel2Mean').subarray(12, 15)]).toEqual([...inks.lime])
    // A slide of fewer channels.
    expect([...by('channel3Mean').subarray(0, 3)]).toEqual([...inks.lime])
  })
  it('have the colour of their class where nothing else was chosen', () => {
    const classed = tile('a..', '...', '...')
    classed.values.set([200 * 65536 + 100 * 256 + 50], objectColumns.length)
    expect([...paintTile(classed, look({}), 1, 1).rgba.subarray(0, 4)]).toEqual([200, 100, 50, 255])
  })
  it('have thinner outlines from afar, so that something of them is seen', () => {
    expect([0.1, 0.25, 0.5, 2].map((um) => outlineWidth(3, um))).toEqual([3, 3, 1.5, 1])
  })
})

describe('density', () => {
  const side = densityCells + 2
  it('changes evenly and ends at its top', () => {
    const counts = new Float32Array(side * side)
    counts[3 * side + 3] = 4
    const tileOf = { kind: 'density' as const, sidePx: 256, counts, cellArea: 0.01 }
    expect(densityTopOf([new LoadedTile(tileOf)])).toBe(500)
    const { rgba } = paintTile(tileOf, look({ densityTop: 500 }), 1, 0)
    const alpha = (x: number, y: number) => rgba[(y * 256 + x) * 4 + 3]!
    expect(alpha(20, 20)).toBeGreaterThan(alpha(15, 20))
    expect(alpha(15, 20)).toBeGreaterThan(alpha(13, 20))
    expect([alpha(60, 60), alpha(0, 0)]).toEqual([0, 0])
  })
})

describe('planes', () => {
  it('are seen in full: their scale goes from the least to the most of what they hold', () => {
    const values = Uint16Array.from({ length: 1000 }, (_, i) => 256 + 40 + (i % 20))
    const plane = { kind: 'gray' as const, sidePx: 1, values }
    expect(planeRangeOf([new LoadedTile(plane)])).toEqual({ low: 40, high: 59 })
    const layerRange = { low: 40, high: 60, settled: true }
    const { rgba } = paintTile({ ...plane, values: Uint16Array.of(256 + 50) }, look({ layerRange, layerScale: 'grey' }), 1, 0)
    expect([...rgba]).toEqual([128, 128, 128, 255])
    expect([...paintTile({ ...plane, values: Uint16Array.of(0) }, look({}), 1, 0).rgba]).toEqual([0, 0, 0, 0])
    const colored = paintTile({ kind: 'colored', sidePx: 1, values: Uint16Array.of(256 + 2) }, look({}), 1, 0)
    expect([...colored.rgba]).toEqual([...labelColours[1]!, 255])
  })
})

it('scales: places, round numbers, spreads', () => {
  expect([placeOn(5, 0, 10), placeOn(-1, 0, 10), placeOn(99, 0, 10), placeOn(3, 3, 3)]).toEqual([128, 0, 255, 0])
  expect([0.03, 1, 1.01, 4999, 5000, 5001].map(roundUp)).toEqual([0.05, 1, 2, 5000, 5000, 10000])
  expect(spreadOf([3, 1, 2, Number.NaN], 0, 0.99)).toEqual({ low: 1, high: 3 })
  expect(spreadOf([], 0, 1)).toBeNull()
})

it('draws a cell around its nucleus: two outlines, and nothing between them', () => {
  const nucleus = tile(
    '.........',
    '.........',
    '.........',
    '...aaa...',
    '...aaa...',
    '...aaa...',
    '.........',
    '.........',
    '.........',
  )
  const around = tile(
    '.........',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.aaaaaaa.',
    '.........',
  )
  const both = { ...nucleus, cells: around.ids }
  expect(seen(paintTile(both, { ...look({}), hasRim: false }, 1, 1))).toEqual([
    '.........',
    '.#######.',
    '.#.....#.',
    '.#.###.#.',
    '.#.#.#.#.',
    '.#.###.#.',
    '.#.....#.',
    '.#######.',
    '.........',
  ])
  expect(unpackTile(packTile(both).buffer)).toEqual(both)
  expect(unpackTile(packTile(nucleus).buffer)).toEqual(nucleus)
})
