// A new project's folder: made beside its place, on the disk, and renamed, so that it is there whole or not at all.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { DocumentCommand, DocumentSlide, KeptRun } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import { weightOf } from '../../base/jsonWeight'
import { emptyContent } from '../document'
import { editBytes } from '../edits'
import { openDatabase } from '../lock'
import { copyRunFiles } from '../runFiles'
import { newestSchema } from '../schema'
import { fileName, isThere } from './look'
import { deflated } from './packed'
import * as records from './records'
import type { Loaded, NewStep, Step } from './records'

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

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const hex = (bytes: Buffer): string => `X'${bytes.toString('hex')}'`

/** All that a new file holds, as one script: no statement is prepared that would keep the draft open. */
function scriptOf(from: Loaded | null, steps: readonly (NewStep & Step)[]): string {
  const { content, slides, revision } = from ?? { content: emptyContent, slides: new Map<string, DocumentSlide>(), revision: 0 }
  records.requireKeepable('these classes', () => records.checked(records.Classes, content.classes))
  const texts = [...content.regions.values()].map((placed) => ({ ...placed, text: records.regionText(placed) }))
  records.requireKeepable('these regions', () => records.requireWeight(texts.reduce((sum, { text }) => sum + weightOf(text), 0)))
  const rows = [
    ...texts.map(
      ({ region, place, text }) =>
        `INSERT INTO regions VALUES (${quoted(region.id)}, ${quoted(region.slide)}, ${place}, ${quoted(text)})`,
    ),
    ...content.classes.map((each, i) => `INSERT INTO classes VALUES (${i}, ${quoted(JSON.stringify(each))})`),
    ...[...slides.values()].map(
      (slide) =>
        `INSERT INTO slides VALUES (${quoted(slide.key)}, ${quoted(records.recordText(DocumentSlide, slide, slide.name))})`,
    ),
    ...steps.map(
      ({ seq, at, name, forward, inverse, undone, run }) =>
        `INSERT INTO history VALUES (${seq}, ${at}, ${quoted(name)}, ${hex(deflated(forward))}, ${hex(deflated(inverse))}, ${undone ? 1 : 0}, ${run ? quoted(run) : 'NULL'})`,
    ),
    ...[...content.runs.values()].map(
      (run) =>
        `INSERT INTO runs VALUES (${quoted(run.id)}, ${quoted(run.slide)}, ${quoted(records.recordText(KeptRun, run, run.name))})`,
    ),
    ...[...content.edits].map(([run, edits]) => `INSERT INTO edits VALUES (${quoted(run)}, ${hex(editBytes(edits))})`),
    `INSERT INTO meta VALUES ('revision', '${revision}')`,
  ]
  return `BEGIN;\n${rows.join(';\n')};\nCOMMIT`
}

/** Throws an Error where it is none. */
export function inflated(bytes: Buffer): DocumentCommand {
  const text = inflateRawSync(bytes, { maxOutputLength: records.mostStepBytes }).toString('utf8')
  records.requireWeight(weightOf(text))
  return records.checked(DocumentCommand, JSON.parse(text))
}

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
