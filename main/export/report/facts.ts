// What a report says: made by the export, shown by the page and its tables.
import type { ColumnStatistics, HotSpot } from '../../../app/contract'
import type { RunResult } from '../../run/objects/result'
import type { Calibration } from '../calibration'
import type { ExportTools, ReportRegion } from '../exporter'
import type { ReportHistogram, ReportPicture } from './markup'

export interface ReportFacts {
  readonly result: RunResult
  /** What the slide is called here. */
  readonly slideName: string
  readonly pictures: readonly ReportPicture[]
  readonly histograms: readonly ReportHistogram[]
  readonly statistics: readonly { readonly title: string; readonly unit: string; readonly of: ColumnStatistics }[]
  /** Of the slide where it is shown as channels: in which objects were found; and its colour in the pictures, null where they leave it out. */
  readonly channels: readonly { readonly name: string; readonly analysed: boolean; readonly color: readonly number[] | null }[]
  readonly regions: readonly ReportRegion[]
  /** null: there is none. */
  readonly hotSpot: HotSpot | null
  readonly warnings: readonly string[]
  readonly madeAt: Date
  readonly versions: ExportTools['versions']
  /** Of a level-0 px. */
  readonly pixelSize: Pick<Calibration, 'umPerPxX' | 'umPerPxY'>
}
