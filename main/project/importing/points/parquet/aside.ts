// Reads a Parquet file in a thread of its own: what its pages unpack to holds nobody, and ends with the thread.
import { Worker } from 'node:worker_threads'
import { CancelledError, EngineError } from '../../../../base/errors'
import { threadFile } from '../../../../base/threadFile'
import type { FromParquet, ToParquet } from './thread'

/** Of JavaScript's objects: a group of 2^24 rows has half. */
const mostHeapMiB = 2048

/** Names first, then rows by some thousands. Throws INVALID_PARAMETER; CancelledError where `signal` ends it. */
export async function* parquetRows(
  path: string,
  called: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[][], void, void> {
  const worker = new Worker(threadFile('parquetThread.mjs', 'Parquet is read'), {
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMiB },
  })
  const post = (message: ToParquet): void => worker.postMessage(message)
  const stop = (): void => void worker.terminate()
  let take: { readonly resolve: (answer: FromParquet) => void; readonly reject: (error: Error) => void } | undefined
  let failed: Error | undefined
  const fail = (error: Error): void => {
    failed ??= error
    take?.reject(failed)
  }
  worker.on('message', (answer: FromParquet) => take?.resolve(answer))
  worker.once('error', (cause: Error & { code?: string }) =>
    fail(
      cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new EngineError('OUT_OF_MEMORY', `There is not enough memory to read ${called}.`, undefined, { cause })
        : new EngineError('INTERNAL', `${called} could not be read.`, cause.stack, { cause }),
    ),
  )
  worker.once('exit', () => fail(new CancelledError('the import was ended')))
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) throw new CancelledError('the import was ended')
    post({ path, called })
    for (;;) {
      const answer = await new Promise<FromParquet>((resolve, reject) => {
        take = { resolve, reject }
        if (failed) reject(failed)
        else post({ next: true })
      })
      if ('done' in answer) return
      if ('refused' in answer) throw new EngineError('INVALID_PARAMETER', answer.refused)
      if ('failed' in answer)
        throw new EngineError('INVALID_PARAMETER', `${called} is damaged, or no Parquet file.`, answer.failed)
      yield answer.rows
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
