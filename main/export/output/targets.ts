// Which files an export may replace: those that an earlier one wrote and nobody has changed since, others only if told to, the slide never.
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { EngineError } from '../../base/errors'
import { asOutputFailure } from './failure'
import { hashFile } from '../../base/hashFile'
import { isFolderName, isPlainZarr, treeOf } from '../leftover/tree'
import { quickly, writing } from './patience'

const maxRecordBytes = 64 * 1024 * 1024
const Record_ = z.object({
  format: z.literal('morphoscope-run'),
  files: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
  recordSha256: z.string(),
})
export type WrittenFiles = Readonly<Record<string, { bytes: number; sha256: string }>>

const whatIs = (path: string): Promise<Stats | null> => lstat(path).catch(() => null)

const seal = (sum: string): string => `"recordSha256": "${sum}"`

/** Seals a record: its own checksum is of its text with none in it. */
export function sealed(text: string): string {
  return text.replace(seal(''), seal(createHash('sha256').update(text).digest('hex')))
}

/** What the folder's run.json says was written with it; null where there is none, or where somebody has changed it. */
async function writtenThere(directory: string): Promise<WrittenFiles | null> {
  const path = join(directory, 'run.json')
  const info = await whatIs(path)
  if (!info?.isFile() || info.size > maxRecordBytes) return null
  const text = await readFile(path, 'utf8').catch(() => '')
  let found: z.infer<typeof Record_>
  try {
    found = Record_.parse(JSON.parse(text))
  } catch {
    return null
  }
  return sealed(text.replace(seal(found.recordSha256), seal(''))) === text ? found.files : null
}

async function isAsWritten(
  path: string,
  written: { bytes: number; sha256: string } | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const info = await lstat(path)
  if (!written) return false
  if (info.isDirectory() && isFolderName(path))
    return (await writing(path, () => treeOf(path), signal))?.sha256 === written.sha256
  if (!info.isFile() || info.size !== written.bytes) return false
  return (await writing(path, () => hashFile(path), signal)) === written.sha256
}

export interface Targets {
  readonly directory: string
  readonly files: readonly string[]
  readonly overwrite: boolean
  /** Is this one of the slide's own files? */
  readonly isSource: (path: string) => Promise<boolean>
}

/** Throws OUTPUT_FAILED for the slide's own files, and OUTPUT_EXISTS for files that nobody has said may go. Gives what stays of an earlier set. */
export async function checkTargets({ directory, files, overwrite, isSource }: Targets, signal?: AbortSignal): Promise<string[]> {
  const present = new Set<string>()
  for (const name of files) {
    const path = join(directory, name)
    const within = isFolderName(name) ? ['.zattrs', '.zgroup', 'zarr.json'].map((inner) => join(path, inner)) : []
    if (await quickly(path, async () => (await Promise.all([path, ...within].map(isSource))).includes(true), signal)) {
      throw new EngineError(
        'OUTPUT_FAILED',
        `${path} is the slide itself, or a part of it: an export never writes over its slide. Choose another folder.`,
      )
    }
    const found = await quickly(path, () => whatIs(path), signal)
    if (found?.isDirectory() && !(isFolderName(name) && (await writing(path, () => isPlainZarr(path), signal))))
      throw asOutputFailure(path, Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'rename' }))
    if (found) present.add(name)
  }
  const written = await quickly(directory, () => writtenThere(directory), signal)
  if (!overwrite && present.size > 0) {
    const inTheWay: string[] = []
    for (const name of present) {
      // A record that stays behind would name files that are no longer its own.
      const own =
        name === 'run.json'
          ? written !== null
          : files.includes('run.json') && (await isAsWritten(join(directory, name), written?.[name], signal))
      if (!own) inTheWay.push(name)
    }
    if (inTheWay.length > 0) throw exists(directory, inTheWay)
  }
  const left: string[] = []
  for (const name of Object.keys(written ?? {})) {
    if (files.some((file) => file === name)) continue
    if (await whatIs(join(directory, name))) left.push(name)
  }
  return files.includes('run.json') ? left : []
}

function exists(directory: string, names: readonly string[]): EngineError {
  const told = names.length > 12 ? [...names.slice(0, 11), `${names.length - 11} others`] : names
  const what = told.length === 1 ? `${told[0]} is` : `${told.slice(0, -1).join(', ')} and ${told.at(-1)} are`
  return new EngineError(
    'OUTPUT_EXISTS',
    `${what} in ${directory} already, and no earlier export's run.json names ${names.length === 1 ? 'it' : 'them'} as written there and unchanged. Overwrite, or choose another folder.`,
    undefined,
    // As many as an error names: app/contract/base/errors.ts.
    { files: names.slice(0, 100) },
  )
}
