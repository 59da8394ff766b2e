// objects.csv: one row an object, RFC 4180, units in the header, safe to open in a spreadsheet.
import {
  areaColumn,
  cellFigures,
  channelColumnOf,
  cellFiguresOf,
  measurementOrder,
  measurements,
  stainStatisticKeys,
  stainSets,
  stainStatistics,
  stainTitle,
  unitsOf,
} from '../../../app/contract'
import type { LengthUnit, MeasurementKey } from '../../../app/contract'
import { CHANNEL_FIGURES } from '../../../native/index'
import type { CsvCell, Measure } from '../../../native/index'
import { eitherOf } from '../../run/objects/objectClasses'
import { channelField, stainField } from '../../run/objects/packedObjects'
import { distinct } from '../../slide/measuredChannels'
import { csvText } from '../../base/csvText'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import { appendObjects, factorOf, measureOf, regionTexts, stainMeasure, uuidPrefix } from './objectText'
import type { Maker } from './objectText'
import type { OutputFile } from '../output/outputSet'

/** "Hematoxylin" to hematoxylin, "Residual 2" to residual_2. */
function columnName(stain: string, other = 'stain'): string {
  return (
    stain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '') || other
  )
}

/** After the shape, where objects have classes. */
function classColumn({ classes, marks }: ExportJob['result']): Column[] {
  if (marks?.classAt) return [['class', { source: 'class', texts: marks.classes.map(({ id }) => id) }]]
  if (!classes) return []
  const { below, above, ...either } = eitherOf(classes)
  return [['class', { source: 'either', ...either, below: below.id, above: above.id }]]
}

/** Of channels in the file's own units; of cells their own figures, then those of their parts. */
function channelColumns(
  { channels, cellsAt = Infinity, membranes, spec }: ExportJob['result'],
  perAnalysedPx: number,
  unit: LengthUnit,
): Column[] {
  const names = distinct(channels, (name) => columnName(name, 'channel')).map((name) => columnName(name, 'channel'))
  const { suffix } = stainSets[spec.stainSet]
  return names.flatMap((name, i) =>
    (i === cellsAt ? cellFiguresOf({ membranes }) : CHANNEL_FIGURES).map((figure): Column => {
      const field = channelField(i, figure)
      if (i === cellsAt) {
        const { csv, dimension } = cellFigures[figure]
        const told = cellFigures[figure]
        return [
          [csv, unitsOf(dimension, unit).csv].filter((part) => part !== '').join('_'),
          { source: 'value', field, ...factorOf(dimension, perAnalysedPx) },
          { title: told.title, unit: 'unit' in told ? told.unit : unitsOf(dimension, unit).screen, of: '', kind: 'cell' },
        ]
      }
      const isOfStain = i > cellsAt && cellsAt === 0
      const header = `${i < cellsAt ? 'channel_' : ''}${name}_${figure.toLowerCase()}${isOfStain ? suffix : ''}`
      // "Cytoplasm: DAB".
      const [part, source] = i > cellsAt ? channels[i]!.split(/: (.*)/s) : [null, channels[i]!]
      return [
        header,
        { source: 'value', ...(isOfStain ? stainMeasure({ spec }, field) : { field, factor: 1, times: 0 as const }) },
        {
          title: `${channels[i]!} ${channelColumnOf(field)!.figure}`,
          unit: isOfStain ? stainSets[spec.stainSet].unit : '',
          of: source,
          kind: part?.toLowerCase() ?? 'channel',
        },
      ]
    }),
  )
}

/** Added to a coordinate they give the slide's own: a table has no other place that says so. */
const originColumns = (corner: ExportJob['corner']): Column[] =>
  corner
    ? [
        ['origin', { source: 'text', text: 'bounds' }],
        ['origin_x_px', { source: 'text', text: String(corner.x) }],
        ['origin_y_px', { source: 'text', text: String(corner.y) }],
      ]
    : []

