// What a brush that is round on the tissue leaves: a stroke as a shape, its size, and lengths on the slide. Pure; level-0 px.
import type { Shape } from '../../app/contract'
import { formatMeasure } from './format'
import type { Point } from './geometry'
import { simplified } from './regionShapes'

type Ring = [number, number][]

/** Half of the brush's width and height: an ellipse where the slide's pixels are not square. */
export interface Tip {
  readonly x: number
  readonly y: number
}

/** Points of a half circle: a chord of it is nowhere farther than half a hundredth of the radius from the arc. */
const halfPoints = 16
/** A shape of more parts takes long to put together, and no hand draws one in a stroke. */
const mostParts = 2000

/** To a quarter of a pixel: a hand is no finer. */
const fine = (value: number): number => Math.round(value * 4) / 4

/** All that the tip holds on its way from one point to another. */
function capsule(from: Point, to: Point, tip: Tip): Ring {
  // Where the tip is a circle of radius 1.
  const along = Math.atan2((to.y - from.y) / tip.y, (to.x - from.x) / tip.x)
  const half = (centre: Point, first: number): Ring =>
    Array.from({ length: halfPoints + 1 }, (_, i): [number, number] => {
      const turn = first + (Math.PI * i) / halfPoints
      return [fine(centre.x + tip.x * Math.cos(turn)), fine(centre.y + tip.y * Math.sin(turn))]
    })
  const ring = [...half(to, along - Math.PI / 2), ...half(from, along + Math.PI / 2)]
  // Of a brush of a few pixels many points fall upon each other.
  return ring.filter(([x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length]!
    return x !== px || y !== py
  })
}

/** A part for each piece of the way; parts may lie over each other. null: the brush is too small to leave anything. */
export function strokeShape(points: readonly Point[], tip: Tip): Shape | null {
  if (points.length === 0 || Math.sqrt(tip.x * tip.y) < 0.5) return null
  const way = simplified(points, Math.min(tip.x, tip.y) / 16)
  const every = Math.ceil(way.length / mostParts)
  const kept = way.filter((_, i) => i % every === 0 || i === way.length - 1)
  const parts = kept.length === 1 ? [[capsule(kept[0]!, kept[0]!, tip)]] : []
  for (let i = 1; i < kept.length; i++) parts.push([capsule(kept[i - 1]!, kept[i]!, tip)])
  return { kind: 'polygon', parts }
}

/** "123 µm", "1.234 mm"; "340 px" where nobody knows how large a pixel is. */
export function lengthWords(from: Point, to: Point, mppX: number | null, mppY: number | null): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  return formatLength(mppX === null ? null : Math.hypot(dx * mppX, dy * (mppY ?? mppX)), Math.hypot(dx, dy))
}

/** `um` null: uncalibrated. */
export function formatLength(um: number | null, px: number): string {
  if (um === null) return `${formatMeasure(px)} px`
  return um >= 1000 ? `${formatMeasure(um / 1000)} mm` : `${formatMeasure(um)} µm`
}

/** Of a way from point to point. */
export function lineWords(points: readonly (readonly [number, number])[], mppX: number | null, mppY: number | null): string {
  let [um, px] = [0, 0]
  for (let i = 1; i < points.length; i++) {
    const [dx, dy] = [points[i]![0] - points[i - 1]![0], points[i]![1] - points[i - 1]![1]]
    px += Math.hypot(dx, dy)
    um += Math.hypot(dx * (mppX ?? 0), dy * (mppY ?? mppX ?? 0))
  }
  return formatLength(mppX === null ? null : um, px)
}
