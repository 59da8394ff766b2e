// Tile URLs: the contract's own are read back, everything else is refused.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tilePaths } from '../../app/contract'
import { parseTileUrl } from '../../main/tileUrl'

describe('parseTileUrl', () => {
  it('reads what the contract writes', () => {
    expect(parseTileUrl(tilePaths.slide('s1-0a9f3c', 3, 4, 5))).toEqual({ kind: 'slide', slideId: 's1-0a9f3c', k: 3, x: 4, y: 5 })
    expect(parseTileUrl(tilePaths.stain('s1-0a9f3c', 'h-e', 2, 0, 0, 0))).toEqual({
      kind: 'stain',
      slideId: 's1-0a9f3c',
      stains: 'h-e',
      channel: 2,
      k: 0,
      x: 0,
      y: 0,
    })
    expect(parseTileUrl(tilePaths.channel('s1-0a9f3c', 39, 2, 4, 5))).toEqual({
      kind: 'channel',
      slideId: 's1-0a9f3c',
      channel: 39,
      k: 2,
      x: 4,
      y: 5,
    })
    expect(parseTileUrl(tilePaths.objects('r12-0a9f3c', 99, 1, 2, 3))).toEqual({
      kind: 'objects',
      runId: 'r12-0a9f3c',
      k: 1,
      x: 2,
      y: 3,
    })
    expect(parseTileUrl(tilePaths.layer('r1-0a9f3c', 'mask', 1, 1, 2, 3))).toEqual({
      kind: 'layer',
      runId: 'r1-0a9f3c',
      layer: 'mask',
      k: 1,
      x: 2,
      y: 3,
    })
    expect(parseTileUrl(tilePaths.associated('s1-0a9f3c', 'macro / ü'))).toEqual({
      kind: 'associated',
      slideId: 's1-0a9f3c',
      name: 'macro / ü',
    })
    const several = [1, 2, 3].map((x) => tilePaths.layer('r1-0a9f3c', 'mask', x, 1, x, 3))
    expect(parseTileUrl(tilePaths.several(several))).toEqual({
      kind: 'several',
      tiles: [1, 2, 3].map((x) => ({ kind: 'layer', runId: 'r1-0a9f3c', layer: 'mask', k: 1, x, y: 3 })),
    })
    const key = '0a9f3c'.padEnd(32, '7')
    expect(parseTileUrl(tilePaths.thumbnail(key))).toEqual({ kind: 'thumbnail', key })
    expect(parseTileUrl('/tile/thumbnail/../recent')).toBeNull()
    expect(parseTileUrl(tilePaths.cuts('s1-0a9f3c', 7))).toEqual({ kind: 'cuts', slideId: 's1-0a9f3c', cutsId: 7 })
    expect(parseTileUrl('/tile/slide/s1-0a9f3c/0/0_0?token=abc')).toMatchObject({ kind: 'slide' })
  })

  it.each([
    '',
    '/',
    '/tile/slide/s1/0/0_0',
    '/tile/slide/s1-/0/0_0',
    '/tile/slide/s1-0A9F3C/0/0_0',
    '/tile/slide/s1-0a9f3c/0/0_0/',
    '/tile/slide/s1-0a9f3c/0/0_0\n',
    '/tile/slide/../s1-0a9f3c/0/0_0',
    '/tile/slide/s1-0a9f3c/0/-1_0',
    '/tile/slide/s1-0a9f3c/0/1.5_0',
    '/tile/slide/s1-0a9f3c/0/1e3_0',
    '/tile/slide/s1-0a9f3c/41/0_0',
    '/tile/slide/s1-0a9f3c/0/9999999999_0',
    '/tile/slide/s9999999999-0a9f3c/0/0_0',
    '/tile/slide/r1-0a9f3c/0/0_0',
    '/tile/cuts/s1-0a9f3c/0',
    '/tile/cuts/s1-0a9f3c/1/0',
    '/tile/stain/s1-0a9f3c/h-e/3/0/0_0',
    '/tile/stain/s1-0a9f3c/h..e/0/0/0_0',
    '/tile/outlines/r1-0a9f3c/1/0/0_0',
    '/tile/objects/r1-0a9f3c/-1/0/0_0',
    '/tile/layer/r1-0a9f3c/a/b/1/0/0_0',
    `/tile/recent/${'0a'.repeat(15)}`,
    '/tile/recent/../settings.json',
    '/tile/associated/s1-0a9f3c/%E0%A4%A',
    '/tile/associated/s1-0a9f3c/',
    '/tile/associated/s1-0a9f3c/a/b',
    '/tile/objects/r1-0a9f3c/1/0/0_0+',
    '/tile/objects/r1-0a9f3c/1/0/0_0++0_1',
    '/tile/objects/r1-0a9f3c/1/0/0_0+../0_1',
    '/tile/objects/r1-0a9f3c/1/0/0_0+0_1/',
    '/tile/objects/r1-0a9f3c/1/41/0_0+0_1',
    `/tile/objects/r1-0a9f3c/1/0/0_0${'+0_1'.repeat(16)}`,
    '/tile/slide/s1-0a9f3c/0/0_0+0_1',
    '+',
    'https://elsewhere/tile/slide/s1-0a9f3c/0/0_0',
    `/tile/associated/s1-0a9f3c/${'a'.repeat(4000)}`,
  ])('refuses %j', (url) => {
    expect(parseTileUrl(url)).toBeNull()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webPath(),
          fc.string().map((s) => `/tile/associated/s1-0a9f3c/${s}`),
        ),
        (url) => {
          parseTileUrl(url)
        },
      ),
    )
  })
})