/** Of a column of measurements; files of which each column has one line take no more than the header. */
export interface About {
  /** As the window calls it. */
  readonly title: string
  /** As the window writes it; '': it has none. */
  readonly unit: string
  /** The stain or channel; '': of none. */
  readonly of: string
  /** What is measured: the object's 'shape', a 'stain' or 'channel' in it, its 'cell', or either in a part of that: 'cytoplasm', 'membrane'. */
  readonly kind: string
}
export type Column = readonly [header: string, cell: CsvCell, about?: About]

/** Each of the columns that a table brings beside its objects (tableOf). */
function spatialCells(spatial: ExportJob['spatial']): Column[] {
  const headers = distinct(spatial.map(({ csv }) => csv))
  return spatial.map(({ title, unit, of }, i): Column => [
    headers[i]!,
    { source: 'value', field: `extra${i + 1}`, factor: 1, times: 0 },
    { title, unit, of, kind: 'place' },
  ])
}

/** Files have always had contrast and score, empty where a recipe gives none; the stained area stands in those of recipes that can judge by it. */
const measuredIn = ({ spec }: ExportJob['result']): readonly MeasurementKey[] =>
  measurementOrder.csv.filter((key) => key !== areaColumn || spec.classes?.others)

/** What tables say of an object, in order; `by`: who made it. Of the regions that hold it a writer says what their groups are called. */
export function columnsOf({ result, names, objectRegions, corner, spatial }: ExportJob, by: Maker = null): Column[] {
  const { unit, perAnalysedPx } = calibrationOf(result)
  const level0 = (header: string, field: Measure['field'], offset = 0): Column => [
    header,
    { source: 'value', field, factor: result.scale, times: 1, offset },
  ]
  return [
    ['id', { source: 'number' }],
    ['uuid', { source: 'uuid' }],
    ['slide', { source: 'text', text: csvText(names.shown) }],
    ...originColumns(corner),
    level0('centroid_x_px', 'centroidX', corner?.x),
    level0('centroid_y_px', 'centroidY', corner?.y),
    // The bounding box in level-0 px; the maximum is exclusive.
    level0('bounds_x_px', 'minX', corner?.x),
    level0('bounds_y_px', 'minY', corner?.y),
    level0('bounds_width_px', 'width'),
    level0('bounds_height_px', 'height'),
    ...measuredIn(result).map((key): Column => {
      const { dimension, csv, title } = measurements[key]
      const units = unitsOf(dimension, unit)
      const header = [csv, units.csv].filter((part) => part !== '').join('_')
      return [header, { source: 'value', ...measureOf(key, perAnalysedPx) }, { title, unit: units.screen, of: '', kind: 'shape' }]
    }),
    ...classColumn(result),
    ...(by === null ? [] : [['made_by', { source: 'text', text: by }] as Column]),
    ...(objectRegions ? [['regions', { source: 'group', texts: [] }] as Column] : []),
    ...result.stainNames.flatMap((name, i) =>
      stainStatisticKeys.map((key): Column => {
        const header = `${columnName(name)}_${stainStatistics[key].csv}${stainSets[result.spec.stainSet].suffix}`
        const title = `${stainTitle(name)} ${stainStatistics[key].title}`
        const { unit } = stainSets[result.spec.stainSet]
        return [
          header,
          { source: 'value', ...stainMeasure(result, stainField(key, i)) },
          { title, unit, of: stainTitle(name), kind: 'stain' },
        ]
      }),
    ),
    ...channelColumns(result, perAnalysedPx, unit),
    ...spatialCells(spatial),
  ]
}

export async function writeCsv(job: ExportJob, out: OutputFile): Promise<void> {
  const { found, length } = job.result.objects
  const columns = columnsOf(job, found < length ? 'hand' : null)
  await out.append(`${columns.map(([header]) => csvText(header)).join(',')}\r\n`)
  const { objectRegions } = job
  await appendObjects(job, out, (by) => {
    const cells = columnsOf(job, by).map(([, cell]) => cell)
    const texts = (groups: readonly number[]): string[] =>
      objectRegions ? regionTexts(objectRegions, groups).map((text) => csvText(text)) : []
    return (groups) => ({
      kind: 'csv',
      uuidPrefix: uuidPrefix(job),
      cells: cells.map((cell) => (cell.source === 'group' ? { ...cell, texts: texts(groups) } : cell)),
    })
  })
}
