// Measures in a thread of its own, so that the engine's answers others meanwhile; ended where nobody waits any more.
import { Worker } from 'node:worker_threads'
import type { Shape } from '../../app/contract'
import { breather } from '../base/breather'
import { CancelledError, EngineError } from '../base/errors'
import { threadFile } from '../base/threadFile'
import type { FromThread, InputOf, ToThread, ValueOf, Work } from './thread'

/** Points of regions that are copied to the thread at once: some ms. */
const pointsAtOnce = 20_000

/** `nameOf`: of a class of regions, for what is wrong with them. Takes over the arrays. Throws INVALID_PARAMETER, CancelledError. */
export async function aside<W extends Work>(
  work: W,
  { regions, ...rest }: InputOf<W>,
  nameOf: (of: number) => string,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<ValueOf<W>> {
  signal.throwIfAborted()
  const worker = new Worker(threadFile('spatialThread.mjs', 'objects are measured'))
  const end = (): void => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  try {
    const answer = new Promise<ValueOf<W>>((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        if ('progress' in message) progress(message.progress)
        else if ('value' in message) resolve(message.value as ValueOf<W>)
        else if ('tangled' in message)
          reject(
            new EngineError(
              'INVALID_PARAMETER',
              `The regions of the class ${nameOf(message.tangled)} could not be put together: their lines cross too often. Draw them simpler, or measure without distances to borders.`,
            ),
          )
        else reject(new EngineError('INTERNAL', 'The objects could not be measured.', message.failed))
      })
      worker.once('error', (cause: Error & { code?: string }) =>
        reject(
          cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new EngineError('OUT_OF_MEMORY', 'There is not enough memory to measure where the objects lie.', undefined, {
                cause,
              })
            : new EngineError('INTERNAL', 'The objects could not be measured.', cause.stack, { cause }),
        ),
      )
      worker.once('exit', () =>
        reject(
          signal.aborted
            ? new CancelledError('nobody waits for this any more')
            : new EngineError('INTERNAL', 'The thread that measures has ended.'),
        ),
      )
    })
    answer.catch(() => undefined)
    const post = (message: ToThread, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer)
    const breathe = breather(signal)
    for (const [of, shapes] of regions.entries())
      for (const some of inParts(shapes)) {
        post({ regions: some, of })
        await breathe()
      }
    const buffers = Object.values(rest).flatMap((each) => (ArrayBuffer.isView(each) ? [each.buffer as ArrayBuffer] : []))
    post({ work, input: rest, regionClasses: regions.length } as unknown as ToThread, buffers)
    return await answer
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

function* inParts(shapes: readonly Shape[]): Generator<Shape[]> {
  let part: Shape[] = []
  let points = 0
  for (const shape of shapes) {
    part.push(shape)
    points +=
      shape.kind === 'polygon'
        ? shape.parts.reduce((sum, rings) => sum + rings.reduce((all, ring) => all + ring.length, 0), 0)
        : 4
    if (points < pointsAtOnce) continue
    yield part
    part = []
    points = 0
  }
  if (part.length > 0) yield part
}
