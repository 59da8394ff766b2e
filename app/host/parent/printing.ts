// Prints for the engine, which has no window: one page at a time, and only so many and so large, whatever an engine asks for.
import type { PrintReply } from '../messages'

/** Makes a PDF of an HTML page. */
export type Print = (page: string) => Promise<Uint8Array>

/** Characters. A report has three pictures of 1600 px at most: some 3 MB. */
const pageLimit = 64 * 2 ** 20
const waitingLimit = 8

export class Printing {
  readonly #print: Print | undefined
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(print: Print | undefined) {
    this.#print = print
  }

  get possible(): boolean {
    return this.#print !== undefined
  }

  /** Never rejects. */
  async of(page: string): Promise<PrintReply> {
    const print = this.#print
    const refused = (problem: string): PrintReply => ({ body: new Uint8Array(0), problem })
    if (!print) return refused('this program cannot print')
    if (page.length > pageLimit) return refused('the page is too large')
    if (this.#waiting >= waitingLimit) return refused('too many pages wait to be printed')
    this.#waiting++
    const turn = this.#last.then(() => print(page))
    this.#last = turn.catch(() => undefined)
    try {
      return { body: await turn, problem: null }
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error))
    } finally {
      this.#waiting--
    }
  }
}
