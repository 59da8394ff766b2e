// Which files come in and go out, with format and version. Names of written files are the program's own, and a test reads versions from real files.
import type { ExportFile } from '../../../app/contract'

/** Format and version of what an export writes; what it holds is in the window's own words. */
export const writtenFormats = {
  'objects.geojson': { format: 'GeoJSON (RFC 7946), as QuPath 0.4 and later', version: 'RFC 7946' },
  'objects.csv': { format: 'CSV (RFC 4180), UTF-8', version: 'RFC 4180' },
  'objects.parquet': { format: 'Parquet with GeoParquet’s metadata', version: 'GeoParquet 1.1.0' },
  'objects.h5ad': { format: 'AnnData in HDF5', version: 'AnnData 0.1.0 (its format of 0.8 and later)' },
  'bands.csv': { format: 'CSV (RFC 4180), UTF-8', version: 'RFC 4180' },
  'density.ome.tif': { format: 'OME-TIFF, float of 32 bits, pyramid', version: 'OME 2016-06' },
  'labels.ome.tif': { format: 'OME-TIFF, uint32, pyramid', version: 'OME 2016-06' },
  'labels.zarr': { format: 'OME-Zarr, a folder', version: 'OME-Zarr 0.4 (Zarr 2)' },
  'spatialdata.zarr': { format: 'SpatialData, a folder', version: 'container 0.1 (Zarr 2, OME-Zarr 0.4)' },
  'overlay.png': { format: 'PNG', version: 'PNG' },
  'report.html': { format: 'one HTML page without scripts', version: 'HTML' },
  'report.pdf': { format: 'PDF, printed by the desktop app', version: 'PDF' },
  'timings.csv': { format: 'CSV (RFC 4180), UTF-8', version: 'RFC 4180' },
  'shapes.lmd.xml': { format: 'XML of Leica LMD', version: 'as public examples have it' },
  'shapes.palm.txt': { format: 'element list of Zeiss PALM RoboSoftware', version: 'as public examples have it' },
  'run.json': { format: 'morphoscope-run, JSON', version: 'morphoscope-run 1' },
} as const satisfies Record<ExportFile, { format: string; version: string }>

/** Of run.json, its first names. */
export const runJsonTexts: Readonly<Record<string, string>> = {
  format: '`morphoscope-run`.',
  version: 'Version of this format.',
  state: 'done, cancelled or failed.',
  slide: 'Name, checksum, size, reader and pixel size of the slide, with its channels.',
  region: 'What was asked for, pixels of the full resolution.',
  withinPx: 'Area of the regions within which objects count.',
  analysedPx: 'Area that was computed and could be read.',
  resolution: 'µm per pixel of the analysis, its bits, and how many pixels of the slide one is.',
  imported: 'A file brought the objects in; no recipe found them.',
  recipe: 'The recipe with all its values: `run --recipe run.json` repeats the run.',
  recipeSpec: 'Which bundled recipe it is.',
  resolved: 'What the engine was given: lengths in pixels, grey levels.',
  valuesUncertain: 'Not all could be read that adapted values come from.',
  counts: 'Objects, by class too, tiles, and what is unreadable, uncertain or cut.',
  classesBy: 'By what objects have their classes.',
  hotSpot: 'The hot spot, with its figures.',
  scores: 'What scores are made of.',
  area: 'Analysed area and objects per mm².',
  tissue: 'The same of the tissue.',
  certainty: 'How much of the result no pixel outside could change.',
  unreadable: 'Parts that the file could not give.',
  uncertain: 'Parts of the result that those could change.',
  warnings: 'What a reader should know, in words.',
  error: 'Code and message where the run failed.',
  memory: 'What the run said to need, and the most that the program held.',
  elapsedMs: 'Time of the run, milliseconds.',
  megapixelsPerSecond: 'Its speed.',
  timings: 'Time of each step on each device.',
  shards: 'Who computed which part, where several machines did.',
  timeline: 'When each window was computed.',
  verification: 'What `--verify` came to; null: nobody asked.',
  export: 'How the files were written: tolerance, origin, stains, channels.',
  versions: 'Versions of the program and its libraries.',
  files: 'Each file with its size and SHA-256.',
  recordSha256: 'Checksum of this record.',
}

export interface ReadFormat {
  readonly name: string
  readonly endings: readonly string[]
  readonly text: string
}

export const readSlides: readonly ReadFormat[] = [
  { name: 'Aperio SVS', endings: ['svs'], text: 'Brightfield of 8 bits; JPEG and JPEG 2000.' },
  { name: 'Hamamatsu NDPI, VMS, VMU', endings: ['ndpi', 'vms', 'vmu'], text: 'Brightfield of 8 bits.' },
  { name: 'Leica SCN', endings: ['scn'], text: 'Brightfield of 8 bits.' },
  { name: 'MIRAX', endings: ['mrxs'], text: 'Brightfield of 8 bits, with its folder beside it; through OpenSlide.' },
  { name: 'Ventana BIF', endings: ['bif'], text: 'Brightfield of 8 bits.' },
  { name: 'Philips and Trestle TIFF', endings: ['tif', 'tiff'], text: 'Brightfield of 8 bits.' },
  { name: 'Sakura', endings: ['svslide'], text: 'Brightfield of 8 bits; through OpenSlide.' },
  {
    name: 'OME-TIFF, QPTIFF, ImageJ’s and other TIFFs',
    endings: ['tif', 'tiff'],
    text: 'Brightfield, or any number of channels of 8 to 32 bits. BigTIFF too.',
  },
  {
    name: 'DICOM whole slides',
    endings: ['dcm'],
    text: 'A file of the series, or its folder; brightfield or channels of 8 or 16 bits. JPEG, JPEG 2000, RLE, uncompressed.',
  },
  {
    name: 'OME-Zarr 0.4 and 0.5',
    endings: ['json', 'zattrs'],
    text: 'A local folder; brightfield, or channels of 8 to 64 bits. zlib, gzip, Zstandard, Blosc, shards.',
  },
  {
    name: 'PNG, JPEG, plain TIFF',
    endings: ['png', 'jpg', 'jpeg', 'tif', 'tiff'],
    text: 'One picture that fits into memory. Grey ones of 16 bits keep them.',
  },
  { name: 'Zeiss CZI', endings: ['czi'], text: 'Not read yet: opening one says so.' },
]

export const readOthers: readonly ReadFormat[] = [
  {
    name: 'GeoJSON of QuPath, StarDist and others',
    endings: ['geojson', 'json', 'geojsonl', 'ndjson', 'gz'],
    text: 'Annotations become regions; detections and cells become a result. Also a feature a line, and packed by gzip.',
  },
  {
    name: 'Label images',
    endings: ['tif', 'tiff', 'png', 'npy', 'zarr'],
    text: 'One number is one object: TIFF of 8 to 32 bits, PNG, NumPy, OME-Zarr 0.4.',
  },
  {
    name: 'Tables of points',
    endings: ['csv', 'tsv', 'parquet', 'geoparquet'],
    text: 'Columns of QuPath, CellProfiler, scikit-image and our own; discs around points. CSV also packed by gzip.',
  },
  { name: 'Outlined truth', endings: ['png'], text: '`NAME.png` with `NAME_inst.png`, for evaluate and optimize.' },
]
