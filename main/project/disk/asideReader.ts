// A large step of history is read and inflated in a thread of its own: the engine's would be kept by each of the two for tens of milliseconds.
import { Worker } from 'node:worker_threads'

/** As text, for the reason that asideWriter.ts has. What it gives is handed over, not copied. */
const reading = `
const { parentPort, workerData } = require('node:worker_threads')
const { inflateRawSync } = require('node:zlib')
const Database = require(workerData.library)
const db = new Database(workerData.file, { timeout: 0 })
db.exec(workerData.setup)
const [bytes] = db.prepare(workerData.sql).raw().get(workerData.value)
db.close()
const whole = inflateRawSync(bytes, { maxOutputLength: workerData.mostBytes })
const own = new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength).slice()
parentPort.postMessage(own, [own.buffer])
`

/** So many bytes, deflated, are worth a thread. */
export const leastReadAside = 2 ** 18

export interface ReadAside {
  /** libsql's file. */
  readonly library: string
  readonly file: string
  /** What the connection is told first. */
  readonly setup: string
  /** One row of one blob, which is known to be there and no larger than it may be. */
  readonly sql: string
  readonly value: number
  readonly mostBytes: number
}

/** null: whatever is wrong with it, who reads it here hears of that. */
export function inflatedAside(about: ReadAside): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const worker = new Worker(reading, { eval: true, workerData: about })
    worker.once('message', ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
      resolve(Buffer.from(buffer, byteOffset, byteLength)),
    )
    worker.once('error', () => resolve(null))
    worker.once('exit', () => resolve(null))
  })
}
