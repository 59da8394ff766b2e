// Asks the parent, which has a window, to print.
import { Waiting } from '../../requests'
import type { FromEngine, PrintReply } from '../messages'

export class Printer {
  readonly #waiting = new Waiting<PrintReply | { aborted: Error }>()

  constructor(private readonly post: (message: FromEngine) => void) {}

  /** Makes a PDF of an HTML page. Aborted: rejects at once; what the parent prints then is nobody's. */
  print(page: string, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: PrintReply | { aborted: Error }): void => {
        if ('aborted' in outcome) reject(outcome.aborted)
        else if (outcome.problem !== null) reject(new Error(outcome.problem))
        else resolve(outcome.body)
      }
      const aborted = (id: number): void => this.#waiting.settle(id, { aborted: signal.reason as Error })
      this.post({ kind: 'print', id: this.#waiting.add(settle, { signal, aborted }), page })
    })
  }

  answered(id: number, reply: PrintReply): void {
    this.#waiting.settle(id, reply)
  }
}
