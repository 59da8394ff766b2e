// Result tiles by some requests: what goes together, what comes back of it, and what a frame that draws the same leaves alone.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packTile, packTiles, severalTiles, tilePaths, unpackTiles, type DensityTile, type ResultTile } from '../../app/contract'
import { setApi, type Api } from '../../renderer/api'
import { TileGone, tileLoader } from '../../renderer/viewer/tiles/loadTiles'
import { RecordedFrame } from '../../renderer/viewer/tiles/recordedFrame'
import { LoadedTile } from '../../renderer/viewer/tiles/tileCache'

const density = (area: number): DensityTile => ({
  kind: 'density',
  sidePx: 256,
  cellArea: area,
  counts: new Float32Array(34 * 34),
})
const path = (n: number, revision = 1) => tilePaths.density('r1-0a9f3c', revision, 2, n, 7)
const areaOf = (tile: LoadedTile | null) => (tile?.data.kind === 'density' ? tile.data.cellArea : null)
const never = new AbortController().signal

describe('tiles by one request', () => {
  let asked: { path: string; signal: AbortSignal }[]
  /** Of a tile's x: its bytes, none for an empty one, null where it fails. */
  let bodyOf: (x: number) => Uint8Array<ArrayBuffer> | null
  beforeEach(() => {
    asked = []
    bodyOf = (x) => packTile(density(x + 1))
    setApi({ tileUrl: (to: string) => to } as Partial<Api> as Api)
    vi.stubGlobal('fetch', async (to: string, { signal }: { signal: AbortSignal }) => {
      asked.push({ path: to, signal })
      const [first = '', ...more] = to.split('+')
      const xs = [first.slice(first.lastIndexOf('/') + 1), ...more].map((place) => Number(place.split('_')[0]))
      const bodies = xs.map((x) => bodyOf(x))
      await Promise.resolve()
      return new Response(xs.length === 1 ? bodies[0] : packTiles(bodies))
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('sends two first and then eight at a time, whatever their revisions, and others by themselves', async () => {
    const load = tileLoader()
    const other = tilePaths.compared('density', 3, 2, 9, 7)
    const paths = [...Array.from({ length: 11 }, (_, n) => path(n, 1 + (n % 3))), other]
    const tiles = await Promise.all(paths.map((to) => load(to, never)))
    expect(tiles.map(areaOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 10])
    expect(asked.map((each) => each.path.split('+').length)).toEqual([2, 8, 1, 1])
    expect(asked.at(-1)!.path).toBe(other)
  })

  it('gives empty tiles as empty, and lets one that failed fail alone', async () => {
    bodyOf = (x) => (x === 1 ? new Uint8Array() : x === 3 ? null : packTile(density(x + 1)))
    const load = tileLoader()
    const found = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => load(path(n), never)))
    expect(found.map((each) => (each.status === 'fulfilled' ? areaOf(each.value) : 'failed'))).toEqual([1, null, 3, 'failed', 5])
  })

  it('says of all of them that the run is gone', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })))
    const load = tileLoader()
    const found = await Promise.allSettled([0, 1, 2].map((n) => load(path(n), never)))
    expect(found.map((each) => each.status === 'rejected' && each.reason instanceof TileGone)).toEqual([true, true, true])
  })

  it('ends a request that nobody waits for any more, and not before', async () => {
    const load = tileLoader()
    const waits = [new AbortController(), new AbortController(), new AbortController()]
    waits[2]!.abort()
    const loads = waits.map(({ signal }, n) => load(path(n), signal).catch(() => 'left'))
    vi.stubGlobal('fetch', (to: string, { signal }: { signal: AbortSignal }) => {
      asked.push({ path: to, signal })
      return new Promise(() => undefined)
    })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(asked[0]!.path.split('+')).toHaveLength(2)
    waits[0]!.abort()
    expect(asked[0]!.signal.aborted).toBe(false)
    waits[1]!.abort()
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(await Promise.all(loads)).toEqual(['left', 'left', 'left'])
  })

  it('packs no more than is asked for, and reads nothing that was cut or is something else', () => {
    const bodies = [Uint8Array.of(1, 2, 3), null, new Uint8Array(), Uint8Array.of(9)]
    const packed = packTiles(bodies)
    const back = unpackTiles(packed.buffer, 4).map((bytes) => bytes && [...new Uint8Array(bytes)])
    expect(back).toEqual([[1, 2, 3], null, [], [9]])
    for (let length = 0; length < packed.byteLength; length += 4)
      expect(() => unpackTiles(packed.buffer.slice(0, length), 4), `${length} bytes`).toThrow('result tiles')
    expect(() => unpackTiles(packed.buffer, 3)).toThrow('expected 3 result tiles')
    const endless = packed.slice()
    new Uint32Array(endless.buffer)[2] = 0xfffffffe
    expect(() => unpackTiles(endless.buffer, 4)).toThrow('the bytes end after')
    expect(tilePaths.several(Array.from({ length: severalTiles }, (_, n) => path(n))).split('+')).toHaveLength(severalTiles)
  })
})

describe('a frame', () => {
  const tiles = [1, 2].map((area) => new LoadedTile(density(area) satisfies ResultTile))
  const box = (x: number) => ({ x, y: 0, width: 256, height: 256 })
  const frameOf = (key: string, shown: readonly LoadedTile[], dx = 0): RecordedFrame => {
    const frame = new RecordedFrame(key)
    shown.forEach((tile, i) => {
      frame.clear(i * 256 + dx, 0, 256, 256, null)
      frame.draw(tile, box(0), box(i * 256 + dx))
    })
    return frame
  }

  it('looks like another one with the same tiles at the same places in the same colours', () => {
    const one = frameOf('red', tiles)
    expect(one.looksLike(frameOf('red', tiles))).toBe(true)
    expect(one.looksLike(null)).toBe(false)
    expect(one.looksLike(frameOf('blue', tiles))).toBe(false)
    expect(one.looksLike(frameOf('red', tiles, 1))).toBe(false)
    expect(one.looksLike(frameOf('red', tiles.slice(1)))).toBe(false)
    expect(one.looksLike(frameOf('red', [tiles[1]!, tiles[0]!]))).toBe(false)
    // A tile that was loaded anew is another one, with the same numbers too.
    expect(one.looksLike(frameOf('red', [tiles[0]!, new LoadedTile(tiles[1]!.data)]))).toBe(false)
    expect([...one.tiles]).toEqual(tiles)
  })
})
