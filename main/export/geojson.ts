// objects.geojson: QuPath's own GeoJSON (0.4 and later): a FeatureCollection of detections with outlines and measurements.
import { inUnits, measurementOrder, measurements, stainStatisticKeys, stainStatistics, unitsOf } from '../../app/contract'
import type { Outlines } from '../../native/index'
import type { RunObject } from '../run/result'
import { calibrationOf, rounded } from './calibration'
import type { Calibration } from './calibration'
import type { ExportJob } from './exporter'
import { objectUuid } from './objectId'
import type { OutputFile } from './outputSet'
import { polygonsOf } from './rings'
import type { Polygon, Ring } from './rings'

/** Objects traced and written at once: bounds the memory, and how long tiles for the viewer must wait. */
const batchSize = 500

export async function writeGeoJson(job: ExportJob, out: OutputFile): Promise<void> {
  const { result } = job
  const calibration = calibrationOf(result)
  await out.append('{"type":"FeatureCollection","features":[')
  for (let start = 0; start < result.objects.length; start += batchSize) {
    job.signal.throwIfAborted()
    const objects = result.objects.slice(start, start + batchSize)
    const polygons = await traced(job, objects)
    const lines = objects.map((object, i) => {
      const feature = {
        type: 'Feature',
        id: objectUuid(job.slideSeed, result.scale, object),
        geometry: geometryOf(polygons[i]!, result.scale),
        // The name is the id of objects.csv and the pixel value of labels.ome.tif.
        properties: {
          objectType: 'detection',
          name: `Object ${start + i + 1}`,
          measurements: measurementsOf(object, calibration, result.stainNames),
        },
      }
      return `${start + i > 0 ? ',' : ''}\n${JSON.stringify(feature)}`
    })
    await out.append(lines.join(''))
    job.progress((start + objects.length) / result.objects.length)
  }
  await out.append('\n]}\n')
}

/** Runs of several objects as the tracer takes them. */
export function joinRuns(objects: readonly RunObject[]): { runs: Int32Array; runOffsets: Int32Array } {
  const runOffsets = new Int32Array(objects.length + 1)
  objects.forEach((object, i) => (runOffsets[i + 1] = runOffsets[i]! + object.runs.length / 3))
  const runs = new Int32Array(runOffsets[objects.length]! * 3)
  objects.forEach((object, i) => runs.set(object.runs, runOffsets[i]! * 3))
  return { runs, runOffsets }
}

export function ringsOf(outlines: Outlines, object: number): { ring: Ring; hole: boolean }[] {
  const rings: { ring: Ring; hole: boolean }[] = []
  for (let r = outlines.objectOffsets[object]!; r < outlines.objectOffsets[object + 1]!; r++) {
    const ring: (readonly [number, number])[] = []
    for (let p = outlines.ringOffsets[r]!; p < outlines.ringOffsets[r + 1]!; p++)
      ring.push([outlines.xy[2 * p]!, outlines.xy[2 * p + 1]!])
    rings.push({ ring, hole: outlines.holes[r] === 1 })
  }
  return rings
}

async function traced(job: ExportJob, objects: readonly RunObject[]): Promise<Polygon[][]> {
  const { runs, runOffsets } = joinRuns(objects)
  const simplifyPx = job.simplifyPx / job.result.scale
  const outlines = await job.tools.traceOutlines(runs, runOffsets, simplifyPx)
  const polygons = objects.map((_, i) => polygonsOf(ringsOf(outlines, i)))
  if (simplifyPx === 0) return polygons
  // A tolerance above an object's size leaves no area: such an object keeps its exact outline.
  const lost = objects.map((_, i) => i).filter((i) => polygons[i]!.length === 0)
  if (lost.length > 0) {
    const again = joinRuns(lost.map((i) => objects[i]!))
    const exact = await job.tools.traceOutlines(again.runs, again.runOffsets, 0)
    lost.forEach((i, k) => (polygons[i] = polygonsOf(ringsOf(exact, k))))
  }
  return polygons
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

export function measurementsOf(
  object: RunObject,
  { unit, perAnalysedPx }: Calibration,
  stainNames: readonly string[],
): Record<string, number> {
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
