// The engine's messages in German. The engine speaks English, for logs, files and the command line; the window shows this.
import { analysis } from './messages/analysis'
import { corrections } from './messages/corrections'
import { exports } from './messages/exports'
import { host } from './messages/host'
import { importing } from './messages/importing'
import { native } from './messages/native'
import { project } from './messages/project'
import { runs } from './messages/runs'
import { slideFaults } from './messages/slideFaults'
import { slides } from './messages/slides'
import { textFaults } from './messages/textFaults'
import { values } from './messages/values'
import { names } from './names'
import { Phrasebook, phrasesIn } from './phrases'

const texts = [
  host,
  values,
  runs,
  analysis,
  project,
  corrections,
  importing,
  exports,
  native,
  slides,
  slideFaults,
  textFaults,
  names,
]
/** Those of all files. */
export const messages = texts.flatMap((text) => phrasesIn(text))

/** Made where it is first asked for: a window in English never is. */
let book: Phrasebook | undefined

/**
 * A message of the engine in German, also a warning, a note of a run or export, or a step's name, with its values as they are. null: no phrase
 * fits, and the English text is shown (with lang="en").
 */
export function german(message: string): string | null {
  book ??= new Phrasebook(messages)
  return book.german(message)
}
