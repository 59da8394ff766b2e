// A file that others of the cluster see whole or not at all: written beside its place, on the disk, then renamed. No lock is needed for that.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError, isCancelled } from '../base/errors'
import { messageOf } from '../base/jsonFile'

/** What was there is replaced. Throws OUTPUT_FAILED, and what `fill` throws where it was cancelled; then nothing is left of it. */
export async function writeWhole(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.draft`)
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(draft, 'wx')
    try {
      await fill(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined)
    if (isCancelled(cause)) throw cause
    throw new EngineError(
      'OUTPUT_FAILED',
      `${path} could not be written (${messageOf(cause)}). Check the disk's free space and the folder's permissions.`,
      undefined,
      { cause },
    )
  }
}
