// Exports under way: one a run, stoppable, each with the tools that the writers need.
import { resolve } from 'node:path'
import type { AppEvent, ExportRequest, ExportResult, Region } from '../app/contract'
import { status, traceOutlines } from '../native/index'
import type { Unreadable } from '../native/index'
import { EngineError } from './errors'
import { outputDirectory } from './export/folder'
import { exportRun } from './export/index'
import type { ExportTools } from './export/index'
import { OutputSet } from './export/outputSet'
import type { PendingExports } from './export/pending'
import { checkTargets } from './export/targets'
import { hatch } from './overlay/hatch'
import type { Run } from './run/run'
import { SlideIdentity, slideChanged } from './slide/identity'
import type { OpenSlide } from './slide/slides'

/** A system call that hangs hears no cancel; the next export must not wait for it. */
const giveUpMs = 5000
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const later = (): unknown => setTimeout(() => reject(signal.reason as Error), giveUpMs)
    signal.addEventListener('abort', later, { once: true })
  })
}

const hatchColor = [150, 150, 150, 255] as const

/** Parts of `rgba` that could not be read, hatched; gives how many. */
function hatched(rgba: Uint8Array, area: Region, scale: number, unreadable: readonly Unreadable[]): number {
  for (const { region } of unreadable) {
    const rect = {
      x: region.x / scale - area.x,
      y: region.y / scale - area.y,
      width: region.width / scale,
      height: region.height / scale,
    }
    hatch(rgba, area.width, area.height, rect, area, hatchColor)
  }
  return unreadable.length
}

/** For whoever computes for hours before there is anything to write: throws at once what the export would refuse at the end. */
export async function checkOutput(
  slidePath: string,
  request: Pick<ExportRequest, 'directory' | 'files' | 'overwrite' | 'ownFolder'>,
): Promise<void> {
  const set = await OutputSet.in(outputDirectory(request.directory))
  // What a killed program had left there is put right, and what was made for the question goes again.
  await set.discard()
  if (request.ownFolder) return
  const identity = await SlideIdentity.of(resolve(slidePath)).catch(() => null)
  const isSource = async (path: string): Promise<boolean> => identity?.includes(path) ?? false
  await checkTargets({ directory: set.directory, files: request.files, overwrite: request.overwrite ?? false, isSource })
}

export class Exports {
  private readonly running = new Map<string, AbortController>()
  private readonly version: string
  private readonly pending: PendingExports | null
  private readonly emit: (event: AppEvent) => void

  /** `pending`: where folders of exports under way are remembered, if anywhere. */
  constructor(version: string, emit: (event: AppEvent) => void, pending: PendingExports | null = null) {
    this.version = version
    this.pending = pending
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
    let folder: string | undefined
    const onFolder = async (directory: string): Promise<void> => {
      folder = directory
      await this.pending?.begin(directory)
    }
    try {
      // A run that ended before the change is right; one that it met may hold tiles of two files.
      const atEnd = await run.slideAtEnd
      if (atEnd?.state === 'changed') throw slideChanged(atEnd.path)
      const going = exportRun(
        run.result(),
        request,
        { ...this.tools(run.draft.slide), onFolder },
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

  cancelAll(): void {
    for (const runId of this.running.keys()) this.cancel(runId)
  }

  private tools({ native, identity }: OpenSlide): ExportTools {
    const { version, openslide } = status()
    return {
      sha256OfSlide: (signal) => identity.sha256(signal),
      seed: identity.seed,
      slideState: async () => (await identity.compare()).state,
      isSource: (path) => identity.includes(path),
      traceOutlines,
      readRgba: async (scale, x, y, width, height) => {
        const { rgba, unreadable } = await native.readScaled(scale, x, y, width, height)
        return { rgba, unreadable: hatched(rgba, { x, y, width, height }, scale, unreadable) }
      },
      versions: { app: this.version, native: version, openslide: openslide.version, node: process.versions.node },
    }
  }
}
