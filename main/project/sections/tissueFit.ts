// One section's tissue laid on another's: turned by steps about its centre, then refined by the distances between their borders. Pure but for the engine.
import type { Affine } from '../../../app/contract'
import { callOp } from '../../../native/index'
import { EngineError } from '../../base/errors'
import { applied, chained, inverted } from './affine'
import type { Place } from './affine'

/** Px of `side` µm, from the slide's corner on: 1 is tissue. */
export interface TissueMask {
  readonly width: number
  readonly height: number
  readonly side: number
  readonly values: Uint8Array
}

export interface TissueFit {
  /** Of µm on the one slide to µm on the other. */
  readonly map: Affine
  /** Between the borders, both ways, µm. */
  readonly medianUm: number
  readonly farUm: number
  /** Dice of the two tissues. */
  readonly overlap: number
}

/** Turns that are tried, degrees. */
const turnStep = 6
/** Of borders, evenly. */
const mostPlaces = 1500
const coarsePlaces = 200
/** Of the tissue's extent: borders farther apart do not belong together. */
const farShare = 0.1
/** Turned ways that are refined. */
const refined = 4
/** A mirrored section is believed where its borders lie so much nearer. */
const mirroredGain = 0.8
/** So is a map that stretches. */
const stretchedGain = 0.97

interface Border {
  readonly mask: TissueMask
  readonly places: readonly Place[]
  readonly centre: Place
  readonly extent: number
  /** Of each px of the mask to the border, µm. */
  readonly distances: Float32Array
}

/** Throws INVALID_PARAMETER where one has no tissue. O(px of the masks, and borders times the maps that are tried). */
export async function tissueFit(from: TissueMask, to: TissueMask): Promise<TissueFit> {
  const [a, b] = [await borderOf(from, 'first'), await borderOf(to, 'second')]
  const far = farShare * Math.max(a.extent, b.extent)
  const ways = [false, true].map((mirrored) => best(a, b, mirrored, far))
  const [plain, mirrored] = ways as [Way, Way]
  const rigid = mirrored.cost < mirroredGain * plain.cost ? mirrored : plain
  const stretched = descended(rigid.map, a, b, far, stretches)
  const { map } = stretched.cost < stretchedGain * rigid.cost ? stretched : rigid
  const back = inverted(map)
  const all = [
    ...a.places.map((place) => distance(b, applied(map, place))),
    ...b.places.map((place) => distance(a, applied(back, place))),
  ]
  all.sort((one, other) => one - other)
  const share = (of: number): number => all[Math.min(all.length - 1, Math.floor(of * all.length))]!
  return { map, medianUm: share(0.5), farUm: share(0.9), overlap: overlapOf(map, from, to) }
}

async function borderOf(mask: TissueMask, which: string): Promise<Border> {
  const { width, height, side } = mask
  const values = withoutSpecks(mask)
  const at = (x: number, y: number): number => values[y * width + x]!
  const isBorder = new Uint8Array(width * height)
  const all: [number, number][] = []
  let [sumX, sumY, count] = [0, 0, 0]
  let [left, right, top, bottom] = [width, 0, height, 0]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (at(x, y) === 0) continue
      ;[sumX, sumY, count] = [sumX + x, sumY + y, count + 1]
      ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)]
      // Where the image ends is no border of tissue.
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue
      if (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) === 4) continue
      isBorder[y * width + x] = 1
      all.push([(x + 0.5) * side, (y + 0.5) * side])
    }
  if (all.length < 8)
    throw new EngineError(
      'INVALID_PARAMETER',
      `No border of tissue was found on the ${which} slide. Mark the same places as points on both slides instead.`,
    )
  const data = isBorder.map((value) => 1 - value)
  const { outputs } = await callOp('distance', [{ name: 'image', channels: 1, width, height, data }], {})
  const squared = outputs[0]!.data
  return {
    mask: { ...mask, values },
    places: evenly(all, mostPlaces),
    centre: [(sumX / count + 0.5) * side, (sumY / count + 0.5) * side],
    extent: side * Math.max(right - left + 1, bottom - top + 1),
    distances: Float32Array.from(squared, (value) => side * Math.sqrt(value)),
  }
}

const evenly = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most ? [...all] : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!)

/** Pieces of less than a fiftieth of the largest are dust. */
function withoutSpecks({ values, width, height }: TissueMask): Uint8Array {
  const numbers = new Int32Array(values.length)
  const sizes = [0]
  const stack: number[] = []
  for (let start = 0; start < values.length; start++) {
    if (values[start] !== 1 || numbers[start] !== 0) continue
    const number = sizes.push(0) - 1
    numbers[start] = number
    stack.push(start)
    while (stack.length > 0) {
      const px = stack.pop()!
      sizes[number]! += 1
      const x = px % width
      for (const next of [x > 0 ? px - 1 : -1, x < width - 1 ? px + 1 : -1, px - width, px + width])
        if (next >= 0 && next < width * height && values[next] === 1 && numbers[next] === 0) {
          numbers[next] = number
          stack.push(next)
        }
    }
  }
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  return Uint8Array.from(numbers, (number) => (number > 0 && 50 * sizes[number]! >= largest ? 1 : 0))
}

