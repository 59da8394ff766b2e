// Reads the features of a GeoJSON text in a thread of its own, so that the engine's has time for others, and to fill outlines meanwhile.
import { Worker } from 'node:worker_threads'
import { CancelledError, EngineError } from '../../../base/errors'
import { threadFile } from '../../../base/threadFile'
import type { Pack } from './packed'
import type { AskedOfThread, FromFeatures, ToFeatures } from './thread'

/** Parts that lie before the thread at once: one that it reads, and the next. */
const mostAhead = 2

export class FeatureThread {
  readonly #worker = new Worker(threadFile('featureThread.mjs', 'GeoJSON is read'))
  readonly #packs: Pack[] = []
  /** Parts that are not read yet. */
  #ahead = 0
  #failed: Error | null = null
  /** A feature does not say what it is, and nobody has. */
  isUndecided = false
  #wake: () => void = () => undefined

  constructor(asked: AskedOfThread) {
    const worker = this.#worker
    worker.on('message', (message: FromFeatures) => {
      if ('pack' in message) this.#packs.push(message.pack)
      else if ('read' in message) this.#ahead -= 1
      else if ('undecided' in message) this.isUndecided = true
      else if ('refused' in message) this.#fail(new EngineError('INVALID_PARAMETER', message.refused))
      else this.#fail(new EngineError('INTERNAL', 'The file could not be read.', message.failed))
      this.#wake()
    })
    worker.once('error', (cause: Error & { code?: string }) =>
      this.#fail(
        cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new EngineError('OUT_OF_MEMORY', 'There is not enough memory to read the file.', undefined, { cause })
          : new EngineError('INTERNAL', 'The file could not be read.', cause.stack, { cause }),
      ),
    )
    worker.once('exit', () => this.#fail(new CancelledError('the import was ended')))
    this.#post(asked)
  }

  /** Packs that are there by now: it rests only where too much would lie before the thread. */
  async *take(text: string): AsyncGenerator<Pack, void, void> {
    this.#ahead += 1
    this.#post({ text })
    yield* this.#until(mostAhead - 1)
  }

  /** There is no more: the packs that are left. */
  async *end(): AsyncGenerator<Pack, void, void> {
    this.#ahead += 1
    this.#post({ end: true })
    yield* this.#until(0)
  }

  async dispose(): Promise<void> {
    await this.#worker.terminate()
  }

  async *#until(ahead: number): AsyncGenerator<Pack, void, void> {
    for (;;) {
      for (let pack = this.#packs.shift(); pack; pack = this.#packs.shift()) yield pack
      if (this.#failed) throw this.#failed
      if (this.#ahead <= ahead) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #fail(error: Error): void {
    this.#failed ??= error
    this.#wake()
  }

  #post(message: ToFeatures): void {
    this.#worker.postMessage(message)
  }
}
