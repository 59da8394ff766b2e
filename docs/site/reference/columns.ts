// The page of all columns: what stands in them, in which unit, by which formula, and as what QuPath and the window know it.
import {
  bandsCsv,
  cellFigures,
  cellParts,
  measurementOrder,
  measurements,
  stainStatisticKeys,
  stainStatistics,
  timingsCsv,
  unitsOf,
} from '../../../app/contract'
import type { CellFigure } from '../../../app/contract'
import { coreListHeader } from '../../../app/cli/tma/tma'
import { comparedObjectsHeader } from '../../../main/compare/exportedRuns'
import { coreTableHeader } from '../../../main/project/summary/summaryCores'
import { csvOfGroups } from '../../../main/project/summary/summaryGroups'
import { csvOfRows } from '../../../main/project/summary/summaryRows'
import { CHANNEL_FIGURES } from '../../../native/index'
import { words } from '../../../renderer/words'
import {
  cellTexts,
  channelTexts,
  classTexts,
  firstTexts,
  measurementTexts,
  spatialTexts,
  statisticTexts,
  tableTexts,
} from './columnTexts'
import type { ColumnText } from './columnTexts'
import type { MadePage } from './pages'
import { cell, code, page, table } from './text'

interface ObjectColumn extends ColumnText {
  /** On the screen. */
  readonly title?: string
  readonly geojson?: string
}

const shape = (): ObjectColumn[] =>
  measurementOrder.csv.map((key) => {
    const { dimension, csv, title, geojson } = measurements[key]
    const units = unitsOf(dimension, 'um')
    return {
      header: [csv, units.csv].filter((part) => part !== '').join('_'),
      unit: units.screen,
      title,
      geojson: [geojson, units.geojson].filter((part) => part !== '').join(' '),
      text: measurementTexts[key],
    }
  })

const stains = (): ObjectColumn[] =>
  stainStatisticKeys.map((key) => ({
    header: `STAIN_${stainStatistics[key].csv}_od`,
    unit: 'OD',
    title: `Stain ${stainStatistics[key].title}`,
    geojson: `Stain: ${stainStatistics[key].geojson}`,
    text: statisticTexts[key],
  }))

const channels = (): ObjectColumn[] =>
  CHANNEL_FIGURES.map((figure) => ({
    header: `channel_CHANNEL_${figure.toLowerCase()}`,
    unit: 'as in the file',
    text: channelTexts[figure],
  }))

const cells = (): ObjectColumn[] =>
  (Object.keys(cellFigures) as CellFigure[]).map((figure) => {
    const told = cellFigures[figure]
    const units = unitsOf(told.dimension, 'um')
    return {
      header: [told.csv, units.csv].filter((part) => part !== '').join('_'),
      unit: 'unit' in told ? told.unit : units.screen,
      title: told.title,
      geojson: told.geojson,
      text: cellTexts[figure],
    }
  })

const parts = (): ObjectColumn[] =>
  cellParts.flatMap((part) =>
    CHANNEL_FIGURES.map((figure) => ({
      header: `${part.toLowerCase()}_STAIN_${figure.toLowerCase()}_od`,
      unit: 'OD',
      text: `${channelTexts[figure].replace('in the object', 'there').replace(/\.$/, '')}, of the ${part.toLowerCase()}. Of a slide with channels it has the channel’s name and no \`_od\`.`,
    })),
  )

/** All of objects.csv, in its order. */
export const objectColumns = (): readonly {
  readonly title: string
  readonly note: string
  readonly columns: readonly ObjectColumn[]
}[] => [
  { title: 'Which object, and where', note: '', columns: firstTexts },
  { title: 'Shape', note: 'On a slide without a pixel size lengths are in px: `area_px2`, `perimeter_px`.', columns: shape() },
  { title: 'Class and regions', note: '', columns: classTexts },
  {
    title: 'Stains',
    note: 'STAIN is a stain of the recipe, as `hematoxylin_mean_od`. Of recipes that analyse light it is red, green and blue, from 0 to 255, without `_od`.',
    columns: stains(),
  },
  {
    title: 'Channels',
    note: 'Of a slide of channels, in the file’s own units. At most 64 channels are measured.',
    columns: channels(),
  },
  { title: 'Cells', note: 'Where the recipe draws cells around nuclei (`cells.expansion`).', columns: [...cells(), ...parts()] },
  {
    title: 'Place among others',
    note: 'Where `--spatial`, or “Distances” in the window, asks for them. How they are measured: [spatial measures](../../main/spatial/README.md).',
    columns: spatialTexts,
  },
]

