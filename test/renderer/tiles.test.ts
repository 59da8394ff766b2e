// Result tiles: revisions, the cache, and what is drawn over what.
import { describe, expect, it, vi } from 'vitest'
import type { ResultTile, RunStatus } from '../../app/contract'
import { ResultTiles } from '../../renderer/store/runs/resultTiles'
import type { View } from '../../renderer/arithmetic/geometry'
import { PictureCache, qualityOf, type Picture as LoadedPicture } from '../../renderer/viewer/tiles/pictureCache'
import { screensOfBytes } from '../../renderer/viewer/tiles/cacheBudget'
import { LoadedTile, TileCache } from '../../renderer/viewer/tiles/tileCache'
import { TileLayer, type Surface } from '../../renderer/viewer/tiles/tileLayer'
import { status } from './windowFixture'

interface Picture {
  readonly width: number
  readonly height: number
  readonly url: string
  close: () => void
}

function setUp(budgetBytes?: number) {
  const waiting = new Map<string, { resolve: (picture: Picture | null) => void; reject: (error: Error) => void }>()
  const closed: string[] = []
  const onLoaded = vi.fn()
  const cache = new TileCache<Picture>(
    (url) => new Promise((resolve, reject) => waiting.set(url, { resolve, reject })),
    onLoaded,
    budgetBytes,
  )
  const answer = async (url: string, empty = false) => {
    const job = waiting.get(url)
    if (!job) throw new Error(`expected a request for ${url} but there are ${[...waiting.keys()].join(' ')}`)
    waiting.delete(url)
    job.resolve(empty ? null : { width: 256, height: 256, url, close: () => closed.push(url) })
    await Promise.resolve()
    await Promise.resolve()
  }
  const fail = async (url: string) => {
    waiting.get(url)?.reject(new Error('500'))
    waiting.delete(url)
    for (let n = 0; n < 4; n++) await Promise.resolve()
  }
  return { cache, waiting, closed, onLoaded, answer, fail }
}

describe('revisions', () => {
  it('announces tiles and derives the levels that the engine does not announce', () => {
    const tiles = new ResultTiles()
    tiles.announce('r1', [{ level: 0, x: 5, y: 3, revision: 7 }])
    expect(tiles.revision('r1', 0, 5, 3)).toBe(7)
    expect(tiles.revision('r1', 2, 1, 0)).toBe(7)
    expect(tiles.revision('r1', 0, 0, 0)).toBeUndefined()
    tiles.announce('r1', [{ level: 2, x: 1, y: 0, revision: 4 }])
    expect(tiles.revision('r1', 2, 1, 0)).toBe(4)
    tiles.keepOnly(new Set())
    expect(tiles.revision('r1', 0, 5, 3)).toBeUndefined()
  })
})

describe('what is computed of a run', () => {
  it('has a box around its finest tiles, and the newest revision of each, in whatever order they are told', () => {
    const tiles = new ResultTiles()
    const grid = { tileSizePx: 256, scale: 2, maxLevel: 3 }
    expect(tiles.box('r1', grid)).toBeNull()
    tiles.announce('r1', [
      { level: 0, x: 3, y: 4, revision: 5 },
      { level: 1, x: 0, y: 0, revision: 6 },
      { level: 0, x: 1, y: 4, revision: 7 },
    ])
    expect(tiles.box('r1', grid)).toEqual({ x: 512, y: 2048, width: 1536, height: 512 })
    // An answer to run:tiles may be older than the events that overtook it.
    tiles.announce('r1', [{ level: 0, x: 3, y: 4, revision: 2 }])
    expect(tiles.revision('r1', 0, 3, 4)).toBe(5)
  })
})

