// What every format's writer gets and gives: the run, the tools, where to write, how to report and when to stop.
import type { ExportFile } from '../../app/contract'
import type { Outlines } from '../../native/index'
import type { RunResult } from '../run/result'
import type { OutputFile } from './outputSet'

export interface ExportTools {
  sha256OfSlide(): Promise<string>
  /** As native/index.ts: simplifyPx is in analysed px. */
  traceOutlines(runs: Int32Array, runOffsets: Int32Array, simplifyPx?: number): Promise<Outlines>
  /** As Slide.readScaled: x, y, width, height in px of `scale`; width × height × 4 bytes. */
  readRgba(scale: number, x: number, y: number, width: number, height: number): Promise<Uint8Array>
  readonly versions: { readonly app: string; readonly native: string; readonly openslide: string; readonly node: string }
}
export interface ExportRunRequest {
  directory: string
  files: ExportFile[]
  /** Douglas-Peucker tolerance, level-0 px; absent or 0 = exact. */
  simplifyPx?: number | undefined
}

export interface ExportJob {
  readonly result: RunResult
  readonly tools: ExportTools
  readonly simplifyPx: number
  /** Read once an export, however many files carry it. */
  slideSha256(): Promise<string>
  /** Between 0 and 1. */
  progress(fraction: number): void
  readonly signal: AbortSignal
}
export type Exporter = (job: ExportJob, out: OutputFile) => Promise<void>
