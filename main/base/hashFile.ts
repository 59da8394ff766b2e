// The SHA-256 of a file that may be larger than memory.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export async function hashFile(path: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), sum)
  return sum.digest('hex')
}
