// objects.geojson: QuPath's own GeoJSON (0.4 and later): a FeatureCollection of detections with outlines and measurements.
import {
  cellFigures,
  cellFiguresOf,
  groupKind,
  measurementOrder,
  measurements,
  partsAreStains,
  stainStatisticKeys,
  stainStatistics,
  stainTitle,
  unitsOf,
} from '../../../app/contract'
import type { ObjectClass } from '../../../app/contract'
import { originText } from '../../base/corner'
import { CHANNEL_FIGURES } from '../../../native/index'
import type { Measure } from '../../../native/index'
import { eitherOf } from '../../run/objects/objectClasses'
import type { Classes } from '../../run/objects/objectClasses'
import { channelField, stainField } from '../../run/objects/packedObjects'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import { appendObjects, factorOf, measureOf, regionTexts, stainMeasure, uuidPrefix } from './objectText'
import type { Maker } from './objectText'
import type { OutputFile } from '../output/outputSet'

export async function writeGeoJson(job: ExportJob, out: OutputFile): Promise<void> {
  const { scale, classes, marks } = job.result
  await out.append(`{"type":"FeatureCollection",${originText(job.corner)}"features":[`)
  const measures = [...measuresOf(job)].map(([name, measure]) => ({ ...measure, name: JSON.stringify(name) }))
  await appendObjects(job, out, (by) => (groups) => ({
    kind: 'geojson',
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: job.simplifyPx / scale,
    ...(job.corner && { origin: job.corner }),
    ...(marks?.classAt
      ? { classification: marks.classes.map(classification) }
      : classes && { classification: eitherText(classes) }),
    measurements: measures,
    // QuPath keeps it with the object.
    metadata: metadataOf(job, by, groups),
  }))
  await out.append('\n]}\n')
}

/** Of each of these groups of regions. */
function metadataOf({ objectRegions }: ExportJob, by: Maker, groups: readonly number[]): string[] {
  return (objectRegions ? regionTexts(objectRegions, groups) : ['']).map((regions) => {
    const said = { ...(by && { madeBy: by }), ...(regions !== '' && { regions }) }
    return Object.keys(said).length === 0 ? '' : JSON.stringify(said)
  })
}

/** As QuPath writes a class. */
function classification({ label, color }: ObjectClass): string {
  return JSON.stringify({ name: label, color })
}

function eitherText(classes: Classes) {
  const { below, above, ...either } = eitherOf(classes)
  return { ...either, below: classification(below), above: classification(above) }
}

/** "Cytoplasm: DAB" to "DAB: Cytoplasm". */
const sourceFirst = (name: string): string => name.replace(/^(\w+): (.*)$/s, '$2: $1')

/** QuPath reads measurements as numbers: what was not measured is left out of the file. A name that stands twice has its last value. */
function measuresOf({ result }: ExportJob): Map<string, Measure> {
  const { unit, perAnalysedPx } = calibrationOf(result)
  const measures = new Map<string, Measure>()
  for (const key of measurementOrder.geojson) {
    const { dimension, geojson } = measurements[key]
    const name = [geojson, unitsOf(dimension, unit).geojson].filter((part) => part !== '').join(' ')
    measures.set(name, measureOf(key, perAnalysedPx))
  }
  result.stainNames.forEach((stain, i) => {
    for (const key of stainStatisticKeys) {
      measures.set(`${stainTitle(stain)}: ${stainStatistics[key].geojson}`, stainMeasure(result, stainField(key, i)))
    }
  })
  result.channels.forEach((channel, i) => {
    for (const figure of i === result.cellsAt ? cellFiguresOf(result) : CHANNEL_FIGURES) {
      const field = channelField(i, figure)
      const { geojson, dimension } = cellFigures[figure]
      // QuPath's order: "DAB: Cytoplasm: Mean".
      const told = `${groupKind(i, result) === 'part' ? sourceFirst(channel) : channel}: ${figure === 'Std' ? stainStatistics.std.geojson : figure}`
      if (i === result.cellsAt)
        measures.set([geojson, unitsOf(dimension, unit).geojson].filter((part) => part !== '').join(' '), {
          field,
          ...factorOf(dimension, perAnalysedPx),
        })
      else
        measures.set(
          told,
          groupKind(i, result) === 'part' && partsAreStains(result)
            ? stainMeasure(result, field)
            : { field, factor: 1, times: 0 },
        )
    }
  })
  return measures
}
