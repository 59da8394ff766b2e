// Finds a tissue microarray's cores in a map of tissue: diameter, rows and columns, and each position's core or that it is missing. Pure, and the same each time.
import { finished } from '../base/breather'
import { candidatesIn } from './candidates'
import { coreDiameter } from './coreDiameter'
import { Discs, distance, median } from './coverMap'
import type { CoverMap, Place } from './coverMap'
import { tissueMap } from './closed'
import { cellOf, gridOf } from './grid'
import { stepsOf, walk } from './lattice'

export interface Wanted {
  /** Px of the map; null: as most cores have it. */
  readonly diameter: number | null
  readonly rows: number | null
  readonly columns: number | null
  /** Px of the map that may lie between two bits of one core. */
  readonly gap: number
}

/** Row and column from 0, from the slide's upper left. */
export interface FoundCore extends Place {
  readonly row: number
  readonly column: number
  readonly missing: boolean
}

export interface FoundArray {
  readonly rows: number
  readonly columns: number
  /** Px of the map. */
  readonly diameter: number
  /** Row by row, each position once. */
  readonly cores: readonly FoundCore[]
  /** Things as large as cores that lie in no row and column. */
  readonly outside: readonly Place[]
  /** How far rows are from level, degrees, clockwise. */
  readonly rotation: number
}

/** Of the usual core's tissue: less is a core that is lost. */
const leastTissue = 0.15
/** Of the usual core's tissue: less, beside what is of cores, is not told as something outside. */
const leastOutside = 0.5
/** Of the usual core's tissue: less is a core of which a part is lost, whose middle is not that of its tissue. */
const wholeFrom = 0.75
/** Of a cell: how far a core lies from where it is expected. */
const reach = 0.35
/** Px across: less tells nothing of a shape. */
const leastDiameter = 4

/** null where no cores are found, or too few to tell an array: a single one. */
export const dearray = (map: CoverMap, wanted: Wanted): FoundArray | null => finished(dearraying(map, wanted))

/** The same in steps, between which others have the thread. */
export function* dearraying(map: CoverMap, wanted: Wanted): Generator<void, FoundArray | null, void> {
  const tissue = tissueMap(map, wanted.gap)
  yield
  const diameter = wanted.diameter ?? coreDiameter(tissue)
  if (diameter < leastDiameter) return null
  yield
  const discs = new Discs(tissue)
  const candidates = yield* candidatesIn(discs, diameter)
  const steps = stepsOf(candidates, 0.8 * diameter)
  if (!steps) return null
  yield
  const walked = walk(candidates, steps)
  yield
  const grid = gridOf(walked, discs, diameter, wanted)
  const cell = cellOf(walked.frame)
  const radius = diameter / 2
  const usual = median(grid.found.map(({ place }) => place.mass))
  const wholes = grid.found.filter(({ place }) => place.mass >= wholeFrom * usual).map(({ place }) => place)
  // What is left when these are taken away: no position has a neighbour's tissue.
  const rest = discs.without(wholes, radius)
  const cores: FoundCore[] = []
  for (let row = 0; row < grid.rows; row++) {
    yield
    for (let column = 0; column < grid.columns; column++) {
      const own = grid.found.find((each) => each.row === row && each.column === column)?.place
      const expected = grid.expected(row, column)
      const isWhole = own !== undefined && own.mass >= wholeFrom * usual
      const place = isWhole ? centred(discs, own, radius, wholes) : fitted(rest, radius, expected, reach * cell)
      const missing = !isWhole && rest.mass(place, radius) < leastTissue * usual
      cores.push({ row, column, ...(missing ? expected : { x: place.x, y: place.y }), missing })
    }
  }
  return {
    ...{ rows: grid.rows, columns: grid.columns, diameter, cores },
    outside: grid.outside.filter((each) => rest.mass(each, radius) >= leastOutside * usual).map(({ x, y }) => ({ x, y })),
    rotation: (Math.atan2(walked.frame.right.y, walked.frame.right.x) * 180) / Math.PI,
  }
}

/** Of the radius: a disc so large holds all of a core, so that the middle of what it holds is the core's. */
const wider = 1.15

/** The middle of a whole core; where a neighbour is so near that it would be held too, as it is. */
function centred(discs: Discs, own: Place, radius: number, cores: readonly Place[]): Place {
  const isFree = cores.every((other) => other === own || distance(other, own) >= (1.05 + wider) * radius)
  let place = own
  for (let i = 0; isFree && i < 3; i++) place = discs.centre(place, wider * radius) ?? place
  return place
}

/** The disc with most of the tissue around a place; of half a core any of many holds it, and the nearest to where it is expected is taken. */
function fitted(discs: Discs, radius: number, expected: Place, within: number): Place {
  const area = Math.PI * radius ** 2
  const step = Math.max(0.5, radius / 12)
  const steps = Math.floor(within / step)
  let best = { place: expected, score: -Infinity }
  for (let i = -steps; i <= steps; i++) {
    for (let j = -steps; j <= steps; j++) {
      const place = { x: expected.x + i * step, y: expected.y + j * step }
      const far = distance(place, expected)
      if (far > within) continue
      const score = discs.mass(place, radius) / area - 0.3 * (far / radius) ** 2
      if (score > best.score) best = { place, score }
    }
  }
  return best.place
}
