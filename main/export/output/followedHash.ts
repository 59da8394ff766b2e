// The SHA-256 of a file that grows, taken in a thread of its own that reads behind the writer.
import { Worker } from 'node:worker_threads'

/**
 * What the thread does. As text: bundled, in a package and under test it is started alike, from no file of its own. It reads what the system
 * still holds of what was just written, which costs a fifth of the checksum.
 */
const follower = `
const { createHash } = require('node:crypto')
const { openSync, readSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const file = openSync(workerData, 'r')
const sum = createHash('sha256')
const buffer = Buffer.allocUnsafe(2 ** 21)
let at = 0
parentPort.on('message', ({ to, last }) => {
  while (at < to) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
    if (read === 0) throw new Error('the file ends at byte ' + at + ' of ' + to)
    sum.update(buffer.subarray(0, read))
    at += read
  }
  if (!last) return
  parentPort.postMessage(sum.digest('hex'))
  parentPort.close()
})
`

/** Told at once: each message costs the writer's thread a tenth of what it takes to write a megabyte. */
const tellBytes = 2 ** 24

/** Of one file, from its first byte on. A failure of the thread is heard where the sum is asked for. */
export class FollowedHash {
  readonly #worker: Worker
  readonly #sum: Promise<string>
  #told = 0

  constructor(path: string) {
    this.#worker = new Worker(follower, { eval: true, workerData: path })
    this.#sum = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
      this.#worker.once('exit', () => reject(new Error(`the checksum of ${path} was ended`)))
    })
    this.#sum.catch(() => undefined)
    // What is not asked for any more keeps no process alive.
    this.#worker.unref()
  }
  /** Bytes before `end` are there, and stay as they are. */
  grown(end: number): void {
    if (end - this.#told < tellBytes) return
    this.#told = end
    this.#worker.postMessage({ to: end, last: false })
  }
  /** The sum of the first `end` bytes. O(what is not read yet). Rejects where the file could not be read so far. */
  async digest(end: number): Promise<string> {
    this.#worker.ref()
    this.#worker.postMessage({ to: end, last: true })
    return await this.#sum
  }
  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