/** µm from a place to the border; beyond the image as far as its rim and what lies between. */
function distance({ mask: { width, height, side }, distances }: Border, [x, y]: Place): number {
  const [px, py] = [x / side - 0.5, y / side - 0.5]
  const [cx, cy] = [Math.max(0, Math.min(width - 1, px)), Math.max(0, Math.min(height - 1, py))]
  const [column, row] = [Math.min(Math.floor(cx), width - 2), Math.min(Math.floor(cy), height - 2)]
  const [u, v] = [cx - column, cy - row]
  const at = (i: number, j: number): number => distances[(row + j) * width + column + i]!
  const inside = (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1))
  return inside + side * Math.hypot(px - cx, py - cy)
}

/** How far the borders lie apart on average, both ways; `far` counts as far, however far it is. */
function cost(map: Affine, a: Border, b: Border, far: number, most = mostPlaces): number {
  const back = inverted(map)
  const [forward, backward] = [evenly(a.places, most), evenly(b.places, most)]
  let [sum, other] = [0, 0]
  for (const place of forward) sum += Math.min(far, distance(b, applied(map, place)))
  for (const place of backward) other += Math.min(far, distance(a, applied(back, place)))
  return sum / forward.length + other / backward.length
}

interface Way {
  readonly map: Affine
  readonly cost: number
}

/** About the first one's centre, which comes to lie on the other's. */
function turned(a: Border, b: Border, angle: number, mirrored: boolean): Affine {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const flip = mirrored ? -1 : 1
  const map = { xx: flip * cos, xy: -sin, yx: flip * sin, yy: cos, dx: 0, dy: 0 }
  const [x, y] = applied(map, a.centre)
  return { ...map, dx: b.centre[0] - x, dy: b.centre[1] - y }
}

function best(a: Border, b: Border, mirrored: boolean, far: number): Way {
  const wide = 3 * far
  const ways: Way[] = []
  for (let degrees = 0; degrees < 360; degrees += turnStep) {
    const map = turned(a, b, (degrees * Math.PI) / 180, mirrored)
    ways.push({ map, cost: cost(map, a, b, wide, coarsePlaces) })
  }
  ways.sort((one, other) => one.cost - other.cost)
  // A slide that was stained again lies as it lay.
  const starts = [...ways.slice(0, refined).map(({ map }) => map), ...(mirrored ? [] : [same])]
  const candidates = starts.map((map) => descended(descended(map, a, b, wide, moves, coarsePlaces).map, a, b, far, moves))
  return candidates.reduce((one, other) => (other.cost < one.cost ? other : one))
}

/** Small changes of a map, each `size` strong: 1 moves what is at the tissue's rim by its extent. */
type Changes = (size: number, extent: number) => Affine[]
const same: Affine = { xx: 1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0 }
const moves: Changes = (size, extent) =>
  [size, -size].flatMap((by) => [
    { ...same, dx: by * extent },
    { ...same, dy: by * extent },
    { ...same, xx: Math.cos(by), xy: -Math.sin(by), yx: Math.sin(by), yy: Math.cos(by) },
  ])
const stretches: Changes = (size, extent) => [
  ...moves(size, extent),
  ...[size, -size].flatMap((by) => [
    { ...same, xx: 1 + by },
    { ...same, yy: 1 + by },
    { ...same, xy: by },
    { ...same, yx: by },
  ]),
]

/** Compass search: the best of small changes about the second one's centre, halved where none is better. */
function descended(start: Affine, a: Border, b: Border, far: number, changes: Changes, most = mostPlaces): Way {
  const [cx, cy] = b.centre
  const [away, home] = [
    { ...same, dx: -cx, dy: -cy },
    { ...same, dx: cx, dy: cy },
  ]
  let way: Way = { map: start, cost: cost(start, a, b, far, most) }
  for (let size = 0.05; size * b.extent > b.mask.side / 20; size /= 2)
    for (let isBetter = true, turns = 0; isBetter && turns < 20; turns++) {
      isBetter = false
      for (const change of changes(size, b.extent)) {
        const map = chained(way.map, chained(away, chained(change, home)))
        const found = cost(map, a, b, far, most)
        if (found < way.cost) [way, isBetter] = [{ map, cost: found }, true]
      }
    }
  return way
}

function overlapOf(map: Affine, from: TissueMask, to: TissueMask): number {
  let [both, one] = [0, 0]
  for (let y = 0; y < from.height; y++)
    for (let x = 0; x < from.width; x++) {
      if (from.values[y * from.width + x] !== 1) continue
      one += 1
      const [tx, ty] = applied(map, [(x + 0.5) * from.side, (y + 0.5) * from.side])
      const [px, py] = [Math.floor(tx / to.side), Math.floor(ty / to.side)]
      if (px >= 0 && py >= 0 && px < to.width && py < to.height && to.values[py * to.width + px] === 1) both += 1
    }
  const other = to.values.reduce((sum, value) => sum + value, 0)
  const area = from.side * from.side
  return (2 * both * area) / (one * area + other * to.side * to.side)
}
