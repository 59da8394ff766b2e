// Two views that go together.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toScreen, type View } from '../../renderer/arithmetic/geometry'
import { across, linkOf, placeAcross, reversed, type Link, type Place } from '../../renderer/arithmetic/linkedViews'

const point = fc.record({ x: fc.integer({ min: -5000, max: 90_000 }), y: fc.integer({ min: -5000, max: 90_000 }) })
const places: fc.Arbitrary<Place> = fc.record({
  center: point,
  zoom: fc.double({ min: 0.01, max: 20, noNaN: true }),
  rotation: fc.integer({ min: 0, max: 359 }),
  flipped: fc.boolean(),
})
const links: fc.Arbitrary<Link> = fc.record({
  from: point,
  to: point,
  scale: fc.constantFrom(0.25, 0.5, 1, 2, 4),
  turn: fc.integer({ min: 0, max: 359 }),
})
const viewOf = (place: Place): View => ({ ...place, width: 800, height: 600 })

describe('linked views', () => {
  it('show the same tissue at the same place of the screen, at the same size', () => {
    fc.assert(
      fc.property(links, places, fc.integer({ min: -300, max: 300 }), (link, place, n) => {
        const p = { x: place.center.x + n / place.zoom, y: place.center.y - (n * 0.7) / place.zoom }
        const [a, b] = [toScreen(viewOf(place), p), toScreen(viewOf(placeAcross(link, place)), across(link, p))]
        return Math.abs(a.x - b.x) < 1e-3 && Math.abs(a.y - b.y) < 1e-3
      }),
    )
  })
  it('lead each other: there and back is where it was', () => {
    fc.assert(
      fc.property(links, places, (link, place) => {
        const back = placeAcross(reversed(link), placeAcross(link, place))
        expect(back.center.x).toBeCloseTo(place.center.x, 4)
        expect(back.center.y).toBeCloseTo(place.center.y, 4)
        expect(back.zoom).toBeCloseTo(place.zoom, 9)
        expect([back.rotation, back.flipped]).toEqual([place.rotation, place.flipped])
      }),
    )
  })
  it('are linked as they stand', () => {
    fc.assert(
      fc.property(places, places, (first, second) => {
        const there = placeAcross(linkOf(first, second, 2), first)
        expect(there.center).toEqual(second.center)
        expect([there.rotation, there.zoom]).toEqual([second.rotation, first.zoom / 2])
      }),
    )
  })
})
