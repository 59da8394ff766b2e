// objects.csv: one row an object, RFC 4180, units in the header, safe to open in a spreadsheet.
import { inUnits, measurementOrder, measurements, stainStatisticKeys, stainStatistics, unitsOf } from '../../app/contract'
import type { RunObject } from '../run/result'
import { calibrationOf, rounded } from './calibration'
import type { ExportJob } from './exporter'
import { objectUuid } from './objectId'
import type { OutputFile } from './outputSet'

/** Rows made at once: bounds the memory, and how long tiles for the viewer must wait. */
const batchSize = 1000

/** Text as a field. A spreadsheet runs what begins with = + - @ as a formula: an apostrophe in front makes it text. */
export function csvText(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csvNumber(value: number): string {
  const number = rounded(value)
  return number === null ? '' : String(number)
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

export async function writeCsv(job: ExportJob, out: OutputFile): Promise<void> {
  const { result } = job
  const { unit, perAnalysedPx } = calibrationOf(result)
  const { scale } = result
  type Column = readonly [header: string, cell: (object: RunObject, index: number) => string]
  const level0 = (pick: (o: RunObject) => number) => (o: RunObject) => csvNumber(pick(o) * scale)
  const slideName = csvText(job.names.shown)
  const columns: Column[] = [
    ['id', (_, index) => String(index + 1)],
    ['uuid', (object) => objectUuid(job.slideSeed, scale, object)],
    ['slide', () => slideName],
    ['centroid_x_px', level0((o) => o.centroidX)],
    ['centroid_y_px', level0((o) => o.centroidY)],
    // The bounding box in level-0 px; the maximum is exclusive.
    ['bounds_x_px', level0((o) => o.minX)],
    ['bounds_y_px', level0((o) => o.minY)],
    ['bounds_width_px', level0((o) => o.maxX + 1 - o.minX)],
    ['bounds_height_px', level0((o) => o.maxY + 1 - o.minY)],
    ...measurementOrder.csv.map((key): Column => {
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
  await out.append(`${columns.map(([header]) => csvText(header)).join(',')}\r\n`)
  for (let start = 0; start < result.objects.length; start += batchSize) {
    job.signal.throwIfAborted()
    const rows: string[] = []
    for (let i = start; i < Math.min(start + batchSize, result.objects.length); i++) {
      const object = result.objects.at(i)
      rows.push(`${columns.map(([, cell]) => cell(object, i)).join(',')}\r\n`)
    }
    await out.append(rows.join(''))
    job.progress((start + rows.length) / result.objects.length)
  }
}
