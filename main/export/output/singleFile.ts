// One file that appears whole or not at all, beside those that an export writes together.
import { basename, dirname } from 'node:path'
import { OutputSet } from './outputSet'
import type { OutputFile } from './outputSet'

/** A file that is there when `write` has ended well, and else is not. */
export async function writeFileOf<T>(path: string, write: (file: OutputFile) => Promise<T>): Promise<T> {
  const set = await OutputSet.in(dirname(path), undefined, [], 'images')
  try {
    const result = await write(await set.create(basename(path)))
    await set.commit()
    return result
  } catch (error) {
    await set.discard()
    throw error
  }
}

/** Gathered into pieces of so much before they are written. */
const pieceChars = 2 ** 20

/** A file of text, whose parts are made while it is written. */
export async function writeTextFile(path: string, parts: Iterable<string>): Promise<void> {
  await writeFileOf(path, async (file) => {
    let piece = ''
    for (const part of parts) {
      piece += part
      if (piece.length < pieceChars) continue
      await file.append(piece)
      piece = ''
    }
    await file.append(piece)
  })
}
