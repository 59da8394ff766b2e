// Tiles of objects, of density and of planes, on pictures small enough to check by eye; and that packing loses nothing.
import { describe, expect, it } from 'vitest'
import {
  densityCells,
  objectColumns,
  objectMarginPx,
  packTile,
  unpackTile,
  unreadableId,
  valuesPerObject,
} from '../../../app/contract'
import type { ObjectsTile } from '../../../app/contract'
import { densityOf, objectsTile, shownArea, tileOf, withUnreadable } from '../../../main/overlay/objectTiles'
import { halve, padded } from '../../../main/overlay/planeTiles'
import { ObjectStore } from '../../../main/run/objects/objectStore'
import { gridOf } from '../../../main/run/plan/plan'
import type { Run } from '../../../main/run/run'
import { hatch } from '../../../main/slide/hatch'
import { colorCount } from '../../../main/run/tiles/layerPlane'
import { labelColours } from '../../../renderer/arithmetic/colours'
import { drawn } from '../objectsFixture'
import { tilesOf } from '../packing'
import { denseRun } from './madeDense'

/** Of 16 × 16 px, which one tile holds. */
function shown(rows: readonly string[], unreadable: Run['unreadable'] = [], uncertain: Run['uncertain'] = []): Run {
  const grid = gridOf(16, 16, 2)
  const objects = new ObjectStore(grid)
  objects.add(tilesOf(drawn(...rows)).map((tile) => ({ objects: tile, keep: null })))
  const draft = { grid, resolution: { analysedMpp: 0.5 }, spec: { stainSet: 'h-e' }, classes: null }
  return { draft, objects, unreadable, uncertain, changed: { revisionOf: () => 1 } } as unknown as Run
}
/** The tile's own px, as far as rows and columns go. */
const picture = ({ ids, sidePx }: ObjectsTile, size: number): string[] =>
  Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => {
      const id = ids[(y + objectMarginPx) * (sidePx + 2 * objectMarginPx) + x + objectMarginPx]!
      return id === 0 ? '.' : id === unreadableId ? '!' : String(id)
    }).join(''),
  )
const rows = ['......', '.aa...', '.aab..', '...b..', '......', '......']

describe('objects', () => {
  it('are numbered in raster order, with what they are coloured by', async () => {
    const tile = await objectsTile(shown(rows), 0, 0, 0)
    expect(picture(tile, 6)).toEqual(['......', '.11...', '.112..', '...2..', '......', '......'])
    expect(tile.count).toBe(2)
    const area = (n: number) => tile.values[n * valuesPerObject + objectColumns.indexOf('area')]
    // 4 and 2 px of half a µm.
    expect([area(0), area(1)]).toEqual([1, 0.5])
  })
  it('have their means in channels, which packing keeps', async () => {
    const stain = () => 0
    const object = { ...drawn(...rows)[0]!, stain, channelFigures: [7, 0, 7, 7, 7, 1200.5, 3, 1, 9, 90] }
    const bare = { ...drawn(...rows)[1]!, stain }
    const draft = { resolution: { analysedMpp: 0.5 }, spec: { stainSet: 'rgb' } } as never
    const painted = [object, bare].map((each) => ({ object: each as never, draft, color: undefined }))
    const tile = await tileOf(painted, gridOf(16, 16, 2), 0, 0, 0)
    expect([tile.channels, ...tile.means]).toEqual([2, 7, 1200.5, NaN, NaN])
    expect(unpackTile(packTile(tile).buffer)).toEqual(tile)
  })
  it('show at a coarser level where any of their pixels is', async () => {
    expect(picture(await objectsTile(shown(rows), 1, 0, 0), 3)).toEqual(['11.', '12.', '...'])
  })
  it('reach into the margin, which is asked for', () => {
    expect(shownArea(256, 0, 1, 0)).toEqual({ x: 252, y: -4, width: 264, height: 264 })
    expect(shownArea(4, 2, 1, 1)).toEqual({ x: 0, y: 0, width: 48, height: 48 })
  })
  it('are not taken for what the file could not give', async () => {
    // Level-0 px, of which an analysed px has two.
    const run = shown(rows, [{ x: 4, y: 4, width: 4, height: 2, reason: '' }])
    expect(picture(withUnreadable(await objectsTile(run, 0, 0, 0), run, 0, 0, 0), 4)).toEqual(['....', '.11.', '.1!!', '...2'])
  })
  it('are seen where what could not be read may have changed them, with the hatching around them', async () => {
    const run = shown(rows, [], [{ x: 4, y: 2, width: 4, height: 4, reason: '' }])
    expect(picture(withUnreadable(await objectsTile(run, 0, 0, 0), run, 0, 0, 0), 4)).toEqual(['....', '.11!', '.112', '...2'])
  })
  it('come back from their bytes as they were', async () => {
    const tile = await objectsTile(denseRun(2000, 1024), 0, 1, 1)
    expect(tile.count).toBeGreaterThan(100)
    const bytes = packTile(tile)
    expect(bytes.length).toBeLessThan(tile.ids.byteLength / 3)
    expect(unpackTile(bytes.buffer)).toEqual(tile)
    expect(() => unpackTile(bytes.buffer.slice(4))).toThrow('expected a result tile')
    expect(() => unpackTile(new ArrayBuffer(3))).toThrow('expected a result tile')
  })
})

describe('density', () => {
  it('counts every object once at every level', () => {
    const run = denseRun(5000, 4096)
    const inner = (counts: Float32Array) => {
      let sum = 0
      for (let y = 1; y <= densityCells; y++) for (let x = 1; x <= densityCells; x++) sum += counts[y * (densityCells + 2) + x]!
      return sum
    }
    for (const level of [2, 3, 4]) {
      const tiles = 4096 / (256 * 2 ** level)
      let sum = 0
      for (let y = 0; y < tiles; y++) for (let x = 0; x < tiles; x++) sum += inner(densityOf(run, level, x, y).counts)
      expect([level, sum]).toEqual([level, 5000])
    }
    // A cell of 64 px of half a µm.
    const tile = densityOf(run, 3, 0, 0)
    expect(tile.cellArea).toBeCloseTo(0.032 ** 2, 9)
    expect(unpackTile(packTile(tile).buffer)).toEqual(tile)
  })
})

describe('planes', () => {
  const gray = (data: number[]) =>
    padded({ name: 'p', kind: 'gray', width: data.length, height: 1, data: Uint8Array.from(data) }, 2)
  it('know what they hold, and nothing beyond', () => {
    expect([...gray([7]).values]).toEqual([256 + 7, 0, 0, 0])
    expect([...padded({ name: 'm', kind: 'binary', width: 2, height: 1, data: Uint8Array.of(0, 1) }, 2).values]).toEqual([
      256, 511, 0, 0,
    ])
  })
  it('are halved by the mean of what is known', () => {
    const half = halve([gray([10, 20]), null, null, gray([8])], 2)!
    expect([...half.values]).toEqual([256 + 15, 0, 0, 256 + 8])
    expect(halve([null, null, null, null], 2)).toBeNull()
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

it('every colour that a label can have is there', () => expect(labelColours).toHaveLength(colorCount))
