// A large change is written in a thread of its own: its rows, its COMMIT and what that moves from the log into the file, while the engine answers others.
import { Worker } from 'node:worker_threads'
import type { Statement } from '../records/batch'

/**
 * What the thread does, with a connection of its own. As text: bundled, in a package and under test it is started alike, from no file of its own. A
 * message is answered once it is done.
 */
const writing = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.library)
const db = new Database(workerData.file, { timeout: 0 })
db.exec(workerData.setup)
const prepared = new Map()
const bytes = (cell) => (cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cell)
const run = (sql, cells) => {
  if (!prepared.has(sql)) prepared.set(sql, db.prepare(sql))
  prepared.get(sql).run(...cells.map(bytes))
}
parentPort.on('message', ({ statements, sql, last }) => {
  let error = null
  try {
    for (const [each, cells] of statements ?? []) run(each, cells)
    if (sql) db.exec(sql)
    if (last) db.close()
  } catch (caught) {
    error = { message: String(caught.message), code: caught.code }
  }
  parentPort.postMessage({ error })
  if (last) parentPort.close()
})
parentPort.postMessage({ error: null })
`

/** So many rows are worth a thread. */
export const leastAside = 2000
/** Rows of one message: made ready for it within a few milliseconds. */
export const rowsAtOnce = 500

interface Answer {
  readonly error: { readonly message: string; readonly code?: string } | null
}

export class AsideWriter {
  readonly #worker: Worker
  readonly #ended: Promise<void>
  #answered: (answer: Answer) => void = () => undefined
  /** False: the thread could not be started, or could not open the file; nothing is written. */
  readonly begun: Promise<boolean>

  /** `library`: libsql's file. `setup`: what the connection is told first. */
  constructor(about: { readonly library: string; readonly file: string; readonly setup: string }) {
    this.#worker = new Worker(writing, { eval: true, workerData: about })
    const gone = (): void => this.#answered({ error: { message: 'the thread that writes has ended' } })
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        gone()
        resolve()
      }),
    )
    this.#worker.on('message', (answer: Answer) => this.#answered(answer))
    this.#worker.on('error', gone)
    this.begun = this.#answer().then(
      () => true,
      () => false,
    )
  }

  /** Rejects as the library throws. */
  run(statements: readonly Statement[]): Promise<void> {
    return this.#ask({ statements })
  }

  exec(sql: string): Promise<void> {
    return this.#ask({ sql })
  }

  /** Its connection is gone when it resolves. */
  async end(): Promise<void> {
    await this.#ask({ last: true }).catch(() => void this.#worker.terminate())
    await this.#ended
  }

  #ask(message: { statements?: readonly Statement[]; sql?: string; last?: true }): Promise<void> {
    const answer = this.#answer()
    this.#worker.postMessage(message)
    return answer
  }

  /** One is under way at a time. */
  #answer(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = ({ error }) => {
        if (error) reject(Object.assign(new Error(error.message), error.code === undefined ? {} : { code: error.code }))
        else resolve()
      }
    })
  }
}
