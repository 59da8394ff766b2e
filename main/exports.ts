// Exports under way: one a run, stoppable, each with the tools that the writers need.
import type { AppEvent, ExportRequest, ExportResult } from '../app/contract'
import { status, traceOutlines } from '../native/index'
import { EngineError } from './errors'
import { exportRun } from './export/index'
import type { Run } from './run/run'
import { sha256OfFile } from './slide/fileHash'

export class Exports {
  private readonly running = new Map<string, AbortController>()
  private readonly version: string
  private readonly emit: (event: AppEvent) => void

  constructor(version: string, emit: (event: AppEvent) => void) {
    this.version = version
    this.emit = emit
  }

  async start(run: Run, request: ExportRequest): Promise<ExportResult> {
    const { runId } = run
    if (!run.over)
      throw new EngineError(
        'INVALID_PARAMETER',
        `The run ${runId} is still going on. Wait for its end or cancel it, then export.`,
      )
    if (this.running.has(runId))
      throw new EngineError('INVALID_PARAMETER', `The run ${runId} is being exported already. Wait for its end or cancel it.`)
    const abort = new AbortController()
    this.running.set(runId, abort)
    const { info, native } = run.draft.slide
    try {
      return await exportRun(
        run.result(),
        { directory: request.directory, files: request.files, simplifyPx: request.simplifyPx },
        {
          sha256OfSlide: () => sha256OfFile(info.path, abort.signal),
          traceOutlines,
          readRgba: async (scale, x, y, width, height) => (await native.readScaled(scale, x, y, width, height)).rgba,
          versions: this.versions(),
        },
        (file, fraction) => this.emit({ type: 'export:progress', runId, file, fraction }),
        abort.signal,
      )
    } catch (error) {
      // Cancelled is an outcome, not an error.
      if (abort.signal.aborted) return { cancelled: true, directory: request.directory, files: [], warnings: [] }
      throw error
    } finally {
      this.running.delete(runId)
    }
  }

  cancel(runId: string): void {
    this.running.get(runId)?.abort()
  }

  isExporting(runId: string): boolean {
    return this.running.has(runId)
  }

  cancelAll(): void {
    for (const runId of this.running.keys()) this.cancel(runId)
  }

  private versions(): { app: string; native: string; openslide: string; node: string } {
    const native = status()
    return { app: this.version, native: native.version, openslide: native.openslide.version, node: process.versions.node }
  }
}
