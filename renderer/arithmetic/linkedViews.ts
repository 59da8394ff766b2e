// Two views that go together: what is in the middle of one, and how large and how turned it is, says it of the other. Pure.
import type { Point, View } from './geometry'

export type Place = Pick<View, 'center' | 'zoom' | 'rotation' | 'flipped'>

export interface Link {
  /** Level-0 px of the one and of the other slide that lie over each other. */
  readonly from: Point
  readonly to: Point
  /** Level-0 px of the other for one of the first: their pixels may be of different sizes. */
  readonly scale: number
  /** Degrees by which the other is turned more. */
  readonly turn: number
}

const turned = ({ x, y }: Point, degrees: number): Point => {
  const a = (degrees * Math.PI) / 180
  return { x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) }
}
const upright = (degrees: number): number => ((degrees % 360) + 360) % 360

/** Where a point of the first slide is on the other. */
export function across({ from, to, scale, turn }: Link, point: Point): Point {
  const way = turned({ x: (point.x - from.x) * scale, y: (point.y - from.y) * scale }, -turn)
  return { x: to.x + way.x, y: to.y + way.y }
}

export const reversed = ({ from, to, scale, turn }: Link): Link => ({ from: to, to: from, scale: 1 / scale, turn: -turn })

/** What the other shows when the first shows `place`. */
export const placeAcross = (link: Link, place: Place): Place => ({
  center: across(link, place.center),
  zoom: place.zoom / link.scale,
  rotation: upright(place.rotation + link.turn),
  flipped: place.flipped,
})

/** As two views stand now; their own magnifications stay out of it. */
export const linkOf = (first: Place, second: Place, scale: number): Link => ({
  from: first.center,
  to: second.center,
  scale,
  turn: upright(second.rotation - first.rotation),
})
