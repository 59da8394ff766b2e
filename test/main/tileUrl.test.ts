// Tile URLs: the contract's own are read back, everything else is refused.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tilePaths } from '../../app/contract'
import { parseTileUrl } from '../../main/tileUrl'

describe('parseTileUrl', () => {
  it('reads what the contract writes', () => {
    expect(parseTileUrl(tilePaths.slide('s1', 3, 4, 5))).toEqual({ kind: 'slide', slideId: 's1', k: 3, x: 4, y: 5 })
    expect(parseTileUrl(tilePaths.stain('s1', 'h-e', 2, 0, 0, 0))).toEqual({
      kind: 'stain',
      slideId: 's1',
      stainSet: 'h-e',
      channel: 2,
      k: 0,
      x: 0,
      y: 0,
    })
    expect(parseTileUrl(tilePaths.overlay('r12', 'filled', 99, 1, 2, 3))).toEqual({
      kind: 'overlay',
      runId: 'r12',
      style: 'filled',
      k: 1,
      x: 2,
      y: 3,
    })
    expect(parseTileUrl(tilePaths.layer('r1', 'mask', 1, 1, 2, 3))).toEqual({
      kind: 'layer',
      runId: 'r1',
      layer: 'mask',
      k: 1,
      x: 2,
      y: 3,
    })
    expect(parseTileUrl(tilePaths.associated('s1', 'macro / ü'))).toEqual({
      kind: 'associated',
      slideId: 's1',
      name: 'macro / ü',
    })
    expect(parseTileUrl('/tile/slide/s1/0/0_0?token=abc')).toMatchObject({ kind: 'slide' })
  })

  it.each([
    '',
    '/',
    '/tile/slide/s1/0/0_0/',
    '/tile/slide/s1/0/0_0\n',
    '/tile/slide/../s1/0/0_0',
    '/tile/slide/s1/0/-1_0',
    '/tile/slide/s1/0/1.5_0',
    '/tile/slide/s1/0/1e3_0',
    '/tile/slide/s1/41/0_0',
    '/tile/slide/s1/0/9999999999_0',
    '/tile/slide/s9999999999/0/0_0',
    '/tile/slide/r1/0/0_0',
    '/tile/stain/s1/h-e/3/0/0_0',
    '/tile/stain/s1/h..e/0/0/0_0',
    '/tile/overlay/r1/dashed/1/0/0_0',
    '/tile/overlay/r1/outline/-1/0/0_0',
    '/tile/layer/r1/a/b/1/0/0_0',
    '/tile/associated/s1/%E0%A4%A',
    '/tile/associated/s1/',
    '/tile/associated/s1/a/b',
    'https://elsewhere/tile/slide/s1/0/0_0',
    `/tile/associated/s1/${'a'.repeat(4000)}`,
  ])('refuses %j', (url) => {
    expect(parseTileUrl(url)).toBeNull()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webPath(),
          fc.string().map((s) => `/tile/associated/s1/${s}`),
        ),
        (url) => {
          parseTileUrl(url)
        },
      ),
    )
  })
})