const forms: Readonly<Record<string, string>> = {
  ...{ STAIN: '[\\p{L}\\p{N}_]+', CHANNEL: '[\\p{L}\\p{N}_]+', CLASS: '[\\p{L}\\p{N}_]+', N: '[\\d.]+' },
  ...{ um: '(?:um|px)', um2: '(?:um2|px2)', mm2: '(?:mm2|mpx)' },
}
/** Of a header that the program wrote, the column that it is: the one that says most of it. */
export function columnOf(found: string, columns: readonly ObjectColumn[]): ObjectColumn | undefined {
  const fits = columns.filter(({ header }) => {
    const parts = header.replace(/_od$/, '').split('_')
    const form = parts.map((part) => forms[part] ?? part).join('_')
    return new RegExp(`^${form}${header.endsWith('_od') ? '(?:_od)?' : ''}$`, 'u').test(found)
  })
  const said = ({ header }: ObjectColumn): number => header.replace(/STAIN|CHANNEL|CLASS|(?<=_)N(?=_)/g, '').length
  return fits.toSorted((a, b) => said(b) - said(a))[0]
}

/** The other tables, by the headers that the program writes. */
export const otherTables = (): readonly {
  readonly title: string
  readonly note: string
  readonly headers: readonly string[]
}[] => {
  const headersOf = (csv: string): string[] => csv.split(/\r?\n/, 1)[0]!.split(',')
  return [
    {
      title: 'bands.csv',
      note: 'A row for each band and class of objects.',
      headers: headersOf(bandsCsv({ unit: 'um', of: [] }, '')),
    },
    {
      title: 'The summary of a project',
      note: 'A row for each slide and region: [project summary](commands/project-summary.md) with `--csv`, and the window’s summary.',
      headers: headersOf(csvOfRows([])),
    },
    { title: 'The summary by class', note: '`project summary --by-class --csv`.', headers: headersOf(csvOfGroups([])) },
    { title: 'The summary by core', note: '`project summary --by-core --csv`: of tissue microarrays.', headers: coreTableHeader },
    { title: 'The list of cores', note: '[tma](commands/tma.md) with `--csv`.', headers: coreListHeader },
    {
      title: 'Objects of a comparison',
      note: '[compare](commands/compare.md) with `--objects`.',
      headers: comparedObjectsHeader.split(','),
    },
    { title: 'timings.csv', note: 'A row for each step, device and operation.', headers: headersOf(timingsCsv([])) },
  ]
}

const unitOf = (header: string): string =>
  header.endsWith('_per_mm2') || header.includes('_per_mm2_')
    ? '1/mm²'
    : header.endsWith('_mm2')
      ? 'mm²'
      : header.endsWith('_um')
        ? 'µm'
        : header.endsWith('_px')
          ? header.startsWith('area')
            ? 'px²'
            : 'px'
          : header === 'ms'
            ? 'ms'
            : ''

export function columnsPage(): MadePage {
  const rowOf = ({ header, unit, text, title, geojson }: ObjectColumn): string[] => [
    code(header),
    cell(unit),
    cell(text),
    cell([...new Set([title, geojson])].filter((each) => each !== undefined).join('; ')),
  ]
  return {
    at: 'reference/columns.md',
    text: page(
      { title: 'Columns', order: 4 },
      'The columns of `objects.csv`, and of `objects.parquet` and `objects.h5ad`, which have the same. Empty or NaN means: not measured. Lengths in µm are by the slide’s own two pixel sizes.',
      ...objectColumns().flatMap(({ title, note, columns }) => [
        `## ${title}`,
        note,
        columns.some(({ title: own, geojson }) => own ?? geojson)
          ? table(['column', 'unit', 'what it is', 'in the window; in QuPath'], columns.map(rowOf))
          : table(
              ['column', 'unit', 'what it is'],
              columns.map((column) => rowOf(column).slice(0, 3)),
            ),
      ]),
      '## Filters',
      `The table of objects, \`--class-by\` and \`--laser-filter\` name columns as the window does: \`${words.table.filterExample.replace(/^.*?: /, '')}\`. Columns are compared by \`=\`, \`!=\`, \`<\`, \`<=\`, \`>\` and \`>=\`. Comparisons are joined by and, or, not and brackets. A name with other characters than letters and digits stands in quotes.`,
      'The tables below are of other files.',
      ...otherTables().flatMap(({ title, note, headers }) => [
        `## ${title}`,
        note,
        table(
          ['column', 'unit', 'what it is'],
          headers.map((header) => [code(header), unitOf(header), cell(tableTexts[header] ?? '')]),
        ),
      ]),
    ),
  }
}
