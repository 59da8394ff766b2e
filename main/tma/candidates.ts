// Where cores may lie: discs of their diameter that hold much tissue with less around them. Pieces of one core are one, touching cores are two. Pure.
import { distance } from './coverMap'
import type { Discs, Place } from './coverMap'

export interface Candidate extends Place {
  /** Px of tissue in its disc. */
  readonly mass: number
}

/** Of a disc's area: less tissue is no core by itself. */
const leastShare = 0.2
/** More than any array has: of noise the strongest stay. */
const most = 3000
/** Of the diameter: how far around a disc tissue speaks against it. */
const around = 0.7
/** Of the diameter: nearer to each other two are one. */
const apart = 0.7
/** Steps of a scan, of the radius: each place then moves to the middle of its tissue. */
const stepsOfRadius = 5

/** In steps of some rows. */
export function* candidatesIn(discs: Discs, diameter: number): Generator<void, Candidate[], void> {
  const { width, height } = discs.map
  const radius = diameter / 2
  const step = Math.max(1, Math.floor(radius / stepsOfRadius))
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)]
  const score = new Float64Array(columns * rows).fill(-Infinity)
  const area = Math.PI * radius ** 2
  const ring = Math.PI * ((around * diameter) ** 2 - radius ** 2)
  const placeOf = (at: number): Place => ({ x: ((at % columns) + 0.5) * step, y: (Math.floor(at / columns) + 0.5) * step })
  for (let at = 0; at < score.length; at++) {
    if (at % (16 * columns) === 0) yield
    const place = placeOf(at)
    const mass = discs.mass(place, radius)
    if (mass < leastShare * area) continue
    score[at] = mass / area - (discs.mass(place, around * diameter) - mass) / ring / 2
  }
  const peaks: number[] = []
  for (let at = 0; at < score.length; at++) {
    if (score[at] === -Infinity) continue
    const [x, y] = [at % columns, Math.floor(at / columns)]
    let isPeak = true
    for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column++)
        if (score[row * columns + column]! > score[at]!) isPeak = false
    if (isPeak) peaks.push(at)
  }
  peaks.sort((a, b) => score[b]! - score[a]! || a - b)
  const found: Candidate[] = []
  for (const at of peaks) {
    if (found.length >= most) break
    const place = settled(discs, placeOf(at), radius)
    if (found.every((other) => distance(other, place) >= apart * diameter))
      found.push({ ...place, mass: discs.mass(place, radius) })
  }
  return found
}

/** Moved to the centre of its tissue until it stays. */
function settled(discs: Discs, place: Place, radius: number): Place {
  let at = place
  for (let i = 0; i < 12; i++) {
    const next = discs.centre(at, radius) ?? at
    if (distance(next, at) < 0.01) return next
    at = next
  }
  return at
}
