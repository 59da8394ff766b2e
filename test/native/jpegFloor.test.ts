// decodeJpegs times libjpeg-turbo on a slide's own tiles: it counts what it could decode, and no tile writes beyond its room.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NativeError, decodeJpegs, openSlide } from '../../native/index'
import type { Slide } from '../../native/index'

let slide: Slide
beforeAll(async () => {
  slide = await openSlide(fileURLToPath(new URL('../../assets/samples/CMU-1-Small-Region.svs', import.meta.url)))
})
afterAll(() => slide.close())

it('decodes what is a JPEG, scaled down where it is larger than it may be', async () => {
  const { tileWidth, tileHeight } = slide.info().levels[0]!
  const tile = (await slide.tileJpeg(0, 1, 1))!
  const garbage = new Uint8Array(100).fill(7)
  const { ms, tiles } = await decodeJpegs([tile, garbage, tile, new Uint8Array(0)], tileWidth, tileHeight)
  expect(tiles).toBe(2)
  expect(ms).toBeGreaterThan(0)
  // An eighth is the least that the library scales to.
  expect((await decodeJpegs([tile], tileWidth >> 3, tileHeight >> 3)).tiles).toBe(1)
  expect((await decodeJpegs([tile], 2, 2)).tiles).toBe(0)
  expect((await decodeJpegs([], 1, 1)).tiles).toBe(0)
})

it('refuses what is no list of tiles', async () => {
  const bad = (tiles: unknown) => decodeJpegs(tiles as Uint8Array[], 10, 10)
  for (const tiles of [null, 5, [1], ['x'], [null]]) await expect(bad(tiles)).rejects.toThrow(NativeError)
})
