// Changed tiles: rising revisions, coarser levels, batches, and nothing lost at the end.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TileRef } from '../../../app/contract'
import { ChangedTiles } from '../../../main/run/result/changedTiles'
import { gridOf } from '../../../main/run/plan/plan'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('ChangedTiles', () => {
  it('tells a change at once, with every coarser tile over it', () => {
    const told: TileRef[][] = []
    const changed = new ChangedTiles(gridOf(1024, 1024, 1, 256), (tiles) => told.push(tiles))
    changed.mark([{ x: 3, y: 1 }])
    expect(told).toEqual([
      [
        { level: 0, x: 3, y: 1, revision: 1 },
        { level: 1, x: 1, y: 0, revision: 1 },
        { level: 2, x: 0, y: 0, revision: 1 },
      ],
    ])
    expect(changed.revisionOf(1, 1, 0)).toBe(1)
    expect(changed.revisionOf(0, 0, 0)).toBe(0)
  })

  it('batches what follows, each tile once under its newest revision', () => {
    const told: TileRef[][] = []
    const changed = new ChangedTiles(gridOf(256, 256, 1, 256), (tiles) => told.push(tiles))
    for (let i = 0; i < 5; i++) changed.mark([{ x: 0, y: 0 }])
    expect(told).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(told).toEqual([[{ level: 0, x: 0, y: 0, revision: 1 }], [{ level: 0, x: 0, y: 0, revision: 5 }]])
  })

  it('tells coarse levels less often, and the rest on a flush', () => {
    const told: TileRef[] = []
    const changed = new ChangedTiles(gridOf(256 * 16, 256, 1, 256), (tiles) => told.push(...tiles))
    changed.mark([{ x: 0, y: 0 }])
    changed.mark([{ x: 1, y: 0 }])
    vi.advanceTimersByTime(150)
    expect(told.filter((tile) => tile.level === 4).map((tile) => tile.revision)).toEqual([1])
    expect(told.filter((tile) => tile.level === 0)).toHaveLength(2)
    changed.flush()
    expect(told.filter((tile) => tile.level === 4).map((tile) => tile.revision)).toEqual([1, 2])
    vi.advanceTimersByTime(5000)
    expect(told.filter((tile) => tile.level === 4)).toHaveLength(2)
  })
})
