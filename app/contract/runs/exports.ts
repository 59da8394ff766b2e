// What an export writes, on request, and what it says of it.
import { HotSpotField } from '../classes/hotSpot'
import { RunId } from '../base/ids'
import { laserFiles, LaserRequest } from '../results/laser'
import { filePath, toldPath } from '../base/paths'
import * as z from '../zod'

export const exportFiles = [
  'objects.geojson',
  'objects.csv',
  'objects.parquet',
  'objects.h5ad',
  'bands.csv',
  'density.ome.tif',
  'labels.ome.tif',
  'labels.zarr',
  'spatialdata.zarr',
  'overlay.png',
  'report.html',
  'report.pdf',
  'timings.csv',
  ...laserFiles,
  'run.json',
] as const
export const ExportFile = z.enum(exportFiles)
export type ExportFile = z.infer<typeof ExportFile>
/** Files that are folders of many. */
const folderFiles = ['labels.zarr', 'spatialdata.zarr'] as const
export type FolderFile = (typeof folderFiles)[number]
export const isFolderFile = (name: ExportFile): name is FolderFile => (folderFiles as readonly string[]).includes(name)
/** What is written where nobody has chosen: the others say again what these say, for programs that count by the million and for readers. */
export const usualExportFiles: readonly ExportFile[] = exportFiles.filter(
  (name) =>
    ![
      ...['objects.parquet', 'objects.h5ad', 'bands.csv', 'density.ome.tif', 'report.html', 'report.pdf', 'timings.csv'],
      ...folderFiles,
      ...laserFiles,
    ].includes(name),
)
/** What this program can write: report.pdf only where the shell prints (AppInfo.prints). */
export const writableExportFiles = (prints: boolean): readonly ExportFile[] =>
  exportFiles.filter((name) => prints || name !== 'report.pdf')
/** Of an export's files those that a reader opens: the page first, as every machine shows it. */
export const reportFiles = ['report.html', 'report.pdf'] as const
export const isReport = (name: string): boolean => (reportFiles as readonly string[]).includes(name)
export const Origin = z.enum(['slide', 'bounds'])
export type Origin = z.infer<typeof Origin>
export const ExportRequest = z.strictObject({
  runId: RunId,
  directory: filePath,
  files: z.array(ExportFile).min(1).max(exportFiles.length),
  /** Douglas-Peucker tolerance for outlines, level-0 px; 0 = exact. */
  simplifyPx: z.number().min(0).max(100).optional(),
  /** May files that no earlier export wrote be replaced? Without it OUTPUT_EXISTS names them. */
  overwrite: z.boolean().optional(),
  /** A pseudonym in place of the slide's name, everywhere. */
  deidentify: z.boolean().optional(),
  /** The report calls the slide by its name, where `deidentify` lets it; else by a pseudonym. */
  named: z.boolean().optional(),
  /** Into a new folder SLIDE_RECIPE_DATE below `directory`. */
  ownFolder: z.boolean().optional(),
  /** The tables among the files (objects.csv, objects.parquet) also once for each region of interest that has an area: objects-REGION.csv. */
  byRegion: z.boolean().optional(),
  /** Where the coordinates of objects begin: at the slide's corner, or at that of its bounds, where QuPath has it. Absent: slide. */
  origin: Origin.optional(),
  /** What shapes.lmd.xml and shapes.palm.txt hold; they need it. */
  laser: LaserRequest.optional(),
  /** The field of the hot spot that the report and run.json tell of; absent: as the settings say. */
  hotSpotField: HotSpotField.optional(),
})
export type ExportRequest = z.infer<typeof ExportRequest>
export const ExportResult = z.object({
  /** True where export:cancel came in time: then no file was written. */
  cancelled: z.boolean(),
  directory: toldPath,
  files: z.array(z.object({ name: z.string(), path: toldPath, bytes: z.number(), sha256: z.string() })),
  /** What the files lack, and why: a checksum of a slide that is gone. */
  warnings: z.array(z.string()),
  /** What the files call the slide; '' where none was written. */
  slideName: z.string(),
})
export type ExportResult = z.infer<typeof ExportResult>
