// Work that is done one after the other, where each sees what the one before has made. One that fails says so, and the next goes on.
import { words } from '../../words'
import { tell } from './notify'

/** `about`: what the work is, for whoever hears that it failed. */
export function inTurn(about: string): (work: () => Promise<unknown>) => void {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    tail = tail.then(work).catch((error: unknown) => {
      console.error(error)
      tell(words.failed.reportIt(error instanceof Error ? error.message : String(error)), about)
    })
  }
}
