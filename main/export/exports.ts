// Exports under way: one a run, stoppable.
import type { AppEvent, ExportRequest, ExportResult } from '../../app/contract'
import { breather, inSteps } from '../base/breather'
import { EngineError } from '../base/errors'
import type { Run } from '../run/run'
import { slideChanged } from '../slide/identity'
import type { Beside } from './exporter'
import type { PendingExports } from './output/pending'
import { toolsFor } from './tools'
import type { ExportProgram } from './tools'

/** A system call that hangs hears no cancel; the next export must not wait for it. */
const giveUpMs = 5000
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const later = (): unknown => setTimeout(() => reject(signal.reason as Error), giveUpMs)
    signal.addEventListener('abort', later, { once: true })
  })
}

/** Who gathers what files tell beside what a run found hears of a cancel, and says which share is done. */
export interface Gathering {
  readonly signal: AbortSignal
  readonly progress: (fraction: number) => void
}
type Gather = (gathering: Gathering) => Promise<Beside & Required<Pick<ExportRequest, 'deidentify'>>>

export class Exports {
  private readonly running = new Map<string, AbortController>()
  private closed = false
  private readonly program: ExportProgram
  private readonly pending: PendingExports | null
  private readonly emit: (event: AppEvent) => void

  /** `pending`: where folders of exports under way are remembered, if anywhere. */
  constructor(program: ExportProgram, emit: (event: AppEvent) => void, pending: PendingExports | null = null) {
    this.program = program
    this.pending = pending
    this.emit = emit
  }

  /** Whoever cancels it may do so at once: whatever has to be waited for is waited for in `gather`. */
  async start(run: Run, request: ExportRequest, gather: Gather): Promise<ExportResult> {
    const { runId } = run
    if (!run.over)
      throw new EngineError(
        'INVALID_PARAMETER',
        `The run ${runId} is still going on. Wait for its end or cancel it, then export.`,
      )
    if (this.running.has(runId))
      throw new EngineError('INVALID_PARAMETER', `The run ${runId} is being exported already. Wait for its end or cancel it.`)
    const abort = new AbortController()
    if (this.closed) abort.abort()
    this.running.set(runId, abort)
    let folder: string | undefined
    const onFolder = async (directory: string): Promise<void> => {
      folder = directory
      await this.pending?.begin(directory)
    }
    try {
      // A run that ended before the change is right; one that it met is where each of its tiles was seen to be of the file that was opened.
      const atEnd = await run.slideAtEnd
      if (atEnd?.state === 'changed' && !run.onlyFinal) throw slideChanged(atEnd.path)
      const progress = (fraction: number): void => this.emit({ type: 'export:progress', runId, file: null, fraction })
      const beside = await Promise.race([gather({ signal: abort.signal, progress }), givenUp(abort.signal)])
      abort.signal.throwIfAborted()
      await inSteps(run.objects.sorting(), breather(abort.signal))
      // Loaded with the first export.
      const { exportRun } = await import('./exportRun')
      const going = exportRun(
        run.result(),
        { ...request, ...beside },
        { ...toolsFor(run.draft.slide, this.program, beside.looks ?? null), onFolder },
        (file, fraction) => this.emit({ type: 'export:progress', runId, file, fraction }),
        abort.signal,
      )
      // Not before it has ended: one that hangs is the next start's to look at.
      void going.catch(() => undefined).then(() => (folder === undefined ? undefined : this.pending?.end(folder)))
      return await Promise.race([going, givenUp(abort.signal)])
    } catch (error) {
      // Cancelled is an outcome, not an error.
      if (abort.signal.aborted) return { cancelled: true, directory: request.directory, files: [], warnings: [], slideName: '' }
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

  /** Cancels all, and what a call under way still starts. */
  close(): void {
    this.closed = true
    for (const runId of this.running.keys()) this.cancel(runId)
  }
}
