// A new project's folder: made beside its place, on the disk, and renamed, so that it is there whole or not at all.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DocumentSlide } from '../../../app/contract'
import { RegionClasses } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import { emptyContent } from '../document'
import { openDatabase } from '../lock'
import { copyRunFiles } from '../kept/runFiles'
import { newestSchema } from '../schema'
import { fileName, isThere } from './look'
import { deflated } from './packed'
import { Batch, scriptOf as rowScript } from '../records/batch'
import { checked, requireKeepable } from '../records/check'
import { corrections } from '../records/corrections'
import * as kinds from '../records/kinds'
import { Room } from '../records/room'
import { steps as stepKind } from '../records/steps'
import type { Loaded, NewStep, PackedStep, Step } from '../records/steps'

/** `runsFrom`: the project whose runs' objects it takes. Throws OUTPUT_EXISTS, OUTPUT_FAILED; INVALID_PARAMETER where it could not be read again. */
export function makeFolder(path: string, from: Loaded | null, steps: readonly (NewStep & Step)[], runsFrom: string | null): void {
  if (isThere(path)) throw new EngineError('OUTPUT_EXISTS', `${path} is there already. Choose another name.`)
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(6).toString('hex')}`)
  try {
    const script = scriptOf(from, steps)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    mkdirSync(draft, { mode: 0o700 })
    const db = openDatabase(join(draft, fileName))
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      db.exec(newestSchema)
      db.exec(script)
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
    if (from && runsFrom !== null) copyRunFiles([...from.content.runs.keys()], runsFrom, draft)
    syncFolder(draft)
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    throw cause instanceof EngineError ? cause : notWritten(path, cause)
  }
}

export function notWritten(folder: string, cause: unknown): EngineError {
  return new EngineError(
    'OUTPUT_FAILED',
    `The project ${folder} could not be written (${messageOf(cause)}). Nothing has changed; check the disk's free space and the folder's permissions, and try again.`,
    undefined,
    { cause },
  )
}

/** All that a new file holds, as one script: no statement is prepared that would keep the draft open. Counted from the first, as in a file of our own. */
export function scriptOf(from: Loaded | null, steps: readonly (NewStep & Step)[]): string {
  const { content, slides, revision } = from ?? { content: emptyContent, slides: new Map<string, DocumentSlide>(), revision: 0 }
  const batch = new Batch(new Room())
  requireKeepable('these classes', () => checked(RegionClasses, content.classes))
  content.classes.forEach((each, place) => batch.put(kinds.classes, { place, each }))
  for (const placed of content.regions.values()) batch.put(kinds.regions, placed)
  for (const slide of slides.values()) batch.put(kinds.slides, slide)
  for (const run of content.runs.values()) batch.put(kinds.runs, run)
  const kind = corrections((id) => content.runs.get(id))
  for (const [run, edits] of content.edits) batch.put(kind, { run, edits })
  batch.fits('all of this')
  const history = steps.map((step, i) =>
    requireKeepable('this step', () =>
      stepRow({ ...step, seq: i + 1, forward: deflated(step.forward), inverse: deflated(step.inverse) }),
    ),
  )
  return ['BEGIN', ...batch.script(), ...history, `INSERT INTO meta VALUES ('revision', '${revision}')`, 'COMMIT'].join(';\n')
}

const stepRow = (step: PackedStep): string => rowScript(stepKind.table, stepKind.row(step))

/** A file that has a new name in it may lose that with the machine's power until the folder itself is written. */
function syncFolder(folder: string): void {
  // Windows has no such call, and needs none.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
