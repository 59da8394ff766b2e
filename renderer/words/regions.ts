// Regions, points, the ruler's lines, and their files.
import { noun } from '../../app/contract'
import { formatCount, formatDuration } from '../arithmetic/format'

export const regions = {
  regions: {
    titleWith: (n: number) => `Regions (${n})`,
    help: 'Areas of the slide that you draw: a recipe can run inside them, and each has its figures. Shift adds to the selected region, Alt cuts out of it; a double click on its line makes a corner, Alt and a click takes one away. Points are counted one by one, of each class by itself.',
    draw: 'Draw a region',
    rowTip: (source: string) => `${source} Double click shows it`,
    unlock: 'Unlock',
    lock: 'Lock: it cannot be moved, reshaped or deleted',
    nameLabel: 'Name of the region',
    name: 'Name',
    classLabel: 'Class of the region',
    selected: (n: number) => `${n} selected`,
    menu: 'Import, export, objects inside',
    importQuPath: 'Import GeoJSON or labels…',
    exportQuPath: 'Export as QuPath’s GeoJSON…',
    exportImages: 'Export as pictures…',
    carrySection: 'Carry over from another section…',
    classifyInside: 'Give its class to the objects inside',
    deleteInside: 'Delete the objects inside',
    segmentIn: (selected: number) => `Segment in ${selected === 1 ? 'it' : `the ${selected}`}`,
    segmentInAll: 'Segment in all',
    noArea: 'Points and lines have no area to segment: choose a region that has one.',
    drawFirst: 'Draw a region first.',
    selectOneToAdd: 'Select one region first: Shift adds to the selected one.',
    selectOneToCut: 'Select one region first: Alt cuts out of the selected one.',
    selectOneForBrush: 'Select one region first: the brush cuts out of that.',
  },
  /** What a region's row says: its size, its figures, and where they come from. */
  regionFigures: {
    beyondSlide: 'beyond the slide',
    notRun: (area: string, recipe: string, run: string) => `${area} · not run with ${recipe} as in ${run}`,
    row: (parts: {
      area: string
      objects: number
      share: string
      perMm2: number | null
      partial: boolean
      run: string | undefined
    }) =>
      [
        parts.area,
        `${formatCount(parts.objects)} ${noun(parts.objects, 'object')}`,
        ...(parts.share === '' ? [] : [parts.share]),
        ...(parts.perMm2 === null ? [] : [`${formatCount(parts.perMm2)}/mm² of area`]),
        ...(parts.partial ? ['a part is missing'] : []),
        ...(parts.run === undefined ? [] : [parts.run]),
      ].join(' · '),
    source: (run: string, recipe: string) => `Counted in the result ${run}${recipe && ` (${recipe})`}.`,
    rule: (run: string, recipe: string) =>
      `Figures follow ${run}${recipe && ` (${recipe})`}, and elsewhere the newest result with the same recipe and values.`,
  },
  points: {
    title: 'Points',
    classOf: 'Class of the points',
    countAndShare: (n: number, share: string) => `${formatCount(n)} (${share})`,
    help: 'A click counts one. Alt and a click, or a click on one and Delete, takes it away.',
    noneHere: 'There is no point of this class here.',
  },
  ruler: {
    measureFirst: 'Measure a length first: drag from one place to another.',
    needsRuler: 'The ruler measures what can be kept.',
  },
  regionFiles: {
    importTitle: 'Import regions or objects',
    importNote: (slide: string) =>
      `Annotations of QuPath, or any GeoJSON in pixels of the slide, become regions of ${slide}. Detections, cells, labels of a label image and points of a table become a result, measured as the recipe measures its own.`,
    chooseFile: 'Choose a file…',
    openSlideFirst: 'Open a slide first: regions and objects are imported onto it.',
    noRecipe: 'Choose a recipe first: objects are measured as it measures its own.',
    notRead: 'The file cannot be read any more. It may have been moved or changed.',
    notUnpacked: 'The file cannot be unpacked: it is not a complete gzip file.',
    importing: (file: string) => `Importing ${file}`,
    going: (percent: number, leftMs: number | null) =>
      `${percent} % of the file is read and kept${leftMs === null ? '.' : `, ${formatDuration(leftMs)} left.`}`,
    exporting: (slide: string) => `Exporting the regions of ${slide}`,
    writing: (percent: number, leftMs: number | null) =>
      `${percent} % of the regions are written${leftMs === null ? '.' : `, ${formatDuration(leftMs)} left.`}`,
    placeTitle: 'Where does it lie?',
    placeNote: (file: string, width: number, height: number, slide: string) =>
      `${file} has ${formatCount(width)} × ${formatCount(height)} px, which is not the size of ${slide}. Say where its corner lies, and how many pixels of the slide one of its pixels is.`,
    placeWhole: (scale: string) => `It has the slide’s shape. Covering all of it, one of its pixels is ${scale} px of the slide.`,
    placeX: 'Left, slide px',
    placeY: 'Top, slide px',
    placeScale: 'Slide px a pixel',
    placeImport: 'Import',
    askFeaturesTitle: 'What are its outlines?',
    askFeatures: (file: string) => `${file} does not say what its outlines are.`,
    asObjects: 'Objects',
    asObjectsNote: 'Cells or nuclei: a result with measurements, to be compared and classified.',
    asRegions: 'Regions',
    asRegionsNote: 'Areas such as tumour or stroma: they are drawn on the slide, and objects are counted in them.',
    askRadiusTitle: 'How large are its objects?',
    askRadius: (file: string) => `${file} has points without a size. Each becomes a disc.`,
    radius: 'Radius, µm',
    imported: (n: number, file: string) => `${n} ${noun(n, 'region')} from ${file}.`,
    importedObjects: (n: number, file: string, name: string) =>
      `${formatCount(n)} ${noun(n, 'object')} from ${file}, in the list of results as “${name}”.`,
    nothing: (file: string) => `Nothing of ${file} was imported.`,
    takenOtherwise: (reasons: string) => `Taken otherwise: ${reasons}.`,
    leftOut: (reasons: string) => `Left out: ${reasons}.`,
  },
  /** Another section of the same block: how it lies on this slide, and what is carried over. */
  sections: {
    title: 'Carry over from another section',
    note: (slide: string) =>
      `Regions and objects of another slide of the same block come to lie on ${slide}. Look at the result: sections are never quite alike.`,
    noSlides: 'The project has no other slide. Add one first.',
    slide: 'From',
    by: 'Lay on each other by',
    tissue: 'Tissue',
    points: 'Points',
    pointsNote: 'Mark three or more places as points on both slides, in the same order, and give both the same name.',
    laying: 'Looking how they lie…',
    turned: (degrees: string, scale: string, mirrored: boolean) =>
      `Turned by ${degrees}°, scaled by ${scale}${mirrored ? ', mirrored' : ''}.`,
    borders: (median: string, far: string, percent: number) =>
      `The tissues’ borders lie ${median} apart in the median, nine of ten within ${far}. ${percent} % of the tissue overlaps.`,
    poor: 'They hardly match. Mark the same places as points on both slides instead.',
    pairs: (n: number, median: string, far: string) =>
      `${n} ${noun(n, 'pair')} of points lie ${median} apart in the median, ${far} at most.`,
    threePairs: 'Three pairs always fit: a fourth shows how well.',
    um: (value: number) => `${formatCount(Math.round(value))} µm`,
    px: (value: number) => `${formatCount(Math.round(value))} px`,
    regions: 'Its regions',
    objects: 'The objects of its newest result, measured anew here by the recipe',
    noResult: 'That slide has no finished result.',
    beside: 'Show beside',
    carry: 'Carry over',
    carrying: (slide: string) => `from ${slide}`,
    carried: (n: number) => `${n} ${noun(n, 'region')} carried over.`,
    carriedObjects: (n: number, name: string) =>
      `${formatCount(n)} ${noun(n, 'object')} carried over, in the list of results as “${name}”.`,
  },
}
