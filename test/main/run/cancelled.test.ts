// What nobody waits for any more is not computed: overviews, looked-at tiles and clicks stop when the last that asked has gone.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis } from '../../../main/run/analysis/analysis'
import { Overviews } from '../../../main/run/analysis/overviews'
import type { Draft } from '../../../main/run/analysis/analysis'
import { gridOf } from '../../../main/run/plan/plan'
import { segmentAt } from '../../../main/run/point/segment'
import { TileResults } from '../../../main/run/tiles/tileResults'
import { SharedWork } from '../../../main/base/sharedWork'
import { Slides } from '../../../main/slide/slides'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let usual: Draft

beforeAll(async () => {
  const slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  const spec = await openSpecs(assets).get('he-nuclei')
  usual = draftAnalysis(slide, spec, defaultRecipe(spec))
})
afterAll(() => slides.closeAll())

describe('SharedWork', () => {
  it('is done once for all that ask, and stopped when the last of them has gone', async () => {
    const work = new SharedWork<number>()
    const stopped: boolean[] = []
    let begun = 0
    let finish: (value: number) => void = () => undefined
    const begin = ({ signal }: { signal: AbortSignal }) => {
      begun += 1
      signal.addEventListener('abort', () => stopped.push(true))
      return new Promise<number>((resolve) => (finish = resolve))
    }
    const [one, two] = [new AbortController(), new AbortController()]
    const first = work.get('a', begin, one.signal)
    const second = work.get('a', begin, two.signal)
    one.abort()
    await expect(first).rejects.toThrow()
    expect([begun, stopped.length]).toEqual([1, 0])
    finish(7)
    expect(await second).toBe(7)

    const third = work.get('a', begin, two.signal)
    two.abort()
    await expect(third).rejects.toThrow()
    expect([begun, stopped.length]).toEqual([2, 1])
    // Who comes then begins anew.
    const fourth = work.get('a', begin)
    finish(8)
    expect([await fourth, begun]).toEqual([8, 3])
  })

  it('goes on for one that cannot go, and tells a failure to all', async () => {
    const work = new SharedWork<number>()
    let fail: (error: Error) => void = () => undefined
    let stopped = false
    const begin = ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => (stopped = true))
      return new Promise<number>((_, reject) => (fail = reject))
    }
    const abort = new AbortController()
    const both = Promise.allSettled([work.get('a', begin), work.get('a', begin, abort.signal)])
    abort.abort()
    fail(new Error('broken'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(stopped).toBe(false)
  })
})

describe('on the bundled slide', () => {
  it('an overview, a tile and a click that were taken back are not there afterwards', async () => {
    // A usual tile takes 10 ms, and a busy machine may end one before its thread hears of it: these are 36 times as large.
    const { widthPx, heightPx, scale } = usual.grid
    const draft: Draft = { ...usual, grid: gridOf(widthPx, heightPx, scale, 1536) }
    const overviews = new Overviews()
    const tiles = new TileResults()
    const gone = new AbortController()
    const wanted = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ]
    const early = overviews.complete(draft, 1, gone.signal)
    gone.abort()
    await expect(early).rejects.toThrow()
    await expect(overviews.complete(draft, 1, gone.signal)).rejects.toThrow()

    // Another's wish for the same is not touched.
    const abort = new AbortController()
    const [left, stayed] = await Promise.allSettled([
      overviews.complete(draft, 1, (setImmediate(() => abort.abort()), abort.signal)),
      overviews.complete(draft, 1),
    ])
    expect([left.status, stayed.status]).toEqual(['rejected', 'fulfilled'])
    const analysis = await overviews.complete(draft, 1)

    const leaving = new AbortController()
    const how = { wanted: 'overlapping', threads: 1 } as const
    const looks = wanted.map((tile) => tiles.look(analysis, tile, how, leaving.signal))
    const click = segmentAt(draft, { x: 700, y: 1536 + 700 }, 1, { overviews, tiles }, leaving.signal)
    leaving.abort()
    for (const result of await Promise.allSettled([...looks, click])) expect(result.status).toBe('rejected')
    // One that is wanted comes last: what was started before it would have ended by then.
    await tiles.look(analysis, { x: 1, y: 1 }, how)
    for (const tile of [...wanted, { x: 0, y: 1 }]) expect(tiles.cached(analysis, tile, 'overlapping')).toBeUndefined()
    expect(tiles.cached(analysis, { x: 1, y: 1 }, 'overlapping')).toBeDefined()
  })
})
