// Results that are held and not shown: parts that a whole stands in place of, and imports that were taken back. Their objects stay on the disk. Pure.
import { noun } from '../../../app/contract'
import type { KeptRun, SingleCommand } from '../../../app/contract'
import { EngineError, invalid } from '../../base/errors'

type Kept = ReadonlyMap<string, KeptRun>

/** Whether it is in any list or sum: not where the document holds the whole that it is a part of, or its import was taken back. */
export const isStanding = (runs: Kept, { wholeId, takenBack }: KeptRun): boolean =>
  takenBack !== true && (wholeId === undefined || !runs.has(wholeId))

export const standingRuns = (runs: Kept): KeptRun[] => [...runs.values()].filter((run) => isStanding(runs, run))

/** With the parts that they stand in place of: who lets go of a whole lets go of those. */
export function withParts(runs: Kept, ids: readonly string[]): string[] {
  const found = new Set(ids)
  // A part may be a whole to an earlier one.
  for (const id of found) for (const run of runs.values()) if (run.wholeId === id) found.add(run.id)
  return [...found]
}

type Stand = Extract<SingleCommand, { type: 'runs:stand' }>

/** `asIs`: a step of history. Throws INVALID_PARAMETER. */
export function stood(
  runs: Kept,
  { run: id, whole }: Stand,
  asIs: boolean,
): { readonly run: KeptRun; readonly forward: Stand; readonly inverse: Stand; readonly name: string } {
  const run = runs.get(id)
  if (!run) throw invalid('the id of a run whose objects the document holds', 'run', id)
  if (!asIs && (!run.cancelled || (whole !== null && (!runs.has(whole) || withParts(runs, [id]).includes(whole)))))
    throw new EngineError('INVALID_PARAMETER', `${run.name} is no part of that result.`)
  const { wholeId: before = null, ...rest } = run
  return {
    run: whole === null ? rest : { ...rest, wholeId: whole },
    forward: { type: 'runs:stand', run: id, whole },
    inverse: { type: 'runs:stand', run: id, whole: before },
    name: whole === null ? `Show ${run.name} again` : `Put the whole in place of ${run.name}`.slice(0, 200),
  }
}

type Bring = Extract<SingleCommand, { type: 'runs:bring' }>

/** `asIs`: a step of history. Throws INVALID_PARAMETER. */
export function brought(
  runs: Kept,
  { run: id, in: isIn }: Bring,
  asIs: boolean,
): { readonly run: KeptRun; readonly forward: Bring; readonly inverse: Bring; readonly name: string } {
  const run = runs.get(id)
  if (!run) throw invalid('the id of a run whose objects the document holds', 'run', id)
  if (!asIs && !run.imported) throw new EngineError('INVALID_PARAMETER', `${run.name} was not imported.`)
  const { takenBack, ...rest } = run
  return {
    run: isIn ? rest : { ...rest, takenBack: true },
    forward: { type: 'runs:bring', run: id, in: isIn },
    inverse: { type: 'runs:bring', run: id, in: takenBack !== true },
    name: isIn ? nameOfImport(run.objects) : `Take back ${run.name}`.slice(0, 200),
  }
}

export const nameOfImport = (objects: number): string => `Import ${objects.toLocaleString('en')} ${noun(objects, 'object')}`
