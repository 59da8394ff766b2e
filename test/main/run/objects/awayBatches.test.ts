// Objects that memory has no room for are the same objects, read from a file without a name.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { AwayBatches } from '../../../../main/run/objects/awayBatches'
import { ObjectStore } from '../../../../main/run/objects/objectStore'
import { gridOf } from '../../../../main/run/plan/plan'
import { batchRows, PackedObjects } from '../../../../main/run/objects/packedObjects'
import { moved, pack, tilesOf } from '../../packing'
import type { Plain } from '../../packing'

const columns = 200
const rows = Math.ceil((batchRows * 4.5) / columns)
/** A different one everywhere, in the order in which windows come in: not that of the raster. */
const objects: Plain[] = Array.from({ length: columns * rows }, (_, i) => {
  const width = 1 + (i % 7)
  const plain: Plain = {
    value: (field) =>
      ({ maxX: width - 1, maxY: 0, area: width, centroidX: (width - 1) / 2, perimeter: 2 * width + 2, solidity: i / 7 })[
        field as string
      ] ?? 0,
    runs: Int32Array.of(0, 0, width),
  }
  return moved([plain], ((i * 37) % columns) * 20, Math.floor(i / columns) * 9)[0]!
})

function storeOf(mostBytes: number): ObjectStore {
  const store = new ObjectStore(gridOf(2 ** 13, 2 ** 13, 1, 256), mostBytes)
  for (let from = 0; from < objects.length; from += 3000)
    store.add(tilesOf(objects.slice(from, from + 3000), 256).map((tile) => ({ objects: tile, keep: null })))
  return store
}
const told = (store: ObjectStore) =>
  store
    .all()
    .slice(0, store.count)
    .map((object) => [object.firstX, object.firstY, object.area, object.solidity, object.circularity, object.id, ...object.runs])

describe('objects beyond what memory holds', () => {
  const [all, few, one] = [storeOf(Infinity), storeOf(300_000), storeOf(1)]

  it('are those that went in, whatever stays', () => {
    expect(told(few)).toEqual(told(all))
    expect(told(one)).toEqual(told(all))
    const rect = { x: 300, y: 500, width: 2000, height: 700 }
    for (const store of [few, one]) {
      expect(store.inRect(rect).map(({ id }) => id)).toEqual(all.inRect(rect).map(({ id }) => id))
      expect(store.at(740, 9)?.id).toBe(all.at(740, 9)?.id)
      expect([...store.owned()]).toEqual([...all.owned()])
    }
  })

  it('are listed without being read back', () => {
    const store = storeOf(1)
    const read = vi.spyOn(AwayBatches.prototype, 'get')
    expect(store.all().ids).toEqual(all.all().ids)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  it('take less, and leave no file behind', () => {
    expect(one.bytes).toBeLessThan(all.bytes / 2)
    expect(few.bytes).toBeLessThan(all.bytes)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('morphoscope-objects-'))).toEqual([])
  })

  it('stay in memory where no file can be written', () => {
    const store = new ObjectStore(gridOf(2 ** 13, 2 ** 13, 1, 256), 1, '/dev/null/nowhere')
    store.add(tilesOf(objects, 256).map((tile) => ({ objects: tile, keep: null })))
    expect(store.count).toBe(objects.length)
    expect(store.bytes).toBeGreaterThan(all.bytes * 0.9)
  })
})

describe('AwayBatches', () => {
  it('lets go of the oldest that was read when the latest ones fill its room', () => {
    const { batch } = PackedObjects.of(pack(objects.slice(0, 500)))
    const away = new AwayBatches(2.5 * new AwayBatches(0).put(batch).bytes)
    const gone: number[] = []
    const readers = [0, 1, 2].map((i) => ({ away: away.put(batch), letGo: () => void gone.push(i) }))
    for (const reader of readers) expect(away.get(reader).ends).toEqual(batch.ends)
    expect(gone).toEqual([0])
    away.get(readers[0]!)
    expect(gone).toEqual([0, 1])
  })

  it('says so where the file cannot be written', () => {
    expect(() => new AwayBatches(1, '/dev/null/nowhere').put(pack(objects.slice(0, 2)))).toThrow(/ENOTDIR|ENOENT/)
  })
})