describe('tile cache', () => {
  it('loads what is wanted, in order, so many at a time', () => {
    const { cache, waiting } = setUp()
    cache.want(Array.from({ length: 40 }, (_, i) => ({ key: `k${i}`, url: `u${i}`, revision: 1 })))
    expect([...waiting.keys()]).toEqual(Array.from({ length: 32 }, (_, i) => `u${i}`))
  })
  it('does not ask again for what came while others were awaited: no browser keeps tissue behind it', async () => {
    const { cache, waiting, answer } = setUp()
    const wanted = Array.from({ length: 40 }, (_, i) => ({ key: `k${i}`, url: `u${i}`, revision: 1 }))
    cache.want(wanted)
    // The next frame misses the same tiles: those that are on their way too.
    cache.want(wanted)
    await answer('u0')
    expect([...waiting.keys()].filter((url) => url === 'u0')).toEqual([])
    expect(waiting.size).toBe(32)
  })
  it('drops the least recently drawn and closes it', async () => {
    const { cache, answer, closed } = setUp(2 * 256 * 256 * 4)
    for (const name of ['a', 'b']) {
      cache.want([{ key: name, url: name, revision: 1 }])
      await answer(name)
    }
    cache.get('a')
    cache.want([{ key: 'c', url: 'c', revision: 1 }])
    await answer('c')
    expect(closed).toEqual(['b'])
    expect(cache.get('a')).toBeDefined()
  })
  it('ends what was painted of a tile together with it, once', async () => {
    const tile = new LoadedTile({ kind: 'density', sidePx: 256 } as unknown as ResultTile)
    const cache = new TileCache<LoadedTile>(() => Promise.resolve(tile), vi.fn())
    cache.want([{ key: 'run|0/0_0', url: 'u', revision: 0 }])
    await expect.poll(() => cache.get('run|0/0_0')?.bitmap).toBe(tile)
    const ended = vi.fn()
    tile.onClosed = ended
    cache.dropWhere((key) => key.startsWith('run|'))
    tile.close()
    expect(ended).toHaveBeenCalledTimes(1)
  })

  it('may hold some screens of pixels, and never too few', () => {
    expect(screensOfBytes(3)).toBe(48 * 2 ** 20)
    vi.stubGlobal('screen', { width: 3840, height: 2160 })
    vi.stubGlobal('devicePixelRatio', 1.5)
    expect(screensOfBytes(3)).toBe(3 * 4 * 5760 * 3240)
    vi.stubGlobal('screen', { width: 800, height: 600 })
    expect(screensOfBytes(3)).toBe(48 * 2 ** 20)
    vi.unstubAllGlobals()
  })

  it('keeps the older picture when the newer fails, and asks for it again after a pause, ever longer', async () => {
    const { cache, answer, fail, waiting, onLoaded } = setUp()
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    try {
      cache.want([{ key: 'a', url: 'a1', revision: 1 }])
      await answer('a1')
      const wanted = [{ key: 'a', url: 'a2', revision: 2 }]
      for (const pauseMs of [500, 1000, 2000]) {
        cache.want(wanted)
        expect(waiting.size).toBe(1)
        await fail('a2')
        expect(cache.get('a')?.bitmap?.url).toBe('a1')
        onLoaded.mockClear()
        vi.advanceTimersByTime(pauseMs - 10)
        cache.want(wanted)
        expect([waiting.size, onLoaded.mock.calls.length]).toEqual([0, 0])
        vi.advanceTimersByTime(10)
        expect(onLoaded).toHaveBeenCalled()
      }
      cache.want(wanted)
      await answer('a2')
      expect(cache.get('a')?.bitmap?.url).toBe('a2')
    } finally {
      vi.useRealTimers()
    }
  })
  it('asks at once for another revision of what failed', async () => {
    const { cache, fail, waiting } = setUp()
    cache.want([{ key: 'a', url: 'a2', revision: 2 }])
    await fail('a2')
    cache.want([{ key: 'a', url: 'a3', revision: 3 }])
    expect(waiting.size).toBe(1)
  })
})

