// What runs in a thread of its own (dist/parquetThread.mjs): a Parquet file that lies on the disk, as rows of texts, some thousands at a time, when they are asked for.
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { EngineError } from '../../../../base/errors'
import { tableOf } from './columns'

export type ToParquet = { readonly path: string; readonly called: string } | { readonly next: true }
export type FromParquet =
  | { readonly rows: readonly string[][] }
  | { readonly done: true }
  | { readonly refused: string }
  | { readonly failed: string }

const port = parentPort!
const say = (what: FromParquet): void => port.postMessage(what)
let rows: AsyncGenerator<string[][], void, void> | undefined

async function* read(path: string, called: string): AsyncGenerator<string[][], void, void> {
  const file = await open(path, 'r')
  try {
    const { size: byteLength } = await file.stat()
    const slice = async (from: number, to = byteLength): Promise<ArrayBuffer> => {
      const bytes = new Uint8Array(to - from)
      for (let done = 0; done < bytes.length;) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + done)
        if (bytesRead === 0) throw new EngineError('INVALID_PARAMETER', `${called} ended too early: it is damaged.`)
        done += bytesRead
      }
      return bytes.buffer
    }
    yield* tableOf({ byteLength, slice }, called)
  } finally {
    await file.close()
  }
}

async function next(): Promise<void> {
  try {
    const { done, value } = await rows!.next()
    say(done ? { done } : { rows: value })
  } catch (error) {
    if (error instanceof EngineError) say({ refused: error.message })
    else say({ failed: (error as Error).message })
  }
}

port.on('message', (message: ToParquet) => {
  if ('path' in message) rows = read(message.path, message.called)
  else void next()
})
