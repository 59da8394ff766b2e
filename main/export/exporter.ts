// What every format's writer gets and gives: the run, the tools, where to write, how to report and when to stop.
import type {
  BandsOfRun,
  ChannelLook,
  ExportFile,
  HotSpot,
  LaserRequest,
  Origin,
  RegionMeasure,
  SummaryRow,
  Shape,
  SpatialMeasures,
} from '../../app/contract'
import type { Corner } from '../base/corner'
import type { PixelRect } from '../base/rect'
import type { Box } from '../base/shapes'
import type { RunResult } from '../run/objects/result'
import type { LaserShape } from './laser/affine'
import type { Names } from './names'
import type { OutputFile } from './output/outputSet'
import type { WrittenFiles } from './output/targets'
import type { SpatialColumn } from '../spatial/columns'
import type { DensityMap } from '../spatial/maps'

/** Of the slide's bytes as they were opened, or why there is none. */
export type SlideChecksum = { readonly sha256: string } | { readonly sha256: null; readonly reason: string }

export interface ExportTools {
  sha256OfSlide(signal: AbortSignal): Promise<SlideChecksum>
  /** Stands for the checksum where there is none. */
  readonly seed: string
  /** Are the slide's files still those that were opened? */
  slideState(): Promise<'same' | 'gone' | 'changed'>
  /** Is this one of the slide's own files? */
  readonly isSource: (path: string) => Promise<boolean>
  /** Told before anything is written into a folder: a later start looks there for what a killed program has left. */
  readonly onFolder?: (directory: string) => Promise<void>
  /** That format objects, paint and compress. */
  readonly threads: number
  /** As the window shows the slide: `area` in px of `scale`; 4 bytes a px. Parts that cannot be read are hatched and counted. */
  readRgba(scale: number, area: PixelRect, signal: AbortSignal): Promise<{ rgba: Uint8Array; unreadable: number }>
  /** Makes a PDF of an HTML page, as EngineOptions.print; absent where the shell cannot. */
  readonly print?: ((page: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined
  readonly versions: { readonly app: string; readonly native: string; readonly openslide: string; readonly node: string }
}
/** `of`: the class whose regions were asked for; null: each, or it is not to be named. */
export interface ExportedBands {
  readonly of: string | null
  readonly limits: readonly number[]
  readonly found: BandsOfRun
}
/** What is known of a run beside what it found. */
export interface Beside {
  /** Where the document has regions on the slide: which hold each object. */
  objectRegions?: ObjectRegions | null | undefined
  /** For the report: what lies in the regions of interest. */
  regions?: readonly ReportRegion[] | undefined
  /** For the report and run.json. */
  hotSpot?: HotSpot | null | undefined
  /** Columns of tables beside what was measured of the objects; absent or null: there are none. */
  spatial?: readonly SpatialColumn[] | null | undefined
  /** By what they were made. */
  spatialMeasures?: SpatialMeasures | null | undefined
  /** For bands.csv and run.json. */
  bands?: ExportedBands | null | undefined
  /** For density.ome.tif and run.json. */
  map?: DensityMap | null | undefined
  /** How the slide's channels are shown; absent or null: nobody has changed that. */
  looks?: readonly ChannelLook[] | null | undefined
}
export interface ExportRunRequest extends Beside {
  directory: string
  files: ExportFile[]
  /** Douglas-Peucker tolerance, level-0 px; absent or 0 = exact. */
  simplifyPx?: number | undefined
  overwrite?: boolean | undefined
  deidentify?: boolean | undefined
  ownFolder?: boolean | undefined
  named?: boolean | undefined
  /** The tables once more for each region of interest: regionTables.ts. */
  byRegion?: boolean | undefined
  /** Where objects' coordinates begin; absent: at the slide's corner. */
  origin?: Origin | undefined
  /** For those files that a laser cuts by. */
  laser?: LaserRequest | undefined
}
/**
 * `at`: by id, of each object which of `names`: the titles of the regions that hold its centroid, and of `holders`: their places among `areas`.
 * The first has none. Boxes are level-0 px.
 */
export interface ObjectRegions {
  readonly names: readonly (readonly string[])[]
  readonly holders: readonly (readonly number[])[]
  readonly areas: readonly { readonly title: string; readonly box: Box; readonly shape: Shape }[]
  readonly at: Uint32Array
}
export interface ReportRegion {
  /** As the window lists it. */
  readonly name: string
  readonly className: string | null
  /** Of its class, #rrggbb; absent: it has none. */
  readonly color?: string | undefined
  /** Of one that has an area. */
  readonly shape?: Shape | undefined
  readonly measure: RegionMeasure
  /** Of its own objects. */
  readonly hotSpot?: SummaryRow['hotSpot'] | undefined
}

export interface ExportJob {
  readonly result: RunResult
  readonly tools: ExportTools
  readonly simplifyPx: number
  /** Of the slide's bounds, where objects' coordinates begin; null: at the slide's corner. */
  readonly corner: Corner | null
  readonly names: Names
  readonly reportNames: Names
  readonly regions: readonly ReportRegion[]
  /** null: there are none to name. */
  readonly objectRegions: ObjectRegions | null
  /** null: there is none. */
  readonly hotSpot: HotSpot | null
  /** Of tables, beside what was measured of the objects. */
  readonly spatial: readonly SpatialColumn[]
  /** null: there are no such columns. */
  readonly spatialMeasures: SpatialMeasures | null
  /** null: bands.csv is not asked for. */
  readonly bands: ExportedBands | null
  /** null: density.ome.tif is not asked for. */
  readonly map: DensityMap | null
  readonly looks: readonly ChannelLook[] | null
  /** null: no file of this export is for a laser. */
  readonly laser: LaserRequest | null
  readonly checksum: SlideChecksum
  /** What objects' UUIDs are made of: the slide's checksum, or what stands for it. */
  readonly slideSeed: string
  /** The files that are complete already: run.json comes last. */
  readonly written: WrittenFiles
  /** What this export lacks; run.json holds what was said before it. */
  readonly warnings: string[]
  /** What writers of one export make once for all of them, and memory that one leaves to the next. */
  readonly shared: {
    reportPage?: Promise<string>
    textBuffers?: Uint8Array<ArrayBuffer>[]
    laserShapes?: Promise<readonly LaserShape[]>
  }
  /** Between 0 and 1. */
  progress(fraction: number): void
  readonly signal: AbortSignal
}
export type Exporter = (job: ExportJob, out: OutputFile) => Promise<void>
