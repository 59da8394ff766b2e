// Pairs of polygons at the edge of what can be told apart: copies moved by less than the grid, rims that nearly lie on each other, slivers, fans.
import type { Ring } from '../../../../app/contract'

type Random = () => number
export interface Pair {
  readonly kind: string
  readonly rings: readonly [Ring, Ring]
}

/** Moves below, at and above the steps of the grid, and rounding alone. */
const moves = [0, 0, 1e-12, 1e-9, 2 ** -12, 2 ** -11, 2 ** -10, 2 ** -9, 1e-3, 0.05, 0.5]
const places = [0, 0, 1000 / 3, 98_304.123, 131_071.5]
const sizes = [0.02, 1, 60, 3000, 40_000]

const among = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
const nudge = (random: Random): number => (random() - 0.5) * 2 * among(random, moves)
const moved = (ring: Ring, dx: number, dy: number): Ring => ring.map(([x, y]) => [x + dx, y + dy])
const nudged = (ring: Ring, random: Random): Ring => ring.map(([x, y]) => [x + nudge(random), y + nudge(random)])

/** About the middle of a square of side 1. */
function star(random: Random, points = whole(random, 3, 14), spikes = random() < 0.4): Ring {
  return Array.from({ length: points }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / points
    const far = spikes && i % 2 === 0 ? 0.5 : spikes ? 10 ** -whole(random, 1, 6) : 0.15 + 0.35 * random()
    return [0.5 + far * Math.cos(angle), 0.5 + far * Math.sin(angle)]
  })
}

/** Any points of a small lattice: most cross themselves, lie on themselves, or turn back. */
const onLattice = (random: Random, step: number): Ring =>
  Array.from({ length: whole(random, 3, 9) }, (): [number, number] => [whole(random, 0, 5) * step, whole(random, 0, 5) * step])

/** What is drawn along a way with a round brush, as a window sends it. */
function stroke(random: Random, width: number): Ring {
  const corners = whole(random, 8, 24)
  const [length, turn] = [0.2 + random(), random() * Math.PI]
  const [ux, uy] = [Math.cos(turn), Math.sin(turn)]
  const at = Array.from({ length: corners }, (_, i): [number, number] => {
    const angle = turn + Math.PI / 2 + (2 * Math.PI * i) / corners
    const far = i < corners / 2 ? 0 : length
    return [ux * far + (width / 2) * Math.cos(angle), uy * far + (width / 2) * Math.sin(angle)]
  })
  return at
}

/** Corners of pixels: a column of rows, each from a left to a right edge. */
function pixels(random: Random): Ring {
  const rows = whole(random, 1, 6)
  const [left, right]: [Ring, Ring] = [[], []]
  let middle = whole(random, 3, 6)
  for (let y = 0; y < rows; y++) {
    const [from, to] = [middle - whole(random, 0, 3), middle + whole(random, 1, 3)]
    left.push([from, y], [from, y + 1])
    right.push([to, y], [to, y + 1])
    middle = whole(random, from + 1, to)
  }
  return [...left, ...right.reverse()]
}

const pairs: Record<string, (random: Random) => [Ring, Ring]> = {
  'one moved': (random) => {
    const size = among(random, sizes)
    const ring = star(random).map(([x, y]): [number, number] => [x * size, y * size])
    const copy = moved(ring, nudge(random), nudge(random))
    return [ring, random() < 0.5 ? copy.toReversed() : copy]
  },
  'one with each point moved': (random) => {
    const size = among(random, sizes)
    const ring = star(random).map(([x, y]): [number, number] => [x * size, y * size])
    return [ring, nudged(ring, random)]
  },
  'one turned': (random) => {
    const size = among(random, sizes)
    const angle = among(random, [1e-12, 1e-9, 1e-7, 1e-5, 1e-3]) * (random() - 0.5)
    const ring = star(random).map(([x, y]): [number, number] => [(x - 0.5) * size, (y - 0.5) * size])
    return [ring, ring.map(([x, y]) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)])]
  },
  'neighbours along a rim': (random) => {
    const size = among(random, sizes)
    const rim = Array.from({ length: whole(random, 2, 12) }, (_, i): [number, number] => [i * size, size * random()])
    const end = rim.at(-1)![0]
    const second = random() < 0.5 ? rim : rim.filter((_, i) => i % 3 !== 1 || i === rim.length - 1)
    return [
      [...rim, [end, 3 * size], [0, 3 * size]],
      [...nudged(second, random).toReversed(), [0, -2 * size], [end, -2 * size]],
    ]
  },
  slivers: (random) => {
    const length = among(random, [10, 5000, 100_000])
    const thin = (): Ring => {
      const [from, to] = [random() * 4, random() * 4]
      return [[0, from], [length, to], [length * random(), from + (to - from) * random() + nudge(random)]] // oxfmt-ignore
    }
    return [thin(), thin()]
  },
  fans: (random) => {
    const size = among(random, sizes)
    const fan = (): Ring =>
      Array.from({ length: 2 * whole(random, 2, 7) }, (_, i): [number, number] =>
        i % 2 === 0 ? [nudge(random), nudge(random)] : [size * random(), size * (1 + nudge(random))],
      )
    return [fan(), fan()]
  },
  combs: (random) => {
    const teeth = whole(random, 2, 10)
    const comb = (from: number, to: number): Ring => [
      ...Array.from({ length: teeth }, (_, i): Ring => [[i * 2, from], [i * 2 + 1, to]]).flat(), // oxfmt-ignore
      [teeth * 2, from],
      [teeth, from - (to - from) / 4],
    ]
    return [comb(0, 40), moved(comb(40, 0), nudge(random), nudge(random))]
  },
  pixels: (random) => [moved(pixels(random), whole(random, -2, 2), whole(random, -2, 2)), pixels(random)],
  'strokes of a brush': (random) => {
    const [width, size] = [0.05 + random() * 0.3, among(random, sizes)]
    const one = stroke(random, width)
    const other = random() < 0.5 ? moved(one, nudge(random), nudge(random)) : moved(stroke(random, width), nudge(random), 0)
    const sized = (ring: Ring): Ring => ring.map(([x, y]) => [x * size, y * size])
    return [sized(one), sized(other)]
  },
  'a lattice of the grid': (random) => [onLattice(random, 2 ** -10), onLattice(random, 2 ** -10)],
  'a lattice beside the grid': (random) => [onLattice(random, 2 ** -10 / 3), onLattice(random, 2 ** -11)],
  'a lattice of pixels': (random) => [onLattice(random, 1), nudged(onLattice(random, 1), random)],
}
const kinds = Object.keys(pairs)

/** Each kind in turn, somewhere on a slide. */
export function degeneratePair(n: number, random: Random): Pair {
  const kind = kinds[n % kinds.length]!
  const [x, y] = [among(random, places), among(random, places)]
  const [one, other] = pairs[kind]!(random)
  return { kind, rings: [moved(one, x, y), moved(other, x, y)] }
}
