// The SHA-256 of a slide's file, so that an export says which bytes it was made from.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { EngineError } from '../errors'
import { messageOf } from '../jsonFile'

const known = new Map<string, Promise<string>>()
const maxKnown = 64

/** Read once for a path and time of change. Of a slide of several files this is the one that was opened. */
export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const { size, mtimeMs } = await stat(path).catch((cause: unknown) => {
    throw gone(path, cause)
  })
  const key = `${path}\0${size}\0${mtimeMs}`
  const running = known.get(key) ?? hash(path, signal)
  if (known.size >= maxKnown) known.clear()
  known.set(key, running)
  try {
    return await running
  } catch (error) {
    known.delete(key)
    throw error
  }
}

async function hash(path: string, signal: AbortSignal): Promise<string> {
  const sum = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { signal, highWaterMark: 1024 * 1024 })) sum.update(chunk as Buffer)
  } catch (cause) {
    signal.throwIfAborted()
    throw gone(path, cause)
  }
  return sum.digest('hex')
}

function gone(path: string, cause: unknown): EngineError {
  return new EngineError(
    'NOT_FOUND',
    `The slide ${path} could not be read for its checksum (${messageOf(cause)}). Check that it is still there.`,
    undefined,
    { cause },
  )
}
