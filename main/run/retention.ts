// Which runs are let go of to make room, and how the user is told.
import { noun } from '../../app/contract'
import type { RunStatus } from '../../app/contract'
import { tooMuch } from './schedule/budget'
import type { Run } from './run'

/** A page shows what it has previewed of a slide until it is told that a preview is gone. */
const keptPreviews = 32

export interface RetentionRules {
  /** Of all runs that are over, together. */
  readonly keptBytes: number
  /** An export reads it: it is not let go of by itself. */
  readonly isInUse: (runId: string) => boolean
  /** What a slide holds that nobody has open. */
  readonly slideBytes: (slideId: string) => number
}

/** Of `runs`, from the oldest on, those that have to go; `newest` stays in any case. */
export function excessRuns(runs: readonly Run[], newest: Run, { keptBytes, isInUse, slideBytes }: RetentionRules): Run[] {
  const stays = (run: Run): boolean => run === newest || !run.over || isInUse(run.runId)
  const slideOf = (run: Run): string => run.draft.slide.info.slideId
  const previews = runs.filter((run) => slideOf(run) === slideOf(newest) && run.purpose === 'preview')
  const old = previews.slice(0, -keptPreviews).filter((run) => !stays(run))
  const slides = new Set<string>()
  const holders = runs.map((run) => {
    // A slide that is kept for its runs alone counts with the first of them.
    const slideId = slideOf(run)
    const bytes = run.objects.bytes + (slides.has(slideId) ? 0 : slideBytes(slideId))
    slides.add(slideId)
    return { run, bytes, isPreview: run.purpose === 'preview', stays: stays(run) }
  })
  const gone = tooMuch(holders, keptBytes).map(({ run }) => run)
  return [...new Set([...old, ...gone])]
}

/** The sentence that tells of full runs that held something, or none. `why` begins it. */
export function farewell(why: string, lost: readonly Pick<RunStatus, 'name' | 'objects'>[]): string | undefined {
  if (lost.length === 0) return undefined
  const words = lost.map(({ name, objects }) => `${name} (${objects.toLocaleString('en')} ${noun(objects, 'object')})`).join(', ')
  return `${why}: ${words}. Export what you want to keep.`
}