describe('the slide’s pictures', () => {
  const picture = (bytes: number): LoadedPicture => ({
    blob: new Blob([new Uint8Array(bytes)]),
    unreadable: 0,
    reason: null,
    sampledEvery: 1,
  })
  const signal = new AbortController().signal

  it('are asked for once, until their budget is spent; what was looked at last is forgotten last', async () => {
    const asked: string[] = []
    const cache = new PictureCache((url) => {
      asked.push(url)
      return Promise.resolve(picture(40))
    }, 100)
    for (const url of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(url, signal)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })
  it('that failed are asked for again', async () => {
    let fails = true
    const cache = new PictureCache(() => (fails ? Promise.reject(new Error('503')) : Promise.resolve(picture(1))))
    await expect(cache.get('a', signal)).rejects.toThrow('503')
    fails = false
    expect((await cache.get('a', signal)).blob.size).toBe(1)
  })
  it('tell how many of their parts the file could not give, why, and what stands for more than itself', () => {
    expect(qualityOf(new Headers())).toEqual({ unreadable: 0, reason: null, sampledEvery: 1 })
    const headers = new Headers({
      'X-Morphoscope-Unreadable': '2',
      'X-Morphoscope-Reason': encodeURIComponent('a tile of level 1, µ'),
    })
    expect(qualityOf(headers)).toEqual({ unreadable: 2, reason: 'a tile of level 1, µ', sampledEvery: 1 })
    expect(qualityOf(new Headers({ 'X-Morphoscope-Reason': '%' })).reason).toBe('%')
    expect(qualityOf(new Headers({ 'X-Morphoscope-Sampled': '4' })).sampledEvery).toBe(4)
    expect(qualityOf(new Headers({ 'X-Morphoscope-Sampled': 'x' })).sampledEvery).toBe(1)
  })
})

const run = (runId: string, region = { x: 0, y: 0, width: 512, height: 256 }): RunStatus =>
  status({ runId, purpose: 'preview', state: 'done', region, analysedMpp: null, tilesTotal: 0 })

describe('tile layer', () => {
  const view: View = { center: { x: 256, y: 128 }, zoom: 1, rotation: 0, flipped: false, width: 512, height: 256 }

  function layer() {
    const base = setUp()
    const tiles = new ResultTiles()
    const log: string[] = []
    const surface: Surface<Picture> = {
      clear: (x, y, w, h, within) => log.push(`clear ${x},${y} ${w}x${h}${within === null ? '' : ` in ${within}`}`),
      draw: (picture, source, target, smooth) =>
        log.push(
          `${picture.url} ${source.x},${source.y} ${source.width} > ${target.x},${target.y} ${target.width}x${target.height}${smooth ? ' smooth' : ''}`,
        ),
    }
    const made = new TileLayer<Picture>({
      cache: base.cache,
      revision: (id, k, x, y) => tiles.revision(id, k, x, y),
      url: (id, plane, revision, k, x, y) => `${id}/${plane}/${revision}/${k}/${x}_${y}`,
    })
    const draw = (runs: RunStatus[], v = view) => {
      log.length = 0
      return made.draw(surface, v, 1, runs, 'outline')
    }
    return { ...base, tiles, log, draw }
  }

  it('draws nothing for tiles that do not exist, and loads those that do', async () => {
    const { tiles, draw, waiting, answer, log } = layer()
    tiles.announce('r1', [{ level: 0, x: 0, y: 0, revision: 1 }])
    expect(draw([run('r1')]).complete.size).toBe(0)
    expect([...waiting.keys()]).toEqual(['r1/outline/1/0/0_0'])
    await answer('r1/outline/1/0/0_0')
    const drawn = draw([run('r1')])
    expect(drawn.tiles).toBe(1)
    expect(drawn.complete.has('r1')).toBe(true)
    expect(log).toEqual(['clear 0,0 256x256', 'r1/outline/1/0/0_0 0,0 256 > 0,0 256x256'])
  })
  it('shows the older revision until the newer has loaded', async () => {
    const { tiles, draw, answer, log } = layer()
    tiles.announce('r1', [{ level: 0, x: 0, y: 0, revision: 1 }])
    draw([run('r1')])
    await answer('r1/outline/1/0/0_0')
    tiles.announce('r1', [{ level: 0, x: 0, y: 0, revision: 2 }])
    expect(draw([run('r1')]).complete.has('r1')).toBe(false)
    expect(log.at(-1)).toContain('r1/outline/1/0/0_0')
    await answer('r1/outline/2/0/0_0')
    draw([run('r1')])
    expect(log.at(-1)).toContain('r1/outline/2/0/0_0')
  })
  it('lets a newer run’s tile replace the older one’s under it, empty or not: that one is neither drawn nor asked for', async () => {
    const { tiles, draw, answer, log, waiting } = layer()
    const left = { level: 0, x: 0, y: 0, revision: 1 }
    tiles.announce('r1', [left, { ...left, x: 1 }])
    draw([run('r1')])
    await answer('r1/outline/1/0/0_0')
    tiles.announce('r2', [left])
    tiles.announce('r0', [left])
    const all = [run('r0'), run('r1'), run('r2')]
    // Until it has come the older one is seen; what is older still is hidden by that one.
    expect([...draw(all).complete]).toEqual(['r0'])
    expect(log).toEqual(['clear 0,0 256x256', 'r1/outline/1/0/0_0 0,0 256 > 0,0 256x256'])
    expect([...waiting.keys()].toSorted()).toEqual(['r1/outline/1/0/1_0', 'r2/outline/1/0/0_0'])
    await answer('r2/outline/1/0/0_0', true)
    await answer('r1/outline/1/0/1_0')
    const drawn = draw(all)
    expect(log).toEqual(['clear 256,0 256x256', 'r1/outline/1/0/1_0 0,0 256 > 256,0 256x256', 'clear 0,0 256x256'])
    expect([drawn.tiles, [...drawn.runs], drawn.complete.size]).toEqual([2, ['r2', 'r1'], 3])
    expect(waiting.size).toBe(0)
  })
  it('does not ask for what a newer run’s tile will hide once it has come, but for all that nothing newer has', () => {
    const { tiles, draw, waiting } = layer()
    for (const id of ['r1', 'r2']) tiles.announce(id, [{ level: 0, x: 0, y: 0, revision: 1 }])
    tiles.announce('r1', [{ level: 0, x: 1, y: 0, revision: 1 }])
    expect(draw([run('r1'), run('r2')]).complete.size).toBe(0)
    expect([...waiting.keys()]).toEqual(['r2/outline/1/0/0_0', 'r1/outline/1/0/1_0'])
  })
  it('shows an older run around a newer one’s region, and where the newer one has nothing', async () => {
    const { tiles, draw, answer, log } = layer()
    for (const id of ['r1', 'r2']) tiles.announce(id, [{ level: 0, x: 0, y: 0, revision: 1 }])
    const inner = run('r2', { x: 0, y: 0, width: 300, height: 100 })
    draw([run('r1'), inner])
    await answer('r2/outline/1/0/0_0')
    draw([run('r1'), inner])
    await answer('r1/outline/1/0/0_0')
    tiles.announce('r1', [{ level: 0, x: 1, y: 0, revision: 1 }])
    draw([run('r1'), inner])
    await answer('r1/outline/1/0/1_0')
    draw([run('r1'), inner])
    expect(log.filter((line) => line.startsWith('r'))).toEqual([
      'r1/outline/1/0/1_0 0,0 256 > 256,0 256x256',
      'r1/outline/1/0/0_0 0,0 256 > 0,0 256x256',
      'r2/outline/1/0/0_0 0,0 256 > 0,0 256x100',
    ])
  })
  it('of a run within a shape hides what is older in the shape alone: a neighbour’s objects in its box are drawn, and asked for', async () => {
    const { tiles, draw, answer, log, waiting } = layer()
    for (const id of ['r1', 'r2']) tiles.announce(id, [{ level: 0, x: 0, y: 0, revision: 1 }])
    const both = ['r1', 'r2'].map((id) => ({ ...run(id), withinPx: 30_000 }))
    draw(both)
    expect([...waiting.keys()].toSorted()).toEqual(['r1/outline/1/0/0_0', 'r2/outline/1/0/0_0'])
    await answer('r1/outline/1/0/0_0')
    await answer('r2/outline/1/0/0_0')
    expect([...draw(both).runs].toSorted()).toEqual(['r1', 'r2'])
    expect(log).toEqual([
      'clear 0,0 256x256 in r1',
      'r1/outline/1/0/0_0 0,0 256 > 0,0 256x256',
      'clear 0,0 256x256 in r2',
      'r2/outline/1/0/0_0 0,0 256 > 0,0 256x256',
    ])
  })
  it('stays inside the run’s region', async () => {
    const { tiles, draw, answer, log } = layer()
    tiles.announce('r1', [{ level: 0, x: 0, y: 0, revision: 1 }])
    const inner = run('r1', { x: 64, y: 32, width: 100, height: 100 })
    draw([inner])
    await answer('r1/outline/1/0/0_0')
    draw([inner])
    expect(log).toEqual(['clear 64,32 100x100', 'r1/outline/1/0/0_0 64,32 100 > 64,32 100x100'])
  })
  it('stands in with a coarser tile while a finer one loads', async () => {
    const { tiles, draw, answer, log } = layer()
    tiles.announce('r1', [
      { level: 0, x: 0, y: 0, revision: 1 },
      { level: 1, x: 0, y: 0, revision: 1 },
    ])
    draw([run('r1')], { ...view, zoom: 0.5 })
    await answer('r1/outline/1/1/0_0')
    draw([run('r1')])
    expect(log.at(-1)).toBe('r1/outline/1/1/0_0 0,0 128 > 0,0 256x256')
  })
  it('leaves no gap between neighbours at any zoom', async () => {
    const { tiles, draw, answer, log } = layer()
    tiles.announce('r1', [
      { level: 0, x: 0, y: 0, revision: 1 },
      { level: 0, x: 1, y: 0, revision: 1 },
    ])
    const odd = { ...view, zoom: 1.237, center: { x: 251.3, y: 99.9 } }
    draw([run('r1')], odd)
    await answer('r1/outline/1/0/0_0')
    await answer('r1/outline/1/0/1_0')
    draw([run('r1')], odd)
    const boxes = log
      .filter((line) => line.startsWith('clear'))
      .map((line) => /clear (-?\d+),(-?\d+) (\d+)x/.exec(line)?.slice(1).map(Number) ?? [])
    const [a, b] = boxes.sort((p, q) => (p[0] ?? 0) - (q[0] ?? 0))
    expect((a?.[0] ?? 0) + (a?.[2] ?? 0)).toBe(b?.[0])
  })
})
