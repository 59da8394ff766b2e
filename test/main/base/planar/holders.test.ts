// Which areas hold a place: what a search finds is what asking each would find, and work over many objects rests now and then.
import { expect, it } from 'vitest'
import type { RegionOfInterest, Shape } from '../../../../app/contract'
import { boxOf, holderOf } from '../../../../main/base/shapes'
import { Holders } from '../../../../main/base/planar/holders'
import { regionGroups } from '../../../../main/project/regions/regionGroups'
import { ObjectStore } from '../../../../main/run/objects/objectStore'
import type { Run } from '../../../../main/run/run'
import { seeded } from '../../../stress/seeded'
import { tilesOf } from '../../packing'

const next = seeded(20261127)
/** Whole numbers, so that places lie on edges as well. */
const upTo = (most: number): number => Math.floor(most * next())

function shapeOf(): Shape {
  const [x, y, width, height] = [upTo(100), upTo(100), 1 + upTo(30), 1 + upTo(30)]
  const kind = (['rectangle', 'ellipse', 'polygon'] as const)[upTo(3)]!
  if (kind !== 'polygon') return { kind, x, y, width, height }
  return { kind, parts: [[[[x, y], [x + width, y], [x + upTo(width), y + height]]]] } // oxfmt-ignore
}

it('few or many, narrowed or not, in their order', () => {
  for (let n = 0; n < 60; n++) {
    const shapes = Array.from({ length: 1 + upTo(80) }, shapeOf)
    const holders = new Holders<number>()
    for (const [i, shape] of shapes.entries()) holders.add(shape, i)
    for (let k = 0; k < 20; k++) {
      const [minX, minY] = [upTo(120), upTo(120)]
      const [maxX, maxY] = [minX + upTo(20), minY + upTo(20)]
      holders.narrow({ minX, minY, maxX, maxY })
      for (const [x, y] of [
        [minX, minY],
        [maxX, maxY],
        [(minX + maxX) / 2, (minY + maxY) / 2],
      ] as const) {
        // oxfmt-ignore
        const found: number[] = []
        holders.at(x, y, (i) => found.push(i))
        const each = shapes.flatMap((shape, i) => {
          const box = boxOf(shape)
          const isIn = x >= box.minX && x < box.maxX && y >= box.minY && y < box.maxY && holderOf(shape)(x, y)
          return isIn ? [i] : []
        })
        expect(found).toEqual(each)
      }
    }
  }
})

it('objects are put to their regions in steps, whatever number of both', () => {
  const across = 80
  const store = new ObjectStore({ scale: 2, tileSizePx: 256, widthPx: 256, heightPx: 256 } as never)
  const at = (x: number, y: number): Record<string, number> => ({
    ...{ firstX: x, firstY: y, minX: x, minY: y, maxX: x, maxY: y, centroidX: x + 0.5, centroidY: y + 0.5, area: 1 },
  })
  const [tile] = tilesOf(
    Array.from({ length: across * across }, (_, i) => {
      const [x, y] = [3 * (i % across), 3 * Math.floor(i / across)]
      return { value: (field) => at(x, y)[field] ?? 0, runs: Int32Array.from([y, x, x + 1]) }
    }),
  )
  store.add([{ objects: tile!, keep: null }])
  const side = 32
  const regions = Array.from({ length: 256 }, (_, n): RegionOfInterest => ({
    ...{ id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, slide: 'a'.repeat(32), name: `${n}`, classId: null },
    ...{ shape: { kind: 'rectangle', x: (n % 16) * side, y: Math.floor(n / 16) * side, width: side, height: side } },
    ...{ locked: false, createdAt: '2026-11-27T00:00:00Z', madeBy: 'hand' },
  }))
  const steps = regionGroups({ objects: store, draft: { grid: { scale: 2 } } } as unknown as Run, regions, [])
  let rests = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) rests += 1
  expect(rests).toBeGreaterThan(regions.length + (across * across) / 1024)
  const groups = step.value!
  for (let id = 0; id < across * across; id++) {
    const [x, y] = [2 * (3 * (id % across) + 0.5), 2 * (3 * Math.floor(id / across) + 0.5)]
    expect(groups.names[groups.at[id]!]).toEqual([`${Math.floor(y / side) * 16 + Math.floor(x / side)}`])
  }
})
