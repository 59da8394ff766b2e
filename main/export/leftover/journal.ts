// The journal of a set of files: which take their names, and what had these before. Signed, and good in its own folder alone.
import { constants } from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { signatureOf } from '../../base/ownKey'

export const forward = 'journal.json'
export const backward = 'journal.back'
export const journalPart = 'journal.part'

const maxJournalBytes = 64 * 1024 * 1024

/** Whether it names something in a folder, and neither the folder itself nor anything elsewhere. */
export const isPlainName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)

/** What a file was: another one in its place, or other bytes in it, differ in at least one of these. */
const Mark = z.object({ dev: z.string(), ino: z.string(), size: z.string(), mtimeNs: z.string() })
export type Mark = z.infer<typeof Mark>
const JournalFile = z.object({
  name: z.string().refine(isPlainName),
  sha256: z.string(),
  bytes: z.number(),
  /** What had the name before; null: nothing. */
  was: Mark.nullable(),
})
export type JournalFile = z.infer<typeof JournalFile>
const Journal = z.object({
  format: z.literal('morphoscope-export-journal'),
  version: z.literal(2),
  files: z.array(JournalFile).refine((files) => new Set(files.map(({ name }) => name)).size === files.length),
  signature: z.string(),
})

/** The staging folder keeps its inode under every name that it is given. */
async function signed(path: string, files: readonly JournalFile[]): Promise<string> {
  const ids = [await stat(dirname(path), { bigint: true }), await lstat(path, { bigint: true })].map(({ ino }) => String(ino))
  const plain = files.map(({ name, sha256, bytes, was }) => [
    name,
    sha256,
    bytes,
    was && [was.dev, was.ino, was.size, was.mtimeNs],
  ])
  return signatureOf('export journal', JSON.stringify([...ids, plain]))
}

export async function journalText(path: string, files: readonly JournalFile[]): Promise<string> {
  const signature = await signed(path, files)
  return JSON.stringify({ format: 'morphoscope-export-journal', version: 2, files, signature }, null, 2)
}

/** 'none': there is no journal. 'strange': what lies there was not written by this user's programs for this folder, or is damaged. */
export async function journalIn(path: string): Promise<{ files: readonly JournalFile[]; onward: boolean } | 'none' | 'strange'> {
  let found: 'none' | 'strange' = 'none'
  for (const name of [forward, backward]) {
    const text = await textOf(join(path, name))
    if (text === null) continue
    found = 'strange'
    const journal = Journal.safeParse(parsed(text))
    if (journal.success && journal.data.signature === (await signed(path, journal.data.files)))
      return { files: journal.data.files, onward: name === forward }
  }
  return found
}

/** null: there is none. '' for what is no file, or too long: no journal either. */
async function textOf(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : ''))
  if (file === null || file === '') return file
  try {
    const info = await file.stat()
    return info.isFile() && info.size <= maxJournalBytes ? await file.readFile('utf8') : ''
  } finally {
    await file.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
