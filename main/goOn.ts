// Going on with a run that died or was cancelled: from its journal, or from what the document holds of it.
import type { CallValue, RunRequest } from '../app/contract'
import { requireDevice } from '../native/index'
import { cpuThreads } from './appInfo'
import { EngineError } from './base/errors'
import type { Parts } from './parts'
import { requireSame } from './run/journal/journal'
import type { Journals } from './run/journal/journals'
import { KeptObjects } from './run/journal/kept'
import type { Run } from './run/run'
import type { GoesOn } from './run/runs'
import type { OpenSlide } from './slide/slides'

export function requireJournals({ journals }: Parts): Journals {
  if (!journals) throw new EngineError('NOT_FOUND', 'Runs leave no journals here.')
  return journals
}

interface ResumeRequest {
  readonly journalId: string
  readonly slideId: string
  readonly device?: RunRequest['device']
  readonly threads?: number | undefined
}

/** Throws NOT_FOUND, INVALID_PARAMETER; the journal stays then, for whoever has what it takes. */
export async function goOn(
  parts: Parts,
  version: string,
  asked: ResumeRequest,
  name?: string,
): Promise<CallValue<'journal:resume'>> {
  const { journalId, slideId, device, threads } = asked
  const slide = parts.slides.get(slideId)
  const { head, journal } = await requireJournals(parts).claim(journalId)
  try {
    requireSame(head, version, await slide.identity.fingerprint())
    const request = { ...head.request, slideId, ...(device && { device }), ...(threads && { threads }) }
    return await started(parts, slide, request, {
      journal,
      ...(name !== undefined && { name }),
      ...(head.part && { part: head.part }),
    })
  } catch (error) {
    await journal.close()
    throw error
  }
}

async function started(
  { specs, runs, scheduler, means, keptRuns, projects }: Parts,
  slide: OpenSlide,
  request: RunRequest,
  from: GoesOn,
): Promise<CallValue<'journal:resume'>> {
  const spec = await specs.get(request.recipe.spec)
  await requireDevice(request.device ?? 'cpu')
  const usual = await means()
  const status = runs.start(request, slide, spec, usual, from)
  scheduler.setWorkers(Math.max(cpuThreads(), request.threads ?? usual.threads))
  if (from.part !== undefined) void (await keptRuns()).cameWhole(await projects(), runs.get(status.runId))
  return status
}

/** In its place where it lies in its journal alone; where the document holds it, beside it until the whole is there. */
export async function resumeRun(parts: Parts, version: string, run: Run): Promise<CallValue<'run:resume'>> {
  const { state, purpose, name } = run.status()
  if (state !== 'cancelled' || purpose !== 'run')
    throw new EngineError('INVALID_PARAMETER', `${name} was not cancelled: only a cancelled run can be gone on with.`)
  const { slide } = run.draft
  const { slideId } = slide.info
  if (run.keptId !== null) {
    const path = (await parts.projects()).fileOf(run.keptId)
    if (path === null) throw new EngineError('NOT_FOUND', `The objects of ${name} are not in the project any more.`)
    const base = await KeptObjects.open(path, run.keptId)
    requireSame(base.head, version, await slide.identity.fingerprint())
    return started(parts, slide, { ...base.head.request, slideId }, { base, part: run.keptId })
  }
  const journalId = await run.tileCommitter.handOver()
  if (journalId === null) throw new EngineError('NOT_FOUND', `${name} has left no journal: start it again.`)
  const status = await goOn(parts, version, { journalId, slideId }, name)
  parts.runs.delete(run.runId)
  return status
}
