// objects.csv and objects.geojson written one object after the other in plain TypeScript, as until 2026-11: what the engine's writers are held against.
import { createHash } from 'node:crypto'
import { inUnits, measurementOrder, measurements, stainStatisticKeys, stainStatistics, unitsOf } from '../../../app/contract'
import { calibrationOf } from '../../../main/export/calibration'
import { csvText } from '../../../main/base/csvText'
import type { RunObject, RunResult } from '../../../main/run/objects/result'
import type { Outlines } from '../../../native/index'

type Point = readonly [number, number]
type Ring = readonly Point[]
type Polygon = readonly Ring[]
interface Told {
  readonly result: RunResult
  /** What the files call the slide, and the seed of UUIDs. */
  readonly shown: string
  readonly seed: string
}

/** At most seven significant digits; what is no finite number becomes null. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : null
}
function csvNumber(value: number): string {
  const number = rounded(value)
  return number === null ? '' : String(number)
}

/** RFC 9562 version 8 (custom), from a SHA-256. */
function objectUuid(slideSeed: string, scale: number, object: RunObject): string {
  const hash = createHash('sha256')
  hash.update(`morphoscope-object\0${slideSeed}\0${scale}\0`)
  hash.update(new Uint8Array(object.runs.buffer, object.runs.byteOffset, object.runs.byteLength))
  const bytes = hash.digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** "Hematoxylin" to hematoxylin, "Residual 2" to residual_2. */
function columnName(stain: string): string {
  return (
    stain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '') || 'stain'
  )
}
/** The whole of objects.csv. */
export function plainCsv({ result, shown, seed }: Told): string {
  const { unit, perAnalysedPx } = calibrationOf(result)
  const { scale } = result
  type Column = readonly [header: string, cell: (object: RunObject, index: number) => string]
  const level0 = (pick: (o: RunObject) => number) => (o: RunObject) => csvNumber(pick(o) * scale)
  const columns: Column[] = [
    ['id', (_, index) => String(index + 1)],
    ['uuid', (object) => objectUuid(seed, scale, object)],
    ['slide', () => csvText(shown)],
    ['centroid_x_px', level0((o) => o.centroidX)],
    ['centroid_y_px', level0((o) => o.centroidY)],
    ['bounds_x_px', level0((o) => o.minX)],
    ['bounds_y_px', level0((o) => o.minY)],
    ['bounds_width_px', level0((o) => o.maxX + 1 - o.minX)],
    ['bounds_height_px', level0((o) => o.maxY + 1 - o.minY)],
    ...measurementOrder.csv
      .filter((key) => key !== 'stainedArea')
      .map((key): Column => {
        const { dimension, csv } = measurements[key]
        const header = [csv, unitsOf(dimension, unit).csv].filter((part) => part !== '').join('_')
        return [header, (o) => csvNumber(inUnits(o[key], dimension, perAnalysedPx))]
      }),
    ...result.stainNames.flatMap((name, i) =>
      stainStatisticKeys.map((key): Column => {
        return [`${columnName(name)}_${stainStatistics[key].csv}_od`, (o) => csvNumber(o.stain(key, i))]
      }),
    ),
  ]
  const rows = result.objects
    .slice(0, result.objects.length)
    .map((object, i) => columns.map(([, cell]) => cell(object, i)).join(','))
  return [columns.map(([header]) => csvText(header)).join(','), ...rows].map((row) => `${row}\r\n`).join('')
}

/** The whole of objects.geojson; `outlines`: of all objects as the engine traces them, and exactly. */
export function plainGeoJson({ result, seed }: Told, outlines: Outlines, exact: Outlines): string {
  const lines = result.objects.slice(0, result.objects.length).map((object, i) => {
    const simplified = polygonsOf(ringsOf(outlines, i))
    // A tolerance above an object's size leaves no area: such an object keeps its exact outline.
    const polygons = simplified.length === 0 ? polygonsOf(ringsOf(exact, i)) : simplified
    const feature = {
      type: 'Feature',
      id: objectUuid(seed, result.scale, object),
      geometry: geometryOf(polygons, result.scale),
      properties: {
        objectType: 'detection',
        name: `Object ${i + 1}`,
        measurements: measurementsOf(object, result),
      },
    }
    return `${i > 0 ? ',' : ''}\n${JSON.stringify(feature)}`
  })
  return `{"type":"FeatureCollection","features":[${lines.join('')}\n]}\n`
}

/** Runs of several objects as the tracer takes them. */
export function joinRuns(objects: readonly RunObject[]): { runs: Int32Array; runOffsets: Int32Array } {
  const runOffsets = new Int32Array(objects.length + 1)
  objects.forEach((object, i) => (runOffsets[i + 1] = runOffsets[i]! + object.runs.length / 3))
  const runs = new Int32Array(runOffsets[objects.length]! * 3)
  objects.forEach((object, i) => runs.set(object.runs, runOffsets[i]! * 3))
  return { runs, runOffsets }
}

function ringsOf(outlines: Outlines, object: number): { ring: Ring; hole: boolean }[] {
  const rings: { ring: Ring; hole: boolean }[] = []
  for (let r = outlines.objectOffsets[object]!; r < outlines.objectOffsets[object + 1]!; r++) {
    const ring: (readonly [number, number])[] = []
    for (let p = outlines.ringOffsets[r]!; p < outlines.ringOffsets[r + 1]!; p++)
      ring.push([outlines.xy[2 * p]!, outlines.xy[2 * p + 1]!])
    rings.push({ ring, hole: outlines.holes[r] === 1 })
  }
  return rings
}

