// The scheduler: bounded workers, the urgent first, cancelling, and failing jobs.
import { describe, expect, it } from 'vitest'
import { Scheduler, priorities } from '../../../main/run/schedule/schedule'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Work that waits to be let go, so that a test decides when a tile is done. */
function gate(): { work: (tile: number) => Promise<void>; started: number[]; open: (n?: number) => Promise<void> } {
  const started: number[] = []
  const waiting: (() => void)[] = []
  return {
    started,
    work: (tile) => {
      started.push(tile)
      return new Promise((resolve) => waiting.push(resolve))
    },
    open: async (n = 1) => {
      for (let i = 0; i < n; i++) {
        waiting.shift()?.()
        await tick()
      }
    },
  }
}
const tiles = [0, 1, 2, 3, 4, 5]

describe('Scheduler', () => {
  it('keeps its number of workers and the order of the tiles', async () => {
    const scheduler = new Scheduler(2)
    const g = gate()
    const job = scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: g.work })
    expect(g.started).toEqual([0, 1])
    await g.open()
    expect(g.started).toEqual([0, 1, 2])
    await g.open(5)
    await job.finished
    expect(g.started).toEqual(tiles)
  })

  it('gives the next free worker to a preview', async () => {
    const scheduler = new Scheduler(1)
    const slow = gate()
    const urgent = gate()
    scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: slow.work })
    const preview = scheduler.add({ priority: priorities.preview, tiles: [7, 8], maxWorkers: 9, work: urgent.work })
    await slow.open()
    expect(urgent.started).toEqual([7])
    await urgent.open(2)
    await preview.finished
    expect(slow.started).toEqual([0, 1])
  })

  it("keeps a job's own limit", async () => {
    const scheduler = new Scheduler(4)
    const g = gate()
    scheduler.add({ priority: priorities.run, tiles, maxWorkers: 1, work: g.work })
    expect(g.started).toEqual([0])
    await g.open()
    expect(g.started).toEqual([0, 1])
  })

  it('starts nothing after a cancel, and finishes when what is under way has ended', async () => {
    const scheduler = new Scheduler(2)
    const g = gate()
    const job = scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: g.work })
    job.cancel()
    let over = false
    void job.finished.then(() => (over = true))
    await g.open()
    expect(over).toBe(false)
    await g.open()
    expect(over).toBe(true)
    expect(g.started).toEqual([0, 1])
  })

  it('rejects where work throws, and goes on with other jobs', async () => {
    const scheduler = new Scheduler(1)
    const bad = scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: () => Promise.reject(new Error('broken')) })
    let done = 0
    const good = scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: async () => void (done += 1) })
    await expect(bad.finished).rejects.toThrow('broken')
    await good.finished
    expect(done).toBe(6)
  })

  it('keeps a worker from runs while something that is looked at waits, never the last, and not from previews', async () => {
    const scheduler = new Scheduler(2)
    const g = gate()
    const urgent = gate()
    scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: g.work })
    const giveBack = scheduler.holdBack()
    await g.open()
    expect(g.started).toEqual([0, 1])
    await g.open()
    expect(g.started).toEqual([0, 1, 2])
    scheduler.add({ priority: priorities.preview, tiles: [7, 8], maxWorkers: 9, work: urgent.work })
    expect(urgent.started).toEqual([7])
    await urgent.open(2)
    giveBack()
    giveBack()
    expect(g.started).toEqual([0, 1, 2, 3])
  })

  it('finishes a job without tiles at once, and takes more workers when allowed', async () => {
    const scheduler = new Scheduler(1)
    await scheduler.add({ priority: priorities.run, tiles: [], maxWorkers: 1, work: async () => undefined }).finished
    const g = gate()
    scheduler.add({ priority: priorities.run, tiles, maxWorkers: 9, work: g.work })
    scheduler.setWorkers(3)
    expect(g.started).toEqual([0, 1, 2])
  })
})
