// The objects table, and the figures and plots beside it.
import { noun } from '../../app/contract'
import { formatCount, formatMeasure } from '../arithmetic/format'

const objects = (n: number): string => `${formatCount(n)} ${noun(n, 'object')}`

export const table = {
  table: {
    title: 'Objects table',
    filter: 'Filter',
    filterExample: 'Filter: area > 40 and circularity < 0.8',
    columns: 'Columns',
    outlineTip: (n: number) => `Merges, fills, grows or shrinks the ${objects(n)} listed`,
    deleteRows: (n: number) => `Delete ${objects(n)}`,
    deleteTip: (n: number) => `Deletes the ${objects(n)} that are listed; Undo brings them back`,
    save: 'Save the rows',
    asCsv: 'As CSV',
    asParquet: 'As Parquet',
    stopSaving: 'Stop saving: no file is left of it',
    copy: 'Copy the rows',
    close: 'Close the objects table',
    nothingYet: 'Segment something: its objects are listed here.',
    whenEnded: (run: string) => `The objects of ${run} are listed when it has ended.`,
    /** After the number of rows. */
    ofObjects: (n: number, run: string) => ` of ${objects(n)} in ${run}`,
    deleted: (n: number) => ` · ${formatCount(n)} deleted`,
    changedWhileCopied: 'The table changed while it was copied.',
    changedWhileSaved: 'The table changed while it was saved: save it again.',
    noRows: 'The engine did not give the rows.',
    copiedFirst: (n: number, of: number) => `Copied the first ${n} of ${of} ${noun(of, 'row')}; an export has all.`,
  },
  tableFigures: {
    title: 'Beside the rows',
    histogram: 'Histogram',
    scatter: 'Scatter',
    column: 'Column of the histogram',
    histogramFrom: (low: string, high: string) => `Histogram from ${low} to ${high}`,
    lowest: 'Lowest value listed',
    highest: 'Highest value listed',
    log: 'Log',
    mean: 'Mean',
    sd: 'SD',
    median: 'Median',
    quartiles: 'Quartiles',
    range: 'Range',
    fromTo: (low: number, high: number) => `${formatMeasure(low)} – ${formatMeasure(high)}`,
  },
  spatial: {
    title: 'Distances, densities and neighbours',
    button: 'Distances',
    measures: {
      border: 'Distance to the border of regions, by class',
      nearest: 'Distance to the nearest object of each class',
      densityRadiusUm: 'Density of objects within',
      nearestCount: 'Mean distance to the nearest',
      neighbours: 'Neighbours (Delaunay), of all and of each class',
      neighboursWithinUm: 'only those within',
    },
    tips: {
      border: 'Of each class of regions on this slide. Inside it is below 0.',
      nearest: 'Another object: the object itself does not count.',
      neighbours: 'Objects that an edge of the Delaunay triangulation joins.',
    },
    fields: {
      densityRadiusUm: 'Radius of the density',
      nearestCount: 'How many nearest objects',
      neighboursWithinUm: 'Longest way to a neighbour',
    },
    objects: 'objects',
    note: (unit: string) =>
      `Between centres, in ${unit}. They become columns of this table and of exports, for every result, until they are switched off.`,
    measuring: (share: number) => `Measuring ${Math.round(100 * share)} %`,
    stop: 'Stop measuring: the table stays as it is',
  },
  bands: {
    title: 'Bands along the border of regions',
    button: 'Bands',
    of: 'Regions of the class',
    every: 'Each class',
    limits: 'Limits, µm from the border; below 0 inside',
    notLimits: 'Numbers that rise, as -100, -50, 0, 50',
    noResult: 'Segment something first: what lies in bands is counted of its objects.',
    noRegions: 'The slide has no such region. Draw one, and give it a class.',
    along: (name: string) => `Along the border of ${name}`,
    heads: (unit: 'um' | 'px') =>
      unit === 'um'
        ? ['Band, µm', 'mm²', 'Objects', 'per mm²', 'Positive share']
        : ['Band, px', 'Mpx', 'Objects', 'per Mpx', 'Positive share'],
    /** "-50 to 0", "50 and above"; null: it has no end there. */
    reach: (from: number | null, to: number | null) =>
      from === null ? `below ${to}` : to === null ? `${from} and above` : `${from} to ${to}`,
    off: (area: number) => `by a third of the scan lines it differs by ${area.toExponential(1)}`,
    note: 'Of what was analysed. A limit belongs to the band that it begins. Exports have it as bands.csv.',
    measuring: 'Measuring…',
  },
  map: {
    title: 'Map of density',
    button: 'Density map',
    what: 'What it tells',
    all: 'All objects',
    ofClass: (label: string) => `Objects of ${label}`,
    share: 'Positive share',
    radius: (unit: string) => `Within, ${unit}`,
    show: 'Show it on the slide',
    hide: 'Hide it',
    noResult: 'Segment something first: the map is of its objects.',
    places: 'Regions where it is high',
    limit: 'From',
    percentile: 'a share of the map on',
    value: (share: boolean, unit: 'um' | 'px'): string =>
      share ? 'a share on' : unit === 'um' ? 'a number per mm² on' : 'a number per Mpx on',
    percent: '% are lower',
    atLeast: 'At least',
    least: (unit: 'um' | 'px'): string => (unit === 'um' ? 'Smallest area, mm²' : 'Smallest area, Mpx'),
    reached: (value: string, highest: string) => `That is ${value}; the highest is ${highest}.`,
    make: 'Make regions',
    made: (made: number, leftOut: number) =>
      `${formatCount(made)} ${noun(made, 'region')} made.${leftOut > 0 ? ` ${formatCount(leftOut)} smaller ones were left out.` : ''}`,
    note: 'Of every place the objects in a circle about it, counted one by one. Exports have it as density.ome.tif.',
    layer: 'Density map',
  },
  groups: {
    title: 'Figures by',
    all: 'All together',
    byClass: 'By class',
    byRegion: 'By region',
    notLooked: 'not analysed by this run',
    count: (n: number) => `n ${formatCount(n)}`,
    density: (perMm2: number, unit: string) => `, ${formatCount(perMm2)} ${unit}`,
    statistics: (s: { mean: number; sd: number; median: number; lowerQuartile: number; upperQuartile: number }) =>
      `mean ${formatMeasure(s.mean)} ± ${formatMeasure(s.sd)}, median ${formatMeasure(s.median)} (${formatMeasure(s.lowerQuartile)} – ${formatMeasure(s.upperQuartile)})`,
  },
  scatter: {
    axis: (name: string) => `${name} axis`,
    logAxis: (name: string) => `${name} axis by the logarithm`,
    plotting: 'Plotting…',
    lowest: (axis: string) => `Lowest ${axis} of the box`,
    highest: (axis: string) => `Highest ${axis} of the box`,
    about: (n: number, x: string, xLow: string, xHigh: string, y: string, yLow: string, yHigh: string) =>
      `${objects(n)}: ${x} from ${xLow} to ${xHigh}, ${y} from ${yLow} to ${yHigh}`,
    clear: 'Clear the box',
    density: 'number of objects by place',
    help: 'A drag lists what lies in the box; a click shows an object on the slide.',
  },
}