function geometryOf(polygons: readonly Polygon[], scale: number): { type: string; coordinates: unknown } {
  // Level-0 px to a ten-thousandth: beyond any reader's need, and half the bytes.
  const at = (value: number): number => Math.round(value * scale * 1e4) / 1e4
  const closed = (ring: Ring): number[][] => [...ring, ring[0]!].map(([x, y]) => [at(x), at(y)])
  const coordinates = polygons.map((polygon) => polygon.map(closed))
  return coordinates.length === 1 ? { type: 'Polygon', coordinates: coordinates[0]! } : { type: 'MultiPolygon', coordinates }
}

/** As QuPath writes stains: "hematoxylin" is Hematoxylin, and DAB stays an abbreviation. */
function stainTitle(name: string): string {
  return name.toLowerCase() === 'dab' ? 'DAB' : name.charAt(0).toUpperCase() + name.slice(1)
}

function measurementsOf(object: RunObject, result: RunResult): Record<string, number> {
  const { unit, perAnalysedPx } = calibrationOf(result)
  const { stainNames } = result
  const entries = measurementOrder.geojson.map((key): [string, number] => {
    const { dimension, geojson } = measurements[key]
    const name = [geojson, unitsOf(dimension, unit).geojson].filter((part) => part !== '').join(' ')
    return [name, inUnits(object[key], dimension, perAnalysedPx)]
  })
  stainNames.forEach((stain, i) => {
    for (const key of stainStatisticKeys) {
      entries.push([`${stainTitle(stain)}: ${stainStatistics[key].geojson}`, object.stain(key, i)])
    }
  })
  const known: Record<string, number> = {}
  for (const [name, value] of entries) {
    // QuPath reads measurements as numbers: what was not measured is left out.
    const number = rounded(value)
    if (number !== null) known[name] = number
  }
  return known
}
/** Twice the signed area: positive where the ring is anticlockwise with y up. */
function doubleArea(ring: Ring): number {
  let sum = 0
  for (let i = 0; i < ring.length; i++) {
    const [x0, y0] = ring[i]!
    const [x1, y1] = ring[(i + 1) % ring.length]!
    sum += x0 * y1 - x1 * y0
  }
  return sum
}

/** Corners are integers below 2^26. */
const keyOf = ([x, y]: Point): number => x * 2 ** 26 + y

/**
 * Cuts a ring at every corner that it visits twice (two pixels of the object that touch there). Such a ring is invalid for
 * JTS, and so for QuPath; its loops are not.
 */
function splitLoops(ring: Ring): Ring[] {
  const loops: Ring[] = []
  const stack: Point[] = []
  const placeOf = new Map<number, number>()
  for (const point of ring) {
    const place = placeOf.get(keyOf(point))
    if (place !== undefined) {
      const loop = stack.splice(place)
      for (const corner of loop) placeOf.delete(keyOf(corner))
      loops.push(loop)
    }
    placeOf.set(keyOf(point), stack.length)
    stack.push(point)
  }
  loops.push(stack)
  return loops.filter((loop) => loop.length >= 3 && doubleArea(loop) !== 0)
}

/** Even-odd rule; points on the ring may fall on either side. */
function contains(ring: Ring, x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!
    const [xj, yj] = ring[j]!
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** A point strictly inside a hole: just right of its leftmost edge. */
function insidePoint(ring: Ring): Point {
  let best: Point = ring[0]!
  let bestX = Infinity
  for (let i = 0; i < ring.length; i++) {
    const [x0, y0] = ring[i]!
    const [x1, y1] = ring[(i + 1) % ring.length]!
    if (y0 === y1) continue
    // Off the middle, and off the integers of either axis, where other corners and edges lie.
    const along = 0.4375
    const x = x0 + (x1 - x0) * along
    if (x < bestX) {
      bestX = x
      best = [x + 1e-3, y0 + (y1 - y0) * along + 1e-4]
    }
  }
  return best
}

/** `rings` as traced: outer rings of one sense, holes of the other. */
function polygonsOf(rings: readonly { ring: Ring; hole: boolean }[]): Polygon[] {
  const outers: { ring: Ring; area: number; holes: Ring[] }[] = []
  const holes: Ring[] = []
  for (const { ring, hole } of rings) {
    const sense = Math.sign(doubleArea(ring)) * (hole ? -1 : 1)
    for (const loop of splitLoops(ring)) {
      const area = doubleArea(loop)
      const upright = area > 0 ? loop : [...loop].reverse()
      if (Math.sign(area) === sense) outers.push({ ring: upright, area: Math.abs(area), holes: [] })
      else holes.push([...upright].reverse())
    }
  }
  for (const hole of holes) {
    const [x, y] = insidePoint(hole)
    // The smallest outer ring around it: an island in a lake may have a lake of its own.
    let owner: (typeof outers)[number] | undefined
    for (const outer of outers) if (contains(outer.ring, x, y) && (owner === undefined || outer.area < owner.area)) owner = outer
    // A hole that simplification has pushed out of its ring bounds nothing.
    owner?.holes.push(hole)
  }
  return outers.map(({ ring, holes: own }) => [ring, ...own])
}
